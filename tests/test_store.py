"""The store, the same on every database it knows."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial, wraps
from pathlib import Path
from typing import Any, ParamSpec, cast

import psycopg
import pytest
from typer.testing import CliRunner

from kwartet.cli import app
from kwartet.core.errors import GameError
from kwartet.store import (
    Conflict,
    Entry,
    Player,
    Result,
    Skill,
    State,
    StoreError,
    Subscription,
    TableRow,
    database_url,
    open_store,
    upgrade,
)
from kwartet.store.schema import SCRIPTS, VERSION
from tests.postgres import fresh_schema

P = ParamSpec("P")
ROOT = Path(__file__).parents[1]


def on_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    @wraps(test)
    def run(*values: P.args, **named: P.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*values, **named), 60))

    return run


def entry(number: int = 1, table: str = "t", body: bytes = b"body") -> Entry:
    return Entry(table, number, float(number), body)


def row(
    key: str = "t",
    changed: float = 1.0,
    *,
    state: State = "running",
    listed: bool = True,
    game: str = "carnac",
    deadline: float | None = None,
    bot_due: bool = False,
    summary: bytes = b"",
    players: tuple[str | None, ...] = ("ann", None),
) -> TableRow:
    return TableRow(
        key, game, state, listed, 1.0, changed, deadline, bot_due, summary, list(players)
    )


RESULTS = [Result(0, "bob", 12, 0), Result(1, "ann", 7, 1)]


def one_up(before: list[Skill | None]) -> list[Skill]:
    return [(1.0, 8.0) if skill is None else (skill[0] + 1, skill[1] / 2) for skill in before]


# Tables


@on_a_loop
async def test_entries_come_back_as_they_were_written(database: str) -> None:
    store = await open_store(database)
    written = [entry(number, body=bytes([number, 0, 255])) for number in (1, 2, 3)]
    for one in written:
        await store.append(one, row(changed=one.at, summary=one.body))
    assert await store.entries("t") == written
    assert await store.entries("t", after=2) == written[2:]
    assert await store.entries("unknown") == []
    await store.close()
    store = await open_store(database, upgrade=False)
    assert await store.entries("t") == written
    assert await store.table("t") == row(changed=3.0, summary=written[-1].body)
    assert await store.table("unknown") is None
    await store.close()


@on_a_loop
async def test_of_fifty_who_write_the_same_entry_one_does(database: str) -> None:
    store = await open_store(database)

    async def write(name: int) -> bool:
        try:
            await store.append(entry(body=b"%d" % name), row(summary=b"%d" % name))
        except Conflict:
            return False
        return True

    won = await asyncio.gather(*(write(name) for name in range(50)))
    assert won.count(True) == 1
    winner = b"%d" % won.index(True)
    assert await store.entries("t") == [entry(body=winner)]
    assert await store.table("t") == row(summary=winner)
    await store.close()


@on_a_loop
async def test_a_conflict_changes_nothing_and_spoils_no_other(database: str) -> None:
    store = await open_store(database)
    await store.append(entry(), row())
    outcomes = await asyncio.gather(
        store.append(entry(), row(state="over", players=("eve",)), RESULTS, one_up),
        store.append(entry(table="u"), row("u")),
        store.append(entry(3), row(state="over")),  # there is no second yet
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [Conflict, type(None), Conflict]
    assert await store.table("t") == row()
    assert await store.table("u") == row("u")
    assert await store.ratings("ann") == {}
    await store.close()


@on_a_loop
async def test_writers_who_wait_together_share_a_commit(database: str) -> None:
    store = await open_store(database)
    before = store.commits
    await asyncio.gather(*(store.append(entry(table=f"{n}"), row(f"{n}")) for n in range(200)))
    assert 1 <= store.commits - before <= 20
    assert len(await store.tables(limit=500)) == 200
    await store.close()


@on_a_loop
async def test_only_the_guilty_of_those_who_share_a_commit_fails(database: str) -> None:
    store = await open_store(database)

    def broken(_: list[Skill | None]) -> list[Skill]:
        raise ZeroDivisionError

    outcomes = await asyncio.gather(
        *(store.append(entry(table=f"{n}"), row(f"{n}")) for n in range(20)),
        store.append(entry(table="bad"), row("bad"), RESULTS, broken),
        store.append(entry(table="worse"), row("worse", state="odd")),  # type: ignore[arg-type]
        return_exceptions=True,
    )
    assert outcomes[:20] == [None] * 20
    assert isinstance(outcomes[20], ZeroDivisionError)
    assert isinstance(outcomes[21], StoreError)
    assert outcomes[21].code == "store-failed"
    assert len(await store.tables()) == 20
    assert await store.entries("bad") == await store.entries("worse") == []
    await store.close()


@on_a_loop
async def test_tables_are_found_by_what_is_asked_newest_first(database: str) -> None:
    store = await open_store(database)
    rows = [
        row("a", 5.0, state="open", players=("ann", None)),
        row("b", 4.0, state="open", listed=False, players=("bob", "ann")),
        row("c", 4.0, game="carat", players=("bob", None, "ann")),
        row("d", 3.0, state="over", players=()),
    ]
    for one in rows:
        await store.append(entry(table=one.id), one)

    async def found(**wanted: Any) -> str:
        return "".join(one.id for one in await store.tables(**wanted))

    assert await store.tables() == [rows[0], rows[2], rows[1], rows[3]]
    assert await found(state="open") == "ab"
    assert await found(state="open", listed=True) == "a"
    assert await found(game="carat") == "c"
    assert await found(player="bob") == "cb"
    assert await found(limit=2) == "ac"
    assert await found(before=4.0, before_id="c") == "bd"
    assert await found(before=4.0) == "d"
    await store.append(entry(2, "a"), row("a", 6.0, players=("bob", "eve")))
    assert await found(player="ann") == "cb"
    assert await found(player="eve") == "a"
    await store.close()


@on_a_loop
async def test_tables_that_wait_for_a_clock_or_a_bot_are_named(database: str) -> None:
    store = await open_store(database)
    for one in (
        row("late", 1.0, deadline=10.0),
        row("later", 1.0, deadline=5.0, bot_due=True),
        row("soon", 3.0, deadline=11.0, bot_due=True),
        row("over", 1.0, deadline=1.0, bot_due=True, state="over"),
        row("open", 1.0, state="open"),
    ):
        await store.append(entry(table=one.id), one)
    assert await store.due(10.0) == ["later", "late"]
    assert await store.bots_due(2.0) == ["later"]
    assert await store.bots_due(3.0) == ["later", "soon"]
    await store.close()


@on_a_loop
async def test_tables_that_never_started_can_be_removed_for_good(database: str) -> None:
    store = await open_store(database)
    for one in (row("old", 1.0, state="open"), row("new", 9.0, state="open"), row("on", 1.0)):
        await store.append(entry(table=one.id), one)
    await store.add_secret(b"1", "ann", "link", "", 0.0, expires=4.0)
    await store.add_secret(b"2", "ann", "token", "", 0.0)
    assert await store.prune(5.0) == 1
    assert {one.id for one in await store.tables()} == {"new", "on"}
    assert await store.entries("old") == []
    assert (await store.secret(b"1"), (await store.secret(b"2")) is None) == (None, False)
    with pytest.raises(Conflict):
        await store.append(entry(2, "old"), row("old"))
    assert await store.table("old") is None
    await store.close()


# Players


@on_a_loop
async def test_players_are_added_and_renamed(database: str) -> None:
    store = await open_store(database)
    assert await store.player("p") is None
    await store.save_player(Player("p", "Päivi 🦊", 1.0))
    await store.save_player(Player("q", "Quinn", 2.0))
    await store.save_player(Player("p", "Pia", 3.0))
    assert await store.player("p") == Player("p", "Pia", 1.0)
    many = ["p", "q", *map(str, range(1200))]
    assert await store.players(many) == {
        "p": Player("p", "Pia", 1.0),
        "q": Player("q", "Quinn", 2.0),
    }
    assert await store.players([]) == {}
    await store.close()


@on_a_loop
async def test_a_one_time_secret_is_taken_once(database: str) -> None:
    stores = [await open_store(database) for _ in range(2)]
    secret = await stores[0].add_secret(b"hash", "ann", "link", "phone", 1.0, expires=2.0)
    assert await stores[1].secret(b"hash") == secret
    taken = await asyncio.gather(*(stores[n % 2].take_secret(b"hash", "link") for n in range(20)))
    assert [one for one in taken if one is not None] == [secret]
    assert await stores[0].secret(b"hash") is None
    for store in stores:
        await store.close()


@on_a_loop
async def test_secrets_are_listed_and_dropped_by_their_owner(database: str) -> None:
    store = await open_store(database)
    old = await store.add_secret(b"\x01" * 32, "ann", "token", "old", 1.0)
    new = await store.add_secret(b"\x02" * 32, "ann", "token", "new", 2.0)
    await store.add_secret(b"\x03" * 32, "ann", "link", "link", 3.0)
    assert await store.secrets("ann", "token") == [new, old]
    assert not await store.drop_secret("eve", old.id)
    assert await store.drop_secret("ann", old.id)
    assert not await store.drop_secret("ann", old.id)
    assert await store.secrets("ann", "token") == [new]
    await store.close()


# Ratings and results


@on_a_loop
async def test_results_are_rated_once_with_the_table_s_end(database: str) -> None:
    store = await open_store(database)
    seen: list[list[Skill | None]] = []

    def rate(before: list[Skill | None]) -> list[Skill]:
        seen.append(before)
        return one_up(before)

    await store.append(entry(), row(state="over"), RESULTS, rate)
    with pytest.raises(Conflict):
        await store.append(entry(), row(state="over"), RESULTS, rate)
    await store.append(entry(table="u"), row("u", state="over"), RESULTS[::-1], rate)
    assert seen == [[None, None], [(1.0, 8.0), (1.0, 8.0)]]
    rating = (await store.ratings("ann"))["carnac"]
    assert (rating.mu, rating.sigma, rating.matches) == (2.0, 4.0, 2)
    assert await store.ratings_of(["ann", "eve"], "carnac") == {"ann": rating}
    assert await store.ratings_of(["ann"], "carat") == {}
    assert [one.player for one in await store.leaders("carnac", 1)] == ["ann"]
    with pytest.raises(ValueError, match="themselves"):
        await store.append(entry(table="v"), row("v"), [RESULTS[0], Result(1, "bob", 1, 1)], one_up)
    assert await store.table("v") is None
    await store.close()


@on_a_loop
async def test_matches_that_end_at_once_all_count(database: str) -> None:
    stores = [await open_store(database) for _ in range(2)]

    async def end(number: int) -> None:
        key, results = f"{number}", RESULTS[:: 1 if number % 3 else -1]
        await stores[number % 2].append(entry(table=key), row(key, state="over"), results, one_up)

    await asyncio.gather(*map(end, range(30)))
    for player in ("ann", "bob"):
        rating = (await stores[0].ratings(player))["carnac"]
        assert (rating.mu, rating.matches) == (30.0, 30)
    for store in stores:
        await store.close()


@on_a_loop
async def test_history_tells_all_results_newest_first(database: str) -> None:
    store = await open_store(database)
    await store.append(Entry("t", 1, 1.0, b""), row("t"), RESULTS, one_up)
    await store.append(Entry("u", 1, 2.0, b""), row("u", game="carat"), RESULTS)
    await store.append(Entry("v", 1, 3.0, b""), row("v"), [Result(0, "eve", 1, 0)])
    carat, carnac = await store.history("ann")
    assert (carat.table, carat.game, carat.at, carat.skill) == ("u", "carat", 2.0, None)
    assert (carnac.seat, carnac.score, carnac.rank, carnac.skill) == (1, 7, 1, (1.0, 8.0))
    assert carat.results == carnac.results == RESULTS
    assert await store.history("ann", game="carnac") == [carnac]
    assert await store.history("ann", before=2.0) == [carnac]
    assert await store.history("ann", limit=1) == [carat]
    await store.close()


@on_a_loop
async def test_best_scores_are_those_reached_alone(database: str) -> None:
    store = await open_store(database)
    for at, score in enumerate((90, 101, 95)):
        key = f"{at}"
        await store.append(
            Entry(key, 1, float(at), b""),
            row(key, game="catan_dice"),
            [Result(0, "ann", score, 0)],
        )
    await store.append(entry(), row(game="catan_dice"), [Result(0, "ann", 120, 0), RESULTS[1]])
    for at, (player, game) in enumerate((("bob", "catan_dice"), ("ann", "other"))):
        key = f"not {at}"
        alone = [Result(0, player, 130, 0)]
        await store.append(Entry(key, 1, 9.0, b""), row(key, game=game), alone)
    assert [best.score for best in await store.bests("ann", "catan_dice", 2)] == [101, 95]
    listed = [(best.table, best.at, best.score) for best in await store.bests("ann", "catan_dice")]
    assert listed == [("1", 1.0, 101), ("2", 2.0, 95), ("0", 0.0, 90)]
    await store.close()


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


# Databases


@on_a_loop
async def test_a_database_of_another_version_is_refused(database: str) -> None:
    store = await open_store(database)
    await store.save_player(Player("p", "Pia", 1.0))
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
    await store.save_player(Player("p", "Pia", 1.0))
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
        store = await open_store(database)
        await store.save_player(Player("p", "Pia", 1.0))
        await store.close()
    assert upgrade(database) == (1, VERSION)
    store = await open_store(database, upgrade=False)
    assert await store.player("p") == Player("p", "Pia", 1.0)
    await store.save_subscription(Subscription("e", "p", b"k", b"a", 1.0), at_most=1)
    assert len(await store.subscriptions("p")) == 1
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


def execute(url: str, sql: str) -> None:
    """Change a database behind the store's back."""
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
            file.execute(sql)
        file.close()
    else:
        with psycopg.connect(url) as connection:
            connection.execute(sql.encode())


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
        store.listen(partial(note, notes))
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


