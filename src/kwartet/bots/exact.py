"""A bot that plays a game's exact solution."""

from dataclasses import dataclass, field
from typing import Any

from kwartet.bots.bot import Turn
from kwartet.core.game import Game


@dataclass
class Exact:
    """Looks the best action up; the solution is computed first if none is stored."""

    game: Game
    _solution: Any = field(default=None, init=False, repr=False)

    def choose(self, turn: Turn) -> int:
        """The best action: alone for points, among others for the win."""
        if self._solution is None:
            solutions = self.game.solution
            self._solution = solutions.find(turn.options) or solutions.compute(turn.options)
        return int(self._solution.choose(turn.state, turn.seat))
