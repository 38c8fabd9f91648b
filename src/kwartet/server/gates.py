"""The server's doors: every connection is counted when it comes and let go when it stalls.

These are uvicorn's protocols with bounds. A connection is counted from its first moment, a
request has so long to come whole and so many bytes, and nothing is written to who does not read:
all that was written must have left before more is (`set_write_buffer_limits`), so what a
connection can hold is one message, and one that does not read for `patience` seconds is cut off.
Reads are small, so that no connection's data hold up the others for long.
"""

import asyncio
import time
from collections import Counter
from contextlib import suppress
from typing import Any, Final, cast

import structlog
import uvicorn
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from kwartet.server.addresses import Proxies, counted
from kwartet.server.limits import Limit

SPARE: Final = 1000  # connections that are no sockets
SPARE_EACH: Final = 100  # such connections from one address
RESERVED: Final = 256  # descriptors for everything else
HEAD_BYTES: Final = 16_384  # of a request before its body
READ: Final = 4096  # bytes that are read at once from a connection; a frame may have two
FRAMES: Final = 20.0  # frames a second, beside whole messages, from one socket
FRAMES_IN_A_ROW: Final = 200.0
POLICY: Final = 1008  # the close code for who sends more
FINE: Final = 50  # requests that such a socket counts as
LATE: Final = 65_536  # bytes that are read from a socket which has been told goodbye
LINE: Final = "line"  # where a socket's application finds the socket itself
SEND_BUFFER: Final = 32_768  # bytes that the kernel keeps for one who does not read; it doubles it
RECEIVE_BUFFER: Final = 32_768  # … and that it keeps of one who is not listened to
FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-length: 0\r\n"
    b"connection: close\r\n\r\n"
)
TOO_LONG: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\n"
    b"connection: close\r\n\r\n"
)

log = structlog.get_logger()


def framed(content: bytes) -> bytes:
    """A text as the frame that any socket is sent (RFC 6455, 5.2)."""
    size = len(content)
    if size < 126:
        return b"\x81%c%b" % (size, content)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2), content)
    return b"\x81\x7f%b%b" % (size.to_bytes(8), content)


class Gate:
    """The connections that are open, and how many may be: in all and from one address."""

    def __init__(self, most: int, most_each: int, proxies: Proxies) -> None:
        self.most = most
        self.most_each = most_each
        self.open = 0
        self.proxies = proxies  # count in all only; whom they bring is counted by sockets
        self._each: Counter[str] = Counter()

    def enter(self, peer: str) -> bool:
        """Count a connection; False if there are too many already, then it is not counted."""
        address = counted(peer)
        if self.open >= self.most:
            return False
        if self._each[address] >= self.most_each and not self.proxies.trust(peer):
            return False
        self.open += 1
        self._each[address] += 1
        return True

    def leave(self, peer: str) -> None:
        """The connection is gone."""
        address = counted(peer)
        self.open -= 1
        self._each[address] -= 1
        if not self._each[address]:
            del self._each[address]


