"""A small client for a Kwartet server: log in, find or open a table, play.

    async with Client("http://localhost:8484", token="kwt_…") as client:
        opened = await client.create("carnac", board="small", seats=["me", "skilled"])
        async with client.attend(opened.id) as table:
            async for now in table:
                if now.match and now.match.legal:
                    await table.play(now.match.legal[0])

Without a token the client is a guest. A table's connection heals by itself: what was not
answered is sent again under the same id, so it is played once however often that takes.

The client adds a part of its own to the luck of a match and notes what was sealed before;
`check` holds the record of the finished match against that.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, replace
from itertools import count
from secrets import token_hex
from typing import Any, Final, Self, TypeVar, get_args
from urllib.parse import urlencode

import httpx
import msgspec
import websockets

from kwartet.core.errors import GameError
from kwartet.core.fairness import PART_LENGTH, Noted, Verdict, is_part, verify
from kwartet.games import find
from kwartet.server import accounts as own
from kwartet.server import afterwards as a
from kwartet.server import messages as m
from kwartet.server.changing import changed

IDLE: Final = 2.0  # seconds for which a line without requests is kept
LONGEST_PAUSE: Final = 5.0  # seconds between two tries to connect again
RANDOM_BYTES: Final = 16  # of a part, in hexadecimal
LONGEST_TYPED: Final = PART_LENGTH - 2 * RANDOM_BYTES - 1  # letters, and a space
UNKNOWN: Final = -1  # a seat: somebody's, before one looked
AGAIN: Final = 0.5  # seconds until a command is sent again of which nobody knows what became
UNDECIDED: Final = ("store-unavailable", "store-failed")  # said also of what was done before
GIVE_UP: Final = (4403, 4404)  # the server's word for "trying again will not help"

Kind = TypeVar("Kind")
_decode: Any = msgspec.json.Decoder(m.FromServer).decode
_decode_review: Any = msgspec.json.Decoder(a.FromReviewer).decode


class Client:
    """Somebody at a server. Use it with `async with`; refusals raise GameError."""

    def __init__(
        self, url: str, token: str | None = None, cookies: dict[str, str] | None = None
    ) -> None:
        """`cookies` are those of a guest who was here before."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        # Servers let an idle line go after 5 s; who does so first never writes into a closed one.
        limits = httpx.Limits(keepalive_expiry=IDLE)
        self._http = httpx.AsyncClient(
            base_url=url.rstrip("/"), headers=headers, timeout=30, limits=limits, cookies=cookies
        )
        self.noted: dict[str, Noted] = {}  # by table: what was sealed, and one's own part

    async def __aenter__(self) -> Self:
        try:
            await self.me()  # a guest gets a cookie
        except BaseException:
            await self._http.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    @property
    def cookies(self) -> dict[str, str]:
        """What the server knows a guest by; a secret of theirs."""
        return {cookie.name: cookie.value or "" for cookie in self._http.cookies.jar}

    async def me(self) -> own.Me:
        """Oneself."""
        return await self.ask("GET", "/api/me", own.Me)

    async def rename(self, name: str) -> own.Me:
        """Choose a name."""
        return await self.ask("PATCH", "/api/me", own.Me, own.Rename(name))

    async def games(self) -> list[m.GameInfo]:
        """What can be played there."""
        return await self.ask("GET", "/api/games", list[m.GameInfo])

    async def open_tables(self, game: str | None = None) -> list[m.TableSummary]:
        """Listed tables that wait for players."""
        query = {"state": "open"} | ({"game": game} if game else {})
        found = await self.ask("GET", f"/api/tables?{urlencode(query)}", m.TableList)
        return found.tables

    async def create(
        self,
        game: str,
        *,
        seats: Iterable[str] | None = None,
        listed: bool | None = None,
        rated: bool = False,
        clock: m.Clock | None = None,
        part: str | None = None,
        **options: Any,
    ) -> m.TableMessage:
        """Open a table. A seat is `me`, `open`, `invite` or a bot's level.

        It is listed if a seat is open, unless `listed` says otherwise. What one adds to the luck
        is random; `part`, at most 31 letters, is put before it.
        """
        if part and not (len(part) <= LONGEST_TYPED and is_part(part)):
            raise GameError(
                "bad-request", f"A part has 1 to {LONGEST_TYPED} letters that can be printed."
            )
        wish = m.CreateTable(
            game=game,
            options=options,
            seats=None if seats is None else [_seat(seat) for seat in seats],
            listed=listed,
            rated=rated,
            clock=clock,
            promise=True,
        )
        opened = await self.ask("POST", "/api/tables", m.TableMessage, wish)
        if "shuffle" not in opened.may:
            return opened
        added = m.Shuffle(part=note(self.noted, opened, part))
        await self.ask("POST", f"/api/tables/{opened.id}/shuffle", m.Accepted, added)
        note_taken(self.noted, opened.id)
        return await self.table(opened.id)

    async def table(self, key: str) -> m.TableMessage:
        """A table as one may see it now."""
        return await self.ask("GET", f"/api/tables/{key}", m.TableMessage)

    async def record(self, key: str) -> dict[str, Any]:
        """The record of a finished match."""
        return await self.ask("GET", f"/api/tables/{key}/record", dict[str, Any])

    async def check(self, key: str) -> Verdict:
        """The luck of a finished match, held against what one has noted of it."""
        return verify(await self.record(key), find, self.noted.get(key))

    async def replay(self, key: str, *, seat: int | None = None) -> a.Replay:
        """A finished match, all of its positions; with one's own eyes or with a seat's."""
        eyes = "" if seat is None else f"&seat={seat}"
        steps: list[a.ReplayStep] = []
        while True:
            path = f"/api/tables/{key}/replay?since={len(steps)}{eyes}"
            found = await self.ask("GET", path, a.Replay)
            steps += found.steps
            if len(steps) > found.total:
                return msgspec.structs.replace(found, steps=steps)

    async def review(
        self, key: str, *, care: a.CareName = "normal"
    ) -> AsyncIterator[a.ReviewMessage]:
        """Have a finished match reviewed: the review so far, whole each time, until it is done.

        GameError if it is refused or given up. Who stops iterating no longer wants it.
        """
        address, headers = self.address(key, "review/live")
        pause = 0.05
        while True:
            try:
                async with websockets.connect(
                    address, additional_headers=headers, max_size=None
                ) as socket:
                    await socket.send(m.encode(a.AskReview(care)).decode())
                    async for told in _reviewed(socket, care):
                        pause = 0.05
                        yield told
                        if told.state == "done":
                            return
            except (OSError, websockets.WebSocketException, TimeoutError):
                await asyncio.sleep(pause)
                pause = min(LONGEST_PAUSE, 2 * pause)

    async def drop(self, key: str) -> None:
        """Put a match away that one plays without other people; it counts nowhere."""
        await self.ask("DELETE", f"/api/tables/{key}", type(None))

    def attend(self, key: str, *, invite: str | None = None) -> "Attendance":
        """Sit or watch at a table, live; use it with `async with`."""
        return Attendance(*self.address(key), invite, self.noted)

    def address(self, key: str, socket: str = "live") -> tuple[str, dict[str, str]]:
        """The address of a table's socket, and the headers that say who one is."""
        url = self._http.base_url
        scheme = "wss" if url.scheme == "https" else "ws"
        address = f"{scheme}://{url.netloc.decode()}/api/tables/{key}/{socket}"
        if "authorization" in self._http.headers:
            return address, {"authorization": self._http.headers["authorization"]}
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._http.cookies.jar)
        return address, {"cookie": cookies} if cookies else {}

    async def ask(self, method: str, path: str, gives: type[Kind], body: Any = None) -> Kind:
        """One request; GameError with the server's code if it is refused."""
        content = None if body is None else m.encode(body)
        headers = {"content-type": "application/json"} if content else None
        try:
            answer = await self._http.request(method, path, content=content, headers=headers)
        except httpx.HTTPError as error:
            raise GameError("no-server", f"The server does not answer: {error}.") from error
        if answer.is_success:
            return msgspec.json.decode(answer.content or b"null", type=gives)
        try:
            refused = msgspec.json.decode(answer.content, type=m.Refused)
        except msgspec.DecodeError:
            raise GameError("no-server", f"The server answers {answer.status_code}.") from None
        raise GameError(refused.code, refused.sentence, refused.reason)


