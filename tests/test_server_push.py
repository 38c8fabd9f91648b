"""Being told of one's turn while the page is closed."""

import asyncio
import hashlib
import ipaddress
import stat
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.exceptions import InvalidTag

from kwartet.core.errors import GameError
from kwartet.server import webpush
from kwartet.server.accounts import Subscribe, SubscriptionKeys
from kwartet.server.push import DEVICES, TURNS, Push, is_public
from kwartet.server.sites import Sites
from kwartet.store import Store, Subscription, open_store
from tests.push_service import Browser, PushService, claims, push_service
from tests.serving import PLENTY, Guest, Json, Server, eventually, on_a_loop, pair, visiting

TURNS_IN_A_ROW = int(TURNS.in_a_row)
DAYS: Json = {"clock": {"kind": "move", "seconds": 86400}}


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that may send to this machine."""
    server = Server(tmp_path_factory.mktemp("push"), *PLENTY, "--push-loopback")
    yield server.start()
    server.kill()
    assert not server.faults


@pytest.fixture(autouse=True)
def _as_usual(service: PushService) -> None:
    service.status, service.seconds = 201, 0.0


async def subscribed(guest: Guest, service: PushService) -> Browser:
    browser = Browser(service.url)
    assert await guest.ask("POST", "/api/me/push", browser.subscription) is None
    return browser


async def arrives(service: PushService, browser: Browser, count: int = 1) -> None:
    async def has_come() -> bool:
        return len(service.at(browser)) >= count

    await eventually(has_come)


def test_a_message_is_sealed_as_the_standard_s_example_is() -> None:  # RFC 8291, 5
    own = webpush.private_key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    sealed = webpush.seal(
        b"When I grow up, I want to be a watermelon",
        webpush.decode(key),
        webpush.decode("BTBZMqHH6r4Tts7J_aSIgg"),
        own=own,
        salt=webpush.decode("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert webpush.encode(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
        "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS"
        "gSxsj_Qulcy4a-fN"
    )


@on_a_loop
async def test_who_is_away_is_told_when_their_turn_begins(
    server: Server, service: PushService
) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, **DAYS)
        phone, desk = await subscribed(bob, service), await subscribed(bob, service)
        own = await subscribed(ann, service)
        assert (await ann.do(table, "play", ply=0, move="a"))["type"] == "accepted"
        await arrives(service, phone)
        await arrives(service, desk)
        (received,) = service.at(phone)
        assert phone.read(received) == {"game": "connect_four", "table": table}
        assert received.headers["ttl"] == "86400"
        assert table not in str(received.headers)  # its name is all it takes to watch
        assert len(received.headers["topic"]) <= 32
        told = claims(received, (await bob.get("/api/me/push"))["key"])
        assert told["aud"] == service.url
        assert time.time() < told["exp"] < time.time() + 86400
        assert told["sub"].startswith(("https:", "mailto:"))
        with pytest.raises(InvalidTag):
            desk.read(received)
        assert service.at(own) == []
        assert (await bob.do(table, "play", ply=1, move="a"))["type"] == "accepted"
        await arrives(service, own)
        assert table not in server.log


@on_a_loop
async def test_the_start_of_a_match_tells_who_begins(server: Server, service: PushService) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        browser = await subscribed(ann, service)
        table = (await ann.open("connect_four", "me", "open", **DAYS))["id"]
        await bob.do(table, "sit")
        await arrives(service, browser)
        assert browser.read(service.at(browser)[0])["table"] == table


@on_a_loop
async def test_nobody_is_told_who_sits_there_or_plays_at_once(
    server: Server, service: PushService
) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, **DAYS)
        browser = await subscribed(bob, service)
        live = await bob.watch(table)
        await ann.do(table, "play", ply=0, move="a")
        await live.play("a")
        cara, quick = await visit.guest("Cara"), {"kind": "live", "seconds": 600}
        for clock in (None, quick, {"kind": "move", "seconds": 3600}):
            table = (await cara.open("connect_four", "me", "open", clock=clock))["id"]
            await bob.do(table, "sit")
            await cara.do(table, "play", ply=0, move="a")
        ann, dan, table = await pair(visit, **DAYS)  # comes last, so the others would be here
        last = await subscribed(dan, service)
        await ann.do(table, "play", ply=0, move="a")
        await arrives(service, last)
        assert service.at(browser) == []


@pytest.mark.parametrize("end", [410, 404, 405, 301])  # or was never one
@on_a_loop
async def test_a_subscription_that_has_ended_is_forgotten_and_no_other(
    server: Server, service: PushService, end: int
) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, **DAYS)
        browser = await subscribed(bob, service)
        for ply, status in enumerate((500, 429, end, 201)):
            service.status = status
            await ann.do(table, "play", ply=2 * ply, move="abab"[ply])
            if ply < 3:
                await arrives(service, browser, ply + 1)
            await asyncio.sleep(0.2)
            await bob.do(table, "play", ply=2 * ply + 1, move="abab"[ply])
        assert len(service.at(browser)) == 3


@on_a_loop
async def test_who_unsubscribes_is_told_no_more(server: Server, service: PushService) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, **DAYS)
        gone, stays = await subscribed(bob, service), await subscribed(bob, service)
        endpoint = {"endpoint": stays.endpoint}
        await ann.ask("DELETE", "/api/me/push", endpoint)  # which is not hers
        await bob.ask("DELETE", "/api/me/push", {"endpoint": gone.endpoint})
        await ann.do(table, "play", ply=0, move="a")
        await arrives(service, stays)
        assert service.at(gone) == []


@on_a_loop
async def test_a_slow_service_holds_up_no_move(server: Server, service: PushService) -> None:
    service.seconds = 9.0
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, **DAYS)
        browser = await subscribed(bob, service)
        began = time.monotonic()
        await ann.do(table, "play", ply=0, move="a")
        await bob.do(table, "play", ply=1, move="a")
        assert time.monotonic() - began < service.seconds
        await arrives(service, browser)


@on_a_loop
async def test_a_browser_belongs_to_who_used_it_last(server: Server, service: PushService) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, **DAYS)
        browser, other = await subscribed(bob, service), await subscribed(bob, service)
        await ann.ask("POST", "/api/me/push", browser.subscription)
        await ann.do(table, "play", ply=0, move="a")
        await arrives(service, other)
        assert service.at(browser) == []


# What is not a push service


ENDPOINTS = [
    "",
    "push",
    "http://push.example/x",
    "http://localhost:1/x",
    "ftp://push.example/x",
    "file:///etc/passwd",
    "https://",
    "https://push.example:22/x",
    "https://push.example:99999/x",
    "https://user@push.example/x",
    "https://push.example/x#y",
    "https://push.example/a b",
    "https://push.example/\u2028",
    "https://push.example/\0",
    "https://127.0.0.1/x",
    "https://10.0.0.1/x",
    "https://169.254.169.254/latest",
    "https://[::1]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://[fd00::1]/x",
    "https://[64:ff9b::7f00:1]/x",
    "https://[::1/x",
    "https://push.example/" + "x" * 1000,
]


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=range(len(ENDPOINTS)))
@on_a_loop
async def test_an_address_that_no_push_service_has_is_refused(
    sqlite_server: Server, endpoint: str
) -> None:
    async with visiting(sqlite_server) as visit:
        ann = await visit.guest()
        wish = Browser("https://push.example").subscription | {"endpoint": endpoint}
        refused = await ann.ask("POST", "/api/me/push", wish)
        assert refused["code"] in ("bad-endpoint", "bad-request")


@pytest.mark.parametrize(
    "keys",
    [
        {"p256dh": "", "auth": ""},
        {"p256dh": "ä", "auth": "AAAAAAAAAAAAAAAAAAAAAA"},
        {"p256dh": "B" * 87, "auth": "AAAAAAAAAAAAAAAAAAAAAA"},  # a point that is not on the curve
        {"p256dh": "B" * 200, "auth": "AAAAAAAAAAAAAAAAAAAAAA"},
        {"auth": "AAAA"},
    ],
)
@on_a_loop
async def test_keys_that_are_none_are_refused(sqlite_server: Server, keys: Json) -> None:
    async with visiting(sqlite_server) as visit:
        ann = await visit.guest()
        good = Browser("https://push.example").subscription
        wish = good | {"keys": good["keys"] | keys if "p256dh" in keys else keys}
        assert (await ann.ask("POST", "/api/me/push", wish))["code"] == "bad-request"


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::", False),
        ("fe80::1", False),
        ("2002:a00:1::", False),
        ("2001:0:4136:e378::1", False),  # Teredo
        ("2001:db8::1", False),
        ("fec0::1", False),
        ("64:ff9b::808:808", False),
        ("64:ff9b:1::a00:1", False),
        ("::10.0.0.1", False),
        ("::8.8.8.8", False),
        ("::ffff:8.8.8.8", False),
        ("::ffff:0:808:808", False),
        ("3fff::1", False),
        ("5f00::1", False),
        ("100::1", False),
        ("fd00::1", False),
        ("ff0e::1", False),
        ("192.88.99.1", False),
        ("240.0.0.1", False),
        ("198.18.0.1", False),
    ],
)
def test_only_addresses_of_the_internet_are_public(address: str, public: bool) -> None:
    assert is_public(ipaddress.ip_address(address)) == public


@asynccontextmanager
async def sending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *addresses: str, status: int = 201
) -> AsyncIterator[tuple[Push, list[httpx.URL]]]:
    """Push messages, and where they go if every name leads to these addresses."""
    store = await open_store(f"sqlite:///{tmp_path}/kwartet.db")
    signer = webpush.Signer(webpush.new_key(), "mailto:a@b.example")
    push = Push(store, signer, loopback=False)
    gone_to: list[httpx.URL] = []

    async def found(*_: Any, **__: Any) -> Any:
        return [(0, 0, 0, "", (address, 443)) for address in addresses]

    @asynccontextmanager
    async def stream(_: Any, __: str, url: httpx.URL, **how: Any) -> AsyncIterator[httpx.Response]:
        assert how["extensions"] == {"sni_hostname": how["headers"]["host"]}
        gone_to.append(url)
        yield httpx.Response(status)

    with monkeypatch.context() as patch:
        patch.setattr(asyncio.get_running_loop(), "getaddrinfo", found, raising=False)
        patch.setattr(httpx.AsyncClient, "stream", stream)
        yield push, gone_to
    await push.close()
    await store.close()


async def subscribe(push: Push, service: str = "https://push.example", player: str = "ann") -> None:
    wish = Browser(service).subscription
    await push.subscribe(player, Subscribe(wish["endpoint"], SubscriptionKeys(**wish["keys"])))


@pytest.mark.parametrize(
    ("addresses", "reached"),
    [(["8.8.8.8"], True), (["8.8.8.8", "10.0.0.1"], False), (["127.0.0.1"], False)],
)
def test_a_name_is_followed_to_the_address_that_was_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, addresses: list[str], reached: bool
) -> None:
    async def story() -> None:
        async with sending(tmp_path, monkeypatch, *addresses) as (push, gone_to):
            await subscribe(push)
            await push.tell_turn("ann", "carat", "t", 86400)
            assert [url.host for url in gone_to] == addresses[:1] * reached

    asyncio.run(story())


def test_sites_that_do_not_answer_hold_up_no_push_service() -> None:
    async def story() -> None:
        sites = Sites()
        async with sites.visit("a.push.example") as visit:
            visit.status = 201
        done = asyncio.Event()

        async def stall(number: int) -> None:
            async with sites.visit(f"a.pit{number}.example"):
                await done.wait()

        pits = [asyncio.create_task(stall(number)) for number in range(50)]
        await asyncio.sleep(0.05)
        async with asyncio.timeout(5), sites.visit("a.push.example") as visit:
            visit.status = 201
        done.set()
        await asyncio.gather(*pits)
        with pytest.raises(GameError):  # is left alone for a while
            async with sites.visit("a.pit1.example"):
                pass

    asyncio.run(story())


def test_a_name_that_is_not_there_silences_no_other_host_of_its_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can subscribe with one: such as nowhere.googleapis.com."""

    async def found(host: str, *_: Any, **__: Any) -> Any:
        if host.startswith("nowhere"):
            raise OSError("no such name")
        return [(0, 0, 0, "", ("10.0.0.1" if host.startswith("inside") else "8.8.8.8", 443))]

    async def story() -> None:
        async with sending(tmp_path, monkeypatch, "8.8.8.8") as (push, gone_to):
            monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", found, raising=False)
            await subscribe(push, "https://fcm.push.example", "ann")
            await push.tell_turn("ann", "carat", "t", 86400)
            for name in ("nowhere", "nowhere.else", "inside"):
                await subscribe(push, f"https://{name}.push.example", "eve")
            await push.tell_turn("eve", "carat", "t", 86400)
            assert len(gone_to) == 1
            for _ in range(12):  # more than one that is not known gets
                await push.tell_turn("ann", "carat", "t", 86400)
            assert len(gone_to) == 13

    asyncio.run(story())


