"""Sockets: a table's, which takes commands, and the lobby's, which only tells.

A watcher is never queued for. When a table changes, its watchers are woken; each takes
the table as it is when its socket can, so a slow reader misses steps, not the end, and
holds up nobody.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.api import lobby_for, obey
from kwartet.server.conduct import Person
from kwartet.server.errors import refusal
from kwartet.server.house import House, address_of
from kwartet.server.story import Story
from kwartet.server.table import Table, Watcher

PATIENCE: Final = 30.0  # seconds that a socket may take for one message
PAUSE: Final = 0.3  # seconds between two looks of a lobby
GONE, REFUSED = 4404, 4403  # close codes

_decode: Any = msgspec.json.Decoder(m.ToServer).decode


@asynccontextmanager
async def _admitted(socket: WebSocket) -> AsyncIterator[tuple[House, Person | None] | None]:
    """Count the socket and find out who it is; None if it was refused."""
    house: House = socket.app.state.house
    address = address_of(socket)
    try:
        house.check_host(socket.headers)
        house.check_origin(socket.headers, socket.url)
        person = await house.person_of(socket)
        full = house.sockets.total() >= house.settings.watchers
        if full or house.sockets[address] >= house.settings.watchers_per_address:
            raise GameError("too-many", "Too many sockets are open.")
    except GameError as error:
        await socket.accept()
        await _refuse(socket, error, REFUSED)
        yield None
        return
    await socket.accept()
    house.sockets[address] += 1
    house.metrics.sockets.inc()
    try:
        yield house, person
    except (WebSocketDisconnect, TimeoutError):
        pass
    finally:
        house.metrics.sockets.dec()
        house.sockets[address] -= 1
        if not house.sockets[address]:
            del house.sockets[address]


async def _refuse(socket: WebSocket, error: GameError, code: int) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_bytes(m.encode(refusal(error)))
        await socket.close(code)


async def _text(socket: WebSocket) -> str:
    """The next message; bytes, which nobody should send, say nothing."""
    try:
        return await socket.receive_text()
    except KeyError:
        return ""


# A table --------------------------------------------------------------------------------


async def table(socket: WebSocket) -> None:
    """`/api/tables/{table}/live`: the table as one may see it, and commands."""
    async with _admitted(socket) as admitted:
        if admitted:
            await _attend(socket, *admitted)


async def _attend(socket: WebSocket, house: House, person: Person | None) -> None:
    try:
        found = await house.hall.table(socket.path_params["table"])
        since = [_count(socket, name) for name in ("version", "ply", "chat")]
    except GameError as error:
        await _refuse(socket, error, GONE)
        return
    seat = Attendance(socket, house, person, found)
    await seat.run(*since)


def _count(socket: WebSocket, name: str) -> int:
    text = socket.query_params.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise GameError("bad-request", f"{name} is a number from 0 on.")
    return int(text)


class Attendance:
    """One socket at one table."""

    def __init__(
        self, socket: WebSocket, house: House, person: Person | None, table: Table
    ) -> None:
        self._socket = socket
        self._house = house
        self._person = person
        self._table = table
        self._answers: deque[bytes] = deque()
        self._watcher = Watcher(person)
        self._hinting = False

    async def run(self, version: int, ply: int, chat: int) -> None:
        """Tell and obey until the socket closes."""
        self._watcher.ply, self._watcher.chat = ply, chat
        self._table.join(self._watcher, version=version)
        telling = asyncio.create_task(self._tell())
        hearing = asyncio.create_task(self._hear())
        try:
            await asyncio.wait((telling, hearing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._table.leave(self._watcher)
            for task in (telling, hearing):
                task.cancel()
            ends = await asyncio.gather(telling, hearing, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception) and not isinstance(
                end, WebSocketDisconnect | TimeoutError | RuntimeError
            ):
                raise end

    async def _tell(self) -> None:
        watcher = self._watcher
        while True:
            await watcher.changed.wait()
            watcher.changed.clear()
            if watcher.is_lost:
                await self._find_again()
            while self._answers:
                await self._send(self._answers.popleft())
            await self._send(self._table.message_for(watcher))

    async def _find_again(self) -> None:
        """The table left memory, as after trouble with the database: look at its log."""
        old = self._watcher
        while True:
            try:
                self._table = await self._house.hall.table(self._table.story.id)
                break
            except GameError:
                await asyncio.sleep(1.0)
        self._watcher = Watcher(self._person, ply=old.ply, chat=old.chat)
        self._table.join(self._watcher, version=old.version)

    async def _send(self, message: bytes) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._socket.send_text(message.decode())

    async def _hear(self) -> None:
        while True:
            text = await _text(self._socket)
            answer = await self._answer(text)
            if answer is not None:
                self._reply(answer)

    def _reply(self, answer: m.Accepted | m.Refused | m.Pong) -> None:
        self._answers.append(m.encode(answer))
        self._watcher.changed.set()

    async def _answer(self, text: str) -> m.Accepted | m.Refused | m.Pong | None:
        request = ""
        try:
            wish = _decode(text)
            if isinstance(wish, m.Ping):
                return m.Pong(time.time())
            request = wish.id
            if self._person is None:
                raise GameError("no-identity", "Open the page first, so that we know who you are.")
            self._house.per_identity.take(self._person.id)
            if isinstance(wish, m.Hint):
                self._house.hall.spawn(self._hint(self._person, wish))
                return None
            return await obey(self._house, self._table, self._person, wish)
        except (GameError, msgspec.DecodeError, RecursionError) as error:
            return refusal(error, request)

    async def _hint(self, person: Person, wish: m.Hint) -> None:
        """Hints take a while; moves and words go on meanwhile."""
        try:
            if self._hinting:
                raise GameError("too-many", "One hint at a time.")
            self._hinting = True
            self._reply(await obey(self._house, self._table, person, wish))
        except GameError as error:
            self._reply(refusal(error, wish.id))
        finally:
            self._hinting = False


# The lobby ------------------------------------------------------------------------------


async def lobby(socket: WebSocket) -> None:
    """`/api/live`: open tables and one's own, whenever they change."""
    async with _admitted(socket) as admitted:
        if not admitted:
            return
        house, person = admitted
        changed = asyncio.Event()
        changed.set()

        def listener(story: Story | None) -> None:
            if story is None or story.created.listed or (person and story.seats_of(person.id)):
                changed.set()

        house.hall.listeners.add(listener)
        telling = asyncio.create_task(_tell_lobby(socket, house, person, changed))
        try:
            while True:
                await _text(socket)
        finally:
            house.hall.listeners.discard(listener)
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)


async def _tell_lobby(
    socket: WebSocket, house: House, person: Person | None, changed: asyncio.Event
) -> None:
    before = b""
    while True:
        await changed.wait()
        changed.clear()
        with suppress(GameError):  # the store is away for a moment
            now = m.encode(await lobby_for(house, person))
            if now != before:
                async with asyncio.timeout(PATIENCE):
                    await socket.send_text(now.decode())
                before = now
        await asyncio.sleep(PAUSE)
