"""A real server process and small clients for tests.

Whatever the server sends is decoded as the type that the API's description promises, and
must be nothing else: a field too many or too few fails the test that saw it.
"""

import asyncio
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial, wraps
from pathlib import Path
from typing import Any, ParamSpec

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from kwartet.server import messages as m
from kwartet.server.api import OPERATIONS
from kwartet.server.api.commands import COMMAND_PATHS
from kwartet.store import open_store

P = ParamSpec("P")
ROOT = Path(__file__).parents[1]
PATIENCE = 180.0  # seconds that a test may take on a busy machine
COMPILING = 600.0  # seconds that games may take to be ready where nobody compiled them before
ROUTES = [
    (o, re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(o.path)) + "$")) for o in OPERATIONS
]
PATHS = {str(kind.__struct_config__.tag): path for kind, (path, _) in COMMAND_PATHS.items()}
PLENTY = ("--identity-rate", "100000", "--address-rate", "100000")  # requests a second
_numbers = itertools.count(1)

Json = dict[str, Any]


def on_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test that is a coroutine."""

    @wraps(test)
    def run(*values: P.args, **named: P.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*values, **named), PATIENCE))

    return run


class Server:
    """`kwartet serve` as a process of its own, on a free port."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        url: str = "",
        descriptors: tuple[int, int] | None = None,
        through: tuple[str, ...] = ("-m", "kwartet.cli"),  # what runs the command
        **environment: str,
    ) -> None:
        data.mkdir(exist_ok=True)
        self.data = data
        self.log_file = data / "log"
        self.url = url  # where it runs, once it does
        self._command = [
            *(sys.executable, *through, "--with", "examples.connect_four"),
            *("serve", "--no-open", "--port", "0", "--data", str(data), *arguments),
        ]
        if descriptors:  # how many it has, and may have
            soft, hard = descriptors
            limits = f'ulimit -Sn {soft}; ulimit -Hn {hard}; exec "$@"'
            self._command = ["bash", "-c", limits, "limited", *self._command]
        told = dict(zip(arguments[::2], arguments[1::2], strict=False))
        self.database = told.get("--database", f"sqlite:///{data}/kwartet.db")
        self._environment = os.environ | environment
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    @property
    def log(self) -> str:
        """Everything the process has printed."""
        return self.log_file.read_text()

    @property
    def faults(self) -> str:
        """What the process has printed of errors that are its own."""
        log = self.log
        return log[log.find("Traceback") :][:5000] if "Traceback" in log else ""

    def start(
        self, *, wait: bool = True, says: str = r"http://localhost:\d+", url: str = ""
    ) -> "Server":
        """Start it and wait until it says its address; with `wait` until every game is ready.

        `url` is where it is, if it says something else.
        """
        before = self.log_file.stat().st_size if self.log_file.exists() else 0
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=log
            )
        found = _soon(lambda: re.search(says, self.log[before:]), self)
        self.url = url or found[0]
        if wait:
            self.wait_until_ready()
        return self

    def wait_until_ready(self) -> None:
        """Wait until every game can be played."""
        _soon(self.is_ready, self, COMPILING)

    def is_ready(self) -> bool:
        try:
            games = httpx.get(f"{self.url}/api/games", timeout=10).json()
        except (httpx.TransportError, ValueError):
            return False
        return all(game["preparing"] is None for game in games)

    def kill(self) -> None:
        """End it at once, without a chance to do anything more."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """End it as Ctrl-C does; the exit code."""
        return self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> int:
        assert self._process
        self._process.send_signal(how)
        return self._process.wait(30)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None


def _soon(ask: Callable[[], Any], server: Server, patience: float = PATIENCE) -> Any:
    end = time.monotonic() + patience
    while not (found := ask()):
        assert server.is_running, server.log
        assert time.monotonic() < end, server.log
        time.sleep(0.02)
    return found


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def made(url: str) -> str:
    """The URL of a database, after its tables have been made."""

    async def make() -> None:
        await (await open_store(url)).close()

    asyncio.run(make())
    return url


class Guest:
    """Somebody with a browser: a cookie, requests and sockets."""

    def __init__(self, server: Server, http: httpx.AsyncClient, stack: AsyncExitStack) -> None:
        self.server = server
        self.http = http
        self.id = self.name = ""
        self._stack = stack

    @property
    def cookie(self) -> str:
        return self.http.cookies["kwartet"]

    async def ask(self, method: str, path: str, body: Any = None, **how: Any) -> Any:
        """The answer to a request, which must be what is described."""
        response = await self.http.request(
            method, self.server.url + path, **(how if body is None else how | {"json": body})
        )
        return checked(method, path, response)

    async def get(self, path: str) -> Any:
        return await self.ask("GET", path)

    async def post(self, path: str, **body: Any) -> Any:
        return await self.ask("POST", path, body)

    async def open(self, game: str = "connect_four", *seats: str, **wish: Any) -> Json:
        """A table with these seats, `bot` meaning a novice; the first seat is the first's.

        No other test finds it, unless it is to be listed.
        """
        if seats:
            wish["seats"] = [
                {"kind": "bot", "level": "novice"} if seat == "bot" else {"kind": seat}
                for seat in seats
            ]
        table: Json = await self.post(
            "/api/tables", game=game, **({"order": "fixed", "listed": False} | wish)
        )
        assert table.get("type") == "table", table
        return table

    async def do(self, table: str, kind: str, /, **fields: Any) -> Json:
        """Carry out a command by POST; the answer."""
        answer: Json = await self.post(f"/api/tables/{table}/{PATHS[kind]}", **fields)
        return answer

    async def look(self, table: str) -> Json:
        """The table as one sees it."""
        shown: Json = await self.get(f"/api/tables/{table}")
        return shown

    async def until(self, table: str, is_so: Callable[[Json], Any]) -> Json:
        """The table as soon as it is so."""
        while not is_so(shown := await self.look(table)):
            await asyncio.sleep(0.02)
        return shown

    async def watch(self, table: str, **since: int) -> "Live":
        """A socket at the table, which has been told how it stands."""
        query = "&".join(f"{name}={value}" for name, value in since.items())
        live = Live(await self.socket(f"/api/tables/{table}/live?{query}"), **since)
        self._stack.push_async_callback(live.close)
        await live.until(lambda _: True)
        return live

    async def socket(self, path: str, **how: Any) -> ClientConnection:
        """A bare socket."""
        headers = {"cookie": f"kwartet={self.cookie}"} if "kwartet" in self.http.cookies else {}
        address = self.server.url.replace("http", "ws", 1) + path
        extra = headers | how.pop("headers", {})
        socket = await connect(address, additional_headers=extra, proxy=None, **how)
        self._stack.push_async_callback(socket.close)
        return socket


def checked(method: str, path: str, response: httpx.Response) -> Any:
    """The response's content, after a look at its form."""
    assert_guarded(response)
    if response.status_code == 204:
        return None
    plain = path.partition("?")[0]
    (operation,) = (o for o, form in ROUTES if o.method == method and form.match(plain))
    good = response.status_code == operation.status
    if good and operation.gives is str:
        assert response.headers["content-type"] == "text/plain; charset=utf-8"
        return response.text
    strict(response.content, operation.gives if good else m.Refused)
    return response.json()


