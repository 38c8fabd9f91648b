"""Carat's board as on the page: a suede tray of octagons, gems on bone, brass chips; hands below.

Gems come from `art.json`, which `tools/art.py` makes of the page's own. Lengths are the page's,
140 to a cell.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from kwartet.core.picture import (
    Art,
    Box,
    Disc,
    Label,
    Path,
    Picture,
    Shape,
    Side,
    Stamp,
    Trace,
    moved,
)
from kwartet.core.signs import MARKS, ON_TINTS, TINTS, colour_sign
from kwartet.games.carat.view import CaratView, Chip

SIDE: Final = 6
CELLS: Final = [f"{column}{row + 1}" for row in range(SIDE) for column in "abcdef"]
UNIT: Final = 1 / 140
TRAY: Final = 960  # units
MARGIN: Final = 60
REACH: Final = 33  # a gem's middle from the tile's, along both axes
HAND: Final = 1.34  # cells: the height of a hand below the tray
CORNERS: Final = {"nw": (-1, -1), "ne": (1, -1), "se": (1, 1), "sw": (-1, 1)}
SUEDE, SUEDE_EDGE = ("#3b3149", "#2a2334"), ("#2a2236", "#191420")
SUEDE_WELL, SUEDE_LINE = ("#2f2740", "#201a2a"), ("#4b405c", "#3a3148")
SUEDE_INK: Final = "#b5a9c6"
BONE, BONE_SIDE, BONE_RIM = ("#f5eee1", "#e4dbcb"), ("#b9aa8e", "#9c8e75"), ("#dfd3bd", "#cbbfa9")
BONE_INK: Final = "#2c241b"
BRASS, BRASS_SIDE, BRASS_RIM = (
    ("#d9be84", "#c6aa70"),
    ("#8c7140", "#6f5930"),
    ("#b5965a", "#9e8149"),
)
BRASS_INK: Final = "#33250b"
SUNKEN: Final = ("#e9e2d4", "#0d1215")
CAPTION: Final = {
    "en": "Turn {} of 36",
    "nl": "Beurt {} van 36",
    "de": "Zug {} von 36",
    "fr": "Tour {} sur 36",
}
NAMES: Final = {
    "R": {"en": "red", "nl": "rood", "de": "rot", "fr": "rouge"},
    "Y": {"en": "yellow", "nl": "geel", "de": "gelb", "fr": "jaune"},
    "B": {"en": "blue", "nl": "blauw", "de": "blau", "fr": "bleu"},
    "G": {"en": "green", "nl": "groen", "de": "grün", "fr": "vert"},
}


def draw(view: CaratView) -> Picture:
    """Settled chips are dark with the winner's mark and what they brought; below lie hands."""
    shapes = [Stamp("tray", 0, 0), *_cells(view)]
    for placed in view["tiles"]:
        shapes += _tile(*_centre(placed["cell"]), placed["tile"])
    for place, chip in enumerate(view["chips"]):
        shapes += _chip(*_point(place), chip)
    size, y = TRAY * UNIT, TRAY * UNIT
    for seat, hand in enumerate(view["hands"]):
        if isinstance(hand, list):
            shapes += _hand(view, seat, hand, y + 0.12)
            y += HAND
    sides = [_side(letters) for letters in view["colours"]]
    turn = min(len(view["tiles"]) + 1, len(CELLS))
    caption = {language: text.format(turn) for language, text in CAPTION.items()}
    return Picture(size, y, shapes, sides, _art(), caption)


def trace(view: CaratView, move: str) -> Trace | None:
    """A tile that is laid."""
    cell, _, tile = move.partition("=")
    if cell not in CELLS or len(tile) != 5:
        return None
    x, y = _centre(cell)
    ring = Path(_octagon(132, 38.7), x=x, y=y, scale=UNIT)
    return Trace([ring], (x + 0.36, y - 0.36), list(_tile(x, y, tile)))


def _centre(cell: str) -> tuple[float, float]:
    row, column = divmod(CELLS.index(cell), SIDE)
    return MARGIN * UNIT + column + 0.5, MARGIN * UNIT + row + 0.5


def _point(place: int) -> tuple[float, float]:
    return MARGIN * UNIT + place % 7, MARGIN * UNIT + place // 7


def _side(letters: str) -> Side:
    """A seat's colour, or its two, the second in front of the first."""
    words = {
        language: " + ".join(NAMES[letter][language] for letter in letters) for language in CAPTION
    }
    if len(letters) == 1:
        return Side(TINTS[letters], words, colour_sign(letters, letters))
    signs = [
        shape
        for letter, off in zip(letters, (-0.17, 0.17), strict=False)
        for shape in moved(colour_sign(letter, letter), off, off, 0.72)
    ]
    return Side(TINTS[letters[0]], words, signs)


def _cells(view: CaratView) -> Iterator[Shape]:
    """Where tiles go; a click there is for a tile that is held."""
    held = [tile for hand in view["hands"] if isinstance(hand, list) for tile in hand]
    for cell in CELLS:
        x, y = _centre(cell)
        moves = _placements([cell], held)
        yield Box(x - 0.47, y - 0.47, 0.94, 0.94, "transparent", round=0.28, name=cell, moves=moves)


def _placements(cells: Sequence[str], tiles: Sequence[str]) -> list[str]:
    """Each tile on each cell, turned in each way."""
    return [
        f"{cell}={tile[0]}{tile[turn:]}{tile[1:turn]}"
        for cell in cells
        for tile in tiles
        for turn in range(1, 5)
    ]


