"""The Catan dice game as on the page: every seat's island with its boxes, and the dice."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from kwartet.core.picture import (
    Box,
    Label,
    Path,
    Picture,
    Shape,
    Side,
    Stamp,
    Trace,
    moved,
    signed,
)
from kwartet.core.signs import BY_SEAT, TINTS, seat_sign
from kwartet.games.catan_dice import island
from kwartet.games.catan_dice.view import CatanDiceView, Sheet

UNIT: Final = 1 / 100
WIDTH, HEIGHT = 9.6, 9.24  # of an island
MARGIN, GAP = 0.16, 0.3  # around an island on its paper, between papers
BOXES: Final = 0.9  # height of the row of boxes
PAPER_WIDTH: Final = WIDTH + 2 * MARGIN
PAPER_HEIGHT: Final = HEIGHT + 3 * MARGIN + BOXES
DICE: Final = 6
TRAY: Final = 1.75  # height
FACES: Final = {  # a die's letter: its name
    "o": {"en": "ore", "nl": "erts", "de": "Erz", "fr": "minerai"},
    "g": {"en": "grain", "nl": "graan", "de": "Getreide", "fr": "blé"},
    "w": {"en": "wool", "nl": "wol", "de": "Wolle", "fr": "laine"},
    "t": {"en": "timber", "nl": "hout", "de": "Holz", "fr": "bois"},
    "b": {"en": "brick", "nl": "baksteen", "de": "Lehm", "fr": "argile"},
    "$": {"en": "gold", "nl": "goud", "de": "Gold", "fr": "or"},
}
CROSS: Final = -2
TURNS: Final = 15
EDGE, WOOD, WELL = ("#e2d5b8", "#303b3f"), ("#8b5e3c", "#3b2a1e"), ("#5f3c24", "#241811")
BAD: Final = ("#a3302f", "#ef9088")
BOX_EDGE: Final = ("#6f5c428c", "#c5b7978c")
CAPTION: Final = {
    "en": "Turn {} of 15",
    "nl": "Beurt {} van 15",
    "de": "Zug {} von 15",
    "fr": "Tour {} sur 15",
}


def draw(view: CatanDiceView) -> Picture:
    """The islands side by side, two in a row, above the dice."""
    count = len(view["sheets"])
    shapes: list[Shape] = []
    for seat, sheet in enumerate(view["sheets"]):
        shapes += _paper(sheet, seat, *_corner(seat, count))
    right, low = (max(at) for at in zip(*(_corner(s, count) for s in range(count)), strict=True))
    width, y = right + PAPER_WIDTH, low + PAPER_HEIGHT + GAP
    shapes += _dice(view["dice"], width, y)
    sides = [Side(TINTS[BY_SEAT[seat % 4]], "", seat_sign(seat)) for seat in range(count)]
    caption = {language: text.format(view["turn"]) for language, text in CAPTION.items()}
    return Picture(width, y + TRAY, shapes, sides, island.art(), caption)


def trace(view: CatanDiceView, move: str) -> Trace | None:
    """A road, knight, settlement or city that is built."""
    found = island.ring(move)
    seat = view.get("actor")
    if found is None or not isinstance(seat, int):
        return None
    outline, (x, y) = found
    left, top = (at + MARGIN for at in _corner(seat, len(view["sheets"])))
    at_x, at_y = left + outline.x * UNIT, top + outline.y * UNIT
    rings = [replace(outline, x=at_x, y=at_y, scale=UNIT)]
    new = moved(island.piece(move), left, top, UNIT)
    return Trace(rings, (left + x * UNIT, top + y * UNIT), new)


def _corner(seat: int, count: int) -> tuple[float, float]:
    """Where a seat's paper lies."""
    row, column = divmod(seat, 1 if count == 1 else 2)
    alone = count > 2 and seat == count - 1 and column == 0  # in its row: it lies in the middle
    return (column + alone / 2) * (PAPER_WIDTH + GAP), row * (PAPER_HEIGHT + GAP)


