"""Kwatro's field: its lines, what fits where, and what a play scores.

§ points into docs/games/kwatro.md. The field is a torus of 64 × 64 cells, wider
than any field can grow. Questions of the form "what if this card lay there" take
the cell and the card along and never touch the state.
"""

from typing import Final

import numpy as np

from kwartet.core.kernels import kernel
from kwartet.games.kwatro.cards import ALL_TRAITS, HAND, JOKER, NO_CARD, POPULATION, TRAITS

SIDE: Final = 64
CELLS: Final = SIDE * SIDE
LONGEST: Final = 4
NOWHERE: Final = -1  # no cell

EAST, WEST, SOUTH, NORTH = range(4)
ROW, COLUMN = range(2)  # axis of the directions 2 · axis and 2 · axis + 1
NO_AXIS: Final = -1

DEAD: Final = -1  # an empty cell where a card would make a line too long
BY_JOKER: Final = ALL_TRAITS + 1

_BOTH: Final = 3  # both jokers' bits


@kernel
def beside(cell: int, direction: int) -> int:
    """The neighbouring cell in that direction."""
    if direction < SOUTH:
        step = 1 if direction == EAST else SIDE - 1
        return (cell & ~(SIDE - 1)) | ((cell + step) & (SIDE - 1))
    step = SIDE if direction == SOUTH else CELLS - SIDE
    return (cell + step) & (CELLS - 1)


@kernel
def card_at(state: np.record, cell: int) -> int:
    """The card that lies there, or NO_CARD."""
    return int(state.field[cell]) - 1


@kernel
def line(state: np.record, cell: int, axis: int, at: int, card: int) -> tuple[int, int, int, int]:
    """The run of cards through `cell`, as if `card` lay at the cell `at`.

    Returns its length (LONGEST + 1 stands for anything longer), how many of them
    are not jokers, their traits joined, and the bits of the jokers among them.
    """
    length, known, seen, jokers = 0, 0, 0, 0
    for way in range(2):
        here = cell if way == 0 else beside(cell, 2 * axis + 1)
        while length <= LONGEST:
            content = card if here == at else card_at(state, here)
            if content == NO_CARD:
                break
            length += 1
            if content >= JOKER:
                jokers |= 1 << (content - JOKER)
            else:
                known += 1
                seen |= TRAITS[content]
            here = beside(here, 2 * axis + way)
    return length, known, seen, jokers


@kernel
def is_line(known: int, seen: int) -> bool:
    """Whether each property of these cards is all equal or all different."""
    for shift in range(0, 12, 4):
        values = POPULATION[(seen >> shift) & 15]
        if values > 1 and values != known:
            return False
    return True


@kernel
def openings(state: np.record, cell: int) -> int:
    """What an empty cell wants: the traits a card there may have, or DEAD.

    The bit BY_JOKER says that a joker is in its lines: then the jokers must agree, too.
    """
    wanted, touched = ALL_TRAITS, 0
    for axis in range(2):
        length, known, seen, _ = line(state, cell, axis, cell, JOKER)
        if length > LONGEST:
            return DEAD
        wanted &= completions(known, seen)
        touched |= length - known - 1  # jokers but the one that was only supposed
    return wanted | BY_JOKER if touched else wanted


@kernel
def fits(state: np.record, cell: int, wanted: int, card: int) -> bool:
    """Whether the field is legal with `card` at an empty cell with these openings. §Lines"""
    if card >= JOKER:
        return jokers_agree(state, cell, card)
    if TRAITS[card] & ~wanted != 0:
        return False
    return wanted & BY_JOKER == 0 or jokers_agree(state, cell, card)


@kernel
def fits_for_joker(state: np.record, cell: int, card: int) -> bool:
    """Whether the field stays legal when `card` takes the place of the joker at `cell`."""
    for axis in range(2):
        _, known, seen, _ = line(state, cell, axis, cell, card)
        if not is_line(known, seen):
            return False
    return jokers_agree(state, cell, card)


