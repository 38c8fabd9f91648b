"""Kwatro's field as on the page: patterned cards on a cloth, as far as they reach; hands below.

Silhouettes come from `art.json`, which `tools/art.py` makes of the page's own. Lengths are the
page's, 108 to a cell and 100 to a card.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Final

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
from kwartet.core.signs import BY_SEAT, TINTS, seat_sign
from kwartet.games.kwatro.view import KwatroView, Laid

UNIT: Final = 1 / 108
EDGE: Final = 0.15  # of the cloth, around its cells
LEAST: Final = (7, 5)  # columns and rows
RACK: Final = 1.35  # height of a hand
STEPS: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
CLOTH, CLOTH_EDGE = ("#d3deda", "#16242a"), ("#b9c8c3", "#0f1a1f")
WOOD, WOOD_FRONT = ("#c9a777", "#3a3025"), ("#a98655", "#241d16")
PAPER, INK, BLACK, BACK = ("#fffcf3", "#f1ebdc"), "#1e2326", "#20282b", "#0f7c84"
LINE: Final = ("#0b646b", "#7fd6db")  # around what is being laid or was laid last
COLOURS: Final = {  # of a card, and of its pattern
    "R": ("#ce4636", "#97241c"),
    "G": ("#3fa683", "#166b4f"),
    "B": ("#20509f", "#6f9ce4"),
    "Y": ("#f2c042", "#bf850c"),
}
INNER: Final = "M13 5H87A8 8 0 0 1 95 13V87A8 8 0 0 1 87 95H13A8 8 0 0 1 5 87V13A8 8 0 0 1 13 5Z"
OUTER: Final = (
    "M12 0H88A12 12 0 0 1 100 12V88A12 12 0 0 1 88 100H12A12 12 0 0 1 0 88V12A12 12 0 0 1 12 0Z"
)
SMALL: Final = {  # the four shapes, small
    "S": "M23 20H41Q44 20 44 23V41Q44 44 41 44H23Q20 44 20 41V23Q20 20 23 20Z",
    "C": "M55 32a13 13 0 1 0 26 0a13 13 0 1 0 -26 0Z",
    "T": "M32 55 46 80H18Z",
    "X": "M63 56H73V63H80V73H73V80H63V73H56V63H63Z",
}
CAPTION: Final = {
    "en": "{} in the pile",
    "nl": "{} in de stapel",
    "de": "{} im Stapel",
    "fr": "{} dans la pioche",
}
PLACED: Final = re.compile(r"(?:swap )?(J|[BGRY][CSTX][1-4])@(-?\d+),(-?\d+)")

Room = tuple[int, int, int, int]  # the cells at the left, top, right and bottom


def room(view: KwatroView) -> Room:
    """How far the field reaches, with what lies beside it."""
    xs = [card["x"] for card in view["field"]] or [0]
    ys = [card["y"] for card in view["field"]] or [0]
    sides = []
    for least, low, high in zip(LEAST, (min(xs), min(ys)), (max(xs), max(ys)), strict=True):
        more = max(least - (high - low + 3), 0)
        sides.append((low - 1 - more // 2, high + 1 + (more + 1) // 2))
    return sides[0][0], sides[1][0], sides[0][1], sides[1][1]


def draw(view: KwatroView, within: Room | None = None) -> Picture:
    """The cards around the start card; below, hands that are seen, and the pile beside them."""
    left, top, right, bottom = within or room(view)
    columns, rows = right - left + 1, bottom - top + 1
    width, height = columns + 2 * EDGE, rows + 2 * EDGE
    held = [name for hand in view["hands"] if isinstance(hand, list) for name in hand]
    shapes: list[Shape] = [
        Box(0, 0, width, height, CLOTH_EDGE, round=0.16),
        Box(0.03, 0.03, width - 0.06, height - 0.06, CLOTH, round=0.14),
    ]
    corner = (EDGE - left, EDGE - top)
    beside = _beside(view["field"])
    for x, y in beside:
        at = (corner[0] + x + 0.04, corner[1] + y + 0.04)
        moves = _placements(held, [(x, y)])
        shapes.append(Box(*at, 0.92, 0.92, "transparent", round=0.1, name=f"{x},{y}", moves=moves))
    play = view["play"] or view["last_play"]
    fresh = {tuple(cell) for cell in play["cells"]} if play else set()
    for card in view["field"]:
        at = (corner[0] + card["x"] + 4 * UNIT, corner[1] + card["y"] + 4 * UNIT)
        shapes.append(Stamp("under", *at, UNIT))
        shapes += _card(*at, card["card"], _swaps(held, [card]))
        if (card["x"], card["y"]) in fresh:
            shapes.append(Stamp("fresh", *at, UNIT))
    for seat, hand in enumerate(view["hands"]):
        if isinstance(hand, list):
            shapes += _rack(view, seat, hand, beside, width, height + 0.12)
            height += RACK
    caption = {language: text.format(view["pile"]) for language, text in CAPTION.items()}
    sides = [Side(TINTS[BY_SEAT[s % 4]], "", seat_sign(s)) for s in range(len(view["hands"]))]
    return Picture(width, height, shapes, sides, _art(), caption)


def trace(view: KwatroView, move: str, within: Room | None = None) -> Trace | None:
    """A card that is laid, or takes a joker's place."""
    placed = PLACED.fullmatch(move)
    if not placed:
        return None
    left, top, _, _ = within or room(view)
    x = int(placed[2]) - left + EDGE + 4 * UNIT
    y = int(placed[3]) - top + EDGE + 4 * UNIT
    ring = Path(OUTER, x=x, y=y, scale=UNIT)
    return Trace([ring], (x + 0.86, y + 0.06), list(_card(x, y, placed[1], ())))


