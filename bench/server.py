"""What the server can take: a real process, a durable store, sockets in a closed loop.

    python -m bench.server            # all four
    python -m bench.server moves      # moves, watchers, memory or bots

- *moves*: 20 matches on 40 sockets; everybody answers as soon as it is their turn. A move
  counts from sending it to its acceptance, which comes after it is on disk. Commits and round
  trips are those of the whole run, with tables being opened, too.
- *watchers*: sockets that only look; what each costs in memory.
- *memory*: what is left of it after many tables have ended and nobody looks any more.
- *bots*: many matches of a person against a bot at about one move a second each.
"""

import asyncio
import os
import random
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Protocol

import msgspec
import typer
import uvloop
import websockets

from bench.machine import machine
from bench.process import ServerProcess
from kwartet.cli.terminal import AsJson, console, errors, print_json
from kwartet.client import Client
from kwartet.server import messages as m

MATCHES: Final = 20
CHANGES: Final = "?changes=1"
COUNTS: Final = ("kwartet_commits", "kwartet_round_trips")
SOCKETS_AT_ONCE: Final = 50  # while they are being opened
KINDS: Final = ("moves", "watchers", "memory", "bots")

SOCKET: Final[Any] = {"compression": None, "max_size": None, "ping_interval": None}


class View(msgspec.Struct):
    """What a player in this program needs of a view; the rest is passed over."""

    ply: int


class Match(msgspec.Struct):
    """What a player needs of a match."""

    view: View
    legal: list[str]


class Told(msgspec.Struct, tag="table"):
    """What a player needs of a table."""

    state: str
    match: Match | None


class ViewChange(msgspec.Struct, frozen=True):
    """What a player needs of what changed in a view."""

    ply: int | None = None


class MatchChange(msgspec.Struct):
    """What a player needs of what changed in a match."""

    view: ViewChange = ViewChange()
    legal: list[str] | None = None


class Changed(msgspec.Struct, tag="change"):
    """What a player needs of a change."""

    state: str | None = None
    match: MatchChange | None = None


class Done(msgspec.Struct, tag="accepted"):
    """A move is on disk."""


class Refusal(msgspec.Struct, tag="refused"):
    """A move was not taken."""


_decode: Any = msgspec.json.Decoder(Told | Changed | Done | Refusal).decode


@dataclass
class Tally:
    """What the players of a run saw."""

    latencies: list[float] = field(default_factory=list)  # seconds
    bytes: int = 0  # that were received
    refused: int = 0
    matches: int = 0

    def told(self, seconds: float) -> dict[str, Any]:
        """The figures."""
        ms = sorted(1000 * latency for latency in self.latencies)
        cut = statistics.quantiles(ms, n=1000) if len(ms) > 1 else [0.0] * 999
        return {
            "moves": len(ms),
            "moves_a_second": round(len(ms) / seconds, 1),
            "p50_ms": round(cut[499], 2),
            "p99_ms": round(cut[989], 2),
            "p999_ms": round(cut[998], 2),
            "refused": self.refused,
            "matches": self.matches,
        }


class Served(Protocol):
    """What is measured: a server, or several that are asked as one."""

    @property
    def url(self) -> str:
        """Where the next one who asks is served."""

    def cpu_seconds(self) -> float:
        """Seconds of processor time used so far."""

    async def metric(self, name: str) -> float:
        """One number that it tells of itself."""


async def moves(server: Served, game: str, seconds: float) -> dict[str, Any]:
    """Twenty matches in a closed loop, again and again for so long; only moves are timed."""
    tally, wall, cpu, own = Tally(), 0.0, 0.0, 0.0
    counts = {name: await server.metric(name) for name in COUNTS}
    async with AsyncExitStack() as stack:
        pairs = [
            [await stack.enter_async_context(Client(server.url)) for _ in range(2)]
            for _ in range(MATCHES)
        ]
        while wall < seconds:
            async with AsyncExitStack() as table:
                sockets = await asyncio.gather(*(open_pair(pair, game, table) for pair in pairs))
                began, used, busy = time.monotonic(), server.cpu_seconds(), time.process_time()
                await asyncio.gather(*(play(socket, tally) for two in sockets for socket in two))
                wall += time.monotonic() - began
                cpu += server.cpu_seconds() - used
                own += time.process_time() - busy
            tally.matches += MATCHES
    counted = {name: await server.metric(name) - before for name, before in counts.items()}
    count = len(tally.latencies)
    return tally.told(wall) | {
        "server_cpu": round(cpu / wall, 2),
        "players_cpu": round(own / wall, 2),
        "server_cpu_ms_a_move": round(1000 * cpu / count, 3),
        "bytes_a_move": round(tally.bytes / count),
        "moves_a_commit": round(count / counted["kwartet_commits"], 1),
        "round_trips_a_move": round(counted["kwartet_round_trips"] / count, 2),
    }


