"""Connect four: drop a disc into a column that is not full; four in a row win.

The board lies in a frame of empty cells with a fixed stride, so that looking along
a row, column or diagonal never needs a check for the edge.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.core.chance import Generator, below
from kwartet.core.kernels import kernel, record_dtype
from kwartet.core.verbs import OVER

COLUMNS, ROWS = 7, 6
STRIDE: Final = COLUMNS + 1  # a column of frame between the rows
CELLS: Final = (ROWS + 2) * STRIDE + 1
EMPTY: Final = 0  # else seat + 1
NOBODY: Final = -1

ACTIONS: Final = COLUMNS  # an action is a column
CHANCE_ACTIONS: Final = 0
SECRETS: Final = False
MAX_LEGAL: Final = COLUMNS
MAX_ACTIONS: Final = COLUMNS * ROWS

STATE: Final = record_dtype(
    ("cells", np.int8, (CELLS,)),  # rows from the bottom, see `cell_of`
    ("heights", np.int8, (COLUMNS,)),
    ("discs", np.int8),
    ("seat", np.int8),  # to act
    ("winner", np.int8),  # or NOBODY
)


def start(options: dict[str, Any]) -> npt.NDArray[np.void]:
    """The empty board."""
    states = np.zeros(1, STATE)
    states[0].winner = NOBODY
    return states


@kernel
def cell_of(row: int, column: int) -> int:
    """The framed board's cell; row 0 is the bottom."""
    return (row + 1) * STRIDE + column + 1


@kernel
def seats(state: np.record) -> int:
    """Always two."""
    return 2


@kernel
def actor(state: np.record) -> int:
    """The seat to act, or OVER."""
    if state.winner != NOBODY or state.discs == MAX_ACTIONS:
        return OVER
    return int(state.seat)


@kernel
def legal_actions(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """The columns that are not full."""
    count = 0
    for column in range(COLUMNS):
        if state.heights[column] < ROWS:
            out[count] = column
            count += 1
    return count


@kernel
def random_action(state: np.record, rng: Generator) -> int:
    """A uniform column that is not full."""
    while True:
        column = below(rng, COLUMNS)
        if state.heights[column] < ROWS:
            return column


@kernel
def chance_weight(state: np.record, action: int) -> int:
    """There is no chance in connect four."""
    return 0


@kernel
def apply(state: np.record, action: int) -> None:
    """Drop the seat's disc into the column."""
    cell = cell_of(int(state.heights[action]), action)
    state.cells[cell] = state.seat + 1
    state.heights[action] += 1
    state.discs += 1
    if _has_four(state, cell):
        state.winner = state.seat
    state.seat = 1 - state.seat


@kernel
def _has_four(state: np.record, cell: int) -> bool:
    """Whether the disc there is one of four in a row."""
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):
        length = 1
        for way in (-step, step):
            there = cell + way
            while state.cells[there] == state.cells[cell]:
                length += 1
                there += way
        if length >= 4:
            return True
    return False


@kernel
def scores(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """1 for the seat that has won, else 0."""
    for seat in range(2):
        out[seat] = state.winner == seat


@kernel
def winners(state: np.record, out: npt.NDArray[np.int8]) -> None:
    """The seat with four in a row; both on a full board without."""
    for seat in range(2):
        out[seat] = state.winner == seat or state.winner == NOBODY


@kernel
def redact(state: np.record, seat: int) -> None:
    """Everything lies open."""


@kernel
def determinize(state: np.record, seat: int, rng: Generator) -> None:
    """Everything lies open."""
