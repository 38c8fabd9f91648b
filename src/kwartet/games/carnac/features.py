"""Carnac as numbers, from the watching seat's side of the board."""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.features import Field
from kwartet.core.kernels import kernel
from kwartet.games.carnac.rules import (
    COLOUR,
    EMPTY,
    MAX_COLUMNS,
    MAX_ROWS,
    RED,
    SIDE_WHITE,
    SQUARES,
    STANDING,
    STONES,
    STRIDE,
    TILTING,
    WALL,
    square_of,
)

PLANES: Final = 6
FIELDS: Final = (
    Field(
        "board",
        (PLANES, MAX_ROWS, MAX_COLUMNS),
        "Planes: on the board; own colour on top; other colour on top; standing; standing with "
        "own colour on the east and west faces; the stone that may be tilted now.",
    ),
    Field("turn", (2,), "Whether the watcher is to act; whether a tilt is to be decided."),
    Field("stock", (1,), "Stones left, of 28."),
    Field("final_tilt", (1,), "Whether the 28th stone may be tilted."),
    Field("red", (1,), "Whether the watcher is red: actions name colours, not own and other."),
)


@kernel
def observe(state: np.record, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write FIELDS one after the other; a spectator watches from seat 0."""
    out[:] = 0
    own = max(seat, 0)
    for row in range(state.rows):
        for column in range(state.columns):
            square = row * MAX_COLUMNS + column
            content = int(state.cells[(row + 1) * STRIDE + column])
            if content == WALL:
                continue
            out[square] = 1
            if content == EMPTY:
                continue
            other = (content & COLOUR) - RED != own
            out[(1 + other) * SQUARES + square] = 1
            if content & STANDING:
                out[3 * SQUARES + square] = 1
                out[4 * SQUARES + square] = ((content & SIDE_WHITE) != 0) == own
    if state.phase == TILTING:
        out[5 * SQUARES + square_of(int(state.last))] = 1
    rest = PLANES * SQUARES
    out[rest] = state.seat == seat
    out[rest + 1] = state.phase == TILTING
    out[rest + 2] = state.stock / STONES
    out[rest + 3] = state.final_tilt
    out[rest + 4] = own == 0
