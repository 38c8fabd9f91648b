"""Connections as nobody should make them: counted, bounded, and let go."""

import asyncio
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from kwartet.core.errors import GameError
from kwartet.server.addresses import Proxies, counted
from kwartet.server.gates import FINE, FRAMES_IN_A_ROW, HEAD_BYTES, SPARE_EACH
from kwartet.server.limits import Limit, Rate
from tests.doors import (
    ask,
    closing,
    cpu_seconds,
    dial,
    ends,
    frame,
    memory,
    pour,
    read_frame,
    websocket,
)
from tests.serving import Json, Server, eventually, free_port, on_a_loop, pair, visiting

PATIENCE = 1.5
EACH = 20  # sockets from one address
RATE = 20  # requests a second from one address, and five times that in a row
PINGS = frame(1, b'{"type": "ping"}') * 1000


@pytest.fixture(scope="module")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with little patience. Each test comes from addresses of its own, 127.x.y.z."""
    server = Server(
        tmp_path_factory.mktemp("strict"),
        *("--patience", str(PATIENCE), "--trusted-proxies", "127.0.0.1, 127.5.0.0/16"),
        *("--watchers-per-address", str(EACH), "--address-rate", str(RATE)),
    )
    yield server.start()  # everything is in memory before that is measured
    server.kill()
    assert not server.faults


# Connections


@on_a_loop
async def test_who_sends_nothing_or_half_a_request_is_let_go(strict_server: Server) -> None:
    head = b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    starts = {
        "nothing": b"",
        "blank": b"\r\n",
        "half a header": head,
        "half a body": head + b'content-length: 100\r\n\r\n{"game"',
        "half a chunk": head + b"transfer-encoding: chunked\r\n\r\n5\r\nab",
    }
    streams = []
    for start in starts.values():
        for _ in range(10):
            stream = await dial(strict_server, "127.1.0.1")
            stream[1].write(start)
            streams.append(stream)
    began = asyncio.get_running_loop().time()
    assert (await ask(strict_server, "GET /healthz"))[0] == 200
    assert all(await asyncio.gather(*map(ends, streams)))
    assert asyncio.get_running_loop().time() - began < 20 * PATIENCE
    assert (await ask(strict_server, "GET /healthz", "127.1.0.1"))[0] == 200


@on_a_loop
async def test_a_request_that_trickles_in_is_let_go(strict_server: Server) -> None:
    stream = await dial(strict_server, "127.1.0.2")
    ended = asyncio.create_task(ends(stream))
    for byte in b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ":
        stream[1].write(bytes([byte]))
        await asyncio.sleep(0.1)
        if ended.done():
            break
    assert await ended


@on_a_loop
async def test_one_address_has_so_many_connections_and_no_more(strict_server: Server) -> None:
    most = EACH + SPARE_EACH
    streams = [await dial(strict_server, "127.1.0.3") for _ in range(most)]
    status, answer = await ask(strict_server, "GET /healthz", "127.1.0.3")
    assert status in (0, 503), answer
    assert (await ask(strict_server, "GET /healthz", "127.1.0.4"))[0] == 200
    for _, writer in streams:
        writer.close()

    async def is_let_in() -> bool:
        return (await ask(strict_server, "GET /healthz", "127.1.0.3"))[0] == 200

    await eventually(is_let_in)


@on_a_loop
async def test_a_request_is_not_endless(strict_server: Server) -> None:
    before = memory(strict_server)
    for start, more in (
        (b"GET / HTTP/1.1\r\n", b"x: " + b"y" * 1000 + b"\r\n"),
        (b"GET / HTTP/1.1\r\nx: ", b"y" * 1000),
        (b"GET /", b"y" * 1000),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ):
        stream = _, writer = await dial(strict_server, "127.1.0.5")
        writer.write(start)
        ended = asyncio.create_task(ends(stream))
        sent = 0
        while not ended.done() and sent < 50 * HEAD_BYTES * 60:
            writer.write(200 * more)
            sent += 200 * len(more)
            try:
                await writer.drain()
            except ConnectionError:
                break
        assert await ended
        assert sent < 50 * HEAD_BYTES * 60
    assert memory(strict_server) - before < 30


@on_a_loop
async def test_a_limit_is_taken_before_the_body_is_read(tmp_path: Path) -> None:
    told = {"content_type": "application/json", "content_length": "15000"}
    limits = ("--patience", str(PATIENCE), "--address-rate", "1")
    server = Server(tmp_path, *limits).start(wait=False)

    async def send() -> int:  # the body never comes
        return (await ask(server, "POST /api/me/claim", "127.1.0.6", "{", **told))[0]

    try:
        statuses = await asyncio.gather(*(send() for _ in range(30)))
        assert set(statuses) == {0, 429}  # let go, or refused without waiting for the body
        assert statuses.count(429) >= 5
    finally:
        server.kill()
    assert not server.faults


@on_a_loop
async def test_a_body_that_is_said_to_be_too_large_is_refused_unread(strict_server: Server) -> None:
    told = {"content_type": "application/json", "content_length": "1000000000"}
    status, answer = await ask(strict_server, "POST /api/me/claim", "127.1.0.7", **told)
    assert status == 413
    assert "too-large" in answer


@on_a_loop
async def test_a_body_that_breaks_off_leaves_no_trace(strict_server: Server) -> None:
    for _ in range(10):
        _, writer = await dial(strict_server, "127.1.0.8")
        writer.write(
            b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            b'content-length: 100\r\n\r\n{"game"'
        )
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.transport.abort()

    async def is_counted() -> bool:
        _, metrics = await ask(strict_server, "GET /metrics")
        found = re.search(r'requests_total\{route="/api/tables",status="499"\} (\d+)', metrics)
        return bool(found and float(found[1]) >= 10)

    await eventually(is_counted)
    assert not strict_server.faults


@on_a_loop
async def test_who_floods_with_requests_is_read_slowly(strict_server: Server) -> None:
    reader, writer = await dial(strict_server, "127.1.0.20")
    writer.write(b"GET /api/nowhere HTTP/1.1\r\nhost: localhost\r\n\r\n" * 4000)
    answers = 0
    try:
        async with asyncio.timeout(4):
            while part := await reader.read(65536):
                answers += part.count(b"HTTP/1.1 404")
    except TimeoutError:
        pass
    assert 10 * RATE <= answers < 10 * RATE + 20 * RATE  # twice the rate, and what was read
    assert (await ask(strict_server, "GET /healthz", "127.1.0.21"))[0] == 200
    writer.transport.abort()


@on_a_loop
async def test_who_floods_through_a_proxy_is_refused_at_once(strict_server: Server) -> None:
    asked = (
        ask(strict_server, "GET /api/nowhere", "127.5.0.3", x_forwarded_for="203.0.113.50")
        for _ in range(20 * RATE)
    )
    answers = await asyncio.gather(*asked)
    assert {status for status, _ in answers} - {0} == {404, 429}  # 0: too late on a busy machine
    refused = next(answer for status, answer in answers if status == 429)
    assert "default-src 'none'" in refused
    assert "too-many" in refused


# Addresses


def test_an_address_is_counted_by_who_has_it() -> None:
    assert counted("203.0.113.7") == "203.0.113.7"
    assert counted("::ffff:203.0.113.7") == "203.0.113.7"
    assert counted("2001:db8:1:2:3:4:5:6") == counted("2001:db8:1:2::1") == "2001:db8:1:2::/64"
    assert counted("2001:db8:1:3::1") != counted("2001:db8:1:2::1")
    assert counted("fe80::1%eth0") == "fe80::/64"
    assert counted("?") == "?"


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "1.1.1.1, 203.0.113.7", "203.0.113.7"),  # what the client claims is not read
        ("10.0.0.1", "203.0.113.7, 10.9.9.9", "203.0.113.7"),
        ("10.0.0.1", "203.0.113.7:4711", "203.0.113.7"),
        ("10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("10.0.0.1", "10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "1.1.1.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("203.0.113.7", "1.1.1.1", "203.0.113.7"),
    ],
)
def test_the_last_who_is_no_trusted_proxy_is_the_client(
    peer: str, forwarded: str, client: str
) -> None:
    assert Proxies("10.0.0.0/8, ::1").client(peer, forwarded) == client


def test_what_is_no_network_cannot_be_trusted() -> None:
    with pytest.raises(GameError, match="'here', no network") as refused:
        Proxies("10.0.0.1, here")
    assert refused.value.code == "bad-setting"


@on_a_loop
async def test_a_trusted_proxy_s_people_are_limited_one_by_one(strict_server: Server) -> None:
    async def is_too_much(source: str, *people: str) -> bool:
        """Whether two people, each of whom asks for as much as one may, are too many."""
        asked = (
            ask(strict_server, "GET /api/players/nobody", source, x_forwarded_for=person)
            for person in people * 5 * RATE
        )
        statuses = {status for status, _ in await asyncio.gather(*asked)}
        assert statuses <= {0, 404, 429, 503}  # so many connections may be too many as well
        return 429 in statuses

    assert not await is_too_much("127.5.0.1", "203.0.113.1", "203.0.113.2")
    assert not await is_too_much("127.5.0.1", "2001:db8::1", "2001:db8:0:1::1")
    assert await is_too_much("127.5.0.1", "2001:db8:0:2::1", "2001:db8:0:2:ffff::2")  # one /64
    assert await is_too_much("127.1.0.9", "203.0.113.3", "203.0.113.4")  # no proxy: not believed


@on_a_loop
async def test_a_cookie_is_secure_where_the_page_is(strict_server: Server) -> None:
    async def cookie(source: str, scheme: str) -> str:
        _, answer = await ask(strict_server, "GET /api/me", source, x_forwarded_proto=scheme)
        return next(line for line in answer.splitlines() if line.startswith("set-cookie"))

    assert "; Secure" in await cookie("127.5.0.2", "https")
    assert "; Secure" not in await cookie("127.5.0.2", "http")
    assert "; Secure" not in await cookie("127.5.0.2", "gopher")
    assert "; Secure" not in await cookie("127.1.0.10", "https")


@on_a_loop
async def test_a_public_url_makes_links_and_cookies_and_may_be_the_host(tmp_path: Path) -> None:
    port = free_port()
    server = Server(tmp_path, "--port", str(port), "--public-url", "https://play.example")
    server.start(wait=False, says="https://play.example", url=f"http://localhost:{port}")
    try:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
            for host, status in (("play.example", 200), ("elsewhere.example", 403)):
                answer = await http.get("/api/me", headers={"host": host})
                assert answer.status_code == status
            http.cookies.set("kwartet", (await http.get("/api/me")).cookies["kwartet"])
            link = await http.post("/api/me/link", headers={"origin": "https://play.example"})
            assert link.json()["url"].startswith("https://play.example/claim#")
            fresh = await http.get("/api/me", headers={"cookie": ""})
            assert "; Secure" in fresh.headers["set-cookie"]
    finally:
        server.kill()


@on_a_loop
async def test_all_addresses_are_those_of_both_families(tmp_path: Path) -> None:
    server = Server(tmp_path, "--host", "::")
    server.start(wait=False)
    try:
        port = server.url.rpartition(":")[2]
        async with httpx.AsyncClient(timeout=60) as http:
            for host in ("127.0.0.1", "[::1]"):
                assert (await http.get(f"http://{host}:{port}/healthz")).status_code == 200
    finally:
        server.kill()


@on_a_loop
async def test_a_server_with_too_few_descriptors_says_so_and_lives_with_them(
    tmp_path: Path,
) -> None:
    server = Server(tmp_path, "--trusted-proxies", "", "--patience", "8", descriptors=(300, 600))
    server.start(wait=False)
    try:
        assert "too few descriptors" in server.log
        assert re.search(r"connections=\d+.* descriptors=600", server.log)
        streams = [await dial(server, f"127.2.0.{n % 5 + 1}") for n in range(400)]
        status, _ = await ask(server, "GET /healthz", "127.2.0.9")
        assert status in (0, 503)
        await asyncio.gather(*map(ends, streams))
        assert (await ask(server, "GET /healthz", "127.2.0.9"))[0] == 200
    finally:
        server.kill()
    assert not server.faults


# Sockets


@on_a_loop
async def test_pings_are_answered_and_a_flood_of_them_ends_the_socket(
    strict_server: Server,
) -> None:
    reader, writer = await websocket(strict_server, "/api/live", "127.1.0.11")
    writer.write(frame(9, b"one") + frame(9, b"two"))
    while (told := await read_frame(reader))[0] == 1:
        pass
    assert told == (10, b"one")
    assert await read_frame(reader) == (10, b"two")
    before = memory(strict_server)
    flood = frame(9, b"x" * 100) * 1000
    code = asyncio.create_task(closing((reader, writer)))
    for _ in range(100):
        writer.write(flood)
        try:
            await writer.drain()
        except ConnectionError:
            break
    assert await code in (1006, 1008)
    assert memory(strict_server) - before < 10


@on_a_loop
async def test_a_ping_flood_that_is_not_read_is_cut_off(strict_server: Server) -> None:
    before = memory(strict_server)
    streams = [
        await websocket(strict_server, "/api/live", "127.1.0.12", receive=2048) for _ in range(EACH)
    ]
    for _ in range(40):
        for _, writer in streams:
            if not writer.is_closing():
                writer.write(frame(9, b"x" * 100) * 100)
        await asyncio.sleep(0.01)
    assert all(await asyncio.gather(*map(ends, streams)))
    assert memory(strict_server) - before < 10


@on_a_loop
async def test_a_message_in_endless_empty_pieces_ends_the_socket(strict_server: Server) -> None:
    for first in (1, 2):
        stream = await websocket(strict_server, "/api/live", "127.1.0.13")
        pieces = frame(first, last=False) + frame(0, last=False) * int(2 * FRAMES_IN_A_ROW)
        stream[1].write(pieces)
        assert await closing(stream) == 1008


@on_a_loop
async def test_who_floods_the_lobby_with_messages_is_heard_slowly(strict_server: Server) -> None:
    before = memory(strict_server)
    reader, writer = await websocket(strict_server, "/api/live", "127.1.0.14")
    flooding = asyncio.create_task(pour(writer, PINGS, 20_000_000))
    pongs = 0
    try:
        async with asyncio.timeout(8):
            while True:
                _, content = await read_frame(reader)
                pongs += b"pong" in content
    except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
        pass
    assert 5 * RATE <= pongs < 5 * RATE + 20 * RATE
    assert (await ask(strict_server, "GET /healthz"))[0] == 200
    assert memory(strict_server) - before < 10
    flooding.cancel()
    writer.transport.abort()


async def owing(server: Server, source: str) -> None:
    """Ask for so much that the address has to wait."""
    _, writer = await dial(server, source)
    writer.write(b"GET /api/nowhere HTTP/1.1\r\nhost: localhost\r\n\r\n" * 20 * RATE)
    await asyncio.sleep(1)
    writer.transport.abort()


@on_a_loop
async def test_an_address_that_asked_for_too_much_is_heard_slowly_on_new_sockets_too(
    strict_server: Server,
) -> None:
    await owing(strict_server, "127.1.0.24")
    before = memory(strict_server)
    reader, writer = await websocket(strict_server, "/api/live", "127.1.0.24", send=4096)
    discarding = asyncio.create_task(ends((reader, writer)))
    flooding = asyncio.create_task(pour(writer, PINGS, 20_000_000))
    done, _ = await asyncio.wait([flooding, discarding], timeout=8)
    assert not done  # it is neither read to the end nor cut off
    assert memory(strict_server) - before < 10
    flooding.cancel()
    writer.transport.abort()
    await discarding


@on_a_loop
async def test_an_address_that_asked_for_too_much_waits_on_new_connections_too(
    strict_server: Server,
) -> None:
    await owing(strict_server, "127.1.0.25")
    began = time.monotonic()
    answers = await asyncio.gather(
        *(ask(strict_server, "GET /api/nowhere", "127.1.0.25") for _ in range(20))
    )
    assert {status for status, _ in answers} == {404}  # however long: it is not their delay
    assert time.monotonic() - began > PATIENCE


@on_a_loop
async def test_who_goes_on_after_goodbye_is_cut_off(strict_server: Server) -> None:
    path = "/api/tables/nowhere/live"
    _, writer = await websocket(strict_server, path, "127.1.0.26", send=4096)
    assert await pour(writer, PINGS, 20_000_000) < 2_000_000


@on_a_loop
async def test_floods_of_pings_make_an_address_wait(strict_server: Server) -> None:
    opened = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(4):
            while True:
                _, writer = await websocket(strict_server, "/api/live", "127.1.0.27", send=4096)
                opened += 1
                await pour(writer, frame(9) * 500, 1_000_000)
                writer.transport.abort()
    burst = 2 * 5 * RATE  # of requests, at twice the rate
    assert opened < 2 + (burst + 4 * 2 * RATE) / FINE
    assert (await ask(strict_server, "GET /healthz", "127.1.0.28"))[0] == 200


@on_a_loop
async def test_sockets_through_a_proxy_are_counted_as_requests(strict_server: Server) -> None:
    wished = {
        "upgrade": "websocket",
        "sec_websocket_version": "13",
        "sec_websocket_key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "x_forwarded_for": "203.0.113.51",
    }
    lines = "".join(f"{name.replace('_', '-')}: {said}\r\n" for name, said in wished.items())
    head = f"GET /api/live HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\n{lines}\r\n"

    async def status() -> int:
        reader, writer = await dial(strict_server, "127.5.0.4")
        writer.write(head.encode())
        line = await reader.readuntil(b"\r\n")
        writer.transport.abort()
        return int(line.split()[1])

    statuses = await asyncio.gather(*(status() for _ in range(15 * RATE)))
    assert set(statuses) == {101, 429}


@on_a_loop
async def test_who_shares_a_limit_takes_turns_with_others_and_is_served_in_order() -> None:
    limit, served = Limit(Rate(100, 1)), list[str]()
    await limit.turn("house")

    async def ask_for(by: str, number: int) -> None:
        await limit.turn("house", by)
        served.append(f"{by}{number}")

    asked = [("eve", number) for number in range(30)]
    asking = [asyncio.create_task(ask_for(*one)) for one in [*asked, ("ann", 0), ("ann", 1)]]
    await asyncio.sleep(0)
    asking[0].cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    assert served[:4] == ["eve1", "ann0", "eve2", "ann1"]
    assert served[4:] == [f"eve{number}" for number in range(3, 30)]
    await limit.turn("house")  # nobody is left to be waited for


@on_a_loop
async def test_what_a_move_waits_for_its_turn_is_charged_to_nobody(tmp_path: Path) -> None:
    server = Server(tmp_path, "--identity-rate", "4", "--address-rate", "1000").start()
    try:
        async with visiting(server) as visit:
            began = time.monotonic()
            ann, bob, table = await pair(visit, clock={"kind": "live", "seconds": 60})
            live, *others = [await ann.watch(table) for _ in range(13)]
            for other in others:
                for _ in range(10):
                    await other.socket.send('{"type": "ping"}')
            await asyncio.sleep(1)  # all but what may be asked for in a row waits now
            sent = time.monotonic()
            assert (await live.do("play", ply=0, move="a"))["type"] == "accepted"
            assert time.monotonic() - sent > 2
            assert 60 - (await bob.look(table))["seats"][0]["left"] < sent - began + 0.5
    finally:
        server.kill()
    assert not server.faults


@on_a_loop
async def test_a_socket_that_does_not_read_is_closed_and_holds_little(
    strict_server: Server,
) -> None:
    async with visiting(strict_server) as visit:
        ann = await visit.guest("Ann")
        wish: Json = {"options": {"board": "large"}}
        table = (await ann.open("carnac", "me", "me", **wish))["id"]
        before = memory(strict_server)
        path = f"/api/tables/{table}/live"
        streams = [
            await websocket(strict_server, path, "127.1.0.15", receive=2048, cookie=ann.cookie)
            for _ in range(EACH)
        ]
        counted_before = await sockets(strict_server)
        assert counted_before >= EACH
        for number in range(60):
            await ann.do(table, "mute", player=f"somebody {number} " + "x" * 40)

        async def are_gone() -> bool:
            return await sockets(strict_server) <= counted_before - EACH

        assert memory(strict_server) - before < 30
        await eventually(are_gone)
        assert all(await asyncio.gather(*map(ends, streams)))


async def sockets(server: Server) -> float:
    """How many are open."""
    _, metrics = await ask(server, "GET /metrics")
    found = re.search(r"^kwartet_sockets (\S+)", metrics, re.MULTILINE)
    assert found
    return float(found[1])


@on_a_loop
async def test_a_home_page_costs_little_at_each_listed_change(strict_server: Server) -> None:
    async with visiting(strict_server) as visit:
        ann = await visit.guest("Ann")

        async def change() -> float:
            """List a table and put it away, so slowly that all are told; the server's seconds."""
            before, key = cpu_seconds(strict_server), ""
            for number in range(9):
                if number % 2:
                    await ann.ask("DELETE", f"/api/tables/{key}")
                else:
                    key = (await ann.open("connect_four", "me", "open", listed=True))["id"]
                await asyncio.sleep(0.5)
            return cpu_seconds(strict_server) - before

        alone = await change()
        pages = [
            await websocket(strict_server, "/api/live", f"127.6.{n % 20}.1") for n in range(300)
        ]
        reading = [asyncio.create_task(ends(page)) for page in pages]
        await asyncio.sleep(1)
        each = (await change() - alone) / 9 / len(pages)
        assert each < 0.000_15  # seconds; it was half a millisecond
        for _, writer in pages:
            writer.transport.abort()
        await asyncio.gather(*reading)