def test_strange_hosts_take_no_slots_of_a_known_one_at_their_site() -> None:
    async def story() -> None:
        sites = Sites()
        async with sites.visit("fcm.push.example") as visit:
            visit.status = 201
        done = asyncio.Event()

        async def stall(number: int) -> None:
            async with sites.visit(f"pit{number}.push.example"):
                await done.wait()

        pits = [asyncio.create_task(stall(number)) for number in range(8)]
        await asyncio.sleep(0.05)
        async with asyncio.timeout(5), sites.visit("fcm.push.example") as visit:
            visit.status = 201
        done.set()
        await asyncio.gather(*pits)

    asyncio.run(story())


@pytest.mark.parametrize(("status", "is_told"), [(201, True), (410, False), (503, False)])
def test_a_turn_counts_as_told_only_if_a_push_service_took_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, is_told: bool
) -> None:
    async def story() -> None:
        marked: list[str] = []

        async def mark(_: Any, table: str, __: float) -> bool:
            marked.append(table)
            return True

        monkeypatch.setattr(Store, "mark_turn", mark)
        async with sending(tmp_path, monkeypatch, "8.8.8.8", status=status) as (push, gone_to):
            await subscribe(push)
            await push.tell_turn("ann", "carat", "t", 86400, turn=5.0)
            assert (len(gone_to), marked) == (1, ["t"] * is_told)

    asyncio.run(story())


