"""Carnac's positions at a glance: what every cell holds or would do, stock, lead and room.

A stone is its colour and the size of its group; an empty cell is what a square of either
colour would do to the dolmens there. Only positions in which a stone is to be placed are
sketched. An empty cell without neighbours goes without saying.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.kernels import kernel
from kwartet.core.tactics import Look
from kwartet.games.carnac.rules import (
    BOARDS,
    CELLS,
    COLOUR,
    COLOUR_OF,
    DOLMEN,
    EMPTY,
    MAX_GROUPS,
    PLACING,
    RED,
    SIZE,
    STEPS,
    STONES,
    STRIDE,
    find_groups,
    root,
)

# What a square does: it stays alone, makes a pair, a dolmen, joins one, merges two, or more.
EFFECTS: Final = 6
LONE: Final = 6  # kind of an empty cell where either colour stays alone; stones come before it
KINDS: Final = LONE + EFFECTS * EFFECTS
LEADS: Final = 13  # from −6 dolmens to 6
ROOM: Final = 48  # empty cells that are told apart
STOCKS: Final = 2 * (STONES + 1)  # stones left where nobody tilts the last one, and where one may
REST: Final = STOCKS + LEADS + ROOM


def _look(board: str) -> Look:
    """How positions of this board are sketched."""
    rows, columns = BOARDS[board]
    cells = np.arange(rows * columns).reshape(rows, columns)
    rest = np.arange(cells.size * KINDS, cells.size * KINDS + REST)
    mirrors = [
        np.append((turned.reshape(-1, 1) * KINDS + np.arange(KINDS)).ravel(), rest)
        for turned in (cells, cells[::-1], cells[:, ::-1], cells[::-1, ::-1])
    ]
    blend = 0.5 if board == "small" else 0.8  # at random, the larger boards are played on badly
    return Look(board, len(mirrors[0]), cells.size + 3, np.array(mirrors, np.int32), blend)


LOOK_BY: Final = "board"
LOOKS: Final = {board: _look(board) for board in BOARDS}


@kernel
def sketch(state: np.record, seat: int, out: npt.NDArray[np.int32]) -> int:
    """The kinds of the cells, then the stones left, the lead and the empty cells."""
    if state.phase != PLACING:
        return 0
    labels = np.zeros(CELLS, np.uint8)
    groups = np.empty((MAX_GROUPS, 3), np.uint8)
    last = find_groups(state, labels, groups)
    own = RED + seat
    lead = 0
    for number in range(1, last + 1):
        if groups[number, SIZE] >= DOLMEN:
            lead += 1 if groups[number, COLOUR_OF] == own else -1
    count = 0
    columns = int(state.columns)
    first = 0  # input of the cell's first kind
    for row in range(1, state.rows + 1):
        for cell in range(row * STRIDE, row * STRIDE + columns):
            content = state.cells[cell]
            if content == EMPTY:
                kind = _promise(state, labels, groups, cell, own)
            else:
                size = int(groups[root(groups, int(labels[cell])), SIZE])
                kind = min(size, DOLMEN) - 1 + (0 if content & COLOUR == own else DOLMEN)
            if kind != LONE:
                out[count] = first + kind
                count += 1
            first += KINDS
    out[count] = first + int(state.stock) + (STONES + 1) * int(state.final_tilt)
    out[count + 1] = first + STOCKS + min(max(lead + LEADS // 2, 0), LEADS - 1)
    out[count + 2] = first + STOCKS + LEADS + min(int(state.empties), ROOM - 1)
    return count + 3


@kernel
def _promise(
    state: np.record,
    labels: npt.NDArray[np.uint8],
    groups: npt.NDArray[np.uint8],
    cell: int,
    own: int,
) -> int:
    """The kind of an empty cell: what a square of the own and of the other colour would do."""
    joined = np.uint64(0)  # groups, as bits
    size_own, size_other, dolmens_own, dolmens_other = 1, 1, 0, 0
    for direction in range(4):
        there = cell + int(STEPS[direction])
        content = state.cells[there]
        if content <= EMPTY:
            continue
        number = root(groups, int(labels[there]))
        if bits.has(joined, number):
            continue
        joined |= bits.bit(number)
        size = int(groups[number, SIZE])
        if content & COLOUR == own:
            size_own += size
            dolmens_own += size >= DOLMEN
        else:
            size_other += size
            dolmens_other += size >= DOLMEN
    return LONE + EFFECTS * _effect(size_own, dolmens_own) + _effect(size_other, dolmens_other)


@kernel
def _effect(size: int, dolmens: int) -> int:
    """What a square does that makes a group so large of so many dolmens and the rest."""
    if dolmens > 0:
        return 2 + min(dolmens, 3)
    return min(size, DOLMEN) - 1
