"""What can be read and written, as plain functions of a connection; one SQL for both databases.

A read is one statement, so that it sees one moment. A write runs inside a transaction
that it shares with others: it raises Conflict before it has changed anything, or any other
error, which undoes all of them.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

import msgspec

from kwartet.store.connection import Connection, Row
from kwartet.store.rows import (
    Best,
    Conflict,
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
    Skill,
    Snapshot,
    StoreError,
    Subscription,
    TableRow,
)

TABLE: Final = "id, game, state, listed, created, changed, deadline, bot_due, summary, players"
UPDATE: Final = (
    "UPDATE tables SET game = ?, state = ?, listed = ?, created = ?, changed = ?, "
    "deadline = ?, bot_due = ?, summary = ?, players = ? WHERE id = ?"
)
SECRET: Final = "id, player, kind, name, created, expires"
SUBSCRIPTION: Final = "endpoint, player, key, auth, created, device"
REVIEW: Final = "table_id, care, digest, at, done, total, findings"
RATING: Final = "player, game, mu, sigma, matches"
CLOCKED: Final = "state = 'running' AND deadline IS NOT NULL"
MOST_DUE: Final = 1000  # tables named at once; the next call names the next
MOST_VALUES: Final = 500  # in one IN (…)


# Tables


def append(
    connection: Connection,
    again: bool,
    entry: Entry,
    row: TableRow,
    results: Sequence[Result] | None,
    rate: Rate | None,
) -> None:
    """Write the entry and what it makes of its table; Conflict if its number is not the next.

    `again`: the same call may have been committed before, and then has nothing to do.
    """
    # The entry before must be there: numbers have no gaps, and a removed table stays removed.
    written = connection.change(
        "INSERT INTO entries (table_id, number, at, body) SELECT ?, ?, ?, ? "
        "WHERE ? = 1 OR EXISTS (SELECT 1 FROM entries WHERE table_id = ? AND number = ?) "
        "ON CONFLICT DO NOTHING",
        (
            *(entry.table, entry.number, entry.at, entry.body),
            *(entry.number, entry.table, entry.number - 1),
        ),
    )
    if not written:
        if again and _has_body(connection, entry):
            connection.announce(entry.table, entry.number)  # which its commit may not have done
            return
        raise Conflict("conflict", f"Entry {entry.number} of that table cannot be written now.")
    save_table(connection, row, is_new=entry.number == 1)
    if results is not None:
        _save_results(connection, entry, row, results, rate)
    connection.announce(entry.table, entry.number)


def _has_body(connection: Connection, entry: Entry) -> bool:
    sql = "SELECT body FROM entries WHERE table_id = ? AND number = ?"
    return connection.run(sql, (entry.table, entry.number)) == [(entry.body,)]


def save_table(connection: Connection, row: TableRow, *, is_new: bool) -> None:
    """Write a table's row and who sits there."""
    players = msgspec.json.encode(row.players).decode()
    values = (
        *(row.game, row.state, row.listed, row.created, row.changed),
        *(row.deadline, row.bot_due, row.summary, players),
    )
    if is_new:
        marks = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
        connection.change(f"INSERT INTO tables ({TABLE}) VALUES ({marks})", (row.id, *values))
    elif connection.change(f"{UPDATE} AND players = ?", (*values, row.id, players)):
        return  # the same players, as nearly always: one statement less
    elif not connection.change(UPDATE, (*values, row.id)):
        # Pruned by another process since the entry before was seen. Undo everything;
        # alone, this call will find no entry before it and be a Conflict.
        raise StoreError("store-failed", "The table was removed at this moment.")
    _save_seats(connection, row)


def _save_seats(connection: Connection, row: TableRow) -> None:
    """Note who sits at the table, to find it by."""
    connection.trust("DELETE FROM seats WHERE table_id = ?", (row.id,))
    for player in {player for player in row.players if player is not None}:
        connection.trust("INSERT INTO seats (table_id, player) VALUES (?, ?)", (row.id, player))


def _save_results(
    connection: Connection,
    entry: Entry,
    row: TableRow,
    results: Sequence[Result],
    rate: Rate | None,
) -> None:
    skills = _rate(connection, row.game, results, rate) if rate else {}
    for result in results:
        connection.trust(
            "INSERT INTO results "
            "(table_id, seat, seats, game, at, player, score, rank, outcome, mu, sigma) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(entry.table, result.seat, len(results), row.game, entry.at),
                *(result.player, result.score, result.rank, result.outcome),
                *skills.get(result.player, (None, None)),
            ),
        )


