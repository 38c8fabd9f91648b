"""The levels of play: what makes each as strong as it is.

A level either thinks ahead, and then its simulations make it strong, or it goes by what a move
brings at once, by its looks or by what it knows of a solution, and then its slack does: how
much worse than the best a move may seem that it plays. A game tunes these numbers in its module
`tactics`, also by the value of one of its options. Seconds only bound a search, but for a level
that fills its time.
"""

from dataclasses import dataclass, replace
from typing import Final

from kwartet.core.game import Game, Options


@dataclass(frozen=True)
class Level:
    """How a level plays."""

    sentence: str
    solved: str = ""  # the sentence where it goes by the solution of a game
    looks: bool = False  # goes by the game's prior, if it does not search; else by points now
    slack: float = 0.0  # how much worse a move may seem, if it does not search: points, or nats
    simulations: int | None = None  # a move; None: as many as there is time for
    seconds: float | None = None  # a move, at most; None: it does not search
    fills_time: bool = False  # searches for all of the time that a turn allows
    guided: bool = True  # by the game's prior
    values: bool = False  # whether its search reads the game's networks
    endings: bool = False  # whether it works endings out, where the game says how
    turns: bool = False  # whether it compares whole turns where its search covers one

    @property
    def searches(self) -> bool:
        """Whether it thinks ahead."""
        return self.seconds is not None


LEVELS: Final = {
    "novice": Level(
        "Sees what a move brings at once, not what it leaves to you, and is easily content.",
        slack=4.0,
    ),
    "casual": Level(
        "Knows what good moves look like but plans nothing; often just misses the best one.",
        looks=True,
        slack=1.0,
    ),
    "skilled": Level(
        "Thinks ahead a little; what only pays off later escapes it.",
        "Knows roughly what every choice is worth; small differences escape it.",
        simulations=200,
        seconds=0.3,
    ),
    "expert": Level(
        "Thinks ahead well and rarely misses anything.",
        "Knows quite exactly what every choice is worth and is hardly ever wrong.",
        simulations=2_000,
        seconds=1.0,
    ),
    "master": Level(
        "Thinks for as long as it is allowed to; the strongest there is.",
        "Knows the exact solution; against others it plays for the win, not for points.",
        simulations=20_000,
        seconds=3.0,
        fills_time=True,
        values=True,
        endings=True,
    ),
}
UCT: Final = Level(
    "Plain tree search with random playouts, to compare with.",
    seconds=3.0,
    fills_time=True,
    guided=False,
)


def level_of(name: str, game: Game, options: Options | None = None) -> Level:
    """How the level of this name plays the game, and matches with these options if they are told.

    What is asked of any match of the game, such as a review's judge, does not depend on options.
    """
    if name == "uct":
        return UCT
    knowledge = game.knowledge
    value = str((options or {}).get(knowledge.look_by))
    level = LEVELS[name]
    for tuned in (knowledge.levels, knowledge.levels_by.get(value, {})):
        if unknown := sorted(set(tuned) - set(LEVELS)):
            raise ValueError(f"{game.key} tunes levels that do not exist: {', '.join(unknown)}")
        level = replace(level, **tuned.get(name, {}))
    return level
