"""The tables of the database, as an ordered list of scripts; never edit one that was released.

Both databases run the same text; `{bytes}` is the one type they spell differently.
"""

from typing import Final

from kwartet.core.errors import GameError
from kwartet.store.connection import Connection
from kwartet.store.rows import StoreError

SCRIPTS: Final[list[str]] = [
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'running', 'over')),
        listed BOOLEAN NOT NULL,
        created DOUBLE PRECISION NOT NULL,
        changed DOUBLE PRECISION NOT NULL,
        deadline DOUBLE PRECISION,
        bot_due BOOLEAN NOT NULL,
        summary {bytes} NOT NULL
    );
    CREATE INDEX tables_changed ON tables (changed);
    CREATE INDEX tables_open ON tables (changed) WHERE state = 'open';
    CREATE INDEX tables_deadline ON tables (deadline)
        WHERE state = 'running' AND deadline IS NOT NULL;
    CREATE INDEX tables_bot_due ON tables (changed) WHERE state = 'running' AND bot_due;

    CREATE TABLE entries (
        table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        number BIGINT NOT NULL CHECK (number > 0),
        at DOUBLE PRECISION NOT NULL,
        body {bytes} NOT NULL,
        PRIMARY KEY (table_id, number)
    );

    CREATE TABLE seats (
        table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        seat BIGINT NOT NULL,
        player TEXT,
        PRIMARY KEY (table_id, seat)
    );
    CREATE INDEX seats_player ON seats (player);

    CREATE TABLE players (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL
    );

    CREATE TABLE secrets (
        hash {bytes} PRIMARY KEY,
        id TEXT NOT NULL,
        player TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('token', 'link')),
        name TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL,
        expires DOUBLE PRECISION
    );
    CREATE INDEX secrets_player ON secrets (player);

    CREATE TABLE ratings (
        player TEXT NOT NULL,
        game TEXT NOT NULL,
        mu DOUBLE PRECISION,
        sigma DOUBLE PRECISION,
        matches BIGINT NOT NULL,
        PRIMARY KEY (player, game)
    );
    CREATE INDEX ratings_leaders ON ratings (game, (mu - 3 * sigma));

    CREATE TABLE results (
        table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        seat BIGINT NOT NULL,
        seats BIGINT NOT NULL,
        game TEXT NOT NULL,
        at DOUBLE PRECISION NOT NULL,
        player TEXT NOT NULL,
        score BIGINT NOT NULL,
        rank BIGINT NOT NULL,
        mu DOUBLE PRECISION,
        sigma DOUBLE PRECISION,
        PRIMARY KEY (table_id, seat)
    );
    CREATE INDEX results_player ON results (player, at);
    CREATE INDEX results_alone ON results (player, game, score) WHERE seats = 1;
    """,
]
VERSION: Final = len(SCRIPTS)
TABLES: Final = ("tables", "entries", "seats", "players", "secrets", "ratings", "results")


def prepare(connection: Connection, *, upgrade: bool) -> int:
    """Bring the database to this program's version, or check that it is; returns what it was."""
    if connection.has_table("schema_version"):
        version = _version(connection)
        if version == VERSION:
            return version
    if upgrade:
        return _upgrade(connection)
    version = _version(connection) if connection.has_table("schema_version") else 0
    raise StoreError(
        "store-too-old",
        f"The database is of version {version}, this program of {VERSION}; "
        "make a backup, then run `kwartet db upgrade`.",
    )


def _upgrade(connection: Connection) -> int:
    connection.begin()
    try:
        connection.lock_schema()
        if connection.has_table("schema_version"):
            version = _version(connection)
        elif connection.has_table("tables"):
            raise GameError("bad-database", "That database belongs to another program.")
        else:
            connection.run("CREATE TABLE schema_version (version BIGINT PRIMARY KEY)")
            version = 0
        for number in range(version, VERSION):
            connection.script(SCRIPTS[number])
            connection.run("INSERT INTO schema_version (version) VALUES (?)", (number + 1,))
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return version


def _version(connection: Connection) -> int:
    """The database's version; StoreError if this program cannot know what it means."""
    version = int(connection.run("SELECT max(version) FROM schema_version")[0][0] or 0)
    if version > VERSION:
        raise StoreError(
            "store-too-new",
            f"The database is of version {version}, this program only of {VERSION}; "
            "install a newer Kwartet.",
        )
    return version
