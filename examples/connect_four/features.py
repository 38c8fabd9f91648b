"""Connect four as numbers, from the watching seat's side."""

from typing import Final

import numpy as np
import numpy.typing as npt

from examples.connect_four.rules import COLUMNS, ROWS, STRIDE
from kwartet.core.features import Field
from kwartet.core.kernels import kernel

FIELDS: Final = (
    Field("board", (2, ROWS, COLUMNS), "Planes: own discs; the other's. Rows from the bottom."),
    Field("turn", (1,), "Whether the watcher is to act."),
)


@kernel
def observe(state: np.record, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write FIELDS one after the other; a spectator watches from seat 0."""
    own = max(seat, 0)
    for plane in range(2):
        discs = int(state.discs[own if plane == 0 else 1 - own])
        for row in range(ROWS):
            for column in range(COLUMNS):
                # Without a branch, and narrow before it becomes a float: this is hot.
                disc = np.int32((discs >> (column * STRIDE + row)) & 1)
                out[(plane * ROWS + row) * COLUMNS + column] = disc
    out[2 * ROWS * COLUMNS] = state.seat == seat