def note(notes: list[object], table: str, number: int) -> None:
    notes.append((table, number))


@on_a_loop
async def test_what_is_heard_can_be_read_and_a_conflict_is_never_heard(postgres: str) -> None:
    url = fresh_schema(postgres)
    first, second = await open_store(url), await open_store(url)
    heard: list[tuple[str, int]] = []
    second.listen(lambda *told: heard.append(told))
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
    second.listen(lambda *told: heard.append(told))
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


@on_a_loop
async def test_a_commit_whose_answer_is_lost_counts_once(postgres: str, tmp_path: Path) -> None:
    async with LossyProxy(postgres, tmp_path) as proxy:
        store = await open_store(proxy.url(fresh_schema(postgres)))
        await store.add_secret(b"hash", "ann", "link", "", 1.0)
        proxy.is_lossy = True
        await store.append(entry(), row(state="over"), RESULTS, one_up)
        assert not proxy.is_lossy
        assert await store.entries("t") == [entry()]
        assert (await store.ratings("ann"))["carnac"].matches == 1
        proxy.is_lossy = True
        with pytest.raises(StoreError) as raised:  # who took it cannot be told
            await store.take_secret(b"hash", "link")
        assert raised.value.code == "store-unavailable"
        await store.close()


class LossyProxy:
    """Stands before PostgreSQL; once told to, it loses the answer to the next commit."""

    def __init__(self, server: str, folder: Path) -> None:
        self._behind = server.partition("host=")[2]
        self._folder = folder
        self._served: list[asyncio.Task[None]] = []
        self.is_lossy = False

    def url(self, url: str) -> str:
        return url.replace(self._behind, str(self._folder))

    async def __aenter__(self) -> "LossyProxy":
        name = ".s.PGSQL.5432"
        self._name = f"{self._behind}/{name}"
        self._server = await asyncio.start_unix_server(self._serve, self._folder / name)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await asyncio.gather(*self._served)  # their clients have left

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._served.append(cast(asyncio.Task[None], asyncio.current_task()))
        far_reader, far_writer = await asyncio.open_unix_connection(self._name)

        async def back() -> None:
            while data := await far_reader.read(65536):
                writer.write(data)
            writer.close()

        answers = asyncio.create_task(back())
        while data := await reader.read(65536):
            if self.is_lossy and b"COMMIT" in data:
                self.is_lossy = False
                answers.cancel()
                await asyncio.wait([answers])
                far_writer.write(data)
                await far_reader.read(65536)
                break
            far_writer.write(data)
        far_writer.close()
        await asyncio.gather(answers, return_exceptions=True)
        writer.close()
        await asyncio.gather(far_writer.wait_closed(), writer.wait_closed())


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


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for what other threads bring about; the test's own time limit ends it."""
    while not is_so():
        await asyncio.sleep(0.005)


# Backups


def command(*arguments: str) -> str:
    """What `kwartet db` prints, or the code of its refusal."""
    ended = CliRunner().invoke(app, ["db", *arguments])
    if isinstance(ended.exception, GameError):
        return ended.exception.code
    assert ended.exit_code == 0
    return ended.stdout


@on_a_loop
async def test_a_backup_while_writing_is_one_moment_of_the_log(
    database: str, tmp_path: Path
) -> None:
    store = await open_store(database)
    await store.save_player(Player("p", "Pia", 1.0))
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
