"""A bot that plays a game's exact solution."""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.bots.bot import Analysis, Turn
from kwartet.core.engine import Actions
from kwartet.core.game import Game

_POINTS: Final = 1  # beside the result, of what a solution tells of an action


@dataclass
class Exact:
    """Looks the best action up; the solution is computed first if none is stored."""

    game: Game
    _solution: Any = field(default=None, init=False, repr=False)

    def choose(self, turn: Turn) -> int:
        """The best action: alone for points, among others for the win."""
        return int(self._solved(turn).choose(turn.state, turn.seat))

    def analyse(self, turn: Turn) -> Analysis:
        """What every legal action is worth, exactly; all visits go to the best one."""
        solution = self._solved(turn)
        actions = np.array(turn.legal_actions, np.int32)
        best, worths = solution.weigh(turn.state, turn.seat, turn.legal_actions)
        values, seats = np.array(worths), len(turn.scores)
        if seats > 1:  # from the share of the win to the result, as `match.returns` has it
            values = (seats * values - 1.0) / (seats - 1)
        visits = (actions == best).astype(np.int64)
        return Analysis(actions, visits, values, np.full(len(actions), seats == 1))

    def points(self, turn: Turn, actions: Actions) -> npt.NDArray[np.float64]:
        """The final score that the seat expects after each of these legal actions."""
        worths: npt.NDArray[np.float64] = self._solved(turn).worths(turn.state, actions.tolist())
        return worths[:, turn.seat, _POINTS]

    def _solved(self, turn: Turn) -> Any:
        if self._solution is None:
            solutions = self.game.solved()
            self._solution = solutions.find(turn.options) or solutions.compute(turn.options)
        return self._solution
