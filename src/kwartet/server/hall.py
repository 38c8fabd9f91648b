"""All tables: found in memory or in the log, opened, swept, and told of other processes.

A table that nobody looks at leaves memory; the log brings it back.
"""

import asyncio
import contextlib
import hmac
import json
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final

import structlog

from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game
from kwartet.games import GAMES, find
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.afterwards import Branch
from kwartet.server.archive import read_story, row_of, summaries
from kwartet.server.conduct import Person, begun
from kwartet.server.opening import plan, plan_again, plan_branch
from kwartet.server.push import Push
from kwartet.server.readiness import Readiness
from kwartet.server.story import Story
from kwartet.server.story import begin as begin_story
from kwartet.server.table import Table
from kwartet.server.thinkers import Thinkers
from kwartet.store import Conflict, Entry, Store, StoreError

IDLE: Final = 60.0  # seconds without a watcher after which a table leaves memory
SWEEP: Final = 1.0  # seconds between two looks at clocks
RESCUE: Final = 10.0  # seconds after which a bot's turn that nobody works on is taken up
ANNOUNCE: Final = 20.0  # seconds between two words on who is here
TIDY: Final = 3600.0  # seconds between two looks for tables that never started
UNSTARTED: Final = 7 * 86400.0  # seconds after which such a table is removed
FORGOTTEN: Final = 60.0  # seconds after which another process's word no longer counts
SETTLING: Final = 30.0  # seconds after a start in which no older clock runs out
STUCK: Final = 600.0  # seconds for which a table that cannot go on is left alone
SHOWN: Final = 50  # listed tables in a lobby, open and running
LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"


log = structlog.get_logger()


