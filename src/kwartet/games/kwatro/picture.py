"""Kwatro's field: cards with as many shapes as their number, own hand below."""

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Final

from kwartet.core.picture import COLOURS, FELT, INK, PAPER, Area, Box, Disc, Label, Picture, Shape
from kwartet.games.kwatro.view import KwatroView

SPOTS: Final = {  # where a card's shapes are, by their number
    1: ((0.5, 0.5),),
    2: ((0.32, 0.32), (0.68, 0.68)),
    3: ((0.5, 0.3), (0.3, 0.68), (0.7, 0.68)),
    4: ((0.31, 0.31), (0.69, 0.31), (0.31, 0.69), (0.69, 0.69)),
}
BACK: Final = "#5b6b78"
NEW: Final = "#d9a514"  # around what is being laid


def draw(view: KwatroView) -> Picture:
    """The cards around the start card, as far as they reach."""
    field = view["field"]
    xs, ys = [card["x"] for card in field] or [0], [card["y"] for card in field] or [0]
    left, top = min(xs) - 1, min(ys) - 1
    columns, rows = max(max(xs) - left + 2, 6), max(ys) - top + 2
    shapes: list[Shape] = [Box(0.2, 0.2, columns, rows, FELT, round=0.2)]
    play = view["play"] or view["last_play"]
    fresh = {tuple(cell) for cell in play["cells"]} if play else set()
    for card in field:
        x, y = card["x"] - left + 0.2, card["y"] - top + 0.2
        if (card["x"], card["y"]) in fresh:
            shapes.append(Box(x, y, 1, 1, NEW, round=0.12))
        shapes += _card(x, y, card["card"])
    for seat, hand in enumerate(view["hands"]):
        y = rows + 0.4 + 1.1 * seat
        shapes.append(Label(0.3, y + 0.5, f"seat {seat}", 0.34, from_left=True))
        cards = hand if isinstance(hand, list) else [None] * hand
        for number, name in enumerate(cards):
            shapes += _card(1.9 + number, y, name)
    y = rows + 0.7 + 1.1 * len(view["hands"])
    shapes.append(Label(0.3, y, f"pile: {view['pile']}", 0.34, from_left=True))
    return Picture(columns + 0.4, y + 0.4, shapes)


def _card(x: float, y: float, name: str | None) -> Iterator[Shape]:
    """A card by its name, colour, shape and number; None: its back."""
    if name is None:
        yield Box(x + 0.06, y + 0.06, 0.88, 0.88, BACK, INK, 0.1)
        return
    yield Box(x + 0.06, y + 0.06, 0.88, 0.88, PAPER, INK, 0.1)
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
