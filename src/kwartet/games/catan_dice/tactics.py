"""What a search should know about the Catan dice game: build what can be built.

The best players look the game up (`solution`); the search is for those in between.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from kwartet.core import bits
from kwartet.core.chance import Generator
from kwartet.core.kernels import kernel
from kwartet.core.tactics import Thresholds, Tuning
from kwartet.games.catan_dice.rules import (
    ACTING,
    CITY,
    END,
    KNIGHT,
    ROAD,
    SETTLEMENT,
    TRADE,
    other_actions,
    random_action,
)
from kwartet.games.catan_dice.tables import CITY_POINTS, SETTLEMENT_POINTS

MARGIN: Final = 20.0  # points
VERDICTS: Final = Thresholds(win=(0.01, 0.04, 0.15), points=(0.3, 1.0, 4.0))
SCORING: Final = "alone"
LEVELS: Final[Mapping[str, Tuning]] = {
    "novice": {"slack": 5.0},
    "casual": {"slack": 3.0},
    "skilled": {"slack": 4.5},
    "expert": {"slack": 2.6},
}


@kernel
def points_of(action: int) -> int:
    """What a building scores."""
    if action < SETTLEMENT:
        return 1
    if action < CITY:
        return int(SETTLEMENT_POINTS[action - SETTLEMENT])
    if action < KNIGHT:
        return int(CITY_POINTS[action - CITY])
    return action - KNIGHT + 1


@kernel
def likely_action(state: np.record, rng: Generator) -> int:
    """The most valuable building, if one can be built; else any action."""
    if state.phase == ACTING:
        possible = other_actions(state)
        best, most = END, 0
        for action in range(ROAD, END):
            if bits.has(possible, action - TRADE) and points_of(action) > most:
                best, most = action, points_of(action)
        if most > 0:
            return best
    return random_action(state, rng)
