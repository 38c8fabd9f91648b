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
    STEPS,
    TILT,
    WALL,
    cell_of,
    square_of,
)
from kwartet.games.carnac.why import CarnacObjection, Direction, because, in_words

COLOURS: Final = "rw"
DIRECTIONS: Final[tuple[Direction, ...]] = ("N", "E", "S", "W")
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


def why(state: np.record, actor: int, action: int) -> CarnacObjection:
    """Why this action is not legal here."""
    if action >= TILT:
        return because("place") if state.phase == PLACING else _fall(state, action - TILT)
    if state.phase != PLACING:
        return because("tilt", square_name(square_of(int(state.last))))
    name = square_name(action >> 2)
    row, column = divmod(action >> 2, MAX_COLUMNS)
    if row >= state.rows or column >= state.columns:
        return because("outside", name)
    assert state.cells[cell_of(action >> 2)] != EMPTY
    return because("taken", name)


def _fall(state: np.record, direction: int) -> CarnacObjection:
    """Why the stone placed last cannot fall there."""
    cell, step = int(state.last), int(STEPS[direction])
    first, second = cell + step, cell + 2 * step
    outside = bool(state.cells[first] == WALL or state.cells[second] == WALL)
    squares = [first] if state.cells[first] == WALL else [first, second]
    taken = [square_name(square_of(there)) for there in squares if state.cells[there] > EMPTY]
    name = square_name(square_of(cell))
    return because("fall", name, DIRECTIONS[direction], outside=outside, taken=taken)


def objection(state: np.record, actor: int, action: int) -> str:
    """The same as a sentence."""
    return in_words(why(state, actor, action))
