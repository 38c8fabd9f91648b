"""What a search should know about Carnac: which stones are alike, and how it is to learn.

How a stone looks is in `patterns`, how a position looks in `looks`.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.core.tactics import Thresholds, Tuning
from kwartet.games.carnac.looks import LOOK_BY as LOOK_BY
from kwartet.games.carnac.looks import LOOKS as LOOKS
from kwartet.games.carnac.looks import sketch as sketch
from kwartet.games.carnac.patterns import FEATURES as FEATURES
from kwartet.games.carnac.patterns import MAX_FEATURES as MAX_FEATURES
from kwartet.games.carnac.patterns import NOTES as NOTES
from kwartet.games.carnac.patterns import describe as describe
from kwartet.games.carnac.patterns import survey as survey
from kwartet.games.carnac.patterns import ties
from kwartet.games.carnac.rules import EMPTY, PLACING, STEPS, cell_of, legal_actions

MARGIN: Final = 1.0  # dolmens
LEVELS: Final[Mapping[str, Tuning]] = {
    "novice": {"slack": 1.5},
    "casual": {"slack": 4.0},
    "skilled": {"simulations": 300},
    "expert": {"simulations": 6_000},
    "master": {"simulations": 100_000},
}
# The larger the board, the more a stone's looks tell.
LEVELS_BY: Final[Mapping[str, Mapping[str, Tuning]]] = {
    "small": {
        "casual": {"slack": 1.7},
        "skilled": {"simulations": 200},
        "expert": {"simulations": 3_500},
    },
    "large": {"casual": {"slack": 7.5}, "skilled": {"simulations": 25}},
}
# 3, 10 and 25 % of the chance to win
VERDICTS: Final = Thresholds(win=(0.06, 0.2, 0.5), points=(0.3, 1.0, 4.0), shown="win")
PRACTICE: Final = (
    *({"board": board} for board in ("small", "medium", "large")),
    *({"board": board, "final_tilt": True} for board in ("small", "medium", "large")),
)
TIES: Final = ties


@kernel
def candidates(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """Legal actions; of a stone that cannot fall, the colour of its sides does not matter."""
    count = legal_actions(state, out)
    if state.phase != PLACING:
        return count
    kept = 0
    for index in range(count):
        action = int(out[index])
        if action & 1 == 0 or _can_fall(state, cell_of(action >> 2)):
            out[kept] = action
            kept += 1
    return kept


@kernel
def _can_fall(state: np.record, cell: int) -> bool:
    """Whether a stone placed there can be tilted."""
    if state.empties < 2 or (state.stock == 1 and not state.final_tilt):
        return False
    room = False
    for direction in range(4):
        room |= _has_room(state, cell, direction)
    return room


@kernel
def _has_room(state: np.record, cell: int, direction: int) -> bool:
    """Whether the two cells that a stone would fall on are empty."""
    step = int(STEPS[direction])
    return state.cells[cell + step] == EMPTY and state.cells[cell + 2 * step] == EMPTY
