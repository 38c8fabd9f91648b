"""What the server's doors hold: each attack against a real process while others play.

    python -m bench.gates             # all, as a table
    python -m bench.gates lobby       # calm, idle, pings, messages, slow, lobby or hostile

Everything is on this machine and bounded in number and time. The attackers come from addresses
of their own (127.3.x.y); the others are pairs that play connect four, and what is told of them
is the time from a move to its acceptance.
"""

import asyncio
import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import typer
import uvloop
from tests.doors import Stream, ask, dial, frame, websocket

from bench.machine import machine
from bench.process import Running, ServerProcess
from bench.server import Tally, open_pair, play
from kwartet.cli.terminal import AsJson, console, errors, print_json
from kwartet.client import Client
from kwartet.server import messages as m

ATTACKER: Final = "127.3.0.1"
PAIRS: Final = 8  # that play meanwhile
PAUSE: Final = 0.2  # seconds that they think
PATIENCE: Final = 10.0  # seconds, of the server
FLOODERS: Final = 50
READERS: Final = 500  # who do not read
CHANGES: Final = 5  # of listed tables a second
LOW: Final = 10  # how nice attackers are to the rest of this machine
AT_ONCE: Final = 50  # connections that are opened at a time

Attack = Callable[[Running, float, int], Awaitable[str]]


async def calm(server: Running, seconds: float, count: int) -> str:
    """Nobody attacks: what all others are to be compared with."""
    await asyncio.sleep(seconds)
    return "nobody attacks"


async def idle(server: Running, seconds: float, count: int) -> str:
    """Connections that say nothing, half a header or half a body."""
    starts = itertools.cycle((b"", b"GET / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\ncontent-le"))
    streams = await many(count, lambda number: dial(server, f"127.3.{number % 50}.1"))
    for (_, writer), start in zip(streams, starts, strict=False):
        writer.write(start)
    await asyncio.sleep(PATIENCE + seconds)
    left = sum(not reader.at_eof() for reader, _ in streams)
    for _, writer in streams:
        writer.transport.abort()
    return f"{len(streams)} opened, {left} left after {PATIENCE:.0f} s"


async def pings(server: Running, seconds: float, count: int) -> str:
    """Sockets that send pings as fast as they can and read nothing."""
    return await flood(server, seconds, frame(9, b"x" * 100) * 500, receive=4096)


async def messages(server: Running, seconds: float, count: int) -> str:
    """Sockets that send messages as fast as they can, and read the answers."""
    return await flood(server, seconds, frame(1, b'{"type": "ping"}') * 500)


async def flood(server: Running, seconds: float, content: bytes, receive: int = 0) -> str:
    """Open a socket anew when it is closed, and send."""
    sent = opened = 0
    end = time.monotonic() + seconds

    async def one() -> None:
        nonlocal sent, opened
        while time.monotonic() < end:
            try:
                reader, writer = await websocket(server, "/api/live", ATTACKER, receive=receive)
            except (AssertionError, OSError, asyncio.IncompleteReadError):
                await asyncio.sleep(0.2)
                continue
            opened += 1
            drain = None if receive else asyncio.create_task(discard(reader))
            try:
                while time.monotonic() < end:
                    writer.write(content)
                    async with asyncio.timeout(max(0.01, end - time.monotonic())):
                        await writer.drain()
                    sent += len(content)
                    await asyncio.sleep(0)
            except (OSError, TimeoutError, RuntimeError):  # RuntimeError: uvloop's, of one closed
                pass
            finally:
                writer.transport.abort()
                if drain:
                    drain.cancel()

    await asyncio.gather(*(one() for _ in range(FLOODERS)))
    return f"{sent / 1e6:.0f} MB sent, {opened} sockets"


async def discard(reader: asyncio.StreamReader) -> None:
    """Read and forget."""
    try:
        while await reader.read(65536):
            pass
    except OSError:
        pass