def assert_guarded(response: httpx.Response) -> None:
    """Every response tells browsers what they may do with it."""
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "Traceback" not in response.text


def strict(content: bytes | str, kind: Any) -> Any:
    """What was sent, as the type it should be; it has exactly that type's fields."""
    decoded = msgspec.json.decode(content, type=kind)
    assert json.loads(msgspec.json.encode(decoded)) == json.loads(content)
    return decoded


class Live:
    """A socket at a table, and the table as it has been told so far."""

    def __init__(self, socket: ClientConnection, **since: int) -> None:
        self.socket = socket
        self.table: Json = {}
        self.log: list[str] = ["?"] * since.get("ply", 0)
        self.chat: list[str] = []
        self.answers: dict[str, Json] = {}
        self.seen = 0

    async def close(self) -> None:
        await self.socket.close()

    async def hear(self) -> Json:
        """The next message, taken in."""
        text = await self.socket.recv()
        strict(text, m.FromServer)
        message: Json = json.loads(text)
        if message["type"] == "table":
            self.seen += 1
            self.table = message
            self.chat += [line["text"] for line in message["chat"]]
            if message["match"]:
                self.log[message["match"]["since"] :] = message["match"]["log"]
        elif "id" in message:
            self.answers[message["id"]] = message
        return message

    async def until(self, is_so: Callable[[Json], Any]) -> Json:
        """The table as soon as it is so."""
        while not self.table or not is_so(self.table):
            await self.hear()
        return self.table

    async def do(self, kind: str, /, **fields: Any) -> Json:
        """Carry out a command; the answer."""
        return await self.answer_to(await self.send(kind, **fields))

    async def send(self, kind: str, /, **fields: Any) -> str:
        """Send a command; its id."""
        key: str = fields.setdefault("id", f"r{next(_numbers)}")
        await self.socket.send(json.dumps({"type": kind, **fields}))
        return key

    async def answer_to(self, key: str) -> Json:
        while key not in self.answers:
            await self.hear()
        return self.answers.pop(key)

    async def play(self, move: str) -> Json:
        return await self.do("play", ply=self.ply, move=move)

    @property
    def ply(self) -> int:
        return len(self.log)


