"""What goes wrong on a machine: a browser that blocks, a full disk, damage, rules that fail."""

import asyncio
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from examples.connect_four import GAME as CONNECT_FOUR

from kwartet.server import messages as m
from kwartet.server import readiness, sweep
from kwartet.server.readiness import Readiness
from kwartet.server.watching import Watcher
from kwartet.store import open_store
from tests.commands import kwartet_command
from tests.serving import PLENTY, ROOT, Server, eventually, on_a_loop, pair, visiting
from tests.timing import ANN, World


def test_a_browser_that_blocks_holds_up_nothing(tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f"#!/bin/sh\necho $1 > {opened}\nsleep 20\n")
    browser.chmod(0o700)
    server = Server(tmp_path / "data", "--open", BROWSER=f"{browser} %s")
    server.start(wait=False)
    try:

        async def is_opened() -> bool:
            return opened.exists() and opened.read_text().strip() == server.url

        asyncio.run(asyncio.wait_for(eventually(is_opened), 60))
        assert httpx.get(f"{server.url}/healthz").status_code == 200
    finally:
        server.kill()


def test_the_page_is_found_through_a_link_to_the_package(tmp_path: Path) -> None:
    link = tmp_path / "linked"
    link.symlink_to(ROOT / "src")
    told = subprocess.run(
        [sys.executable, "-c", "from kwartet.server.app import PAGE; print(PAGE)"],
        env={"PYTHONPATH": str(link)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == str((ROOT / "src/kwartet/server/page").resolve())


@on_a_loop
async def test_a_full_disk_is_noticed_before_somebody_moves(tmp_path: Path) -> None:
    server = Server(tmp_path, *PLENTY)
    server.start(wait=False)
    try:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
            assert (await http.get("/readyz")).status_code == 200
            full = (tmp_path / "kwartet.db-wal").stat().st_size
            unlimited = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (full, unlimited[1]))

            async def code() -> str:
                return str((await http.get("/readyz")).json().get("code"))

            async def is_full() -> bool:
                return await code() in ("store-failed", "store-unavailable")

            await eventually(is_full)
            assert (await http.get("/healthz")).status_code == 200
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, unlimited)

            async def is_well() -> bool:
                return (await http.get("/readyz")).status_code == 200

            await eventually(is_well)
    finally:
        server.kill()


def test_a_damaged_database_is_found_at_the_start(tmp_path: Path) -> None:
    file = tmp_path / "kwartet.db"

    async def make() -> None:
        await (await open_store(f"sqlite:///{file}")).close()

    asyncio.run(make())
    with sqlite3.connect(file) as database:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'entries'"
        (page,) = database.execute(query).fetchone()
    database.close()
    content = bytearray(file.read_bytes())
    start = (page - 1) * int.from_bytes(content[16:18])  # the size of a page
    content[start : start + 200] = b"\xff" * 200
    file.write_bytes(content)
    serve = kwartet_command("serve", "--no-open", "--port", "0", "--data", str(tmp_path))
    assert serve.returncode != 0
    assert "is damaged" in serve.stderr
    assert "Traceback" not in serve.stderr + serve.stdout


@on_a_loop
async def test_a_match_that_cannot_be_replayed_tells_nobody_what_was_possible(
    tmp_path: Path,
) -> None:
    server = Server(tmp_path, *PLENTY)
    server.start()
    try:
        async with visiting(server) as visit:
            ann, _, table = await pair(visit)
            await ann.do(table, "play", ply=0, move="d")
            await asyncio.to_thread(server.kill)
            with sqlite3.connect(tmp_path / "kwartet.db") as database:
                for number, body in database.execute("SELECT number, body FROM entries").fetchall():
                    broken = body.replace(b'"d"', b'"z"')
                    database.execute(
                        "UPDATE entries SET body = ? WHERE number = ?", (broken, number)
                    )
            database.close()
            await asyncio.to_thread(server.start)
            for guest in (ann, await visit.stranger(server)):
                shown = await guest.get(f"/api/tables/{table}")
                assert "Possible" not in str(shown)
                assert shown["trouble"]["code"] == "failed"
                assert shown["match"] is None
            refused = await ann.do(table, "play", ply=1, move="a")
            assert refused["type"] == "refused"
            assert "Possible" not in refused["sentence"]
            assert (await ann.open("connect_four", "me", "open"))["trouble"] is None
    finally:
        server.kill()
    assert "a match cannot be replayed" in server.log


@on_a_loop
async def test_rules_that_cannot_be_made_ready_are_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changed = asyncio.Event()

    def fail(*_: object) -> None:
        raise OSError("no space left")

    async def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(readiness, "_cold", fail)
    monkeypatch.setattr(readiness, "_load", fail)
    ready = Readiness([CONNECT_FOUR], lambda key: changed.set(), load_bots=nothing)
    ready.start()
    while not (trouble := ready.trouble("connect_four")):
        await changed.wait()
        changed.clear()
    assert trouble.code == "failed"
    assert ready.trouble("carat") is None
    await ready.stop()


@on_a_loop
async def test_a_table_that_nobody_looks_at_leaves_memory_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "IDLE", 0.2)
    monkeypatch.setattr(sweep, "SWEEP", 0.05)
    hall = (await World(f"sqlite:///{tmp_path}/kwartet.db").start()).hall
    wish = m.CreateTable("connect_four", seats=[m.SeatWish("me")] * 2)
    watched, other = [await hall.opening.create(ANN, wish) for _ in range(2)]
    watched.company.join(Watcher(ANN), version=0)
    sweeping = asyncio.create_task(hall.sweep.run())

    async def is_gone() -> bool:
        return other.story.id not in hall.tables

    await eventually(is_gone)
    assert hall.tables == {watched.story.id: watched}
    again = await hall.table(other.story.id)
    assert again is not other
    assert again.story == other.story
    sweeping.cancel()
    await asyncio.gather(sweeping, return_exceptions=True)
    await hall.store.close()
