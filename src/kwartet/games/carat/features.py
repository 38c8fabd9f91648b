"""Carat as numbers. Colours are in the order RYBG; seats count from the watcher."""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.features import Field
from kwartet.core.kernels import kernel
from kwartet.games.carat.rules import (
    CELLS,
    MAX_HAND,
    MAX_SEATS,
    NOBODY,
    POINTS,
    TILES,
    carats_of,
    hand_size,
)

FIELDS: Final = (
    Field("chips", (7, 7), "Value of each chip that is not settled, of 5."),
    Field("missing", (7, 7), "Empty cells around each chip, of 4."),
    Field("sums", (4, 7, 7), "Carats of each colour at each chip that is not settled, of 6."),
    Field("cells", (2, 6, 6), "Planes: cells with a tile; cells where the next tile may go."),
    Field("hand", (TILES,), "1 for each tile in the watcher's hand."),
    Field("unseen", (TILES,), "1 for each tile that lies elsewhere unseen."),
    Field("hands", (MAX_SEATS,), "Tiles each seat holds, of 3."),
    Field("owners", (4, MAX_SEATS), "By colour: 1 at the seat that has it."),
    Field("points", (4,), "Points of each colour, of 100."),
    Field("turn", (MAX_SEATS,), "1 at the seat that places next."),
)


@kernel
def observe(state: np.record, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write FIELDS one after the other; a spectator counts from seat 0 and has no hand."""
    out[:] = 0
    players, first = int(state.players), max(seat, 0)
    for point in range(POINTS):
        if state.missing[point] > 0:
            out[point] = state.chips[point] / 5
            out[POINTS + point] = state.missing[point] / 4
            for colour in range(4):
                out[(2 + colour) * POINTS + point] = carats_of(int(state.sums[point]), colour) / 6
    at = 6 * POINTS
    for cell in range(CELLS):
        out[at + cell] = bits.has(state.placed, cell)
        out[at + CELLS + cell] = bits.has(state.open, cell)
    at += 2 * CELLS
    for tile in range(TILES):
        out[at + TILES + tile] = bits.has(state.stock, tile)
    for other in range(players):
        held = hand_size(state, other)
        relative = (other - first) % players
        for index in range(held):
            tile = int(state.hands[other, index])
            if tile >= 0:  # not hidden already
                out[at + (0 if other == seat else TILES) + tile] = 1
        out[at + 2 * TILES + relative] = held / MAX_HAND
    at += 2 * TILES + MAX_SEATS
    for colour in range(4):
        owner = int(state.owner[colour])
        if owner != NOBODY:
            out[at + colour * MAX_SEATS + (owner - first) % players] = 1
        out[at + 4 * MAX_SEATS + colour] = state.points[colour] / 100
    at += 4 * MAX_SEATS + 4
    out[at + (int(state.seat) - first) % players] = 1
