"""The examples of deploy/: read by what they are for, and a match played through the proxy."""

import configparser
import math
import random
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from prometheus_client import CollectorRegistry

from kwartet.server.api import OPERATIONS
from kwartet.server.condition import Condition
from kwartet.server.settings import Settings
from kwartet.store import open_store
from tests.proxying import CADDY, DEPLOY, ROOT, running_caddy
from tests.serving import Server, on_a_loop, play_on, visiting, watched_pair
from tests.storing import command, entry, row


@pytest.fixture(scope="module")
def supervisor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[socket.socket]:
    """What a supervisor hears from its server."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path_factory.mktemp("supervisor") / "notify"))
        supervisor.settimeout(60)
        yield supervisor


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, supervisor: socket.socket) -> Iterator[Server]:
    """A server behind Caddy that lets three sockets in from one address; its URL is Caddy's."""
    folder, heard = tmp_path_factory.mktemp("house"), supervisor.getsockname()
    server = Server(folder / "data", "--watchers-per-address", "3", NOTIFY_SOCKET=heard)
    with pytest.MonkeyPatch.context() as patch:
        try:
            own = server.start().url
            with running_caddy(folder, own.removeprefix("http://")) as (url, certificate):
                # Both clients of these tests take what OpenSSL is told to trust.
                patch.setenv("SSL_CERT_FILE", str(certificate))
                yield Server(server.data, url=url)
        finally:
            server.kill()
    assert not server.faults


@on_a_loop
async def test_a_match_is_played_through_caddy(house: Server) -> None:
    async with visiting(house) as visit:
        ann, bob, table = await watched_pair(visit)
        over = await play_on([ann, bob], random.choice)
        assert over["result"]["reason"] == "played"
        late = await visit.guest("Zoe")
        assert (await late.look(table))["result"] == over["result"]


@on_a_loop
async def test_who_comes_through_caddy_is_known_by_address_and_at_https(house: Server) -> None:
    async with visiting(house) as visit:
        guests = []
        for address in ("127.0.0.2", "127.0.0.3"):
            transport = httpx.AsyncHTTPTransport(local_address=address)
            guest = await visit.stranger(transport=transport)
            guests.append(guest)
            response = await guest.http.get(f"{house.url}/api/me")
            assert "; Secure" in response.headers["set-cookie"]
        first, second = guests
        forged = {"x-forwarded-for": "127.0.0.9", "forwarded": "for=127.0.0.9"}
        for _ in range(3):
            await first.socket("/api/live", local_addr=("127.0.0.2", 0))
        refused = await first.socket("/api/live", local_addr=("127.0.0.2", 0), headers=forged)
        assert '"too-many"' in str(await refused.recv())
        admitted = await second.socket("/api/live", local_addr=("127.0.0.3", 0))
        assert '"too-many"' not in str(await admitted.recv())


@on_a_loop
async def test_caddy_shows_the_page_but_no_metrics_and_takes_nothing_endless(house: Server) -> None:
    async with httpx.AsyncClient(base_url=house.url) as client:
        page = await client.get("/", headers={"accept-encoding": "br"})
        assert page.status_code == 200
        assert "content-security-policy" in page.headers
        assert "max-age=" in page.headers["strict-transport-security"]
        assert (await client.get("/metrics")).status_code == 404
        assert (await client.get("/healthz")).json()["status"] == "ok"
        kind = {"content-type": "application/json"}
        with suppress(httpx.RemoteProtocolError):  # it may be hung up on before it has said all
            endless = await client.post("/api/tables", content=b" " * 600_000, headers=kind)
            assert endless.status_code == 413


def test_caddy_finds_its_file_sound_and_well_formed() -> None:
    for how in (("validate", "--adapter", "caddyfile", "--config"), ("fmt", "--diff")):
        ended = subprocess.run(
            [CADDY, *how, DEPLOY / "Caddyfile"],
            capture_output=True,
            text=True,
            env={"HOME": "/nonexistent", "KWARTET_SITE": "localhost"},
        )
        assert ended.returncode == 0, ended.stderr
        assert not [line for line in ended.stdout.splitlines() if line.startswith(("+", "-"))]


def test_the_supervisor_is_told_when_people_can_come_in(
    supervisor: socket.socket, house: Server
) -> None:
    assert supervisor.recv(100) == b"READY=1"


