"""A server's table followed by a thread of its own, so that a keyboard can be waited for."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, TimeoutError
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from kwartet.cli.playing.links import Link, known_cookies, remember

if TYPE_CHECKING:
    from kwartet.client import Attendance, Client
    from kwartet.server.messages import Accepted, AnyCommand, ChatLine, TableMessage

Kind = TypeVar("Kind")
TICK: Final = 0.1  # seconds after which a wait looks whether it was interrupted


class Line:
    """One's place at a table; every call blocks, and Ctrl-C ends it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, client: "Client", at: "Attendance") -> None:
        self._loop = loop
        self._client = client
        self._at = at

    @property
    def now(self) -> "TableMessage":
        """The table as it was told last."""
        return self._at.now

    @property
    def log(self) -> list[str]:
        """Everything played so far as far as one may know it."""
        return self._at.log

    def send(self, command: "AnyCommand") -> "Accepted":
        """Give a command; GameError if it is refused."""
        return _wait(self._loop, self._at.send(command))

    def play(self, move: str) -> None:
        """Play a move in the position that was told last."""
        _wait(self._loop, self._at.play(move))

    @property
    def movers(self) -> list[int | None]:
        """For each move of the log the seat that made it; None: chance; -1: it was before."""
        return self._at.movers

    @property
    def chat(self) -> list["ChatLine"]:
        """Everything said so far as far as one may hear it."""
        return self._at.chat

    def changed(self, version: int, unless: Callable[[], bool] = bool) -> bool:
        """Wait until the table has another version; False if `unless` is so before."""
        future = asyncio.run_coroutine_threadsafe(self._at.after(version), self._loop)
        try:
            while not unless():
                try:
                    future.result(TICK)
                    return True
                except TimeoutError:
                    if future.done():
                        raise
            return False
        finally:
            future.cancel()

    def go(self, table: str) -> None:
        """Leave this table for another one of the server."""
        _wait(self._loop, self._at.__aexit__())
        self._at = self._client.attend(table)
        _wait(self._loop, self._at.__aenter__())

    def close(self) -> None:
        """Get up; nothing can be asked any more."""
        _wait(self._loop, self._at.__aexit__())


@contextmanager
def connected(link: Link, token: str | None) -> Iterator[Line]:
    """Sit or watch at a table until the block ends."""
    with _client(link, token) as (loop, client):
        attendance = client.attend(link.table, invite=link.invite)
        _wait(loop, attendance.__aenter__())
        line = Line(loop, client, attendance)
        try:
            yield line
        finally:
            line.close()


def fetch_record(link: Link, token: str | None) -> dict[str, Any]:
    """The record of a finished match of a server."""
    with _client(link, token) as (loop, client):
        return _wait(loop, client.record(link.table))


@contextmanager
def _client(link: Link, token: str | None) -> Iterator[tuple[asyncio.AbstractEventLoop, "Client"]]:
    from kwartet.client import Client

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        client = _wait(loop, _opened(Client, link, token))
        try:
            if token is None:
                remember(link.server, client.cookies)
            yield loop, client
        finally:
            _wait(loop, client.__aexit__())
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _opened(kind: type["Client"], link: Link, token: str | None) -> "Client":
    client = kind(link.server, token, None if token else known_cookies(link.server))
    return await client.__aenter__()


def _wait(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Kind]) -> Kind:
    """What it comes to; in short waits, because on some systems a long one hears no Ctrl-C."""
    future: Future[Kind] = asyncio.run_coroutine_threadsafe(work, loop)
    try:
        while True:
            try:
                return future.result(TICK)
            except TimeoutError:
                if future.done():
                    raise
    except KeyboardInterrupt:
        future.cancel()
        raise
