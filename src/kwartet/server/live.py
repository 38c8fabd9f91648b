"""Sockets: a table's, which takes commands, and the lobby's, which tells.

A watcher is never queued for. When a table changes, its watchers are woken; each takes
the table as it is when its socket can, with the steps that led there, so a slow reader
misses at most the oldest of them, never the end, and holds up nobody.
"""

import asyncio
import time
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.conduct.scene import Person
from kwartet.server.errors import refusal
from kwartet.server.gates import LINE, Socket, framed
from kwartet.server.house import House, address_of
from kwartet.server.lobby import PAUSE, Visitor
from kwartet.server.obeying import obey
from kwartet.server.sockets import admitted, ended, heard, received, refuse, turn
from kwartet.server.table import Table
from kwartet.server.watching import Watcher

AWAY: Final = 3.0  # seconds until a lobby that could not be read is looked at again

Message = m.AnyCommand | m.Ping | m.Refused  # as it was read, or why it cannot be

_decode: Any = msgspec.json.Decoder(m.ToServer).decode
_decode_ping = msgspec.json.Decoder(m.Ping).decode


# A table --------------------------------------------------------------------------------


async def table(socket: WebSocket) -> None:
    """`/api/tables/{table}/live`: the table as one may see it, and commands."""
    async with admitted(socket) as visit:
        if visit:
            await _attend(socket, *visit)


async def _attend(socket: WebSocket, house: House, person: Person | None) -> None:
    try:
        found = await house.hall.table(socket.path_params["table"])
        since = [_count(socket, name) for name in ("version", "ply", "chat")]
    except GameError as error:
        await refuse(socket, error)
        return
    seat = Attendance(socket, house, person, found)
    await seat.run(*since)


def _count(socket: WebSocket, name: str) -> int:
    text = socket.query_params.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise GameError("bad-request", f"{name} is a number from 0 on.")
    return int(text)


def _read(text: str) -> Message:
    try:
        wish: Message = _decode(text)
    except Exception as error:  # whatever it is, it is answered
        return refusal(error)
    return wish


class Attendance:
    """One socket at one table."""

    def __init__(
        self, socket: WebSocket, house: House, person: Person | None, table: Table
    ) -> None:
        self._socket = socket
        self._address = address_of(socket)
        self._house = house
        self._person = person
        self._table = table
        self._line: Socket = socket.scope["state"][LINE]
        self._watcher = Watcher(
            person,
            line=self._line,
            invite=socket.query_params.get("invite"),
            takes_changes=socket.query_params.get("changes") == "1",
        )
        self._is_obeying = False
        self._is_over = False
        socket.state.session.changed = self._become

    def _become(self, person: Person) -> None:
        """The person has another name now, or wants to hear others."""
        self._person = self._watcher.person = person
        self._table.company.tell_again(self._watcher)

    async def run(self, version: int, ply: int, chat: int) -> None:
        """Tell and obey until the socket closes. A command that has begun is finished."""
        self._watcher.ply, self._watcher.chat = ply, chat
        self._table.company.join(self._watcher, version=version)
        telling, hearing = asyncio.create_task(self._tell()), asyncio.create_task(self._hear())
        try:
            await asyncio.wait([telling, hearing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._is_over = True
            self._table.company.leave(self._watcher)
            telling.cancel()
            if not self._is_obeying:
                hearing.cancel()
            await ended(telling, hearing)

    async def _tell(self) -> None:
        watcher = self._watcher
        while True:
            await watcher.changed.wait()
            watcher.changed.clear()
            await self._send()

    async def _hear(self) -> None:
        while not self._is_over:  # who does not read the answer is not listened to
            text = await heard(self._socket)
            arrived, wish = self._house.hall.clock.now(), _read(text)
            with self._arriving(wish, arrived):  # also while others keep it from its turn
                await turn(self._house, self._address, self._person)
                answer = await self._answer(wish, arrived)
            if answer is not None and not self._is_over:
                await self._send(m.encode(answer))

    def _arriving(self, wish: Message, arrived: float) -> AbstractContextManager[None]:
        """A command of somebody we know is let in before clocks run out."""
        if self._person is None or isinstance(wish, m.Ping | m.Refused):
            return nullcontext()
        return self._house.hall.arriving(self._table.story.id, wish, arrived)

    async def _send(self, answer: bytes = b"") -> None:
        """Write an answer, and with it what is new at the table, once there is room for it.

        The door does not wait for that for ever (`gates`).
        """
        while not self._line.is_free:
            await self._line.freed()
        frames = framed(answer) if answer else b""
        if self._watcher.edition != self._table.company.edition:
            frames += framed(self._table.company.message_for(self._watcher))
        self._line.tell(frames)

    async def _answer(
        self, wish: Message, arrived: float
    ) -> m.Accepted | m.Refused | m.Pong | None:
        if isinstance(wish, m.Refused):
            return wish
        if isinstance(wish, m.Ping):
            return m.Pong(time.time())
        try:
            if self._person is None:
                raise GameError("no-identity", "Open the page first, so that we know who you are.")
            if isinstance(wish, m.Hint):
                self._house.hall.spawn(self._hint(self._person, wish, arrived))
                return None
            self._is_obeying = True
            person = await self._house.identities.person(self._person.id)  # the present name
            return await obey(self._house, self._table, person, wish, arrived)
        except Exception as error:  # whatever it is, it is answered
            return refusal(error, wish.id)
        finally:
            self._is_obeying = False

    async def _hint(self, person: Person, wish: m.Hint, arrived: float) -> None:
        """Hints take a while; moves and words go on meanwhile."""
        answer: m.Accepted | m.Refused
        try:
            answer = await obey(self._house, self._table, person, wish, arrived)
        except Exception as error:
            answer = refusal(error, wish.id)
        if not self._is_over:
            with suppress(WebSocketDisconnect, RuntimeError):
                await self._send(m.encode(answer))


# The lobby ------------------------------------------------------------------------------


async def lobby(socket: WebSocket) -> None:
    """`/api/live`: open tables and one's own, whenever they change."""
    async with admitted(socket) as visit:
        if not visit:
            return
        house, person = visit
        visitor = Visitor(person, socket.scope["state"][LINE])
        house.hall.lobby.join(visitor)
        tasks = [
            asyncio.create_task(work)
            for work in (_tell_lobby(socket, house, visitor), _hear_lobby(socket, house, person))
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            house.hall.lobby.leave(visitor)
            for task in tasks:
                task.cancel()
            await ended(*tasks)


async def _hear_lobby(socket: WebSocket, house: House, person: Person | None) -> None:
    """A lobby can be asked whether it is there."""
    while True:
        text = await received(socket, house, person)
        with suppress(msgspec.DecodeError, RecursionError):
            _decode_ping(text)
            await socket.send_text(m.encode(m.Pong(time.time())).decode())


async def _tell_lobby(socket: WebSocket, house: House, visitor: Visitor) -> None:
    async def send(message: bytes) -> None:
        await socket.send_text(message.decode())

    while True:
        await visitor.changed.wait()
        visitor.changed.clear()
        try:
            await house.hall.lobby.tell(visitor, send)
            await asyncio.sleep(PAUSE)
        except GameError:  # the store is away for a moment
            visitor.changed.set()
            await asyncio.sleep(AWAY)
