"""A bot that plays on a Kwartet server: takes an open seat, or opens a table and waits.

python -m examples.server_bot http://localhost:8484 carnac --token kwt_…
"""

import asyncio
import random
from typing import Annotated

import typer

from kwartet.client import Client
from kwartet.server.messages import Sit, TableMessage


def choose(now: TableMessage) -> str:
    """One of the legal moves. `now.match.view` is the board; think of something better."""
    assert now.match
    return random.choice(now.match.legal)


async def play(client: Client, game: str) -> TableMessage:
    """Play one match to its end."""
    waiting = [
        table.id
        for table in await client.open_tables(game)
        if any(seat.kind == "open" for seat in table.seats)
    ]
    opened = waiting[0] if waiting else (await client.create(game)).id
    async with client.attend(opened) as table:
        if not table.now.mine:
            await table.send(Sit())
        async for now in table:
            if "play" in now.may:
                await table.play(choose(now))
        return table.now


def main(
    url: str,
    game: str,
    token: Annotated[str | None, typer.Option(help="Made at /account; a guest without.")] = None,
) -> None:
    """Play one match of GAME on the server at URL."""

    async def run() -> None:
        async with Client(url, token) as client:
            end = await play(client, game)
            print(f"{end.result} – {url}/table/{end.id}")

    asyncio.run(run())


if __name__ == "__main__":
    typer.run(main)
