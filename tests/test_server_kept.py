"""Databases that earlier versions of the program wrote: opened, listed, played on and exported.

`tools/keep_database.py` made them, one a version of the schema; none is ever made again.
"""

import asyncio
import gzip
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from kwartet.core.records import replay
from kwartet.games import find
from kwartet.server import messages as m
from kwartet.server.archive import finished, summaries
from kwartet.server.conduct.scene import Person
from kwartet.server.hall import Hall
from kwartet.server.table import Table
from kwartet.store import schema, upgrade
from tests.serving import Json, on_a_loop
from tests.test_server_steps import hall_of

FILES = sorted((Path(__file__).parent / "data/databases").glob("*.db.gz"))
RUNNING = ("live", "days", "talk", "carat", "carnac", "catan_dice", "kwatro", "again", "branched")
OVER = ("won", "drawn", "rated", "alone", "imported")

kept = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])


@asynccontextmanager
async def opened(file: Path, folder: Path) -> AsyncIterator[tuple[Hall, dict[str, Table]]]:
    """A server of today on a copy of the database, and all of its tables by what they are."""
    with gzip.open(file) as source, (folder / "kwartet.db").open("wb") as target:
        shutil.copyfileobj(source, target)
    names: dict[str, str] = json.loads(
        file.with_name(file.name.replace(".db.gz", ".json")).read_text()
    )
    async with hall_of(folder) as hall:
        for game in ("carat", "carnac", "catan_dice"):
            await hall.readiness.have_bots(game)
        yield hall, {name: await hall.table(key) for name, key in names.items()}


def shown(table: Table, person: Person | None) -> Json:
    message: Json = json.loads(table.company.message(person))
    return message


def people(table: Table) -> list[Person]:
    return [
        Person(seat.player, seat.name or "")
        for seat in table.story.seats
        if seat.player is not None
    ]


def test_there_is_one_of_every_version_that_was_released() -> None:
    assert FILES


@kept
@on_a_loop
async def test_a_kept_database_is_upgraded_and_listed(file: Path, tmp_path: Path) -> None:
    async with opened(file, tmp_path) as (hall, tables):
        assert upgrade(f"sqlite:///{tmp_path}/kwartet.db") == (schema.VERSION, schema.VERSION)
        rows = summaries(await hall.store.tables(limit=50), hall.clock)
        assert {row.id for row in rows} == {table.story.id for table in tables.values()}
        listed = await hall.lobby.listed()
        (free,) = (row for row in rows if row.id == tables["open"].story.id)
        assert (free.state, free.listed) == ("open", True)
        assert tables["live"].story.id in {row.id for row in listed.running}
        for name, table in tables.items():
            told = shown(table, None)
            assert told["trouble"] is None
            state = "running" if name in RUNNING else "over" if name in OVER else None
            assert told["state"] == (state or told["state"]), name
        assert await hall.store.reviews(tables["won"].story.id)
        ann = people(tables["won"])[0].id
        assert (await hall.store.ratings(ann))["connect_four"].matches == 1
        assert len(await hall.store.secrets(ann, "token")) == 1


@kept
@on_a_loop
async def test_the_tables_of_a_kept_database_go_on(file: Path, tmp_path: Path) -> None:
    async with opened(file, tmp_path) as (hall, tables):
        for name in RUNNING:
            table = tables[name]
            while table.story.awaits_bot():
                await hall.readiness.have_bots(table.story.created.game)
                table.bots.wake()
                await asyncio.sleep(0.02)
            actor = table.story.actor
            assert actor is not None
            person = Person(table.story.seats[actor].player or "", "")
            view = shown(table, person)["match"]
            before = table.story.ply
            await table.handle(person, m.Play(ply=before, move=view["legal"][0], id="on"))
            assert table.story.ply > before
        left = [seat.left or 0 for seat in tables["live"].story.seats]
        assert all(1700 < each < 1900 for each in left)  # what the program was away is no one's
        guest = Person("guest", "Gus")
        await tables["open"].handle(guest, m.Sit(name="Gus"))
        secret = tables["invited"].story.invitation
        await tables["invited"].handle(guest, m.Sit(invite=secret))
        assert tables["open"].story.state == tables["invited"].story.state == "running"


@kept
@on_a_loop
async def test_what_was_played_in_a_kept_database_is_exported(file: Path, tmp_path: Path) -> None:
    async with opened(file, tmp_path) as (hall, tables):
        exported = {story.id async for story in finished(hall.store)}
        for name in OVER:
            record = tables[name].record()
            match = replay(record, find)
            assert match.moves == record["moves"]
            assert tables[name].story.id in exported
            assert tables[name].sheet("en")
        assert tables["dropped"].story.id not in exported
        ann = people(tables["won"])[0]
        for name in RUNNING[:3]:
            await tables[name].handle(ann, m.Resign())
            assert tables[name].record()["result"]["reason"] == "resigned"
