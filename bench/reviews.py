"""What reviews cost those who play: the time of moves while many reviews are being made.

    python -m bench.reviews

A hundred people ask for a review each, of their own finished match, all within ten seconds, and
follow it; at ten other tables two people each move about three times a second. A move counts
from sending it to its acceptance, as in `bench.server`. The same ten tables without reviews
stand beside it.
"""

import asyncio
import os
import random
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated, Any, Final

import typer
import uvloop

from bench.machine import machine
from bench.process import ServerProcess
from bench.server import Tally, open_pair, play, show
from kwartet.cli.terminal import AsJson, errors
from kwartet.client import Client
from kwartet.server import messages as m

GAMES: Final[dict[str, dict[str, Any]]] = {  # that are reviewed, in turn
    "carnac": {},
    "kwatro": {},
    "carat": {"players": 2},
}
DECISIONS: Final = 16  # of each match, then it is given up
PAUSE: Final = 0.3  # seconds that people think, about
ARRIVAL: Final = 10.0  # seconds within which all ask


async def finished(client: Client, game: str) -> str:
    """A match of one person on both seats, given up after a while; its table."""
    table = await client.create(game, seats=["me", "me"], listed=False, **GAMES[game])
    async with client.attend(table.id) as seat:
        for _ in range(DECISIONS):
            if seat.now.match and seat.now.state != "over":
                await seat.play(random.choice(seat.now.match.legal))
        for number in (0, 1):
            if seat.now.state != "over":
                await seat.send(m.Resign(seat=number))
    return table.id


async def moves(server: ServerProcess, tables: int, seconds: float) -> dict[str, Any]:
    """People at so many tables, match after match for so long."""
    tally, began, used = Tally(), time.monotonic(), server.cpu_seconds()
    own = time.process_time()

    async def sit(stack: AsyncExitStack) -> None:
        pair = [await stack.enter_async_context(Client(server.url)) for _ in range(2)]
        while time.monotonic() - began < seconds:
            async with AsyncExitStack() as table:
                sockets = await open_pair(pair, "connect_four", table)
                await asyncio.gather(*(play(socket, tally, PAUSE) for socket in sockets))
            tally.matches += 1

    async with AsyncExitStack() as stack:
        await asyncio.gather(*(sit(stack) for _ in range(tables)))
    wall = time.monotonic() - began
    return tally.told(wall) | {
        "server_cpu": round((server.cpu_seconds() - used) / wall, 2),
        "players_cpu": round((time.process_time() - own) / wall, 2),
    }


async def reviewed(
    server: ServerProcess, people: list[tuple[Client, str]], tables: int, seconds: float
) -> dict[str, Any]:
    """The same while each of these people follows a review, and what became of those."""
    first: list[float] = []  # seconds until there was a graph

    async def follow(client: Client, table: str) -> None:
        has_graph = False
        await asyncio.sleep(random.uniform(0, ARRIVAL))
        began = time.monotonic()
        async for told in client.review(table):
            if len(told.worth) > 1 and not has_graph:
                has_graph = True
                first.append(time.monotonic() - began)

    followers = [asyncio.create_task(follow(*one)) for one in people]
    told = await moves(server, tables, seconds)
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)
    return told | {
        "reviews": len(people),
        "with_a_graph": len(first),
        "graph_after_s": round(statistics.median(first), 1) if first else None,
        "plies": await server.metric("kwartet_review_ply_seconds_count"),
        "done": await server.metric("kwartet_reviews_done_total"),
    }


def main(
    reviews: Annotated[int, typer.Option(help="How many people ask for one.")] = 100,
    tables: Annotated[int, typer.Option(help="How many tables play meanwhile.")] = 10,
    seconds: Annotated[float, typer.Option(help="How long each run takes.")] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Measure moves beside reviews."""

    async def run() -> dict[str, Any]:
        results: dict[str, Any] = {"machine": machine(), "load_before": os.getloadavg()[0]}
        with tempfile.TemporaryDirectory() as folder:
            async with ServerProcess(Path(folder)) as server, AsyncExitStack() as stack:
                people = []
                games = list(GAMES)
                errors.print("playing what is to be reviewed …")
                for number in range(reviews):
                    client = await stack.enter_async_context(Client(server.url))
                    people.append((client, await finished(client, games[number % len(games)])))
                errors.print("moves …")
                results["alone"] = await moves(server, tables, seconds)
                errors.print("moves beside reviews …")
                results["beside_reviews"] = await reviewed(server, people, tables, seconds)
        return results | {"load_after": os.getloadavg()[0]}

    show(uvloop.run(run()), as_json=as_json)


if __name__ == "__main__":
    typer.run(main)