async def slow(server: Running, seconds: float, count: int) -> str:
    """Watchers who do not read while a table changes all the time."""
    async with Client(server.url) as client:
        table = await client.create("carnac", board="large", seats=["me", "me"])
        path = f"/api/tables/{table.id}/live"
        streams = await many(READERS, lambda _: websocket(server, path, ATTACKER, receive=2048))
        for number in range(int(10 * seconds)):
            mute = m.Mute(player=f"somebody {number} {'x' * 40}")
            await client.ask("POST", f"/api/tables/{table.id}/mute", m.Accepted, mute)
            await asyncio.sleep(0.1)
        open_now = await server.metric("kwartet_sockets")
        for _, writer in streams:
            writer.transport.abort()
    return f"{len(streams)} readers, {open_now:.0f} sockets left (with the players')"


async def lobby(server: Running, seconds: float, count: int) -> str:
    """Home pages, and listed tables that change."""
    streams = await many(
        count, lambda number: websocket(server, "/api/live", f"127.3.{number % 50}.1")
    )
    heard = 0

    async def read(reader: asyncio.StreamReader) -> None:
        nonlocal heard
        while data := await reader.read(65536):
            heard += len(data)

    readers = [asyncio.create_task(read(reader)) for reader, _ in streams]
    async with Client(server.url) as client:
        await asyncio.sleep(3)
        heard, cpu, began = 0, server.cpu_seconds(), time.monotonic()
        key = ""
        for number in range(int(CHANGES * seconds)):
            if number % 2:  # one person lists only a few at a time
                await client.drop(key)
            else:
                table = await client.create("connect_four", seats=["me", "open"], listed=True)
                key = table.id
            await asyncio.sleep(max(0, began + (number + 1) / CHANGES - time.monotonic()))
        share = (server.cpu_seconds() - cpu) / (time.monotonic() - began)
    for task, (_, writer) in zip(readers, streams, strict=True):
        task.cancel()
        writer.transport.abort()
    await asyncio.gather(*readers, return_exceptions=True)
    return f"{len(streams)} pages, {100 * share:.0f} % of a core, {heard / 1e6:.0f} MB told"


async def hostile(server: Running, seconds: float, count: int) -> str:
    """One identity at one address that asks for everything as fast as it can."""
    _, answer = await ask(server, "GET /api/me", ATTACKER)
    cookie = answer.partition("set-cookie: kwartet=")[2].partition(";")[0]
    request = f"GET /api/lobby HTTP/1.1\r\nhost: localhost\r\ncookie: kwartet={cookie}\r\n\r\n"
    end, asked = time.monotonic() + seconds, 0

    async def one() -> None:
        nonlocal asked
        while time.monotonic() < end:
            try:
                reader, writer = await dial(server, ATTACKER)
                drain = asyncio.create_task(discard(reader))
                while time.monotonic() < end and not drain.done():
                    writer.write(request.encode() * 20)
                    asked += 20
                    async with asyncio.timeout(max(0.01, end - time.monotonic())):
                        await writer.drain()
                    await asyncio.sleep(0.01)
                writer.transport.abort()
                await drain
            except (OSError, TimeoutError, RuntimeError):  # RuntimeError: uvloop's, of one closed
                await asyncio.sleep(0.05)

    talk = flood(server, seconds, frame(1, b'{"type": "ping"}') * 500)
    *_, told = await asyncio.gather(*(one() for _ in range(FLOODERS)), talk)
    return f"{asked} requests; {told}"


ATTACKS: Final[dict[str, Attack]] = {
    "calm": calm,
    "idle": idle,
    "pings": pings,
    "messages": messages,
    "slow": slow,
    "lobby": lobby,
    "hostile": hostile,
}
COUNTS: Final = {"idle": 10_000, "lobby": 5_000}
USUAL: Final = (
    "calm",
    "pings",
    "messages",
    "hostile",
)  # with a server's usual limits


