"""Kill the server under load, again and again, and see whether anything was lost.

    python -m bench.faults --kills 100

People play matches in a closed loop through `kwartet.client`, which connects again by
itself and repeats what was not answered under the same id. Meanwhile the server's process
is killed with SIGKILL and started again on the same port and store. Afterwards every move
that was acknowledged must stand in its table's log, at its place, once; and all matches
must come to their end.
"""

import asyncio
import random
import signal
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from bench.machine import machine
from bench.process import ServerProcess, free_port
from kwartet.cli.terminal import AsJson, console, errors, print_json, progress
from kwartet.client import Attendance, Client
from kwartet.core.errors import GameError
from kwartet.server import messages as m


@dataclass
class Account:
    """What the players were told."""

    acknowledged: dict[tuple[str, int], str] = field(default_factory=dict)  # table, ply: move
    refused: Counter[str] = field(default_factory=Counter)
    finished: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    is_over: bool = False  # no new matches


async def _pair(first: Client, second: Client, game: str, account: Account) -> None:
    """Two people who play until the campaign ends, whatever happens to the server."""
    while not account.is_over:
        try:
            table = await first.create(game, seats=["me", "open"])
        except GameError:  # no server at this moment
            await asyncio.sleep(0.1)
            continue
        await asyncio.gather(_player(first, table.id, account), _player(second, table.id, account))
        account.finished.append(table.id)


async def _player(client: Client, table: str, account: Account) -> None:
    async with client.attend(table) as seat:
        if not seat.now.mine:
            await _insist(seat, m.Sit(), account)
        async for now in seat:
            if "play" in now.may and now.match:
                ply, move = now.match.view["ply"], random.choice(now.match.legal)
                if await _insist(seat, m.Play(ply=ply, move=move), account):
                    if (table, ply) in account.acknowledged:
                        account.doubled.append(f"{table} {ply}")
                    account.acknowledged[table, ply] = move


async def _insist(seat: Attendance, wish: m.AnyCommand, account: Account) -> bool:
    """Send it; whether it was accepted."""
    try:
        await seat.send(wish)
        return True
    except GameError as error:
        account.refused[error.code] += 1
        return False


async def campaign(kills: int, matches: int, game: str) -> dict[str, Any]:
    """Play, kill, start again, compare."""
    account = Account()
    waits: list[float] = []
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        port = free_port()
        server = await ServerProcess(Path(folder), port=port).__aenter__()
        people = [await stack.enter_async_context(Client(server.url)) for _ in range(2 * matches)]
        players = [
            asyncio.create_task(_pair(first, second, game, account))
            for first, second in zip(people[::2], people[1::2], strict=True)
        ]
        with progress("Killing", kills) as advance:
            for _ in range(kills):
                await asyncio.sleep(random.uniform(0.2, 1.5))
                await server.end(signal.SIGKILL)
                began = time.monotonic()
                server = await ServerProcess(Path(folder), port=port).__aenter__()
                waits.append(time.monotonic() - began)
                advance()
        account.is_over = True
        await asyncio.gather(*players)
        told = await _compare(server, account)
        await server.end(signal.SIGINT)
    return told | {"kills": kills, "restart_seconds": round(sum(waits) / len(waits), 2)}


async def _compare(server: ServerProcess, account: Account) -> dict[str, Any]:
    """What the logs say of what was acknowledged."""
    logs: dict[str, list[str]] = {}
    async with Client(server.url) as client:
        for table in account.finished:
            logs[table] = (await client.record(table))["moves"]
    lost = [
        (table, ply)
        for (table, ply), move in account.acknowledged.items()
        if logs[table][ply : ply + 1] != [move]
    ]
    return {
        "matches": len(logs),
        "acknowledged": len(account.acknowledged),
        "in_logs": sum(map(len, logs.values())),
        "lost": len(lost),
        "doubled": len(account.doubled),
        "refused": dict(account.refused),
    }


def main(
    kills: Annotated[int, typer.Option(help="How often the server is killed.")] = 100,
    matches: Annotated[int, typer.Option(help="Matches at once.")] = 20,
    game: Annotated[str, typer.Option(help="What is played.")] = "connect_four",
    as_json: AsJson = False,
) -> None:
    """Kill the server under load and look for what was lost."""
    told = asyncio.run(campaign(kills, matches, game)) | {"machine": machine()}
    if as_json:
        print_json(told)
    else:
        console.print(told, highlight=False)
    if told["lost"] or told["doubled"]:
        errors.print("[bold red]Moves were lost or played twice.[/]")
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
