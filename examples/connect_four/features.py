"""Connect four as numbers, from the watching seat's side."""

from typing import Final

import numpy as np
import numpy.typing as npt

from examples.connect_four.rules import COLUMNS, ROWS, cell_of
from kwartet import Field, kernel

FIELDS: Final = (
    Field("board", (2, ROWS, COLUMNS), "Planes: own discs; the other's. Rows from the bottom."),
    Field("turn", (1,), "Whether the watcher is to act."),
)
CELLS: Final = ROWS * COLUMNS
HALF: Final = 28  # bits: the first four columns. Halves of 32 bits are looked at many at a time.
_BITS: Final = np.array([cell_of(row, column) for row in range(ROWS) for column in range(COLUMNS)])
LOW: Final = (_BITS & ((1 << HALF) - 1)).astype(np.int32)
HIGH: Final = (_BITS >> HALF).astype(np.int32)


@kernel
def observe(state: np.record, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write FIELDS one after the other; a spectator watches from seat 0."""
    own = max(seat, 0)
    for plane in range(2):
        discs = int(state.discs[own if plane == 0 else 1 - own])
        low, high = np.int32(discs & ((1 << HALF) - 1)), np.int32(discs >> HALF)
        for cell in range(CELLS):
            out[plane * CELLS + cell] = (low & LOW[cell] | high & HIGH[cell]) != np.int32(0)
    out[2 * CELLS] = state.seat == seat
