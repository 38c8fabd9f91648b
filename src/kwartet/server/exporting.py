"""Everything that is kept of a person, for that person: one JSON object, sent piece by piece."""

from collections.abc import AsyncIterator
from functools import partial
from urllib.parse import urlsplit

from kwartet.core.errors import GameError
from kwartet.server import accounts as own
from kwartet.server import messages as m
from kwartet.server.archive import read_story, record_of
from kwartet.server.house import House
from kwartet.server.identity import Visitor
from kwartet.server.rewriting import said
from kwartet.store import Entry, Store

PAGE = 100


async def exported(house: House, visitor: Visitor, me: own.Me) -> AsyncIterator[bytes]:
    """The pieces of an `Export`."""
    store, identities = house.store, house.identities
    known = await store.player(me.id)
    head = {
        "me": me,
        "since": known and known.created,
        "devices": await identities.devices(visitor),
        "tokens": await identities.tokens(me.id),
        "notifications": [
            own.ExportedSubscription(urlsplit(one.endpoint).hostname or "", one.created)
            for one in await store.subscriptions(me.id)
        ],
        "blocked": await store.people.blocked(me.id),
        "results": [result async for result in _results(store, me.id)],
    }
    yield m.encode(head)[:-1] + b',"tables":['
    comma = b""
    unreadable = []
    for key in await _tables(house, me.id) if known else []:
        if not (entries := await store.entries(key)):
            continue
        try:
            table = await house.look_back(partial(_table, key, entries, me.id))
        except GameError:
            unreadable.append(key)
            continue
        yield comma + table
        comma = b","
    yield b'],"unreadable":' + m.encode(unreadable) + b"}"


async def _tables(house: House, player: str) -> list[str]:
    """Where something is said of the player; all logs are read, for one person at a time."""
    async with house.searching:
        return [key async for key in house.store.erasures.tables_with(player)]


async def _results(store: Store, player: str) -> AsyncIterator[own.ExportedResult]:
    before = None
    while rows := await store.history(player, before=before, limit=PAGE):
        for row in rows:
            yield own.ExportedResult(
                row.table, row.game, row.at, row.seat, row.score, row.rank, row.outcome
            )
        before = rows[-1].at


def _table(key: str, entries: list[Entry], player: str) -> bytes:
    """An `ExportedTable`: what one said there, and the match if one sat there and it is over."""
    story = read_story(key, entries)[0]
    try:
        record = record_of(story) if story.seats_of(player) else None
    except GameError:
        record = None
    lines = [
        own.ExportedLine(line.at, line.text) for line in said(entries) if line.player == player
    ]
    creates = story.created.creator == player
    created = story.created
    return m.encode(own.ExportedTable(key, created.game, story.created_at, creates, lines, record))