async def open_pair(
    pair: list[Client], game: str, stack: AsyncExitStack
) -> list[websockets.ClientConnection]:
    """The sockets of two people who sit down at a table."""
    first, second = pair
    table = await first.create(game, seats=["me", "open"])
    await second.ask("POST", f"/api/tables/{table.id}/sit", m.Accepted, m.Sit())
    sockets = []
    for client in pair:
        address, headers = client.address(table.id)
        address += CHANGES
        connection = websockets.connect(address, additional_headers=headers, **SOCKET)
        sockets.append(await stack.enter_async_context(connection))
    return sockets


class Seen:
    """What a player knows of the table."""

    def __init__(self) -> None:
        self.state, self.ply = "", -1
        self.legal: list[str] = []

    def take(self, told: Told | Changed) -> None:
        """Take in what is new."""
        self.state = told.state or self.state
        if told.match is not None:
            ply, legal = told.match.view.ply, told.match.legal
            self.ply = self.ply if ply is None else ply
            self.legal = self.legal if legal is None else legal


async def play(socket: websockets.ClientConnection, tally: Tally, pause: float = 0.0) -> None:
    """Move when it is one's turn, at once or after about so many seconds, until the end."""
    sent, last, seen = 0.0, -1, Seen()
    while True:
        message = await socket.recv(decode=False)
        tally.bytes += len(message)
        told = _decode(message)
        if isinstance(told, Done):
            tally.latencies.append(time.perf_counter() - sent)
            continue
        if isinstance(told, Refusal):
            tally.refused += 1
            continue
        seen.take(told)
        if seen.state == "over":
            return
        if seen.state == "running" and seen.legal and seen.ply > last:
            last = seen.ply
            if pause:
                await asyncio.sleep(random.uniform(0.5, 1.5) * pause)
            wish = m.Play(ply=last, move=random.choice(seen.legal), id=str(last))
            sent = time.perf_counter()
            await socket.send(m.encode(wish), text=True)


async def watchers(server: ServerProcess, game: str, count: int) -> dict[str, Any]:
    """Sockets that look at one running table and do nothing."""
    async with Client(server.url) as client:
        table = await client.create(game, seats=["me", "me"])
        address, _ = client.address(table.id)
        gate = asyncio.Semaphore(SOCKETS_AT_ONCE)
        before = server.memory()

        async def look() -> websockets.ClientConnection:
            async with gate:
                socket = await websockets.connect(address, **SOCKET)
                await socket.recv()
                return socket

        sockets = await asyncio.gather(*(look() for _ in range(count)))
        await asyncio.sleep(2)
        cost = (server.memory() - before) / count
        began = time.perf_counter()
        match = (await client.table(table.id)).match
        assert match
        play = m.Play(ply=match.view["ply"], move=match.legal[0])
        await client.ask("POST", f"/api/tables/{table.id}/moves", m.Accepted, play)
        accepted = time.perf_counter() - began
        await asyncio.gather(*(socket.recv() for socket in sockets))
        reached = time.perf_counter() - began
        await asyncio.gather(*(socket.close() for socket in sockets))
    return {
        "watchers": count,
        "kB_each": round(cost / 1000, 1),
        "move_accepted_ms": round(1000 * accepted, 1),
        "move_at_all_ms": round(1000 * reached, 1),
    }


