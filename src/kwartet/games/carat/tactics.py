"""What a search should know about Carat: what a tile does to the chips it touches.

For each of the four chips: how it stood before, how it stands after or who has won it,
and whose colour is laid there. How it stands is the seat's lead in carats over the best
other colour. The game has three phases, each with its own features.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.games.carat.rules import (
    CORNERS,
    LYING,
    NOBODY,
    TILES,
    carats_of,
    colours_present,
    winning_colour,
)

MARGIN: Final = 20.0  # points
PRACTICE: Final = ({"players": 4}, {"players": 2}, {"players": 3}, {"players": 2, "hand": 3})

OWN, OTHER, NEUTRAL = range(3)  # whose colour
_LEADS: Final = 5  # see `_lead_class`
_CHIPS: Final = 3  # 1–2, 3, 4–5
_PAYOFFS: Final = 6

PHASES: Final = 3
_WON: Final = 0  # + (whose · payoffs + payoff)
_AFTER: Final = _WON + 3 * _PAYOFFS  # + (lead · 5 + cells missing) · chips + chip
_BEFORE: Final = _AFTER + _LEADS * 5 * _CHIPS
_LAID: Final = _BEFORE + _LEADS * 5 * _CHIPS  # + (whose · 5 + cells missing) · chips + chip
_TILE: Final = _LAID + 3 * 5 * _CHIPS  # + value − 1
_SLOTS: Final = _TILE + 6
FEATURES: Final = PHASES * _SLOTS
MAX_FEATURES: Final = 13


@kernel
def whose(state: np.record, colour: int) -> int:
    """Whether a colour is the acting seat's, another seat's, or nobody's."""
    owner = NOBODY if colour == NOBODY else int(state.owner[colour])
    if owner == NOBODY:
        return NEUTRAL
    return OWN if owner == state.seat else OTHER


@kernel
def _lead_class(state: np.record, sums: int) -> int:
    """How far the acting seat leads at a chip, in five classes."""
    own, rival = 0, 0
    for colour in range(4):
        carats = carats_of(sums, colour)
        if state.owner[colour] == state.seat:
            own = max(own, carats)
        else:
            rival = max(rival, carats)
    lead = own - rival
    if lead == 0:
        return 2
    if lead > 0:
        return 3 if lead <= 2 else 4
    return 1 if lead >= -2 else 0


@kernel
def describe(
    state: np.record, action: int, notes: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    """The features of a placement, in the phase the match is in."""
    cell, tile, turn = action // (TILES * 4), action // 4 % TILES, action % 4
    phase = _SLOTS * min(int(state.tiles_laid) // 12, PHASES - 1)
    carats = tile // 6 + 1
    count = 0
    for corner in range(4):
        point = CORNERS[cell, corner]
        colour = int(LYING[tile % 6, turn, corner])
        value = int(state.chips[point])
        chip = 0 if value <= 2 else 1 if value == 3 else 2
        missing = int(state.missing[point]) - 1
        sums = int(state.sums[point])
        after = sums + (carats << 8 * colour)
        before = (_lead_class(state, sums) * 5 + missing + 1) * _CHIPS + chip
        out[count] = phase + _BEFORE + before
        out[count + 1] = phase + _LAID + (whose(state, colour) * 5 + missing) * _CHIPS + chip
        if missing == 0:
            payoff = min((value * colours_present(after) - 1) // 3, _PAYOFFS - 1)
            winner = whose(state, winning_colour(after))
            out[count + 2] = phase + _WON + winner * _PAYOFFS + payoff
        else:
            standing = (_lead_class(state, after) * 5 + missing) * _CHIPS + chip
            out[count + 2] = phase + _AFTER + standing
        count += 3
    out[count] = phase + _TILE + carats - 1
    return count + 1