class Visit:
    """Makes guests of one server, who all leave when the test ends."""

    def __init__(self, server: Server, stack: AsyncExitStack) -> None:
        self.server = server
        self._stack = stack

    async def stranger(self, server: Server | None = None, **how: Any) -> Guest:
        """Somebody whom the server has not met."""
        client = httpx.AsyncClient(timeout=PATIENCE, **how)
        return Guest(
            server or self.server, await self._stack.enter_async_context(client), self._stack
        )

    async def guest(self, name: str = "", server: Server | None = None) -> Guest:
        """Somebody with an identity, by this name."""
        guest = await self.stranger(server)
        me = await guest.get("/api/me")
        if name:
            me = await guest.ask("PATCH", "/api/me", {"name": name})
        guest.id, guest.name = me["id"], me["name"]
        return guest

    async def guests(self, *names: str) -> list[Guest]:
        return list(await asyncio.gather(*(self.guest(name) for name in names)))

    async def elsewhere(self, guest: Guest, server: Server) -> Guest:
        """The same person, at another server."""
        twin = await self.stranger(server, cookies={"kwartet": guest.cookie})
        twin.id, twin.name = guest.id, guest.name
        return twin


@asynccontextmanager
async def visiting(server: Server) -> AsyncIterator[Visit]:
    """Guests for one test."""
    async with AsyncExitStack() as stack:
        yield Visit(server, stack)


async def pair(visit: Visit, game: str = "connect_four", **wish: Any) -> tuple[Guest, Guest, str]:
    """Two people at a table whose match has begun; the creator is seat 0."""
    ann, bob = await visit.guests("Ann", "Bob")
    table = await ann.open(game, "me", "open", **wish)
    assert (await bob.do(table["id"], "sit"))["type"] == "accepted"
    return ann, bob, table["id"]


async def watched_pair(
    visit: Visit, game: str = "connect_four", **wish: Any
) -> tuple[Live, Live, str]:
    """Two people at a table, with a socket each."""
    ann, bob, table = await pair(visit, game, **wish)
    return await ann.watch(table), await bob.watch(table), table


Door = Callable[..., Awaitable[Json]]


async def door(way: str, guest: Guest, table: str) -> Door:
    """How the guest gives commands at the table: over a `socket` or by `post`."""
    return (await guest.watch(table)).do if way == "socket" else partial(guest.do, table)


async def play_on(lives: list[Live], choose: Callable[[list[str]], str]) -> Json:
    """Whoever is to act plays until the match is over; the table as it is then."""

    async def sit(live: Live) -> None:
        while live.table["state"] != "over":
            if live.table["match"]["legal"]:
                ply = live.ply
                answer = await live.play(choose(live.table["match"]["legal"]))
                assert answer["type"] == "accepted", answer
                await live.until(partial(_is_past, ply))
            else:
                await live.hear()

    await asyncio.gather(*(sit(live) for live in lives))
    return lives[0].table


async def eventually(ask: Callable[[], Awaitable[bool]]) -> None:
    """Wait until it is so; the test's own time limit ends it."""
    while not await ask():
        await asyncio.sleep(0.02)


def _is_past(ply: int, table: Json) -> bool:
    return bool(table["match"]["view"]["ply"] > ply)
