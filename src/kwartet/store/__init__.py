"""The append-only, durable log of tables: SQLite by default, PostgreSQL by URL.

`open_store` is the way in. Above it stands the server, below it only `kwartet.core`: what an
entry says is not the store's business.
"""

import os
from pathlib import Path

from platformdirs import user_data_path

from kwartet.core.errors import GameError, quoted
from kwartet.store import schema
from kwartet.store.backup import back_up
from kwartet.store.connection import Database
from kwartet.store.erasures import Rewritten
from kwartet.store.moving import transfer
from kwartet.store.people import Account, Note, read_note, trace
from kwartet.store.rows import (
    Ban,
    Best,
    Conflict,
    Device,
    Entry,
    HistoryRow,
    Kind,
    Player,
    Rate,
    Rating,
    Report,
    Result,
    ReviewMark,
    ReviewRow,
    Secret,
    Skill,
    Snapshot,
    State,
    StoreError,
    Subscription,
    TableRow,
)
from kwartet.store.sqlite import SqliteDatabase
from kwartet.store.store import Store

__all__ = [
    "BACKED_UP",
    "Account",
    "Ban",
    "Best",
    "Conflict",
    "Device",
    "Entry",
    "HistoryRow",
    "Kind",
    "Note",
    "Player",
    "Rate",
    "Rating",
    "Report",
    "Result",
    "ReviewMark",
    "ReviewRow",
    "Rewritten",
    "Secret",
    "Skill",
    "Snapshot",
    "State",
    "Store",
    "StoreError",
    "Subscription",
    "TableRow",
    "back_up",
    "data_folder",
    "database_url",
    "find_database",
    "open_store",
    "read_note",
    "trace",
    "transfer",
    "upgrade",
]

SQLITE = "sqlite:///"
BACKED_UP = "backed-up"  # a file in the data folder: a backup was made when it was changed
POSTGRES = ("postgresql://", "postgres://")


def data_folder(data: Path | None = None) -> Path:
    """Where Kwartet keeps its files: as told, else $KWARTET_DATA, else the user's; it is made."""
    folder = data or Path(os.environ.get("KWARTET_DATA") or user_data_path("kwartet", False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def database_url(data: Path | None = None, url: str | None = None) -> str:
    """The database: as told, else $KWARTET_DATABASE, else a file in the data folder.

    A folder that is told goes before the environment.
    """
    if url is None and data is None:
        url = os.environ.get("KWARTET_DATABASE") or None
    return url or f"{SQLITE}{data_folder(data).absolute() / 'kwartet.db'}"


def find_database(url: str) -> Database:
    """The database at `sqlite:///path` or `postgresql://…`; GameError `bad-database` if neither.

    As elsewhere, a path that begins at the root makes four strokes: `sqlite:////var/…`.
    """
    if url.startswith(SQLITE) and url.removeprefix(SQLITE) not in ("", ":memory:"):
        return SqliteDatabase(Path(url.removeprefix(SQLITE)))
    if url.startswith(POSTGRES):
        from kwartet.store.postgres import PostgresDatabase  # an extra that not everyone has

        return PostgresDatabase(url)
    raise GameError(
        "bad-database",
        "A database is sqlite:///path/to/kwartet.db or postgresql://…, "
        f"not something with {quoted(url.partition(':')[0])}.",  # the rest may hold a password
    )


async def open_store(url: str, *, upgrade: bool = True, hold: bool = False) -> Store:
    """The store at this URL, made or upgraded if need be.

    Without `upgrade` an older database is refused: StoreError `store-too-old`. With `hold` no
    second server may work on a SQLite file, StoreError `store-busy`; on PostgreSQL any number may.
    """
    database = find_database(url)
    if hold:
        database.hold()
    return await Store.open(database, upgrade=upgrade)


def upgrade(url: str) -> tuple[int, int]:
    """Bring the database to this program's version; returns the version before and after.

    Refuses a file that a server works on, unless there is nothing to do.
    """
    database = find_database(url)
    connection = database.writer(create=True)
    try:
        if schema.version_of(connection) == schema.VERSION:
            return schema.VERSION, schema.VERSION
        database.hold()
        return schema.prepare(connection, upgrade=True), schema.VERSION
    finally:
        connection.close()
        database.close()