@kernel
def jokers_agree(state: np.record, at: int, card: int) -> bool:
    """Whether some cards for the jokers make all their lines right at once.

    The properties do not interact, so each is checked on its own, but the jokers
    do when they share a line: then their values are looked at in pairs.
    """
    first = _joker_cell(state, 0, at, card)
    second = _joker_cell(state, 1, at, card)
    choices = ALL_TRAITS
    others = ALL_TRAITS
    shared, shared_known, shared_seen = False, 0, 0
    for axis in range(2):
        if first != NOWHERE:
            _, known, seen, jokers = line(state, first, axis, at, card)
            if jokers == _BOTH:
                shared, shared_known, shared_seen = True, known, seen
            else:
                choices &= completions(known, seen)
        if second != NOWHERE:
            _, known, seen, jokers = line(state, second, axis, at, card)
            if jokers != _BOTH:
                others &= completions(known, seen)
    for shift in range(0, 12, 4):
        a, b, seen = (choices >> shift) & 15, (others >> shift) & 15, (shared_seen >> shift) & 15
        if a == 0 or b == 0 or (shared and not _pair_exists(a, b, shared_known, seen)):
            return False
    return True


@kernel
def _joker_cell(state: np.record, joker: int, at: int, card: int) -> int:
    """Where that joker lies with `card` at `at`, or NOWHERE."""
    if card == JOKER + joker:
        return at
    cell = int(state.joker_cells[joker])
    return NOWHERE if cell == at else cell


@kernel
def completions(known: int, seen: int) -> int:
    """The traits that one more card may have in a line of these."""
    if known <= 1:
        return ALL_TRAITS
    allowed = 0
    for shift in range(0, 12, 4):
        values = (seen >> shift) & 15
        if POPULATION[values] == 1:
            allowed |= values << shift
        elif POPULATION[values] == known:
            allowed |= (15 & ~values) << shift
    return allowed


@kernel
def _pair_exists(a: int, b: int, known: int, seen: int) -> bool:
    """Whether two jokers in one line can take values from `a` and `b` for one property."""
    for first in range(4):
        for second in range(4):
            if (a >> first) & 1 and (b >> second) & 1:
                values = seen | 1 << first | 1 << second
                if POPULATION[values] == 1 or POPULATION[values] == known + 2:
                    return True
    return False


@kernel
def run_end(state: np.record, cell: int, direction: int) -> int:
    """The first empty cell from a card in that direction."""
    here = cell
    while card_at(state, here) != NO_CARD:
        here = beside(here, direction)
    return here


@kernel
def play_points(state: np.record, ends_the_match: bool) -> int:
    """What the cards laid this turn score. §Score of a play"""
    points = 0
    doublings = 0
    for index in range(state.laid_count):
        for axis in range(2):
            if axis == state.axis and index > 0:
                continue  # the line that all of them share
            length, worth = line_worth(state, int(state.laid[index]), axis)
            points += worth
            doublings += length == LONGEST
    doublings += state.laid_count == HAND
    doublings += ends_the_match
    return points << doublings


@kernel
def line_sum(state: np.record, index: int, axis: int) -> int:
    """The sum of a line of this play, by card laid; -1 if there is none or it was told before."""
    length, worth = line_worth(state, int(state.laid[index]), axis)
    return -1 if length == 0 or (axis == state.axis and index > 0) else worth


@kernel
def line_worth(state: np.record, cell: int, axis: int) -> tuple[int, int]:
    """Length and sum of the numbers of the line through a card; nothing if it is alone."""
    length, worth = 0, 0
    for way in range(2):
        here = cell if way == 0 else beside(cell, 2 * axis + 1)
        while card_at(state, here) != NO_CARD:
            card = card_at(state, here)
            length += 1
            if card < JOKER:
                worth += card % 4 + 1
            here = beside(here, 2 * axis + way)
    return (length, worth) if length > 1 else (0, 0)
