"""Everything that is kept of a person, for that person: one JSON object, sent piece by piece."""

from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.archive import read_story, record_of
from kwartet.server.identity import Identities, Visitor
from kwartet.server.rewriting import said
from kwartet.store import Entry, Store

PAGE = 100


async def exported(
    store: Store, identities: Identities, visitor: Visitor, me: m.Me
) -> AsyncIterator[bytes]:
    """The pieces of an `Export`."""
    head = {
        "me": me,
        "since": (known := await store.player(me.id)) and known.created,
        "devices": await identities.devices(visitor),
        "tokens": await identities.tokens(me.id),
        "notifications": [
            m.ExportedSubscription(urlsplit(one.endpoint).hostname or "", one.created)
            for one in await store.subscriptions(me.id)
        ],
        "blocked": await store.people.blocked(me.id),
        "results": [result async for result in _results(store, me.id)],
    }
    yield m.encode(head)[:-1] + b',"tables":['
    comma = b""
    async for key in store.erasures.tables_with(me.id):
        if entries := await store.entries(key):
            yield comma + m.encode(_table(key, entries, me.id))
            comma = b","
    yield b"]}"


async def _results(store: Store, player: str) -> AsyncIterator[m.ExportedResult]:
    before = None
    while rows := await store.history(player, before=before, limit=PAGE):
        for row in rows:
            yield m.ExportedResult(
                row.table, row.game, row.at, row.seat, row.score, row.rank, row.outcome
            )
        before = rows[-1].at


def _table(key: str, entries: list[Entry], player: str) -> m.ExportedTable:
    """What is kept of a table where the person sat or spoke; of the match when it is over."""
    story = read_story(key, entries)[0]
    try:
        record = record_of(story) if story.seats_of(player) else None
    except GameError:
        record = None
    lines = [m.ExportedLine(line.at, line.text) for line in said(entries) if line.player == player]
    creates = story.created.creator == player
    return m.ExportedTable(key, story.created.game, story.created_at, creates, lines, record)
