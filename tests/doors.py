"""Raw connections to a server, from whichever address of this machine, and what they cost it."""

import asyncio
import base64
import os
import resource
import socket
import struct
from pathlib import Path
from typing import Protocol


class Process(Protocol):
    """A server that runs."""

    url: str


class Owned(Protocol):
    """One that one may look into."""

    @property
    def pid(self) -> int:
        """Its number."""


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def dial(
    server: Process, source: str = "127.0.0.1", *, receive: int = 0, send: int = 0
) -> Stream:
    """A connection from this address, whose kernel keeps few bytes if one says so."""
    raw = socket.socket()
    if receive:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    if send:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send)
    raw.bind((source, 0))
    raw.setblocking(False)
    port = int(server.url.rpartition(":")[2])
    await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", port))
    return await asyncio.open_connection(sock=raw)


async def ask(
    server: Process, request: str, source: str = "127.0.0.1", body: str = "", **headers: str
) -> tuple[int, str]:
    """The status and the whole answer to one request, which is `GET /path` or the like.

    The status is 0 where the server ended the connection without a word.
    """
    reader, writer = await dial(server, source)
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = f"{request} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{more}\r\n"
    writer.write((head + body).encode())
    try:
        answer = (await reader.read()).decode()
    except ConnectionError:
        answer = ""
    finally:
        writer.close()
    return int(answer.split()[1]) if answer else 0, answer


async def websocket(
    server: Process, path: str, source: str, *, receive: int = 0, send: int = 0, cookie: str = ""
) -> Stream:
    """A socket that nothing reads from unless it is asked to."""
    reader, writer = await dial(server, source, receive=receive, send=send)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        f"sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n"
        f"cookie: kwartet={cookie}\r\n\r\n".encode()
    )
    try:
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    except BaseException:
        writer.transport.abort()
        raise
    return reader, writer


def frame(opcode: int, payload: bytes = b"", *, last: bool = True) -> bytes:
    """A frame as browsers send it; its mask is zero."""
    assert len(payload) < 126
    return struct.pack("!BB4x", opcode | 0x80 * last, 0x80 | len(payload)) + payload


async def read_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The opcode and the content of the next frame."""
    opcode, length = await reader.readexactly(2)
    if length == 126:
        (length,) = struct.unpack("!H", await reader.readexactly(2))
    elif length == 127:
        (length,) = struct.unpack("!Q", await reader.readexactly(8))
    return opcode & 15, await reader.readexactly(length)


async def pour(writer: asyncio.StreamWriter, content: bytes, most: int) -> int:
    """Send this again and again until it is cut off or `most` bytes have left; how many have."""
    sent = 0
    try:
        while sent < most:
            writer.write(content)
            sent += len(content)
            await writer.drain()
    except ConnectionError:
        pass
    return sent


async def closing(stream: Stream) -> int:
    """The close code with which the socket ends; 1006 if it has none."""
    reader, writer = stream
    try:
        while True:
            opcode, content = await read_frame(reader)
            if opcode == 8:
                return int(struct.unpack("!H", content[:2])[0])
    except (asyncio.IncompleteReadError, ConnectionError):
        return 1006
    finally:
        writer.close()


async def ends(stream: Stream) -> bool:
    """Wait until the other side has ended the connection, reading what there is."""
    try:
        while await stream[0].read(65536):
            pass
    except ConnectionError:
        pass
    stream[1].close()
    return True


def memory(server: Owned) -> float:
    """Megabytes that the process holds."""
    pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def cpu_seconds(server: Owned) -> float:
    """Processor time that the process has used."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
