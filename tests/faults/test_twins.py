"""Twin matches, of which somebody sees the same: no route, socket, log or metric tells them apart.

What is asked is listed by operation and by socket, and the lists must name all there are: a
new one fails here until somebody has thought about what it may tell.
"""

import asyncio
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from starlette.routing import WebSocketRoute

from kwartet.reviews import advise
from kwartet.server.api import OPERATIONS
from kwartet.server.app import make_app
from kwartet.server.settings import Settings
from tests.serving import PLENTY, Guest, Server, on_a_loop, visiting
from tests.test_server_secrets import SEED, check_the_setting, known, plain, planted, twins

Ask = tuple[str, Any]  # what stands behind the path, and the body
TABLE: Final = "/api/tables/{table}"
PLY: Final = 19  # of the twins
HIDDEN: Final = ("GT1", "RX3", "BC1", "BC2", "GX1", "RC3", "BS1", "BS2")  # cards of seat 1


def drawn(*more: str) -> list[Ask]:
    """A picture at several plies and from each seat."""
    queries = ["", "?seat=0", "?seat=1", "?size=300&theme=dark&language=de", *more]
    return [(query, None) for query in [*queries, *(f"?ply={ply}" for ply in (0, 9, 15, PLY, 20))]]


RESIGN: Final = ("POST", f"{TABLE}/resign")  # opens the match, so it comes after everything else
# What is asked about a running match, in this order.
ASKED: Final[dict[tuple[str, str], list[Ask]]] = {
    ("GET", TABLE): [("", None), ("?invite=x", None)],
    ("DELETE", TABLE): [("", None)],
    ("GET", f"{TABLE}/preview"): [
        (f"?piece={piece}&ply={ply}", None)
        for piece in ("BC1", "GX1", "J", "BS4", "?")
        for ply in (PLY, 3)
    ],
    ("GET", f"{TABLE}/why"): [
        (f"?move={move}&ply={PLY}", None)
        for move in ("GT1@1,1", "BC1@0,2", "pass GT1", "done", "BS4@1,1", "swap J@0,0", "*GX1")
    ],
    ("GET", f"{TABLE}/replay"): [("", None), ("?seat=1", None), ("?since=9", None)],
    ("GET", f"{TABLE}/position"): [(f"?ply={ply}", None) for ply in (9, 11)],
    ("GET", f"{TABLE}/review"): [("", None)],
    ("POST", f"{TABLE}/try"): [("", {"ply": 11, "move": "GT1@1,0"}), ("", {})],
    ("GET", f"{TABLE}/coach"): [("", None), ("?since=9", None)],
    ("GET", f"{TABLE}/picture"): [*drawn("?open=1", f"?open=1&ply={PLY}")],
    ("GET", f"{TABLE}/picture.svg"): drawn(),
    ("GET", f"{TABLE}/picture.png"): drawn(),
    ("GET", f"{TABLE}/link.png"): drawn(),
    ("GET", f"{TABLE}/film.gif"): [("", None), ("?seat=1", None)],
    ("GET", f"{TABLE}/record"): [("", None)],
    ("GET", f"{TABLE}/sheet"): [("", None), ("?language=de", None)],
    ("POST", f"{TABLE}/branch"): [("", {"ply": 9, "seats": [{"kind": "me"}] * 2})],
    ("POST", f"{TABLE}/moves"): [
        ("", {"ply": ply, "move": move})
        for move in ("GT1@1,1", "J@1,1", "BC1@0,2", "*BC2", "pass GT1", "?", "")
        for ply in (PLY, PLY + 1)
    ],
    ("POST", f"{TABLE}/sit"): [("", {}), ("", {"seat": 1}), ("", {"invite": "x"})],
    ("POST", f"{TABLE}/shuffle"): [("", {"part": "amber"}), ("", {"part": "\u0007"}), ("", {})],
    ("POST", f"{TABLE}/leave"): [("", {})],
    ("POST", f"{TABLE}/start"): [("", {})],
    ("POST", f"{TABLE}/offer"): [("", {"kind": kind}) for kind in ("draw", "rematch", "takeback")],
    ("POST", f"{TABLE}/reply"): [("", {"accept": True}), ("", {"accept": False})],
    ("POST", f"{TABLE}/handover"): [("", {"seat": seat}) for seat in (1, 7)],
    ("POST", f"{TABLE}/return"): [("", {})],
    ("POST", f"{TABLE}/chat"): [("", {"text": "hm"})],
    ("POST", f"{TABLE}/mute"): [("", {"player": "hider", "muted": True})],
    ("POST", f"{TABLE}/hint"): [("", {})],
    ("POST", f"{TABLE}/solve"): [("", {})],
}
# What is asked about people and the whole house; it must not name what is hidden anywhere.
APART: Final[dict[tuple[str, str], Any]] = {
    ("GET", "/api/games"): None,
    ("GET", "/api/me"): None,
    ("PATCH", "/api/me"): {"name": "Ann"},
    ("POST", "/api/me/link"): {},
    ("POST", "/api/me/claim"): {"secret": "x"},
    ("GET", "/api/me/tokens"): None,
    ("POST", "/api/me/tokens"): {"name": "script"},
    ("DELETE", "/api/me/tokens/{token}"): None,
    ("GET", "/api/me/devices"): None,
    ("DELETE", "/api/me/devices/{device}"): None,
    ("GET", "/api/me/export"): None,
    ("POST", "/api/me/blocks"): {"player": "nobody"},
    ("GET", "/api/me/blocks"): None,
    ("DELETE", "/api/me/blocks/{player}"): None,
    ("POST", "/api/reports"): {"reason": "other", "table": "twin0", "words": "hm"},
    ("GET", "/api/me/push"): None,
    ("POST", "/api/me/push"): {},
    ("DELETE", "/api/me/push"): {"endpoint": "https://example.org"},
    ("GET", "/api/players/{player}"): None,
    ("GET", "/api/players/{player}/history"): None,
    ("GET", "/api/players/{player}/bests/{game}"): None,
    ("GET", "/api/ratings/{game}"): None,
    ("GET", "/api/lobby"): None,
    ("GET", "/api/tables"): None,
    ("POST", "/api/tables"): {"game": "kwatro"},
    ("POST", "/api/records/check"): {"text": "*RT4", "game": "kwatro"},
    ("POST", "/api/records"): {"text": "*RT4", "game": "kwatro"},
    ("GET", "/healthz"): None,
    ("GET", "/readyz"): None,
    ("DELETE", "/api/me/devices"): None,
    ("DELETE", "/api/me"): None,
}
SOCKETS: Final = {f"{TABLE}/live", f"{TABLE}/review/live", "/api/live"}
NAMES: Final = {"player": "hider", "game": "kwatro", "token": "x", "device": "x"}