def test_a_push_service_that_stalls_holds_up_no_other() -> None:
    async def story() -> None:
        sites = Sites()
        for host in ("one.example", "two.invalid"):
            async with sites.visit(host) as visit:
                visit.status = 201
        done = asyncio.Event()

        async def stall() -> None:
            async with sites.visit("one.example") as visit:
                await done.wait()
                visit.status = 201

        stalled = [asyncio.create_task(stall()) for _ in range(60)]
        await asyncio.sleep(0.05)
        async with asyncio.timeout(5), sites.visit("two.invalid") as visit:
            visit.status = 201
        done.set()
        await asyncio.gather(*stalled)

    asyncio.run(story())


def test_a_site_that_is_no_push_service_gets_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with sending(tmp_path, monkeypatch, "8.8.8.8", status=200) as (push, gone_to):
            for number in range(30):  # as many people, each with a browser of their own there
                await subscribe(push, f"https://host{number}.victim.example", f"player {number}")
            for number in range(30):
                for _ in range(5):
                    await push.tell_turn(f"player {number}", "carat", "t", 86400)
            assert len(gone_to) <= 11  # ten in a row, then one in ten seconds

    asyncio.run(story())


def test_nobody_subscribes_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with sending(tmp_path, monkeypatch, "8.8.8.8") as (push, _):
            for _ in range(20):
                await subscribe(push)
            with pytest.raises(GameError) as refused:
                await subscribe(push)
            assert refused.value.code == "too-many"

    asyncio.run(story())


