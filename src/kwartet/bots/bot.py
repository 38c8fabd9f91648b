"""What a bot is, what it is told when it is to act, and what it may answer.

A bot is any object with a method `choose`. It gets a `Turn`, which is made from the
redacted state, so that a bot cannot know more than its seat even if it tries.
"""

from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from kwartet.core.engine import States
from kwartet.core.errors import GameError, named, quoted, some_of
from kwartet.core.game import Game, Options
from kwartet.core.match import Match
from kwartet.core.verbs import CHANCE

PATIENCE: Final = 60.0  # seconds for a move if none are set
LENIENCE: Final = 0.5  # seconds: machines are busy and clocks are coarse
_WHOLE: Final = [np.dtype(code).type for code in np.typecodes["AllInteger"]]  # NumPy's integers


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
        """What the seat sees as a JSON-ready dict: `match.view(seat)`."""
        board: dict[str, Any] = self.game.views.view(self.state[0], self.seat)
        return {
            "game": self.game.key,
            "options": deepcopy(self.options),
            "seat": self.seat,
            "ply": self.ply,
            "actor": self.seat,
            "scores": list(self.scores),
            "winners": [],
            **board,
        }

    def name(self, action: int) -> str:
        """The move that a legal action is, in notation."""
        return self.legal[self.legal_actions.index(action)]

    def read(self, answer: object) -> int:
        """The action that an answer stands for: an action, or a move as `match.play` reads it.

        GameError says what is wrong with any other answer, whatever it is.
        """
        wish = _plain(answer)
        if isinstance(wish, str):
            found: list[int] = self.game.notation.read(self.state[0], self.seat, wish.strip())
            if len(found) != 1:
                raise GameError("illegal-move", f"{quoted(wish)} is not one action.")
            action = found[0]
        else:
            action = wish
        if action in self.legal_actions:
            return action
        reason = f"There is no action {quoted(action)} here."
        if isinstance(wish, str):
            reason = self.game.notation.objection(self.state[0], self.seat, action)
        raise GameError("illegal-move", f"{reason} Possible: {some_of(self.legal)}.")


class Bot(Protocol):
    """A player. One object plays one seat of one match."""

    def choose(self, turn: Turn) -> int | str:
        """One of `turn.legal_actions`, or a move in notation such as one of `turn.legal`."""


@dataclass(frozen=True)
class Analysis:
    """What a bot thinks of the actions that it looked at, without equivalent ones."""

    actions: npt.NDArray[np.int32]  # ascending
    visits: npt.NDArray[np.int64]  # simulations that went to each; of a solution, 1 for the best
    values: npt.NDArray[np.float64]  # result that the seat expects, −1 to 1; alone, final points
    proven: npt.NDArray[np.bool_] | None = None  # whose values are exact; None: of none it is known
    expected: npt.NDArray[np.float64] | None = (
        None  # by every seat, the mean; None: it is not known
    )

    @property
    def best(self) -> int:
        """The action most simulations went to; of equal ones that with the better results."""
        return int(self.actions[self.order[0]])

    @property
    def order(self) -> npt.NDArray[np.int64]:
        """Where the actions stand in the arrays, the best first."""
        return np.lexsort((self.values, self.visits))[::-1]


class Analyst(Bot, Protocol):
    """A bot that also says what it thinks of the moves."""

    def analyse(self, turn: Turn) -> Analysis:
        """Weigh the turn's actions."""


def turn_of(match: Match, *, seed: int = 0, seconds: float | None = None) -> Turn:
    """The decision that the match's actor, a seat, is to make now."""
    seat = match.actor
    if seat is None:
        raise GameError("not-your-turn", "The match is over: nobody is to act.")
    if seat == CHANCE:
        raise GameError("not-your-turn", "Chance is to act now, not a seat.")
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


def answer_limit(seconds: float | None) -> float:
    """Seconds after which an answer is too late, if so many were given for it."""
    return PATIENCE if seconds is None else seconds + LENIENCE


def ask(bot: Bot, turn: Turn) -> int:
    """The action that the bot chooses; GameError if it fails or its answer is refused."""
    try:
        answer = bot.choose(turn)
    except (GameError, KeyboardInterrupt):
        raise
    except BaseException as error:  # whatever a foreign bot does
        raise GameError(
            "bad-bot", f"{_title(bot)} failed at ply {turn.ply}: {named(error)}."
        ) from error
    try:
        return turn.read(answer)
    except GameError as error:
        raise GameError(
            "bad-bot", f"{_title(bot)} is refused at ply {turn.ply}: {error.sentence}"
        ) from error


def _plain(answer: object) -> int | str:
    """The number or text that an answer is, without what its own class makes of it."""
    kind = type(answer)
    if issubclass(kind, str):
        return str.__str__(answer)
    if issubclass(kind, int) and kind is not bool:
        return int.__int__(answer)  # type: ignore[arg-type]
    if any(kind is whole for whole in _WHOLE):
        return int(answer)  # type: ignore[call-overload]
    raise GameError("bad-notation", f"A move is text or an action's number, not {quoted(answer)}.")


def _title(bot: Bot) -> str:
    return f"The bot {type(bot).__name__}"
