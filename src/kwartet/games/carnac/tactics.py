"""What a search should know about Carnac: which stones are alike, and what a stone does.

A stone's square joins the groups of its colour beside it. What that makes of the dolmens
is a *change*, ordered from bad to good for the seat to act. A placement is described by the
change if it stands, by the worst change that a tilt can make of it, and by both together;
a tilt by the change that it makes. The game has three phases, each with its own features.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.kernels import kernel
from kwartet.core.tactics import Thresholds, Tuning
from kwartet.games.carnac.rules import (
    CELLS,
    COLOUR,
    DOLMEN,
    EMPTY,
    MAX_GROUPS,
    PLACING,
    RED,
    SIDE_WHITE,
    SIZE,
    STAND,
    STEPS,
    STRIDE,
    TILT,
    cell_of,
    find_groups,
    legal_actions,
    root,
)

MARGIN: Final = 1.0  # dolmens
LEVELS: Final[Mapping[str, Tuning]] = {
    "casual": {"attention": 0.6},
    "expert": {"simulations": 10_000},
    "master": {"simulations": 100_000},
}
# 3, 10 and 25 % of the chance to win
VERDICTS: Final = Thresholds(win=(0.06, 0.2, 0.5), points=(0.3, 1.0, 4.0), shown="win")
PRACTICE: Final = ({"board": "small"}, {"board": "medium"}, {"board": "large"})
NOTES: Final = CELLS + MAX_GROUPS  # group of each cell, size of each group

# Changes, from bad to good for the seat to act: what becomes of its dolmens, or of the other's.
OWN_MERGED_TWICE, OWN_MERGED, OTHER_MADE, OTHER_GREW, OTHER_PAIR, OTHER_LONE = range(6)
OWN_LONE, OWN_PAIR, OWN_GREW, OWN_MADE, OTHER_MERGED, OTHER_MERGED_TWICE = range(6, 12)
CHANGES: Final = 12
NO_TILT: Final = CHANGES  # in place of the worst change: the stone cannot fall

PHASES: Final = 3
_STANDS: Final = 0
_FALLS: Final = _STANDS + CHANGES
_BOTH: Final = _FALLS + CHANGES + 1
_TILTS: Final = _BOTH + CHANGES * (CHANGES + 1)
_SPACE: Final = _TILTS + 5 * 2
_RIVAL: Final = _SPACE + 5 * 2
_TILTED: Final = _RIVAL + 4 * 2
_LEFT: Final = _TILTED + CHANGES
_SLOTS: Final = _LEFT + CHANGES
FEATURES: Final = PHASES * _SLOTS
MAX_FEATURES: Final = 8


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


@kernel
def survey(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """Note each cell's group and each group's size, without the stone that may be tilted now."""
    labels = np.zeros(CELLS, np.uint8)
    groups = np.empty((MAX_GROUPS, 3), np.uint8)
    last = int(state.last)
    content = state.cells[last]
    if state.phase != PLACING:
        state.cells[last] = EMPTY
    count = find_groups(state, labels, groups)
    state.cells[last] = content
    for row in range(1, state.rows + 1):
        for cell in range(row * STRIDE, row * STRIDE + state.columns):
            out[cell] = root(groups, int(labels[cell])) if labels[cell] > 0 else 0
    for number in range(1, count + 1):
        out[CELLS + number] = groups[number, SIZE]


@kernel
def change(
    state: np.record, notes: npt.NDArray[np.int32], colour: int, cell: int, second: int
) -> int:
    """What squares of a colour on one cell, or on two beside each other, do to the dolmens."""
    joined = np.uint64(0)  # groups, as bits
    squares = 1 + (second > 0)
    size, dolmens = squares, 0
    for square in range(squares):
        here = second if square else cell
        for direction in range(4):
            there = here + int(STEPS[direction])
            content = state.cells[there]
            number = int(notes[there])  # 0: the stone that is being tilted
            joins = content > EMPTY and content & COLOUR == colour and number > 0
            if joins and not bits.has(joined, number):
                joined |= bits.bit(number)
                size += int(notes[CELLS + number])
                dolmens += notes[CELLS + number] >= DOLMEN
    own = colour - RED == state.seat
    if dolmens >= 3:
        return OWN_MERGED_TWICE if own else OTHER_MERGED_TWICE
    if dolmens == 2:
        return OWN_MERGED if own else OTHER_MERGED
    if dolmens == 1:
        return OWN_GREW if own else OTHER_GREW
    if size >= DOLMEN:
        return OWN_MADE if own else OTHER_MADE
    if size == 2:
        return OWN_PAIR if own else OTHER_PAIR
    return OWN_LONE if own else OTHER_LONE


@kernel
def fallen(
    state: np.record, notes: npt.NDArray[np.int32], cell: int, direction: int, side_white: int
) -> int:
    """The change if a stone on this cell falls that way."""
    step = int(STEPS[direction])
    colour = RED + (side_white if direction & 1 else 1 - side_white)
    return change(state, notes, colour, cell + step, cell + 2 * step)


@kernel
def describe(
    state: np.record, action: int, notes: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    """The features of a placement or of a tilt, in the phase the match is in."""
    stones = int(state.stock)
    phase = _SLOTS * (0 if stones > 18 else 1 if stones > 9 else 2)
    if action >= TILT:
        out[0] = phase + _describe_tilt(state, action, notes)
        return 1
    cell = cell_of(action >> 2)
    colour, side_white = RED + ((action >> 1) & 1), action & 1
    own = colour - RED == state.seat
    stands = change(state, notes, colour, cell, 0)
    worst, tilts = NO_TILT, 0
    if stones > 1 or state.final_tilt:
        for direction in range(4):
            if _has_room(state, cell, direction):
                tilts += 1
                worst = min(worst, fallen(state, notes, cell, direction, side_white))
    space, rivals = 0, 0
    for direction in range(4):
        content = state.cells[cell + int(STEPS[direction])]
        space += content == EMPTY
        rivals += content > EMPTY and content & COLOUR != colour
    out[0] = phase + _STANDS + stands
    out[1] = phase + _FALLS + worst
    out[2] = phase + _BOTH + stands * (CHANGES + 1) + worst
    out[3] = phase + _TILTS + tilts * 2 + own
    out[4] = phase + _SPACE + space * 2 + own
    out[5] = phase + _RIVAL + min(rivals, 3) * 2 + own
    return 6


@kernel
def _describe_tilt(state: np.record, action: int, notes: npt.NDArray[np.int32]) -> int:
    cell = int(state.last)
    content = int(state.cells[cell])
    if action == STAND:
        return _LEFT + change(state, notes, content & COLOUR, cell, 0)
    side_white = 1 if content & SIDE_WHITE else 0
    return _TILTED + fallen(state, notes, cell, action - TILT, side_white)
