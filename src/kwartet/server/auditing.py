"""Whether what is derived from the log is what the log says; see `kwartet db check`."""

from collections.abc import Iterator

import msgspec

from kwartet.core.errors import GameError
from kwartet.server.archive import read_story, results_of, row_of
from kwartet.server.messages import TableSummary
from kwartet.server.story import Story
from kwartet.store.checking import Content


def faults(content: Content) -> Iterator[str]:
    """What of a table is not as its log tells, a sentence each."""
    row = content.row
    try:
        story = read_story(row.id, content.entries)[0]
    except (GameError, msgspec.MsgspecError, ArithmeticError, LookupError, ValueError) as error:
        yield f"Table {row.id}: the log cannot be read: {error}"
        return
    for name in _differing(story, content):
        yield f"Table {row.id}: {name} is not what the log says"


def _differing(story: Story, content: Content) -> Iterator[str]:
    row, told = content.row, row_of(story)
    names = ["game", "state", "listed", "created", "changed", "players"]
    if story.state != "open":  # earlier versions let full tables wait unmarked
        names.append("bot_due")
    for name in names:
        if getattr(row, name) != getattr(told, name):
            yield name
    if (row.deadline is None) != (told.deadline is None):
        yield "deadline"
    if content.players != {player for player in told.players if player is not None}:
        yield "the list of its players"
    try:
        shown = msgspec.json.decode(row.summary, type=TableSummary)
    except msgspec.MsgspecError:
        yield "summary"
    else:
        if (shown.state, shown.ply, shown.actor) != (story.shown_state, story.ply, story.actor):
            yield "summary"
    counts = story.state == "over" and story.counts and not story.created.imported
    if content.results != (results_of(story) if counts else content.results):
        yield "its results"
