"""A state that a program in Python steps through, one action at a time.

A `Match` keeps a log in notation; a position only numbers its actions. It crosses into
compiled code once an action, which makes it as quick as Python allows; a match is made
of its actions when somebody asks for one.
"""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from kwartet.core import engine
from kwartet.core.chance import Generator
from kwartet.core.errors import GameError, quoted, some_of
from kwartet.core.game import Game, Options
from kwartet.core.kernels import compiled_for
from kwartet.core.match import Match
from kwartet.core.verbs import OVER


class Position:
    """Where a match of `game` stands. Chance is played by the caller, like the seats."""

    __slots__ = (
        "_listed",
        "_match",
        "_step",
        "_view",
        "actions",
        "actor",
        "game",
        "legal_actions",
        "options",
        "seats",
        "states",
    )

    def __init__(self, game: Game, options: Options | None = None) -> None:
        self.game = game
        self.options = game.settle(options or {})
        self.seats = game.seats(self.options)
        self.states = game.start(self.options)  # an array of one record
        self.actions: list[int] = []  # everything played so far, chance included
        self._match: Match | None = None
        self._listed = np.empty(game.rules.MAX_LEGAL, np.int32)
        self._view = self._listed.data  # quicker to cut than an array
        self._step = compiled_for(engine.step, self.states, 0, self._listed)
        self.actor: int  # a seat, CHANCE or OVER
        self.legal_actions: list[int]  # the actor's, ascending; none at the end
        self._look()

    @property
    def is_over(self) -> bool:
        """Whether nobody acts any more."""
        return self.actor == OVER

    def apply(self, action: int) -> None:
        """Play the actor's action; GameError if it is not legal."""
        if action not in self.legal_actions:
            if self.actor == OVER:
                raise GameError("game-over", f"The match is over, {quoted(action)} is too late.")
            raise GameError(
                "illegal-move",
                f"{quoted(action)} is not legal here; "
                f"legal is {some_of(map(str, self.legal_actions))}.",
            )
        self.actor, count = self._step(self.states, action, self._listed)
        self.legal_actions = self._view[:count].tolist()
        self.actions.append(action)

    def random_action(self, rng: Generator) -> int:
        """A random action: as likely as it is for chance, uniform for a seat."""
        return engine.random_action(self.states, rng)

    def chance_weights(self) -> npt.NDArray[np.int64]:
        """How likely each of chance's outcomes in `legal_actions` is, relative to the others."""
        weights = np.empty(len(self.legal_actions), np.int64)
        engine.chance_weights(self.states, np.array(self.legal_actions, np.int32), weights)
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
            engine.returns(self.states, np.zeros(self.seats, np.int8), results)
        numbers: list[float] = results.tolist()
        return numbers

    def observe(self, seat: int, out: npt.NDArray[np.float32]) -> None:
        """Write what the seat may see, as the game's `features.FIELDS` say."""
        engine.observe(self.states, seat, out)

    @property
    def match(self) -> Match:
        """The match with its log, up to date. Not to be changed."""
        if self._match is None:
            self._match = Match(self.game, self.options, auto_chance=False)
        self._match.extend(self.actions[len(self._match.actions) :])
        return self._match

    def copy(self) -> Self:
        """An independent position that stands the same and came there the same way."""
        twin = type(self).__new__(type(self))
        twin.game, twin.options, twin.seats = self.game, self.options, self.seats
        twin.actor, twin.legal_actions = self.actor, self.legal_actions
        twin.states, twin.actions, twin._step = self.states.copy(), self.actions.copy(), self._step
        twin._match = self._match and self._match.copy()
        twin._listed = np.empty(len(self._listed), np.int32)
        twin._view = twin._listed.data
        return twin

    def _look(self) -> None:
        """See who acts and what is legal."""
        self.actor, count = self._step(self.states, -1, self._listed)
        self.legal_actions = self._view[:count].tolist()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()
