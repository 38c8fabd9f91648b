"""Devices and tokens are seen and revoked, and take what is open in their name with them."""

import asyncio
import hashlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from itsdangerous import Signer
from websockets import ConnectionClosed

from kwartet.server.devices import device_name
from kwartet.store import Player, open_store
from tests.postgres import running_postgres
from tests.serving import (
    PLENTY,
    Guest,
    Live,
    Server,
    Visit,
    eventually,
    made,
    on_a_loop,
    pair,
    visiting,
)
from tests.storing import execute

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
SECRET = "shared" * 6


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two servers on one PostgreSQL database."""
    folder = tmp_path_factory.mktemp("twins")
    with running_postgres() as url:
        servers = [
            Server(folder / name, *PLENTY, "--database", made(url), KWARTET_SECRET=SECRET)
            for name in ("one", "two")
        ]
        try:
            yield [server.start() for server in servers]
        finally:
            for server in servers:
                server.kill()
    assert not any(server.faults for server in servers)


def signed(server: Server, *parts: str) -> str:
    """A cookie as the server signs it."""
    file = server.data / "secret"
    secret = file.read_text() if file.exists() else SECRET
    signer = Signer(secret, salt="kwartet.identity", digest_method=hashlib.sha256)
    return signer.sign(".".join(parts)).decode()


async def browser(
    visit: Visit, cookie: str = "", agent: str = "", server: Server | None = None
) -> Guest:
    """Somebody with a browser of this kind."""
    headers = {"user-agent": agent} if agent else {}
    guest = await visit.stranger(server, headers=headers)
    if cookie:  # in the place where the server's own will be kept
        guest.http.cookies.set("kwartet", cookie, domain="localhost.local")
    return guest


async def phone_of(visit: Visit, guest: Guest, server: Server | None = None) -> Guest:
    """The same person's phone, by a personal link."""
    link = await guest.post("/api/me/link")
    phone = await browser(visit, agent=IPHONE, server=server)
    me = await phone.post("/api/me/claim", secret=link["secret"])
    phone.id, phone.name = me["id"], me["name"]
    return phone


async def closed(live: Live) -> tuple[int, str]:
    """How the socket ends: its close code, and the code of the refusal before."""
    code = ""
    try:
        while True:
            code = json.loads(await live.socket.recv()).get("code", code)
    except ConnectionClosed as end:
        return end.rcvd.code if end.rcvd else 0, code


# Seeing


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox, Linux"),
        (IPHONE, "Safari, iPhone"),
        ("Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/126.0 Safari/537.36 Edg/126.0", "Edge, Windows"),
        ("python-httpx/0.28", "python-httpx"),
        ("", ""),
        ("\x07" * 9, ""),
        ("x" * 999, "x" * 40),
    ],
)
def test_a_device_is_called_by_its_browser_and_system(agent: str, name: str) -> None:
    assert device_name(agent) == name


