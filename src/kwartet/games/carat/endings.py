"""The end of a Carat match as a match without secrets.

Hands of one tile: a tile is drawn after its owner has placed, so until its owner's next turn
no decision depends on it, and nobody has learned anything of it but what all have seen. To
everybody the tile of whoever acts next is any of those unseen, each as likely. So a match in
which a seat draws when its turn begins, from all tiles not placed, is worth the same to all,
placement by placement. Hands of three tiles are kept over turns and are told by what is placed;
there only two seats know everything, once the stock is empty.

What becomes of the rest depends on the cells and tiles that are left, the sums at the chips
that are not settled, the lead and whose turn it is; how a board came about does not count.
"""

from typing import Final

import numpy as np

from kwartet.core import bits, digest
from kwartet.core.digest import Digest
from kwartet.core.kernels import kernel
from kwartet.games.carat.rules import (
    HIDDEN,
    MAX_HAND,
    NO_TILE,
    NOBODY,
    POINTS,
    TILES,
    apply,
)

# Positions that working it out takes, by tiles to be placed: where tiles are still drawn, by two
# seats or by more, and where all hands are open.
DRAWN: Final = np.array((0, 4, 50, 500, 4_500, 300_000, 20_000_000))
DRAWN_BY_MORE: Final = np.array((0, 4, 100, 1_000, 12_000, 500_000, 40_000_000))
OPEN: Final = np.array((0, 4, 30, 150, 800, 4_000, 50_000))


@kernel
def unveil(state: np.record, seat: int) -> int:
    """A match in which the others draw when their turn begins, or one with open hands."""
    left = TILES - int(state.tiles_laid)
    if left >= len(DRAWN):
        return 0
    if state.hand == 1:
        for other in range(state.players):
            if other != seat:
                state.hands[other, 0] = NO_TILE
        return int(DRAWN[left] if state.players == 2 else DRAWN_BY_MORE[left])
    other = 1 - seat
    hidden = 0
    for index in range(MAX_HAND):
        hidden += state.hands[other, index] == HIDDEN
    if state.players != 2 or hidden != bits.size(state.stock):
        return 0
    for index in range(hidden):
        state.hands[other, index] = bits.nth(state.stock, index)
    state.stock = np.uint64(0)
    return int(OPEN[left])


@kernel
def proceed(state: np.record, action: int) -> None:
    """As the rules say, but the seat to act next draws."""
    apply(state, action)
    if state.due != NOBODY:
        state.due = state.seat


@kernel
def identify(state: np.record, out: Digest) -> None:
    """The cells, tiles and chips that are left, hands, lead and turn."""
    digest.begin(out)
    digest.absorb(out, state.placed)
    digest.absorb(out, state.stock)
    others = 0
    for seat in range(state.players):
        for index in range(state.hand):
            others = 64 * others + int(state.hands[seat, index]) + 1
        if seat == 1 or seat == 3:
            digest.absorb(out, np.uint64(others))
            others = 0
    digest.absorb(out, np.uint64(others * 8 + state.seat * 2 + (state.due != NOBODY)))
    lead = 0
    first = 0
    for seat in range(state.players):
        points = 0
        for colour in range(4):
            if state.owner[colour] == seat:
                points += int(state.points[colour])
        if seat == 0:
            first = points
        lead = 4096 * lead + points - first + 2048
    digest.absorb(out, np.uint64(lead))
    for point in range(POINTS):
        if state.missing[point] > 0:
            digest.absorb(out, np.uint64(state.sums[point]))
