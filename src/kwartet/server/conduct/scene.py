"""What a wish is judged by, who has it, and what comes of it: a scene, a person, a decision."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from kwartet.core.errors import GameError
from kwartet.server import events as e
from kwartet.server.story import Story

if TYPE_CHECKING:  # compiled rules are loaded in the background
    from kwartet.core.match import Match


class Person(msgspec.Struct, frozen=True):
    """Somebody with an identity."""

    id: str
    name: str
    blocks: frozenset[str] = frozenset()  # players whom they do not want to hear


class Decision(msgspec.Struct, frozen=True):
    """What is to happen, and how the match stands then if it changes."""

    events: list[e.AnyEvent]
    match: "Match | None" = None


NOTHING: Final = Decision([])


class Scene(msgspec.Struct, frozen=True):
    """What a wish is judged by."""

    story: Story
    match: "Match | None"  # None until the rules are ready
    time: float  # of the house, when the wish came in
    is_overdue: bool  # whether the person to act has thought too long
    is_away: Callable[[int], bool]  # whether the person of a seat has been away for long
    trouble: GameError | None = None  # why the match cannot go on

    def running(self) -> "Match":
        """The match; GameError if none is running."""
        if self.story.state == "over":
            raise GameError("game-over", "The match is over.")
        return self.seen()

    def seen(self) -> "Match":
        """The match, also when it is over; GameError if there is none to be seen."""
        if self.story.state == "open":
            raise GameError("not-started", "The match has not started yet.")
        if self.trouble:
            raise self.trouble
        if self.match is None:
            raise GameError("preparing", "The rules are still being compiled; it goes on soon.")
        return self.match

    def scores(self) -> list[int]:
        """The scores of the match, also of one that cannot be replayed; GameError if none runs."""
        if self.trouble is None or self.story.state != "running":
            return self.running().scores()
        return list(self.story.scores or [0] * len(self.story.seats))

    def own_seats(self, person: Person) -> list[int]:
        """The seats of a person; GameError if there are none."""
        seats = self.story.seats_of(person.id)
        if not seats:
            raise GameError("not-seated", "Only those who sit at the table can do that.")
        return seats


def enough(sentence: str) -> GameError:
    """The refusal of what would let a log grow without end.

    Whatever somebody can append is bounded; the match itself can always go on and end.
    """
    return GameError("enough", sentence)
