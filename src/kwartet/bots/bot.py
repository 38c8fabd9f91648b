"""What a bot is, and what it is told when it is to act.

A bot is any object with a method `choose`. It gets a `Turn`, which is made from the
redacted state, so that a bot cannot know more than its seat even if it tries.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from kwartet.core.engine import States
from kwartet.core.game import Game, Options
from kwartet.core.match import Match


@dataclass(frozen=True)
class Turn:
    """A decision that a seat is to make, with everything the seat knows."""

    game: Game
    options: Options
    seat: int
    ply: int
    state: States  # an array of one record, without what the seat may not know
    legal_actions: list[int]  # ascending
    moves: list[str]  # the log so far; what the seat did not see is hidden in it
    scores: list[int]
    seed: int  # for a bot's own luck: the same turn with the same seed should get the same answer
    seconds: float | None = None  # by when the answer must be there; None: no hurry

    @cached_property
    def legal(self) -> list[str]:
        """The legal moves in notation, in the order of `legal_actions`."""
        names: list[str] = self.game.notation.names(self.state[0], self.seat, self.legal_actions)
        return names

    @cached_property
    def view(self) -> dict[str, Any]:
        """The board as a JSON-ready dict, as the page shows it to the seat."""
        board: dict[str, Any] = self.game.views.view(self.state[0], self.seat)
        return board


class Bot(Protocol):
    """A player. One object plays one seat of one match."""

    def choose(self, turn: Turn) -> int | str:
        """One of `turn.legal_actions`, or one of `turn.legal`."""


def turn_of(match: Match, *, seed: int = 0, seconds: float | None = None) -> Turn:
    """The decision that the match's actor, a seat, is to make now."""
    seat = match.actor
    assert seat is not None
    assert seat >= 0
    return Turn(
        game=match.game,
        options=match.options,
        seat=seat,
        ply=match.ply,
        state=match.redacted(seat),
        legal_actions=match.legal_actions(),
        moves=match.log(seat),
        scores=match.scores(),
        seed=seed,
        seconds=seconds,
    )