def test_nobody_is_told_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with sending(tmp_path, monkeypatch, "8.8.8.8") as (push, gone_to):
            for _ in range(DEVICES + 3):
                await subscribe(push)
            for _ in range(TURNS_IN_A_ROW + 10):
                await push.tell_turn("ann", "carat", "t", 86400)
            assert len({url.path for url in gone_to}) == DEVICES
            assert len(gone_to) == DEVICES * TURNS_IN_A_ROW

    asyncio.run(story())


@on_a_loop
async def test_subscriptions_are_kept_by_every_database(database: str) -> None:
    store = await open_store(database)
    old, new, other = (
        Subscription(name, player, b"\0key", b"\xffauth", at)
        for name, player, at in (("a", "ann", 1.0), ("b", "ann", 2.0), ("c", "bob", 3.0))
    )
    for one in (old, new, other):
        await store.save_subscription(one, at_most=2)
    assert await store.subscriptions("ann") == [new, old]
    await store.save_subscription(Subscription("d", "ann", b"k", b"a", 4.0), at_most=2)
    assert [one.endpoint for one in await store.subscriptions("ann")] == ["d", "b"]
    await store.drop_subscription("c", "ann")
    assert await store.subscriptions("bob") == [other]
    await store.drop_subscription("c", "bob")
    assert await store.subscriptions("bob") == []
    await store.close()


def test_the_key_is_made_once_and_only_its_owner_may_read_it(server: Server) -> None:
    file = server.data / "push-key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert webpush.is_key(file.read_text())
    assert not webpush.is_key(hashlib.sha256().hexdigest())
    assert file.read_text() not in server.log


@on_a_loop
async def test_who_was_not_told_when_the_server_was_killed_is_told_by_the_next(
    tmp_path: Path, service: PushService
) -> None:
    server = Server(tmp_path, *PLENTY, "--push-loopback", "--absent-after", "1")
    server.start()
    try:
        async with visiting(server) as visit:
            ann, bob, table = await pair(visit, **DAYS)
            browser = await subscribed(bob, service)
            carl, dora, other = await pair(visit, **DAYS)
            told = await subscribed(dora, service)
            await carl.do(other, "play", ply=0, move="a")
            await arrives(service, told)
            await asyncio.sleep(1)  # so that it is kept that she was
            service.seconds = 9.0
            await ann.do(table, "play", ply=0, move="a")
            await arrives(service, browser)  # but the service does not say so
            await asyncio.to_thread(server.kill)
            service.seconds = 0.0
            await asyncio.to_thread(server.start)
            await arrives(service, browser, 2)
            await asyncio.sleep(1)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            await asyncio.sleep(3)
            assert len(service.at(browser)) == 2
            assert len(service.at(told)) == 1
    finally:
        server.kill()
    assert not server.faults
