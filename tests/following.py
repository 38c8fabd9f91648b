"""Somebody who follows a review over its socket, and the review as it has been told so far."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection

from kwartet.server import afterwards as a
from tests.serving import Guest, Json, strict


class Follower:
    """A socket at a review."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.now: Json = {}
        self.decisions: dict[int, Json] = {}
        self.chances: dict[int, Json] = {}
        self.worth: dict[int, Json] = {}
        self.messages: list[Json] = []

    @classmethod
    async def at(cls, guest: Guest, table: str) -> "Follower":
        """A socket that has been told how the review stands."""
        follower = cls(await guest.socket(f"/api/tables/{table}/review/live"))
        await follower.until(lambda _: True)
        return follower

    async def hear(self) -> Json:
        """The next message, taken in."""
        text = await self.socket.recv()
        strict(text, a.FromReviewer)
        message: Json = json.loads(text)
        self.messages.append(message)
        if message["type"] == "review":
            self.now = message
            for name in ("decisions", "chances", "worth"):
                known: dict[int, Json] = getattr(self, name)
                if message["since"] == 0:
                    known.clear()
                known |= {each["ply"]: each for each in message[name]}
        return message

    async def until(self, is_so: Callable[[Json], Any]) -> Json:
        """The latest message as soon as it is so."""
        while not self.now or not is_so(self.now):
            await self.hear()
        return self.now

    async def refusal(self) -> Json:
        """The next refusal."""
        while (message := await self.hear())["type"] != "refused":
            pass
        return message

    async def send(self, kind: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def ask(self, care: str = "quick") -> None:
        await self.send("ask", care=care)

    async def done(self, care: str = "quick") -> Json:
        """Ask and wait for the end."""
        await self.ask(care)
        return await self.until(lambda now: now["state"] == "done" and now["care"] == care)

    async def close(self) -> None:
        await self.socket.close()


def sent(told: Any) -> Any:
    """What was told as it looks after having been sent."""
    return msgspec.json.decode(msgspec.json.encode(told))
