"""Changes: who takes them knows after each what the whole table would have told.

Beside everybody who takes changes sits one who does not and reads at the same moments.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.app import make_app
from kwartet.server.changing import change, changed
from kwartet.server.conduct.scene import Person
from kwartet.server.hall import Hall
from kwartet.server.settings import Settings
from kwartet.server.showing import STRANGE, Stage
from kwartet.server.table import Table
from kwartet.server.watching import Watcher
from kwartet.server.webpush import new_key
from kwartet.store import open_store
from tests.serving import Server, on_a_loop, strict, visiting

PEOPLE = [Person(name, name.title()) for name in ("ann", "bob", "cid", "dot")]
GAMES = ("carat", "carnac", "catan_dice", "kwatro", "connect_four")


@asynccontextmanager
async def hall_of(folder: Path, game: str) -> AsyncIterator[Hall]:
    """A server's tables in this process, the game's rules ready."""
    store = await open_store(f"sqlite:///{folder}/kwartet.db")
    app = make_app(Settings(bot_processes=1, push_key=new_key()), "s" * 40, store)
    async with app.router.lifespan_context(app):
        hall: Hall = app.state.house.hall
        hall.readiness.want(game)
        while not hall.readiness.is_ready(game):
            await asyncio.sleep(0.05)
        yield hall


class Pair:
    """One who takes changes and one who does not, as the same person."""

    def __init__(self, table: Table, person: Person | None) -> None:
        self.changing = Watcher(person, takes_changes=True)
        self.whole = Watcher(person)
        self.table = table
        self.now: m.TableMessage | None = None
        self.changes = self.bytes = self.whole_bytes = 0
        table.company.join(self.changing)
        table.company.join(self.whole)

    def read(self) -> None:
        """Both read, and then know the same."""
        text, all_of_it = (
            self.table.company.message_for(who) for who in (self.changing, self.whole)
        )
        told, whole = strict(text, m.FromServer), strict(all_of_it, m.FromServer)
        assert isinstance(whole, m.TableMessage)
        if isinstance(told, m.ChangeMessage):
            assert self.now
            told = changed(self.now, told)
            self.changes += 1
            self.bytes += len(text)
            self.whole_bytes += len(all_of_it)
        self.now = told
        assert told == whole

    def leave(self) -> None:
        for watcher in (self.changing, self.whole):
            self.table.company.leave(watcher)


async def wish(table: Table, luck: random.Random) -> None:
    """Somebody does something, which may be refused."""
    person, story = luck.choice(PEOPLE), table.story
    kind = luck.random()
    command: m.AnyCommand
    if kind < 0.7 and table.match and story.awaited:
        person = next(one for one in PEOPLE if one.id == story.awaited)
        command = m.Play(ply=story.ply, move=luck.choice(table.match.legal()))
    elif kind < 0.8:
        command = m.Chat(text=f"{luck.random()}")
    elif kind < 0.86:
        command = m.Offer(kind=luck.choice(("takeback", "draw")))
    elif kind < 0.96:
        command = m.Reply(accept=luck.random() < 0.8 and story.offer is not None)
    else:
        command = m.Mute(player="bob", muted=luck.random() < 0.5)
    with suppress(GameError):
        await table.handle(person, command)


@pytest.mark.parametrize("game", GAMES)
@on_a_loop
async def test_changes_tell_what_whole_tables_tell(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kwartet.server.company.FRESH", 3600.0)  # seconds; both see one moment
    luck = random.Random(game)
    async with hall_of(tmp_path, game) as hall:
        table = await hall.opening.create(PEOPLE[0], m.CreateTable(game))
        watching = [Pair(table, person) for person in (PEOPLE[0], None)]
        for person in PEOPLE[1 : len(table.story.seats)]:
            await table.handle(person, m.Sit())
            watching.append(Pair(table, person))
        watching.append(Pair(table, Person("eve", "Eve")))
        everybody = [*watching]
        slow = [luck.choice((1.0, 0.5, 0.1)) for _ in watching]
        for _ in range(150):
            await wish(table, luck)
            for pair, pace in zip(watching, slow, strict=True):
                if luck.random() < pace:
                    pair.read()
            if luck.random() < 0.05:
                gone = luck.randrange(len(watching))
                watching[gone].leave()
                watching[gone] = Pair(table, watching[gone].changing.person)
                everybody.append(watching[gone])
        for pair in watching:
            pair.read()
        assert sum(pair.changes for pair in everybody) > 100
        sizes = [(pair.bytes, pair.whole_bytes) for pair in everybody]
        assert sum(size for size, _ in sizes) < sum(size for _, size in sizes) / 2


@pytest.mark.parametrize("game", GAMES)
@on_a_loop
async def test_what_is_taken_over_from_before_is_what_would_be_shown_anew(
    game: str, tmp_path: Path
) -> None:
    luck = random.Random(game)
    async with hall_of(tmp_path, game) as hall:
        table = await hall.opening.create(PEOPLE[0], m.CreateTable(game))
        before: Stage | None = None
        guests = [*PEOPLE[1 : len(table.story.seats)]]
        for _ in range(80):
            if guests:
                await table.handle(guests.pop(), m.Sit())
            else:
                await wish(table, luck)
            here = {person.id for person in PEOPLE if luck.random() < 0.9}
            now = (table.scene(), here, len(here), None, table.company.times())
            stage, anew = Stage(*now, before=before), Stage(*now)
            for person in (None, *luck.sample(PEOPLE, len(PEOPLE))):
                assert stage.shown(person, STRANGE, list) == anew.shown(person, STRANGE, list)
            before = stage


@on_a_loop
async def test_spectators_share_a_change(tmp_path: Path) -> None:
    async with hall_of(tmp_path, "connect_four") as hall:
        seats = [m.SeatWish("me"), m.SeatWish("me")]
        table = await hall.opening.create(PEOPLE[0], m.CreateTable("connect_four", seats=seats))
        crowd = [Watcher(None, takes_changes=True) for _ in range(3)]
        for watcher in crowd:
            table.company.join(watcher)
        for ply, move in enumerate("abc"):
            told = [table.company.message_for(watcher) for watcher in crowd]
            assert told[0] is told[1] is told[2]
            await table.handle(PEOPLE[0], m.Play(ply=ply, move=move))


@on_a_loop
async def test_word_from_another_process_that_changes_nothing_tells_nobody(tmp_path: Path) -> None:
    async with hall_of(tmp_path, "connect_four") as hall:
        table = await hall.opening.create(PEOPLE[0], m.CreateTable("connect_four"))
        await table.handle(PEOPLE[1], m.Sit())
        editions = []
        for here in (True, True, False, False):
            word = {"table": table.story.id, "player": "bob", "here": here}
            hall.presence.note(msgspec.json.encode(word).decode())
            editions.append(table.company.edition)
        assert editions == [editions[0], editions[0], editions[0] + 1, editions[0] + 1]


def test_what_a_change_cannot_tell_is_told_whole() -> None:
    table = msgspec.json.decode(WAITING, type=m.TableMessage)
    match = m.MatchView({"ply": 0}, False, [], 0, [], 1.0, None)
    begun = msgspec.structs.replace(table, match=match)
    assert change(table, begun) is None
    other = msgspec.structs.replace(match, view={"ply": 0, "more": 1})
    assert change(begun, msgspec.structs.replace(begun, match=other)) is None
    assert change(table, msgspec.structs.replace(table, listed=True)) is None


def test_a_change_of_another_message_is_refused() -> None:
    table = msgspec.json.decode(WAITING, type=m.TableMessage)
    with pytest.raises(ValueError, match="version 7"):
        changed(table, m.ChangeMessage(after=7, version=8, now=1.0))


WAITING = m.encode(
    m.TableMessage(
        id="t", version=1, now=1.0, game="carat", title="Carat", options={}, rules=1,
        state="open", created=1.0, creator="ann", listed=False, rated=False, takeback=True,
        hints=True, order="lot", clock=None, commitment="", seats=[], mine=[], may=[], watchers=0,
    )
)  # fmt: skip


@on_a_loop
async def test_only_who_asks_for_changes_gets_them(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        table = (await ann.open("connect_four", "me", "me"))["id"]
        asking = await ann.socket(f"/api/tables/{table}/live?changes=1")
        older = await ann.socket(f"/api/tables/{table}/live")
        assert strict(await asking.recv(), m.FromServer).id == table
        for _ in range(2):
            await ann.do(
                table, "play", ply=(await ann.look(table))["match"]["view"]["ply"], move="a"
            )
        kinds: dict[object, set[type]] = {asking: set(), older: set()}
        for socket in (asking, older):
            version = 0
            while version < 3:
                told = strict(await socket.recv(), m.FromServer)
                kinds[socket].add(type(told))
                version = told.version
        assert kinds == {asking: {m.ChangeMessage}, older: {m.TableMessage}}


@on_a_loop
async def test_what_is_new_is_told_once(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        table = (await ann.open("connect_four", "me", "me"))["id"]
        socket = await ann.socket(f"/api/tables/{table}/live?changes=1")
        told: list[m.FromServer] = []

        async def until_pong() -> list[type]:
            await socket.send('{"type": "ping"}')
            told.clear()
            while not told or not isinstance(told[-1], m.Pong):
                told.append(strict(await socket.recv(), m.FromServer))
            return [type(message) for message in told]

        await until_pong()
        for ply, move in enumerate("abc"):
            await socket.send(m.encode(m.Play(ply=ply, move=move, id=move)).decode())
            while not isinstance(strict(await socket.recv(), m.FromServer), m.Accepted):
                pass
            assert await until_pong() == [m.ChangeMessage, m.Pong]
