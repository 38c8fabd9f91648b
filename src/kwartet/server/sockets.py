"""What all sockets share: who is let in, how one is refused, how they end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.conduct.scene import Person
from kwartet.server.errors import refusal, status_of
from kwartet.server.house import House, address_of, host_of
from kwartet.server.news import Session

GOODBYE: Final = 1.0  # seconds that a socket may take for its last one
REFUSED, GONE, LATER = 4403, 4404, 1013  # close codes


@asynccontextmanager
async def admitted(socket: WebSocket) -> AsyncIterator[tuple[House, Person | None] | None]:
    """Count the socket and find out who it is; None if it was refused."""
    house: House = socket.app.state.house
    address = address_of(socket)
    try:
        house.check_host(socket.headers)
        house.check_origin(socket.headers, socket.url)
        visitor = await house.visitor_of(socket)
        person = await house.identities.person(visitor.player) if visitor else None
        full = house.sockets.total() >= house.settings.watchers
        if full or house.sockets[address] >= house.settings.watchers_per_address:
            raise GameError("too-many", "Too many sockets are open.")
    except GameError as error:
        await socket.accept()
        await refuse(socket, error)
        yield None
        return
    await socket.accept()
    house.sockets[address] += 1
    house.metrics.sockets.inc()
    ending = _Ending(socket)
    session = Session(visitor, host_of(socket), person, ending.end)
    socket.state.session = session
    house.news.open(session)
    try:
        yield house, person
    except asyncio.CancelledError:
        if not ending.has_come:
            raise
    finally:
        house.news.close(session)
        house.metrics.sockets.dec()
        house.sockets[address] -= 1
        if not house.sockets[address]:
            del house.sockets[address]


class _Ending:
    """How a socket is ended from elsewhere: with a word, and without one if it is not taken."""

    def __init__(self, socket: WebSocket) -> None:
        self.has_come = False
        self._socket = socket
        self._serving = asyncio.current_task()

    async def end(self, error: GameError) -> None:
        """Say why, and obey no more, not even what waits for its turn."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE):
                await refuse(self._socket, error)
        self.has_come = True
        if self._serving:
            self._serving.cancel()


async def refuse(socket: WebSocket, error: GameError) -> None:
    """Say why, and whether there is any use in trying again."""
    refused = refusal(error)
    status = status_of(refused.code)
    code = LATER if status in (429, 500, 503) else GONE if status == 404 else REFUSED
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(m.encode(refused).decode())
        await socket.close(code)


async def received(socket: WebSocket, house: House, person: Person | None) -> str:
    """The next text, in its turn."""
    text = await heard(socket)
    await turn(house, address_of(socket), person)
    return text


async def heard(socket: WebSocket) -> str:
    """The next text; what is not text is read as nothing, which is refused."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    return message.get("text") or ""


async def turn(house: House, address: str, person: Person | None) -> None:
    """Wait until what was heard from there may be answered.

    Who sends too much is not refused but answered later, so nothing piles up here; who does at
    the same address takes turns with them.
    """
    await house.per_address.turn(address, by=person.id if person else "")
    await house.per_identity.turn(person.id if person else address)


async def ended(*tasks: asyncio.Task[None]) -> None:
    """Wait for the tasks to end; a socket that closes is no error."""
    for end in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(end, Exception) and not isinstance(
            end, WebSocketDisconnect | TimeoutError | RuntimeError
        ):
            raise end
