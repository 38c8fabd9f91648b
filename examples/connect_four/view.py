"""Connect four as a person sees it."""

from typing import TypedDict

import numpy as np

from examples.connect_four.rules import COLUMNS, ROWS, cell_of


class ConnectFourView(TypedDict):
    """What everybody sees."""

    columns: list[list[int]]  # the seats of each column's discs, from the bottom


def view(state: np.record, seat: int) -> ConnectFourView:
    """The discs in each column."""
    first, second = (int(discs) for discs in state.discs)
    return {
        "columns": [
            [
                int(second & cell_of(row, column) != 0)
                for row in range(ROWS)
                if (first | second) & cell_of(row, column)
            ]
            for column in range(COLUMNS)
        ]
    }


def text(view: ConnectFourView) -> str:
    """The board in letters: x for seat 0, o for seat 1."""
    lines = []
    for row in reversed(range(ROWS)):
        discs = ("xo"[column[row]] if row < len(column) else "·" for column in view["columns"])
        lines.append(" ".join(discs))
    return "\n".join([*lines, "a b c d e f g"])
