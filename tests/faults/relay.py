"""A network between people and a server that is as bad as networks are, message by message.

Within one connection TCP keeps messages whole and in order, so what is lost there ends the
connection. Between connections anything goes: what somebody sent before may arrive again,
late, several times and in another order.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

import websockets
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

from kwartet.client import Attendance, Client

REMEMBERED = 20  # messages of each address that may come again
BURST = 5  # of them at once
BEHIND = "x-behind"  # the header that says where a socket leads
LONGEST = 0.05  # seconds that a message may be delayed


class Fault(Exception):
    """Ends a connection on purpose."""


class Relay:
    """Stands before servers' sockets; `faultiness` is the share of messages that suffer.

    What it did to them is in `faults`, by kind.
    """

    def __init__(self, *, faultiness: float = 0.0, seed: int = 0) -> None:
        self.faultiness = faultiness
        self.faults: Counter[str] = Counter()
        # The next acceptance is not sent on; this is told the address that it came from.
        self.on_accepted: Callable[[str], None] | None = None
        self._luck = random.Random(seed)
        self._past: dict[str, list[str]] = {}  # by address and who: what was sent before
        self._address = ""

    async def __aenter__(self) -> Self:
        self._server = await serve(self._serve, "127.0.0.1", 0, max_size=None)
        port = next(iter(self._server.sockets)).getsockname()[1]
        self._address = f"ws://localhost:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    def meet(self, client: Client, table: str) -> Attendance:
        """At a table, through this network."""
        address, headers = client.address(table)
        return Attendance(self._address, headers | {BEHIND: address})

    async def _serve(self, near: ServerConnection) -> None:
        assert near.request
        who = {
            name: near.request.headers[name]
            for name in ("cookie", "authorization")
            if name in near.request.headers
        }
        address = near.request.headers[BEHIND]
        known = near.request.path.partition("?")[2]
        past = self._past.setdefault(f"{address} {who}", [])
        try:
            async with connect(f"{address}?{known}", additional_headers=who, max_size=None) as far:
                await _first(self._send_on(near, far, past), self._send_back(far, near))
        except (OSError, websockets.WebSocketException, TimeoutError, Fault):
            pass  # the connection is lost on one side, and so on the other
        near.transport.abort()

    async def _send_on(
        self, near: ServerConnection, far: ClientConnection, past: list[str]
    ) -> None:
        """From a person to the server."""
        async for message in near:
            text = str(message)
            past.append(text)
            del past[:-REMEMBERED]
            match self._fate("lost", "cut", "delayed", "doubled", "reordered"):
                case "lost":
                    raise Fault
                case "cut":
                    await far.send(text)
                    raise Fault
                case "delayed":
                    await asyncio.sleep(self._luck.uniform(0, LONGEST))
                case "doubled":
                    await far.send(text)
                case "reordered":
                    for old in self._luck.sample(past, min(BURST, len(past))):
                        await far.send(old)
            await far.send(text)

    async def _send_back(self, far: ClientConnection, near: ServerConnection) -> None:
        """From the server to a person."""
        async for message in far:
            text = str(message)
            if self.on_accepted and '"type":"accepted"' in text:
                self.on_accepted(far.request.headers["host"] if far.request else "")
                self.on_accepted = None
                raise Fault
            match self._fate("answer lost", "answer cut", "answer delayed"):
                case "answer lost":
                    raise Fault
                case "answer cut":
                    await near.send(text)
                    raise Fault
                case "answer delayed":
                    await asyncio.sleep(self._luck.uniform(0, LONGEST))
            await near.send(text)

    def _fate(self, *kinds: str) -> str:
        """What happens to the next message: nothing, mostly, else what has happened least."""
        if self._luck.random() >= self.faultiness:
            return ""
        least = min(self.faults[kind] for kind in kinds)
        fate = self._luck.choice([kind for kind in kinds if self.faults[kind] == least])
        self.faults[fate] += 1
        return fate


async def _first(*ways: Any) -> None:
    """Run these until one ends; raise what ended it."""
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
