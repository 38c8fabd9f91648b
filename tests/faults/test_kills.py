"""Servers and databases that are killed under load lose nothing and do nothing twice."""

from pathlib import Path

import psycopg

from tests.faults.campaigns import kills
from tests.postgres import Postgres
from tests.serving import on_a_loop


@on_a_loop
async def test_a_kill_between_commit_and_answer_loses_nothing(tmp_path: Path) -> None:
    outcome = await kills(tmp_path, 1, victims=("answer",), pairs=5)
    assert not outcome.faults


@on_a_loop
async def test_devices_race_through_two_processes_while_these_and_postgresql_are_killed(
    tmp_path: Path,
) -> None:
    outcome = await kills(
        tmp_path, 2, kind="postgres", processes=2, victims=("database", "answer"), pairs=3
    )
    assert not outcome.faults
    assert outcome.numbers["refused"]["stale-ply"]  # they did race


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
