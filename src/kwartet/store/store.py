"""The store as the server sees it: a log of tables with what is derived from it, on one event loop.

Each change of a table is one entry, and the key (table, number) is the only lock: of
two who want to write the same number, in whatever process, one gets Conflict and
reads what the other wrote.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from kwartet.core.errors import GameError
from kwartet.store import operations, schema
from kwartet.store.connection import Connection, Database, Listener, OnEntry, OnMessage
from kwartet.store.erasures import Erasures
from kwartet.store.people import People
from kwartet.store.rows import (
    Best,
    Entry,
    HistoryRow,
    Kind,
    Player,
    Rate,
    Rating,
    Result,
    ReviewMark,
    ReviewRow,
    Secret,
    Snapshot,
    State,
    Subscription,
    TableRow,
)
from kwartet.store.steps import Known
from kwartet.store.structs import look_at_all
from kwartet.store.threads import Readers, Writer

CHECK: Final = 5.0  # seconds between two writes that only show that one can write
LONGEST_MESSAGE: Final = 7900  # bytes; PostgreSQL takes 8000 with the sender's name

log = logging.getLogger(__name__)


class Store:
    """An open database. Every method may raise StoreError, and then has changed nothing.

    The one exception is a commit whose answer was lost: after a StoreError read the log again.
    """

    def __init__(self, database: Database, connection: Connection) -> None:
        self._database = database
        self._checking: asyncio.Task[bool] | None = None  # whether something can be written
        self._checked = 0.0  # when that began, by the monotonic clock
        self._name = secrets.token_hex(8)  # of this process, among those that claim something
        self._writer = Writer(database, connection)
        self._readers = Readers(database)
        self._known = Known()
        self._on_entry: list[OnEntry] = []
        self._on_message: list[OnMessage] = []
        self.people = People(self._writer, self._readers)
        self.erasures = Erasures(database, self._writer, self._readers)
        self._loop = asyncio.get_running_loop()
        self._listener: Listener | None = None

    @classmethod
    async def open(cls, database: Database, *, upgrade: bool) -> "Store":
        """Check or upgrade the database and start the threads."""
        look_at_all()
        connection = await asyncio.to_thread(_prepared, database, upgrade)
        store = cls(database, connection)
        try:
            store._listener = await asyncio.to_thread(
                database.listener, store._entry_came, store._message_came
            )
        except BaseException:
            await store.close()
            raise
        return store

    async def close(self) -> None:
        """Finish what is under way and let go of the database."""
        listener, self._listener = self._listener, None
        if listener is not None:
            await asyncio.to_thread(listener.close)
        await self._writer.close()
        await self._readers.close()
        self._database.close()

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write, too."""
        return self._listener is not None

    @property
    def commits(self) -> int:
        """How many transactions were made durable so far."""
        return self._writer.commits

    @property
    def waiting(self) -> int:
        """How many changes are not durable yet."""
        return self._writer.waiting

    @property
    def round_trips(self) -> int:
        """How often the writer has waited for a database at the other end of a line."""
        return self._writer.round_trips

    def on_commit(self, callback: Callable[[int, float], None]) -> None:
        """Have `callback(changes, seconds)` called, on the loop, after each transaction."""
        self._writer.on_commit = callback

    async def ping(self) -> None:
        """StoreError if the database does not answer."""
        await self._readers.run(lambda connection: connection.run("SELECT 1"))

    async def extent(self) -> tuple[int, int]:
        """How many bytes there are, and about how many entries of the log."""
        return await self._readers.run(lambda connection: connection.extent())

    async def check_writes(self) -> None:
        """StoreError if nothing can be written; one write serves all who ask within a while."""
        if self._checking is None or (
            self._checking.done() and time.monotonic() - self._checked >= CHECK
        ):
            self._checked = time.monotonic()
            self._checking = asyncio.create_task(self.claim(f"writing {self._name}", CHECK))
            # Who asked may be gone when it fails.
            self._checking.add_done_callback(lambda task: task.cancelled() or task.exception())
        await asyncio.shield(self._checking)

    # Tables

    async def append(
        self,
        entry: Entry,
        row: TableRow,
        results: Sequence[Result] | None = None,
        rate: Rate | None = None,
    ) -> None:
        """Write an entry, its table's row and, at the end, results and ratings; all or nothing.

        Conflict if the number is not the table's next. `rate` maps the skills before, in the order
        of `results`, to those after; it runs on the writer's thread and must be quick.
        """
        if entry.table != row.id or entry.number < 1:
            raise ValueError("the entry is not of that table")
        await self._writer.run(
            lambda connection, again: operations.append(
                connection, again, entry, row, results, rate
            ),
            order=(results is not None, entry.table),  # rows of ratings are locked last
            step=None if results else self._known.step(entry, row),
        )
        self._known.note(entry, row)

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """The table's entries after number `after`, in order."""
        return await self._readers.run(partial(operations.entries, table=table, after=after))

    async def load(self, table: str, form: str) -> tuple[Snapshot | None, list[Entry]]:
        """The table's snapshot, if one has this form, and the entries after it; else all."""
        return await self._readers.run(partial(operations.load, table=table, form=form))

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep it in the place of an older one, or one of another form.

        Conflict if its table is gone.
        """
        await self._writer.run(lambda connection, _: operations.save_snapshot(connection, snapshot))

    async def versions(self, keys: Sequence[str]) -> dict[str, int]:
        """The number of the last entry of each of these tables that there is."""
        return await self._readers.run(partial(operations.versions, keys=keys))

    async def table(self, key: str) -> TableRow | None:
        """The table, if there is one."""
        return await self._readers.run(partial(operations.table, key=key))

    async def tables(
        self,
        state: State | None = None,
        listed: bool | None = None,
        game: str | None = None,
        player: str | None = None,
        before: float | None = None,
        before_id: str = "",
        limit: int = 50,
        attended: float | None = None,
    ) -> list[TableRow]:
        """Tables that are as asked for, the last changed first.

        The next page is before the last one's `changed` and `id`. `attended`: only those where
        something happened since then, or somebody who sits there was seen.
        """
        return await self._readers.run(
            partial(
                operations.tables,
                state=state,
                listed=listed,
                game=game,
                player=player,
                before=before,
                before_id=before_id,
                limit=limit,
                attended=attended,
            )
        )

    async def attend(self, keys: Sequence[str], at: float) -> None:
        """Note that somebody who sits at these tables was there until then."""
        await self._writer.run(lambda connection, _: operations.attend(connection, keys, at))

    async def abandoned(self, before: float) -> list[str]:
        """Running tables without a clock where nothing has happened since `before`."""
        return await self._readers.run(partial(operations.abandoned, before=before))

    async def due(self, now: float, skip: int = 0) -> list[str]:
        """Running tables whose deadline has passed, the longest first, without the first `skip`."""
        return await self._readers.run(partial(operations.due, now=now, skip=skip))

    async def has_deadlines(self) -> bool:
        """Whether a clock runs at any table."""
        return await self._readers.run(operations.has_deadlines)

    async def games_with_deadlines(self) -> list[str]:
        """The games at whose tables clocks run."""
        return await self._readers.run(operations.games_with_deadlines)

    async def bots_due(self, before: float) -> dict[str, float]:
        """Tables that go on without anybody where nothing has happened since `before`.

        With when something did, the longest ago first.
        """
        return await self._readers.run(partial(operations.bots_due, before=before))

    async def claim(self, what: str, seconds: float) -> bool:
        """Have something to oneself for so long, or longer, if no other process has it.

        Whether one has it. By the database's clock, so that servers' clocks may differ.
        """
        return await self._writer.run(
            lambda connection, _: operations.claim(connection, what, self._name, seconds)
        )

    async def mark_turn(self, table: str, turn: float) -> bool:
        """Keep that somebody was told of a turn; whether nobody had been."""
        return await self._writer.run(
            lambda connection, _: operations.mark_turn(connection, table, turn)
        )

    async def turns_untold(self, seconds: float) -> list[str]:
        """Tables where time runs that changed so shortly before the last change of all."""
        return await self._readers.run(partial(operations.turns_untold, seconds=seconds))

    async def prune(self, before: float) -> int:
        """Remove open tables unchanged since `before`, and secrets that expired before it.

        Returns how many tables.
        """
        return await self._writer.run(lambda connection, _: operations.prune(connection, before))

    # The house clock

    async def house_time(self, first: float) -> float:
        """What the house clock says; `first` if it has never said anything."""
        return await self._writer.run(
            lambda connection, _: operations.house_time(connection, first)
        )

    async def beat(self, time: float) -> float:
        """Set the house clock, but never back; returns what it says then."""
        return await self._writer.run(lambda connection, _: operations.beat(connection, time))

    # Players

    async def player(self, key: str) -> Player | None:
        """The player, if known."""
        return (await self.players([key])).get(key)

    async def seated(self, tables: Sequence[str]) -> set[str]:
        """The players in whose lists one of these tables stands."""
        return await self._readers.run(partial(operations.seated, tables=tables))

    async def players(self, keys: Sequence[str]) -> dict[str, Player]:
        """Those of these players that are known."""
        return await self._readers.run(partial(operations.players, keys=keys))

    async def add_secret(
        self,
        hashed: bytes,
        player: str,
        kind: Kind,
        name: str,
        created: float,
        expires: float | None = None,
    ) -> Secret:
        """Keep a token or link by its hash; the caller alone knows the secret itself."""
        return await self._writer.run(
            lambda connection, _: operations.add_secret(
                connection, hashed, player, kind, name, created, expires
            )
        )

    async def secret(self, hashed: bytes) -> Secret | None:
        """The secret with this hash, even one that expired."""
        return await self._readers.run(partial(operations.secret, hashed=hashed))

    async def take_secret(self, hashed: bytes, kind: Kind) -> Secret | None:
        """The secret of this kind and hash, for exactly one caller; afterwards it is gone."""
        return await self._writer.run(
            lambda connection, _: operations.take_secret(connection, hashed, kind),
            is_repeatable=False,
        )

    async def secrets(self, player: str, kind: Kind) -> list[Secret]:
        """The player's secrets of this kind, the newest first."""
        return await self._readers.run(partial(operations.secrets, player=player, kind=kind))

    async def save_subscription(self, subscription: Subscription, at_most: int) -> None:
        """Keep it, for this player alone; of more than `at_most` the oldest go."""
        await self._writer.run(
            lambda connection, _: operations.save_subscription(connection, subscription, at_most)
        )

    async def subscriptions(self, player: str) -> list[Subscription]:
        """The player's subscriptions, the newest first."""
        return await self._readers.run(partial(operations.subscriptions, player=player))

    async def drop_subscription(self, endpoint: str, player: str) -> None:
        """Forget it if it is the player's."""
        await self._writer.run(
            lambda connection, _: operations.drop_subscription(connection, endpoint, player)
        )

    # Reviews

    async def save_review(self, review: ReviewRow) -> None:
        """Keep it in the place of an older one, unless that has found out more of the same.

        Conflict if its table is gone.
        """
        await self._writer.run(lambda connection, _: operations.save_review(connection, review))

    async def reviews(self, table: str) -> list[ReviewMark]:
        """How far the table's reviews are, one for each care."""
        return await self._readers.run(partial(operations.reviews, table=table))

    async def review(self, table: str, care: str) -> ReviewRow | None:
        """The table's review with this care, if there is one."""
        return await self._readers.run(partial(operations.review, table=table, care=care))

    # Ratings and results

    async def ratings(self, player: str) -> dict[str, Rating]:
        """The player's ratings by game."""
        return await self._readers.run(partial(operations.ratings, player=player))

    async def ratings_of(self, players: Sequence[str], game: str) -> dict[str, Rating]:
        """The ratings of these players at one game; who has none is left out."""
        return await self._readers.run(partial(operations.ratings_of, keys=players, game=game))

    async def leaders(self, game: str, limit: int = 50) -> list[Rating]:
        """The strongest at a game, by mu less three sigmas."""
        return await self._readers.run(partial(operations.leaders, game=game, limit=limit))

    async def history(
        self,
        player: str,
        game: str | None = None,
        before: float | None = None,
        limit: int = 50,
    ) -> list[HistoryRow]:
        """The player's finished tables, the last first; the next page is before the last's `at`."""
        return await self._readers.run(
            partial(operations.history, player=player, game=game, before=before, limit=limit)
        )

    async def counts(self, player: str) -> dict[str, dict[str, int]]:
        """How often the player's finished tables ended in which way, by game."""
        return await self._readers.run(partial(operations.counts, player=player))

    async def bests(self, player: str, game: str, limit: int = 10) -> list[Best]:
        """The player's best scores at tables of one seat."""
        return await self._readers.run(
            partial(operations.bests, player=player, game=game, limit=limit)
        )

    # Other processes

    def on_entry(self, callback: OnEntry) -> None:
        """Have `callback(table, number)` called, on the loop, when another process appends.

        `callback("", 0)`: the connection was away for a while, entries may have been missed.
        """
        self._on_entry.append(callback)

    def on_message(self, callback: OnMessage) -> None:
        """Have `callback(text)` called, on the loop, when another process publishes."""
        self._on_message.append(callback)

    async def publish(self, text: str) -> None:
        """Send a short text to the other processes, as far as they listen now."""
        if len(text.encode()) > LONGEST_MESSAGE:
            raise GameError("bad-message", f"A message has at most {LONGEST_MESSAGE} bytes.")
        if self._listener is not None:
            await self._readers.run(lambda connection: connection.publish(text))

    def _entry_came(self, table: str, number: int) -> None:
        """Called by the listener's thread."""
        self._call(self._on_entry, table, number)

    def _message_came(self, text: str) -> None:
        """Called by the listener's thread."""
        self._call(self._on_message, text)

    def _call(self, callbacks: list[OnEntry] | list[OnMessage], *values: object) -> None:
        def call() -> None:
            for callback in callbacks:
                callback(*values)  # type: ignore[arg-type]

        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            log.debug("The event loop is closed; nobody is notified of %s.", values)


def _prepared(database: Database, upgrade: bool) -> Connection:
    """The writer's connection, to a database of this program's version."""
    connection = database.writer(create=upgrade)
    try:
        schema.prepare(connection, upgrade=upgrade)
    except BaseException:
        connection.close()
        raise
    return connection
