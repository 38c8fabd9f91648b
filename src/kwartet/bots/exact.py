"""Bots that play a game's exact solution, always or mostly."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kwartet.bots.bot import Analysis, Bot, Turn
from kwartet.core.chance import below, generator
from kwartet.core.game import Game


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

    def _solved(self, turn: Turn) -> Any:
        if self._solution is None:
            solutions = self.game.solved()
            self._solution = solutions.find(turn.options) or solutions.compute(turn.options)
        return self._solution


@dataclass
class Recalling:
    """Knows the exact solution by heart, but not every time: then it goes by another bot."""

    exact: Exact
    other: Bot
    recall: float  # the share of decisions that it knows

    def choose(self, turn: Turn) -> int | str:
        """The best action, or what the other bot takes for it."""
        knows = below(generator(turn.seed, 3), 1000) < 1000 * self.recall
        return (self.exact if knows else self.other).choose(turn)
