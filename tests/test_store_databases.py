"""Databases of other versions, in odd places, and their backups."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from kwartet.core.errors import GameError
from kwartet.store import (
    Entry,
    Player,
    StoreError,
    Subscription,
    database_url,
    open_store,
    upgrade,
)
from kwartet.store.schema import SCRIPTS, VERSION
from tests.storing import RESULTS, ROOT, command, entry, execute, on_a_loop, one_up, row

# Databases


@on_a_loop
async def test_a_database_of_another_version_is_refused(database: str) -> None:
    store = await open_store(database)
    await store.people.introduce(Player("p", "Pia", 1.0), None)
    await store.close()
    for version, code in ((0, "store-too-old"), (999, "store-too-new")):
        execute(database, "DELETE FROM schema_version")
        execute(database, f"INSERT INTO schema_version VALUES ({version})")
        with pytest.raises(StoreError) as raised:
            await open_store(database, upgrade=False)
        assert raised.value.code == code
    with pytest.raises(StoreError) as raised:
        await open_store(database, upgrade=True)
    assert raised.value.code == "store-too-new"


@on_a_loop
async def test_an_upgrade_keeps_what_was_there_or_changes_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(database)
    await store.people.introduce(Player("p", "Pia", 1.0), None)
    await store.close()
    good, bad = "ALTER TABLE players ADD COLUMN motto {bytes}", "ALTER TABLE nowhere ADD COLUMN x"
    monkeypatch.setattr("kwartet.store.schema.SCRIPTS", [*SCRIPTS, good, bad])
    monkeypatch.setattr("kwartet.store.schema.VERSION", len(SCRIPTS) + 2)
    with pytest.raises(StoreError) as raised:
        await open_store(database)
    assert raised.value.code == "store-failed"
    with pytest.raises(StoreError, match=f"version {len(SCRIPTS)}, this program"):
        await open_store(database, upgrade=False)
    monkeypatch.setattr("kwartet.store.schema.SCRIPTS", [*SCRIPTS, good])
    monkeypatch.setattr("kwartet.store.schema.VERSION", len(SCRIPTS) + 1)
    stores = await asyncio.gather(*(open_store(database) for _ in range(3)))
    execute(database, "UPDATE players SET motto = NULL")
    assert await stores[2].player("p") == Player("p", "Pia", 1.0)
    for store in stores:
        await store.close()
    assert upgrade(database) == (len(SCRIPTS) + 1, len(SCRIPTS) + 1)


@on_a_loop
async def test_a_database_of_the_first_version_is_upgraded(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as then:
        then.setattr("kwartet.store.schema.SCRIPTS", SCRIPTS[:1])
        then.setattr("kwartet.store.schema.VERSION", 1)
        await (await open_store(database)).close()
        execute(database, "INSERT INTO players VALUES ('p', 'Pia', 1.0)")
    assert upgrade(database) == (1, VERSION)
    store = await open_store(database, upgrade=False)
    assert await store.player("p") == Player("p", "Pia", 1.0)
    await store.save_subscription(Subscription("e", "p", b"k", b"a", 1.0), at_most=1)
    assert len(await store.subscriptions("p")) == 1
    await store.close()


@on_a_loop
async def test_results_of_an_earlier_version_get_their_outcomes(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = {
        "won": [0, 1],
        "shared": [0, 0, 1],
        "drawn": [0, 0],
        "alone": [1],
    }
    with monkeypatch.context() as then:
        then.setattr("kwartet.store.schema.SCRIPTS", SCRIPTS[:2])
        then.setattr("kwartet.store.schema.VERSION", 2)
        store = await open_store(database)
        for key, ranks in ended.items():
            reason = "agreed" if key == "drawn" else "played"
            summary = f'{{"result":{{"reason":"{reason}","winners":[0]}}}}'.encode()
            table = msgspec.structs.replace(row(key, state="over"), summary=summary)
            await store.append(Entry(key, 1, 1.0, b""), table)
            for seat, rank in enumerate(ranks):
                values = f"'{key}', {seat}, {len(ranks)}, 'carnac', 1.0, 'p{seat}', 0, {rank}"
                execute(database, f"INSERT INTO results VALUES ({values}, NULL, NULL)")
        await store.close()
    assert upgrade(database) == (2, VERSION)
    store = await open_store(database, upgrade=False)
    found = {past.table: past for past in await store.history("p0")}
    told = {key: [result.outcome for result in found[key].results] for key in ended}
    assert told == {
        "won": ["won", "lost"],
        "shared": ["shared", "shared", "lost"],
        "drawn": ["drawn", "drawn"],
        "alone": ["alone"],
    }
    await store.close()


def test_without_the_driver_sqlite_works_and_postgresql_says_what_is_missing() -> None:
    story = """
import asyncio, sys
import kwartet.store
assert "psycopg" not in sys.modules
sys.modules["psycopg"] = None
try:
    asyncio.run(kwartet.store.open_store("postgresql://"))
except kwartet.GameError as error:
    print(error.code, error.sentence)
