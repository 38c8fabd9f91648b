"""Connect four as a person sees it."""

from typing import TypedDict

import numpy as np

from examples.connect_four.rules import COLUMNS, ROWS, STRIDE


class ConnectFourView(TypedDict):
    """What everybody sees."""

    columns: list[list[int]]  # the seats of each column's discs, from the bottom


def view(state: np.record, seat: int) -> ConnectFourView:
    """The discs in each column."""
    first, second = state.discs.tolist()
    columns = [range(column * STRIDE, column * STRIDE + ROWS) for column in range(COLUMNS)]
    return {
        "columns": [
            [second >> bit & 1 for bit in bits if (first | second) >> bit & 1] for bits in columns
        ]
    }


def text(view: ConnectFourView) -> str:
    """The board in letters: x for seat 0, o for seat 1."""
    lines = []
    for row in reversed(range(ROWS)):
        discs = ("xo"[column[row]] if row < len(column) else "·" for column in view["columns"])
        lines.append(" ".join(discs))
    return "\n".join([*lines, "a b c d e f g"])