def _rate(
    connection: Connection, game: str, results: Sequence[Result], rate: Rate
) -> dict[str, Skill]:
    """Rate the players anew; the order in which their rows are locked is the same everywhere."""
    players = [result.player for result in results]
    if len(set(players)) < len(players):
        raise ValueError("a player cannot be rated against themselves")
    before: dict[str, Skill | None] = {}
    for player in sorted(players):
        # A row that is not there cannot be locked, so it is made first, without numbers.
        connection.trust(
            "INSERT INTO ratings (player, game, matches) VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
            (player, game),
        )
        sql = "SELECT mu, sigma FROM ratings WHERE player = ? AND game = ?" + connection.for_update
        ((mu, sigma),) = connection.run(sql, (player, game))
        before[player] = None if mu is None else (mu, sigma)
    after = dict(zip(players, rate([before[player] for player in players]), strict=True))
    for player, (mu, sigma) in sorted(after.items()):
        connection.trust(
            "UPDATE ratings SET mu = ?, sigma = ?, matches = matches + 1 "
            "WHERE player = ? AND game = ?",
            (mu, sigma, player, game),
        )
    return after


def entries(connection: Connection, table: str, after: int) -> list[Entry]:
    """The table's entries after number `after`, in order."""
    rows = connection.run(
        "SELECT table_id, number, at, body FROM entries "
        "WHERE table_id = ? AND number > ? ORDER BY number",
        (table, after),
    )
    return [Entry(*row) for row in rows]


def load(connection: Connection, table: str, form: str) -> tuple[Snapshot | None, list[Entry]]:
    """The table's snapshot, if one has this form, and the entries after it; else all of them."""
    rows = connection.run(
        "SELECT table_id, number, form, body FROM snapshots WHERE table_id = ? AND form = ?",
        (table, form),
    )
    kept = Snapshot(*rows[0]) if rows else None
    return kept, entries(connection, table, kept.number if kept else 0)


def save_snapshot(connection: Connection, snapshot: Snapshot) -> None:
    """Keep it in the place of an older one, or one of another form; Conflict if the table is gone.

    A snapshot of an entry that is not there would be of another log. One of an earlier entry than
    the last that is kept may say what was since deleted.
    """
    s = snapshot
    sql = "SELECT 1 FROM entries WHERE table_id = ? AND number = ?"
    if not connection.run(sql, (s.table, s.number)):
        raise Conflict("conflict", "The table is gone.")
    connection.change(
        "INSERT INTO snapshots (table_id, number, form, body) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (table_id) DO UPDATE SET number = excluded.number, form = excluded.form, "
        "body = excluded.body "
        "WHERE snapshots.number < excluded.number "
        "OR (snapshots.number = excluded.number AND snapshots.form <> excluded.form)",
        (s.table, s.number, s.form, s.body),
    )


def versions(connection: Connection, keys: Sequence[str]) -> dict[str, int]:
    """The number of the last entry of each of these tables that there is."""
    found: dict[str, int] = {}
    for marks, some in _portions(keys):
        sql = f"SELECT table_id, max(number) FROM entries WHERE table_id {marks} GROUP BY table_id"
        found.update(connection.run(sql, some))
    return found


def table(connection: Connection, key: str) -> TableRow | None:
    """The table, if there is one."""
    rows = connection.run(f"SELECT {TABLE} FROM tables WHERE id = ?", (key,))
    return _table(rows[0]) if rows else None


def tables(
    connection: Connection,
    state: str | None,
    listed: bool | None,
    game: str | None,
    player: str | None,
    before: float | None,
    before_id: str,
    limit: int,
    attended: float | None,
) -> list[TableRow]:
    """Tables that are as asked for, the last changed first."""
    where, values = _where(("state", state), ("listed", listed), ("game", game))
    if attended is not None:
        where.append("(changed >= ? OR attended >= ?)")
        values += [attended, attended]
    if player is not None:
        where.append("id IN (SELECT table_id FROM seats WHERE player = ?)")
        values.append(player)
    if before is not None:
        where.append("(changed < ? OR (changed = ? AND id < ?))")
        values += [before, before, before_id]
    rows = connection.run(
        f"SELECT {TABLE} FROM tables{_clause(where)} ORDER BY changed DESC, id DESC LIMIT ?",
        (*values, limit),
    )
    return [_table(row) for row in rows]


def _table(row: Row) -> TableRow:
    key, game, state, listed, created, changed, deadline, bot_due, summary, players = row
    return TableRow(
        *(key, game, state, bool(listed), created, changed, deadline, bool(bot_due), summary),
        msgspec.json.decode(players, type=list[str | None]),
    )


