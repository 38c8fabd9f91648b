"""Hostile requests and messages: whatever is sent, there is an answer, and refusals change nothing.

Requests come from the API's own description (schemathesis): as it says, and just not as it
says. Messages to sockets are grown from the commands' types: valid at this table, nearly
valid, and nonsense, from several people in any order (Hypothesis).
"""

import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any, Final

import httpx
import msgspec
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from requests import Session
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from kwartet.server.api.commands import COMMAND_PATHS
from kwartet.server.messages import Refused
from tests.faults.campaigns import Advance, Outcome, nobody
from tests.serving import Json, Server

HOW: Final[dict[str, Any]] = {
    "deadline": None,
    "database": None,
    "phases": (Phase.generate,),
    "suppress_health_check": list(HealthCheck),
}
ANSWERS: Final = ("accepted", "refused", "pong")


# Requests -------------------------------------------------------------------------------


class Asker:
    """Somebody who asks a server strange things, and looks whether refusals changed anything."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.statuses: Counter[int] = Counter()
        self.faults: list[str] = []
        self._http = httpx.Client(base_url=server.url, timeout=60)
        self._http.get("/api/me")
        self._session = Session()
        self.tables = [self._open(), self._over()]

    def close(self) -> None:
        self._http.close()
        self._session.close()

    def _open(self) -> str:
        wish = {"game": "connect_four", "seats": [{"kind": "me"}] * 2, "order": "fixed"}
        table: Json = self._http.post("/api/tables", json=wish).json()
        return str(table["id"])

    def _over(self) -> str:
        table = self._open()
        self._http.post(f"/api/tables/{table}/moves", json={"ply": 0, "move": "a"})
        self._http.post(f"/api/tables/{table}/resign", json={})
        return table

    def versions(self) -> list[Any]:
        """What must stay as it is when something is refused."""
        return [self._rested(table)["version"] for table in self.tables]

    def _rested(self, table: str) -> Json:
        """The table when no bot is to move, which may have been handed a seat."""
        while True:
            shown: Json = self._http.get(f"/api/tables/{table}").json()
            actor = shown["match"]["view"]["actor"] if shown["match"] else None
            if actor is None or not shown["seats"][actor].get("stand_in"):
                return shown
            time.sleep(0.02)

    def send(self, case: Case[Any]) -> None:
        """Send it and look at the answer."""
        label = f"{case.method} {case.path}"
        writes = case.method != "GET"
        before = self.versions() if writes else []
        try:
            response = case.call(
                base_url=self.server.url,
                session=self._session,
                cookies=dict(self._http.cookies),
                timeout=60,
            )
        except (ValueError, UnicodeError):
            return  # no request can be written so
        self.statuses[response.status_code] += 1
        content = response.content
        if response.status_code >= 500 or b"Traceback" in content:
            self.faults.append(f"{label}: {response.status_code} {content[:300]!r}")
        elif response.status_code >= 400:
            if not _is_refusal(content):
                self.faults.append(f"{label}: no refusal: {content[:300]!r}")
            if writes and self.versions() != before:
                self.faults.append(f"{label} was refused and has changed a table")


def _is_refusal(content: bytes) -> bool:
    try:
        return bool(msgspec.json.decode(content, type=Refused).code)
    except msgspec.DecodeError:
        return False


def requests(
    server: Server, count: int, *, only: Callable[[Any], bool] = bool, advance: Advance = nobody
) -> Outcome:
    """Ask every operation of the API, or some, as described and just not as described."""
    described = httpx.get(f"{server.url}/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(described)
    statuses: Counter[int] = Counter()
    faults: list[str] = []
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        if not only(operation):
            continue
        asker = Asker(server)
        for mode in GenerationMode:
            _ask(asker, operation, mode, max(1, count // 2))
        statuses += asker.statuses
        faults += asker.faults
        asker.close()
        advance(1)
    numbers = {"requests": statuses.total(), "statuses": dict(statuses)}
    return Outcome(numbers, faults + ([server.faults] if server.faults else []))


def _ask(asker: Asker, operation: Any, mode: GenerationMode, count: int) -> None:
    """Half of the requests are about tables that are there."""
    anything = operation.as_strategy(generation_mode=mode)
    strategies = [anything]
    if "{table}" in operation.path:
        strategies += [
            operation.as_strategy(generation_mode=mode, path_parameters={"table": table})
            for table in asker.tables
        ]

    @settings(max_examples=count, **HOW)
    @given(case=st.one_of(strategies))
    def ask(case: Case[Any]) -> None:
        asker.send(case)

    with suppress(Unsatisfiable):  # what takes nothing cannot be asked in a wrong way
        ask()


# Messages -------------------------------------------------------------------------------

VALUES: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 9),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["", "\0", "\u202e", "x" * 500, [], {}, [[]], "a", "takeback", "novice"]),
)
NONSENSE: Final = st.one_of(
    st.text(max_size=60),
    st.binary(max_size=60),
    st.sampled_from(["", "null", "[]", "{", '{"type":"play"', "[" * 5000, '"' + "\\ud800" * 9]),
    st.dictionaries(st.text(max_size=8), VALUES, max_size=4).map(json.dumps),
)
FIELDS: Final[dict[str, st.SearchStrategy[Any]]] = {
    "ply": st.integers(0, 45),
    "move": st.sampled_from("abcdefg"),
    "id": st.sampled_from(["", "one", "two"]) | st.text(max_size=10),
    "seat": st.integers(0, 1),
    "text": st.text(min_size=1, max_size=30),
    "accept": st.booleans(),
    "muted": st.booleans(),
    "level": st.sampled_from(["novice", "casual"]),
    "kind": st.sampled_from(["takeback", "draw", "rematch"]),
}
TYPES: Final = {
    str(kind.__struct_config__.tag): list(kind.__struct_fields__)
    for kind in COMMAND_PATHS
    if kind.__struct_config__.tag not in ("hint", "solve")  # answered later, or at length
}


@st.composite
def messages(draw: st.DrawFn) -> str | bytes:
    """A message: valid, nearly, or not at all."""
    how = draw(st.sampled_from(["valid", "valid", "spoilt", "nonsense"]))
    if how == "nonsense":
        return draw(NONSENSE)
    kind = draw(st.sampled_from([*TYPES, "ping"]))
    message: Json = {
        name: draw(FIELDS.get(name, VALUES))
        for name in TYPES.get(kind, [])
        if name in FIELDS or draw(st.booleans())
    }
    message["type"] = kind
    if how == "spoilt":
        name = draw(st.sampled_from([*message, "odd"]))
        if name in message and draw(st.booleans()):
            del message[name]
        else:
            message[name] = draw(VALUES)
    return json.dumps(message)


class Room:
    """A table with two players, an onlooker and a stranger, each with a socket."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.answers: Counter[str] = Counter()
        self.faults: list[str] = []
        self._stack = ExitStack()
        self._people = [
            self._stack.enter_context(httpx.Client(base_url=server.url, timeout=60))
            for _ in range(4)
        ]
        for person in self._people[:3]:
            person.get("/api/me")
        self._enter()

    def _enter(self) -> None:
        ann, bob = self._people[:2]
        self._table = ann.post("/api/tables", json={"game": "connect_four", "order": "fixed"})
        self._id = self._table.json()["id"]
        bob.post(f"/api/tables/{self._id}/sit", json={})
        self._sockets: list[ClientConnection | None] = [None] * 4

    def _socket(self, who: int) -> ClientConnection:
        """The person's socket, opened again if their last message ended it."""
        socket = self._sockets[who]
        if socket is None:
            cookies = self._people[who].cookies
            headers = {"cookie": f"kwartet={cookies['kwartet']}"} if "kwartet" in cookies else {}
            address = f"{self.server.url.replace('http', 'ws', 1)}/api/tables/{self._id}/live"
            socket = self._stack.enter_context(
                connect(address, additional_headers=headers, max_size=None, proxy=None)
            )
            self._sockets[who] = socket
        return socket

    def version(self) -> int | None:
        """How far the table is; None if a bot stands in for somebody and plays by itself."""
        shown: Json = self._people[0].get(f"/api/tables/{self._id}").json()
        return None if any(seat["stand_in"] for seat in shown["seats"]) else shown["version"]

    def send(self, who: int, message: str | bytes) -> None:
        """Send it, wait for its answer, look whether that is true."""
        socket, before = self._socket(who), self.version()
        try:
            socket.send(message)
            answer = self._answer(socket)
        except (ConnectionClosed, UnicodeError):
            self.answers["closed"] += 1
            self._sockets[who] = None
            answer = {"type": "refused", "code": "closed"}
        self.answers[str(answer.get("code", answer["type"]))] += 1
        if answer.get("code") == "failed":
            self.faults.append(f"{message!r:.300}: {answer}")
        is_alone = before is not None and answer["type"] != "accepted"
        if is_alone and self.version() not in (before, None):
            self.faults.append(f"{message!r:.300} was answered {answer} and changed the table")

    def _answer(self, socket: ClientConnection) -> Json:
        while True:
            told: Json = json.loads(socket.recv(timeout=60))
            if told["type"] in ANSWERS:
                return told

    def close(self) -> None:
        self._stack.close()


def talk(server: Server, count: int, *, advance: Advance = nobody) -> Outcome:
    """Send so many rounds of messages to tables' sockets, a new table each round."""
    answers: Counter[str] = Counter()
    faults: list[str] = []
    words = st.lists(st.tuples(st.integers(0, 3), messages()), min_size=5, max_size=30)

    @settings(max_examples=count, **HOW)
    @given(said=words)
    def round_of(said: list[tuple[int, str | bytes]]) -> None:
        room = Room(server)
        for who, message in said:
            room.send(who, message)
        room.close()
        answers.update(room.answers)
        faults.extend(room.faults)
        advance(1)

    round_of()
    numbers = {"messages": answers.total(), "answers": dict(answers)}
    return Outcome(numbers, faults + ([server.faults] if server.faults else []))
