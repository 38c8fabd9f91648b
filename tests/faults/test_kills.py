"""Servers and databases that are killed under load lose nothing and do nothing twice."""

from pathlib import Path

import psycopg

from tests.faults.campaigns import kills
from tests.postgres import Postgres
from tests.serving import on_a_loop


@on_a_loop
async def test_kills_on_sqlite_lose_nothing(tmp_path: Path) -> None:
    outcome = await kills(tmp_path, 2, pairs=5)
    assert not outcome.faults
    assert outcome.numbers["kills"] == {"server": 1, "answer": 1}


@on_a_loop
async def test_kills_on_postgresql_and_of_it_lose_nothing(tmp_path: Path) -> None:
    outcome = await kills(
        tmp_path, 3, kind="postgres", victims=("database", "answer", "server"), pairs=5
    )
    assert not outcome.faults


def test_a_killed_postgresql_recovers_what_was_committed_and_syncs_its_log() -> None:
    postgres = Postgres(fsync=True)
    try:
        postgres.start()
        with psycopg.connect(postgres.url) as connection:
            for setting in ("fsync", "full_page_writes", "synchronous_commit"):
                assert connection.execute(f"SHOW {setting}".encode()).fetchone() == ("on",)
            connection.execute("CREATE TABLE words (word TEXT)")
            connection.execute("INSERT INTO words VALUES ('kept')")
        postgres.kill()
        postgres.start()
        with psycopg.connect(postgres.url) as connection:
            assert connection.execute("SELECT word FROM words").fetchall() == [("kept",)]
        assert "not properly shut down" in postgres.log.read_text()
    finally:
        postgres.remove()