"""
    command = [sys.executable, "-c", story]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT).stdout
    assert told.startswith("no-postgres")
    assert "pip install 'kwartet[postgres]'" in told


@on_a_loop
async def test_many_may_make_the_same_database_at_once(database: str) -> None:
    stores = await asyncio.gather(*(open_store(database) for _ in range(5)))
    await stores[0].append(entry(), row())
    assert await stores[4].table("t") == row()
    for store in stores:
        await store.close()


@pytest.mark.parametrize(
    "url", ["", "kwartet.db", "sqlite:///", "sqlite:///:memory:", "mysql://me:pass@here/db", "http"]
)
def test_nonsense_is_no_database(url: str) -> None:
    with pytest.raises(GameError) as raised:
        asyncio.run(open_store(url))
    assert raised.value.code == "bad-database"
    assert "pass" not in raised.value.sentence


def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("Dear diary, this is no database. " * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    (tmp_path / "kwartet.db").mkdir()
    for path in (text, other, tmp_path / "kwartet.db", tmp_path / "missing" / "kwartet.db"):
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(GameError) as raised:
            asyncio.run(open_store(f"sqlite:///{path}"))
        assert raised.value.code == "bad-database"
        assert before == (path.read_bytes() if path.is_file() else None)


def test_without_upgrade_no_file_is_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as raised:
        asyncio.run(open_store(f"sqlite:///{tmp_path}/kwartet.db", upgrade=False))
    assert raised.value.code == "store-too-old"
    assert list(tmp_path.iterdir()) == []


@on_a_loop
async def test_a_file_has_one_server(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/kwartet.db"
    first, reader = await open_store(url, hold=True), await open_store(url)
    with pytest.raises(StoreError) as raised:
        await open_store(url, hold=True)
    assert raised.value.code == "store-busy"
    await first.close()
    second = await open_store(url, hold=True)
    await second.close()
    await reader.close()


def test_the_database_is_as_told_or_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KWARTET_DATA", str(tmp_path / "env"))
    assert database_url() == f"sqlite:///{tmp_path}/env/kwartet.db"
    assert (tmp_path / "env").is_dir()
    monkeypatch.setenv("KWARTET_DATABASE", "postgresql://env")
    assert database_url() == "postgresql://env"
    assert database_url(url="postgresql://told") == "postgresql://told"
    assert database_url(tmp_path / "told") == f"sqlite:///{tmp_path}/told/kwartet.db"


# Backups


@on_a_loop
async def test_a_backup_while_writing_is_one_moment_of_the_log(
    database: str, tmp_path: Path
) -> None:
    store = await open_store(database)
    await store.people.introduce(Player("p", "Pia", 1.0), None)
    await store.append(entry(table="end"), row("end", state="over"), RESULTS, one_up)
    await store.add_secret(b"\0hash", "p", "token", "", 1.0)
    running = True

    async def write(key: str) -> None:
        number = 1
        while running:
            await store.append(
                entry(number, key, body=b"%d" % number * 500), row(key, summary=b"%d" % number)
            )
            number += 1

    writers = [asyncio.create_task(write(f"t{n}")) for n in range(5)]
    await asyncio.sleep(0.2)
    file = tmp_path / "copy" / "backup.db"
    file.parent.mkdir()
    await asyncio.to_thread(command, "backup", str(file), "--database", database)
    running = False
    await asyncio.gather(*writers)
    assert list(file.parent.iterdir()) == [file]
    copy = await open_store(f"sqlite:///{file}", upgrade=False)
    for n in range(5):
        key = f"t{n}"
        ours, theirs = await store.entries(key), await copy.entries(key)
        assert 0 < len(theirs) < len(ours)
        assert theirs == ours[: len(theirs)]
        table = await copy.table(key)
        assert table is not None
        assert table.summary == b"%d" % len(theirs)
    assert await copy.player("p") == Player("p", "Pia", 1.0)
    assert await copy.history("ann") == await store.history("ann")
    assert await copy.ratings("ann") == await store.ratings("ann")
    assert await copy.secret(b"\0hash") == await store.secret(b"\0hash")
    assert await copy.table("end") == await store.table("end")
    await copy.append(entry(2, "end"), row("end"))  # it can be served
    await copy.close()
    await store.close()


def test_a_backup_replaces_nothing_unless_told_to(tmp_path: Path) -> None:
    told, file = ("--database", f"sqlite:///{tmp_path}/kwartet.db"), tmp_path / "copy.db"
    assert command("backup", str(file), *told) == "store-too-old"
    assert list(tmp_path.iterdir()) == []
    assert f"from version 0 to {VERSION}" in command("upgrade", *told)
    assert f"version {VERSION} already" in command("upgrade", "--data", str(tmp_path))
    file.write_text("precious")
    assert command("backup", str(file), *told) == "bad-file"
    assert file.read_text() == "precious"
    assert str(file) in command("backup", str(file), "--force", *told)
    assert file.read_bytes().startswith(b"SQLite format 3")
    assert command("backup", f"{tmp_path}/kwartet.db", "--force", *told) == "bad-file"


@on_a_loop
async def test_a_database_under_a_server_is_not_upgraded(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/kwartet.db"
    store = await open_store(url, hold=True)
    assert upgrade(url) == (VERSION, VERSION)
    execute(url, f"DELETE FROM schema_version WHERE version = {VERSION}")
    with pytest.raises(StoreError) as raised:
        upgrade(url)
    assert raised.value.code == "store-busy"
    await store.close()