def due(connection: Connection, now: float, skip: int) -> list[str]:
    """Running tables whose deadline has passed, the longest first, without the first `skip`."""
    rows = connection.run(
        f"SELECT id FROM tables WHERE {CLOCKED} AND deadline <= ? "
        "ORDER BY deadline, id LIMIT ? OFFSET ?",
        (now, MOST_DUE, skip),
    )
    return [key for (key,) in rows]


def has_deadlines(connection: Connection) -> bool:
    """Whether a clock runs at any table."""
    return bool(connection.run(f"SELECT 1 FROM tables WHERE {CLOCKED} LIMIT 1"))


def games_with_deadlines(connection: Connection) -> list[str]:
    """The games at whose tables clocks run."""
    rows = connection.run(f"SELECT DISTINCT game FROM tables WHERE {CLOCKED} ORDER BY game")
    return [game for (game,) in rows]


def bots_due(connection: Connection, before: float) -> dict[str, float]:
    """Tables that go on without anybody where nothing has happened since `before`.

    With when something did, the longest ago first.
    """
    rows = connection.run(
        "SELECT id, changed FROM tables WHERE bot_due AND state <> 'over' AND changed <= ? "
        "ORDER BY changed LIMIT ?",
        (before, MOST_DUE),
    )
    return dict(rows)


def claim(connection: Connection, what: str, owner: str, seconds: float) -> bool:
    """Let this be the owner's for so long, if it is nobody else's; whether it is."""
    changed = connection.change(
        f"INSERT INTO claims (what, owner, until) VALUES (?, ?, {connection.clock} + ?) "
        "ON CONFLICT (what) DO UPDATE SET owner = excluded.owner, until = excluded.until "
        f"WHERE claims.owner = excluded.owner OR claims.until <= {connection.clock}",
        (what, owner, seconds),
    )
    return changed > 0


def mark_turn(connection: Connection, table: str, turn: float) -> bool:
    """Keep that somebody was told of a turn; whether nobody had been."""
    marked = connection.change(
        "INSERT INTO told_turns (table_id, turn) SELECT id, ? FROM tables WHERE id = ? "
        "ON CONFLICT (table_id) DO UPDATE SET turn = excluded.turn "
        "WHERE told_turns.turn < excluded.turn",
        (turn, table),
    )
    return marked > 0


def turns_untold(connection: Connection, seconds: float) -> list[str]:
    """Tables where time runs that changed so shortly before the last change of all."""
    rows = connection.run(
        "SELECT id FROM tables WHERE state = 'running' AND deadline IS NOT NULL "
        "AND changed >= (SELECT max(changed) FROM tables) - ? ORDER BY changed DESC LIMIT ?",
        (seconds, MOST_DUE),
    )
    return [key for (key,) in rows]


def attend(connection: Connection, keys: Sequence[str], at: float) -> None:
    """Note that somebody who sits at these tables was there until then."""
    for marks, some in _portions(keys):
        connection.change(f"UPDATE tables SET attended = ? WHERE id {marks}", (at, *some))


def abandoned(connection: Connection, before: float) -> list[str]:
    """Running tables without a clock where nothing has happened since `before`."""
    rows = connection.run(
        "SELECT id FROM tables WHERE state = 'running' AND deadline IS NULL AND changed < ? "
        "ORDER BY changed LIMIT ?",
        (before, MOST_DUE),
    )
    return [key for (key,) in rows]


def prune(connection: Connection, before: float) -> int:
    """Remove tables that never started and secrets that expired before; returns how many."""
    connection.change("DELETE FROM secrets WHERE expires < ?", (before,))
    connection.change(f"DELETE FROM claims WHERE until <= {connection.clock}")
    connection.change(f"DELETE FROM claims WHERE until < {connection.clock}")
    return connection.change("DELETE FROM tables WHERE state = 'open' AND changed < ?", (before,))


# The house clock


def house_time(connection: Connection, first: float) -> float:
    """What the house clock says; `first` if it has never said anything."""
    connection.change(
        "INSERT INTO clock (one, time) VALUES (1, ?) ON CONFLICT DO NOTHING", (first,)
    )
    ((time,),) = connection.run("SELECT time FROM clock")
    return float(time)


def beat(connection: Connection, time: float) -> float:
    """Set the house clock, but never back; returns what it says then."""
    connection.change("UPDATE clock SET time = ? WHERE time < ?", (time, time))
    ((later,),) = connection.run("SELECT time FROM clock")
    return float(later)


# Players


