"""Kwatro's field: cards with as many shapes as their number, own hand below."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import cos, pi, sin
from typing import Final

from kwartet.core.picture import COLOURS, FELT, INK, PAPER, Area, Box, Disc, Label, Picture, Shape
from kwartet.games.kwatro.view import KwatroView, Laid

SPOTS: Final = {  # where a card's shapes are, by their number
    1: ((0.5, 0.5),),
    2: ((0.32, 0.32), (0.68, 0.68)),
    3: ((0.5, 0.3), (0.3, 0.68), (0.7, 0.68)),
    4: ((0.31, 0.31), (0.69, 0.31), (0.31, 0.69), (0.69, 0.69)),
}
STEPS: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
BACK: Final = "#5b6b78"
NEW: Final = "#d9a514"  # around what is being laid


def draw(view: KwatroView) -> Picture:
    """The cards around the start card, as far as they reach; hands and pile below."""
    field = view["field"]
    xs, ys = [card["x"] for card in field] or [0], [card["y"] for card in field] or [0]
    left, top = min(xs) - 1, min(ys) - 1
    columns, rows = max(max(xs) - left + 2, 6), max(ys) - top + 2
    held = [name for hand in view["hands"] if isinstance(hand, list) for name in hand]
    beside = _beside(field)
    shapes: list[Shape] = [Box(0.2, 0.2, columns, rows, FELT, round=0.2)]
    for cell in beside:
        x, y = cell[0] - left + 0.26, cell[1] - top + 0.26
        moves = _placements(held, [cell])
        name = f"{cell[0]},{cell[1]}"
        shapes.append(Box(x, y, 0.88, 0.88, FELT, round=0.1, name=name, moves=moves))
    play = view["play"] or view["last_play"]
    fresh = {tuple(cell) for cell in play["cells"]} if play else set()
    for card in field:
        x, y = card["x"] - left + 0.2, card["y"] - top + 0.2
        if (card["x"], card["y"]) in fresh:
            shapes.append(Box(x, y, 1, 1, NEW, round=0.12))
        shapes += _card(x, y, card["card"], _swaps(held, [card]))
    for seat, hand in enumerate(view["hands"]):
        y = rows + 0.4 + 1.1 * seat
        shapes.append(Label(0.3, y + 0.5, f"seat {seat}", 0.34, from_left=True))
        for number, name in enumerate(hand if isinstance(hand, list) else []):
            passes = [move for move in _passes(held) if name in move.split()]
            moves = [*_placements([name], beside), *_swaps([name], field), *passes]
            shapes += _card(1.9 + number, y, name, moves)
        for number in range(0 if isinstance(hand, list) else hand):
            shapes.append(_back(1.9 + number, y))
    y = rows + 0.7 + 1.1 * len(view["hands"])
    told = f"pile: {view['pile']}"
    shapes.append(Label(0.3, y, told, 0.34, from_left=True, name=told, moves=_passes(held)))
    return Picture(columns + 0.4, y + 0.4, shapes)


def _beside(field: Sequence[Laid]) -> list[tuple[int, int]]:
    """The empty cells that touch a card."""
    taken = {(card["x"], card["y"]) for card in field}
    around = {(x + right, y + down) for x, y in taken for right, down in STEPS}
    return sorted(around - taken)


def _placements(cards: Sequence[str], cells: Sequence[tuple[int, int]]) -> list[str]:
    return [f"{name}@{x},{y}" for name in dict.fromkeys(cards) for x, y in cells]


def _swaps(cards: Sequence[str], field: Sequence[Laid]) -> list[str]:
    """Cards that take the place of jokers."""
    jokers = [(card["x"], card["y"]) for card in field if card["card"].startswith("J")]
    return [f"swap {placement}" for placement in _placements(cards, jokers)]


def _passes(held: Sequence[str]) -> list[str]:
    """All cards that a pass may put under the pile."""
    some = (combinations(sorted(held), count) for count in range(len(held) + 1))
    return list(dict.fromkeys(" ".join(["pass", *names]) for each in some for names in each))


def _back(x: float, y: float) -> Shape:
    return Box(x + 0.06, y + 0.06, 0.88, 0.88, BACK, INK, 0.1)


def _card(x: float, y: float, name: str, moves: Sequence[str]) -> Iterator[Shape]:
    """A card by its name: colour, shape and number, or a joker."""
    yield Box(x + 0.06, y + 0.06, 0.88, 0.88, PAPER, INK, 0.1, name=name, moves=moves)
    if name.startswith("J"):
        yield Label(x + 0.5, y + 0.5, "★", 0.5, "#8e44ad")
        return
    for right, down in SPOTS[int(name[2])]:
        yield _spot(x + right, y + down, name[1], COLOURS[name[0]])


def _spot(x: float, y: float, kind: str, fill: str) -> Shape:
    match kind:
        case "C":
            return Disc(x, y, 0.14, fill)
        case "S":
            return Box(x - 0.13, y - 0.13, 0.26, 0.26, fill)
        case "T":
            return Area(_around(x, y + 0.03, (0.18,) * 3), fill)
        case _:
            return Area(_around(x, y, (0.19, 0.08) * 4), fill)


def _around(x: float, y: float, radii: tuple[float, ...]) -> list[tuple[float, float]]:
    """Points at these distances, evenly around a middle, the first above it."""
    turns = [2 * pi * number / len(radii) for number in range(len(radii))]
    return [
        (x + radius * sin(turn), y - radius * cos(turn))
        for turn, radius in zip(turns, radii, strict=True)
    ]
