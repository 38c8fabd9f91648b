"""Carnac as a person sees it: nothing is hidden, so every seat sees the same."""

from typing import Final, TypedDict

import numpy as np

from kwartet.core.errors import GameError, quoted
from kwartet.games.carnac.notation import COLOURS, names, square_name
from kwartet.games.carnac.rules import (
    CELLS,
    COLOUR,
    COLOUR_OF,
    DOLMEN,
    EMPTY,
    MAX_GROUPS,
    MAX_LEGAL,
    PARTNER,
    RED,
    SIDE_WHITE,
    STANDING,
    STEPS,
    TILT,
    TILTING,
    apply,
    find_groups,
    legal_actions,
    root,
    square_of,
)
from kwartet.games.carnac.screen import falling

# What to colour in `text`, as patterns and colours; a terminal may use it.
PALETTE: Final = {
    r"(?<= )R(?=\s)": "bold red",
    r"(?<= )r(?=\s)": "red",
    r"(?<= )W(?=\s)": "bold",
}


class Stone(TypedDict):
    """A megalith on the board."""

    squares: list[str]  # one if it stands, two if it lies
    colour: str  # `r` or `w`, seen from above
    side: str | None  # of a standing one: the colour of its east and west faces


class Dolmen(TypedDict):
    """A group of at least three squares of a seat's colour."""

    seat: int
    squares: list[str]


class Prospect(TypedDict):
    """What would come of a move."""

    move: str
    dolmens: list[Dolmen]  # as in a view


class CarnacView(TypedDict):
    """What everybody sees."""

    columns: int
    rows: int
    stock: int
    stones: list[Stone]
    dolmens: list[Dolmen]  # by seat, largest first
    tilting: str | None  # the square whose stone may be tilted now


def view(state: np.record, seat: int) -> CarnacView:
    """The board, the stock and the dolmens as they stand."""
    return {
        "columns": int(state.columns),
        "rows": int(state.rows),
        "stock": int(state.stock),
        "stones": _stones(state),
        "dolmens": _dolmens(state),
        "tilting": square_name(square_of(int(state.last))) if state.phase == TILTING else None,
    }


def preview(state: np.record, piece: str) -> list[Prospect]:
    """What would come of each way to raise a stone on a square, or to deal with the one there."""
    out = np.empty(MAX_LEGAL, np.int32)
    actions = out[: legal_actions(state, out)].tolist()
    last = square_of(int(state.last))
    here = [a for a in actions if piece == square_name(last if a >= TILT else a >> 2)]
    if not here:
        raise GameError("illegal-move", f"On {quoted(piece)} there is nothing to do now.")
    return [
        {"move": move, "dolmens": _dolmens(_after(state, action))}
        for move, action in zip(names(state, int(state.seat), here), here, strict=True)
    ]


def _after(state: np.record, action: int) -> np.record:
    after = state.copy()
    apply(after, action)
    return after


def _stones(state: np.record) -> list[Stone]:
    stones: list[Stone] = []
    for cell, content in enumerate(state.cells.tolist()):
        if content <= EMPTY:
            continue
        squares = [square_name(square_of(cell))]
        side = None
        if content & STANDING:
            side = COLOURS[bool(content & SIDE_WHITE)]
        else:
            partner = cell + int(STEPS[content >> PARTNER & 3])
            if partner < cell:
                continue  # told with its first square
            squares.append(square_name(square_of(partner)))
        stones.append(
            {"squares": squares, "colour": COLOURS[(content & COLOUR) - RED], "side": side}
        )
    return stones


def _dolmens(state: np.record) -> list[Dolmen]:
    labels = np.empty(CELLS, np.uint8)
    groups = np.empty((MAX_GROUPS, 3), np.uint8)
    find_groups(state, labels, groups)
    members: dict[int, list[int]] = {}
    for cell, content in enumerate(state.cells.tolist()):
        if content > EMPTY:
            members.setdefault(root(groups, int(labels[cell])), []).append(cell)
    dolmens: list[Dolmen] = [
        {
            "seat": int(groups[number, COLOUR_OF]) - RED,
            "squares": [square_name(square_of(cell)) for cell in cells],
        }
        for number, cells in members.items()
        if len(cells) >= DOLMEN
    ]
    return sorted(dolmens, key=lambda dolmen: (dolmen["seat"], -len(dolmen["squares"])))


def text(view: CarnacView) -> str:
    """The board in letters: capitals stand, small letters lie."""
    letters = {
        square: stone["colour"].upper() if stone["side"] else stone["colour"]
        for stone in view["stones"]
        for square in stone["squares"]
    }
    names = [chr(ord("a") + column) for column in range(view["columns"])]
    lines = ["   " + " ".join(names)]
    for row in range(1, view["rows"] + 1):
        marks = [letters.get(f"{name}{row}", "·") for name in names]
        lines.append(f"{row:>2} " + " ".join(marks))
    for seat, colour in enumerate(("red", "white")):
        sizes = [len(d["squares"]) for d in view["dolmens"] if d["seat"] == seat]
        lines.append(f"Seat {seat}, {colour}: {_counted(sizes)}")
    lines.append(f"Stones left: {view['stock']}. Capitals stand, small letters lie.")
    lines += falling(view)
    return "\n".join(lines)


def _counted(sizes: list[int]) -> str:
    if not sizes:
        return "no dolmen"
    noun = "dolmen" if len(sizes) == 1 else "dolmens"
    return f"{len(sizes)} {noun} of {', '.join(map(str, sizes))}"
