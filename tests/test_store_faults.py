"""Databases that fail or are shared: nothing acknowledged is lost, nothing counts twice."""

import asyncio
import gc
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import psycopg
import pytest

from kwartet.core.errors import GameError
from kwartet.store import (
    Ban,
    Conflict,
    Device,
    Player,
    Report,
    StoreError,
    find_database,
    open_store,
    operations,
)
from kwartet.store.connection import Lost
from kwartet.store.postgres import ANSWER, SILENT, PostgresConnection
from kwartet.store.threads import TRIALS
from tests.postgres import fresh_schema
from tests.storing import RESULTS, ROOT, entry, execute, on_a_loop, one_up, row, until

T = TypeVar("T")

PIA = Player("p", "Pia", 1.0)
SLOW = 5.0  # seconds that a busy machine may add

# When things go wrong

APPENDER = """
import asyncio, sys
from kwartet.store import Entry, TableRow, open_store

async def write(store, key):
    for number in range(1, 1_000_000):
        row = TableRow(key, "carat", "running", True, 1.0, float(number), summary=b"%d" % number)
        await store.append(Entry(key, number, float(number), b"%d" % number), row)
        sys.stdout.write(f"{key} {number}\\n")
        sys.stdout.flush()

async def main():
    store = await open_store(sys.argv[1])
    await asyncio.gather(*(write(store, f"t{n}") for n in range(8)))

asyncio.run(main())
"""


