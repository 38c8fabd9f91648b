"""What both kinds of database offer to the operations: a connection that speaks one SQL.

A connection is used by one thread at a time. `?` stands for a value. Whatever the
driver raises comes out as a StoreError, of one of the kinds below where that matters.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from kwartet.store.rows import StoreError

Row = tuple[Any, ...]
OnEntry = Callable[[str, int], None]  # a table and the number of its new entry; "", 0: unknown
OnMessage = Callable[[str], None]
Report = Callable[[int, int], None]  # how much is done, of how much in all


class Lost(StoreError):
    """The connection is gone; what was being committed may be there or not."""


class Again(StoreError):
    """The transaction met another one and was undone; the same may go well the next time."""


class Spoilt(StoreError):
    """What was trusted to go well did not, and the transaction cannot be made durable."""


class Connection(Protocol):
    """One connection, outside a transaction until `begin`."""

    for_update: str  # ends a SELECT that locks its rows
    round_trips: int  # so far; 0 where nothing is asked over a line
    clock: str  # the database's time as a number, in SQL
    contains: str  # whether the bytes of a column `{}` have some in them

    def run(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """The rows that a statement yields."""

    def change(self, sql: str, values: Sequence[object] = ()) -> int:
        """How many rows a statement changed."""

    def trust(self, sql: str, values: Sequence[object] = ()) -> None:
        """Run a statement that goes well, as far as one knows; if not, all of it is Spoilt.

        That may come out as late as with the commit.
        """

    def script(self, text: str) -> None:
        """Run the statements of a migration."""

    def begin(self) -> None:
        """Open a transaction that may write."""

    def snapshot(self) -> None:
        """Open a transaction that only reads, and sees one moment however long it takes."""

    def commit(self) -> None:
        """Make it durable."""

    def rollback(self) -> None:
        """Forget it; never raises."""

    def tidy(self) -> bool:
        """Leave nothing of what was deleted in the database's files, as far as it can.

        Waits for nobody; False if somebody was in the way.
        """
        ...

    def close(self) -> None:
        """Let go; never raises."""

    def has_table(self, name: str) -> bool:
        """Whether there is such a table."""

    def extent(self) -> tuple[int, int]:
        """How many bytes there are, and about how many entries; never slow."""

    def damage(self) -> list[str]:
        """What the database itself finds wrong with what it keeps, a sentence each."""

    def lock_schema(self) -> None:
        """Let no other process upgrade until this transaction ends."""

    def announce(self, table: str, number: int) -> None:
        """Tell other processes of an entry, once this transaction is committed."""

    def publish(self, text: str) -> None:
        """Send other processes a message at once."""


class Listener(Protocol):
    """Is notified of what other processes commit, on a thread of its own."""

    def close(self) -> None:
        """Stop listening; returns when the thread has ended."""


class Database(Protocol):
    """Where connections come from."""

    def writer(self, *, create: bool = False) -> Connection:
        """A connection that may write; `create`: also where nothing is yet."""

    def reader(self) -> Connection:
        """A connection that only reads."""

    def listener(self, on_entry: OnEntry, on_message: OnMessage) -> Listener | None:
        """Start to be notified by other processes; None if there can be none."""

    def copy_to(self, file: Path, report: Report) -> None:
        """Write everything, as it is at one moment, into a new SQLite file."""

    def hold(self) -> None:
        """Let no second server work here; StoreError `store-busy` if one does."""

    def close(self) -> None:
        """Give up what `hold` took."""
