"""The levels of play: what makes each as strong as it is.

A level's strength is the share of moves that it notices, the simulations that it makes or
the share of a solution that it knows; a game tunes these numbers in its module `tactics`.
Seconds only bound a search, but for a level that fills its time.
"""

from dataclasses import dataclass, replace
from typing import Final

from kwartet.core.game import Game


@dataclass(frozen=True)
class Level:
    """How a level plays."""

    sentence: str
    solved: str = ""  # the sentence where it looks a solution up
    attention: float = 1.0  # the share of moves that it notices, if it does not search
    simulations: int | None = None  # a move; None: as many as there is time for
    seconds: float | None = None  # a move, at most; None: it does not search
    fills_time: bool = False  # searches for all of the time that a turn allows
    guided: bool = True  # by the game's prior
    values: bool = False  # whether its search reads the game's networks
    turns: bool = False  # whether it compares whole turns where its search covers one
    recall: float = 0.0  # the share of decisions that it knows the solution of

    @property
    def searches(self) -> bool:
        """Whether it thinks ahead."""
        return self.seconds is not None


LEVELS: Final = {
    "novice": Level(
        "Sees a few of the possible moves and plays the best-looking of them.", attention=0.2
    ),
    "casual": Level(
        "Sees most moves, goes by their looks and does not think ahead.", attention=0.8
    ),
    "skilled": Level(
        "Thinks ahead a little.",
        "Knows the best move a little more than half of the time.",
        simulations=200,
        seconds=0.3,
        recall=0.6,
    ),
    "expert": Level(
        "Thinks ahead well and rarely misses anything.",
        "Knows the best move nearly always.",
        simulations=2_000,
        seconds=1.0,
        recall=0.9,
    ),
    "master": Level(
        "Thinks for as long as it is allowed to; the strongest there is.",
        "Knows the exact solution; against others it plays for the win, not for points.",
        simulations=20_000,
        seconds=3.0,
        fills_time=True,
        values=True,
        recall=1.0,
    ),
}
UCT: Final = Level(
    "Plain tree search with random playouts, to compare with.",
    seconds=3.0,
    fills_time=True,
    guided=False,
)


def level_of(name: str, game: Game) -> Level:
    """How the level of this name plays the game."""
    if name == "uct":
        return UCT
    tuned = game.knowledge.levels
    if unknown := set(tuned) - set(LEVELS):
        raise ValueError(f"{game.key} tunes levels that do not exist: {', '.join(sorted(unknown))}")
    return replace(LEVELS[name], **tuned.get(name, {}))