@on_a_loop
async def test_what_was_acknowledged_survives_a_kill(database: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", APPENDER, database], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(300)]
        os.kill(process.pid, signal.SIGKILL)
        lines += process.stdout.readlines()
    told = {key: int(number) for key, number in map(str.split, lines)}
    store = await open_store(database)
    assert len(told) == 8
    for key, number in told.items():
        entries = await store.entries(key)
        assert [one.number for one in entries] == list(range(1, len(entries) + 1))
        assert len(entries) in (number, number + 1)  # one may have been on its way to be told
        table = await store.table(key)
        assert table is not None
        assert table.summary == entries[-1].body
    await store.close()


CRAMPED = """
import asyncio, resource, sys
from kwartet.store import Entry, TableRow, open_store

async def main():
    store = await open_store(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))  # no file can grow beyond

    def append(key, number, body):
        row = TableRow(key, "carat", "over", True, 1.0, float(number))
        return store.append(Entry(key, number, float(number), body), row)

    for calls in (
        [append("t", 3, b"x" * 300_000), append("u", 1, b"small")],
        [append("v", 1, b"small")],
    ):
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        print(*(getattr(outcome, "code", "fine") for outcome in outcomes))
    await store.close()

asyncio.run(main())
"""


@on_a_loop
async def test_a_full_disk_fails_the_calls_and_changes_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/kwartet.db"
    store = await open_store(url)
    await store.append(entry(), row())
    await store.append(entry(2), row(changed=2.0))
    await store.close()
    command = [sys.executable, "-c", CRAMPED, url]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    assert told.stdout.split() == ["store-failed", "store-failed", "fine"]
    store = await open_store(url)
    assert [one.number for one in await store.entries("t")] == [1, 2]
    assert await store.table("t") == row(changed=2.0)
    assert {one.id for one in await store.tables()} == {"t", "v"}
    await store.append(entry(3), row())  # there is room again
    await store.close()


@on_a_loop
async def test_a_file_that_another_program_keeps_locked_fails_all_who_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kwartet.store.sqlite.WAIT", 0.1)
    store = await open_store(f"sqlite:///{tmp_path}/kwartet.db")
    other = sqlite3.connect(tmp_path / "kwartet.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    calls = [store.append(entry(table=f"{n}"), row(f"{n}")) for n in range(20)]
    for outcome in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(outcome, StoreError)
        assert outcome.code == "store-unavailable"
    assert await store.tables() == []  # reading goes on
    other.close()
    await store.append(entry(), row())
    await store.close()
    await store.close()


@on_a_loop
async def test_a_closed_store_refuses(database: str) -> None:
    store = await open_store(database)
    await store.ping()
    last = asyncio.gather(*(store.append(entry(table=f"{n}"), row(f"{n}")) for n in range(9)))
    await asyncio.sleep(0)
    await store.close()
    await last  # what had been asked for was still done
    for call in (store.ping(), store.append(entry(), row())):
        with pytest.raises(StoreError) as raised:
            await call
        assert raised.value.code == "store-unavailable"


@on_a_loop
async def test_a_cancelled_caller_disturbs_no_other(database: str) -> None:
    store = await open_store(database)
    calls = [asyncio.create_task(store.append(entry(table=f"{n}"), row(f"{n}"))) for n in range(10)]
    await asyncio.sleep(0)
    calls[3].cancel()
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert [outcome for outcome in outcomes if outcome is not None] == [outcomes[3]]
    await store.append(entry(table="z"), row("z"))
    await store.close()


# Several processes


@on_a_loop
async def test_stores_on_one_postgresql_hear_each_other_and_not_themselves(postgres: str) -> None:
    url = fresh_schema(postgres)
    stores = [
        await open_store(url),
        await open_store(url),
        await open_store(fresh_schema(postgres)),
    ]
    heard: list[list[object]] = [[], [], []]
    for store, notes in zip(stores, heard, strict=True):
        store.on_entry(partial(note, notes))
        store.on_message(notes.append)
    await stores[0].append(entry(), row())
    await stores[0].publish("ünï")
    await until(lambda: len(heard[1]) == 2)
    await stores[1].append(entry(2), row())
    await until(lambda: len(heard[0]) == 1)
    assert heard == [[("t", 2)], [("t", 1), "ünï"], []]
    with pytest.raises(GameError) as raised:
        await stores[0].publish("x" * 8000)
    assert raised.value.code == "bad-message"
    with pytest.raises(StoreError):  # PostgreSQL takes no such text
        await stores[0].publish("\0")
    for store in stores:
        await store.close()


@on_a_loop
async def test_an_entry_found_to_be_there_after_a_lost_answer_is_announced(postgres: str) -> None:
    url, heard = fresh_schema(postgres), list[object]()
    first, second = await open_store(url), await open_store(url)
    second.on_entry(partial(note, heard))
    await first.append(entry(), row())
    connection = find_database(url).writer()  # as after the answer to that commit was lost
    connection.begin()
    operations.append(connection, True, entry(), row(), None, None)
    connection.commit()
    connection.close()
    await until(lambda: heard == [("t", 1)] * 2)
    for store in (first, second):
        await store.close()


def note(notes: list[object], table: str, number: int) -> None:
    notes.append((table, number))


@on_a_loop
async def test_what_is_heard_can_be_read_and_a_conflict_is_never_heard(postgres: str) -> None:
    url = fresh_schema(postgres)
    first, second = await open_store(url), await open_store(url)
    heard: list[tuple[str, int]] = []
    second.on_entry(lambda *told: heard.append(told))
    await first.append(entry(), row())
    with pytest.raises(Conflict):
        await first.append(entry(), row())
    await first.append(entry(2), row())
    await until(lambda: ("t", 2) in heard)
    assert heard == [("t", 1), ("t", 2)]
    assert len(await second.entries("t")) == 2
    await first.close()
    await second.close()


@on_a_loop
async def test_racing_processes_write_a_gapless_log(postgres: str) -> None:
    url = fresh_schema(postgres)
    stores = [await open_store(url) for _ in range(3)]

    async def write(name: int) -> None:
        number, store = 1, stores[name % 3]
        for _ in range(5):
            while True:
                try:
                    await store.append(entry(number, body=b"%d" % name), row())
                except Conflict:
                    number = (await store.entries("t"))[-1].number + 1
                else:
                    number += 1
                    break

    await asyncio.gather(*map(write, range(9)))
    log = await stores[0].entries("t")
    assert [one.number for one in log] == list(range(1, 46))
    assert Counter(one.body for one in log) == {b"%d" % name: 5 for name in range(9)}
    for store in stores:
        await store.close()


@on_a_loop
async def test_lost_connections_heal_and_the_listener_says_so(postgres: str) -> None:
    url = fresh_schema(postgres)
    first, second = await open_store(url), await open_store(url)
    heard: list[tuple[str, int]] = []
    second.on_entry(lambda *told: heard.append(told))
    await first.append(entry(), row())
    await second.ping()
    await until(lambda: heard == [("t", 1)])
    cut(postgres)
    await until(lambda: ("", 0) in heard)
    await second.append(entry(2), row())
    await first.append(entry(3), row())
    await until(lambda: ("t", 3) in heard)
    assert [one.number for one in await second.entries("t")] == [1, 2, 3]
    await first.close()
    await second.close()


@on_a_loop
async def test_cut_connections_lose_and_double_nothing_that_was_acknowledged(postgres: str) -> None:
    store = await open_store(fresh_schema(postgres))
    told: dict[str, int] = {}
    running = True

    async def write(key: str) -> None:
        while running:
            number = told.get(key, 0) + 1
            await store.append(entry(number, key, body=b"%d" % number), row(key))
            told[key] = number

    writers = [asyncio.create_task(write(f"t{n}")) for n in range(10)]
    for _ in range(20):
        await asyncio.sleep(0.05)
        await asyncio.to_thread(cut, postgres)
    running = False
    await asyncio.gather(*writers)
    for key, number in told.items():
        assert [one.number for one in await store.entries(key)] == list(range(1, number + 1))
    await store.close()


def test_a_connection_that_cannot_leave_its_pipeline_is_lost(postgres: str) -> None:
    connection = find_database(fresh_schema(postgres)).writer()
    assert isinstance(connection, PostgresConnection)
    driver = connection.raw.pgconn
    driver.enter_pipeline_mode()
    driver.send_query_params(b"SELECT 1", None)
    with pytest.raises(psycopg.OperationalError) as raised:
        driver.exit_pipeline_mode()
    assert isinstance(connection.translated(raised.value), Lost)
    assert connection.raw.closed


@on_a_loop
async def test_a_commit_whose_answer_is_lost_counts_once(postgres: str, tmp_path: Path) -> None:
    async with LossyProxy(postgres, tmp_path) as proxy:
        store = await open_store(proxy.url(fresh_schema(postgres)))
        await store.add_secret(b"hash", "ann", "link", "", 1.0)
        proxy.losses = 1
        await store.append(entry(), row(state="over"), RESULTS, one_up)
        assert not proxy.losses
        assert await store.entries("t") == [entry()]
        assert (await store.ratings("ann"))["carnac"].matches == 1
        proxy.losses = 1
        with pytest.raises(StoreError) as raised:  # who took it cannot be told
            await store.take_secret(b"hash", "link")
        assert raised.value.code == "store-unavailable"
        await store.close()


@on_a_loop
async def test_what_may_be_written_is_never_refused_however_often_answers_are_lost(
    postgres: str, tmp_path: Path
) -> None:
    async with LossyProxy(postgres, tmp_path) as proxy:
        store = await open_store(proxy.url(fresh_schema(postgres)))
        proxy.losses = 3 * TRIALS
        await asyncio.gather(*(store.append(entry(table=key), row(key)) for key in "ab"))
        assert not proxy.losses
        assert [await store.entries(key) for key in "ab"] == [
            [entry(table="a")],
            [entry(table="b")],
        ]
        await store.close()


@on_a_loop
async def test_what_is_changed_about_people_survives_a_lost_answer(
    postgres: str, tmp_path: Path
) -> None:
    async with LossyProxy(postgres, tmp_path) as proxy:
        store = await open_store(proxy.url(fresh_schema(postgres)))
        people = store.people
        await people.introduce(PIA, Device("phone", "p", "Phone", 1.0, 1.0))
        token = await store.add_secret(b"hash", "p", "token", "bot", 1.0)
        ban = Ban("b", "p", None, "", 1.0, None)
        report = Report("r", 1.0, "p", "q", "Quin", None, None, "spam", "")

        async def lossy(work: Coroutine[Any, Any, T]) -> T:
            proxy.losses = 1
            answer = await work
            assert not proxy.losses
            return answer

        await lossy(people.ban(ban))
        assert await lossy(people.report(report, 1))
        assert await lossy(people.block("p", "q", 1))
        assert await lossy(people.drop_device("p", "phone", bare=True))
        assert await lossy(people.drop_token("p", token.id))
        assert (await people.bans(), await people.reports()) == ([ban], [report])
        assert not await people.drop_token("p", token.id)
        await store.close()


@on_a_loop
async def test_steps_are_one_round_trip_however_many(postgres: str) -> None:
    store = await open_store(fresh_schema(postgres))
    tables = [f"t{number}" for number in range(5)]
    await asyncio.gather(*(store.append(entry(1, t), row(t)) for t in tables))
    for number in range(2, 12):
        before, commits = store.round_trips, store.commits
        await asyncio.gather(*(store.append(entry(number, t), row(t)) for t in tables))
        silences = 1  # the machine may be so slow that the server counts as silent
        assert store.round_trips - before <= store.commits - commits + silences
        assert store.waiting == 0
    await store.close()


@on_a_loop
async def test_a_server_that_falls_silent_is_told_and_heals(postgres: str, tmp_path: Path) -> None:
    async with LossyProxy(postgres, tmp_path) as proxy:
        store = await open_store(proxy.url(fresh_schema(postgres)))
        await store.append(entry(), row())
        await asyncio.sleep(SILENT)
        proxy.is_silent = True
        began = time.monotonic()
        calls = [store.append(entry(2), row()), store.ping(), store.people.introduce(PIA, None)]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert [getattr(one, "code", one) for one in outcomes] == ["store-unavailable"] * 3
        assert time.monotonic() - began < 5 + SLOW
        outcomes.clear()  # errors hold what was being connected
        proxy.is_silent = False
        await until_done(lambda: store.append(entry(2), row()))
        assert await store.entries("t") == [entry(), entry(2)]
        await store.close()


@on_a_loop
async def test_what_was_being_committed_when_the_server_fell_silent_is_looked_up(
    postgres: str, tmp_path: Path
) -> None:
    async with LossyProxy(postgres, tmp_path) as proxy:
        store = await open_store(proxy.url(fresh_schema(postgres)))
        await store.append(entry(), row())
        proxy.is_silent = True
        written = asyncio.create_task(store.append(entry(2), row()))
        await asyncio.sleep(ANSWER + 0.5)
        proxy.is_silent = False
        await written
        assert await store.entries("t") == [entry(), entry(2)]
        await store.close()


async def _next(reader: asyncio.StreamReader) -> bytes:
    """What comes; nothing at the end, also one with answers unread."""
    try:
        return await reader.read(65536)
    except ConnectionError:
        return b""


class LossyProxy:
    """Stands before PostgreSQL; told to, it loses the next commits' answers, or all answers."""

    def __init__(self, server: str, folder: Path) -> None:
        self._behind = server.partition("host=")[2]
        self._folder = folder
        self._served: list[asyncio.Task[None]] = []
        self.losses = 0  # of answers, to come
        self.is_silent = False

    def url(self, url: str) -> str:
        return url.replace(self._behind, str(self._folder))

    async def __aenter__(self) -> "LossyProxy":
        name = ".s.PGSQL.5432"
        self._name = f"{self._behind}/{name}"
        self._server = await asyncio.start_unix_server(self._serve, self._folder / name)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        gc.collect()  # a connection that the driver gave up goes with the driver's error
        await asyncio.gather(*self._served)  # their clients have left

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._served.append(cast(asyncio.Task[None], asyncio.current_task()))
        far_reader, far_writer = await asyncio.open_unix_connection(self._name)

        losing = False

        async def back() -> None:
            while data := await _next(far_reader):
                if losing and b"COMMIT\0" in data:  # it is done
                    break
                if not losing and not self.is_silent:
                    writer.write(data)
            writer.close()

        answers = asyncio.create_task(back())
        while data := await _next(reader):
            if self.losses and b"COMMIT\0" in data:
                self.losses, losing = self.losses - 1, True
            far_writer.write(data)
        far_writer.close()
        await asyncio.gather(answers, return_exceptions=True)
        writer.close()
        closed = (far_writer.wait_closed(), writer.wait_closed())
        await asyncio.gather(*closed, return_exceptions=True)


@on_a_loop
async def test_a_long_outage_is_told_and_heals(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kwartet.store.threads.PATIENCE", 0.2)
    url = fresh_schema(postgres)
    execute(postgres, "CREATE ROLE guest SUPERUSER LOGIN")
    store = await open_store(url.replace("postgres@", "guest@"))
    await store.append(entry(), row())
    execute(postgres, "ALTER ROLE guest NOLOGIN")
    cut(postgres)
    calls = [store.append(entry(2), row()), store.append(entry(table="u"), row("u")), store.ping()]
    for outcome in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(outcome, StoreError)
        assert outcome.code == "store-unavailable"
    execute(postgres, "ALTER ROLE guest LOGIN")
    assert [one.id for one in await store.tables()] == ["t"]
    await until_done(lambda: store.append(entry(2), row()))
    await store.close()


async def until_done(call: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        try:
            return await call()
        except StoreError:
            await asyncio.sleep(0.01)


def cut(server: str) -> None:
    """End every connection that a store has to this server."""
    with psycopg.connect(server) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'kwartet'"
        )


@on_a_loop
async def test_a_postgresql_that_is_away_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as raised:
        await open_store(f"postgresql://nobody:password@/none?host={tmp_path}")
    assert raised.value.code == "store-unavailable"
    assert "password" not in raised.value.sentence
    with pytest.raises(GameError) as refused:
        await open_store("postgresql://host:port?nonsense=1")
    assert refused.value.code == "bad-database"
