"""Carnac's board as on the page, from above: hewn stones on the heath, dolmens outlined.

Stones come from `art.json`, which `tools/art.py` makes of the page's own. Lengths are the page's,
64 to a square.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import floor, sin
from typing import Any, Final

from kwartet.core.picture import Art, Box, Label, Path, Picture, Shape, Side, Stamp, Trace
from kwartet.games.carnac.outline import Square, outlines
from kwartet.games.carnac.view import CarnacView, Dolmen, Stone

UNIT: Final = 1 / 64
PAD, RIM = 40 * UNIT, 16 * UNIT  # coordinates stand north and west
RISE: Final = (-5 * UNIT, -12 * UNIT)  # of a thing one square above the ground
LYING: Final = 0.875  # where a lying stone's top is
STONES: Final = 28
STEPS: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}  # right, down
TURF, TURF_LINE, TUFT = ("#bfc095", "#40472f"), ("#9ea072", "#596242"), ("#9ba067", "#59653b")
PEAT, PEAT_SIDE = ("#a59a70", "#343823"), ("#5f5038", "#1c180f")
COORDINATE: Final = ("#3e3a22", "#c9c6a6")
MARK: Final = "#ffd34d"  # around the stone that may be tilted now
FACES: Final = {  # of stones: from above, the south, the east; its edges; its carving
    "r": ("#b4452f", "#8b3121", "#6f2519", "#521a10", "#fbd9bf"),
    "w": ("#f1eadc", "#cfc4ae", "#ada18a", "#5a5040", "#5b4f3d"),
}
LINES: Final = {"r": ("#ffe9d8", "#9c2a14"), "w": ("#3a3122", "#ffffff")}  # casing, line
BADGES: Final = {  # a dolmen's size: fill, edge, digits, carving
    "r": ("#8e2f1e", "#fbe3d3", "#ffffff", "#ffe3cf"),
    "w": ("#fffcf4", "#4a4031", "#2a2419", "#4a4031"),
}
CAPTION: Final = {
    "en": "Stone {} of 28",
    "nl": "Steen {} van 28",
    "de": "Stein {} von 28",
    "fr": "Mégalithe {} sur 28",
}
NAMES: Final = (
    {"en": "red", "nl": "rood", "de": "rot", "fr": "rouge"},
    {"en": "white", "nl": "wit", "de": "weiß", "fr": "blanc"},
)


def draw(view: CarnacView) -> Picture:
    """The heath with its coordinates, the stones, and around dolmens a line and their size."""
    columns, rows = view["columns"], view["rows"]
    width, height = PAD + RIM + columns, PAD + RIM + rows + 4 * UNIT
    stones = sorted(view["stones"], key=lambda stone: [_place(stone["squares"][-1])[1::-1]])
    shapes = [*_heath(columns, rows, width, height), *_squares(view)]
    shapes += [Stamp(f"shadow-{_kind(stone)}", *_at(stone)) for stone in stones]
    shapes += [Stamp(_kind(stone), *_at(stone)) for stone in stones if stone["side"] is None]
    for dolmen in view["dolmens"]:
        shapes += _line(dolmen)
    shapes += [Stamp(_kind(stone), *_at(stone)) for stone in stones if stone["side"]]
    if view["tilting"]:
        stone = next(one for one in stones if one["squares"] == [view["tilting"]])
        shapes.append(Path(_outline(_kind(stone)), None, MARK, 4, (), *_at(stone), UNIT))
    for dolmen in view["dolmens"]:
        shapes += _badge(dolmen, width)
    stone_now = min(STONES - view["stock"] + (view["tilting"] is None), STONES)
    caption = {language: text.format(stone_now) for language, text in CAPTION.items()}
    return Picture(width, height, shapes, _sides(), _art(), caption)


def trace(view: CarnacView, move: str) -> Trace | None:
    """A stone that is raised, tilted or left."""
    tilting = view["tilting"]
    if move[:1].isalpha() and move[-2:] in ("rr", "rw", "wr", "ww"):
        squares, kind = [move[:-2]], move[-2:]
    elif tilting is None:
        return None
    else:
        stone = next(one for one in view["stones"] if one["squares"] == [tilting])
        squares, kind = [tilting], _kind(stone)
        if move.startswith("tilt "):
            squares, kind = _fallen(tilting, str(stone["side"]), move[5:])
    places = [_place(square) for square in squares]
    column, row = min(places)
    at = (PAD + column, PAD + row)
    outline = Path(_outline(kind), x=at[0], y=at[1], scale=UNIT)
    return Trace([outline], (at[0] + 0.8, at[1] - 0.1), [Stamp(kind, *at)])


def _fallen(square: str, side: str, direction: str) -> tuple[list[str], str]:
    """Where a stone lies that fell, and how it looks there."""
    column, row = _place(square)
    right, down = STEPS[direction]
    squares = [_name(column + right * far, row + down * far) for far in (1, 2)]
    across = direction in "EW"
    shown = side if across else {"r": "w", "w": "r"}[side]
    return squares, shown + ("E" if across else "S")


def _name(column: int, row: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"


def _place(square: str) -> Square:
    return ord(square[0]) - ord("a"), int(square[1:]) - 1


def _at(stone: Stone) -> tuple[float, float]:
    column, row = min(_place(square) for square in stone["squares"])
    return PAD + column, PAD + row


def _kind(stone: Stone) -> str:
    """The name of its art."""
    if stone["side"]:
        return stone["colour"] + stone["side"]
    first, second = (_place(square) for square in stone["squares"])
    return stone["colour"] + ("E" if first[1] == second[1] else "S")


def _sides() -> list[Side]:
    signs = []
    for colour, name in zip("rw", NAMES, strict=True):
        fill, _, _, edge, carving = FACES[colour]
        tablet = "M-8-13H8A5 5 0 0 1 13-8V8A5 5 0 0 1 8 13H-8A5 5 0 0 1-13 8V-8A5 5 0 0 1-8-13Z"
        sign = [Path(tablet, fill, edge, 1, scale=1 / 28), _carving(colour, carving, 22 / 28)]
        signs.append(Side(fill, name, sign))
    return signs


# The heath ------------------------------------------------------------------------------


def _heath(columns: int, rows: int, width: float, height: float) -> Iterator[Shape]:
    edge = 4 * UNIT
    yield Box(edge, 10 * UNIT, width - 2 * edge, height - 12 * UNIT, PEAT_SIDE, round=18 * UNIT)
    yield Box(edge, edge, width - 2 * edge, height - 12 * UNIT, PEAT, round=18 * UNIT)
    rim = 6 * UNIT
    corner = PAD - rim
    yield Box(corner, corner, columns + 2 * rim, rows + 2 * rim, TURF, round=8 * UNIT)
    yield Path(_tufts(columns, rows), None, TUFT, 1.3, (), PAD, PAD, UNIT)
    lines = [f"M{64 * x} 0V{64 * rows}" for x in range(columns + 1)]
    lines += [f"M0 {64 * y}H{64 * columns}" for y in range(rows + 1)]
    yield Path("".join(lines), None, TURF_LINE, 1.2, (), PAD, PAD, UNIT)
    for column in range(columns):
        name = chr(ord("a") + column)
        yield Label(PAD + column + 0.5, 22 * UNIT, name, 17 * UNIT, COORDINATE)
    for row in range(rows):
        yield Label(20 * UNIT, PAD + row + 0.5, str(row + 1), 17 * UNIT, COORDINATE)


def _tufts(columns: int, rows: int) -> str:
    """Blades of grass, always the same."""
    found = []
    for number in range(columns * rows * 2):
        x, y = 64 * _noise(number, 1) * columns, 64 * (0.1 + _noise(number, 2) * (rows - 0.15))
        tall = 6.5 + _noise(number, 3) * 2.5
        found.append(
            f"M{x:.0f} {y:.0f}l-2 {-tall:.1f}m4 {tall:.1f}l1 {-1.2 * tall:.1f}"
            f"m1 {1.2 * tall:.1f}l3 {-0.8 * tall:.1f}"
        )
    return "".join(found)


def _noise(a: int, b: int) -> float:
    wave = sin(a * 127.1 + b * 311.7) * 43758.5453
    return wave - floor(wave)


def _squares(view: CarnacView) -> Iterator[Shape]:
    """What a click on a square means; a stone that falls covers two."""
    falls: dict[str, list[str]] = {}
    if tilting := view["tilting"]:
        falls[tilting] = ["stand"]
        for direction in STEPS:
            for square in _fallen(tilting, "r", direction)[0]:
                falls[square] = [f"tilt {direction}"]
    for row in range(view["rows"]):
        for column in range(view["columns"]):
            name = _name(column, row)
            moves = [*(name + faces for faces in ("rr", "rw", "wr", "ww")), *falls.get(name, ())]
            at = (PAD + column + 0.04, PAD + row + 0.04)
            yield Box(*at, 0.92, 0.92, "transparent", round=0.08, name=name, moves=moves)


# Dolmens --------------------------------------------------------------------------------


def _line(dolmen: Dolmen) -> Iterator[Shape]:
    """A line that hugs what one sees of its stones."""
    loops = outlines(map(_place, dolmen["squares"]), 0.04)
    path = "".join(
        "M" + "L".join(f"{64 * x:.1f} {64 * y:.1f}" for x, y in loop) + "Z" for loop in loops
    )
    at = (PAD + LYING * RISE[0], PAD + LYING * RISE[1])
    for colour, width in zip(LINES["rw"[dolmen["seat"]]], (6.5, 3), strict=True):
        yield Path(path, None, colour, width, (), *at, UNIT)


def _badge(dolmen: Dolmen, width: float) -> Iterator[Shape]:
    """How large it is, at the corner in the north-east of its first square."""
    column, row = min(map(_place, dolmen["squares"]), key=lambda place: (place[1], -place[0]))
    x, y = min(PAD + column + 1 - 14 * UNIT, width - 32 * UNIT), PAD + row - 16 * UNIT
    colour = "rw"[dolmen["seat"]]
    fill, edge, ink, carving = BADGES[colour]
    yield Path("M-10-15H10A15 15 0 0 1 10 15H-10A15 15 0 0 1-10-15Z", fill, edge, 2, (), x, y, UNIT)
    mark = _carving(colour, carving, 22 * UNIT)
    yield Path(mark.d, None, carving, mark.line, (), x - 10 * UNIT, y, mark.scale)
    yield Label(x + 11 * UNIT, y, str(len(dolmen["squares"])), 20 * UNIT, ink, bold=True)


# Stones ---------------------------------------------------------------------------------


@cache
def _told() -> Any:
    return json.loads(files(__package__).joinpath("art.json").read_text(encoding="utf-8"))


def _carving(colour: str, ink: str, size: float) -> Path:
    """A colour's carving around 0, 0: red has wells, white has fields."""
    lines = _told()["carvings"][colour]
    path = "".join(
        "M" + "L".join(f"{x - 0.5:.3f} {y - 0.5:.3f}" for x, y in line) for line in lines
    )
    return Path(path, None, ink, 0.075, scale=size)


def _outline(kind: str) -> str:
    return f"M{_told()['stones'][kind]['outline']}Z"


@cache
def _art() -> Mapping[str, Art]:
    art = {}
    for kind, stone in _told()["stones"].items():
        art[kind] = Art([*_body(stone["faces"])])
        art[f"shadow-{kind}"] = Art([Path(f"M{stone['shadow']}Z", "#1a180842", scale=UNIT)])
    return art


def _body(faces: Sequence[Mapping[str, Any]]) -> Iterator[Shape]:
    for face in faces:
        up, south, east, edge, ink = FACES[face["colour"]]
        fill = {"up": up, "south": south}.get(face["kind"], east)
        yield Path(f"M{face['outline']}Z", fill, edge, 1.3, scale=UNIT)
        carved = "".join(f"M{line}" for lines in face["marks"] for line in lines)
        if carved:
            yield Path(carved, None, ink, round(face["width"], 1), scale=UNIT)
