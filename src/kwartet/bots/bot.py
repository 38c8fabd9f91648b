"""What a bot is, and what it is told when it is to act.

A bot is any object with a method `choose`. It gets a `Turn`, which is made from the
redacted state, so that a bot cannot know more than its seat even if it tries.
"""

from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from kwartet.core.engine import States
from kwartet.core.errors import GameError, named, quoted
from kwartet.core.game import Game, Options
from kwartet.core.match import Match
from kwartet.core.verbs import CHANCE


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
    if seat is None or seat == CHANCE:
        raise GameError("not-your-turn", "No seat is to act now.")
    return Turn(
        game=match.game,
        options=deepcopy(match.options),
        seat=seat,
        ply=match.ply,
        state=match.redacted(seat),
        legal_actions=match.legal_actions(),
        moves=match.log(seat),
        scores=match.scores(),
        seed=seed,
        seconds=seconds,
    )


def ask(bot: Bot, turn: Turn) -> int:
    """The action that the bot chooses; GameError if it fails or answers what is not legal."""
    try:
        answer = bot.choose(turn)
    except GameError:
        raise
    except (Exception, SystemExit) as error:  # whatever a foreign bot does
        raise GameError(
            "bad-bot",
            f"{_name(bot)} failed at ply {turn.ply}: {named(error)}.",
        ) from error
    if isinstance(answer, str) and answer in turn.legal:
        return turn.legal_actions[turn.legal.index(answer)]
    whole = isinstance(answer, int | np.integer) and not isinstance(answer, bool)
    if whole and int(answer) in turn.legal_actions:
        return int(answer)
    raise GameError(
        "bad-bot",
        f"{_name(bot)} answered {quoted(answer)} at ply {turn.ply}, which is not a legal move.",
    )


def _name(bot: Bot) -> str:
    return f"The bot {type(bot).__name__}"
