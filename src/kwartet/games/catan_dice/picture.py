"""The Catan dice game: the dice on the table and what every seat has built."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from kwartet.core.picture import FAINT, FELT, INK, PAPER, Box, Label, Picture, Shape
from kwartet.games.catan_dice.view import CatanDiceView, Sheet

FACES: Final = {  # a die's letter: its name and colour
    "o": ("ore", "#6f8795"),
    "g": ("grain", "#d9a514"),
    "w": ("wool", "#8cbf6b"),
    "t": ("timber", "#2e6b45"),
    "b": ("brick", "#b5533c"),
    "$": ("gold", "#c9952c"),
}
BUILT: Final = (
    ("roads", "#8a6d4b"),
    ("settlements", "#2f6f9f"),
    ("cities", "#7a3b69"),
    ("knights", "#455a64"),
)
CROSS: Final = -2
TURNS: Final = 15
A_ROW: Final = 15  # buildings


def draw(view: CatanDiceView) -> Picture:
    """The dice, then a sheet for every seat: buildings in their order, boxes by turn."""
    told = f"turn {view['turn']} of {TURNS}, {view['phase']}"
    if view["rolls_left"]:
        told += f", rolls left: {view['rolls_left']}"
    shapes: list[Shape] = [Label(0.3, 0.5, told, 0.36, from_left=True)]
    for number, letter in enumerate(view["dice"]):
        name, fill = FACES[letter]
        moves = _kept(view["dice"], number)
        x = 0.3 + 1.3 * number
        shapes.append(Box(x, 0.95, 1.2, 1.2, fill, INK, 0.18, name=name, moves=moves))
        shapes.append(Label(x + 0.6, 1.55, name, 0.3, PAPER, bold=True))
    for seat, sheet in enumerate(view["sheets"]):
        shapes += _sheet(sheet, seat, 2.6 + 2.9 * seat)
    return Picture(15.3, 2.7 + 2.9 * len(view["sheets"]), shapes)


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


def _sheet(sheet: Sheet, seat: int, y: float) -> Iterator[Shape]:
    points = sum(sheet["boxes"])
    yield Box(0.2, y, 14.9, 2.7, FELT, round=0.2)
    yield Label(0.5, y + 0.45, f"seat {seat}: {points}", 0.38, bold=True, from_left=True)
    built = [(name, fill) for kind, fill in BUILT for name in sheet[kind]]  # type: ignore[literal-required]
    for number, (name, fill) in enumerate(built):
        x, top = 3.4 + 0.76 * (number % A_ROW), y + 0.15 + 0.5 * (number // A_ROW)
        yield Box(x, top, 0.7, 0.44, fill, round=0.1)
        yield Label(x + 0.35, top + 0.22, name, 0.24, PAPER, bold=True)
    for turn in range(TURNS):
        left = 0.5 + 0.95 * turn
        yield Box(left, y + 1.75, 0.85, 0.75, PAPER, FAINT, 0.08)
        if turn < len(sheet["boxes"]):
            value = sheet["boxes"][turn]
            text = "✗" if value == CROSS else str(value)
            yield Label(left + 0.42, y + 2.13, text, 0.36, FAINT if value == CROSS else INK)
