"""Carnac: place a stone, tilt it or let it stand; more dolmens win.

§ points into docs/games/carnac.md. The board lies in a frame of walls with a
fixed stride, so that a neighbour is one addition away and needs no check, and the
empty cells are also kept as an unordered list, so that a random one is one look-up.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.chance import Generator, below
from kwartet.core.game import Options
from kwartet.core.kernels import kernel, record_dtype
from kwartet.core.verbs import OVER

BOARDS: Final = {"small": (5, 8), "medium": (7, 10), "large": (9, 14)}  # rows, columns
STONES: Final = 28
DOLMEN: Final = 3  # squares that make one
MAX_ROWS, MAX_COLUMNS = 9, 14
SQUARES: Final = MAX_ROWS * MAX_COLUMNS

STRIDE: Final = 16  # MAX_COLUMNS and two columns of wall
CELLS: Final = (MAX_ROWS + 2) * STRIDE
STEPS: Final = np.array((-STRIDE, 1, STRIDE, -1), np.int64)  # N, E, S, W

# What a cell holds: WALL, EMPTY, or a stone's square as bits.
WALL, EMPTY, RED, WHITE = -1, 0, 1, 2
COLOUR: Final = 3  # the bits of the colour seen from above
STANDING: Final = 4
SIDE_WHITE: Final = 8  # of a standing stone: its east and west faces are white
PARTNER: Final = 3  # of a lying stone: shift to the direction of its other square

PLACING, TILTING, ENDED = range(3)

# Actions: a square (row by row of the largest board) × top × side, then the tilts.
TILT: Final = 4 * SQUARES  # + direction
STAND: Final = TILT + 4

SIZE, COLOUR_OF, MERGED = range(3)  # of a group, see `find_groups`
MAX_GROUPS: Final = 2 * STONES + 1

ACTIONS: Final = STAND + 1
CHANCE_ACTIONS: Final = 0
SECRETS: Final = False
MAX_LEGAL: Final = 4 * SQUARES
MAX_ACTIONS: Final = 2 * STONES

STATE: Final = record_dtype(
    ("cells", np.int8, (CELLS,)),
    ("empty", np.uint8, (SQUARES,)),  # the empty cells in any order, `empties` of them
    ("index", np.uint8, (CELLS,)),  # of an empty cell in `empty`
    ("empties", np.uint8),
    ("stock", np.int8),  # stones left
    ("seat", np.int8),  # to act: 0 is red, 1 white
    ("phase", np.int8),  # PLACING, TILTING, ENDED
    ("last", np.uint8),  # cell of the stone placed last, before any tilt; 0: none
    ("tilts", np.int8),  # directions it can fall in now, as bits
    ("rows", np.int8),
    ("columns", np.int8),
    ("final_tilt", np.bool_),
)


def start(options: Options) -> npt.NDArray[np.void]:
    """The empty board."""
    states = np.zeros(1, STATE)
    state = states[0]
    state.rows, state.columns = BOARDS[options["board"]]
    state.final_tilt = options["final_tilt"]
    state.stock = STONES
    state.cells[:] = WALL
    for square in range(SQUARES):
        row, column = divmod(square, MAX_COLUMNS)
        if row < state.rows and column < state.columns:
            _vacate(state, cell_of(square))
    return states


@kernel
def cell_of(square: int) -> int:
    """The framed board's cell for a square of the largest board."""
    return (square // MAX_COLUMNS + 1) * STRIDE + square % MAX_COLUMNS


@kernel
def square_of(cell: int) -> int:
    """The inverse of `cell_of`."""
    return (cell // STRIDE - 1) * MAX_COLUMNS + cell % STRIDE


@kernel
def seats(state: np.record) -> int:
    """Always two."""
    return 2


@kernel
def actor(state: np.record) -> int:
    """The seat to act, or OVER."""
    return OVER if state.phase == ENDED else int(state.seat)


@kernel
def legal_actions(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """Placements row by row, or the possible tilts and STAND."""
    count = 0
    if state.phase == TILTING:
        for direction in range(4):
            if (state.tilts >> direction) & 1:
                out[count] = TILT + direction
                count += 1
        out[count] = STAND
        return count + 1
    columns = int(state.columns)
    for row in range(state.rows):
        for column in range(columns):
            if state.cells[(row + 1) * STRIDE + column] == EMPTY:
                first = 4 * (row * MAX_COLUMNS + column)
                for way in range(4):
                    out[count + way] = first + way
                count += 4
    return count


@kernel
def random_action(state: np.record, rng: Generator) -> int:
    """A uniform legal action."""
    if state.phase == PLACING:
        choice = below(rng, 4 * int(state.empties))
        return 4 * square_of(int(state.empty[choice >> 2])) + (choice & 3)
    tilts = bits.bit(4) | np.uint64(state.tilts)  # STAND comes after the four directions
    return TILT + bits.nth(tilts, below(rng, bits.size(tilts)))


@kernel
def chance_weight(state: np.record, action: int) -> int:
    """There is no chance in Carnac."""
    return 0


@kernel
def apply(state: np.record, action: int) -> None:
    """Advance `state` in place by a legal action."""
    if action < TILT:
        _place(state, action)
        return
    if action == STAND:  # §Play: the one who placed it places again
        state.seat = 1 - state.seat
    else:
        _tilt(state, action - TILT)
    state.phase = PLACING if state.stock > 0 else ENDED


@kernel
def _place(state: np.record, action: int) -> None:
    cell = cell_of(action >> 2)
    top_white, side_white = (action >> 1) & 1, action & 1
    _occupy(state, cell, RED + top_white + STANDING + SIDE_WHITE * side_white)
    stock = int(state.stock) - 1
    state.stock = stock
    state.last = cell
    can_go_on = state.empties > 0 and (stock > 0 or state.final_tilt)
    tilts = 0
    for direction in range(4):
        step = int(STEPS[direction])
        if state.cells[cell + step] == EMPTY and state.cells[cell + 2 * step] == EMPTY:
            tilts |= 1 << direction
    state.tilts = tilts
    if can_go_on and tilts != 0:
        state.phase = TILTING
    elif not can_go_on or stock == 0:
        state.phase = ENDED
    state.seat = 1 - state.seat


@kernel
def _tilt(state: np.record, direction: int) -> None:
    cell, step = int(state.last), int(STEPS[direction])
    side_white = (state.cells[cell] & SIDE_WHITE) != 0
    along_rows = direction & 1  # E and W show the side's colour, N and S the other
    colour = RED + (side_white if along_rows else not side_white)
    _vacate(state, cell)
    _occupy(state, cell + step, colour + (direction << PARTNER))
    _occupy(state, cell + 2 * step, colour + ((direction ^ 2) << PARTNER))


@kernel
def _occupy(state: np.record, cell: int, content: int) -> None:
    state.cells[cell] = content
    state.empties -= 1
    moved = state.empty[state.empties]
    state.empty[state.index[cell]] = moved
    state.index[moved] = state.index[cell]


@kernel
def _vacate(state: np.record, cell: int) -> None:
    state.cells[cell] = EMPTY
    state.index[cell] = state.empties
    state.empty[state.empties] = cell
    state.empties += 1


@kernel
def find_groups(state: np.record, labels: npt.NDArray[Any], groups: npt.NDArray[Any]) -> int:
    """Number the groups of one colour joined by sides; return the last number given, from 1.

    Writes each stone square's number to `labels` by cell, and by number: SIZE, COLOUR_OF
    and MERGED, the number a group has joined (or its own). A merged group has size 0.
    """
    count = 0
    columns = int(state.columns)
    for row in range(1, state.rows + 1):
        for cell in range(row * STRIDE, row * STRIDE + columns):
            content = state.cells[cell]
            if content == EMPTY:
                continue
            colour = content & COLOUR
            west, north = state.cells[cell - 1], state.cells[cell - STRIDE]
            number = 0
            if west > EMPTY and west & COLOUR == colour:
                number = root(groups, int(labels[cell - 1]))
            if north > EMPTY and north & COLOUR == colour:
                other = root(groups, int(labels[cell - STRIDE]))
                if number == 0:
                    number = other
                elif number != other:
                    groups[other, SIZE] += groups[number, SIZE]
                    groups[number, SIZE] = 0
                    groups[number, MERGED] = other
                    number = other
            if number == 0:
                count += 1
                number = count
                groups[number, SIZE] = 0
                groups[number, COLOUR_OF] = colour
                groups[number, MERGED] = number
            groups[number, SIZE] += 1
            labels[cell] = number
    return count


@kernel
def root(groups: npt.NDArray[Any], number: int) -> int:
    """The number of the group that this one has become part of."""
    while groups[number, MERGED] != number:
        number = int(groups[number, MERGED])
    return number


@kernel
def scores(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """The numbers of dolmens."""
    labels = np.empty(CELLS, np.uint8)
    groups = np.empty((MAX_GROUPS, 3), np.uint8)
    out[0] = 0
    out[1] = 0
    for number in range(1, find_groups(state, labels, groups) + 1):
        if groups[number, SIZE] >= DOLMEN:
            out[groups[number, COLOUR_OF] - RED] += 1


@kernel
def winners(state: np.record, out: npt.NDArray[np.int8]) -> None:
    """More dolmens, then the larger largest one, and so on; identical lists are a draw."""
    labels = np.empty(CELLS, np.uint8)
    groups = np.empty((MAX_GROUPS, 3), np.uint8)
    count = find_groups(state, labels, groups)
    lead = 0  # red's less white's
    largest = 0
    for number in range(1, count + 1):
        if groups[number, SIZE] >= DOLMEN:
            lead += 1 if groups[number, COLOUR_OF] == RED else -1
            largest = max(largest, int(groups[number, SIZE]))
    size = largest
    while lead == 0 and size >= DOLMEN:  # with equal numbers, more of the largest size leads
        for number in range(1, count + 1):
            if groups[number, SIZE] == size:
                lead += 1 if groups[number, COLOUR_OF] == RED else -1
        size -= 1
    out[0] = lead >= 0
    out[1] = lead <= 0


@kernel
def redact(state: np.record, seat: int) -> None:
    """Everything lies open."""


@kernel
def determinize(state: np.record, seat: int, rng: Generator) -> None:
    """Everything lies open."""
