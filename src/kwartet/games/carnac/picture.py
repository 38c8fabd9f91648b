"""Carnac's board: stones that stand show their sides, stones that lie cover two squares."""

from collections.abc import Iterator
from typing import Final

from kwartet.core.picture import FELT, INK, PAPER, RED, Box, Label, Picture, Shape
from kwartet.games.carnac.view import CarnacView, Stone

STONES: Final = {"r": RED, "w": "#fffdf8"}
EDGE: Final = "#6b5f4e"
STEPS: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}  # right, down
MARK: Final = "#d9a514"  # around the stone that may be tilted now


def draw(view: CarnacView) -> Picture:
    """The board with its coordinates, and below it the dolmens."""
    columns, rows = view["columns"], view["rows"]
    shapes: list[Shape] = [
        Label(column + 1.5, 0.5, chr(ord("a") + column), 0.4) for column in range(columns)
    ]
    shapes += [Label(0.5, row + 1.5, str(row + 1), 0.4) for row in range(rows)]
    falls = _falls(view["tilting"])
    for row in range(rows):
        for column in range(columns):
            name = _square(column, row)
            moves = [*(name + faces for faces in ("rr", "rw", "wr", "ww")), *falls.get(name, ())]
            box = Box(
                column + 1.04, row + 1.04, 0.92, 0.92, FELT, round=0.08, name=name, moves=moves
            )
            shapes.append(box)
    for stone in view["stones"]:
        shapes += _stone(stone, stone["squares"] == [view["tilting"]])
    for seat, name in enumerate(("Red", "White")):
        sizes = [len(each["squares"]) for each in view["dolmens"] if each["seat"] == seat]
        noun = "dolmen" if len(sizes) == 1 else "dolmens"
        told = f"{name}: {len(sizes)} {noun}" + f" of {', '.join(map(str, sizes))}" * bool(sizes)
        shapes.append(Label(1.0, rows + 1.5 + 0.6 * seat, told, 0.36, from_left=True))
    shapes.append(Label(1.0, rows + 2.7, f"Stones left: {view['stock']}", 0.36, from_left=True))
    return Picture(columns + 1.5, rows + 3.2, shapes)


def _square(column: int, row: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"


def _falls(tilting: str | None) -> dict[str, list[str]]:
    """By square: what a click there means while a stone may be tilted; it falls on two squares."""
    if tilting is None:
        return {}
    column, row = ord(tilting[0]) - ord("a"), int(tilting[1:]) - 1
    return {tilting: ["stand"]} | {
        _square(column + right * far, row + down * far): [f"tilt {direction}"]
        for direction, (right, down) in STEPS.items()
        for far in (1, 2)
    }


def _stone(stone: Stone, tilting: bool) -> Iterator[Shape]:
    places = [(ord(square[0]) - ord("a") + 1, int(square[1:])) for square in stone["squares"]]
    (left, top), (right, bottom) = min(places), max(places)
    fill = STONES[stone["colour"]]
    if tilting:
        yield Box(left, top, 1, 1, MARK, round=0.12)
    if stone["side"] is None:
        yield Box(left + 0.1, top + 0.1, right - left + 0.8, bottom - top + 0.8, fill, EDGE, 0.1)
        return
    other = STONES["w" if stone["side"] == "r" else "r"]
    side = STONES[stone["side"]]
    yield Box(left + 0.1, top + 0.1, 0.8, 0.8, other, INK, 0.1)  # north and south faces
    for x in (left + 0.1, left + 0.74):  # west and east faces
        yield Box(x, top + 0.26, 0.16, 0.48, side)
    yield Box(left + 0.26, top + 0.26, 0.48, 0.48, fill, INK, 0.05)
    yield Label(left + 0.5, top + 0.5, "●", 0.2, PAPER if stone["colour"] == "r" else INK)
