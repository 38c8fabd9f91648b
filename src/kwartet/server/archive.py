"""What a story is to the store and to the record: rows, results, the match itself."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import msgspec

from kwartet.core.errors import GameError
from kwartet.core.fairness import commitment
from kwartet.games import find
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.story import Story, begin
from kwartet.store import Entry, Result, Store, TableRow

if TYPE_CHECKING:
    from kwartet.core.match import Match


def fresh_match(story: Story) -> "Match":
    """The story's match before its first move; GameError if its rules are not today's."""
    from kwartet.core.match import Match

    created = story.created
    game = find(created.game)
    if created.rules != game.version:
        raise GameError(
            "wrong-rules",
            f"This match was played under version {created.rules} of {game.title}'s rules; "
            f"this program plays version {game.version}.",
        )
    seed = bytes.fromhex(created.seed)
    return Match(game, created.options, seed=seed, auto_chance=False)


def record_of(story: Story) -> dict[str, Any]:
    """The record of a finished match; GameError while it runs.

    It is the library's record with who played, how it ended and what was promised. A match
    that was broken off has no winners by its moves; `result` says who won.
    """
    from kwartet.core.match import RECORD_FORMAT

    if story.result is None:
        raise GameError("not-over", "The record is told when the match is over.")
    created = story.created
    return {
        "kwartet": RECORD_FORMAT,
        "game": created.game,
        "rules": created.rules,
        "options": created.options,
        "moves": list(story.moves),
        "scores": story.result.scores,
        "winners": story.result.winners if story.result.reason == "played" else [],
        "seed": created.seed,
        "commitment": commitment(bytes.fromhex(created.seed)),
        "table": story.id,
        "at": story.changed,
        "players": [seat.name or f"bot:{seat.level}" for seat in story.seats],
        "result": msgspec.to_builtins(story.result),
    }


def read_story(table: str, entries: list[Entry]) -> tuple[Story, list[e.Body]]:
    """The story that a table's entries tell, and what they say; there must be one."""
    bodies = [e.decode(entry.body) for entry in entries]
    story = begin(table, entries[0].number, entries[0].at, bodies[0])
    for entry, body in zip(entries[1:], bodies[1:], strict=True):
        story = story.told(entry.number, entry.at, body)
    return story, bodies


async def finished(store: Store) -> AsyncIterator[Story]:
    """The stories of all finished matches, the latest first."""
    before, last = None, ""
    while rows := await store.tables("over", before=before, before_id=last):
        for row in rows:
            yield read_story(row.id, await store.entries(row.id))[0]
        before, last = rows[-1].changed, rows[-1].id


def row_of(story: Story) -> TableRow:
    """What the store knows of a table besides its log."""
    return TableRow(
        id=story.id,
        game=story.created.game,
        state=story.state,
        listed=story.created.listed,
        created=story.created_at,
        changed=story.changed,
        deadline=story.deadline(),
        bot_due=story.awaits_bot(),
        summary=m.encode(story.summary()),
        players=[seat.player if seat.kind == "person" else None for seat in story.seats],
    )


def results_of(story: Story) -> list[Result]:
    """How each seat ended, for histories and ratings."""
    assert story.result
    return [
        Result(
            number, seat.rated_as or "", story.result.scores[number], story.result.places[number]
        )
        for number, seat in enumerate(story.seats)
    ]