@dataclass
class _Asked:
    """A command that waits for its answer."""

    command: m.Command
    answer: "asyncio.Future[m.Accepted]"
    times: int = 0  # that it was sent


class Attendance:
    """One place at a table. Iterate over it for the table as it is after each change."""

    def __init__(
        self,
        address: str,
        headers: dict[str, str],
        invite: str | None = None,
        noted: dict[str, Noted] | None = None,
    ) -> None:
        self._address = address
        self._noted = {} if noted is None else noted
        self._invite = invite
        self._headers = headers
        self._now: m.TableMessage | None = None
        self._log: list[str] = []
        self._movers: list[int | None] = []
        self._chat: list[m.ChatLine] = []
        self._news = asyncio.Event()
        self._refused: GameError | None = None  # why the server closes, if it said so
        self._waiting: dict[str, _Asked] = {}
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._ids = (f"{token_hex(4)}-{number}" for number in count())
        self._running: asyncio.Task[None] | None = None
        self._adding: asyncio.Task[None] | None = None  # one's part to the luck

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run())
        self._running.add_done_callback(self._end)
        try:
            await self._until(lambda: self._now is not None)
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._running
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

    @property
    def now(self) -> m.TableMessage:
        """The table as it was told last."""
        assert self._now
        return self._now

    @property
    def log(self) -> list[str]:
        """Everything played so far, as far as one may know it."""
        return list(self._log)

    @property
    def movers(self) -> list[int | None]:
        """For each move of the log the seat that made it; None: chance; -1: it was before."""
        return list(self._movers)

    @property
    def chat(self) -> list[m.ChatLine]:
        """Everything said so far, as far as the server still tells it and one wants to hear it."""
        return list(self._chat)

    async def __aiter__(self) -> AsyncIterator[m.TableMessage]:
        """The table now, then after each change, until the match is over."""
        shown = None
        while shown is None or shown.state != "over":
            shown = await self._other_than(shown)
            yield shown

    async def after(self, version: int) -> m.TableMessage:
        """The table as soon as it has another version than this."""
        await self._until(lambda: self.now.version != version)
        return self.now

    async def play(self, move: str) -> m.Accepted:
        """Play a move in the position that was told last."""
        match = self.now.match
        return await self.send(m.Play(ply=match.view["ply"] if match else 0, move=move))

    async def send(self, command: m.AnyCommand) -> m.Accepted:
        """Give a command and wait for its answer; GameError if it is refused."""
        command = msgspec.structs.replace(command, id=command.id or next(self._ids))
        if isinstance(command, m.Sit):
            command = msgspec.structs.replace(command, promise=True)
        answer: asyncio.Future[m.Accepted] = asyncio.get_running_loop().create_future()
        self._waiting[command.id] = _Asked(command, answer)
        self._outbox.put_nowait(command.id)
        try:
            accepted = await answer
            await self._until(lambda: self.now.version >= accepted.version)
            return accepted
        finally:
            del self._waiting[command.id]

    # The connection -----------------------------------------------------------------------

    async def _other_than(self, shown: m.TableMessage | None) -> m.TableMessage:
        """The table as soon as it is not as it was shown."""
        await self._until(lambda: self._now is not shown)
        return self.now

    async def _until(self, condition: Callable[[], bool]) -> None:
        """Wait for news that make it true; GameError if none will come."""
        assert self._running
        while not condition():
            if self._running.done():
                self._running.result()
            self._news.clear()
            await self._news.wait()

    def _end(self, running: "asyncio.Task[None]") -> None:
        """Let nobody wait for a connection that has ended."""
        self._news.set()
        for asked in self._waiting.values():
            if running.cancelled():
                asked.answer.cancel()
            elif error := running.exception():
                _settle(asked.answer, error)

    async def _run(self) -> None:
        """Be connected, again and again."""
        pause = 0.05
        while True:
            try:
                async with websockets.connect(
                    self._where(), additional_headers=self._headers, max_size=None
                ) as socket:
                    pause = 0.05
                    for key in self._waiting:
                        self._outbox.put_nowait(key)
                    await self._talk(socket)
            except (OSError, websockets.WebSocketException, TimeoutError) as error:
                closed = getattr(getattr(error, "rcvd", None), "code", None)
                if closed in GIVE_UP:
                    raise self._refused or GameError("no-table", f"{error}.") from None
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)

    def _where(self) -> str:
        """The address, with what is known of the table."""
        known: dict[str, str | int] = {"changes": 1}
        if self._invite:
            known["invite"] = self._invite
        if self._now is not None:
            heard = self._chat[-1].number if self._chat else 0
            known |= {"version": self._now.version, "ply": len(self._log), "chat": heard}
        return f"{self._address}?{urlencode(known)}"

    async def _talk(self, socket: websockets.ClientConnection) -> None:
        speaking = asyncio.create_task(self._speak(socket))
        try:
            async for text in socket:
                self._hear(_decode(text))
        finally:
            speaking.cancel()
            await asyncio.gather(speaking, return_exceptions=True)

    async def _speak(self, socket: websockets.ClientConnection) -> None:
        while True:
            key = await self._outbox.get()
            if asked := self._waiting.get(key):
                asked.times += 1
                await socket.send(m.encode(asked.command).decode())

    def _hear(self, told: Any) -> None:
        match told:
            case m.TableMessage():
                self._see(told)
            case m.ChangeMessage() if self._now:
                self._see(changed(self._now, told))
            case m.Accepted(id=key) if key in self._waiting:
                _settle(self._waiting[key].answer, told)
            case m.Refused(id=key, code=code) if key in self._waiting:
                asked = self._waiting[key]
                if asked.times > 1 and code in UNDECIDED:
                    asyncio.get_running_loop().call_later(AGAIN, self._outbox.put_nowait, key)
                else:
                    _settle(asked.answer, GameError(code, told.sentence, told.reason))
            case m.Refused(id=""):
                self._refused = GameError(told.code, told.sentence)

    def _see(self, table: m.TableMessage) -> None:
        before = self._now.match if self._now else None
        self._now = table
        self._chat = [line for line in self._chat if line.number <= table.chat_since] + table.chat
        if table.match:
            self._log[table.match.since :] = table.match.log
            self._note_movers(before, table.match)
        self._news.set()
        is_this = f"/tables/{table.id}/" in self._address
        if is_this and "shuffle" in table.may and (self._adding is None or self._adding.done()):
            self._adding = asyncio.create_task(self._add_part(table))

    def _note_movers(self, before: m.MatchView | None, now: m.MatchView) -> None:
        """Who made the moves that are new in the log: each step is after a seat's move."""
        del self._movers[min(now.since or len(self._movers), len(self._log)) :]
        position = now.steps[-1].view if now.steps else before.view if before else {}
        ends = [(step.ply, step.seat) for step in now.steps]
        ends.append((len(self._log), position.get("actor")))
        for ply in range(len(self._movers), len(self._log)):
            seat = next(seat for end, seat in ends if end > ply)
            is_known = seat is not None and seat >= 0
            is_chance = self._log[ply].startswith("*")
            self._movers.append(None if is_chance else seat if is_known else UNKNOWN)

    async def _add_part(self, told: m.TableMessage) -> None:
        """Add one's part to the luck, now that one knows what is sealed and where one sits."""
        with contextlib.suppress(GameError, asyncio.CancelledError):  # it has begun, or is left
            await self.send(m.Shuffle(part=note(self._noted, told)))
            note_taken(self._noted, told.id)


