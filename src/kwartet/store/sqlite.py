"""SQLite: one file, durable at every commit, readable while it is written.

Several processes may work on the file, so that a backup can be made of a running
server; but servers do not hear each other through it, and `hold` admits only one.
"""

import os
import sqlite3
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from kwartet.core.errors import GameError, quoted
from kwartet.store.connection import Again, Connection, OnEntry, OnMessage, Report, Row, Spoilt
from kwartet.store.rows import StoreError

COPIED = 1024  # pages between two reports of a copy
LOOK = 5.0  # seconds for a look for damage
WAIT = 5.0  # seconds for another process's transaction to end
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
PASSING = (*BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)


class SqliteConnection:
    """A connection to the file."""

    for_update = ""  # there is only one writer anyway
    round_trips = 0
    clock = "(julianday('now') - 2440587.5) * 86400.0"
    contains = "instr({}, ?) > 0"

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        try:
            self.raw = sqlite3.connect(
                path, timeout=WAIT, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise _unopened(path, error) from error
        try:
            if self._is_foreign():
                raise sqlite3.DatabaseError("it belongs to another program")
            self.raw.execute("PRAGMA journal_mode = WAL")
            self.raw.execute("PRAGMA synchronous = FULL")
            self.raw.execute("PRAGMA foreign_keys = ON")
            self.raw.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten
            if readonly:
                self.raw.execute("PRAGMA query_only = ON")
        except sqlite3.DatabaseError as error:
            self.raw.close()
            raise _unopened(path, error) from error

    def run(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """The rows that a statement yields."""
        try:
            return self.raw.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise _translated(error) from error

    def change(self, sql: str, values: Sequence[object] = ()) -> int:
        """How many rows a statement changed."""
        try:
            return self.raw.execute(sql, values).rowcount
        except sqlite3.Error as error:
            raise _translated(error) from error

    def trust(self, sql: str, values: Sequence[object] = ()) -> None:
        """Run a statement that goes well, as far as one knows; if not, all of it is Spoilt."""
        try:
            self.raw.execute(sql, values)
        except sqlite3.IntegrityError as error:
            raise Spoilt("store-failed", f"The database refused: {error}.") from error
        except sqlite3.Error as error:
            raise _translated(error) from error

    def script(self, text: str) -> None:
        """Run the statements of a migration."""
        # Not `executescript`, which would commit first.
        script = text.format(bytes="BLOB", summary="CAST(summary AS TEXT)")
        for statement in script.split(";"):
            self.run(statement)

    def begin(self) -> None:
        """Open a transaction that may write."""
        self.run("BEGIN IMMEDIATE")

    def snapshot(self) -> None:
        """Open a transaction that only reads, and sees one moment however long it takes."""
        self.run("BEGIN")
        self.run("SELECT count(*) FROM sqlite_master")  # it begins with the first that is read

    def commit(self) -> None:
        """Make it durable."""
        try:
            self.raw.commit()  # lets other threads run once; a statement would do so three times
        except sqlite3.Error as error:
            raise _translated(error) from error

    def rollback(self) -> None:
        """Forget it; never raises."""
        try:
            if self.raw.in_transaction:  # SQLite ends it by itself after some errors
                self.raw.execute("ROLLBACK")
        except sqlite3.Error:
            pass

    def tidy(self) -> bool:
        """Let the log of writes hold nothing that is gone from the file itself; whether it could.

        It waits for nobody: while it waited for a backup to be read, writers would wait for it.
        """
        self.run("PRAGMA busy_timeout = 0")
        ((is_busy, *_),) = self.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return not is_busy

    def close(self) -> None:
        """Let go; never raises."""
        self.rollback()
        self.raw.close()

    def has_table(self, name: str) -> bool:
        """Whether there is such a table."""
        sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        return bool(self.run(sql, (name,)))

    def extent(self) -> tuple[int, int]:
        """How many bytes there are, and about how many entries; never slow."""
        ((pages,),), ((size,),) = self.run("PRAGMA page_count"), self.run("PRAGMA page_size")
        ((entries,),) = self.run("SELECT coalesce(max(rowid), 0) FROM entries")  # of all there were
        return pages * size, entries

    def damage(self) -> list[str]:
        """What the database itself finds wrong with what it keeps, a sentence each."""
        found = [text for (text,) in self.run("PRAGMA integrity_check(20)") if text != "ok"]
        rows = self.run("PRAGMA foreign_key_check")
        lost = [f"A row of {table} belongs to no row of {other}" for table, _, other, _ in rows]
        return found + lost

    def check_sound(self) -> None:
        """GameError if the file is damaged, as far as a few seconds tell."""
        deadline = time.monotonic() + LOOK
        self.raw.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
        try:
            found = str(self.raw.execute("PRAGMA quick_check(1)").fetchone()[0])
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise _translated(error) from error
            found = "ok"
        except sqlite3.DatabaseError as error:
            found = str(error)
        finally:
            self.raw.set_progress_handler(None, 0)
        if found != "ok":
            told = f"The database is damaged ({found}); restore a backup of it."
            raise GameError("bad-database", told)

    def _is_foreign(self) -> bool:
        """Whether the file holds something, but nothing of ours."""
        names = {name for (name,) in self.raw.execute("SELECT name FROM sqlite_master")}
        return bool(names) and "schema_version" not in names

    def lock_schema(self) -> None:
        """Nothing to do: a transaction that may write is the only one."""

    def announce(self, table: str, number: int) -> None:
        """Nothing to do: there is no other process to tell."""

    def publish(self, text: str) -> None:
        """Nothing to do: there is no other process to tell."""


class SqliteDatabase:
    """The file at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None
        self._is_checked = False

    def writer(self, *, create: bool = False) -> Connection:
        """A connection that may write; `create`: also where nothing is yet."""
        if self.path.is_dir() or not self.path.parent.is_dir():
            raise GameError("bad-database", f"There can be no file {quoted(str(self.path))}.")
        if create:
            self.path.touch(0o600)  # it holds what running matches keep secret
        connection = SqliteConnection(self.existing())
        try:
            if not self._is_checked:
                connection.check_sound()
        except GameError:
            connection.close()
            raise
        self._is_checked = True
        return connection

    def reader(self) -> Connection:
        """A connection that only reads."""
        return SqliteConnection(self.existing(), readonly=True)

    def listener(self, on_entry: OnEntry, on_message: OnMessage) -> None:
        """None: there is no other server to hear."""

    def copy_to(self, file: Path, report: Report) -> None:
        """Write everything, as it is at one moment, into a new file, while others write here."""
        source = SqliteConnection(self.existing(), readonly=True)
        target = sqlite3.connect(file)
        try:
            # Without a transaction that has begun to read, every write would start it anew.
            source.snapshot()
            source.raw.backup(
                target, pages=COPIED, progress=lambda _, left, pages: report(pages - left, pages)
            )
        except sqlite3.Error as error:
            raise _translated(error) from error
        finally:
            target.close()
            source.close()

    def existing(self) -> Path:
        """The path; StoreError if there is no file."""
        if self.path.exists():
            return self.path
        raise StoreError(
            "store-too-old",
            f"There is no database {quoted(str(self.path))}; run `kwartet db upgrade`.",
        )

    def hold(self) -> None:
        """Let no second server work on this file; StoreError `store-busy` if one does."""
        if self._lock is not None:
            return
        # A file of its own: closing the database's file would drop SQLite's locks on it.
        # The system drops the lock when the process ends, however it ends.
        lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(lock)
        except OSError as error:
            os.close(lock)
            raise StoreError(
                "store-busy",
                f"Another server works on {quoted(str(self.path))}; stop it, "
                "or use PostgreSQL to run several.",
            ) from error
        self._lock = lock

    def close(self) -> None:
        """Give up what `hold` took."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _lock(file: int) -> None:
    """Take a file for this process alone; OSError if another has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the extension


def _unopened(path: Path, error: sqlite3.Error) -> GameError:
    """Why an existing file cannot be opened: for the moment, or because it is no database."""
    if _code(error) in PASSING:
        return _translated(error)
    return GameError("bad-database", f"{quoted(str(path))}: {error}.")


def _translated(error: sqlite3.Error) -> StoreError:
    if _code(error) in BUSY:
        return Again("store-unavailable", "Another program keeps the database locked.")
    if _code(error) == sqlite3.SQLITE_CANTOPEN:  # descriptors or rights are missing
        return StoreError("store-unavailable", f"The database cannot be opened: {error}.")
    return StoreError("store-failed", f"The database refused: {error}.")