async def memory(server: ServerProcess, game: str, tables: int) -> dict[str, Any]:
    """Open tables, let them be, and see what stays."""
    before = server.memory()
    async with Client(server.url) as client:
        for _ in range(tables):
            await client.create(game, seats=["me", "me"])
    full, held = server.memory(), await server.metric("kwartet_tables")
    deadline = time.monotonic() + 120
    while await server.metric("kwartet_tables") and time.monotonic() < deadline:
        await asyncio.sleep(2)
    await asyncio.sleep(2)
    return {
        "tables": tables,
        "in_memory": held,
        "kB_each": round((full - before) / tables / 1000, 1),
        "left_in_memory": await server.metric("kwartet_tables"),
        "MB_before": round(before / 1e6, 1),
        "MB_full": round(full / 1e6, 1),
        "MB_after": round(server.memory() / 1e6, 1),
    }


async def bots(server: ServerProcess, game: str, level: str, count: int, seconds: float) -> Any:
    """People against bots, each at about one move a second, once all sit at their tables."""
    tally = Tally()
    async with Client(server.url) as client, AsyncExitStack() as stack:
        gate = asyncio.Semaphore(SOCKETS_AT_ONCE)
        sockets = await asyncio.gather(
            *(_against_bot(client, gate, game, level, stack) for _ in range(count))
        )
        turns = await server.metric("kwartet_bot_turns")
        players = [
            asyncio.create_task(_play_on(client, gate, game, level, stack, socket, tally))
            for socket in sockets
        ]
        await asyncio.sleep(seconds)
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        turns = await server.metric("kwartet_bot_turns") - turns
    return tally.told(seconds) | {"tables": count, "level": level, "bot_turns": turns}


async def _play_on(
    client: Client,
    gate: asyncio.Semaphore,
    game: str,
    level: str,
    stack: AsyncExitStack,
    socket: websockets.ClientConnection,
    tally: Tally,
) -> None:
    """One match after the other."""
    while True:
        await play(socket, tally, pause=1.0)
        tally.matches += 1
        await socket.close()
        socket = await _against_bot(client, gate, game, level, stack)


async def _against_bot(
    client: Client, gate: asyncio.Semaphore, game: str, level: str, stack: AsyncExitStack
) -> websockets.ClientConnection:
    """A socket at a table where a bot sits, too."""
    async with gate:
        table = await client.create(game, seats=["me", level])
        address, headers = client.address(table.id)
        address += CHANGES
        connection = websockets.connect(address, additional_headers=headers, **SOCKET)
        return await stack.enter_async_context(connection)


def main(
    kinds: Annotated[list[str] | None, typer.Argument(help="Which; all if none.")] = None,
    game: Annotated[str, typer.Option(help="What is played.")] = "connect_four",
    seconds: Annotated[float, typer.Option(help="How long each run takes.")] = 20.0,
    rounds: Annotated[int, typer.Option(help="How often `moves` is run.")] = 5,
    watching: Annotated[int, typer.Option(help="Sockets of `watchers`.")] = 2000,
    tables: Annotated[int, typer.Option(help="Tables of `memory`.")] = 500,
    matches: Annotated[int, typer.Option(help="Tables of `bots`.")] = 500,
    level: Annotated[str, typer.Option(help="Bots of `bots`.")] = "casual",
    database: Annotated[
        str | None, typer.Option(help="Where it stores; SQLite in a new folder if none.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the server."""

    async def run() -> dict[str, Any]:
        results: dict[str, Any] = {"machine": machine(), "load_before": os.getloadavg()[0]}
        with tempfile.TemporaryDirectory() as folder:
            async with ServerProcess(Path(folder), database) as server:
                for kind in kinds or KINDS:
                    errors.print(f"{kind} …")
                    if kind == "moves":
                        results[kind] = [await moves(server, game, seconds) for _ in range(rounds)]
                    elif kind == "watchers":
                        results[kind] = await watchers(server, game, watching)
                    elif kind == "memory":
                        results[kind] = await memory(server, game, tables)
                    else:
                        results[kind] = await bots(server, game, level, matches, seconds)
        return results | {"load_after": os.getloadavg()[0]}

    show(uvloop.run(run()), as_json=as_json)


def show(results: dict[str, Any], *, as_json: bool) -> None:
    """Print what was measured."""
    if as_json:
        print_json(results)
        return
    for name, told in results.items():
        console.print(f"[bold]{name}[/]", told, highlight=False)


if __name__ == "__main__":
    typer.run(main)
