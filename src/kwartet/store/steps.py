"""Steps: entries that follow on their table's last one and change nobody's seat, as most do.

All steps of a transaction are two statements, however many they are. They are written or the
statements fail: an entry gets the number after the one before it, so one whose predecessor is
missing has none, and one that is there already has its number twice. Whoever finds them failing
undoes everything and asks for each entry alone who is to blame.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from kwartet.store.connection import Connection
from kwartet.store.rows import Entry, TableRow

AT_ONCE: Final = 32  # rows of one statement; each number of rows is a statement of its own
REMEMBERED: Final = 10_000  # tables


class Step(msgspec.Struct, frozen=True):
    """An entry and the row that it makes of its table."""

    entry: Entry
    row: TableRow


def write(connection: Connection, steps: Sequence[Step]) -> None:
    """Write the steps, at most one a table; or fail, at the latest with the commit."""
    for start in range(0, len(steps), AT_ONCE):
        some = steps[start : start + AT_ONCE]
        entries: list[object] = []
        rows: list[object] = []
        for step in some:
            entry, row = step.entry, step.row
            entries += (entry.table, entry.number, entry.at, entry.body)
            rows += (row.id, row.state, row.listed, row.changed)
            rows += (row.deadline, row.bot_due, row.summary)
        connection.trust(_inserting(len(some)), entries)
        connection.trust(_updating(len(some)), rows)
    for step in steps:
        connection.announce(step.entry.table, step.entry.number)


@lru_cache(AT_ONCE)
def _inserting(count: int) -> str:
    return (
        "INSERT INTO entries (table_id, number, at, body) SELECT v.column1, "
        "(SELECT number + 1 FROM entries WHERE table_id = v.column1 AND number = v.column2 - 1), "
        f"v.column3, v.column4 FROM (VALUES {_marks(count, 4)}) AS v"
    )


@lru_cache(AT_ONCE)
def _updating(count: int) -> str:
    # The cast: where no row has a deadline, PostgreSQL would not know of what type none is.
    return (
        "UPDATE tables SET state = v.column2, listed = v.column3, changed = v.column4, "
        "deadline = CAST(v.column5 AS DOUBLE PRECISION), bot_due = v.column6, "
        f"summary = v.column7 FROM (VALUES {_marks(count, 7)}) AS v WHERE tables.id = v.column1"
    )


def _marks(rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return ", ".join([row] * rows)


class Known:
    """What this process wrote last of each table, and who sits there."""

    def __init__(self) -> None:
        self._tables: dict[str, tuple[int, list[str | None]]] = {}

    def step(self, entry: Entry, row: TableRow) -> Step | None:
        """The entry as a step, if it is one as far as is known; it is forgotten until noted."""
        known = self._tables.pop(entry.table, None)
        return Step(entry, row) if known == (entry.number - 1, row.players) else None

    def note(self, entry: Entry, row: TableRow) -> None:
        """That is written."""
        self._tables[entry.table] = (entry.number, row.players)
        if len(self._tables) > REMEMBERED:
            del self._tables[next(iter(self._tables))]
