"""Plays of Kwatro that are tried out: laid on the field, counted and taken back.

Only the field, the jokers' cells and the list of cards laid are touched, and no state is
copied: a search asks for thousands of plays a second. The frontier is not kept up to date
meanwhile; what a cell wants is worked out where it is needed.

Who would rather keep a joker says how many points it is worth in the hand: each that is laid
takes as many from what a play brings.
"""

import numpy as np

from kwartet.core import bits
from kwartet.core.kernels import kernel
from kwartet.games.kwatro.cards import HAND, JOKER, NO_CARD, TRAITS
from kwartet.games.kwatro.frontier import frontier_rank, is_on_frontier
from kwartet.games.kwatro.knowledge import hand_size
from kwartet.games.kwatro.lines import (
    COLUMN,
    DEAD,
    LONGEST,
    NO_AXIS,
    NOWHERE,
    ROW,
    SIDE,
    completions,
    fits,
    line,
    line_worth,
    openings,
    play_points,
    run_end,
)
from kwartet.games.kwatro.rules import LAYING


@kernel
def points_with(state: np.record, cell: int, kind: int) -> int:
    """What the play would score if it ended with this card there."""
    return _try(state, cell, kind, 0, False)


@kernel
def points_from(state: np.record, cell: int, kind: int, joker: int) -> int:
    """The most that the play can bring with this card there and any more of the hand.

    That is its points, less as many as `joker` says for each joker that is laid from here on.
    """
    return _try(state, cell, kind, joker, True)


@kernel
def _try(state: np.record, cell: int, kind: int, joker: int, goes_on: bool) -> int:
    """What the play brings with a card there, alone or with more. Leaves the state as it was."""
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
        points = _best_points(state, held, 1 << index, joker) - joker * (kind == JOKER)
    else:
        points = play_points(state, state.pile == 0 and held == 1)
    _take_back(state)
    state.laid[0], state.laid[1] = first, second
    state.laid[2], state.laid[3] = third, fourth
    state.laid_count, state.axis = count, axis
    return points


@kernel
def best_play(state: np.record, seat: int, joker: int) -> tuple[int, int, int]:
    """The most that a play by that seat brings at the start of a turn, and a card it begins with.

    Returns points, less as many as `joker` says for each joker laid, frontier rank and kind; 0
    points if no play brings any. Of the cards of a play that touch the field as it was, the one
    furthest to the west or north is tried as the first, so each play is counted once.
    """
    most, best_rank, best_kind = 0, 0, 0
    held = hand_size(state, seat)
    ends = state.pile == 0 and held == 1
    for rank in range(state.frontier_size):
        cell, wanted = int(state.frontier[rank]), int(state.wanted[rank])
        for index in range(held):
            card = int(state.hands[seat, index])
            if not fits(state, cell, wanted, card):
                continue
            _put(state, cell, card)
            row, row_sum = line_worth(state, cell, ROW)
            column, column_sum = line_worth(state, cell, COLUMN)
            fours = (row == LONGEST) + (column == LONGEST)
            points = (row_sum + column_sum) << (fours + ends)
            for axis in range(2):
                crossing = column_sum if axis == ROW else row_sum
                fours = int((column if axis == ROW else row) == LONGEST)
                more = _longer(state, seat, cell, axis, 0, 1 << index, crossing, fours, joker)
                points = max(points, more)
            points -= joker * (card >= JOKER)
            _remove(state, cell, card)
            if points > most:
                most, best_rank, best_kind = points, rank, min(card, JOKER)
    return most, best_rank, best_kind


@kernel
def _longer(
    state: np.record,
    seat: int,
    first: int,
    axis: int,
    way: int,
    used: int,
    crossing: int,
    fours: int,
    joker: int,
) -> int:
    """The most that a play along an axis brings with more of the hand than those `used` (bits).

    It grows from `first` that way, then the other, there without cards that touch the field as
    it was. The lines that cross it have a sum of `crossing` so far, and `fours` are of four.
    """
    length, known, seen, _ = line(state, first, axis, NOWHERE, NO_CARD)
    held = hand_size(state, seat)
    suits = _suiting(state, seat, held, completions(known, seen)) & ~used
    if length == LONGEST or suits == 0:
        return 0
    laid = bits.size(np.uint64(used)) + 1
    doublings = (laid == HAND) + (state.pile == 0 and laid == held)
    most = 0
    for side in range(way, 2):
        cell = run_end(state, first, 2 * axis + side)
        if side == 1 and is_on_frontier(state, cell, frontier_rank(state, cell)):
            continue
        wanted = openings(state, cell)
        if wanted == DEAD:
            continue
        for index in range(held):
            card = int(state.hands[seat, index])
            if (suits >> index) & 1 == 0 or not fits(state, cell, wanted, card):
                continue
            _put(state, cell, card)
            length, worth = line_worth(state, cell, axis)
            cross, cross_sum = line_worth(state, cell, 1 - axis)
            sums, more = crossing + cross_sum, fours + (cross == LONGEST)
            points = (worth + sums) << (doublings + more + (length == LONGEST))
            now = used | 1 << index
            longer = _longer(state, seat, first, axis, side, now, sums, more, joker)
            most = max(most, max(points, longer) - joker * (card >= JOKER))
            _remove(state, cell, card)
    return most


@kernel
def _suiting(state: np.record, seat: int, held: int, traits: int) -> int:
    """The cards of a hand, by index (bits), that have no other traits; jokers among them."""
    chosen = 0
    for index in range(held):
        card = int(state.hands[seat, index])
        if card >= JOKER or TRAITS[card] & ~traits == 0:
            chosen |= 1 << index
    return chosen


@kernel
def _best_points(state: np.record, held: int, used: int, joker: int) -> int:
    """The most that the cards laid and any more of the hand bring, without those `used` (bits)."""
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
                more = _best_points(state, held, used | 1 << index, joker)
                best = max(best, more - joker * (card >= JOKER))
                _take_back(state)
    return best


@kernel
def _lay(state: np.record, cell: int, card: int) -> None:
    """Lay a card and list it among this play's."""
    if state.laid_count == 1:
        state.axis = ROW if cell // SIDE == state.laid[0] // SIDE else COLUMN
    state.laid[state.laid_count] = cell
    state.laid_count += 1
    _put(state, cell, card)


@kernel
def _take_back(state: np.record) -> None:
    """Take the card laid last from the field."""
    left = int(state.laid_count) - 1
    state.laid_count = left
    if left <= 1:
        state.axis = NO_AXIS
    cell = int(state.laid[left])
    _remove(state, cell, int(state.field[cell]) - 1)


@kernel
def _put(state: np.record, cell: int, card: int) -> None:
    state.field[cell] = card + 1
    if card >= JOKER:
        state.joker_cells[card - JOKER] = cell


@kernel
def _remove(state: np.record, cell: int, card: int) -> None:
    state.field[cell] = 0
    if card >= JOKER:
        state.joker_cells[card - JOKER] = NOWHERE