async def many(count: int, make: Callable[[int], Awaitable[Stream]]) -> list[Stream]:
    """So many connections, a few at a time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> Stream:
        async with gate:
            return await make(number)

    return await asyncio.gather(*(one(number) for number in range(count)))


@asynccontextmanager
async def players(server: ServerProcess, tally: Tally) -> AsyncIterator[None]:
    """Pairs that play as long as the context lasts."""

    async def one(clients: list[Client]) -> None:
        while True:
            async with AsyncExitStack() as table:
                sockets = await open_pair(clients, "connect_four", table)
                await asyncio.gather(*(play(socket, tally, PAUSE) for socket in sockets))

    async with AsyncExitStack() as stack:
        pairs = [
            [await stack.enter_async_context(Client(server.url)) for _ in range(2)]
            for _ in range(PAIRS)
        ]
        tasks = [asyncio.create_task(one(pair)) for pair in pairs]
        await asyncio.sleep(2)
        tally.latencies.clear()
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def attack(name: str, server: ServerProcess, seconds: float, count: int) -> str:
    """Attack from a process of its own, so that the players' time is the server's."""
    command = [sys.executable, "-m", "bench.gates", name, "--seconds", str(seconds)]
    command += ["--count", str(count), "--target", server.url, "--pid", str(server.pid)]
    attacker = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    os.setpriority(os.PRIO_PROCESS, attacker.pid, LOW)
    told, _ = await attacker.communicate()
    return told.decode().strip()


async def run(name: str, seconds: float, count: int) -> dict[str, Any]:
    """One attack; what it cost the server and the others."""
    usual = ("--identity-rate", "20", "--address-rate", "100", "--watchers-per-address", "200")
    settings = ("--patience", str(PATIENCE), *(usual if name in USUAL else ()))
    tally, peak = Tally(), 0
    with tempfile.TemporaryDirectory() as folder:
        async with ServerProcess(Path(folder), settings=settings) as server, players(server, tally):
            before, cpu, began = server.memory(), server.cpu_seconds(), time.monotonic()

            async def watch() -> None:
                nonlocal peak
                while True:
                    peak = max(peak, server.memory())
                    await asyncio.sleep(0.2)

            watching = asyncio.create_task(watch())
            told = await attack(name, server, seconds, count)
            share = (server.cpu_seconds() - cpu) / (time.monotonic() - began)
            watching.cancel()
        faults = (Path(folder) / "log").read_text().count("Traceback")
    moves = tally.told(seconds)
    return {
        "attack": name,
        "what": told,
        "cores": round(share, 2),
        "MB_before": round(before / 1e6),
        "MB_peak": round(peak / 1e6),
        "p50_ms": moves["p50_ms"],
        "p99_ms": moves["p99_ms"],
        "moves": moves["moves"],
        "tracebacks": faults,
    }


async def bare(name: str, server: Running, seconds: float, count: int) -> str:
    """The attack alone."""
    return await ATTACKS[name](server, seconds, count)


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Which; all if none.")] = None,
    seconds: Annotated[float, typer.Option(help="How long each takes.")] = 20.0,
    count: Annotated[int, typer.Option(help="Connections of `idle` and `lobby`; 0: many.")] = 0,
    target: Annotated[str, typer.Option(help="A server that runs already.", hidden=True)] = "",
    pid: Annotated[int, typer.Option(hidden=True)] = 0,
    as_json: AsJson = False,
) -> None:
    """Attack the server."""
    if target and names:
        print(uvloop.run(bare(names[0], Running(target, pid), seconds, count)))
        return
    rows = []
    for name in names or ATTACKS:
        errors.print(f"{name} …")
        rows.append(uvloop.run(run(name, seconds, count or COUNTS.get(name, 0))))
    results = {"machine": machine("uvicorn", "websockets"), "load": os.getloadavg(), "rows": rows}
    if as_json:
        print_json(results)
        return
    console.print(json.dumps({name: results[name] for name in ("machine", "load")}))
    console.print("| " + " | ".join(rows[0]) + " |\n|" + "---|" * len(rows[0]))
    for row in rows:
        console.print("| " + " | ".join(map(str, row.values())) + " |", soft_wrap=True)


if __name__ == "__main__":
    typer.run(main)
