"""What is kept of people: devices, blocks, bans, reports, and who is to be forgotten.

Whatever changes here is noted in the same transaction, so that every process looks again: told
at once where processes hear each other, and read from the notes where they do not.
"""

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import msgspec

from kwartet.store.connection import Connection
from kwartet.store.rows import Ban, Device, Player, Report
from kwartet.store.threads import Readers, Writer

T = TypeVar("T")

DEVICE: Final = "id, player, name, created, seen"
BAN: Final = "id, player, network, reason, created, until"
REPORT: Final = "id, at, reporter, player, name, table_id, line, reason, words, done"
DEVICES_AT_MOST: Final = 50  # of one player; who was not seen for the longest time gives way
NOTE_SECONDS: Final = 3600.0  # for which a note can be read
LATE: Final = 10.0  # seconds that clocks of several machines may differ


class Account(msgspec.Struct, frozen=True):
    """What one must know of a player at every request."""

    player: Player | None  # None: the store has not heard of them
    is_gone: bool = False  # their identity was deleted
    bare: bool = True  # whether cookies that name no device are good
    devices: dict[str, float] = {}  # when each was seen
    blocks: frozenset[str] = frozenset()


class Note(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What others should look at again. People are named by their trace."""

    about: str = ""  # a person
    table: str = ""
    bans: bool = False


def trace(player: str) -> str:
    """What may be kept of a player who is to be forgotten: it tells that an id is theirs."""
    return hashlib.sha256(b"kwartet " + player.encode()).hexdigest()[:32]


class People:
    """What the store knows of people. Every method may raise StoreError."""

    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    async def _change(
        self, work: Callable[[Connection], T], *notes: Note, if_again: T | None = None
    ) -> T:
        """Do it and note it, all or nothing; `if_again` is the answer if it may be done already."""

        def run(connection: Connection, again: bool) -> T:
            value = work(connection)
            for what in notes:
                note(connection, what)
            return if_again if again and if_again is not None else value

        return await self._writer.run(run)

    # Notes

    async def note_table(self, table: str) -> None:
        """Have every process read a table's log again."""
        await self._change(lambda connection: None, Note(table=table))

    async def notes(self, since: float) -> list[tuple[str, float, Note]]:
        """What was noted since, each with a name and its time; some may be known already."""

        def read(connection: Connection) -> list[tuple[str, float, Note]]:
            sql = "SELECT id, at, body FROM notes WHERE at >= ? ORDER BY at"
            rows = connection.run(sql, (since - LATE,))
            return [(key, at, read_note(body)) for key, at, body in rows]

        return await self._readers.run(read)

    async def tidy(self) -> None:
        """Forget what has run out."""

        def work(connection: Connection, again: bool) -> None:
            now = time.time()
            connection.change("DELETE FROM notes WHERE at < ?", (now - NOTE_SECONDS,))
            connection.change("DELETE FROM bans WHERE until < ?", (now,))
            connection.change("DELETE FROM hidden_names WHERE until < ?", (now,))

        await self._writer.run(work)

    # Accounts and devices

    async def account(self, player: str) -> Account:
        """What one must know of the player."""
        return await self._readers.run(lambda connection: _account(connection, player))

    async def introduce(self, player: Player, device: Device | None) -> None:
        """Add a player whom the store does not know, with the device they came with."""

        def work(connection: Connection) -> None:
            added = connection.change(
                "INSERT INTO players (id, name, created, bare) VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                (player.id, player.name, player.created, False),
            )
            if added and device:
                _save_device(connection, device)

        await self._change(work, Note(about=trace(player.id)))

    async def rename(self, player: str, name: str) -> str:
        """Give a player whom the store knows this name; returns the one before."""

        def work(connection: Connection) -> str:
            found = connection.run("SELECT name FROM players WHERE id = ?", (player,))
            connection.change("UPDATE players SET name = ? WHERE id = ?", (name, player))
            return str(found[0][0]) if found else name

        return await self._change(work, Note(about=trace(player)))

    async def save_device(self, device: Device) -> None:
        """Keep a device of a player."""
        await self._change(
            lambda connection: _save_device(connection, device), Note(about=trace(device.player))
        )

    async def touch_device(self, device: Device) -> None:
        """Note when a device was seen, if it is kept."""
        sql = "UPDATE devices SET name = ?, seen = ? WHERE id = ? AND player = ?"
        values = (device.name, device.seen, device.id, device.player)
        await self._writer.run(lambda connection, _: connection.change(sql, values))

    async def devices(self, player: str) -> list[Device]:
        """The player's devices, the last seen first."""

        def read(connection: Connection) -> list[Device]:
            sql = f"SELECT {DEVICE} FROM devices WHERE player = ? ORDER BY seen DESC, id"
            return [Device(*row) for row in connection.run(sql, (player,))]

        return await self._readers.run(read)

    async def drop_device(self, player: str, device: str, *, bare: bool) -> bool:
        """Sign one device out, and links; without `bare` also cookies that name none."""

        def work(connection: Connection) -> bool:
            sql = "DELETE FROM subscriptions WHERE player = ? AND device = ?"
            connection.change(sql, (player, device))
            if not bare:
                _end_bare(connection, player)
            _drop_links(connection, player)
            sql = "DELETE FROM devices WHERE player = ? AND id = ?"
            return connection.change(sql, (player, device)) > 0

        return await self._change(work, Note(about=trace(player)), if_again=True)

    async def drop_other_devices(self, player: str, device: str) -> None:
        """Sign all devices out but this one, and links."""

        def work(connection: Connection) -> None:
            _end_bare(connection, player)
            _drop_links(connection, player)
            for table, column in (("devices", "id"), ("subscriptions", "device")):
                sql = f"DELETE FROM {table} WHERE player = ? AND {column} <> ?"
                connection.change(sql, (player, device))

        await self._change(work, Note(about=trace(player)))

    async def drop_token(self, player: str, key: str) -> bool:
        """Make a token worthless, and links; whether there was such a one."""

        def work(connection: Connection) -> bool:
            _drop_links(connection, player)
            sql = "DELETE FROM secrets WHERE player = ? AND id = ? AND kind = 'token'"
            return connection.change(sql, (player, key)) > 0

        return await self._change(work, Note(about=trace(player)), if_again=True)

    # Blocks

    async def block(self, player: str, other: str, at_most: int) -> bool:
        """Let the player be spared the other; False if there are too many already."""

        def work(connection: Connection) -> bool:
            sql = "SELECT count(*) FROM blocks WHERE player = ? AND blocked <> ?"
            if connection.run(sql, (player, other))[0][0] >= at_most:
                return False
            sql = "INSERT INTO blocks (player, blocked, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            connection.change(sql, (player, other, time.time()))
            return True

        return await self._change(work, Note(about=trace(player)))

    async def unblock(self, player: str, other: str) -> None:
        """Spare them no more."""
        sql = "DELETE FROM blocks WHERE player = ? AND blocked = ?"
        await self._change(
            lambda connection: connection.change(sql, (player, other)), Note(about=trace(player))
        )

    async def blocked(self, player: str) -> list[str]:
        """Whom the player blocked, the latest first."""
        sql = "SELECT blocked FROM blocks WHERE player = ? ORDER BY at DESC, blocked"
        return await self._readers.run(
            lambda connection: [key for (key,) in connection.run(sql, (player,))]
        )

    async def is_blocked(self, player: str, others: Sequence[str]) -> bool:
        """Whether one of the others has blocked the player."""
        marks = ", ".join("?" * len(others))
        sql = f"SELECT 1 FROM blocks WHERE blocked = ? AND player IN ({marks}) LIMIT 1"
        return bool(others) and await self._readers.run(
            lambda connection: bool(connection.run(sql, (player, *others)))
        )

    # Bans

    async def ban(self, ban: Ban) -> None:
        """Keep a person or a network out."""

        def work(connection: Connection) -> None:
            sql = f"INSERT INTO bans ({BAN}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
            b = ban
            connection.change(sql, (b.id, b.player, b.network, b.reason, b.created, b.until))

        await self._change(work, Note(bans=True))

    async def unban(self, what: str) -> int:
        """Lift the bans of this id, player or network; how many there were."""
        sql = "DELETE FROM bans WHERE id = ? OR player = ? OR network = ?"
        return await self._change(
            lambda connection: connection.change(sql, (what, what, what)), Note(bans=True)
        )

    async def bans(self) -> list[Ban]:
        """All bans that have not run out, the latest first."""

        def read(connection: Connection) -> list[Ban]:
            sql = f"SELECT {BAN} FROM bans WHERE until IS NULL OR until > ? ORDER BY created DESC"
            return [Ban(*row) for row in connection.run(sql, (time.time(),))]

        return await self._readers.run(read)

    # Names

    async def hide_name(self, player: str, name: str, instead: str, until: float) -> None:
        """Take a player's name away, which nobody may choose until then."""

        def work(connection: Connection) -> None:
            connection.change(
                "INSERT INTO hidden_names (name, until) VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET until = excluded.until",
                (name.casefold(), until),
            )
            sql = "UPDATE players SET name = ? WHERE id = ?"
            connection.change(sql, (instead, player))

        await self._change(work, Note(about=trace(player)))

    async def is_hidden(self, name: str) -> bool:
        """Whether nobody may choose this name now."""
        sql = "SELECT 1 FROM hidden_names WHERE name = ? AND until > ?"
        return await self._readers.run(
            lambda connection: bool(connection.run(sql, (name.casefold(), time.time())))
        )

    async def find_players(self, name: str) -> list[Player]:
        """The players with this name, or the one with this id."""
        sql = "SELECT id, name, created FROM players WHERE name = ? OR id = ? ORDER BY created"
        return await self._readers.run(
            lambda connection: [Player(*row) for row in connection.run(sql, (name, name))]
        )

    # Reports

    async def report(self, report: Report, at_most: int) -> bool:
        """Keep a report; False if the same person has so many open ones already."""

        def work(connection: Connection) -> bool:
            sql = "SELECT count(*) FROM reports WHERE reporter = ? AND done IS NULL AND id <> ?"
            if connection.run(sql, (report.reporter, report.id))[0][0] >= at_most:
                return False
            marks = ", ".join("?" * 10)
            sql = f"INSERT INTO reports ({REPORT}) VALUES ({marks}) ON CONFLICT DO NOTHING"
            connection.change(sql, msgspec.structs.astuple(report))
            return True

        return await self._writer.run(lambda connection, _: work(connection))

    async def reports(self, *, done: bool = False, limit: int = 100) -> list[Report]:
        """Reports that wait, or those that are dealt with; the oldest first."""

        def read(connection: Connection) -> list[Report]:
            sql = (
                f"SELECT {REPORT} FROM reports WHERE done IS {'NOT ' * done}NULL "
                "ORDER BY at, id LIMIT ?"
            )
            return [Report(*row) for row in connection.run(sql, (limit,))]

        return await self._readers.run(read)

    async def find_report(self, key: str) -> Report | None:
        """The report of this id."""

        def read(connection: Connection) -> Report | None:
            rows = connection.run(f"SELECT {REPORT} FROM reports WHERE id = ?", (key,))
            return Report(*rows[0]) if rows else None

        return await self._readers.run(read)

    async def close_report(self, key: str) -> bool:
        """Note that a report is dealt with; whether there was such a one.

        One of somebody who was forgotten since is kept no longer.
        """

        def work(connection: Connection, again: bool) -> bool:
            forgotten = "DELETE FROM reports WHERE id = ? AND player IS NULL AND name = ''"
            if connection.change(forgotten, (key,)):
                return True
            sql = "UPDATE reports SET done = ? WHERE id = ?"
            return connection.change(sql, (time.time(), key)) > 0 or again

        return await self._writer.run(work)


def read_note(body: str) -> Note:
    """What a note says."""
    return msgspec.json.decode(body, type=Note)


def note(connection: Connection, what: Note) -> None:
    """Have every process look again, if this transaction is committed."""
    body = msgspec.json.encode(what).decode()
    sql = "INSERT INTO notes (id, at, body) VALUES (?, ?, ?)"
    connection.change(sql, (secrets.token_hex(8), time.time(), body))
    connection.publish(body)  # which others get with the commit


def _account(connection: Connection, player: str) -> Account:
    if connection.run("SELECT 1 FROM gone WHERE trace = ?", (trace(player),)):
        return Account(None, is_gone=True)
    rows = connection.run("SELECT id, name, created, bare FROM players WHERE id = ?", (player,))
    if not rows:
        return Account(None)
    *known, bare = rows[0]
    devices = connection.run("SELECT id, seen FROM devices WHERE player = ?", (player,))
    blocks = connection.run("SELECT blocked FROM blocks WHERE player = ?", (player,))
    return Account(
        Player(*known), False, bool(bare), dict(devices), frozenset(key for (key,) in blocks)
    )


def _save_device(connection: Connection, device: Device) -> None:
    """Keep it; of too many the one goes that was not seen for the longest time."""
    connection.change(
        f"INSERT INTO devices ({DEVICE}) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen = excluded.seen",
        msgspec.structs.astuple(device),
    )
    connection.change(
        "DELETE FROM devices WHERE player = ? AND id NOT IN "
        "(SELECT id FROM devices WHERE player = ? ORDER BY seen DESC, id LIMIT ?)",
        (device.player, device.player, DEVICES_AT_MOST),
    )


def _drop_links(connection: Connection, player: str) -> None:
    """Who is signed out may have made one for later."""
    connection.change("DELETE FROM secrets WHERE player = ? AND kind = 'link'", (player,))


def _end_bare(connection: Connection, player: str) -> None:
    connection.change("UPDATE players SET bare = ? WHERE id = ?", (False, player))
