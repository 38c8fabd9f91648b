"""PostgreSQL: several server processes on one database, which tell each other what they write.

Statements are sent together with the next one whose result is looked at, so a transaction of
steps is one round trip. Its entries are announced by NOTIFY, sent right behind the COMMIT: whoever
hears of one can read it, and no other process's commit waits for this one's, as it would if the
announcement were a part of the transaction.
A channel belongs to a schema, as the tables do; a process does not hear itself.
"""

import contextlib
import hashlib
import secrets
import selectors
import socket
import threading
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from kwartet.core.errors import GameError
from kwartet.store.connection import (
    Again,
    Connection,
    Lost,
    OnEntry,
    OnMessage,
    Report,
    Row,
    Spoilt,
)
from kwartet.store.moving import copy
from kwartet.store.rows import StoreError
from kwartet.store.sqlite import SqliteDatabase

try:
    import psycopg
    from psycopg import errors as pg
    from psycopg.abc import PQGen
    from psycopg.conninfo import conninfo_to_dict
except ImportError as missing:
    raise GameError(
        "no-postgres", "PostgreSQL needs one more package: pip install 'kwartet[postgres]'."
    ) from missing

SCHEMA_LOCK: Final = 0x6B77617274657400  # any number that no other program uses
DEFAULTS: Final = {
    "application_name": "kwartet",
    "connect_timeout": 2,
    "keepalives_idle": 20,  # seconds, so that a vanished machine is noticed within a minute
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 2500,  # milliseconds that what was sent may go without being received
}
ANSWER: Final = 2.5  # seconds that a statement may take, locks included; then the server is away
SILENT: Final = 1.0  # seconds without an answer, after which a transaction begins with a question
LOCK: Final = 2.0  # seconds that it may wait for another process
QUIET: Final = 30.0  # seconds; then the listener asks whether the connection still lives


class _Impatient(psycopg.Connection[Row]):
    """A connection that does not wait for ever for a server which no longer answers."""

    patience: float | None = None  # seconds

    def wait(self, gen: PQGen[Any], interval: float = 0.1, timeout: float | None = None) -> Any:
        """Go on with what waits for the server; what takes too long ends the connection."""
        try:
            return super().wait(gen, interval, self.patience if timeout is None else timeout)
        except pg._WaitTimeout as late:
            self.pgconn.finish()
            raise psycopg.OperationalError("no answer in time") from late


