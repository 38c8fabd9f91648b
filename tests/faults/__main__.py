"""The long runs: `python -m tests.faults kills --count 1000 --database postgres`, say."""

import asyncio
import tempfile
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from examples.connect_four import GAME as CONNECT_FOUR
from rich.table import Table

from kwartet.cli.terminal import console, errors, progress
from kwartet.games import register
from kwartet.server.api import OPERATIONS
from tests.faults import campaigns, fuzzing, schedules, unsynced
from tests.faults.campaigns import Advance, Outcome, Victim
from tests.faults.houses import Kind, house

MOST = 20  # faults that are printed

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)
Count = Annotated[int, typer.Option(help="How often.")]
Processes = Annotated[int, typer.Option(help="Servers on the one database.")]
Pairs = Annotated[int, typer.Option(help="Matches at once.")]
Database = Annotated[Kind, typer.Option(help="What the servers keep their tables in.")]


@app.command()
def kills(
    count: Count = 1000,
    database: Database = "sqlite",
    processes: Processes = 1,
    pairs: Pairs = 10,
    victim: Annotated[
        Victim | None,
        typer.Option(help="Who is killed, else all in turn; answer: a server not heard yet."),
    ] = None,
) -> None:
    """Kill servers, or PostgreSQL, under load; nothing accepted may be lost or done twice."""
    usual: tuple[Victim, ...] = ("server", "answer")
    if database == "postgres":
        usual = ("server", "answer", "database")

    def run(folder: Path, advance: Advance) -> Coroutine[Any, Any, Outcome]:
        return campaigns.kills(
            folder,
            count,
            kind=database,
            processes=processes,
            victims=(victim,) if victim else usual,
            pairs=pairs,
            advance=advance,
        )

    _report("Kills", count, run)


@app.command()
def power(
    count: Count = 1000,
    seconds: Annotated[float, typer.Option(help="How long people play before.")] = 10.0,
    synchronous: Annotated[str, typer.Option(help="SQLite's setting: FULL, or a worse one.")] = (
        "FULL"
    ),
) -> None:
    """Lose what SQLite had not synced, at many moments of one run."""
    _report(
        "Power failures",
        count,
        lambda folder, advance: unsynced.failures(
            folder, count, seconds=seconds, synchronous=synchronous, advance=advance
        ),
    )


@app.command()
def network(
    count: Count = 10_000,
    database: Database = "sqlite",
    processes: Processes = 1,
    pairs: Pairs = 10,
) -> None:
    """Lose, cut, delay, double and reorder messages; each command is carried out once."""

    def run(folder: Path, advance: Advance) -> Coroutine[Any, Any, Outcome]:
        return campaigns.network(
            folder, count, kind=database, processes=processes, pairs=pairs, advance=advance
        )

    _report("Messages lost, cut, delayed, doubled, reordered", count, run)


@app.command()
def races(
    count: Count = 10_000,
    database: Database = "postgres",
    processes: Processes = 3,
    pairs: Pairs = 5,
) -> None:
    """Let devices race through several servers; the history must be linearizable."""

    async def run(folder: Path, advance: Advance) -> Outcome:
        outcome, _ = await campaigns.races(
            folder, count, kind=database, processes=processes, pairs=pairs, advance=advance
        )
        return outcome

    _report("Commands", count, run)


@app.command()
def requests(count: Annotated[int, typer.Option(help="Of each operation.")] = 400) -> None:
    """Send requests as the API's description allows, and just not as it allows."""

    async def run(folder: Path, advance: Advance) -> Outcome:
        async with house(folder) as home:
            server = home.servers[0]
            return await asyncio.to_thread(fuzzing.requests, server, count, advance=advance)

    _report("Requests", len(OPERATIONS), run)


@app.command()
def messages(
    count: Annotated[int, typer.Option(help="Rounds, each at a new table.")] = 1000,
) -> None:
    """Send sockets valid, nearly valid and senseless messages from several people."""

    async def run(folder: Path, advance: Advance) -> Outcome:
        async with house(folder) as home:
            return await asyncio.to_thread(fuzzing.talk, home.servers[0], count, advance=advance)

    _report("Messages", count, run)


@app.command()
def clocks(count: Count = 2000) -> None:
    """Let clocks run by random schedules of moves, outages, restarts and jumps."""

    async def run(folder: Path, advance: Advance) -> Outcome:
        return await asyncio.to_thread(schedules.held, count, advance=advance)

    _report("Schedules", count, run)


@app.command("all")
def everything() -> None:
    """All of it, as long as each usually is."""
    failed = False
    for part in LONG:
        try:
            part()
        except typer.Exit:
            failed = True
    if failed:
        raise typer.Exit(1)


LONG: tuple[Callable[[], None], ...] = (
    kills,
    partial(kills, database="postgres"),
    partial(kills, count=100, database="postgres", processes=2),
    power,
    network,
    partial(network, count=1000, database="postgres", processes=2),
    *(partial(races, processes=processes) for processes in (1, 2, 3)),
    requests,
    messages,
    clocks,
)


def _report(what: str, count: int, run: Any) -> None:
    """Run it in a folder of its own, print what happened; exit code 1 if anything is wrong."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, progress(what, count) as advance:
        outcome: Outcome = asyncio.run(run(Path(folder), advance))
    table = Table(show_header=False, title=what, title_justify="left")
    numbers = outcome.numbers | {"seconds": round(time.monotonic() - began)}
    for name, value in (numbers | {"faults": len(outcome.faults)}).items():
        table.add_row(name, _text(value))
    console.print(table)
    for fault in outcome.faults[:MOST]:
        errors.print(fault, markup=False, highlight=False)
    if outcome.faults:
        raise typer.Exit(1)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(number)}" for name, number in sorted(value.items()))
    return f"{value:,}" if isinstance(value, int | float) else str(value)


if __name__ == "__main__":
    register(CONNECT_FOUR)
    app()