@on_a_loop
async def test_one_s_devices_are_listed_the_one_in_use_first(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann = await browser(visit, agent=FIREFOX)
        assert await ann.get("/api/me/devices") == []  # who has done nothing is not kept
        await ann.ask("PATCH", "/api/me", {"name": "Ann"})
        phone = await phone_of(visit, ann)
        at_home, elsewhere = await ann.get("/api/me/devices")
        assert [at_home["name"], elsewhere["name"]] == ["Firefox, Linux", "Safari, iPhone"]
        assert [at_home["here"], elsewhere["here"]] == [True, False]
        assert time.time() - at_home["seen"] < 60
        assert (await phone.get("/api/me/devices"))[0]["name"] == "Safari, iPhone"
        eve = await visit.guest("Eve")
        path = f"/api/me/devices/{at_home['id']}"
        assert (await eve.ask("DELETE", path))["code"] == "unknown-device"


# Revoking


@on_a_loop
async def test_signing_a_device_out_ends_its_sockets_in_every_process(twins: list[Server]) -> None:
    one, two = twins
    async with visiting(one) as visit:
        ann, bob, table = await pair(visit)
        phone = await phone_of(visit, ann, two)
        await bob.watch(table)
        lives = [await (await visit.elsewhere(phone, server)).watch(table) for server in twins]
        home = await ann.watch(table)
        lobby = Live(await phone.socket("/api/live"))
        device = (await phone.get("/api/me/devices"))[0]["id"]
        began = time.monotonic()
        assert await ann.ask("DELETE", f"/api/me/devices/{device}") is None
        ends = await asyncio.gather(*map(closed, [*lives, lobby]))
        assert ends == [(4403, "revoked")] * 3
        assert time.monotonic() - began < 4  # it was told, not found out later
        assert (await phone.get("/api/me"))["id"] != ann.id
        assert (await home.do("play", ply=0, move="a"))["type"] == "accepted"


@on_a_loop
async def test_signing_all_others_out_leaves_this_device(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, _, table = await pair(visit)
        phone, tablet = await phone_of(visit, ann), await phone_of(visit, ann)
        live = await tablet.watch(table)
        assert await phone.ask("DELETE", "/api/me/devices") is None
        assert await closed(live) == (4403, "revoked")
        for other in (ann, tablet):
            assert (await other.get("/api/me"))["id"] != phone.id
        assert (await phone.get("/api/me"))["id"] == phone.id
        assert len(await phone.get("/api/me/devices")) == 1


@on_a_loop
async def test_signing_oneself_out_takes_the_cookie_away(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        stolen = ann.cookie
        device = (await ann.get("/api/me/devices"))[0]["id"]
        await ann.ask("DELETE", f"/api/me/devices/{device}")
        assert "kwartet" not in ann.http.cookies
        thief = await browser(visit, stolen)
        assert (await thief.get("/api/me"))["id"] != ann.id


@on_a_loop
async def test_removing_a_token_ends_its_sockets(twins: list[Server]) -> None:
    one, two = twins
    async with visiting(one) as visit:
        ann, _, table = await pair(visit)
        token = await ann.post("/api/me/tokens", name="my bot")
        bearer = {"authorization": f"Bearer {token['secret']}"}
        script = await visit.stranger(two, headers=bearer)
        live = Live(await script.socket(f"/api/tables/{table}/live", headers=bearer))
        await live.until(lambda _: True)
        began = time.monotonic()
        await ann.ask("DELETE", f"/api/me/tokens/{token['id']}")
        assert await closed(live) == (4403, "revoked")
        assert time.monotonic() - began < 4  # it was told, not found out later


@on_a_loop
async def test_who_signs_something_out_leaves_no_link_behind(server: Server) -> None:
    """Who had a device for a moment may have made a link for later."""
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        phone = await phone_of(visit, ann)
        devices = await phone.get("/api/me/devices")
        other = next(device["id"] for device in devices if not device["here"])
        token = (await ann.post("/api/me/tokens", name="my bot"))["id"]
        thief = await visit.stranger()
        for path in (f"tokens/{token}", f"devices/{other}", "devices"):
            link = await phone.post("/api/me/link")
            assert await phone.ask("DELETE", f"/api/me/{path}") is None
            claimed = await thief.post("/api/me/claim", secret=link["secret"])
            assert claimed.get("code") == "bad-link", path


# Cookies


@on_a_loop
async def test_a_cookie_of_an_earlier_version_goes_on_and_becomes_a_device(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/kwartet.db")
    await store.people.introduce(Player("ann", "Ann", 1.0), None)
    await store.close()
    server = Server(tmp_path, *PLENTY)
    with_columns_of_old(tmp_path)
    server.start(wait=False)
    try:
        async with visiting(server) as visit:
            bare = signed(server, "ann")
            ann = await browser(visit, bare, FIREFOX)
            asked = await asyncio.gather(*(ann.get("/api/me") for _ in range(5)))
            assert {me["name"] for me in asked} == {"Ann"}
            phone = await browser(visit, bare, IPHONE)
            assert (await phone.get("/api/me"))["id"] == "ann"
            listed = await ann.get("/api/me/devices")
            assert [device["name"] for device in listed] == ["Firefox, Linux", "Safari, iPhone"]
            assert ann.cookie != bare
            await ann.ask("DELETE", f"/api/me/devices/{listed[1]['id']}")
            again = await browser(visit, bare, IPHONE)
            assert (await again.get("/api/me"))["id"] != "ann"
            assert (await ann.get("/api/me"))["id"] == "ann"
    finally:
        server.kill()
    assert not server.faults


def with_columns_of_old(folder: Path) -> None:
    """Make the players of a database those of an earlier version, who had no devices."""
    execute(f"sqlite:///{folder}/kwartet.db", "UPDATE players SET bare = TRUE")


@on_a_loop
async def test_a_used_cookie_is_renewed_before_it_runs_out(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        device = (await ann.get("/api/me/devices"))[0]["id"]
        today = int(time.time()) // 86400
        for age, renews in ((1, False), (7, True), (399, True)):
            old = signed(server, ann.id, device, str(today - age))
            again = await browser(visit, old)
            response = await again.http.get(f"{server.url}/api/me")
            assert response.json()["id"] == ann.id
            assert ("set-cookie" in response.headers) == renews
            if renews:
                assert f"max-age={400 * 86400}" in response.headers["set-cookie"].lower()
                assert f"{device}.{today}." in response.headers["set-cookie"]


# Names


@on_a_loop
async def test_a_new_name_reaches_every_process(twins: list[Server]) -> None:
    one, two = twins
    async with visiting(one) as visit:
        ann, bob, table = await pair(visit)
        there = await visit.elsewhere(ann, two)
        live, watching = await there.watch(table), await bob.watch(table)
        assert (await there.get("/api/me"))["name"] == "Ann"
        await ann.ask("PATCH", "/api/me", {"name": "Anna"})

        async def arrived() -> bool:
            return bool((await there.get("/api/me"))["name"] == "Anna")

        await asyncio.wait_for(eventually(arrived), 1.0)
        await live.do("chat", text="hello")
        shown = await watching.until(lambda table: table["chat"])
        assert shown["chat"][-1]["name"] == "Anna"


@on_a_loop
async def test_being_introduced_never_takes_a_chosen_name_away(twins: list[Server]) -> None:
    one, two = twins
    async with visiting(one) as visit:
        for number in range(10):
            ann = await visit.guest()
            there = await visit.elsewhere(ann, two)
            await there.get("/api/me")
            table = (await (await visit.guest("Bob")).open("connect_four", "me", "open"))["id"]
            name = f"Anna {number}"
            await asyncio.gather(
                there.do(table, "chat", text="hello"),
                ann.ask("PATCH", "/api/me", {"name": name}),
            )
            assert (await ann.get(f"/api/players/{ann.id}"))["name"] == name