class PostgresConnection:
    """A connection to the server."""

    for_update = " FOR UPDATE"
    clock = "EXTRACT(EPOCH FROM clock_timestamp())"
    contains = "position(?::bytea in {}) > 0"

    def __init__(self, database: "PostgresDatabase", *, readonly: bool = False) -> None:
        self._sender = database.sender
        self.round_trips = 0
        self._answered = 0.0  # when the server answered last
        self._notes: list[str] = []  # numbers and tables, sent with the commit
        self._pending: list[tuple[str, Sequence[object]]] = []  # sent with the next statement
        try:
            self.raw = _Impatient.connect(**database.settings, autocommit=True)
        except psycopg.Error as error:
            raise Lost(
                "store-unavailable", f"PostgreSQL does not answer: {_line(error)}"
            ) from error
        self.raw.patience = ANSWER
        try:
            self._prepare(readonly)
        except StoreError:
            self.raw.close()
            raise

    def _prepare(self, readonly: bool) -> None:
        name = self.run("SELECT current_schema()")[0][0]
        if name is None:
            raise GameError("bad-database", "The database has no schema to work in.")
        self.channel = f"kwartet_{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        if readonly:
            self.run("SET default_transaction_read_only = on")
            return
        # A process that hangs must not stop the others for long.
        self.run(f"SET lock_timeout = '{LOCK}s'")
        self.run("SET idle_in_transaction_session_timeout = '30s'")
        self.run(
            "SELECT set_config('synchronous_commit', 'on', false) "
            "WHERE current_setting('synchronous_commit') = 'off'"
        )

    def run(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """The rows that a statement yields."""
        cursor = self._execute(sql, values)
        return cursor.fetchall() if cursor.description else []

    def change(self, sql: str, values: Sequence[object] = ()) -> int:
        """How many rows a statement changed."""
        return self._execute(sql, values).rowcount

    def trust(self, sql: str, values: Sequence[object] = ()) -> None:
        """Run a statement that goes well, as far as one knows; if not, all of it is Spoilt."""
        self._pending.append((sql, values))

    def _execute(self, sql: str, values: Sequence[object]) -> psycopg.Cursor[Row]:
        return self._send([(sql, values)])[0]

    def _send(self, statements: list[tuple[str, Sequence[object]]]) -> list[psycopg.Cursor[Row]]:
        """Send what waits, then these, in one round trip; returns the cursors of these."""
        waiting, self._pending = self._pending, []
        together = len(waiting) + len(statements) > 1
        self.round_trips += 1
        try:
            with self.raw.pipeline() if together else contextlib.nullcontext():
                cursors = [
                    self.raw.execute(_marked(sql), values or None)
                    for sql, values in (*waiting, *statements)
                ]
        except psycopg.Error as error:
            raise self.translated(error) from error
        self._answered = time.monotonic()
        return cursors[len(waiting) :]

    def script(self, text: str) -> None:
        """Run the statements of a migration."""
        self.run(text.format(bytes="BYTEA", summary="convert_from(summary, 'UTF8')"))

    def begin(self) -> None:
        """Open a transaction that may write; Lost if the server is known to be away."""
        self._notes.clear()
        self._pending = [("BEGIN", ())]
        try:
            for _ in range(2):  # its last words, then its end
                self.raw.pgconn.consume_input()
        except psycopg.Error as error:
            self.close()
            raise self.translated(error) from error
        # Sent with the COMMIT, what got no answer might be there or not. Where the server has
        # been silent for a while, ask it first.
        if time.monotonic() - self._answered > SILENT:
            self._send([])

    def snapshot(self) -> None:
        """Open a transaction that only reads, and sees one moment however long it takes."""
        self.raw.patience = None
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def commit(self) -> None:
        """Make it durable, then announce it."""
        last: list[tuple[str, Sequence[object]]] = [("COMMIT", ())]
        if self._notes:
            last.append(
                (
                    f"SELECT pg_notify('{self.channel}_entries', t) FROM unnest(?::text[]) t",
                    ([f"{self._sender} {note}" for note in self._notes],),
                )
            )
        self._send(last)
        self.raw.patience = ANSWER

    def rollback(self) -> None:
        """Forget it; never raises."""
        self._notes.clear()
        self._pending.clear()
        with contextlib.suppress(psycopg.Error):
            self.raw.rollback()
        self.raw.patience = ANSWER

    def tidy(self) -> bool:
        """Nothing to do: PostgreSQL vacuums by itself."""
        return True

    def close(self) -> None:
        """Let go; never raises."""
        with contextlib.suppress(psycopg.Error):
            self.raw.close()

    def has_table(self, name: str) -> bool:
        """Whether there is such a table."""
        # Not `to_regclass`, which may not have noticed what another process just made.
        sql = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?"
        return bool(self.run(sql, (name,)))

    def extent(self) -> tuple[int, int]:
        """How many bytes there are, and about how many entries; never slow."""
        sql = (
            "SELECT pg_database_size(current_database()), greatest(reltuples, 0)::bigint "
            "FROM pg_class WHERE relname = 'entries' "
            "AND relnamespace = current_schema()::regnamespace"
        )
        ((size, entries),) = self.run(sql)
        return size, entries

    def damage(self) -> list[str]:
        """What the database itself finds wrong with what it keeps, a sentence each."""
        rows = self.run(
            "SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON oid = indexrelid "
            "WHERE relnamespace = current_schema()::regnamespace AND NOT indisvalid"
        )
        found = [f"The index {name} is not valid" for (name,) in rows]
        sql = "SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()"
        if failures := self.run(sql)[0][0]:
            found.append(f"{failures} pages had another checksum than they should")
        return found

    def lock_schema(self) -> None:
        """Let no other process upgrade until this transaction ends."""
        self.raw.patience = None  # an upgrade may take its time
        self.run("SET LOCAL lock_timeout = 0")
        self.run("SELECT pg_advisory_xact_lock(?)", (SCHEMA_LOCK,))

    def announce(self, table: str, number: int) -> None:
        """Tell other processes of an entry, once this transaction is committed."""
        self._notes.append(f"{number} {table}")

    def publish(self, text: str) -> None:
        """Send other processes a message at once."""
        self.run("SELECT pg_notify(?, ?)", (f"{self.channel}_messages", f"{self._sender} {text}"))

    def translated(self, error: psycopg.Error) -> StoreError:
        """What the driver's error means to the store."""
        if isinstance(error, psycopg.OperationalError) and _ends(error.sqlstate):
            self.close()
        if self.raw.closed:
            return Lost(
                "store-unavailable", f"The connection to PostgreSQL was lost: {_line(error)}"
            )
        if isinstance(error, pg.DeadlockDetected | pg.SerializationFailure | pg.LockNotAvailable):
            return Again("store-unavailable", f"Other processes are in the way: {_line(error)}")
        if isinstance(error, psycopg.IntegrityError):
            return Spoilt("store-failed", f"PostgreSQL refused: {_line(error)}")
        return StoreError("store-failed", f"PostgreSQL refused: {_line(error)}")


def _ends(code: str | None) -> bool:
    """Whether a connection is of no use after such an error.

    The driver's own have no code, such as that a pipeline cannot be left; the others are those
    of a server that ends.
    """
    return code is None or code.startswith("57P")


class PostgresDatabase:
    """The database at a URL; `sender` is this process's name on the channels."""

    def __init__(self, url: str) -> None:
        try:
            self.settings: dict[str, Any] = {**DEFAULTS, **conninfo_to_dict(url)}
        except psycopg.Error as error:
            raise GameError("bad-database", "That is no URL of a PostgreSQL database.") from error
        self.sender = secrets.token_hex(8)

    def writer(self, *, create: bool = False) -> Connection:
        """A connection that may write."""
        return PostgresConnection(self)

    def reader(self) -> Connection:
        """A connection that only reads."""
        return PostgresConnection(self, readonly=True)

    def listener(self, on_entry: OnEntry, on_message: OnMessage) -> "PostgresListener":
        """Start hearing other processes."""
        return PostgresListener(self, on_entry, on_message)

    def copy_to(self, file: Path, report: Report) -> None:
        """Write everything, as it is at one moment, into a new SQLite file."""
        copy(self, SqliteDatabase(file), report)

    def hold(self) -> None:
        """Nothing to do: any number of servers may work here."""

    def close(self) -> None:
        """Nothing to do."""


class PostgresListener:
    """Hears the channels on a thread and a connection of its own, for as long as it takes."""

    def __init__(
        self, database: PostgresDatabase, on_entry: OnEntry, on_message: OnMessage
    ) -> None:
        self._database = database
        self._on_entry = on_entry
        self._on_message = on_message
        self._wake, self._woken = socket.socketpair()
        self._closing = threading.Event()
        self._connection = self._connect()
        self._thread = threading.Thread(target=self._main, name="store-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening; returns when the thread has ended."""
        self._closing.set()
        self._wake.send(b"!")
        self._thread.join()
        self._wake.close()
        self._woken.close()

    def _connect(self) -> PostgresConnection:
        connection = PostgresConnection(self._database, readonly=True)
        for kind in ("entries", "messages"):
            connection.run(f"LISTEN {connection.channel}_{kind}")
        return connection

    def _main(self) -> None:
        while True:
            with contextlib.suppress(psycopg.Error, StoreError, OSError):
                self._listen()
            self._connection.close()
            if self._closing.is_set() or not self._reconnect():
                return
            self._on_entry("", 0)  # nobody knows what was written meanwhile

    def _reconnect(self) -> bool:
        """Connect again, however long it takes; False: it is no longer wanted."""
        delay = 0.02
        while not self._closing.wait(delay):
            try:
                self._connection = self._connect()
            except GameError:
                delay = min(2 * delay, 1.0)
            else:
                return True
        return False

    def _listen(self) -> None:
        """Pass on what comes, until the connection is lost or no longer wanted."""
        raw = self._connection.raw.pgconn
        with selectors.DefaultSelector() as selector:
            selector.register(raw.socket, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not self._closing.is_set():
                if selector.select(QUIET):
                    raw.consume_input()
                else:
                    self._connection.run("SELECT 1")
                while note := raw.notifies():
                    self._pass_on(note.relname.decode(), note.extra.decode())

    def _pass_on(self, channel: str, payload: str) -> None:
        sender, _, text = payload.partition(" ")
        if sender == self._database.sender:
            return
        if channel.endswith("_messages"):
            self._on_message(text)
        else:
            number, _, table = text.partition(" ")
            self._on_entry(table, int(number))


@lru_cache
def _marked(sql: str) -> Any:
    """The statement with the driver's mark for a value."""
    return sql.replace("?", "%s")


def _line(error: Exception) -> str:
    """What the driver says, on one line."""
    return " ".join(str(error).split()) or type(error).__name__
