"""Connect four's moves as text: the column, `a` to `g`."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from examples.connect_four.rules import COLUMNS
from kwartet import GameError, quoted

LETTERS: Final = "abcdefg"
assert len(LETTERS) == COLUMNS


def names(state: np.record, actor: int, actions: Sequence[int]) -> list[str]:
    """The moves that these actions are, each on its own."""
    return [LETTERS[action] for action in actions]


def read(state: np.record, actor: int, move: str) -> list[int]:
    """The action of a move; GameError if it is not notation."""
    if len(move) == 1 and move in LETTERS:
        return [LETTERS.index(move)]
    raise GameError("bad-notation", f"{quoted(move)} is not a column from a to g.")


def objection(state: np.record, actor: int, action: int) -> str:
    """Why this action is not legal here."""
    return f"Column {LETTERS[action]} is full."
