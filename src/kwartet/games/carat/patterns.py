"""How a placement looks: what it makes of the four chips that it touches.

For each chip: who would win it before and after, what it is worth and how many cells it still
misses; whose diamond of how many carats is laid there; how it stood and how it stands then
(`chips`). And for the tile as a whole: how many
chips it settles, a large one is not to be wasted, and what that brings. The match has three
phases, for two players and for more, each with its own features.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.games.carat.chips import KINDS, KINDS_AMONG, OTHER, OWN, chip_of, whose
from kwartet.games.carat.rules import (
    CORNERS,
    LYING,
    POINTS,
    TILES,
    colours_present,
    winning_colour,
)

PHASES: Final = 3
_MISSING: Final = 4  # cells around a chip that are empty after a tile is laid
_STAKES: Final = 4  # see `_stake`
_PRIZES: Final = 20  # points that a chip brings at most
_GAIN: Final = 15  # points that a tile gains or loses, told apart

_BEFORE: Final = 0  # + (whose · 4 + missing) · stakes + stake
_AFTER: Final = _BEFORE + 3 * _MISSING * _STAKES  # likewise
_WON: Final = _AFTER + 3 * _MISSING * _STAKES  # + whose · prizes + points − 1
_LAID: Final = _WON + 3 * _PRIZES  # + (whose · 4 + missing) · 6 + value − 1
_TILE: Final = _LAID + 3 * _MISSING * 6  # + chips settled · 6 + value − 1
_GAINED: Final = _TILE + 5 * 6  # + gain
_STOOD: Final = _GAINED + 2 * _GAIN + 1  # + kind of the chip
SLOTS: Final = _STOOD + 2 * KINDS  # then + kind as it stands, with two players
_SLOTS_AMONG: Final = _STOOD + 2 * KINDS_AMONG  # the same with more
FEATURES: Final = PHASES * (SLOTS + _SLOTS_AMONG)
MAX_FEATURES: Final = 4 * 5 + 2
NOTES: Final = POINTS  # how each chip stands


@kernel
def survey(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """Note how the chips stand that are not settled."""
    for point in range(POINTS):
        missing = int(state.missing[point])
        if missing > 0:
            out[point] = chip_of(state, int(state.seat), point, int(state.sums[point]), missing)


@kernel
def describe(
    state: np.record, action: int, notes: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    """The features of a placement, in the phase the match is in."""
    cell, tile, turn = action // (TILES * 4), action // 4 % TILES, action % 4
    phase = min(int(state.tiles_laid) // 12, PHASES - 1)
    first, kinds = phase * SLOTS, KINDS
    if state.players > 2:
        first, kinds = PHASES * SLOTS + phase * _SLOTS_AMONG, KINDS_AMONG
    stands = first + _STOOD + kinds
    size = tile // 6
    count, settled, gained = 0, 0, 0
    for corner in range(4):
        point = int(CORNERS[cell, corner])
        colour = int(LYING[tile % 6, turn, corner])
        missing = int(state.missing[point]) - 1
        sums = int(state.sums[point])
        after = sums + ((size + 1) << 8 * colour)
        points = int(state.chips[point]) * colours_present(after)
        stake = _stake(points)
        before = whose(state, winning_colour(sums)) * _MISSING + missing
        winner = whose(state, winning_colour(after))
        out[count] = first + _BEFORE + before * _STAKES + stake
        out[count + 1] = first + _LAID + (whose(state, colour) * _MISSING + missing) * 6 + size
        out[count + 2] = first + _STOOD + notes[point]
        count += 3
        if missing == 0:
            settled += 1
            gained += points if winner == OWN else -points if winner == OTHER else 0
            out[count] = first + _WON + winner * _PRIZES + points - 1
            count += 1
        else:
            out[count] = first + _AFTER + (winner * _MISSING + missing) * _STAKES + stake
            out[count + 1] = stands + chip_of(state, int(state.seat), point, after, missing)
            count += 2
    out[count] = first + _TILE + settled * 6 + size
    out[count + 1] = first + _GAINED + _GAIN + min(max(gained, -_GAIN), _GAIN)
    return count + 2


@kernel
def _stake(points: int) -> int:
    """What a chip would bring as it stands, in four classes."""
    if points <= 6:
        return 0 if points <= 3 else 1
    return 2 if points <= 10 else 3
