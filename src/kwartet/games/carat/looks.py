"""Carat's positions at a glance: how every chip stands, the lead, the time and the hand.

With two players the seat to act looks, with more each seat for itself: it also sees by how much
it leads every other one and how long it is until its turn, and no hand but its own.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.core.tactics import Look
from kwartet.games.carat.chips import KINDS, KINDS_AMONG, chip_of
from kwartet.games.carat.rules import MAX_HAND, MAX_SEATS, NOBODY, POINTS, TILES, hand_size

LEADS: Final = 31  # from −45 points to 45, by threes
HANDS: Final = 12  # value − 1, of one tile; + 6 of three
_LEAD: Final = KINDS
_LAID: Final = _LEAD + LEADS
_HELD: Final = _LAID + TILES
_PAIRED: Final = _HELD + HANDS  # nobody's colours there are none
INPUTS: Final = _PAIRED + 1

_LEAD_OVER: Final = KINDS_AMONG  # + 31 for each other seat by its turn after this one
_TURN: Final = _LEAD_OVER + (MAX_SEATS - 1) * LEADS  # + tiles laid · seats + turns until its own
_OWN: Final = _TURN + TILES * MAX_SEATS  # hand, where it is the seat's turn
INPUTS_AMONG: Final = _OWN + HANDS


def _look(players: str, inputs: int, leads: int, blend: float) -> Look:
    """How positions with so many players are sketched."""
    same = np.arange(inputs, dtype=np.int32)[None]
    return Look(players, inputs, POINTS + leads + 2 + MAX_HAND, same, blend)


LOOK_BY: Final = "players"
LOOKS: Final = {
    "2": _look("2", INPUTS, 1, 1.0),
    "3": _look("3", INPUTS_AMONG, MAX_SEATS - 1, 1.0),
    "4": _look("4", INPUTS_AMONG, MAX_SEATS - 1, 1.0),
}


@kernel
def sketch(state: np.record, seat: int, out: npt.NDArray[np.int32]) -> int:
    """The chips that are not settled, then the lead, the tiles laid and those in the hand."""
    return _sketch_two(state, out) if state.players == 2 else _sketch_among(state, seat, out)


@kernel
def _sketch_two(state: np.record, out: npt.NDArray[np.int32]) -> int:
    count = 0
    for point in range(POINTS):
        missing = int(state.missing[point])
        if missing > 0:
            out[count] = chip_of(state, int(state.seat), point, int(state.sums[point]), missing)
            count += 1
    lead, owned = 0, 0
    for colour in range(4):
        owner = int(state.owner[colour])
        if owner != NOBODY:
            owned += 1
            lead += int(state.points[colour]) * (1 if owner == state.seat else -1)
    out[count] = _LEAD + _lead_class(lead)
    out[count + 1] = _LAID + int(state.tiles_laid)
    count = _sketch_hand(state, _HELD, count + 2, out)
    if owned == 4:
        out[count] = _PAIRED
        count += 1
    return count


@kernel
def _sketch_among(state: np.record, seat: int, out: npt.NDArray[np.int32]) -> int:
    count = 0
    for point in range(POINTS):
        missing = int(state.missing[point])
        if missing > 0:
            out[count] = chip_of(state, seat, point, int(state.sums[point]), missing)
            count += 1
    players, points = int(state.players), _points_of(state, seat)
    for turn in range(1, players):
        lead = points - _points_of(state, (seat + turn) % players)
        out[count] = _LEAD_OVER + (turn - 1) * LEADS + _lead_class(lead)
        count += 1
    wait = (seat - int(state.seat)) % players
    out[count] = _TURN + int(state.tiles_laid) * MAX_SEATS + wait
    return _sketch_hand(state, _OWN, count + 1, out) if wait == 0 else count + 1


@kernel
def _points_of(state: np.record, seat: int) -> int:
    points = 0
    for colour in range(4):
        points += int(state.points[colour]) * (state.owner[colour] == seat)
    return points


@kernel
def _lead_class(lead: int) -> int:
    return min(max((lead + 46) // 3, 0), LEADS - 1)


@kernel
def _sketch_hand(state: np.record, first: int, count: int, out: npt.NDArray[np.int32]) -> int:
    """Add the tiles of the seat to act."""
    for index in range(hand_size(state, int(state.seat))):
        out[count] = first + 6 * (state.hand > 1) + int(state.hands[state.seat, index]) // 6
        count += 1
    return count
