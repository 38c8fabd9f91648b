"""A state that a program in Python steps through, one action at a time.

A `Match` keeps a log and speaks notation; a position does neither. It crosses into
compiled code once an action, which makes it as quick as Python allows.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from kwartet.core import engine
from kwartet.core.chance import Generator
from kwartet.core.errors import GameError, quoted, some_of
from kwartet.core.game import Game, Options
from kwartet.core.kernels import compiled_for
from kwartet.core.verbs import OVER


class Position:
    """Where a match of `game` stands. Chance is played by the caller, like the seats."""

    __slots__ = ("_listed", "_step", "_view", "actor", "game", "legal", "seats", "states")

    def __init__(self, game: Game, options: Options | None = None) -> None:
        settled = game.settle(options or {})
        self.game = game
        self.seats = game.seats(settled)
        self.states = game.start(settled)  # an array of one record
        self._listed = np.empty(game.rules.MAX_LEGAL, np.int32)
        self._view = self._listed.data  # quicker to cut than an array
        self._step = compiled_for(engine.step, self.states, 0, self._listed)
        self.actor: int  # a seat, CHANCE or OVER
        self.legal: list[int]  # the actor's actions, ascending; none at the end
        self._look()

    @property
    def is_over(self) -> bool:
        """Whether nobody acts any more."""
        return self.actor == OVER

    def apply(self, action: int) -> None:
        """Play the actor's action; GameError if it is not legal."""
        if action not in self.legal:
            if self.actor == OVER:
                raise GameError("game-over", f"The match is over, {quoted(action)} is too late.")
            raise GameError(
                "illegal-move",
                f"{quoted(action)} is not legal here; legal is {some_of(map(str, self.legal))}.",
            )
        self.actor, count = self._step(self.states, action, self._listed)
        self.legal = self._view[:count].tolist()

    def draw(self, rng: Generator) -> int:
        """A random action: as likely as it is for chance, uniform for a seat."""
        return engine.draw(self.states, rng)

    def weights(self) -> npt.NDArray[np.int64]:
        """How likely each of chance's outcomes in `legal` is, relative to the others."""
        weights = np.empty(len(self.legal), np.int64)
        engine.list_weights(self.states, np.array(self.legal, np.int32), weights)
        return weights

    def scores(self) -> list[int]:
        """One number a seat, as it stands."""
        points = np.zeros(self.seats, np.int32)
        engine.situation(self.states, points, np.zeros(self.seats, np.int8))
        numbers: list[int] = points.tolist()
        return numbers

    def returns(self) -> list[float]:
        """Each seat's result, adding up to 0; all 0 while the match runs."""
        results = np.zeros(self.seats)
        if self.is_over:
            engine.final_returns(self.states, np.zeros(self.seats, np.int8), results)
        numbers: list[float] = results.tolist()
        return numbers

    def observe(self, seat: int, out: npt.NDArray[np.float32]) -> None:
        """Write what the seat may see, as the game's `features.FIELDS` say."""
        engine.observation(self.states, seat, out)

    def copy(self) -> "Position":
        """An independent position that stands the same."""
        twin = Position.__new__(Position)
        twin.game, twin.seats, twin.actor = self.game, self.seats, self.actor
        twin.states, twin.legal, twin._step = self.states.copy(), self.legal, self._step
        twin._listed = np.empty(len(self._listed), np.int32)
        twin._view = twin._listed.data
        return twin

    def replace(self, states: engine.States) -> None:
        """Stand where these states say instead, an array of one record."""
        self.states = states.copy()
        self._look()

    def _look(self) -> None:
        """See who acts and what is legal."""
        self.actor, count = self._step(self.states, -1, self._listed)
        self.legal = self._view[:count].tolist()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        return self.copy()
