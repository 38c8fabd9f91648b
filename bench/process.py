"""A server in a process of its own, to be measured."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Final, Self

import httpx

LIMITS: Final = ("--identity-rate", "100000", "--address-rate", "1000000")
SOCKETS: Final = ("--watchers", "20000", "--watchers-per-address", "20000")
TICK: Final = os.sysconf("SC_CLK_TCK")


class Running:
    """A server that runs, to be looked at."""

    def __init__(self, url: str = "", pid: int = 0) -> None:
        self.url = url
        self.pid = pid

    async def metric(self, name: str) -> float:
        """One number that the server tells of itself."""
        async with httpx.AsyncClient(base_url=self.url) as client:
            text = (await client.get("/metrics")).text
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(name))

    def memory(self) -> int:
        """Bytes of memory that the process holds."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return 1024 * int(next(x for x in status.splitlines() if x.startswith("VmRSS")).split()[1])

    def cpu_seconds(self) -> float:
        """Seconds of processor time that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK


class ServerProcess(Running):
    """`kwartet serve` on a free port of this machine, with a store of its own."""

    def __init__(
        self,
        folder: Path,
        database: str | None = None,
        *,
        port: int = 0,
        settings: tuple[str, ...] = (),
    ) -> None:
        super().__init__()
        self._folder = folder
        self._database = database
        self._port = port
        self._settings = settings  # the last of several counts
        self.url = ""  # once it runs

    async def __aenter__(self) -> Self:
        command = [sys.executable, "-m", "kwartet.cli", "--with", "examples.connect_four", "serve"]
        command += [
            "--no-open",
            "--port",
            str(self._port),
            "--data",
            str(self._folder),
            *LIMITS,
            *SOCKETS,
            *self._settings,
        ]
        if self._database:
            command += ["--database", self._database]
        self._process = await asyncio.create_subprocess_exec(
            *command,
            stdout=asyncio.subprocess.PIPE,
            stderr=(self._folder / "log").open("ab"),
        )
        self.pid = self._process.pid
        assert self._process.stdout
        line = (await self._process.stdout.readline()).decode()
        self.url = next(word.rstrip(".") for word in line.split() if word.startswith("http"))
        await self._until_ready()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end(signal.SIGINT)

    async def end(self, how: signal.Signals) -> None:
        """End the process with this signal."""
        self._process.send_signal(how)
        await self._process.wait()

    async def _until_ready(self) -> None:
        async with httpx.AsyncClient(base_url=self.url) as client:
            while True:
                try:
                    games = (await client.get("/api/games")).json()
                    if all(game["preparing"] is None for game in games):
                        return
                except httpx.HTTPError:
                    pass
                await asyncio.sleep(0.2)
