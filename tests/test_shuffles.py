"""The records that the page's check of shuffles is tried with, against the library."""

import subprocess
import sys
from pathlib import Path

import shuffles
from kwartet.core.fairness import verify
from kwartet.games import find

ROOT = Path(__file__).parents[1]


def test_records_have_not_drifted() -> None:
    command = [sys.executable, str(ROOT / "tools/shuffles.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_record_that_stands_alone_is_honest() -> None:
    alone = [record for record in shuffles.records().values() if "origin" not in record]
    assert {(record["game"], record["rules"]) for record in alone} == {
        *((game, rules) for game in ("carat", "catan_dice", "kwatro") for rules in (1, 2)),
        ("carnac", 1),
    }
    assert [verify(record, find).problem for record in alone] == [None] * len(alone)
