"""The end of a Kwatro match as a match without secrets: two seats, and no pile.

Then the other's hand is all cards that one does not see. With more seats, or a pile, hands
are hidden and tell by what is played, so nothing is exact there.

What becomes of the rest depends on the field, the hands, the lead, passes and whose turn it is;
of cards laid this turn the set counts, not the order. The two jokers are alike.
"""

from typing import Final

import numpy as np

from kwartet.core import digest
from kwartet.core.digest import Digest
from kwartet.core.kernels import kernel
from kwartet.games.kwatro.cards import HAND, JOKER, TOKENS
from kwartet.games.kwatro.knowledge import determinize, hand_size
from kwartet.games.kwatro.lines import SIDE
from kwartet.games.kwatro.rules import LAYING, TURN

# Positions that working it out takes, by the cards in both hands.
POSITIONS: Final = np.array((0, 5, 20, 100, 300, 900, 20_000, 100_000, 800_000))

_LAST: Final = SIDE - 1


@kernel
def unveil(state: np.record, seat: int) -> int:
    """The other hand as it must be."""
    if state.players != 2 or state.pile > 0 or state.phase < TURN:
        return 0
    determinize(state, seat, np.zeros(1, np.uint64))
    state.traced[:] = 0  # nobody need keep track any more
    return int(POSITIONS[hand_size(state, 0) + hand_size(state, 1)])


@kernel
def identify(state: np.record, out: Digest) -> None:
    """The field, what was laid this turn, the hands, lead, passes and turn."""
    digest.begin(out)
    held = 0
    for seat in range(2):
        hand = 0
        for index in range(HAND):
            hand = 128 * hand + min(int(state.hands[seat, index]), JOKER) + 1
        held += hand_size(state, seat)
        digest.absorb(out, np.uint64(hand))
    lead = int(state.points[0]) - int(state.points[1]) + (1 << 20)
    turn = (lead * 4 + int(state.passes)) * 2 + int(state.seat)
    digest.absorb(out, np.uint64(turn * 2 + (state.phase == LAYING)))
    if state.phase == LAYING:
        _absorb_laid(state, out)
    left = TOKENS - held
    west, row = int(state.west), int(state.north)
    while left > 0:
        first = (row & _LAST) * SIDE
        for place in range(SIDE):
            card = int(state.field[first + ((west + place) & _LAST)])
            if card > 0:
                kind = min(card, JOKER + 1)
                digest.absorb(out, np.uint64((kind * SIDE + place) * SIDE + row - state.north))
                left -= 1
                if left == 0:
                    break
        row += 1


@kernel
def _absorb_laid(state: np.record, out: Digest) -> None:
    """The cells of this turn's cards, from the first one on the field."""
    before = -1
    for _ in range(state.laid_count):
        cell = 1 << 30
        for index in range(state.laid_count):
            if before < state.laid[index] < cell:
                cell = int(state.laid[index])
        digest.absorb(out, np.uint64(cell))
        before = cell
