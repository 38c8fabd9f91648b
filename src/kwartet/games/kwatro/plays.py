"""Plays of Kwatro that are tried out: laid on the field, counted and taken back.

Only the field, the jokers' cells and the list of cards laid are touched, and no state is
copied: a search asks for thousands of plays a second. The frontier is not kept up to date
meanwhile; what a cell wants is worked out where it is needed.
"""

import numpy as np

from kwartet.core import bits
from kwartet.core.kernels import kernel
from kwartet.games.kwatro.cards import JOKER
from kwartet.games.kwatro.knowledge import hand_size
from kwartet.games.kwatro.lines import (
    COLUMN,
    DEAD,
    NO_AXIS,
    NOWHERE,
    ROW,
    SIDE,
    fits,
    openings,
    play_points,
    run_end,
)
from kwartet.games.kwatro.rules import LAYING


@kernel
def points_with(state: np.record, cell: int, kind: int) -> int:
    """What the play would score if it ended with this card there."""
    return _try(state, cell, kind, False)


@kernel
def points_from(state: np.record, cell: int, kind: int) -> int:
    """The most that the play can score with this card there and any more of the hand."""
    return _try(state, cell, kind, True)


@kernel
def _try(state: np.record, cell: int, kind: int, goes_on: bool) -> int:
    """What the play scores with a card there, alone or with more. Leaves the state as it was."""
    first, second = int(state.laid[0]), int(state.laid[1])
    third, fourth = int(state.laid[2]), int(state.laid[3])
    count, axis = int(state.laid_count), int(state.axis)
    if state.phase != LAYING:  # these are of the last play
        state.laid_count = 0
        state.axis = NO_AXIS
    index = 0
    while min(int(state.hands[state.seat, index]), JOKER) != kind:
        index += 1
    held = hand_size(state, int(state.seat))
    _lay(state, cell, int(state.hands[state.seat, index]))
    if goes_on:
        points = _best_points(state, held, 1 << index)
    else:
        points = play_points(state, state.pile == 0 and held == 1)
    _take_back(state)
    state.laid[0], state.laid[1] = first, second
    state.laid[2], state.laid[3] = third, fourth
    state.laid_count, state.axis = count, axis
    return points


@kernel
def _best_points(state: np.record, held: int, used: int) -> int:
    """The most points of the cards laid and any more of the hand, without those `used` (bits)."""
    left = held - bits.size(np.uint64(used))
    best = play_points(state, state.pile == 0 and left == 0)
    if left == 0:
        return best
    first, axis = int(state.laid[0]), int(state.axis)
    for number in range(4 if axis == NO_AXIS else 2):
        cell = run_end(state, first, number if axis == NO_AXIS else 2 * axis + number)
        wanted = openings(state, cell)
        if wanted == DEAD:
            continue
        for index in range(held):
            card = int(state.hands[state.seat, index])
            if (used >> index) & 1 == 0 and fits(state, cell, wanted, card):
                _lay(state, cell, card)
                best = max(best, _best_points(state, held, used | 1 << index))
                _take_back(state)
    return best


@kernel
def _lay(state: np.record, cell: int, card: int) -> None:
    if state.laid_count == 1:
        state.axis = ROW if cell // SIDE == state.laid[0] // SIDE else COLUMN
    state.laid[state.laid_count] = cell
    state.laid_count += 1
    state.field[cell] = card + 1
    if card >= JOKER:
        state.joker_cells[card - JOKER] = cell


@kernel
def _take_back(state: np.record) -> None:
    """Take the card laid last from the field."""
    left = int(state.laid_count) - 1
    state.laid_count = left
    if left <= 1:
        state.axis = NO_AXIS
    cell = int(state.laid[left])
    card = int(state.field[cell]) - 1
    state.field[cell] = 0
    if card >= JOKER:
        state.joker_cells[card - JOKER] = NOWHERE
