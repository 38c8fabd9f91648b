"""A copy of a database that others write to: one moment of it, in one SQLite file.

The copy of a PostgreSQL database is a SQLite file, too, so any backup can be served at once.
"""

import os
from pathlib import Path

from kwartet.core.errors import GameError, quoted
from kwartet.store.connection import Database, Report
from kwartet.store.sqlite import SqliteDatabase


def back_up(database: Database, file: Path, *, force: bool = False, report: Report) -> None:
    """Copy the database to `file`, which is there as a whole or not at all.

    GameError `bad-file` if there is such a file already, unless `force`.
    """
    if isinstance(database, SqliteDatabase) and _is_same(database.path, file):
        raise GameError("bad-file", "That is the database itself; name another file.")
    if file.is_dir() or (file.exists() and not force):
        raise GameError("bad-file", f"There is {quoted(str(file))} already; see --force.")
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.touch(0o600, exist_ok=False)  # it holds what running matches keep secret
    try:
        database.copy_to(part, report)
        _sync(part)
        part.replace(file)
        _sync(file.parent)
    finally:
        for rest in ("", "-journal", "-wal", "-shm"):
            Path(f"{part}{rest}").unlink(missing_ok=True)


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def _sync(path: Path) -> None:
    """Have the system write it to the disk now."""
    if os.name == "nt" and path.is_dir():
        return  # folders cannot be opened there
    handle = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