def _rack(
    view: KwatroView,
    seat: int,
    hand: Sequence[str],
    beside: Sequence[tuple[int, int]],
    width: float,
    y: float,
) -> Iterator[Shape]:
    """A hand on its rack; where it is the only one, with the pile that a pass goes under."""
    yield Box(0, y, width, RACK - 0.12, WOOD, round=0.14)
    yield Box(0, y + RACK - 0.34, width, 0.22, WOOD_FRONT, round=0.1)
    yield from moved(seat_sign(seat), 0.5, y + 0.55, 0.6)
    passes = _passes(hand)
    for number, name in enumerate(hand):
        own = [move for move in passes if name in move.split()]
        moves = [*_placements([name], beside), *_swaps([name], view["field"]), *own]
        yield from _card(1.05 + 1.02 * number, y + 0.08, name, moves)
    if sum(isinstance(other, list) for other in view["hands"]) > 1:
        return
    told = {language: text.format(view["pile"]) for language, text in CAPTION.items()}
    x = width - 1.1
    yield Stamp("back", x, y + 0.08, UNIT)
    yield Box(x, y + 0.08, 0.93, 0.93, "transparent", name=told, moves=passes)
    yield Disc(x + 0.463, y + 0.543, 0.3, BACK)
    yield Label(x + 0.463, y + 0.543, str(view["pile"]), 0.38, "#ffffff", bold=True)


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


# Cards ----------------------------------------------------------------------------------


def _card(x: float, y: float, name: str, moves: Sequence[str]) -> Iterator[Shape]:
    """A card by its name: colour as pattern and letter, shape as silhouette, number in it."""
    if name.startswith("J"):
        yield Stamp("joker", x, y, UNIT)
    else:
        yield Stamp(name[0], x, y, UNIT)
        yield Stamp(name[1], x, y, UNIT)
        low = 60.5 if name[1] == "T" else 50
        yield Label(x + 50 * UNIT, y + low * UNIT, name[2], 43 * UNIT, INK, bold=True)
    yield Box(x, y, 100 * UNIT, 100 * UNIT, "transparent", round=0.1, name=name, moves=moves)


@cache
def _art() -> Mapping[str, Art]:
    shapes = json.loads(files(__package__).joinpath("art.json").read_text(encoding="utf-8"))
    edge = Path(OUTER, PAPER, "#1e190a47", 1.2)
    star = "M50 24 56.5 43.5 76 50 56.5 56.5 50 76 43.5 56.5 24 50 43.5 43.5Z"
    faces = zip("SCTX", "RYGB", strict=True)
    around = {"S": (-6, -6), "C": (6, -6), "T": (-6, 6), "X": (6, 6)}
    jester = [
        Path(SMALL[shape], COLOURS[colour][0], "#fffcf3", 1.6, (), *around[shape])
        for shape, colour in faces
    ]
    hole = Path("M45 50a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z", BLACK)
    print_ = [Path(path, None, "#bfe3e2", 3.4) for path in SMALL.values()]
    return {
        "under": Art([Path(OUTER, "#14191442", y=4)]),
        "fresh": Art([Path(OUTER, None, LINE, 7)]),
        "back": Art([edge, Path(INNER, BACK), *print_]),
        "joker": Art([edge, Path(INNER, BLACK), *jester, Path(star, "#fffcf3"), hole]),
        **{f"cloth-{colour}": Art([*_pattern(colour)], INNER) for colour in COLOURS},
        **{
            colour: Art(
                [
                    edge,
                    Stamp(f"cloth-{colour}", 0, 0),
                    Path("M5 5H21V13Q21 21 13 21H5Z", "#fffcf3"),
                    Label(12.5, 12, colour, 12.5, INK, bold=True),
                ]
            )
            for colour in COLOURS
        },
        **{name: Art([Path(path, "#fffcf3", INK, 3.2)]) for name, path in shapes.items()},
    }


def _pattern(colour: str) -> Iterator[Shape]:
    """Stripes, dots, waves or a lattice on the colour."""
    fill, ink = COLOURS[colour]
    yield Path(INNER, fill)
    step = 17 * 2**0.5
    rising = "".join(f"M{k * step:.1f} 0L0 {k * step:.1f}" for k in range(1, 9))
    match colour:
        case "R":
            yield Path(rising, None, ink, 8, (), -6, 0)
        case "Y":
            falling = "".join(f"M{k * step:.1f} 0l100 100" for k in range(-4, 5))
            yield Path(rising + falling, None, ink, 3.6)
        case "B":
            waves = "".join(f"M0 {8 + 14 * k}q6-8 12 0{'t12 0' * 8}" for k in range(8))
            yield Path(waves, None, ink, 4.4)
        case _:
            dots = [(5.5 + 9 * i, 5.5 + 9 * j) for i in range(11) for j in range(i % 2, 11, 2)]
            path = "".join(f"M{x - 4} {y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z" for x, y in dots)
            yield Path(path, ink)