class Hall:
    """The tables of this process."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        push: Push,
        *,
        secret: str,
        absent_after: float,
        games: list[Game],
    ) -> None:
        self._secret = secret
        self.store = store
        self.thinkers = thinkers
        self.push = push
        self.readiness = Readiness(games, self._game_changed)
        self.absent_after = absent_after
        self.tables: dict[str, Table] = {}
        self.is_closing = False
        self.listeners: set[Callable[[Story | None], None]] = set()  # lobbies
        self._listed: asyncio.Task[tuple[list[m.TableSummary], list[m.TableSummary]]] | None = None
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._elsewhere: dict[str, dict[str, float]] = {}  # table: player: until when
        self._stuck: dict[str, float] = {}  # tables that cannot go on: until when to leave them
        self._tasks: set[asyncio.Task[Any]] = set()

    # Finding ------------------------------------------------------------------------------

    async def table(self, key: str) -> Table:
        """The table; GameError if there is none."""
        if key in self.tables:
            return self.tables[key]
        if "\0" in key:  # which PostgreSQL cannot look for
            raise GameError("unknown-table", f"There is no table {quoted(key)}.")
        if key not in self._loading:
            self._loading[key] = asyncio.create_task(self._load(key))
            self._loading[key].add_done_callback(lambda _: self._loading.pop(key, None))
        return await asyncio.shield(self._loading[key])

    async def _load(self, key: str) -> Table:
        entries = await self.store.entries(key)
        if not entries:
            raise GameError("unknown-table", f"There is no table {quoted(key)}.")
        story, answers = read_story(key, entries)
        if story.state != "over":
            self.readiness.want(story.created.game)
        table = Table(self, story, answers)
        self.tables[key] = table
        try:
            if self.store.is_shared:
                await table.heard(0)  # what was written between reading and being able to hear
            await table.ready()
        except BaseException:
            del self.tables[key]
            raise
        return table

    # Opening ------------------------------------------------------------------------------

    async def create(self, person: Person, wish: m.CreateTable) -> Table:
        """Open a table as wished; GameError if that cannot be."""
        return await self._found(_new_key(), plan(person, wish))

    async def branch(self, person: Person, story: Story, wish: Branch) -> Table:
        """Open a table where a finished match goes on as wished; GameError if that cannot be."""
        return await self._found(_new_key(), plan_branch(person, story, wish))

    def need(self, game: str) -> None:
        """GameError if the rules of a game are not ready; then it is prepared before others."""
        self.readiness.want(find(game).key)
        if not self.readiness.is_ready(game):
            raise GameError("preparing", "The rules are still being compiled; try again soon.")

    async def bring_in(self, created: e.Created, events: list[e.AnyEvent]) -> Table:
        """The finished table of a match that was played elsewhere."""
        return await self._found(_new_key(), created, events)

    async def rematch(self, story: Story) -> str:
        """The table where this match is played again, everybody one seat further on.

        All have agreed, so it begins at once. Its name follows from the first one's secret, so
        that all who ask get the same.
        """
        name = f"rematch {story.id} {story.created.seed}"  # once told, the seed alone won't do
        digest = hmac.digest(self._secret.encode(), name.encode(), "sha256")
        key = "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:12])
        with contextlib.suppress(Conflict):  # another process was quicker
            await self._found(key, plan_again(story))
        return key

    async def _found(
        self, key: str, created: e.Created, events: Sequence[e.AnyEvent] = ()
    ) -> Table:
        """Write the first entry of a table, with what else happened; it starts if it can."""
        self.readiness.want(created.game)
        body = e.Body([created, *events], created.creator)
        at = time.time()
        story = begin_story(key, 1, at, body)
        if story.state == "open" and story.is_full and self.readiness.is_ready(created.game):
            body = e.Body([created, *(await begun(story)).events], created.creator)
            story = begin_story(key, 1, at, body)
        await self.store.append(Entry(key, 1, at, e.encode(body)), row_of(story))
        self.changed(story)
        table = await self.table(key)
        table.wake_bot()
        return table

    # Going on -----------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to compile, to listen and to sweep."""
        self.store.listen(self._heard)
        self.store.on_message(self._told)
        self.readiness.start()
        self.spawn(self._sweep())

    async def stop(self) -> None:
        """End everything that goes on."""
        self.is_closing = True
        for task in self._tasks:
            task.cancel()
        await self.readiness.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinkers.stop()

    def has_settled(self, story: Story) -> bool:
        """Whether people have had time to come back, if the table is older than this process."""
        ready = self.readiness.ready_at(story.created.game)
        return story.changed > ready or time.time() - ready > SETTLING

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let something go on by itself; what fails is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()):
            log.error("background work failed", exc_info=problem)

    def changed(self, story: Story | None) -> None:
        """A table changed (None: any may have): lobbies look again."""
        if story is None or story.created.listed:
            self._listed = None
        for listener in self.listeners:
            listener(story)

    async def listed(self) -> tuple[list[m.TableSummary], list[m.TableSummary]]:
        """Listed tables that are open and those that run, read once for all lobbies."""
        if self._listed is None:
            self._listed = asyncio.create_task(self._read_listed())
        reading = self._listed
        try:
            return await asyncio.shield(reading)
        except StoreError:
            if self._listed is reading:
                self._listed = None
            raise

    async def _read_listed(self) -> tuple[list[m.TableSummary], list[m.TableSummary]]:
        opened = await self.store.tables("open", True, limit=SHOWN)
        running = await self.store.tables("running", True, limit=SHOWN)
        return summaries(opened), summaries(running)

    def _game_changed(self, key: str) -> None:
        for table in list(self.tables.values()):
            if table.story.created.game == key:
                self.spawn(table.ready())

    async def _sweep(self) -> None:
        """Clocks, abandoned turns of bots, absent people, tables nobody looks at."""
        chores: list[tuple[float, Callable[[float], Awaitable[None]]]] = [
            (SWEEP, self._look_at_clocks),
            (RESCUE, self._look_at_bots),
            (ANNOUNCE, self._announce_all),
            (TIDY, self._tidy),
        ]
        done = [0.0] * len(chores)
        while True:
            now = time.time()
            for number, (period, chore) in enumerate(chores):
                if now - done[number] >= period:
                    before, done[number] = done[number], now
                    try:
                        await chore(before)
                    except Exception as problem:  # the next one may succeed
                        log.error("sweep", chore=chore.__name__, problem=str(problem))
            self._evict()
            await asyncio.sleep(SWEEP)

    async def _look_at_clocks(self, before: float) -> None:
        for key in await self.store.due(time.time()):
            await self._look_at(key)
        for table in [table for table in self.tables.values() if not table.is_sure]:
            await self._look_at(table.story.id)

    async def _look_at_bots(self, before: float) -> None:
        """Bots whose process has ended; after a start all that are to act."""
        for key in await self.store.bots_due(time.time() - (RESCUE if before else 0)):
            await self._look_at(key)

    async def _look_at(self, key: str) -> None:
        """Let a table go on; one that cannot is left alone for a while."""
        if self._stuck.get(key, 0.0) > time.time():
            return
        try:
            await (await self.table(key)).look()
            self._stuck.pop(key, None)
        except StoreError:
            raise
        except Exception as problem:  # one table's trouble is no other's
            self._stuck[key] = time.time() + STUCK
            log.warning("a table stands still", problem=str(problem))

    async def _tidy(self, before: float) -> None:
        await self.store.prune(time.time() - UNSTARTED)
        self.changed(None)

    def _evict(self) -> None:
        now = time.monotonic()
        for table in list(self.tables.values()):
            if table.watchers:
                table.refresh_away()
            elif table.is_idle and now - table.used > IDLE:
                del self.tables[table.story.id]

    # Other processes ----------------------------------------------------------------------

    def _heard(self, key: str, number: int) -> None:
        """Another process wrote entry `number` of a table; of any, if it has no name."""
        if not key:
            for table in list(self.tables.values()):
                self.spawn(table.heard(0))
            self.changed(None)
        elif key in self.tables:
            self.spawn(self.tables[key].heard(number))
        else:
            self.changed(None)

    def announce(self, key: str, player: str) -> None:
        """Tell the other processes who is here."""
        here = key in self.tables and player in {
            watcher.person.id for watcher in self.tables[key].watchers if watcher.person
        }
        self.spawn(self._say(json.dumps({"table": key, "player": player, "here": here})))

    async def _announce_all(self, before: float) -> None:
        """Say again who is here, and forget those of whom nobody says so any more."""
        now = time.time()
        self._elsewhere = {
            key: here
            for key, players in self._elsewhere.items()
            if (here := {player: until for player, until in players.items() if until > now})
        }
        for table in self.tables.values():
            for watcher in table.watchers:
                if watcher.person and table.story.seats_of(watcher.person.id):
                    self.announce(table.story.id, watcher.person.id)

    async def _say(self, text: str) -> None:
        try:
            await self.store.publish(text)
        except StoreError as error:
            log.warning("not announced", problem=error.sentence)

    def _told(self, text: str) -> None:
        word = json.loads(text)
        players = self._elsewhere.setdefault(word["table"], {})
        if word["here"]:
            players[word["player"]] = time.time() + FORGOTTEN
        else:
            players.pop(word["player"], None)
        if not players:
            del self._elsewhere[word["table"]]
        if word["table"] in self.tables:
            self.tables[word["table"]].presence_changed(word["player"])

    def elsewhere(self, key: str) -> set[str]:
        """The players who look at the table through another process."""
        now = time.time()
        return {player for player, until in self._elsewhere.get(key, {}).items() if until > now}


def _new_key() -> str:
    """The name of a table, which is not guessed."""
    return "".join(secrets.choice(LETTERS) for _ in range(12))


def known_games() -> list[Game]:
    """The games that can be played here."""
    return list(GAMES.values())
