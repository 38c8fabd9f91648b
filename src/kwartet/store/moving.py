"""Everything of one database in another, of whichever kind: all of it, or nothing.

What tables, columns and keys there are is asked of an empty SQLite database of the same version,
so nothing here knows them. Rows are read in portions by their keys, written, then read back and
compared with where they came from; only after that the transaction is committed.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from kwartet.core.errors import GameError
from kwartet.store import schema
from kwartet.store.connection import Connection, Database, Report, Row
from kwartet.store.rows import StoreError
from kwartet.store.sqlite import SqliteConnection, SqliteDatabase

PORTION: Final = 200  # rows in one statement


class Shape(msgspec.Struct, frozen=True):
    """A table as both kinds of database know it."""

    name: str
    columns: list[str]
    key: list[int]  # which columns name a row
    booleans: set[int]  # which columns are numbers in SQLite and truths in PostgreSQL

    def row(self, values: Sequence[object]) -> Row:
        """A row as PostgreSQL has it."""
        return tuple(
            bool(value) if n in self.booleans and value is not None else value
            for n, value in enumerate(values)
        )

    def key_of(self, row: Row) -> Row:
        """What names the row."""
        return tuple(row[n] for n in self.key)

    @property
    def keys(self) -> str:
        """The columns that name a row, for a statement."""
        return ", ".join(self.columns[n] for n in self.key)


def shapes(version: int) -> list[Shape]:
    """The tables of a database of this version, those that others refer to first."""
    model = SqliteConnection(Path(":memory:"))
    try:
        schema.create(model, version)
        names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_version'"
        return [_shape(model, name) for (name,) in model.run(f"{names} ORDER BY rowid")]
    finally:
        model.close()


def _shape(model: SqliteConnection, name: str) -> Shape:
    columns = model.run(f"PRAGMA table_info({name})")  # number, name, type, …, place in the key
    return Shape(
        name,
        [column[1] for column in columns],
        [column[0] for column in sorted(columns, key=lambda column: column[5]) if column[5]],
        {column[0] for column in columns if column[2] == "BOOLEAN"},
    )


def transfer(source: Database, target: Database, report: Report) -> int:
    """Copy everything, as it is at one moment, into an empty database; returns how many rows.

    The copy is of this program's version afterwards. GameError `bad-database` if there is
    something in `target`, StoreError `store-failed` if what was written is not what was read;
    in any case nothing has changed then.
    """
    is_new = isinstance(target, SqliteDatabase) and not target.path.exists()
    try:
        target.hold()
        return copy(source, target, report, last=schema.VERSION)
    except BaseException:
        if isinstance(target, SqliteDatabase) and is_new:
            for rest in ("", "-wal", "-shm", ".lock"):
                Path(f"{target.path}{rest}").unlink(missing_ok=True)
        raise
    finally:
        target.close()


def copy(source: Database, target: Database, report: Report, *, last: int | None = None) -> int:
    """The same with a target that nobody else knows; it keeps the version unless `last` is told."""
    reading = source.reader()
    try:
        reading.snapshot()
        version = schema.version_of(reading)
        if version == 0:
            raise StoreError("store-too-old", "There is nothing in the database to copy.")
        writing = target.writer(create=True)
        try:
            return _filled(reading, writing, version, last or version, report)
        finally:
            writing.close()
    finally:
        reading.close()


def _filled(source: Connection, target: Connection, version: int, last: int, report: Report) -> int:
    target.begin()
    try:
        target.lock_schema()
        _make_room(target, version)
        count = _fill(source, target, version, report)
        schema.run_scripts(target, version, last)
        target.commit()
    except BaseException:
        target.rollback()
        raise
    return count


def _make_room(target: Connection, version: int) -> None:
    """Make the tables, unless there are such already and nothing is in them."""
    if not target.has_table("schema_version"):
        if target.has_table("tables"):
            raise GameError("bad-database", "That database belongs to another program.")
        schema.create(target, version)
        return
    there = schema.version_of(target)
    if any(target.run(f"SELECT 1 FROM {shape.name} LIMIT 1") for shape in shapes(there)):
        raise GameError(
            "bad-database", "There is something in that database already; give an empty one."
        )
    if there != version:
        raise GameError(
            "bad-database",
            f"What is to be copied is of version {version}, and there are empty tables of version "
            f"{there} where it is to go; give a database without tables.",
        )


def _fill(source: Connection, target: Connection, version: int, report: Report) -> int:
    """Copy all rows into empty tables of the same version and compare them; returns how many."""
    tables = shapes(version)
    counts = [_count(source, shape) for shape in tables]
    total, done = 2 * sum(counts), 0
    for act in (_write, _compare):
        for shape in tables:
            for rows in _portions(source, shape):
                act(target, shape, rows)
                done += len(rows)
                report(done, total)
    for shape, count in zip(tables, counts, strict=True):
        if _count(target, shape) != count:
            raise StoreError("store-failed", f"The copy has other rows in {shape.name}.")
    return sum(counts)


def _count(connection: Connection, shape: Shape) -> int:
    return int(connection.run(f"SELECT count(*) FROM {shape.name}")[0][0])


def _portions(source: Connection, shape: Shape) -> Iterator[list[Row]]:
    """The rows in the order of their keys, not more in memory than need be."""
    select = f"SELECT {', '.join(shape.columns)} FROM {shape.name}"
    last: Row = ()
    while True:
        after = f" WHERE ({shape.keys}) > ({_marks(last)})" if last else ""
        rows = source.run(f"{select}{after} ORDER BY {shape.keys} LIMIT ?", (*last, PORTION))
        if not rows:
            return
        yield [shape.row(row) for row in rows]
        last = shape.key_of(rows[-1])


def _write(target: Connection, shape: Shape, rows: list[Row]) -> None:
    each = ", ".join(f"({_marks(row)})" for row in rows)
    values = [value for row in rows for value in row]
    sql = f"INSERT INTO {shape.name} ({', '.join(shape.columns)}) VALUES {each}"
    target.change(sql, values)


def _compare(target: Connection, shape: Shape, rows: list[Row]) -> None:
    """StoreError unless the target has exactly these rows under their keys."""
    keys = [shape.key_of(row) for row in rows]
    each = ", ".join(f"({_marks(key)})" for key in keys)
    names = [f"wanted_{n}" for n in shape.key]
    is_wanted = " AND ".join(f"{shape.columns[n]} = wanted_{n}" for n in shape.key)
    # For SQLite a join, in this order, is the way to the index; `IN` would look at every row.
    found = target.run(
        f"WITH wanted ({', '.join(names)}) AS (VALUES {each}) "
        f"SELECT {', '.join(shape.columns)} FROM wanted CROSS JOIN {shape.name} WHERE {is_wanted}",
        [value for key in keys for value in key],
    )
    there = {shape.key_of(row): shape.row(row) for row in found}
    for key, row in zip(keys, rows, strict=True):
        if there.get(key) != row:
            raise StoreError("store-failed", f"The copy has another row in {shape.name}.")


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
