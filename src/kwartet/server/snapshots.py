"""Tables read from the log: from the last snapshot on, if there is one that we understand.

A snapshot is a story and what was answered, as they were after some entry. It says nothing that
the log does not: one that another version of the program wrote is left alone and written anew,
and so is one from before the log was rewritten.
"""

import asyncio
import hashlib
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
import structlog

from kwartet.core.errors import GameError, quoted
from kwartet.server import answers, events, story
from kwartet.server.answers import Answer, Answers
from kwartet.server.archive import read_on, read_story
from kwartet.server.story import Story
from kwartet.store import Conflict, Snapshot, Store, StoreError

EVERY: Final = 100  # entries after which a snapshot is worth its while
LONG: Final = 100  # entries that are read beside the event loop

log = structlog.get_logger()


class _Content(msgspec.Struct, frozen=True):
    """What a snapshot holds."""

    story: Story
    answers: list[tuple[str, str, int, int, str]]  # by, request, version, ply, digest


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Content).decode


@cache
def form() -> str:
    """What tells snapshots of this program from others: how a story comes of entries."""
    digest = hashlib.sha256()
    for module in (events, story, answers):
        digest.update(Path(str(module.__file__)).read_bytes())
    return digest.hexdigest()[:16]


async def load(store: Store, table: str) -> tuple[Story, Answers, int]:
    """A table's story, what was answered, and the entry of its snapshot, 0 if there is none.

    GameError `unknown-table` if there is no such table, or as of `read_story`.
    """
    kept, entries = await store.load(table, form())
    if kept is None and not entries:
        raise GameError("unknown-table", f"There is no table {quoted(table)}.")
    if kept is not None:
        try:
            begun = await asyncio.to_thread(_open, kept)
        except msgspec.DecodeError as problem:
            log.error("a snapshot cannot be read", problem=str(problem))
        else:
            read = read_on(*begun, entries)
            if read[0].rewritten <= kept.number:
                return *read, kept.number
        entries = await store.entries(table)
    if len(entries) > LONG:
        return *await asyncio.to_thread(read_story, table, entries), 0
    return *read_story(table, entries), 0


def _open(kept: Snapshot) -> tuple[Story, Answers]:
    content = _decode(kept.body)
    return content.story, {
        (by, request): Answer(version, ply, digest)
        for by, request, version, ply, digest in content.answers
    }


async def keep(store: Store, story: Story, known: Answers) -> None:
    """Write a snapshot; if that cannot be, the log is still there."""
    lines = [
        (by, request, answer.version, answer.ply, answer.digest)
        for (by, request), answer in known.items()
        if answer.hints is None
    ]
    body = _encode(_Content(story, lines))
    try:
        await store.save_snapshot(Snapshot(story.id, story.version, form(), body))
    except (StoreError, Conflict) as error:
        log.warning("no snapshot was written", problem=error.sentence)
