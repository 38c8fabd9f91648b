"""Carat as a person sees it: the hands of others are numbers of tiles."""

from typing import Final, TypedDict

import numpy as np

from kwartet.games.carat import COLOURS
from kwartet.games.carat.notation import cell_name, tile_name
from kwartet.games.carat.rules import (
    CELLS,
    CORNERS,
    NO_TILE,
    NOBODY,
    SIDE,
    TILES,
    colours_present,
    hand_size,
    winning_colour,
)

# What to colour in `text`, as patterns and colours; a terminal may use it.
PALETTE: Final = {
    r"R|(?<= )r(?=\s)": "red",
    r"Y|(?<= )y(?=\s)": "yellow",
    r"B|(?<= )b(?=\s)(?! +c)": "blue",  # not the column between a and c
    r"G|(?<= )g(?=\s)": "green",
}


class Placed(TypedDict):
    """A tile on the board."""

    cell: str
    tile: str  # its value and its colours from the north-west, clockwise


class Chip(TypedDict):
    """A chip on its point; the points are numbered row by row."""

    value: int
    settled: bool
    sums: dict[str, int]  # carats by colour
    winner: str | None  # of a settled chip: the colour that won it
    prize: int  # of a settled chip: value × different colours, if anyone won it


class CaratView(TypedDict):
    """What a seat sees."""

    colours: list[str]  # by seat
    colour_points: dict[str, int]
    chips: list[Chip]
    tiles: list[Placed]
    hands: list[list[str] | int]  # one's own tiles; of the others, how many
    stock: int
    last: str | None  # the cell filled last
    settled_last: list[int]  # the points that it settled


def view(state: np.record, seat: int) -> CaratView:
    """The board, one's own hand, and how much is left."""
    sizes = [hand_size(state, other) for other in range(state.players)]
    last = int(state.last)
    return {
        "colours": [
            "".join(COLOURS[c] for c in range(4) if state.owner[c] == other)
            for other in range(state.players)
        ],
        "colour_points": {COLOURS[c]: int(state.points[c]) for c in range(4)},
        "chips": _chips(state),
        "tiles": [
            {"cell": cell_name(cell), "tile": tile_name(int(state.tiles[cell]), state.turns[cell])}
            for cell in range(CELLS)
            if state.tiles[cell] != NO_TILE
        ],
        "hands": [
            [tile_name(tile) for tile in state.hands[other, :held].tolist()]
            if other == seat
            else int(held)
            for other, held in enumerate(sizes)
        ],
        "stock": int(TILES - state.tiles_laid - sum(sizes)),
        "last": cell_name(last) if last >= 0 else None,
        "settled_last": sorted(
            int(point) for point in CORNERS[last] if last >= 0 and state.missing[point] == 0
        ),
    }


def _chips(state: np.record) -> list[Chip]:
    """The chips as far as they are laid; the rules are asked about settled ones only."""
    values, sums = state.chips[: state.laid].tolist(), state.sums[: state.laid].tolist()
    settled = (state.missing[: state.laid] == 0).tolist()
    return [_chip(*chip) for chip in zip(values, sums, settled, strict=True)]


def _chip(value: int, sums: int, settled: bool) -> Chip:
    winner = winning_colour(sums) if settled else NOBODY
    carats = sums.to_bytes(4, "little")  # a byte a colour
    return {
        "value": value,
        "settled": settled,
        "sums": dict(zip(COLOURS, carats, strict=True)),
        "winner": COLOURS[winner] if winner != NOBODY else None,
        "prize": value * colours_present(sums) if winner != NOBODY else 0,
    }


def text(view: CaratView) -> str:
    """The board in letters: chips at the corners of the cells, the winner's letter once settled."""
    placed = {tile["cell"]: tile["tile"] for tile in view["tiles"]}
    lines = ["   " + "".join(f"   {name}    " for name in "abcdef")]
    for row in range(SIDE + 1):
        chips = view["chips"][row * 7 : row * 7 + 7]
        lines.append("   " + "       ".join(_chip_mark(chip) for chip in chips))
        if row < SIDE:
            cells = (placed.get(cell_name(row * SIDE + column), "  ·  ") for column in range(SIDE))
            lines.append(f" {row + 1}   " + "   ".join(cells))
    for seat, hand in enumerate(view["hands"]):
        held = " ".join(hand) if isinstance(hand, list) else f"{hand} hidden"
        lines.append(f"Seat {seat} ({view['colours'][seat]}) holds {held}.")
    lines.append(f"Tiles in the stock: {view['stock']}.")
    lines.extend(_settlement(view["chips"][point]) for point in view["settled_last"])
    return "\n".join(lines)


def _chip_mark(chip: Chip) -> str:
    if not chip["settled"]:
        return str(chip["value"])
    return (chip["winner"] or "-").lower()


def _settlement(chip: Chip) -> str:
    sums = ", ".join(f"{colour} {carats}" for colour, carats in chip["sums"].items())
    if chip["winner"] is None:
        return f"Chip {chip['value']} goes to nobody ({sums})."
    present = sum(carats > 0 for carats in chip["sums"].values())
    noun = "colour" if present == 1 else "colours"
    return (
        f"Chip {chip['value']} goes to {chip['winner']} ({sums}): "
        f"{chip['value']} × {present} {noun} = {chip['prize']}."
    )
