"""Carat's board: chips on the points of a grid, tiles in its cells, hands below."""

from collections.abc import Iterator, Sequence
from typing import Final

from kwartet.core.picture import (
    COLOURS,
    FAINT,
    FELT,
    INK,
    PAPER,
    Area,
    Box,
    Disc,
    Label,
    Picture,
    Shape,
)
from kwartet.games.carat.view import CaratView

SIDE: Final = 6
CELLS: Final = [f"{column}{row + 1}" for row in range(SIDE) for column in "abcdef"]


def draw(view: CaratView) -> Picture:
    """Settled chips wear the colour that won them; grey ones went to nobody."""
    shapes = [*_grid(view)]
    for placed in view["tiles"]:
        row, column = divmod(CELLS.index(placed["cell"]), SIDE)
        shapes += _tile(column + 1, row + 1, placed["tile"])
    for place, chip in enumerate(view["chips"]):
        x, y = place % 7 + 1.0, place // 7 + 1.0
        winner = chip["winner"]
        fill = COLOURS[winner] if winner else FAINT if chip["settled"] else PAPER
        shapes.append(Disc(x, y, 0.24, fill, INK))
        ink = PAPER if chip["settled"] else INK
        shapes.append(Label(x, y, str(chip["value"]), 0.26, ink, bold=True))
    for seat, hand in enumerate(view["hands"]):
        y = 7.6 + 0.95 * seat
        letters = view["colours"][seat]
        points = sum(view["colour_points"][letter] for letter in letters)
        for number, letter in enumerate(letters):
            shapes.append(Disc(1.0 + 0.4 * number, y + 0.4, 0.16, COLOURS[letter]))
        shapes.append(Label(1.8, y + 0.4, f"seat {seat}: {points}", 0.32, from_left=True))
        tiles = hand if isinstance(hand, list) else [None] * hand
        for number, tile in enumerate(tiles):
            moves = _placements(CELLS, [tile]) if tile else []
            shapes += _tile(4.2 + 0.95 * number, y, tile, 0.8, moves)
    return Picture(8.0, 7.8 + 0.95 * len(view["hands"]), shapes)


def _grid(view: CaratView) -> Iterator[Shape]:
    """The cells with their coordinates; a click on one is for a tile that is held."""
    held = [tile for hand in view["hands"] if isinstance(hand, list) for tile in hand]
    for index in range(SIDE):
        yield Label(index + 1.5, 0.2, "abcdef"[index], 0.3, FAINT)
        yield Label(0.2, index + 1.5, str(index + 1), 0.3, FAINT)
    for place, cell in enumerate(CELLS):
        x, y = place % SIDE + 1.03, place // SIDE + 1.03
        moves = _placements([cell], held)
        yield Box(x, y, 0.94, 0.94, FELT, round=0.06, name=cell, moves=moves)


def _placements(cells: Sequence[str], tiles: Sequence[str]) -> list[str]:
    """Each tile on each cell, turned in each way."""
    return [
        f"{cell}={tile[0]}{tile[turn:]}{tile[1:turn]}"
        for cell in cells
        for tile in tiles
        for turn in range(1, 5)
    ]


def _tile(
    x: float, y: float, tile: str | None, size: float = 0.94, moves: Sequence[str] = ()
) -> Iterator[Shape]:
    """A tile with its carats in the middle and a colour in every corner; None: its back."""
    inset = (1 - size) / 2
    left, top, right, bottom = x + inset, y + inset, x + 1 - inset, y + 1 - inset
    middle = x + 0.5, y + 0.5
    yield Box(left, top, size, size, INK, round=0.06, name=tile or "", moves=moves)
    if tile is None:
        yield Label(*middle, "?", 0.4, PAPER, bold=True)
        return
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    for (cx, cy), letter in zip(corners, tile[1:], strict=True):
        points = ((cx, cy), (middle[0], cy), middle, (cx, middle[1]))
        yield Area(points, COLOURS[letter])
    yield Disc(*middle, 0.21, PAPER, INK)
    yield Label(*middle, tile[0], 0.28, bold=True)
