"""Several server processes on one PostgreSQL: moves a second, and what each costs.

    python -m bench.cluster                  # one, two and three processes, players deal themselves
    python -m bench.cluster --nginx nginx    # … dealt out by nginx with deploy/nginx.conf

PostgreSQL syncs every commit. Where players deal themselves out, the two of every match are at
different processes, so each move is passed on through the database: the worst case.
"""

import itertools
import os
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated, Any

import typer
import uvloop
from tests.postgres import running_postgres
from tests.proxying import running_nginx

from bench.machine import load, machine
from bench.process import ServerProcess
from bench.server import moves, show
from kwartet.cli.terminal import AsJson, errors
from kwartet.store import upgrade


class Cluster:
    """Server processes that are asked as if they were one."""

    def __init__(self, servers: list[ServerProcess], front: str = "") -> None:
        self._servers = servers
        self._next = itertools.cycle([front] if front else [server.url for server in servers])

    @property
    def url(self) -> str:
        """Where the next one who asks is served."""
        return next(self._next)

    def cpu_seconds(self) -> float:
        """Seconds of processor time that all have used."""
        return sum(server.cpu_seconds() for server in self._servers)

    async def metric(self, name: str) -> float:
        """A number that they tell of themselves, added up."""
        return sum([await server.metric(name) for server in self._servers])


async def measure(processes: int, nginx: str | None, game: str, seconds: float) -> dict[str, Any]:
    """Twenty matches in a closed loop on so many processes."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = stack.enter_context(running_postgres(fsync=True))
        upgrade(database)
        servers = [ServerProcess(folder, database) for _ in range(processes)]
        for server in servers:  # in one folder, where the others find the first one's secrets
            await stack.enter_async_context(server)
        front = ""
        if nginx:
            inner = [s.url.replace("http://localhost", "127.0.0.1") for s in servers]
            front, certificate = stack.enter_context(running_nginx(nginx, folder, *inner))
            os.environ["SSL_CERT_FILE"] = str(certificate)
        return await moves(Cluster(servers, front), game, seconds)


def main(
    processes: Annotated[
        list[int] | None, typer.Option(help="How many; 1, 2 and 3 if not told.")
    ] = None,
    nginx: Annotated[str | None, typer.Option(help="The program that deals players out.")] = None,
    game: Annotated[str, typer.Option(help="What is played.")] = "connect_four",
    seconds: Annotated[float, typer.Option(help="How long each run takes.")] = 20.0,
    as_json: AsJson = False,
) -> None:
    """Measure several processes."""
    results: dict[str, Any] = {"machine": machine(), "load_before": load()}
    for count in processes or [1, 2, 3]:
        errors.print(f"{count} …")
        results[f"processes: {count}"] = uvloop.run(measure(count, nginx, game, seconds))
    show(results | {"load_after": load()}, as_json=as_json)


if __name__ == "__main__":
    typer.run(main)
