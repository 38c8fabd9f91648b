"""Requests as nobody should send them: refused with a code, and nothing has changed."""

import asyncio
import json
import random
import string
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kwartet.server.messages import FromServer, Refused
from tests.serving import (
    PATHS,
    Json,
    Server,
    assert_guarded,
    checked,
    on_a_loop,
    pair,
    strict,
    visiting,
)
from tests.test_server_commands import still

TEXTS = ["\0", "\x1b[2J", "\u202e", "*?", "../..", "' OR 1=1 --", "<b>", "🦊", "%00", "a1rr"]
DEEP = "[" * 8000 + "]" * 8000
HUGE = "9" * 5000


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "bad-request"),
        (b"{", "bad-request"),
        (b"null", "bad-request"),
        (b"[]", "bad-request"),
        (b'"connect_four"', "bad-request"),
        (b"\xff\xfe{}", "bad-request"),
        (b'{"game": "connect_four", "options": {"x": "\\ud800"}}', "bad-request"),
        (b'{"game": "connect_four\\u0000"}', "unknown-game"),
        (b'{"game": "kwatro", "options": {"players": %s}}' % HUGE.encode(), "bad-request"),
        (b'{"game": "kwatro", "options": {"players": -1e999}}', "bad-request"),
        (b'{"game": "kwatro", "options": {"players": NaN}}', "bad-request"),
        (b'{"game": "kwatro", "options": {"players": %s}}' % DEEP.encode(), "bad-request"),
        (b'{"game": %s}' % DEEP.encode(), "bad-request"),
        (
            b'{"game": "kwatro", "clock": {"kind": "live", "seconds": 1e99}}',
            "bad-request",
        ),
        (b" " * 20_000, "too-large"),
    ],
    ids=range(15),
)
@on_a_loop
async def test_a_broken_body_is_refused(server: Server, body: bytes, code: str) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        how: Json = {"content": body, "headers": {"content-type": "application/json"}}
        response = await ann.http.post(f"{server.url}/api/tables", **how)
        assert checked("POST", "/api/tables", response)["code"] == code
        assert response.status_code in (400, 404, 413)


@on_a_loop
async def test_only_json_is_taken(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
            headers = {"content-type": kind}
            content = b'{"game": "connect_four"}'
            path = f"{server.url}/api/tables"
            response = await ann.http.post(path, content=content, headers=headers)
            assert (response.status_code, response.json()["code"]) == (415, "bad-type")
        assert (await ann.get("/api/lobby"))["mine"] == []


@on_a_loop
async def test_what_another_site_sends_is_refused(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit)
        path = f"/api/tables/{table}/moves"
        wish = {"ply": 0, "move": "a"}
        for origin in ("https://evil.example", "null", "http://localhost:1", server.url + ".evil"):
            response = await ann.http.post(server.url + path, json=wish, headers={"origin": origin})
            assert (response.status_code, response.json()["code"]) == (403, "bad-origin")
            socket = await ann.socket(f"/api/tables/{table}/live", headers={"origin": origin})
            assert strict(await socket.recv(), Refused).code == "bad-origin"
            assert await closed(socket) == 4403  # there is no use in trying again
        assert (await ann.look(table))["match"]["log"] == []
        good = await ann.http.post(server.url + path, json=wish, headers={"origin": server.url})
        assert good.status_code == 200


@on_a_loop
async def test_a_name_that_is_not_the_server_s_is_refused(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit)
        for host in ("evil.example", "localhost.evil.example", "[", "[::1", "", "a b", "x:y:z"):
            for path in ("/api/me", "/api/lobby", "/metrics", "/healthz"):
                response = await ann.http.get(server.url + path, headers={"host": host})
                assert response.status_code in (400, 403), (host, path, response.text)
        address = f"ws://evil.example/api/tables/{table}/live"
        port = int(server.url.rpartition(":")[2])
        async with connect(address, host="127.0.0.1", port=port, proxy=None) as socket:
            assert strict(await socket.recv(), Refused).code == "bad-host"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/account",
        "/assets/none.js",
        "/../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fpyproject.toml",
        "/%00",
        "/" + "x" * 5000,
        "/api",
        "/api/",
        "/api/none",
        "/api/style.css",
        "/api/openapi.json",
        "/api/tables/none",
        "/metrics",
        "/healthz",
        "/readyz",
    ],
)
@on_a_loop
async def test_every_response_is_guarded(server: Server, path: str) -> None:
    async with visiting(server) as visit:
        stranger = await visit.stranger()
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"):
            response = await stranger.http.request(method, server.url + path)
            assert_guarded(response)
            assert response.status_code < 500, (method, response.text)
            assert "root:" not in response.text
            assert "hatchling" not in response.text
            assert "server" not in response.headers


# Sockets


async def closed(socket: ClientConnection) -> int | None:
    """The code with which the socket is closed."""
    with pytest.raises(ConnectionClosed) as closing:
        await socket.recv()
    return closing.value.rcvd.code if closing.value.rcvd else None