def seated(connection: Connection, tables: Sequence[str]) -> set[str]:
    """The players in whose lists one of these tables stands."""
    found: set[str] = set()
    for marks, some in _portions(tables):
        query = f"SELECT DISTINCT player FROM seats WHERE table_id {marks}"
        found |= {row[0] for row in connection.run(query, some)}
    return found


def players(connection: Connection, keys: Sequence[str]) -> dict[str, Player]:
    """Those of these players that are known."""
    found = {}
    for marks, some in _portions(keys):
        for row in connection.run(f"SELECT id, name, created FROM players WHERE id {marks}", some):
            found[row[0]] = Player(*row)
    return found


def add_secret(
    connection: Connection,
    hashed: bytes,
    player: str,
    kind: Kind,
    name: str,
    created: float,
    expires: float | None,
) -> Secret:
    """Keep a secret by its hash."""
    # The first digits name it among a player's own; they do not help anyone to guess it.
    secret = Secret(hashed.hex()[:16], player, kind, name, created, expires)
    connection.change(
        "INSERT INTO secrets (hash, id, player, kind, name, created, expires) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (hashed, secret.id, player, kind, name, created, expires),
    )
    return secret


def secret(connection: Connection, hashed: bytes) -> Secret | None:
    """The secret with this hash."""
    rows = connection.run(f"SELECT {SECRET} FROM secrets WHERE hash = ?", (hashed,))
    return Secret(*rows[0]) if rows else None


def take_secret(connection: Connection, hashed: bytes, kind: Kind) -> Secret | None:
    """The secret of this kind and hash, for the one who takes it; afterwards it is gone."""
    found = secret(connection, hashed)
    # Whoever deletes the row has it: another process may have read it at the same time.
    delete = "DELETE FROM secrets WHERE hash = ? AND kind = ?"
    return found if connection.change(delete, (hashed, kind)) else None


def secrets(connection: Connection, player: str, kind: Kind) -> list[Secret]:
    """The player's secrets of this kind, the newest first."""
    rows = connection.run(
        f"SELECT {SECRET} FROM secrets WHERE player = ? AND kind = ? ORDER BY created DESC, id",
        (player, kind),
    )
    return [Secret(*row) for row in rows]


def save_subscription(connection: Connection, subscription: Subscription, at_most: int) -> None:
    """Keep it, for this player alone; of more than `at_most` the oldest go."""
    s = subscription
    connection.change(
        f"INSERT INTO subscriptions ({SUBSCRIPTION}) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (endpoint) DO UPDATE SET player = excluded.player, key = excluded.key, "
        "auth = excluded.auth, created = excluded.created, device = excluded.device",
        (s.endpoint, s.player, s.key, s.auth, s.created, s.device),
    )
    connection.change(
        "DELETE FROM subscriptions WHERE player = ? AND endpoint NOT IN (SELECT endpoint "
        "FROM subscriptions WHERE player = ? ORDER BY created DESC, endpoint LIMIT ?)",
        (s.player, s.player, at_most),
    )


def subscriptions(connection: Connection, player: str) -> list[Subscription]:
    """The player's subscriptions, the newest first."""
    rows = connection.run(
        f"SELECT {SUBSCRIPTION} FROM subscriptions WHERE player = ? "
        "ORDER BY created DESC, endpoint",
        (player,),
    )
    return [Subscription(*row) for row in rows]


def drop_subscription(connection: Connection, endpoint: str, player: str) -> None:
    """Forget it if it is the player's."""
    connection.change(
        "DELETE FROM subscriptions WHERE endpoint = ? AND player = ?", (endpoint, player)
    )


# Reviews


def save_review(connection: Connection, review: ReviewRow) -> None:
    """Keep it in the place of an older one, unless that has found out more of the same.

    Conflict if its table is gone.
    """
    r = review
    if not connection.run("SELECT 1 FROM tables WHERE id = ?", (r.table,)):
        raise Conflict("conflict", "The table is gone.")
    connection.change(
        f"INSERT INTO reviews ({REVIEW}) VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (table_id, care) DO UPDATE SET digest = excluded.digest, at = excluded.at, "
        "done = excluded.done, total = excluded.total, findings = excluded.findings "
        "WHERE reviews.digest <> excluded.digest OR reviews.done <= excluded.done",
        (r.table, r.care, r.digest, r.at, r.done, r.total, r.findings),
    )


def reviews(connection: Connection, table: str) -> list[ReviewMark]:
    """How far the table's reviews are, one for each care."""
    rows = connection.run(
        "SELECT care, digest, done FROM reviews WHERE table_id = ? ORDER BY care", (table,)
    )
    return [ReviewMark(*row) for row in rows]


