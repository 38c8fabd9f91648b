"""What was deleted from a log stays deleted, whoever read it before and whatever they do next."""

import asyncio
from pathlib import Path

import pytest

from kwartet.server import messages as m
from kwartet.server import snapshots
from kwartet.server.archive import read_story, row_of
from kwartet.server.lobby import PAUSE, Visitor
from kwartet.server.moderating import hide_name
from kwartet.server.rewriting import Change, delete_line, pseudonym, rewrite_person
from kwartet.server.story import Story
from kwartet.server.watching import Watcher
from kwartet.store import Player, Store
from tests.serving import on_a_loop
from tests.test_server_log import EVE, settled, talked, url
from tests.test_server_steps import hall_of
from tests.timing import ANN, BOB, World, world

BAD = "terrible words"


async def as_logged(store: Store, key: str) -> Story:
    """The story that the whole log tells."""
    return read_story(key, await store.entries(key))[0]


async def insulted(here: World) -> Story:
    """A table in memory that has heard something bad, which is deleted unheard."""
    table = await talked(here, 5)
    await table.handle(BOB, m.Chat(text=BAD))
    before = table.story
    await delete_line(here.processes[0].store, here.key, before.said)
    return before


@on_a_loop
async def test_a_snapshot_from_before_does_not_bring_a_line_back(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        before = await insulted(here)
        await snapshots.keep(store, before, {})  # by who has not heard of it
        kept, _ = await store.load(here.key, snapshots.form())
        assert kept is None
        story, _, _ = await snapshots.load(store, here.key)
        assert story == await as_logged(store, here.key)
        assert BAD not in [line.text for line in story.chat]
        assert story.said == before.said
        await snapshots.keep(store, story, {})  # by who has
        assert (await snapshots.load(store, here.key))[::2] == (story, story.version)


@on_a_loop
async def test_who_goes_on_unheard_keeps_no_deleted_line(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store, hall = here.processes[0].store, here.processes[0].hall
        before = await insulted(here)
        table = hall.tables[here.key]
        watcher = Watcher(ANN)
        table.company.join(watcher)
        assert BAD.encode() in table.company.message_for(watcher)
        for number in range(snapshots.EVERY):
            await table.handle(BOB, m.Chat(text=f"{number} more"))
        assert table.story == await as_logged(store, here.key)
        assert table.story.said == before.said + snapshots.EVERY
        message = table.company.message_for(watcher)
        assert b'"0 more"' in message
        assert b'"chat_since":0' in message
        assert BAD.encode() not in message

        async def is_kept() -> bool:
            return (await store.load(here.key, snapshots.form()))[0] is not None

        await settled(is_kept)
        kept, _ = await store.load(here.key, snapshots.form())
        assert kept
        assert BAD.encode() not in kept.body
        assert (await snapshots.load(store, here.key))[0] == table.story


@on_a_loop
async def test_a_hidden_name_does_not_come_back_with_the_next_move(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        await store.people.introduce(Player(ANN.id, ANN.name, 1.0), None)
        await talked(here, 5)
        table = here.processes[0].hall.tables[here.key]
        await hide_name(store, ANN.id)
        await table.handle(BOB, m.Chat(text="hello"))
        row = await store.table(here.key)
        assert row == row_of(await as_logged(store, here.key))
        assert row
        assert b'"Ann"' not in row.summary
        assert {seat.name for seat in table.story.seats} != {"Ann", "Bob"}


@on_a_loop
async def test_a_name_that_a_log_does_not_tell_leaves_it_as_it_is(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        table = await talked(here, 1)
        await table.handle(ANN, m.Mute(player="eve"))
        before = await store.entries(here.key)
        await rewrite_person(store, here.key, Change("eve", "eve", "Guest 1234"))
        assert await store.entries(here.key) == before


@on_a_loop
async def test_a_log_that_grows_while_it_is_rewritten_loses_nothing(database: str) -> None:
    async with world(database) as here:
        table = await talked(here, 5)
        elsewhere = (await here.start(1)).store
        gone = Change(BOB.id, pseudonym(), "Deleted player", is_silenced=True)
        lines = [f"still here {number}" for number in range(20)]
        await asyncio.gather(
            *(table.handle(ANN, m.Chat(text=line)) for line in lines[:10]),
            rewrite_person(elsewhere, here.key, gone),
            *(table.handle(ANN, m.Chat(text=line)) for line in lines[10:]),
        )
        await table.catch_up()
        told = await as_logged(elsewhere, here.key)
        assert told == table.story
        assert [line.text for line in told.chat] == lines
        assert told.said == 25
        assert told.seats_of(BOB.id) == []
        assert await elsewhere.table(here.key) == row_of(told)


class Quiet:
    """A socket that takes everything."""

    def tell(self, frame: bytes) -> bool:
        return True


@pytest.mark.parametrize("is_loaded", [True, False])
@on_a_loop
async def test_only_home_pages_that_show_the_table_hear_of_it(
    tmp_path: Path, is_loaded: bool
) -> None:
    async with hall_of(tmp_path) as hall:
        wish = m.CreateTable("connect_four", order="fixed", listed=False)
        table = await hall.opening.create(ANN, wish)
        await table.handle(BOB, m.Sit())
        await table.handle(BOB, m.Chat(text=BAD))
        pages = {person.id: Visitor(person, Quiet()) for person in (ANN, EVE)}
        for page in pages.values():
            hall.lobby.join(page)
        await asyncio.sleep(2 * PAUSE)  # what happened before has been told
        for page in pages.values():
            page.changed.clear()
        if not is_loaded:
            del hall.tables[table.story.id]
        await delete_line(hall.store, table.story.id, 1)
        await asyncio.wait_for(pages[ANN.id].changed.wait(), 10)
        await asyncio.sleep(2 * PAUSE)
        assert not pages[EVE.id].changed.is_set()
