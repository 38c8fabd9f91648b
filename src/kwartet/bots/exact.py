"""A bot that plays a game's exact solution."""

from dataclasses import dataclass

from kwartet.bots.bot import Turn
from kwartet.core.game import Game


@dataclass
class Exact:
    """Looks the best action up; the table is made first if there is none yet."""

    game: Game

    def choose(self, turn: Turn) -> int:
        """The best action."""
        return int(self.game.solution.choose(turn.state, turn.seat))