def connections_at_most(wished: int) -> int:
    """As many as the system has descriptors for, which it is asked for; says so if too few."""
    try:
        import resource
    except ImportError:  # a system that does not count them
        return wished
    needed = wished + RESERVED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        more = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        with suppress(OSError, ValueError):  # a system may allow less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wished
    most = max(soft - RESERVED, soft // 2)
    log.warning("too few descriptors", descriptors=soft, needed=needed, connections=most)
    return most


class Config(uvicorn.Config):
    """uvicorn's, with what the doors need to know."""

    def __init__(
        self, app: Any, gate: Gate, requests: Limit, *, patience: float, body: int, **how: Any
    ) -> None:
        super().__init__(app, http=Http, ws=Socket, **how)
        self.gate = gate
        self.requests = requests  # by address; who makes more is read more slowly
        self.patience = patience  # seconds
        self.request_bytes = HEAD_BYTES + 4 * body  # also of one in small pieces


class _Reader(asyncio.BufferedProtocol):
    """Reads for another protocol, a little at a time."""

    _buffer = memoryview(bytearray(READ))  # for all: what is read is taken out of it at once

    def __init__(self, reads_for: asyncio.Protocol) -> None:
        self._take = reads_for.data_received
        self._lost = reads_for.connection_lost
        self._pause = reads_for.pause_writing
        self._resume = reads_for.resume_writing

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where to read to."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """So many bytes were read."""
        self._take(bytes(self._buffer[:nbytes]))

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._lost(exc)

    def pause_writing(self) -> None:
        """Write no more for now."""
        self._pause()

    def resume_writing(self) -> None:
        """Write again."""
        self._resume()


class _Door:
    """What both protocols do alike: begin, and wait for readers not too long."""

    config: Config
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread: asyncio.TimerHandle | None = None
    peer = "?"

    def _open(self, transport: asyncio.Transport) -> None:
        transport.set_write_buffer_limits(high=0)
        remote = get_remote_addr(transport)
        self.peer = remote[0] if remote else "?"

    def _charge(self, host: str, requests: int) -> None:
        """Count requests of an address; those of a proxy are its people's."""
        if not self.config.gate.proxies.trust(host):
            self.config.requests.spend(counted(host), requests)

    def _blocked(self) -> None:
        """Something that was written has not left."""
        if self._unread is None:
            self._unread = self.loop.call_later(self.config.patience, self.transport.abort)

    def _flowing(self) -> None:
        """Everything has."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class _Flow(FlowControl):
    """uvicorn's, which can be told not to read for a while, whatever else it is told."""

    is_slowed = False

    def resume_reading(self) -> None:
        """Read again, unless that is to wait."""
        if not self.is_slowed:
            super().resume_reading()


class Http(HttpToolsProtocol, _Door):
    """Requests: each comes whole within the patience there is, and in not too many bytes.

    From an address that makes too many of them less is read, so that nobody need answer them.
    """

    flow: _Flow

    config: Config

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._is_let_in = False
        self._is_upgraded = False
        self._deadline: asyncio.TimerHandle | None = None  # of the request that is coming
        self._size = 0  # of what came of it
        self._is_headed = False  # its headers have come
        self._begun = 0  # requests in what was taken last
        self._held = b""  # what was read and is not taken yet

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in, or not."""
        self._open(transport)
        super().connection_made(transport)
        self.flow = _Flow(transport)
        transport.set_protocol(_Reader(self))
        self._is_let_in = self.config.gate.enter(self.peer)
        if self._is_let_in:
            self._expect()
        else:
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._flowing()
        self._arrived()
        if self._is_let_in:
            self.config.gate.leave(self.peer)
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.config.patience, self._end)

    def _arrived(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._size = 0
        self._is_headed = False

    def _end(self) -> None:
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, when its address has not asked for too much."""
        if self._is_let_in:
            self._held += data
            self._take()

    def _take(self) -> None:
        """Take what was read, unless it is too long; later, if too much is asked for.

        That is looked at here and not when the connection comes: uvloop begins to read
        afterwards, whatever it was told before.
        """
        if wait := self._owed():
            self._slow_down(wait)
            return
        data, self._held = self._held, b""
        self._expect()
        self._size += len(data)
        super().data_received(data)
        begun, self._begun = self._begun, 0
        self._charge(self.peer, begun)
        if self._is_upgraded or self.transport.is_closing():
            return
        if self._size > self.config.request_bytes:
            self.transport.abort()
        elif self._size > HEAD_BYTES and not self._is_headed:
            self.transport.write(TOO_LONG)
            self.transport.close()

    def _owed(self) -> float:
        """Seconds that this address has to wait. A proxy's people are counted apart."""
        is_trusted = self.config.gate.proxies.trust(self.peer)
        return 0.0 if is_trusted else self.config.requests.owed(counted(self.peer))

    def _slow_down(self, wait: float) -> None:
        """Read on and take what was read later; that time is not the client's."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if not self.flow.is_slowed:
            self.flow.pause_reading()
            self.flow.is_slowed = True
            self.loop.call_later(wait, self._read_on)

    def _read_on(self) -> None:
        self.flow.is_slowed = False
        if self.transport.is_closing():
            return
        if not self.pipeline:
            self.flow.resume_reading()
        self._take()

    def handle_websocket_upgrade(self) -> None:
        """Go on as a socket, which leaves the gate in its turn."""
        self._arrived()
        self._is_upgraded = True
        super().handle_websocket_upgrade()
        socket = cast(asyncio.Protocol, self.transport.get_protocol())
        self.transport.set_protocol(_Reader(socket))

    def on_headers_complete(self) -> None:
        """The headers have come."""
        self._is_headed = True
        self._begun += 1
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of the request has come."""
        super().on_message_complete()
        self._arrived()

    def pause_writing(self) -> None:
        """Write no more for now."""
        self._blocked()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Write again."""
        self._flowing()
        super().resume_writing()


class Socket(WebSocketsSansIOProtocol, _Door):
    """Sockets: frames that are no whole messages are rationed, and pongs wait to be read."""

    config: Config

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._frames, self._then = FRAMES_IN_A_ROW, time.monotonic()
        self._pong = b""  # that waits to be sent; a later one takes its place
        self._late = 0  # bytes that were read since goodbye

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The request for a socket has been let in already."""
        self._open(cast(asyncio.Transport, transport))
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._flowing()
        self.config.gate.leave(self.peer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take some frames, and answer pings if that can be read."""
        self._late += len(data) if self.close_sent else 0
        if self._late > LATE:
            self.transport.abort()
            return
        super().data_received(data)
        pongs = self.conn.data_to_send()  # all others are written where they are made
        if not pongs or self.transport.is_closing():
            return
        if self.writable.is_set():
            self.transport.write(b"".join(pongs))
        else:
            self._pong = pongs[-1]  # RFC 6455, 5.5.3: the latest is enough

    def handle_connect(self, event: Request) -> None:
        """Let the application write what it made ready for many, too."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["state"][LINE] = self

    def tell(self, frame: bytes) -> bool:
        """Write a frame that was made ready; False if what came before has not been read."""
        if not self.is_free:
            return False
        self.transport.write(frame)
        return True

    @property
    def is_free(self) -> bool:
        """Whether a frame can be written now."""
        is_ending = self.close_sent or self.transport.is_closing()
        return self.writable.is_set() and not is_ending

    async def freed(self) -> None:
        """Wait until a frame can be written; WebSocketDisconnect if none ever will."""
        if self.close_sent or self.transport.is_closing():
            raise WebSocketDisconnect
        await self.writable.wait()

    def pause_writing(self) -> None:
        """Write no more for now."""
        self._blocked()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Write again, and first the pong that waits."""
        self._flowing()
        super().resume_writing()
        if self._pong and not self.transport.is_closing():
            pong, self._pong = self._pong, b""
            self.transport.write(pong)

    def handle_ping(self) -> None:
        """Its pong goes out with the others of the same read."""
        self._ration()

    def handle_pong(self, event: Frame) -> None:
        """Count it."""
        self._ration()
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Count it, since a piece may be empty."""
        self._ration()
        super().handle_cont(event)

    def handle_text(self, event: Frame) -> None:
        """Count what is only the first piece."""
        if not event.fin:
            self._ration()
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Count what is only the first piece."""
        if not event.fin:
            self._ration()
        super().handle_bytes(event)

    def _ration(self) -> None:
        """Count a frame; end the socket when they are too many."""
        now = time.monotonic()
        self._frames = min(FRAMES_IN_A_ROW, self._frames + (now - self._then) * FRAMES)
        self._then = now
        self._frames -= 1
        if self._frames < 0 and not (self.close_sent or self.transport.is_closing()):
            self.conn.fail(POLICY, "too many frames")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
            client = self.scope["client"]  # also of whom a proxy brings
            self._charge(client[0] if client else self.peer, FINE)