def review(connection: Connection, table: str, care: str) -> ReviewRow | None:
    """The table's review with this care, if there is one."""
    rows = connection.run(
        f"SELECT {REVIEW} FROM reviews WHERE table_id = ? AND care = ?", (table, care)
    )
    return ReviewRow(*rows[0]) if rows else None


# Ratings and results


def ratings(connection: Connection, player: str) -> dict[str, Rating]:
    """The player's ratings by game."""
    rows = connection.run(
        f"SELECT {RATING} FROM ratings WHERE player = ? AND matches > 0", (player,)
    )
    return {row[1]: Rating(*row) for row in rows}


def ratings_of(connection: Connection, keys: Sequence[str], game: str) -> dict[str, Rating]:
    """The ratings of these players at one game; who has none is left out."""
    found = {}
    for marks, some in _portions(keys):
        sql = f"SELECT {RATING} FROM ratings WHERE matches > 0 AND player {marks} AND game = ?"
        for row in connection.run(sql, [*some, game]):
            found[row[0]] = Rating(*row)
    return found


def leaders(connection: Connection, game: str, limit: int) -> list[Rating]:
    """The strongest at a game, by what they are at least: three sigmas below mu."""
    rows = connection.run(
        f"SELECT {RATING} FROM ratings WHERE game = ? AND matches > 0 "
        "ORDER BY (mu - 3 * sigma) DESC, player LIMIT ?",
        (game, limit),
    )
    return [Rating(*row) for row in rows]


def history(
    connection: Connection, player: str, game: str | None, before: float | None, limit: int
) -> list[HistoryRow]:
    """The player's finished tables, the last first."""
    where, values = _where(("player", player), ("game", game))
    if before is not None:
        where.append("at < ?")
        values.append(before)
    rows = connection.run(
        "SELECT own.table_id, own.game, own.at, own.seat, own.score, own.rank, own.outcome, "
        "own.mu, own.sigma, "
        "tables.listed, every.seat, every.player, every.score, every.rank, every.outcome "
        f"FROM (SELECT * FROM results{_clause(where)} "
        "ORDER BY at DESC, table_id DESC, seat LIMIT ?) AS own "
        "JOIN tables ON tables.id = own.table_id "
        "JOIN results AS every ON every.table_id = own.table_id "
        "ORDER BY own.at DESC, own.table_id DESC, own.seat, every.seat",
        (*values, limit),
    )
    found = []
    for own, group in groupby(rows, key=lambda row: row[:10]):
        key, name, at, seat, score, rank, outcome, mu, sigma, listed = own
        skill = None if mu is None else (mu, sigma)
        results = [Result(*row[10:]) for row in group]
        ended = (key, name, at, seat, score, rank, outcome)
        found.append(HistoryRow(*ended, skill, bool(listed), results))
    return found


def counts(connection: Connection, player: str) -> dict[str, dict[str, int]]:
    """How often the player's finished tables ended in which way, by game."""
    found: dict[str, dict[str, int]] = {}
    sql = (
        "SELECT game, outcome, count(*) FROM results WHERE player = ? "
        "GROUP BY game, outcome ORDER BY game, outcome"
    )
    for game, outcome, count in connection.run(sql, (player,)):
        found.setdefault(game, {})[outcome] = count
    return found


def bests(connection: Connection, player: str, game: str, limit: int) -> list[Best]:
    """The player's best scores at tables of one seat, the first reached first."""
    rows = connection.run(
        "SELECT table_id, at, score FROM results WHERE player = ? AND game = ? AND seats = 1 "
        "AND rank = 0 "  # who gives up has not reached anything
        "ORDER BY score DESC, at LIMIT ?",
        (player, game, limit),
    )
    return [Best(*row) for row in rows]


def _where(*wanted: tuple[str, object]) -> tuple[list[str], list[object]]:
    """Conditions and values for what is wanted at all."""
    pairs = [(name, value) for name, value in wanted if value is not None]
    return [f"{name} = ?" for name, _ in pairs], [value for _, value in pairs]


def _clause(where: list[str]) -> str:
    return f" WHERE {' AND '.join(where)}" if where else ""


def _portions(keys: Sequence[str]) -> Iterable[tuple[str, Sequence[str]]]:
    """`IN (?, …)` and its values, as many at once as any database takes."""
    for start in range(0, len(keys), MOST_VALUES):
        some = keys[start : start + MOST_VALUES]
        yield f"IN ({', '.join('?' * len(some))})", some