def test_everything_that_can_be_asked_is_asked() -> None:
    assert {(o.method, o.path) for o in OPERATIONS} == {*ASKED, *APART, RESIGN}
    app = make_app(Settings(), "secret", None)  # type: ignore[arg-type]
    assert {r.path for r in app.routes if isinstance(r, WebSocketRoute)} == SOCKETS


def test_hints_are_the_same_whatever_others_hold() -> None:
    first, second = [advise(twin, 0, simulations=200, seed=7) for twin in twins()]
    assert first
    assert first == second


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that nobody else asks, so that its log and metrics can be compared."""
    server = Server(tmp_path, *PLENTY, "--review-processes", "0").start()
    yield server
    server.kill()
    assert not server.faults


@on_a_loop
async def test_twins_are_told_apart_by_nothing(own_server: Server) -> None:
    tables = await planted(f"sqlite:///{own_server.data}/kwartet.db")
    async with visiting(own_server) as visit:
        hider = await known(visit, "hider")
        for table in tables:
            await hider.watch(table)  # so that nobody is away
        await check_the_setting(hider, tables)
        seer = await known(visit, "seer")
        for watcher in (await visit.stranger(), await visit.guest(), seer):
            for listen in (pushed, answered):
                first, second = [await listen(watcher, table) for table in tables]
                for one, other in zip(first, second, strict=True):
                    assert one == other, difference(str(one), str(other))
                for name, said in first:
                    if not is_refusal(said):  # which may repeat what was asked, or an example
                        asked = [word for word in HIDDEN if word in name]
                        for word in {SEED, *HIDDEN}.difference(asked):
                            assert word not in str(said), name
        for said in await house_told(await known(visit, "seer")):
            assert SEED not in said
        ends = [await sent(seer, "POST", f"/api/tables/{table}/resign", {}) for table in tables]
        assert answer(ends[0], tables[0]) == answer(ends[1], tables[1])
    assert SEED not in own_server.log


def difference(one: str, other: str) -> str:
    """Where two texts part, and a little more."""
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"{one[max(0, place - 80) : place]} >>> {one[place:][:80]} <<< {other[place:][:80]}"


async def pushed(guest: Guest, table: str) -> list[tuple[str, Any]]:
    """What each socket says at first."""
    said: list[tuple[str, Any]] = []
    for path in sorted(SOCKETS):
        socket = await guest.socket(path.replace("{table}", table))
        said.append((path, told(str(await socket.recv()), table)))
        await socket.close()
    return said


async def answered(guest: Guest, table: str) -> list[tuple[str, Any]]:
    """Every answer about the table, then what was logged and counted meanwhile."""
    log, metrics = len(own_log(guest)), await counted(guest)
    said: list[tuple[str, Any]] = []
    for (method, path), asks in ASKED.items():
        for query, body in asks:
            address = path.replace("{table}", table) + query
            response = await sent(guest, method, address, body)
            said.append((f"{method} {path}{query} {body}", answer(response, table)))
    page = await guest.http.get(f"{guest.server.url}/table/{table}")
    said.append(("page", answer(page, table)))
    if not guest.id:
        guest.http.cookies.clear()  # a stranger again
    await asyncio.sleep(0.1)
    lines = [told(re.sub(r"^\S+ \S+ ", "", line), table) for line in own_log(guest)[log:]]
    said.append(("log", sorted(_timeless(line) for line in lines)))
    return [*said, ("metrics", await counted(guest) - metrics)]


def own_log(guest: Guest) -> list[str]:
    return guest.server.log.splitlines()


async def counted(guest: Guest) -> Counter[str]:
    """What the server has counted; what stands at a moment or takes time may differ."""
    text = (await guest.http.get(f"{guest.server.url}/metrics")).text
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    counters = re.compile(r"kwartet_(?!.*_seconds).*_total")
    return Counter({name: int(float(n)) for name, _, n in lines if counters.match(name)})


async def sent(guest: Guest, method: str, path: str, body: Any) -> httpx.Response:
    how = {} if body is None else {"json": body}
    return await guest.http.request(method, guest.server.url + path, **how)


def answer(response: httpx.Response, table: str) -> tuple[int, str]:
    """A response, without what may differ; pictures by their digest."""
    if response.headers.get("content-type", "").startswith("image/"):
        return response.status_code, hashlib.sha256(response.content).hexdigest()
    if '"hints":[{' in response.text:  # searched with luck; compared with the same luck above
        return response.status_code, "hints"
    return response.status_code, told(response.text, table)


def is_refusal(said: Any) -> bool:
    return '"type":"refused"' in str(said)


def told(text: str, table: str) -> str:
    """A text, without what may differ; a list of tables has both of them, in any order."""
    said = re.sub(r'"player":"[^"]*","name":"Guest \d+"', "", plain(text, table))
    if said.startswith('{"type":"lobby"'):
        rows = re.sub(r"twin\d", "T", said).split('{"id":')
        return str(sorted(row.rstrip(",]}") for row in rows))
    return said


def _timeless(line: str) -> str:
    return re.sub(r"\b(ms|seconds|milliseconds)=[\d.]+", "", re.sub(r"\x1b\[[\d;]*m", "", line))


async def house_told(guest: Guest) -> list[str]:
    """What is told of people and the house."""
    said = []
    for (method, path), body in APART.items():
        for name, value in NAMES.items():
            path = path.replace(f"{{{name}}}", value)
        said.append((await sent(guest, method, path, body)).text)
    return said