def _paper(sheet: Sheet, seat: int, x: float, y: float) -> Iterator[Shape]:
    """A seat's sheet: its island in a double frame, and fifteen boxes."""
    yield Box(x, y, PAPER_WIDTH, PAPER_HEIGHT, island.SHEET, EDGE, 0.12)
    left, top = x + MARGIN, y + MARGIN
    yield Box(left, top, WIDTH, HEIGHT, island.SEA, round=0.05)
    yield Stamp("land", left, top, UNIT)
    yield from moved(island.pieces(sheet), left, top, UNIT)
    for inset in (0.02, 0.07):
        size = (WIDTH - 2 * inset, HEIGHT - 2 * inset)
        frame = f"M{left + inset} {top + inset}h{size[0]}v{size[1]}h{-size[0]}Z"
        yield Path(frame, None, island.PENCIL, 0.015)
    yield from moved(seat_sign(seat), left + 0.62, top + 0.62, 0.9)
    yield from _boxes(sheet, left, top + HEIGHT + MARGIN)


def _boxes(sheet: Sheet, x: float, y: float) -> Iterator[Shape]:
    """Points of each turn, a cross where nothing was built, and their sum."""
    step = (WIDTH - 1.1) / TURNS
    for turn in range(TURNS):
        left = x + step * turn
        yield Box(left, y, step - 0.05, BOXES, island.PAPER, BOX_EDGE, 0.07)
        yield Label(left + 0.13, y + 0.17, str(turn + 1), 0.2, island.PENCIL)
        if turn < len(sheet["boxes"]):
            points, middle = sheet["boxes"][turn], (left + step / 2 - 0.025, y + 0.54)
            if points == CROSS:
                yield Path("M-7-7 7 7M7-7-7 7", None, BAD, 3.4, (), *middle, UNIT * 1.6)
            else:
                yield Label(*middle, str(points), 0.4, island.PEN, bold=True)
    left = x + WIDTH - 1.1 + 0.05
    yield Box(left, y, 1.05, BOXES, island.PEN, round=0.1)
    yield Label(
        left + 0.525, y + BOXES / 2, signed(sum(sheet["boxes"])), 0.52, island.SHEET, bold=True
    )


def _dice(dice: str, width: float, y: float) -> Iterator[Shape]:
    """The dice in their tray; an empty place for each that is paid or not rolled."""
    yield Box(0, y, width, TRAY, WOOD, round=0.2)
    yield Box(0.16, y + 0.16, width - 0.32, TRAY - 0.32, WELL, round=0.14)
    step = min((width - 0.6) / DICE, 2.2)
    for number in range(DICE):
        x, middle = width / 2 + (number - (DICE - 1) / 2) * step, y + TRAY / 2
        if number >= len(dice):
            yield Box(x - 0.5, middle - 0.5, 1, 1, "#fff9ec1c", "#fff9ec3a", 0.2)
            continue
        letter = dice[number]
        yield Box(x - 0.5, middle - 0.42, 1, 1, "#b39a70", round=0.2)
        name, moves = FACES[letter], _kept(dice, number)
        yield Box(x - 0.5, middle - 0.52, 1, 1, island.BONE, "#dccba9", 0.2, name=name, moves=moves)
        yield Stamp(f"face-{letter}", x - 0.35, middle - 0.37, 0.7 / 32)


def _kept(dice: str, number: int) -> list[str]:
    """What keeps this die, and every die before it with the same face."""
    first = dice.index(dice[number])
    others = dice[:first] + dice[number + 1 :]
    same = dice[first : number + 1]
    kept = {
        "".join(sorted(same + "".join(more), key=dice.index))
        for count in range(len(others) + 1)
        for more in combinations(others, count)
    }
    return ["stop", *sorted(f"keep {faces}" for faces in kept if faces != dice)]
