"""Carnac's moves as text: `c3wr`, `tilt N`, `stand`. § Notation in docs/games/carnac.md."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from kwartet.core.errors import GameError, quoted
from kwartet.games.carnac.rules import (
    EMPTY,
    MAX_COLUMNS,
    PLACING,
    STAND,
    TILT,
    cell_of,
)

COLOURS: Final = "rw"
DIRECTIONS: Final = "NESW"
_PLACEMENT: Final = re.compile(r"([a-n])([1-9])([rw])([rw])")


def square_name(square: int) -> str:
    """A square as `c3`."""
    row, column = divmod(square, MAX_COLUMNS)
    return f"{chr(ord('a') + column)}{row + 1}"


def names(state: np.record, actor: int, actions: Sequence[int]) -> list[str]:
    """The moves that these actions are, each on its own."""
    return [_name(action) for action in actions]


def _name(action: int) -> str:
    if action == STAND:
        return "stand"
    if action >= TILT:
        return f"tilt {DIRECTIONS[action - TILT]}"
    return square_name(action >> 2) + COLOURS[action >> 1 & 1] + COLOURS[action & 1]


def read(state: np.record, actor: int, move: str) -> list[int]:
    """The action of a move; GameError if it is not notation."""
    if move == "stand":
        return [STAND]
    if move.startswith("tilt ") and len(move) == 6 and move[5] in DIRECTIONS:
        return [TILT + DIRECTIONS.index(move[5])]
    if placement := _PLACEMENT.fullmatch(move):
        column, row, top, side = placement.groups()
        square = (int(row) - 1) * MAX_COLUMNS + ord(column) - ord("a")
        return [4 * square + 2 * COLOURS.index(top) + COLOURS.index(side)]
    raise GameError(
        "bad-notation",
        f"{quoted(move)} is not a move of Carnac; write a placement as c3wr (square, top, "
        "east and west side), else tilt N, tilt E, tilt S, tilt W or stand.",
    )


def objection(state: np.record, actor: int, action: int) -> str:
    """Why this action is not legal here."""
    if action >= TILT:
        if state.phase == PLACING:
            return "There is no stone to tilt or to leave; place one."
        return f"The stone cannot fall {DIRECTIONS[action - TILT]}: it needs two empty squares."
    if state.phase != PLACING:
        return "First tilt the stone placed last, or let it stand."
    name = square_name(action >> 2)
    row, column = divmod(action >> 2, MAX_COLUMNS)
    if row >= state.rows or column >= state.columns:
        return f"{name} is not on the board."
    assert state.cells[cell_of(action >> 2)] != EMPTY
    return f"{name} is not empty."
