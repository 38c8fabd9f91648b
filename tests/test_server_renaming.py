"""Who gets another name has it where they sit, soon and on every process, and nowhere else."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server import renaming
from kwartet.server.archive import read_story, row_of
from kwartet.server.conduct.scene import Person, Scene
from kwartet.server.moderating import hide_name
from kwartet.server.renaming import renamed, tell_tables
from kwartet.server.rewriting import Change, delete_line, pseudonym, rewrite_person
from kwartet.server.story import Story
from kwartet.server.table import Table
from kwartet.store import Player, Store
from tests.serving import Json, Server, on_a_loop, pair, visiting
from tests.test_server_log import started, talked, url
from tests.timing import ANN, BOB, World, world

BAD = "terrible words"


def names(table: Json) -> list[str | None]:
    return [seat["name"] for seat in table["seats"]]


def seats(table: Table) -> list[str | None]:
    return [seat.name for seat in table.story.seats]


async def known(store: Store, *people: Person) -> None:
    for person in people:
        await store.people.introduce(Player(person.id, person.name, 1.0), None)


async def told(here: World, number: int = 0, before: str = "Ann") -> Table:
    """Ann's tables hear from a process that she is no longer called so."""
    await tell_tables(here.processes[number].hall, ANN.id, before)
    return await here.table(number)


# At a server


@on_a_loop
async def test_a_new_name_is_told_at_open_and_running_tables_at_once(server: Server) -> None:
    async with visiting(server) as visit:
        ann, eve, running = await pair(visit)
        waiting = (await ann.open(listed=False))["id"]
        watching = [await eve.watch(running), await eve.watch(waiting)]
        assert (await ann.ask("PATCH", "/api/me", {"name": "Annabel"}))["name"] == "Annabel"
        for live in watching:
            await live.until(lambda shown: "Annabel" in names(shown))
            assert live.table["host"] == "Annabel"
        assert names(watching[0].table) == ["Annabel", eve.name]
        await ann.do(running, "resign")
        over = await ann.get(f"/api/tables/{running}/record")
        assert over["players"] == ["Annabel", eve.name]
        mine = (await ann.get("/api/lobby"))["mine"]
        assert [names(one)[0] for one in mine if one["id"] == waiting] == ["Annabel"]


@on_a_loop
async def test_a_finished_match_keeps_its_names_and_a_rematch_has_the_new_one(
    server: Server,
) -> None:
    async with visiting(server) as visit:
        ann, eve, over = await pair(visit)
        other = (await ann.open(listed=False))["id"]
        await eve.do(over, "resign")
        before = await ann.get(f"/api/tables/{over}/record")
        await ann.ask("PATCH", "/api/me", {"name": "Anna"})
        await ann.until(other, lambda shown: names(shown)[0] == "Anna")
        assert names(await eve.look(over)) == ["Ann", eve.name]
        assert await ann.get(f"/api/tables/{over}/record") == before
        await ann.do(over, "offer", kind="rematch")
        again = (await eve.do(over, "reply", accept=True))["table"]
        assert sorted(map(str, names(await eve.look(again)))) == sorted(["Anna", eve.name])
        assert await ann.get(f"/api/tables/{over}/record") == before


@on_a_loop
async def test_a_name_that_is_chosen_when_sitting_down_is_told_elsewhere_too(
    server: Server,
) -> None:
    async with visiting(server) as visit:
        ann, guest = await visit.guest("Ann"), await visit.guest()
        first = (await guest.open(listed=False))["id"]
        assert str(names(await ann.look(first))[0]).startswith("Guest ")
        second = await ann.open(listed=False)
        await guest.do(second["id"], "sit", name="Gus")
        await ann.until(first, lambda shown: names(shown)[0] == "Gus")


