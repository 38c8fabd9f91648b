"""The examples of deploy/ with real parts: nginx, PostgreSQL, two servers, one of them killed.

    make deploy-check                     # or: python -m bench.deploy [--nginx FILE]

People play through nginx in a closed loop, by `kwartet.client`, which connects again by itself.
In the middle one server is killed with SIGKILL, later it comes back. Every acknowledged move
must stand in its table's log once, players must go on while one server is away, and a socket on
which nothing happens must outlive nginx's patience. nginx is looked for on PATH; without
installing it, Debian's is had by `apt-get download nginx` and `dpkg -x nginx_*.deb FOLDER`.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final

import httpx
import typer
import websockets
from tests.postgres import running_postgres
from tests.proxying import running_nginx
from tests.serving import free_port

from bench.machine import machine
from bench.process import ServerProcess
from kwartet.cli.terminal import AsJson, console, errors, print_json, progress
from kwartet.client import Attendance, Client
from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.store import upgrade

GAME: Final = "connect_four"
REST: Final = 70.0  # seconds on which nothing is sent; nginx waits 60


@dataclass
class Account:
    """What the players were told, and when."""

    moves: dict[tuple[str, int], str] = field(default_factory=dict)  # table, ply: move
    times: list[tuple[float, str]] = field(default_factory=list)  # and at which table
    over: list[str] = field(default_factory=list)
    doubled: int = 0
    is_ending: bool = False  # no new matches


async def _pair(first: Client, second: Client, account: Account) -> None:
    """Two people who play match after match."""
    while not account.is_ending:
        try:
            table = (await first.create(GAME, seats=["me", "open"])).id
        except GameError:  # the answer was lost with the server
            continue
        await asyncio.gather(_play(first, table, account), _play(second, table, account))
        account.over.append(table)


async def _play(client: Client, table: str, account: Account) -> None:
    """Sit down and play to the end; the first move that is possible, each time."""
    async with client.attend(table) as seat:
        if not seat.now.mine:
            await _sent(seat, m.Sit())
        async for now in seat:
            if "play" in now.may and now.match:
                ply, move = now.match.view["ply"], now.match.legal[len(seat.log) % 3]
                if await _sent(seat, m.Play(ply=ply, move=move)):
                    account.doubled += (table, ply) in account.moves
                    account.moves[table, ply] = move
                    account.times.append((time.monotonic(), table))


async def _sent(seat: Attendance, wish: m.AnyCommand) -> bool:
    try:
        await seat.send(wish)
    except GameError:  # it may have been written: the table tells
        return False
    return True


async def _rested(client: Client) -> bool:
    """Whether a socket on which nothing happens is still the same after a while."""
    table = await client.create(GAME, seats=["me", "open"])
    address, headers = client.address(table.id)
    async with websockets.connect(address, additional_headers=headers, proxy=None) as socket:
        try:
            async with asyncio.timeout(REST):
                while True:
                    await socket.recv()
        except TimeoutError:
            return True
        except websockets.ConnectionClosed as closed:
            errors.print(f"A resting socket was closed: {closed}.", markup=False)
            return False


async def campaign(url: str, servers: list[ServerProcess], pairs: int, seconds: float) -> Any:
    """Play with both servers, with one, and with both again; what came of it."""
    account = Account()
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Client(url)) for _ in range(2 * pairs + 1)]
        guest = people.pop()
        playing = [
            asyncio.create_task(_pair(first, second, account))
            for first, second in zip(people[::2], people[1::2], strict=True)
        ]
        marks, sockets = [time.monotonic()], [0.0, 0.0]
        with progress("Playing", 3) as advance:
            for phase in range(3):
                await asyncio.sleep(seconds)
                if phase == 0:
                    sockets = [await server.metric("kwartet_sockets") for server in servers]
                    await servers[1].end(signal.SIGKILL)
                elif phase == 1:
                    await servers[1].__aenter__()  # whoever started it first ends it
                    resting = asyncio.create_task(_rested(guest))
                marks.append(time.monotonic())
                advance()
        account.is_ending = True
        await asyncio.gather(*playing)
        told = await _compared(people[0], account)
        gaps = _gaps(account, marks[1])
        return told | {
            "sockets at each server": sockets,
            "moves/s with both, one, both": _rates(account, marks),
            "longest wait for a move after the kill, s": round(max(gaps), 2),
            "a resting socket stayed open": await resting,
        }


def _rates(account: Account, marks: list[float]) -> list[int]:
    return [
        round(sum(begin <= at < end for at, _ in account.times) / (end - begin))
        for begin, end in pairwise(marks)
    ]


def _gaps(account: Account, kill: float) -> list[float]:
    """For each table that was played at the kill, how long its next move took."""
    before = {table for at, table in account.times if at < kill}
    after: dict[str, float] = {}
    for at, table in account.times:
        if at >= kill and table in before:
            after.setdefault(table, at - kill)
    return list(after.values())


async def _compared(client: Client, account: Account) -> dict[str, Any]:
    """What the logs say of what was acknowledged."""
    logs = {table: (await client.record(table))["moves"] for table in account.over}
    lost = [key for key, move in account.moves.items() if logs[key[0]][key[1]] != move]
    return {
        "matches": len(logs),
        "moves acknowledged": len(account.moves),
        "in the logs": sum(map(len, logs.values())),
        "lost": len(lost),
        "doubled": account.doubled,
    }


async def _look(url: str) -> dict[str, Any]:
    """What the proxy does besides passing on."""
    async with httpx.AsyncClient(base_url=url) as client:
        me = await client.get("/api/me")
        return {
            "cookies are secure": "Secure" in me.headers["set-cookie"],
            "metrics are closed": (await client.get("/metrics")).status_code == 404,
            "the page is shown": (await client.get("/")).status_code == 200,
        }


async def check(nginx: str, pairs: int, seconds: float) -> dict[str, Any]:
    """Start everything, play, look."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = stack.enter_context(running_postgres())
        upgrade(database)
        servers = [ServerProcess(folder, database, port=free_port()) for _ in range(2)]
        for server in servers:  # in one folder, where the second finds the first one's secrets
            await stack.enter_async_context(server)
        addresses = [server.url.removeprefix("http://") for server in servers]
        inner = [address.replace("localhost", "127.0.0.1") for address in addresses]
        url, certificate = stack.enter_context(running_nginx(nginx, folder, *inner))
        os.environ["SSL_CERT_FILE"] = str(certificate)
        return await _look(url) | await campaign(url, servers, pairs, seconds)


def main(
    nginx: Annotated[str, typer.Option(envvar="NGINX", help="The program.")] = "nginx",
    pairs: Annotated[int, typer.Option(help="Matches at once.")] = 20,
    seconds: Annotated[float, typer.Option(help="For each of the three phases.")] = 20.0,
    as_json: AsJson = False,
) -> None:
    """Play through nginx on two servers and PostgreSQL, and kill one server."""
    found = shutil.which(nginx)
    if found is None:
        errors.print(f"There is no {nginx} here; see --nginx and the head of bench/deploy.py.")
        raise typer.Exit(2)
    versions = subprocess.run([found, "-v"], capture_output=True, text=True).stderr.strip()
    told = asyncio.run(check(found, pairs, seconds)) | {"nginx": versions, "machine": machine()}
    if as_json:
        print_json(told)
    else:
        for name, value in told.items():
            console.print(f"{name:42} {value}", highlight=False)
    good = all(value is not False for value in told.values())
    good &= (
        min(told["moves/s with both, one, both"]) > 0 and min(told["sockets at each server"]) > 0
    )
    good &= told["moves acknowledged"] <= told["in the logs"]
    if told["lost"] or told["doubled"] or not good:
        errors.print("[bold red]Something is not as it should be.[/]")
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