@on_a_loop
async def test_a_message_that_is_too_large_ends_the_socket_and_no_more(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit)
        live, other = await ann.watch(table), await ann.watch(table)
        await live.socket.send(json.dumps({"type": "chat", "text": "x" * 40_000}))
        with pytest.raises(ConnectionClosed) as closed:
            await live.until(lambda _: False)
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1009
        assert (await other.play("a"))["type"] == "accepted"


@on_a_loop
async def test_bytes_instead_of_text_are_refused(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit)
        live = await ann.watch(table)
        await live.socket.send(b'{"type": "play", "ply": 0, "move": "a"}')
        while (answer := await live.hear())["type"] == "table":
            pass
        assert answer["code"] == "bad-request"
        lobby = await ann.socket("/api/live")
        await lobby.send(b"?")
        assert '"lobby"' in str(await lobby.recv())
        assert (await ann.look(table))["match"]["log"] == []
        assert (await live.play("a"))["type"] == "accepted"


def nonsense(luck: random.Random) -> str:
    """Something like a message, but never one that may change the table."""
    values: list[Any] = [None, True, -1, 2**63, 1e308, [], {}, "", "a", "x" * 400, [[[]]], *TEXTS]
    kinds = [*PATHS, "ping", "table", "accepted", "", "PLAY"]
    fields = ["ply", "move", "id", "seat", "invite", "kind", "accept", "text", "player", "level"]
    message: dict[str, Any] = {name: luck.choice(values) for name in luck.sample(fields, 4)}
    message["type"] = luck.choice(kinds)
    message["odd"] = luck.choice(values)  # no command has such a field
    text = json.dumps(message)
    match luck.randrange(4):
        case 0:
            return text
        case 1:
            return text[: luck.randrange(len(text))]
        case 2:
            place = luck.randrange(len(text))
            return text[:place] + luck.choice(string.printable) * 3 + text[place:]
        case _:
            return "".join(luck.choice(string.printable) for _ in range(luck.randrange(1, 60)))


@on_a_loop
async def test_ten_thousand_senseless_messages_change_nothing(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit)
        eve = await visit.guest("Eve")
        await bob.watch(table)  # so that nobody comes to be away meanwhile
        before = still(await ann.look(table))
        luck = random.Random(1)

        async def bother(path: str, count: int) -> None:
            socket = await eve.socket(path) if count == 2000 else await ann.socket(path)
            answers = 0

            async def send() -> None:
                for _ in range(count):
                    await socket.send(nonsense(luck))

            async def hear() -> None:
                nonlocal answers
                while answers < count:
                    answer = strict(await socket.recv(), FromServer)
                    answers += isinstance(answer, Refused)

            await asyncio.gather(send(), hear())
            await socket.close()

        path = f"/api/tables/{table}/live"
        await asyncio.gather(bother(path, 4000), bother(path, 4000), bother(path, 2000))
        assert still(await ann.look(table)) == before
        assert (await ann.do(table, "play", ply=0, move="a"))["type"] == "accepted"
        assert (await bob.do(table, "play", ply=1, move="a"))["type"] == "accepted"


# Too much


@on_a_loop
async def test_who_asks_too_much_is_refused_for_a_while(tmp_path: Path) -> None:
    server = Server(
        *(tmp_path, "--identity-rate", "2", "--address-rate", "10"),
        *("--watchers-per-address", "3", "--body-bytes", "1000"),
    )
    server.start(wait=False)
    try:
        async with visiting(server) as visit:
            ann = await visit.guest()
            bob = await visit.guest()
            asked = (ann.http.get(f"{server.url}/api/me") for _ in range(25))
            responses = await asyncio.gather(*asked)
            assert {response.status_code for response in responses} == {200, 429}
            refused = next(one for one in responses if one.status_code == 429)
            assert refused.headers["retry-after"]
            assert checked("GET", "/api/me", refused)["code"] == "too-many"
            assert (await bob.get("/api/me"))["id"] == bob.id
            table = (await bob.open("connect_four", "me", "open"))["id"]
            path = f"/api/tables/{table}/live"
            stranger = await visit.stranger()
            sockets = [await stranger.socket(path) for _ in range(4)]
            assert "too-many" in str(await sockets[3].recv())
            assert await closed(sockets[3]) == 1013  # later there is
            await sockets[0].close()
            await asyncio.sleep(0.1)
            assert '"type":"table"' in str(await (await stranger.socket(path)).recv())
            codes = await asyncio.gather(
                *(stranger.http.get(f"{server.url}/api/games") for _ in range(80))
            )
            assert {code.status_code for code in codes} == {200, 429}
    finally:
        server.kill()
    assert not server.faults


@on_a_loop
async def test_a_socket_to_nowhere_is_refused(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        with pytest.raises((InvalidStatus, ConnectionClosed, httpx.HTTPError)):
            await (await ann.socket("/api/nowhere")).recv()