@on_a_loop
async def test_friends_at_one_device_keep_the_names_they_gave_themselves(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        wish = [{"kind": "me"}, {"kind": "me", "name": "Grandma"}]
        shared = await ann.post("/api/tables", game="connect_four", seats=wish, order="fixed")
        await ann.ask("PATCH", "/api/me", {"name": "Zoe"})
        shown = await ann.until(shared["id"], lambda shown: "Zoe" in names(shown))
        assert names(shown) == ["Zoe", "Grandma"]
        await ann.ask("PATCH", "/api/me", {"name": "Grandma"})
        await asyncio.sleep(1)
        assert names(await ann.look(shared["id"])) == ["Zoe", "Grandma"]  # never two of one name


# Between processes


@on_a_loop
async def test_another_process_is_told_and_the_log_tells_the_same(database: str) -> None:
    async with world(database) as here:
        await talked(here, 3)
        store = (await here.start(1)).store
        await known(store, ANN)
        there = await here.table(1)
        await store.people.rename(ANN.id, "Annabel")
        await told(here)
        await there.catch_up()
        assert seats(there) == ["Annabel", "Bob"]
        logged = read_story(here.key, await store.entries(here.key))[0]
        assert logged == there.story
        assert await store.table(here.key) == row_of(logged)
        assert [line.name for line in logged.chat] == ["Bob"] * 3


@on_a_loop
async def test_the_last_of_several_names_stands_whoever_tells_it_first(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        await talked(here, 1)
        await known(store, ANN)
        assert await store.people.rename(ANN.id, "Anna") == "Ann"
        assert await store.people.rename(ANN.id, "Annabel") == "Anna"
        await told(here, before="Anna")  # the second change comes first, and finds another name
        assert seats(await here.table()) == ["Ann", "Bob"]
        assert seats(await told(here)) == ["Annabel", "Bob"]


# Bounds


def test_a_table_takes_so_many_names_of_one_person_and_the_match_goes_on() -> None:
    many = [e.Renamed("ann", f"Ann{n or ''}", f"Ann{n + 1}") for n in range(renaming.RENAMES)]
    story = started(*many)
    last = f"Ann{renaming.RENAMES}"
    assert [seat.name for seat in story.seats] == [last, "Bob"]
    assert story.host == last
    asked = partial(renamed, player="ann", before=last, name="Zoe")
    assert asked(scene(story)).events == []
    fewer = started(*many[1:])
    decision = renamed(scene(fewer), "ann", "Ann", "Zoe")
    assert decision.events == [e.Renamed("ann", "Ann", "Zoe")]
    others = [e.Renamed("bob", "?", "?")] * renaming.ALL_RENAMES
    assert renamed(scene(started(*others)), "ann", "Ann", "Zoe").events == []


@pytest.mark.parametrize(
    ("player", "before"), [("eve", "Ann"), ("ann", "Bob"), ("bob", "Ann"), ("ann", "ann")]
)
def test_an_entry_for_another_seat_or_name_changes_no_seat(player: str, before: str) -> None:
    assert renamed(scene(started()), player, before, "Zoe").events == []
    story = started(e.Renamed(player, before, "Zoe"))
    assert [seat.name for seat in story.seats] == ["Ann", "Bob"]
    assert story.host == "Ann"


def scene(story: Story) -> Scene:
    return Scene(story, None, 1.0, False, lambda seat: False)


# What must not come back


@on_a_loop
async def test_a_name_that_is_hidden_takes_all_earlier_ones_along(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        table = await talked(here, 1)
        await known(store, ANN)
        for before, name in (("Ann", "Dreadful"), ("Dreadful", "Horrid")):
            await store.people.rename(ANN.id, name)
            await told(here, before=before)
        await hide_name(store, ANN.id)
        await table.catch_up()
        guest = (await store.people.account(ANN.id)).player
        assert guest
        assert seats(table) == [guest.name, "Bob"]
        log = await log_of(store, here.key)
        assert not any(bad in log for bad in (b"Dreadful", b"Horrid"))
        await told(here, before="Dreadful")  # by who was slow
        await table.change(partial(renamed, player=ANN.id, before="Ann", name="Horrid"))
        assert b"Horrid" not in await log_of(store, here.key)
        await store.people.rename(ANN.id, "Nice")
        assert seats(await told(here, before=guest.name)) == ["Nice", "Bob"]


@on_a_loop
async def test_a_name_that_is_hidden_while_it_is_told_is_hidden_there(tmp_path: Path) -> None:
    """A guest chose it; it was hidden before their table, where they are a guest, heard of it."""
    async with world(url(tmp_path)) as here:
        process = here.processes[0]
        store, hall = process.store, process.hall
        eve = Person("eve", "Eve")
        await known(store, eve)
        guest = (await _hidden(store, eve)).name
        table = await hall.opening.create(
            Person(eve.id, guest), m.CreateTable("connect_four", order="fixed")
        )
        here.key = table.story.id
        await store.people.rename(eve.id, "Dreadful")
        change = table.change

        async def late(*values: object) -> m.Accepted:
            if (await store.people.account(eve.id)).player == Player(eve.id, "Dreadful", 1.0):
                await hide_name(store, eve.id)
            return await change(*values)  # type: ignore[arg-type]

        table.change = late  # type: ignore[method-assign,assignment]
        await tell_tables(hall, eve.id, guest)
        assert b"Dreadful" not in await log_of(store, here.key)
        assert table.story.seats[0].name == guest


@on_a_loop
async def test_who_was_forgotten_stays_nameless_whatever_comes_later(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        table = await talked(here, 1)
        await known(store, ANN)
        await store.people.rename(ANN.id, "Annabel")
        await told(here)
        gone = Change(ANN.id, pseudonym(), "Deleted player", is_silenced=True)
        await rewrite_person(store, here.key, gone)
        await table.change(partial(renamed, player=ANN.id, before="Annabel", name="Zoe"))
        await told(here, before="Annabel")
        log = await log_of(store, here.key)
        assert not any(text in log for text in (b'"ann"', b"Ann", b"Zoe"))
        assert seats(table) == ["Deleted player", "Bob"]
        assert table.story.host == "Deleted player"


# Where they play again


async def over(here: World, *, hears: bool) -> Table:
    """A match that is over, at which something bad was said and deleted, heard of or not."""
    table = await talked(here, 2)
    await table.handle(BOB, m.Chat(text=BAD))
    await table.handle(BOB, m.Resign())
    await delete_line(here.processes[0].store, here.key, 3)
    if hears:
        await table.catch_up()
    return table


@pytest.mark.parametrize("hears", [True, False])
@on_a_loop
async def test_a_line_deleted_unheard_does_not_come_back_in_a_rematch(
    tmp_path: Path, hears: bool
) -> None:
    async with world(url(tmp_path)) as here:
        process = here.processes[0]
        table = await over(here, hears=hears)
        await table.handle(ANN, m.Offer(kind="rematch"))
        again = (await table.handle(BOB, m.Reply(accept=True))).table
        assert again
        story = (await process.hall.table(again)).story
        assert [line.text for line in story.chat] == ["0", "1"]
        assert BAD.encode() not in await log_of(process.store, again)


@on_a_loop
async def test_a_line_deleted_while_the_rematch_is_opened_does_not_come_back(
    tmp_path: Path,
) -> None:
    """The rematch stands in the store, but the table before does not know it yet."""
    async with world(url(tmp_path)) as here:
        process = here.processes[0]
        store, opening = process.store, process.hall.opening
        table = await talked(here, 2)
        await table.handle(BOB, m.Chat(text=BAD))
        await table.handle(BOB, m.Resign())
        opened = opening.rematch

        async def slow(story: object) -> str:
            key = await opened(story)  # type: ignore[arg-type]
            assert BAD.encode() in await log_of(store, key)
            await delete_line(store, here.key, 3)
            return key

        opening.rematch = slow  # type: ignore[method-assign]
        await table.handle(ANN, m.Offer(kind="rematch"))
        again = (await table.handle(BOB, m.Reply(accept=True))).table
        assert again
        assert BAD.encode() not in await log_of(store, again)
        assert [line.text for line in (await process.hall.table(again)).story.chat] == ["0", "1"]


@on_a_loop
async def test_a_name_hidden_unheard_does_not_come_back_in_a_rematch(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        table = await talked(here, 2)
        await known(store, BOB)
        await table.handle(BOB, m.Resign())
        await hide_name(store, BOB.id)
        await table.handle(ANN, m.Offer(kind="rematch"))
        again = (await table.handle(BOB, m.Reply(accept=True))).table
        assert again
        assert b'"Bob"' not in await log_of(store, again)


@pytest.mark.parametrize("way", ["delete a line", "hide a name"])
@on_a_loop
async def test_a_rematch_that_is_opened_just_before_is_found(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All tables there are have been looked up, and the next moment there is one more."""
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        table = await talked(here, 2)
        await known(store, BOB)
        await table.handle(BOB, m.Chat(text=BAD))
        await table.handle(BOB, m.Resign())
        await table.handle(ANN, m.Offer(kind="rematch"))
        rewrite = store.erasures.rewrite
        opened: list[str | None] = []

        async def later(*values: Any) -> None:
            if not opened:
                opened.append((await table.handle(BOB, m.Reply(accept=True))).table)
            await rewrite(*values)

        monkeypatch.setattr(store.erasures, "rewrite", later)
        if way == "hide a name":
            await hide_name(store, BOB.id)
        else:
            await delete_line(store, here.key, 3)
        assert opened[0]
        log = await log_of(store, opened[0])
        assert (b'"Bob"' if way == "hide a name" else BAD.encode()) not in log


async def _hidden(store: Store, person: Person) -> Player:
    """The person after their name was hidden."""
    await hide_name(store, person.id)
    player = (await store.people.account(person.id)).player
    assert player
    return player


async def log_of(store: Store, key: str) -> bytes:
    """All that is kept of a table."""
    row = await store.table(key)
    assert row
    return b"\n".join([*(entry.body for entry in await store.entries(key)), row.summary])