def note(noted: dict[str, Noted], told: m.TableMessage, typed: str | None = None) -> str:
    """Note what a table has sealed, where one sits there, and one's part, which is returned.

    A table is given one part for ever, whatever seat it names and whatever it answers: who is
    given several can choose among them. What was typed could be guessed, so it is not all of it.
    """
    known = noted.get(told.id) or Noted(told.commitment)
    part = known.part or " ".join(filter(None, (typed, token_hex(RANDOM_BYTES))))
    taken = known.part is not None and known.taken
    noted[told.id] = replace(known, part=part, seat=told.mine[0], taken=taken)
    return part


def note_taken(noted: dict[str, Noted], table: str) -> None:
    """Note that the server has said that it took one's part."""
    noted[table] = replace(noted[table], taken=True)


async def _reviewed(
    socket: websockets.ClientConnection, care: str
) -> AsyncIterator[a.ReviewMessage]:
    """The review of this care as far as it has been told, each time that something is new."""
    whole: a.ReviewMessage | None = None
    async for text in socket:
        match _decode_review(text):
            case m.Refused(code=code, sentence=sentence):
                raise GameError(code, sentence)
            case a.ReviewMessage() as told if told.care == care:
                whole = told if whole is None or not told.since else _joined(whole, told)
                yield whole


def _joined(known: a.ReviewMessage, new: a.ReviewMessage) -> a.ReviewMessage:
    """All that is known, by ply."""
    lists = {
        name: sorted(
            ({each.ply: each for each in getattr(known, name) + getattr(new, name)}).values(),
            key=lambda each: each.ply,
        )
        for name in ("decisions", "chances", "worth")
    }
    return msgspec.structs.replace(new, since=0, **lists)


def _settle(answer: "asyncio.Future[m.Accepted]", told: m.Accepted | BaseException) -> None:
    if answer.done():
        return
    if isinstance(told, BaseException):
        answer.set_exception(told)
    else:
        answer.set_result(told)


def _seat(text: str) -> m.SeatWish:
    """A seat from its short name."""
    if text in ("me", "open", "invite"):
        return m.SeatWish(text)  # type: ignore[arg-type]
    if text in get_args(m.Level):
        return m.SeatWish("bot", level=text)  # type: ignore[arg-type]
    raise GameError("unknown-bot", f"A seat is me, open, invite or a level, not {text!r}.")
