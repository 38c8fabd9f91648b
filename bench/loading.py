"""How long a table takes to come back from the database: a match of each game, and the longest log.

    python -m bench.loading

The tables are played through the real hall on a new SQLite file, one entry a move; the longest
has all that people may say, offer and take back. Each is then loaded again and again with nothing
in memory, from its snapshot and, as once after an update, from its entries alone; the match is
played through again in both.
"""

import asyncio
import random
import statistics
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final

import typer
import uvloop
from tests.timing import Process, World

from bench.machine import load, machine
from bench.server import show
from kwartet.cli.terminal import AsJson, errors, prepare
from kwartet.core.errors import GameError
from kwartet.games import GAMES
from kwartet.server import messages as m
from kwartet.server import snapshots
from kwartet.server.conduct.offers import REWINDS
from kwartet.server.conduct.scene import Person
from kwartet.server.conduct.talk import LINES
from kwartet.server.table import Table

LONGEST: Final = "kwatro"
PEOPLE: Final = [Person(name.lower(), name) for name in ("Ann", "Bob", "Cid", "Dora")]


async def _opened(process: Process, game: str) -> Table:
    first, *others = PEOPLE
    table = await process.hall.opening.create(first, m.CreateTable(game, order="fixed"))
    for person in others:
        if table.story.state == "open":
            await table.handle(person, m.Sit())
    return table


async def _move(table: Table, luck: random.Random) -> None:
    story, match = table.story, table.match
    assert match
    assert story.actor is not None
    move = luck.choice(match.legal())
    await table.handle(PEOPLE[story.actor], m.Play(ply=story.ply, move=move, id=str(story.version)))


async def _play(table: Table, luck: random.Random) -> None:
    """Play at random to the end."""
    while table.story.state == "running":
        await _move(table, luck)


async def _fill(table: Table, luck: random.Random) -> None:
    """Say and take back all that may be, then play on."""
    for number in range(LINES):
        await table.handle(PEOPLE[number % 2], m.Chat(text=f"Line {number}: {'la ' * 60}"[:200]))
    for _ in range(REWINDS):
        await _move(table, luck)
        with suppress(GameError):  # what was drawn since cannot be taken back
            await table.handle(PEOPLE[0], m.Offer(kind="takeback"))
            await table.handle(PEOPLE[1], m.Reply(accept=True))
        if table.story.state != "running":
            return
    await _play(table, luck)


async def _times(process: Process, key: str, rounds: int) -> dict[str, Any]:
    """Milliseconds until the table is there, of many tries, and those of a processor."""
    walls, cpus = [], []
    for _ in range(rounds):
        process.hall.tables.clear()
        wall, cpu = time.perf_counter(), time.process_time()
        await process.hall.table(key)
        walls.append(1000 * (time.perf_counter() - wall))
        cpus.append(1000 * (time.process_time() - cpu))
    medians = {"ms": statistics.median(walls), "cpu_ms": statistics.median(cpus)}
    return {name: round(value, 2) for name, value in medians.items()}


async def _measure(process: Process, table: Table, rounds: int) -> dict[str, Any]:
    key, story = table.story.id, table.story
    told = {"entries": story.version, "moves": story.ply}
    await asyncio.sleep(0.5)  # snapshots that are being written
    before = await _times(process, key, rounds)
    await snapshots.keep(process.store, story, {})
    return told | {"as it is": before, "with a new snapshot": await _times(process, key, rounds)}


def main(
    rounds: Annotated[int, typer.Option(help="How often each table is loaded.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Measure how long tables take to load."""

    async def run() -> dict[str, Any]:
        luck = random.Random(1)
        results: dict[str, Any] = {"machine": machine(), "load": load()}
        with tempfile.TemporaryDirectory() as folder:
            world = World(f"sqlite:///{Path(folder)}/kwartet.db")
            process = await world.start()
            for game in GAMES:
                errors.print(f"{game} …")
                table = await _opened(process, game)
                await _play(table, luck)
                results[game] = await _measure(process, table, rounds)
            errors.print("the longest …")
            table = await _opened(process, LONGEST)
            await _fill(table, luck)
            results["longest"] = await _measure(process, table, rounds)
            await process.stop()
        return results

    prepare(list(GAMES.values()))
    show(uvloop.run(run()), as_json=as_json)


if __name__ == "__main__":
    typer.run(main)
