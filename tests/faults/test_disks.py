"""Disks that are full, read-only or damaged: a sentence, nothing told that is not there."""

import asyncio
import resource
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from tests.serving import PLENTY, ROOT, Guest, Json, Live, Server, made, on_a_loop, visiting

UNPRIVILEGED = ("-m", "tests.faults.unprivileged")


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[Server]:
    """A server whose games are ready; it leaves no traceback."""
    server = Server(folder, *PLENTY)
    await asyncio.to_thread(server.start)
    try:
        yield server
        assert not server.faults
    finally:
        if server.is_running:
            await asyncio.to_thread(server.kill)


def refused_start(folder: Path) -> str:
    """What `kwartet serve` says where it cannot work."""
    command = [sys.executable, *UNPRIVILEGED, "serve", "--no-open", "--port", "0"]
    ended = subprocess.run(
        [*command, "--data", str(folder)], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert ended.returncode != 0
    assert "Traceback" not in ended.stdout + ended.stderr
    return ended.stderr


@on_a_loop
async def test_full_and_damaged_disks_spoil_nothing_that_was_kept(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        cookie = ann.cookie
        others = [(await ann.open("connect_four", "me", "me"))["id"] for _ in range(60)]
        table = (await ann.open("carnac", "me", "me"))["id"]
        log = await check_full(server, ann, await bob.watch(table), table)
    size, body = cut(tmp_path / "kwartet.db", others[-1], beside=others[0])
    async with served(tmp_path) as server, visiting(server) as visit:
        tear(tmp_path / "kwartet.db", body, size)
        back = await visit.stranger(cookies={"kwartet": cookie})
        assert (await back.look(table))["match"]["log"] == log
        told = {other: await back.look(other) for other in others}
        assert told.pop(others[-1])["type"] == "refused"
        torn = [one["code"] for one in told.values() if one["type"] == "refused"]
        assert set(torn) == {"store-failed"}
        whole = next(one["id"] for one in told.values() if one["type"] == "table")
        assert (await back.do(whole, "play", ply=0, move="a"))["ply"] == 1
    assert "damaged" in await asyncio.to_thread(refused_start, tmp_path)


async def check_full(server: Server, guest: Guest, live: Live, table: str) -> list[str]:
    """Without room nothing is accepted, reading goes on, and so does all when there is room."""
    wal = (server.data / "kwartet.db-wal").stat().st_size
    limit_files(server, max(wal, server.log_file.stat().st_size) + 10_000)
    log, refusal, wish = await play_until_refused(guest, table)
    assert refusal["code"] == "store-failed"
    assert "try again" in refusal["sentence"]
    assert (await guest.look(table))["match"]["log"] == log
    limit_files(server, resource.RLIM_INFINITY)
    assert (await guest.do(table, "play", **wish))["ply"] == len(log) + 1
    log.append(wish["move"])
    await live.until(lambda _: live.log == log)
    return log


def limit_files(server: Server, size: int) -> None:
    """Let no file of the server's grow beyond this."""
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def play_until_refused(guest: Guest, table: str) -> tuple[list[str], Json, Json]:
    """What was accepted, the first refusal, and what was refused."""
    log: list[str] = []
    while True:
        legal = (await guest.look(table))["match"]["legal"]
        wish = {"ply": len(log), "move": legal[0], "id": f"m{len(log)}"}
        answer = await guest.do(table, "play", **wish)
        if answer["type"] == "refused":
            return log, answer, wish
        log.append(legal[0])


def cut(database: Path, table: str, beside: str) -> tuple[int, bytes]:
    """Cut a table's entries in the middle; the size of pages, and what another's entry holds."""
    with closing(sqlite3.connect(database)) as file:
        file.execute("UPDATE entries SET body = substr(body, 1, 20) WHERE table_id = ?", (table,))
        file.commit()
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = file.execute("PRAGMA page_size").fetchone()
        sql = "SELECT body FROM entries WHERE table_id = ?"
        (body,) = file.execute(sql, (beside,)).fetchone()
    return size, body


def tear(file: Path, content: bytes, size: int) -> None:
    """Overwrite the first half of the page that holds this, as a disk does that stops halfway."""
    with file.open("r+b") as raw:
        page = raw.read().index(content) // size
        raw.seek(page * size)
        raw.write(bytes(size // 2))


def test_a_read_only_folder_is_said_to_be(tmp_path: Path) -> None:
    made(f"sqlite:///{tmp_path}/kwartet.db")
    (tmp_path / "kwartet.db").chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        assert refused_start(tmp_path)
    finally:
        tmp_path.chmod(0o700)


def test_a_file_that_is_no_database_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "kwartet.db").write_bytes(b"This is no database. " * 300)
    assert refused_start(tmp_path).startswith("bad-database: ")
