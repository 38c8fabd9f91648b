"""Whether a database holds together: what it finds wrong itself, the log, and what belongs to it.

What entries say is not the store's business; `contents` hands them to who can read them.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from kwartet.store import operations
from kwartet.store.connection import Connection
from kwartet.store.rows import Entry, Result, TableRow

# What must yield no row, and what one means; its first value names where.
RULES: Final = {
    "SELECT table_id FROM entries GROUP BY table_id HAVING count(*) <> max(number)": (
        "Table {}: the log has gaps"
    ),
    "SELECT id FROM tables WHERE NOT EXISTS (SELECT 1 FROM entries WHERE table_id = id)": (
        "Table {}: there is no log"
    ),
    "SELECT DISTINCT table_id FROM entries WHERE NOT EXISTS "
    "(SELECT 1 FROM tables WHERE id = table_id)": "Table {}: there is a log and no table",
    "SELECT player FROM ratings WHERE matches <> (SELECT count(*) FROM results "
    "WHERE results.player = ratings.player AND results.game = ratings.game "
    "AND results.mu IS NOT NULL)": "Player {}: not as many rated results as the rating counts",
}


class Content(msgspec.Struct, frozen=True):
    """A table with everything that belongs to it."""

    row: TableRow
    entries: list[Entry]
    results: list[Result]
    players: set[str]  # in whose lists it stands


def faults(connection: Connection) -> Iterator[str]:
    """What is wrong with the database, a sentence each."""
    yield from connection.damage()
    for sql, meaning in RULES.items():
        for (name,) in connection.run(sql):
            yield meaning.format(name)


def count(connection: Connection) -> int:
    """How many tables there are."""
    return int(connection.run("SELECT count(*) FROM tables")[0][0])


def contents(connection: Connection) -> Iterator[Content]:
    """All tables, one after another."""
    last = ""
    while keys := connection.run(
        "SELECT id FROM tables WHERE id > ? ORDER BY id LIMIT 500", (last,)
    ):
        for (key,) in keys:
            row = operations.table(connection, key)
            assert row  # it is one moment
            log = operations.entries(connection, key, 0)
            yield Content(row, log, _results(connection, key), _players(connection, key))
            last = key


def _results(connection: Connection, table: str) -> list[Result]:
    sql = "SELECT seat, player, score, rank, outcome FROM results WHERE table_id = ? ORDER BY seat"
    return [Result(*row) for row in connection.run(sql, (table,))]


def _players(connection: Connection, table: str) -> set[str]:
    sql = "SELECT player FROM seats WHERE table_id = ?"
    return {player for (player,) in connection.run(sql, (table,))}