def _tile(x: float, y: float, tile: str) -> Iterator[Shape]:
    """A tile with its carats in the middle and a gem in every corner."""
    yield Stamp("tile", x, y, UNIT)
    for letter, (corner, (right, down)) in zip(tile[1:], CORNERS.items(), strict=True):
        yield Stamp(f"{letter}-{corner}", x + right * REACH * UNIT, y + down * REACH * UNIT, UNIT)
    yield Label(x, y, tile[0], 44 * UNIT, BONE_INK, bold=True)


def _chip(x: float, y: float, chip: Chip) -> Iterator[Shape]:
    """Brass with its number while it can be won, then turned to whoever won it."""
    winner = chip["winner"]
    if not chip["settled"]:
        yield Stamp("chip", x, y, UNIT)
        yield Label(x, y, str(chip["value"]), 32 * UNIT, BRASS_INK, bold=True)
    elif winner is None:
        yield Stamp("nobody", x, y, UNIT)
    else:
        yield Stamp(f"won-{winner}", x, y, UNIT)
        small = chip["prize"] > 9 and winner != "R"
        down = 3 * UNIT if winner == "Y" else 0
        size = (16 if small else 19) * UNIT
        yield Label(x, y + down, str(chip["prize"]), size, ON_TINTS[winner], bold=True)


def _hand(view: CaratView, seat: int, hand: Sequence[str], y: float) -> Iterator[Shape]:
    yield Box(0, y, TRAY * UNIT, HAND - 0.12, SUNKEN, round=0.12)
    middle = y + (HAND - 0.12) / 2
    for number, letter in enumerate(view["colours"][seat]):
        at = 0.42 + 0.34 * number
        yield Path(MARKS[letter], TINTS[letter], x=at, y=middle, scale=1.4 * UNIT)
    for number, tile in enumerate(hand):
        x = 1.6 + 1.06 * number
        moves = _placements(CELLS, [tile])
        yield Box(x - 0.5, middle - 0.5, 1, 1, "transparent", name=tile, moves=moves)
        yield from _tile(x, middle, tile)


# What is drawn often --------------------------------------------------------------------


def _octagon(width: float, cut: float, x: float = 0, y: float = 0) -> str:
    """Regular octagons leave square gaps, which the chips fit."""
    h = width / 2
    c = h - cut
    return (
        f"M{x - c:g} {y - h:g}H{x + c:g}L{x + h:g} {y - c:g}V{y + c:g}L{x + c:g} {y + h:g}"
        f"H{x - c:g}L{x - h:g} {y + c:g}V{y - c:g}Z"
    )


def _round(x: float, y: float, size: float, radius: float) -> str:
    side, arc = size - 2 * radius, f"a{radius:g} {radius:g} 0 0 1 "
    return (
        f"M{x + radius:g} {y:g}h{side:g}{arc}{radius:g} {radius:g}v{side:g}{arc}{-radius:g} "
        f"{radius:g}h{-side:g}{arc}{-radius:g} {-radius:g}v{-side:g}{arc}{radius:g} {-radius:g}Z"
    )


@cache
def _art() -> Mapping[str, Art]:
    told = json.loads(files(__package__).joinpath("art.json").read_text(encoding="utf-8"))
    octagon, rim = _octagon(132, 38.7), _octagon(122, 35.7)
    return {
        "tray": Art([*_tray()]),
        "tile": Art(
            [
                Path(octagon, BONE_SIDE, y=4),
                Path(octagon, BONE),
                Path(rim, None, BONE_RIM, 1.5),
            ]
        ),
        "chip": Art(
            [
                Disc(0, 3, 27, BRASS_SIDE),
                Disc(0, 0, 27, BRASS),
                Path("M-21.5 0a21.5 21.5 0 1 0 43 0a21.5 21.5 0 1 0 -43 0Z", None, BRASS_RIM, 1.5),
            ]
        ),
        "nobody": Art([*_turned(), Path("M-8 0H8", None, "#9286a3", 4)]),
        **{
            f"won-{letter}": Art(
                [*_turned(), Path(mark, TINTS[letter], "#ffffff59", 0.8, scale=1.55)]
            )
            for letter, mark in MARKS.items()
        },
        **{name: Art([*_gem(gem)]) for name, gem in told.items()},
    }


def _turned() -> list[Shape]:
    return [Path("M-26 0a26 26 0 1 0 52 0a26 26 0 1 0 -52 0Z", SUEDE_EDGE, SUEDE_LINE, 1.5)]


def _tray() -> Iterator[Shape]:
    yield Path(_round(4, 4, 952, 40), SUEDE_EDGE, scale=UNIT)
    yield Path(_round(12, 12, 936, 32), SUEDE, scale=UNIT)
    yield Path(_round(22, 22, 916, 24), None, "#c3b0f247", 1.5, (9, 6), scale=UNIT)
    for index in range(SIDE):
        middle = MARGIN * UNIT + index + 0.5
        yield Label(middle, 27 * UNIT, "abcdef"[index], 20 * UNIT, SUEDE_INK)
        yield Label(27 * UNIT, middle, str(index + 1), 20 * UNIT, SUEDE_INK)
    for cell in CELLS:
        x, y = _centre(cell)
        yield Path(_octagon(134, 39.2), SUEDE_WELL, SUEDE_LINE, 1.5, x=x, y=y, scale=UNIT)


def _gem(gem: Mapping[str, Any]) -> Iterator[Shape]:
    """A gem of the page: facets and table with their edges, gleam and girdle."""
    facets = [*gem["facets"], gem["table"]]
    for facet in facets:
        yield Path(f"M{facet['points']}Z", facet["fill"])
    yield Path("".join(f"M{facet['points']}Z" for facet in facets), None, gem["edge"], 0.5)
    yield Path(f"M{gem['gleam']['points']}Z", gem["gleam"]["fill"] + "8c")
    yield Path(f"M{gem['girdle']}Z", None, gem["outline"], 1.6)
