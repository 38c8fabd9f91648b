"""A house moves, is restored from a backup, and is looked through for faults."""

import asyncio
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from kwartet.core.errors import GameError
from kwartet.store import find_database, transfer, upgrade
from kwartet.store.moving import shapes
from kwartet.store.schema import SCRIPTS, VERSION
from tests.commands import kwartet_here
from tests.postgres import fresh_schema
from tests.serving import PATIENCE, PLENTY, Server, pair, play_on, visiting, watched_pair
from tests.storing import command, execute, on_a_loop

FEW = 7  # rows that are copied at a time
Rows = dict[str, list[tuple[Any, ...]]]


class House:
    """A house in which something has happened, and who was in the middle of a match."""

    data: Path
    backup: Path
    cookies: tuple[str, str]
    running: str  # a table at which one move was played


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A database that a real server has written, as a backup that was made meanwhile."""
    house, folder = House(), tmp_path_factory.mktemp("house")
    house.data, house.backup = folder / "data", folder / "backup.db"
    server = Server(house.data, *PLENTY)
    server.start()
    try:
        asyncio.run(asyncio.wait_for(_live_in(server, house), PATIENCE))
    finally:
        server.kill()
    return house


async def _live_in(server: Server, house: House) -> None:
    async with visiting(server) as visit:
        clock = {"kind": "live", "seconds": 600, "increment": 5}
        lives = await watched_pair(visit, rated=True, clock=clock)
        await play_on(list(lives[:2]), random.choice)
        await lives[0].do("chat", text="a’b – é \N{HATCHING CHICK}")
        alone = await visit.guest("Zoë")
        await alone.open("connect_four", "me", "bot")
        await alone.open("connect_four", "me", "open", listed=True)
        await alone.post("/api/me/tokens", name="script")
        ann, bob, house.running = await pair(visit)
        live, _ = await ann.watch(house.running), await bob.watch(house.running)
        assert (await live.play("d"))["type"] == "accepted"
        house.cookies = ann.cookie, bob.cookie
        url = f"sqlite:///{house.data}/kwartet.db"
        await asyncio.to_thread(command, "backup", str(house.backup), "--database", url)


@pytest.fixture(autouse=True)
def _small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kwartet.store.moving.PORTION", FEW)


@pytest.fixture
def file(house: House, tmp_path: Path) -> Path:
    """The backup, to do with as one likes."""
    return Path(shutil.copy(house.backup, tmp_path / "backup.db"))


def rows_of(url: str) -> Rows:
    """Everything in a database, read past the store."""
    with closing(
        sqlite3.connect(url.removeprefix("sqlite:///"))
        if url.startswith("sqlite")
        else psycopg.connect(url)
    ) as connection:
        return {
            shape.name: sorted(
                (shape.row(row) for row in connection.execute(f"SELECT * FROM {shape.name}")),
                key=repr,
            )
            for shape in shapes(VERSION)
        }


def tables_of(url: str) -> int:
    """How many tables a PostgreSQL schema has."""
    sql = b"SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
    with psycopg.connect(url) as connection:
        return int(connection.execute(sql).fetchall()[0][0])


# Moving


def test_everything_moves_to_postgresql_and_back(file: Path, postgres: str, tmp_path: Path) -> None:
    there, back = fresh_schema(postgres), f"sqlite:///{tmp_path}/back.db"
    once, again = f"sqlite:///{tmp_path}/again.db", fresh_schema(postgres)
    before = rows_of(f"sqlite:///{file}")
    count = sum(map(len, before.values()))
    assert len(before["entries"]) > 2 * FEW
    for source, target in (
        (f"sqlite:///{file}", there),
        (there, back),
        (back, once),
        (there, again),
    ):
        assert command("copy", source, target) == f"{count} rows were copied and compared.\n"
        assert rows_of(target) == before
        assert "nothing is wrong" in command("check", "--database", target)


def test_a_full_database_is_not_written_to(file: Path, database: str, tmp_path: Path) -> None:
    assert "compared" in command("restore", str(file), "--database", database)
    execute(database, "DELETE FROM entries")
    execute(database, "DELETE FROM results")
    left = rows_of(database)
    assert command("restore", str(file), "--database", database) == "bad-database"
    assert rows_of(database) == left
    assert command("copy", database, database) == "bad-database"
    assert command("restore", str(tmp_path / "none.db"), "--database", database) == "bad-file"
    assert command("copy", f"sqlite:///{tmp_path}/none.db", database) == "store-too-old"
    assert not (tmp_path / "none.db").exists()


def test_an_empty_database_is_filled_if_it_is_of_the_same_version(
    file: Path, database: str, postgres: str
) -> None:
    upgrade(database)
    assert command("copy", fresh_schema(postgres), database) == "store-too-old"
    execute(database, f"DELETE FROM schema_version WHERE version = {VERSION}")
    assert command("restore", str(file), "--database", database) == "bad-database"
    execute(database, f"INSERT INTO schema_version VALUES ({VERSION})")
    assert "compared" in command("restore", str(file), "--database", database)
    assert rows_of(database) == rows_of(f"sqlite:///{file}")


def test_a_file_that_is_not_ours_is_not_restored(database: str, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    execute(f"sqlite:///{foreign}", "CREATE TABLE tables (id TEXT)")
    assert command("restore", str(foreign), "--database", database) == "bad-database"
    foreign.write_text("no database at all, but long enough to be taken for one" * 20)
    assert command("restore", str(foreign), "--database", database) == "bad-database"


def test_a_backup_of_an_earlier_version_is_upgraded(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = f"sqlite:///{tmp_path}/old.db"
    with monkeypatch.context() as then:
        then.setattr("kwartet.store.schema.SCRIPTS", SCRIPTS[:1])
        then.setattr("kwartet.store.schema.VERSION", 1)
        upgrade(old)
    execute(old, "INSERT INTO players (id, name, created) VALUES ('p', 'Pia', 1.5)")
    assert "1 rows" in command("copy", old, database)
    assert upgrade(database) == (VERSION, VERSION)
    assert rows_of(database)["players"][0][:3] == ("p", "Pia", 1.5)


def test_what_cannot_be_written_as_it_is_leaves_nothing(
    file: Path, postgres: str, tmp_path: Path
) -> None:
    execute(f"sqlite:///{file}", "UPDATE players SET name = 'a' || char(0) || 'b'")
    there = fresh_schema(postgres)
    assert command("restore", str(file), "--database", there) == "store-failed"
    assert tables_of(there) == 0
    execute(f"sqlite:///{file}", "UPDATE players SET name = 'b'")
    bent, whole = f"sqlite:///{tmp_path}/bent.db", f"sqlite:///{tmp_path}/whole.db"
    for url in (bent, whole):
        upgrade(url)
    execute(
        bent,
        "CREATE TRIGGER bend AFTER INSERT ON players "
        "BEGIN UPDATE players SET name = 'c' WHERE id = new.id; END",
    )
    with pytest.raises(GameError, match="another row in players") as refused:
        transfer(find_database(f"sqlite:///{file}"), find_database(bent), lambda *_: None)
    assert refused.value.code == "store-failed"
    assert not any(rows_of(bent).values())
    with pytest.raises(KeyboardInterrupt):
        transfer(find_database(f"sqlite:///{file}"), find_database(whole), _interrupt)
    assert not any(rows_of(whole).values())
    fresh = tmp_path / "new" / "fresh.db"
    fresh.parent.mkdir()
    with pytest.raises(KeyboardInterrupt):
        transfer(
            find_database(f"sqlite:///{file}"), find_database(f"sqlite:///{fresh}"), _interrupt
        )
    assert list(fresh.parent.iterdir()) == []


def _interrupt(done: int, total: int) -> None:
    if done > total / 2:
        raise KeyboardInterrupt


@on_a_loop
async def test_people_go_on_where_a_backup_was_restored(house: House, postgres: str) -> None:
    url = fresh_schema(postgres)
    await asyncio.to_thread(command, "restore", str(house.backup), "--database", url)
    server = Server(house.data, "--database", url)
    try:
        await asyncio.to_thread(server.start)
        async with visiting(server) as visit:
            people = [await visit.stranger(cookies={"kwartet": key}) for key in house.cookies]
            lives = [await person.watch(house.running) for person in people]
            assert lives[0].log == ["d"]
            over = await play_on(lives, random.choice)
            assert over["result"]["reason"] == "played"
    finally:
        server.kill()
    assert "nothing is wrong" in await asyncio.to_thread(command, "check", "--database", url)


# Looking for faults

CHANGES = {
    "DELETE FROM entries WHERE number = 2": "the log has gaps",
    "DELETE FROM entries WHERE table_id = (SELECT max(id) FROM tables)": "there is no log",
    "UPDATE tables SET state = 'over' WHERE state = 'running'": "state is not what the log says",
    "UPDATE tables SET players = '[\"x\", null]'": "players is not what the log says",
    "DELETE FROM seats": "the list of its players is not what the log says",
    "UPDATE tables SET deadline = 1.0 WHERE state = 'over'": "deadline is not what the log says",
    "UPDATE tables SET changed = 1.0": "changed is not what the log says",
    "DELETE FROM results": "its results is not what the log says",
    "UPDATE results SET score = score + 1": "its results is not what the log says",
    "UPDATE ratings SET matches = matches + 1": "not as many rated results",
    "UPDATE tables SET summary = (SELECT summary FROM tables AS other WHERE other.id <> tables.id "
    "ORDER BY other.id LIMIT 1)": "summary is not what the log says",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_fault_is_told(file: Path, change: str) -> None:
    execute(f"sqlite:///{file}", change)
    found = kwartet_here("db", "check", "--database", f"sqlite:///{file}")
    assert found.returncode == 1
    assert CHANGES[change] in found.stdout
    assert "Traceback" not in found.stdout + found.stderr


def test_an_entry_that_cannot_be_read_is_told(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE entries SET body = ? WHERE number = 1", (b'{"events":[]}',))
    found = kwartet_here("db", "check", "--database", f"sqlite:///{file}")
    assert found.returncode == 1
    assert "the log cannot be read" in found.stdout


@pytest.mark.parametrize("hurt", [lambda size: size // 2, lambda size: 5000])
def test_a_damaged_file_is_told_in_a_sentence(file: Path, hurt: Callable[[int], int]) -> None:
    content = bytearray(file.read_bytes())
    start = hurt(len(content))
    content[start : start + 9000] = bytes(random.Random(7).randbytes(9000))
    file.write_bytes(content)
    found = kwartet_here("db", "check", "--database", f"sqlite:///{file}")
    assert found.returncode in (1, 2)
    assert found.stdout + found.stderr
    assert "nothing is wrong" not in found.stdout
    assert "Traceback" not in found.stdout + found.stderr