def test_the_unit_is_sound_and_gives_little_away(tmp_path: Path) -> None:
    text = (DEPLOY / "kwartet.service").read_text()
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(text)
    service = unit["Service"]
    program, *arguments = service["ExecStart"].split()
    assert program == "/opt/kwartet/bin/kwartet"
    assert arguments[0] == "serve"
    assert service["DynamicUser"] == service["ProtectHome"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert int(service["LimitNOFILE"]) > 2 * 5000
    if analyse := shutil.which("systemd-analyze"):
        here = tmp_path / "kwartet.service"
        here.write_text(text.replace(program, sys.executable))
        for check in (("verify", "--man=no"), ("security", "--offline=yes", "--threshold=20")):
            ended = subprocess.run([analyse, *check, here], capture_output=True, text=True)
            assert ended.returncode == 0, ended.stdout + ended.stderr


def test_alerts_ask_for_what_servers_tell_and_operators_find_them(house: Server) -> None:
    own = re.search(r"http://localhost:\d+", house.log)
    assert own
    told = metrics(own[0])
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"][0]["rules"]
    names = {name.partition("{")[0] for name in told}
    manual = (ROOT / "docs/operate.md").read_text()
    for rule in rules:
        asked = set(re.findall(r"(?:kwartet|process)_\w+", rule["expr"]))
        assert asked <= names, rule["alert"]
        assert rule["annotations"]["summary"]
        assert f"**{rule['alert']}**" in manual


def test_the_condition_of_a_house_is_told(house: Server) -> None:
    own = re.search(r"http://localhost:\d+", house.log)
    assert own
    told = metrics(own[0])
    assert told["kwartet_store_up"] == 1
    assert told["kwartet_database_bytes"] > 10_000
    assert told["process_start_time_seconds"] <= time.time()
    assert any("database" in name and "version" in name for name in told)
    assert math.isnan(told["kwartet_backup_timestamp_seconds"])
    command("backup", str(house.data / "backup.db"), "--data", str(house.data))
    told = metrics(own[0])
    assert abs(told["kwartet_backup_timestamp_seconds"] - time.time()) < 60


@on_a_loop
async def test_a_house_without_its_database_says_so(database: str, tmp_path: Path) -> None:
    store, registry = await open_store(database), CollectorRegistry()
    condition = Condition(registry)
    await store.append(entry(), row())
    await condition.look(store, tmp_path, "1.0")
    assert registry.get_sample_value("kwartet_store_up") == 1
    assert (registry.get_sample_value("kwartet_database_bytes") or 0) > 10_000
    await store.close()
    await condition.look(store, tmp_path, "1.0")
    assert registry.get_sample_value("kwartet_store_up") == 0
    assert math.isnan(registry.get_sample_value("kwartet_entries") or 0)


def metrics(url: str) -> dict[str, float]:
    """What a server tells Prometheus, by name and labels."""
    lines = httpx.get(f"{url}/metrics", timeout=60).text.splitlines()
    told = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in told}


def test_the_composition_has_a_database_two_servers_and_a_proxy() -> None:
    composition = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services: dict[str, Any] = composition["services"]
    proxy = services["proxy"]
    servers = [name.partition(":")[0] for name in proxy["environment"]["KWARTET_SERVERS"].split()]
    assert len(servers) == 2
    for name in servers:
        server = services[name]
        assert server["read_only"]
        assert server["cap_drop"] == ["ALL"]
        assert (DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]).is_file()
        told = {name.removeprefix("KWARTET_").lower() for name in server["environment"]}
        assert told <= set(Settings.__dataclass_fields__)
        trusted = server["environment"]["KWARTET_TRUSTED_PROXIES"]
        assert trusted == proxy["networks"]["default"]["ipv4_address"]
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        for volume in service["volumes"]:
            source = volume.partition(":")[0]
            assert source in composition["volumes"] or (DEPLOY / source).is_file()


def test_the_image_is_built_from_what_is_there_and_runs_as_nobody() -> None:
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and line[0] != "#"]
    first, second = (rest for word, rest in lines if word == "FROM")
    assert first == f"{second} AS build"  # the same Python in both
    last = dict(lines)
    assert int(last["USER"].partition(":")[0]) > 0
    paths = {operation.path for operation in OPERATIONS}
    assert any(f"8484{path}'" in last["HEALTHCHECK"] for path in paths)
    kept = (ROOT / ".dockerignore").read_text().splitlines()
    for name in (line[1:] for line in kept if line.startswith("!")):
        assert (ROOT / name).exists(), name


def test_the_image_has_the_documentation() -> None:
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    built = next(line for line in text.splitlines() if "sphinx" in line)
    assert built.index("docs src/kwartet/server/help") < built.index("uv build --wheel")
    kept = (ROOT / ".dockerignore").read_text().splitlines()
    read = {"!CHANGELOG.md", "!deploy", "!examples", "!src", "!tools", "!web"}  # by its pages
    assert read | {"!docs", "!requirements"} <= set(kept)
    assert "src/kwartet/server/help" in kept  # not the one that happens to lie here
