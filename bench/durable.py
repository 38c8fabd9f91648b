"""Moves that are stored before anybody is told, next to boardgame.io, in one run.

    make bench-durable    # which installs boardgame.io first

Twenty matches of connect four on forty sockets, everybody answers as soon as it is their turn;
Kwartet with SQLite that syncs, boardgame.io with its files, which it writes after it has told the
players and does not sync. Rounds are interleaved; what counts is the ratio of the medians.
"""

import asyncio
import json
import statistics
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
import uvloop

from bench.boardgame import FOLDER, NODE
from bench.machine import load, machine
from bench.process import Running, ServerProcess
from bench.server import MATCHES, moves, show
from kwartet.cli.terminal import AsJson, errors


@asynccontextmanager
async def boardgame(folder: Path) -> AsyncIterator[Running]:
    """boardgame.io's server, which keeps its matches in this folder."""
    process = await asyncio.create_subprocess_exec(
        NODE,
        *("server.js", str(folder)),
        cwd=FOLDER,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout
        line = b""
        while not line.startswith(b"port "):
            line = await process.stdout.readline()
        yield Running(f"http://localhost:{int(line.split()[1])}", process.pid)
    finally:
        process.kill()
        await process.wait()


async def played(server: Running, seconds: float) -> dict[str, Any]:
    """What its own clients, in another process of Node's, saw of it."""
    cpu = server.cpu_seconds()
    process = await asyncio.create_subprocess_exec(
        NODE,
        *("players.js", server.url, str(MATCHES), str(seconds)),
        cwd=FOLDER,
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await process.communicate()
    figures: dict[str, Any] = json.loads(told)
    spent = 1000 * (server.cpu_seconds() - cpu) / figures["moves"]
    rounded = {name: round(value, 2) for name, value in figures.items()}
    return rounded | {"server_cpu_ms_a_move": round(spent, 3)}  # matches being opened, too


def main(
    seconds: Annotated[float, typer.Option(help="How long each round takes.")] = 10.0,
    rounds: Annotated[int, typer.Option(help="How often each is measured.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Measure both servers in turn."""

    async def run() -> dict[str, Any]:
        before = load()
        ours, theirs = [], []
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            async with ServerProcess(Path(one)) as server, boardgame(Path(other)) as peer:
                for number in range(rounds):
                    errors.print(f"round {number + 1} of {rounds} …")
                    ours.append(await moves(server, "connect_four", seconds))
                    theirs.append(await played(peer, seconds))
        return {
            "machine": machine(),
            "load": [before, load()],
            "kwartet": ours,
            "boardgame.io": theirs,
            "ratio": round(_median(ours) / _median(theirs), 1),
        }

    show(uvloop.run(run()), as_json=as_json)


def _median(rounds: list[dict[str, Any]]) -> float:
    return statistics.median(each["moves_a_second"] for each in rounds)


if __name__ == "__main__":
    typer.run(main)
