"""What a story is to the store and to the record: rows, results, the match itself."""

from typing import TYPE_CHECKING, Any

import msgspec

from kwartet.core.errors import GameError
from kwartet.core.fairness import commitment
from kwartet.games import find
from kwartet.server import messages as m
from kwartet.server.story import Story
from kwartet.store import Result, TableRow

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


def record_of(story: Story, match: "Match") -> dict[str, Any]:
    """The record of a finished match: as the library makes it, with who played and how it ended."""
    return match.record() | {
        "table": story.id,
        "at": story.changed,
        "commitment": commitment(bytes.fromhex(story.created.seed)),
        "players": [seat.name or f"bot:{seat.level}" for seat in story.seats],
        "result": msgspec.to_builtins(story.result),
    }


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
