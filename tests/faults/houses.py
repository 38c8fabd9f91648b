"""Servers on one database that can be killed and come back where they were."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, Literal

from tests.postgres import Postgres
from tests.serving import PLENTY, Server, free_port, made

Kind = Literal["sqlite", "postgres"]
LIMITS: Final = (*PLENTY, "--watchers-per-address", "5000")
SECRET: Final = "faults" * 6  # what cookies are signed with, the same for all processes


class House:
    """One or several servers, and the database they share."""

    def __init__(self, database: str, servers: list[Server], postgres: Postgres | None) -> None:
        self.database = database
        self.servers = servers
        self.postgres = postgres

    @property
    def urls(self) -> list[str]:
        """Where the servers are; each stays where it is."""
        return [server.url for server in self.servers]

    async def kill(self, server: Server) -> None:
        """End a server at once and start it again, not waiting until it answers."""
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start, wait=False)

    async def kill_database(self) -> None:
        """End PostgreSQL at once, all of its processes, and start it again."""
        assert self.postgres
        await asyncio.to_thread(self.postgres.kill)
        await asyncio.to_thread(self.postgres.start)

    @property
    def tracebacks(self) -> str:
        """What the servers printed of errors that are their own."""
        return "".join(server.faults for server in self.servers)


@asynccontextmanager
async def house(folder: Path, kind: Kind = "sqlite", processes: int = 1) -> AsyncIterator[House]:
    """A house that answers; everything in it ends with the context."""
    async with AsyncExitStack() as stack:
        postgres, database = None, f"sqlite:///{folder}/kwartet.db"
        if kind == "postgres":
            postgres = Postgres(fsync=True)
            stack.callback(postgres.remove)
            await asyncio.to_thread(postgres.start)
            database = postgres.url
        await asyncio.to_thread(made, database)
        servers = [
            Server(
                folder / f"server{number}",
                *(*LIMITS, "--port", str(free_port()), "--database", database),
                KWARTET_SECRET=SECRET,
            )
            for number in range(processes)
        ]
        for server in servers:
            await asyncio.to_thread(server.start, wait=False)
            stack.callback(_end, server)
        for server in servers:
            await asyncio.to_thread(server.wait_until_ready)
        yield House(database, servers, postgres)


def _end(server: Server) -> None:
    if server.is_running:
        server.kill()
