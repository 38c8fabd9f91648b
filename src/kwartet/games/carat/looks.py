"""Carat's positions at a glance: how every chip stands, the lead, the time and the hand."""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.core.tactics import Look
from kwartet.games.carat.chips import KINDS, chip_of
from kwartet.games.carat.rules import MAX_HAND, NOBODY, POINTS, TILES, hand_size

LEADS: Final = 31  # from −45 points to 45, by threes
_LEAD: Final = KINDS
_LAID: Final = _LEAD + LEADS
_HELD: Final = _LAID + TILES  # + value − 1, of one tile; + 6 of three
_PAIRED: Final = _HELD + 12  # nobody's colours there are none
INPUTS: Final = _PAIRED + 1

LOOK_BY: Final = "players"
LOOKS: Final = {
    "2": Look("2", INPUTS, POINTS + 3 + MAX_HAND, np.arange(INPUTS, dtype=np.int32)[None], 1.0)
}


@kernel
def sketch(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """The chips that are not settled, then the lead, the tiles laid and those in the hand."""
    count = 0
    for point in range(POINTS):
        missing = int(state.missing[point])
        if missing > 0:
            out[count] = chip_of(state, point, int(state.sums[point]), missing)
            count += 1
    lead, owned = 0, 0
    for colour in range(4):
        owner = int(state.owner[colour])
        if owner != NOBODY:
            owned += 1
            lead += int(state.points[colour]) * (1 if owner == state.seat else -1)
    out[count] = _LEAD + min(max((lead + 46) // 3, 0), LEADS - 1)
    out[count + 1] = _LAID + int(state.tiles_laid)
    count += 2
    for index in range(hand_size(state, int(state.seat))):
        out[count] = _HELD + 6 * (state.hand > 1) + int(state.hands[state.seat, index]) // 6
        count += 1
    if owned == 4:
        out[count] = _PAIRED
        count += 1
    return count
