"""Where the next card may go: the empty cells around Kwatro's field.

The *frontier* is a sorted list of the empty cells where a card would not make a line
too long, each with its `openings`. A card changes what the cells at the four ends of
its runs want, and nothing else.
"""

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.games.kwatro.cards import JOKER
from kwartet.games.kwatro.lines import DEAD, SIDE, openings, run_end


@kernel
def put_on_field(state: np.record, cell: int, card: int) -> None:
    """Lay a card on an empty cell; the ends of its runs join the frontier unless they are dead."""
    state.field[cell] = card + 1
    if card >= JOKER:
        state.joker_cells[card - JOKER] = cell
    x, y = cell_x(state, cell), cell_y(state, cell)
    state.west = min(state.west, x)
    state.north = min(state.north, y)
    _leave_frontier(state, cell)
    for direction in range(4):
        renew_frontier(state, run_end(state, cell, direction))


@kernel
def renew_frontier(state: np.record, cell: int) -> None:
    """Work out anew what this empty cell wants, after a card in its lines has changed."""
    wanted = openings(state, cell)
    if wanted == DEAD:
        _leave_frontier(state, cell)
        return
    rank = frontier_rank(state, cell)
    if not is_on_frontier(state, cell, rank):
        for after in range(state.frontier_size, rank, -1):
            state.frontier[after] = state.frontier[after - 1]
            state.wanted[after] = state.wanted[after - 1]
        state.frontier[rank] = cell
        state.frontier_size += 1
    state.wanted[rank] = wanted


@kernel
def _leave_frontier(state: np.record, cell: int) -> None:
    rank = frontier_rank(state, cell)
    if is_on_frontier(state, cell, rank):
        last = int(state.frontier_size) - 1
        for after in range(rank, last):
            state.frontier[after] = state.frontier[after + 1]
            state.wanted[after] = state.wanted[after + 1]
        state.frontier[last] = 0
        state.wanted[last] = 0
        state.frontier_size = last


@kernel
def frontier_rank(state: np.record, cell: int) -> int:
    """How many frontier cells come before this one."""
    low, high = 0, int(state.frontier_size)
    while low < high:
        middle = (low + high) >> 1
        if state.frontier[middle] < cell:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def is_on_frontier(state: np.record, cell: int, rank: int) -> bool:
    """Whether the cell of this rank is on the frontier."""
    return rank < state.frontier_size and state.frontier[rank] == cell


@kernel
def frontier_cell(state: np.record, rank: int) -> int:
    """The cell of that rank."""
    return int(state.frontier[rank])


@kernel
def cell_x(state: np.record, cell: int) -> int:
    """The column of a cell on the field or beside it, counted from the start card."""
    first = int(state.west) - 1
    return first + ((cell - first) & (SIDE - 1))


@kernel
def cell_y(state: np.record, cell: int) -> int:
    """The row of a cell on the field or beside it, counted from the start card."""
    first = int(state.north) - 1
    return first + ((cell // SIDE - first) & (SIDE - 1))


@kernel
def places(state: np.record, cells: npt.NDArray[np.int64], out: npt.NDArray[np.int64]) -> None:
    """Write column and row of each cell."""
    for index in range(len(cells)):
        out[index, 0] = cell_x(state, cells[index])
        out[index, 1] = cell_y(state, cells[index])
