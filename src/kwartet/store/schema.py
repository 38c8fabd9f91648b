"""The tables of the database, as an ordered list of scripts; never edit one that was released.

Both databases run the same text; `{bytes}` is the one type they spell differently, and
`{summary}` a table's summary read as text.
"""

import logging
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
        summary {bytes} NOT NULL,
        players TEXT NOT NULL -- by seat, as JSON
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
        player TEXT NOT NULL,
        PRIMARY KEY (player, table_id)
    );
    CREATE INDEX seats_table ON seats (table_id);

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
    """
    CREATE TABLE subscriptions (
        endpoint TEXT PRIMARY KEY,
        player TEXT NOT NULL,
        key {bytes} NOT NULL,
        auth {bytes} NOT NULL,
        created DOUBLE PRECISION NOT NULL
    );
    CREATE INDEX subscriptions_player ON subscriptions (player, created);
    """,
    """
    ALTER TABLE results ADD COLUMN outcome TEXT NOT NULL DEFAULT 'lost';
    UPDATE results SET outcome = CASE
        WHEN seats = 1 THEN 'alone'
        WHEN EXISTS (SELECT 1 FROM tables WHERE id = table_id
            AND {summary} LIKE '%"reason":"agreed"%') THEN 'drawn'
        WHEN rank > 0 THEN 'lost'
        WHEN (SELECT count(*) FROM results AS other
            WHERE other.table_id = results.table_id AND other.rank = 0) = 1 THEN 'won'
        ELSE 'shared'
    END;
    """,
    """
    CREATE TABLE reviews (
        table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        care TEXT NOT NULL,
        digest TEXT NOT NULL, -- of what was asked
        at DOUBLE PRECISION NOT NULL,
        done BIGINT NOT NULL,
        total BIGINT NOT NULL,
        findings {bytes} NOT NULL, -- one a line, as JSON
        PRIMARY KEY (table_id, care)
    );
    """,
    """
    CREATE TABLE claims (
        what TEXT PRIMARY KEY,
        owner TEXT NOT NULL, -- a server process
        until DOUBLE PRECISION NOT NULL -- by the database's clock
    );
    """,
    """
    CREATE TABLE told_turns ( -- the last turn of which somebody away was told
        table_id TEXT PRIMARY KEY REFERENCES tables
            ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        turn DOUBLE PRECISION NOT NULL -- when it began
    );
    """,
    # House time goes on where the log ended: what the program was away for counts for nobody.
    """
    CREATE TABLE clock (
        one BIGINT PRIMARY KEY CHECK (one = 1), -- the only row
        time DOUBLE PRECISION NOT NULL -- house time in seconds, as far as is durable
    );
    INSERT INTO clock (one, time)
        SELECT 1, max(changed) FROM tables HAVING count(*) > 0;

    CREATE TABLE snapshots (
        table_id TEXT PRIMARY KEY REFERENCES tables ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        number BIGINT NOT NULL, -- of the entry after which it was so
        form TEXT NOT NULL, -- of the body
        body {bytes} NOT NULL
    );
    """,
    """
    DROP INDEX tables_bot_due;
    CREATE INDEX tables_bot_due ON tables (changed) WHERE bot_due;
    """,
    """
    ALTER TABLE players ADD COLUMN bare BOOLEAN NOT NULL DEFAULT TRUE; -- cookies without a device
    ALTER TABLE subscriptions ADD COLUMN device TEXT NOT NULL DEFAULT '';
    ALTER TABLE tables ADD COLUMN attended DOUBLE PRECISION NOT NULL DEFAULT 0;

    CREATE TABLE devices (
        id TEXT PRIMARY KEY,
        player TEXT NOT NULL,
        name TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL,
        seen DOUBLE PRECISION NOT NULL
    );
    CREATE INDEX devices_player ON devices (player, seen);

    CREATE TABLE notes (
        id TEXT PRIMARY KEY,
        at DOUBLE PRECISION NOT NULL,
        body TEXT NOT NULL
    );
    CREATE INDEX notes_at ON notes (at);

    CREATE TABLE gone (
        trace TEXT PRIMARY KEY, -- of a deleted player
        at DOUBLE PRECISION NOT NULL
    );
    CREATE TABLE erasures (
        player TEXT PRIMARY KEY, -- to be forgotten, and then from here, too
        at DOUBLE PRECISION NOT NULL
    );

    CREATE TABLE blocks (
        player TEXT NOT NULL,
        blocked TEXT NOT NULL,
        at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (player, blocked)
    );
    CREATE INDEX blocks_blocked ON blocks (blocked);

    CREATE TABLE bans (
        id TEXT PRIMARY KEY,
        player TEXT,
        network TEXT,
        reason TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL,
        until DOUBLE PRECISION
    );

    CREATE TABLE hidden_names (
        name TEXT PRIMARY KEY,
        until DOUBLE PRECISION NOT NULL
    );

    CREATE TABLE reports (
        id TEXT PRIMARY KEY,
        at DOUBLE PRECISION NOT NULL,
        reporter TEXT NOT NULL,
        player TEXT,
        name TEXT,
        table_id TEXT,
        line BIGINT,
        reason TEXT NOT NULL,
        words TEXT NOT NULL,
        done DOUBLE PRECISION
    );
    CREATE INDEX reports_waiting ON reports (at) WHERE done IS NULL;
    CREATE INDEX reports_reporter ON reports (reporter);
    """,
]
VERSION: Final = len(SCRIPTS)

log = logging.getLogger(__name__)


def create(connection: Connection, version: int) -> None:
    """Make the tables of an empty database as they were at this version."""
    connection.run("CREATE TABLE schema_version (version BIGINT PRIMARY KEY)")
    run_scripts(connection, 0, version)


def prepare(connection: Connection, *, upgrade: bool) -> int:
    """Bring the database to this program's version, or check that it is; returns what it was."""
    version = version_of(connection)
    if version == VERSION:
        return version
    if upgrade:
        return _upgrade(connection)
    raise StoreError(
        "store-too-old",
        f"The database is of version {version}, this program of {VERSION}; "
        "make a backup, then run `kwartet db upgrade`.",
    )


def _upgrade(connection: Connection) -> int:
    connection.begin()
    try:
        connection.lock_schema()
        version = version_of(connection)  # another process may just have done it
        if connection.has_table("schema_version"):
            run_scripts(connection, version, VERSION)
        elif connection.has_table("tables"):
            raise GameError("bad-database", "That database belongs to another program.")
        else:
            create(connection, VERSION)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    if 0 < version < VERSION:
        log.warning("The database went from version %d to %d.", version, VERSION)
    return version


def run_scripts(connection: Connection, first: int, last: int) -> None:
    """Bring the tables from one version to a later one."""
    for number in range(first, last):
        connection.script(SCRIPTS[number])
        connection.change("INSERT INTO schema_version (version) VALUES (?)", (number + 1,))


def version_of(connection: Connection) -> int:
    """The database's version, 0 if it is empty; StoreError if this program cannot know it."""
    if not connection.has_table("schema_version"):
        return 0
    version = int(connection.run("SELECT max(version) FROM schema_version")[0][0] or 0)
    if version > VERSION:
        raise StoreError(
            "store-too-new",
            f"The database is of version {version}, this program only of {VERSION}; "
            "install a newer Kwartet.",
        )
    return version
