"""Tables that an earlier version of the server wrote: they open, are listed and go on.

`tests/data/tables-0.1.jsonl` has their entries and rows as that version stored them.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from kwartet.server import messages as m
from kwartet.server.archive import summaries
from kwartet.server.conduct.scene import Person
from kwartet.server.hall import Hall
from kwartet.server.table import Table
from kwartet.store import Entry, TableRow, open_store
from tests.serving import Json, on_a_loop
from tests.test_server_steps import hall_of

LINES = (Path(__file__).parent / "data/tables-0.1.jsonl").read_text().splitlines()
TABLES: dict[str, Json] = {table["name"]: table for table in map(json.loads, LINES)}
ANN, BOB, EVE = (Person(f"{name.lower()}-old", name) for name in ("Ann", "Bob", "Eve"))


async def plant(folder: Path) -> None:
    """Write the tables as they were found."""
    store = await open_store(f"sqlite:///{folder}/kwartet.db")
    for table in TABLES.values():
        if table["name"] == "declined":  # the same table as `drawn`, a little earlier
            continue
        told = table["row"]
        people = [seat["player"] if seat["kind"] == "person" else None for seat in told["seats"]]
        row = TableRow(
            id=table["table"],
            game=told["game"],
            state=told["state"],
            listed=told["listed"],
            created=told["created"],
            changed=told["changed"],
            deadline=None,
            bot_due=False,
            summary=json.dumps(told).encode(),
            players=people,
        )
        for number, entry in enumerate(table["entries"], 1):
            body = json.dumps(entry["body"]).encode()
            await store.append(Entry(table["table"], number, entry["at"], body), row)
    await store.close()


@asynccontextmanager
async def earlier(folder: Path) -> AsyncIterator[Hall]:
    """A server of today on these tables."""
    await plant(folder)
    async with hall_of(folder) as hall:
        yield hall


async def found(hall: Hall, name: str) -> Table:
    return await hall.table(TABLES[name]["table"])


def shown(table: Table, person: Person | None) -> Json:
    message: Json = json.loads(table.company.message(person))
    return message


@on_a_loop
async def test_an_invitation_for_a_seat_still_lets_one_sit_down(tmp_path: Path) -> None:
    plans = TABLES["invited"]["entries"][0]["body"]["events"][0]["seats"]
    first, second = (plan["invite"] for plan in plans if plan["kind"] == "invite")
    async with earlier(tmp_path) as hall:
        table = await found(hall, "invited")
        assert (shown(table, ANN)["invite"], shown(table, EVE)["invite"]) == (first, None)
        assert shown(table, EVE)["host"] == "Ann"
        await table.handle(BOB, m.Sit(invite=second))
        await table.handle(EVE, m.Sit(invite=first))
        assert shown(table, EVE)["state"] == "running"


@on_a_loop
async def test_results_name_draws_and_matches_alone(tmp_path: Path) -> None:
    async with earlier(tmp_path) as hall:
        for name, outcomes in (("drawn", ["drawn", "drawn"]), ("alone", ["alone"])):
            result = shown(await found(hall, name), ANN)["result"]
            assert (result["winners"], result["outcomes"]) == ([], outcomes)
        rows = summaries(await hall.store.tables(limit=9), hall.clock)
        listed = {table.id: table.result for table in rows if table.result}
        assert listed[TABLES["drawn"]["table"]].outcomes == ["drawn", "drawn"]
        assert {table.title for table in rows} == {"Carat", "Carnac", "The Catan dice game"}


@on_a_loop
async def test_a_rematch_that_waits_for_somebody_still_begins(tmp_path: Path) -> None:
    async with earlier(tmp_path) as hall:
        over, again = await found(hall, "drawn"), await found(hall, "rematch")
        assert shown(over, EVE)["rematch"] == again.story.id
        assert shown(over, EVE)["declined"] is None
        assert "sit" in shown(again, BOB)["may"]
        assert "sit" not in shown(again, EVE)["may"]
        await again.handle(BOB, m.Sit())
        assert shown(again, BOB)["state"] == "running"
