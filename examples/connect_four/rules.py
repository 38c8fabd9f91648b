"""Connect four: drop a disc into a column that is not full; four in a row win.

Each seat's discs are the bits of one number, column after column from the bottom. One
bit on top of each column stays empty, so that looking along a row, column or diagonal
never needs a check for the edge.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet import OVER, Generator, Options, below, kernel, record_dtype

COLUMNS, ROWS = 7, 6
STRIDE: Final = ROWS + 1  # bits of a column, the empty one included
COLUMN: Final = (1 << ROWS) - 1  # the cells of the first column
FULL: Final = sum(COLUMN << column * STRIDE for column in range(COLUMNS))
NOBODY: Final = -1

ACTIONS: Final = COLUMNS  # an action is a column
CHANCE_ACTIONS: Final = 0
SECRETS: Final = False
MAX_LEGAL: Final = COLUMNS
MAX_ACTIONS: Final = COLUMNS * ROWS

STATE: Final = record_dtype(
    ("discs", np.int64, (2,)),  # of each seat; for the bits see `cell_of`
    ("seat", np.int8),  # to act, or OVER
    ("winner", np.int8),  # or NOBODY
)


def start(options: Options) -> npt.NDArray[np.void]:
    """The empty board."""
    states = np.zeros(1, STATE)
    states[0].winner = NOBODY
    return states


@kernel
def cell_of(row: int, column: int) -> int:
    """The cell's bit; row 0 is the bottom."""
    return 1 << (column * STRIDE + row)


@kernel
def landing(state: np.record, column: int) -> int:
    """The bit of the column's lowest empty cell; 0 if it is full."""
    discs = state.discs[0] | state.discs[1]
    return (discs + cell_of(0, column)) & (COLUMN << (column * STRIDE))


@kernel
def seats(state: np.record) -> int:
    """Always two."""
    return 2


@kernel
def actor(state: np.record) -> int:
    """The seat to act, or OVER."""
    return int(state.seat)


@kernel
def legal_actions(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """The columns that are not full."""
    count = 0
    for column in range(COLUMNS):
        if landing(state, column):
            out[count] = column
            count += 1
    return count


@kernel
def random_action(state: np.record, rng: Generator) -> int:
    """A uniform column that is not full."""
    while True:
        column = below(rng, COLUMNS)
        if landing(state, column):
            return column


@kernel
def chance_weight(state: np.record, action: int) -> int:
    """There is no chance in connect four."""
    return 0


@kernel
def apply(state: np.record, action: int) -> None:
    """Drop the seat's disc into the column."""
    seat = int(state.seat)
    state.discs[seat] |= landing(state, action)
    if has_four(int(state.discs[seat])):
        state.winner = seat
        state.seat = OVER
    elif state.discs[0] | state.discs[1] == FULL:
        state.seat = OVER
    else:
        state.seat = 1 - seat


@kernel
def has_four(discs: int) -> bool:
    """Whether four of the discs lie in a row."""
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):
        pairs = discs & (discs >> step)
        if pairs & (pairs >> 2 * step):
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
