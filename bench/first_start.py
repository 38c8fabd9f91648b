"""How long the very first start takes: `kwartet serve` with nothing compiled yet.

    python -m bench.first_start           # each game in turn
    python -m bench.first_start kwatro

As soon as the server answers, somebody opens a table with a bot. Counted from the start of the
process: the page's first answer, one's own first move, the bot's answer to it, in seconds; and
the CPU time that all of the server's processes had used up by then.
"""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer

import kwartet
from bench.machine import load
from kwartet.cli.terminal import console
from kwartet.client import Client
from kwartet.server import messages as m

LEVELS: Final[dict[str, m.Level]] = {"catan_dice": "casual"}  # others wait until it is solved
TICK: Final = os.sysconf("SC_CLK_TCK")


async def measure(key: str, folder: Path) -> dict[str, float]:
    """Seconds until things happen in one game, nothing being compiled."""
    environment = os.environ | {"KWARTET_CACHE": str(folder / "cache")}
    command = [sys.executable, "-m", "kwartet.cli", "serve", "--no-open", "--port", "0"]
    began = time.monotonic()
    server = subprocess.Popen(
        [*command, "--data", str(folder)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    taken: dict[str, float] = {}

    def note(what: str) -> None:
        taken[what] = time.monotonic() - began
        taken[f"{what}, CPU"] = cpu_seconds(server.pid)

    try:
        assert server.stdout
        url = next(word.rstrip(".") for word in server.stdout.readline().split() if "http" in word)
        async with Client(url) as client:
            note("page")
            wish = m.CreateTable(
                game=key,
                options={} if key == "carnac" else {"players": 2},
                seats=[m.SeatWish("me"), m.SeatWish("bot", level=LEVELS.get(key, "skilled"))],
                order="fixed",
            )
            opened = await client.ask("POST", "/api/tables", m.TableMessage, wish)
            await play(client, opened.id, note)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
    return taken


async def play(client: Client, table: str, note: Callable[[str], None]) -> None:
    """Move until the bot has answered."""
    moved = passed = False
    async with client.attend(table) as attending:
        async for now in attending:
            if now.match is None:
                continue
            is_own = now.match.view["actor"] in now.mine
            passed |= moved and not is_own
            if passed and is_own:
                note("answer")
                return
            if is_own and now.match.legal:
                await attending.play(now.match.legal[0])
                if not moved:
                    note("own move")
                moved = True


def cpu_seconds(pid: int) -> float:
    """What a process and all that it started have used so far, those that ended included."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            number = int(path.parent.name)
            parents[number] = int(fields[1])
            used[number] = sum(map(int, fields[11:15])) / TICK

    def is_below(number: int) -> bool:
        return number == pid or (number in parents and is_below(parents[number]))

    return sum(used[number] for number in used if is_below(number))


def main(games: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Measure each game in a cache of its own."""
    console.print(f"Load before: {load()}")
    for key in games or kwartet.GAMES:
        with tempfile.TemporaryDirectory() as folder:
            taken = asyncio.run(measure(key, Path(folder)))
        told = ", ".join(f"{what} {seconds:.1f} s" for what, seconds in taken.items())
        console.print(f"{key}: {told}")


if __name__ == "__main__":
    typer.run(main)
