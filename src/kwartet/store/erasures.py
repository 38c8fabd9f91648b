"""People who are to be forgotten, and logs that are written anew because of it.

Elsewhere an entry is never changed. Here it is, in place and under its number, so that a
match stays what it was and only what it says of a person is gone. One entry more stands at the
end: whoever does not know what was changed finds its number taken.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final

import msgspec

from kwartet.core.errors import GameError
from kwartet.store import operations
from kwartet.store.connection import Connection, Database
from kwartet.store.people import Note, note, trace
from kwartet.store.rows import Conflict, Entry, Snapshot, TableRow
from kwartet.store.threads import Readers, Writer

TRIES: Final = 20  # of one log when others are quicker every time
AT_ONCE: Final = 500  # tables looked through by one statement
TIDY_TRIES: Final = 100  # while others read, such as a backup
TIDY_PAUSE: Final = 0.5  # seconds
OWN: Final = (  # rows that are the player's alone
    ("players", "id"),
    ("secrets", "player"),
    ("subscriptions", "player"),
    ("devices", "player"),
    ("blocks", "player"),
    ("blocks", "blocked"),
    ("bans", "player"),
    ("ratings", "player"),
)


class Rewritten(msgspec.Struct, frozen=True):
    """What becomes of a log."""

    changed: list[Entry]
    added: Entry  # at the end
    row: TableRow


Rewrite = Callable[[list[Entry]], Rewritten | None]  # None: nothing becomes of it


class Erasures:
    """Forgets people. Every method may raise StoreError."""

    def __init__(self, database: Database, writer: Writer, readers: Readers) -> None:
        self._database = database
        self._writer = writer
        self._readers = readers

    async def begin(self, player: str) -> None:
        """Keep nothing of a player's own, know them no more, and remember to forget the rest."""

        def work(connection: Connection, again: bool) -> None:
            for table, key in (("gone", trace(player)), ("erasures", player)):
                sql = f"INSERT INTO {table} VALUES (?, ?) ON CONFLICT DO NOTHING"
                connection.change(sql, (key, time.time()))
            _drop_own(connection, player)
            note(connection, Note(about=trace(player), bans=True))

        await self._writer.run(work)

    async def pending(self) -> list[str]:
        """The players who are not forgotten yet."""
        return await self._readers.run(
            lambda connection: [key for (key,) in connection.run("SELECT player FROM erasures")]
        )

    async def tables_with(self, player: str) -> AsyncIterator[str]:
        """The tables whose log or row says something of the player; reads all there are."""
        last = ""
        while True:
            keys, found = await self._readers.run(partial(_some_with, player=player, after=last))
            for key in found:
                yield key
            if len(keys) < AT_ONCE:
                return
            last = keys[-1]

    async def rewrite(self, table: str, rewrite: Rewrite, names: dict[str, str]) -> None:
        """Write a table's log anew, and who its results are of; Conflict if there is no table.

        `rewrite` gets all entries and says what becomes of them; it runs on the writer's thread.
        """

        def work(connection: Connection, again: bool) -> bool:
            """Whether there is such a table; Conflict if somebody appended meanwhile."""
            entries = operations.entries(connection, table, 0)
            if written := rewrite(entries) if entries else None:
                # First: from here on what was read is the whole log.
                operations.append(connection, False, written.added, written.row, None, None)
                _put_in_place(connection, written, names)
                note(connection, Note(table=table))
            return bool(entries)

        for _ in range(TRIES):
            try:
                is_there = await self._writer.run(work)
            except Conflict:
                continue
            if not is_there:
                raise Conflict("conflict", "The table is gone.")
            return
        raise GameError("busy", "Too much happens at this table; try again.")

    async def finish(self, player: str) -> None:
        """The rest is forgotten; forget that it was to be."""

        def work(connection: Connection, again: bool) -> None:
            _drop_own(connection, player)
            connection.change("DELETE FROM erasures WHERE player = ?", (player,))

        await self._writer.run(work)
        for _ in range(TIDY_TRIES):
            if await asyncio.to_thread(self._tidy):
                return
            await asyncio.sleep(TIDY_PAUSE)

    def _tidy(self) -> bool:
        connection = self._database.writer()
        try:
            return connection.tidy()
        finally:
            connection.close()


def _put_in_place(connection: Connection, written: Rewritten, names: dict[str, str]) -> None:
    """Change what is said in entries and results, and let no snapshot from before be kept."""
    table = written.added.table
    for entry in written.changed:
        sql = "UPDATE entries SET body = ? WHERE table_id = ? AND number = ?"
        connection.change(sql, (entry.body, table, entry.number))
    for before, after in names.items():
        sql = "UPDATE results SET player = ? WHERE table_id = ? AND player = ?"
        connection.change(sql, (after, table, before))
    connection.change("DELETE FROM snapshots WHERE table_id = ?", (table,))
    operations.save_snapshot(connection, Snapshot(table, written.added.number, "", b""))


def _some_with(connection: Connection, player: str, after: str) -> tuple[list[str], list[str]]:
    """The next tables, and those of them that say something of the player."""
    sql = "SELECT id FROM tables WHERE id > ? ORDER BY id LIMIT ?"
    keys = [key for (key,) in connection.run(sql, (after, AT_ONCE))]
    if not keys:
        return keys, []
    has = connection.contains.format
    parts = [
        f"SELECT table_id FROM entries WHERE table_id BETWEEN ? AND ? AND {has('body')}",
        f"SELECT id FROM tables WHERE id BETWEEN ? AND ? AND {has('summary')}",
        f"SELECT table_id FROM snapshots WHERE table_id BETWEEN ? AND ? AND {has('body')}",
        "SELECT table_id FROM seats WHERE table_id BETWEEN ? AND ? AND player = ?",
        "SELECT table_id FROM results WHERE table_id BETWEEN ? AND ? AND player = ?",
    ]
    values: list[object] = []
    for needle in (*[player.encode()] * 3, player, player):
        values += (keys[0], keys[-1], needle)
    return keys, sorted(key for (key,) in connection.run(" UNION ".join(parts), values))


def _drop_own(connection: Connection, player: str) -> None:
    for table, column in OWN:
        connection.change(f"DELETE FROM {table} WHERE {column} = ?", (player,))
    connection.change("UPDATE reports SET reporter = '' WHERE reporter = ?", (player,))
    # Nobody gets away from what others complain of: what is open stays until it is closed.
    connection.change("DELETE FROM reports WHERE player = ? AND done IS NOT NULL", (player,))
    connection.change("UPDATE reports SET player = NULL, name = '' WHERE player = ?", (player,))
