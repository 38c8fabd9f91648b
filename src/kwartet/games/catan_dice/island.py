"""The printed island and what is built on it, as on the page: ink and wash on parchment.

Coast, terrain and faces come from `art.json`, which `tools/art.py` makes of the page's own. Lengths
are the page's; an island is 960 × 924.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from math import atan2, degrees, hypot
from typing import Any, Final, Literal

from kwartet.core.picture import Art, Colour, Disc, Label, Path, Shape, Stamp
from kwartet.games.catan_dice.view import Sheet

Look = Literal["built", "next", "locked"]
FREE: Final = "free"  # the road that is there from the start
SEA, WATER = ("#dce7e3", "#16252b"), ("#a9c4c1", "#2c4a54")
LAND, SHORE, LAKE, RIPPLE = (
    ("#efe0bc", "#4a4436"),
    ("#6b5434", "#0b0f11"),
    ("#a9cbd0", "#234652"),
    ("#7faeb6", "#3b6874"),
)
PEN, PENCIL, PAPER = ("#3b2e1f", "#e9ddc4"), ("#6f5c42", "#c5b797"), ("#fffaee", "#26241e")
OWN, OWN_DARK, BLACK, BONE, GOLD = "#b5532a", "#7e3415", "#2e1b10", "#fff9ec", "#e3a92b"
SHEET: Final = ("#fbf5e7", "#1b2225")
TERRAIN_INK: Final = ("#4a3b28", "#12100c")
GHOST: Final = ("#fffaee8c", "#26241e8c")
SHADOW: Final = "#00000057"
TERRAIN: Final = {  # ground, light, dark
    "ore": (("#b9bfc4", "#4f585f"), ("#d3d7d8", "#7a848a"), ("#868f97", "#39424a")),
    "grain": (("#ebcb72", "#83691f"), ("#f3dc93", "#9c8030"), ("#e2b94f", "#6f5718")),
    "wool": (("#bfd28e", "#56692f"), ("#d2e0a8", "#6c8040"), ("#a2ba6c", "#435424")),
    "timber": (("#8fb08c", "#2f4b39"), ("#5e8b67", "#4d7a5c"), ("#3c6a4c", "#24402f")),
    "brick": (("#dda283", "#7b4630"), ("#ce7f5b", "#a2603f"), ("#a75a3a", "#5c2f1e")),
    "desert": (("#f1ddae", "#776648"), ("#f8eac8", "#93815e"), ("#ddbf83", "#5f5037")),
}
FACES: Final = {  # base, light, dark
    "o": ("#98a3ad", "#d5dbdf", "#5f6b77"),
    "g": ("#e2a91c", "#f6cd55", "#777777"),
    "w": ("#ffffff", "#ffffff", "#777777"),
    "t": ("#4f8a5d", "#ffffff", "#2f6440"),
    "b": ("#c4603a", "#d9805a", "#94401f"),
    "$": ("#f0be45", "#ffe7a0", "#cb9220"),
    "any": ("#f3e7cb", "#ffffff", "#777777"),
}
FACE_INK: Final = "#33281b"
JOKERS: Final = ("o", "g", "w", "t", "b", "any")
WATERS: Final = ((104, 100), (78, 74.6), (54, 51), (32, 29.4))  # lines around the coast
WAVES: Final = (
    *((62, 128), (900, 150), (30, 700), (70, 742), (880, 716), (470, 36)),
    *((906, 806), (44, 640), (912, 636), (110, 96), (850, 104)),
)
SHIELD: Final = (
    "M0-45C12-38 24-36 36-36V0C36 22 18 38 0 47C-18 38-36 22-36 0V-36C-24-36-12-38 0-45Z"
)
OUTLINES: Final = {
    "settlement": "M-34 36V-2L-42-4 0-44 42-4 34-2V36Z",
    "city": "M-48 38V-14H-54L-30-56-8-18 4-26H38L54 0 48 2V38Z",
    "knight": SHIELD,
}
WALLS: Final = {
    "settlement": "M-34 36V-8L0-40 34-8V36Z",
    "city": "M-48 38V-16H-12V-2H48V38Z",
    "knight": SHIELD,
}
ROOFS: Final = {
    "settlement": "M-45-3 0-46 45-3 37 5 0-30-37 5Z",
    "city": "M-55-14-30-58-5-14ZM-12 2 4-26H38L55 2Z",
    "knight": "M0-45C12-38 24-36 36-36V-18H-36V-36C-24-36-12-38 0-45Z",
}
RINGS: Final = {
    "settlement": "M-44 44V8L-56-2 0-56 56-2 44 8V44Z",
    "city": "M-58 48V-6L-66-10-32-70-4-26-2-34H42L64 0 56 6V48Z",
    "knight": "M0-58C16-49 31-47 47-47V0C47 29 23 49 0 61C-23 49-47 29-47 0V-47C-31-47-16-49 0-58Z",
}
LOW: Final = {"settlement": 16, "city": 21, "knight": 10}  # where its points are written


@cache
def told() -> Any:
    """What the page's own modules tell of the island."""
    return json.loads(files(__package__).joinpath("art.json").read_text(encoding="utf-8"))


def built_on(sheet: Sheet) -> set[str]:
    """Everything built on a sheet."""
    return {FREE, *sheet["roads"], *sheet["settlements"], *sheet["cities"], *sheet["knights"]}


def pieces(sheet: Sheet) -> Iterator[Shape]:
    """All that is or may be built, in the island's own units: solid, in line next, or dotted."""
    built = built_on(sheet)

    def look(name: str, needs: Sequence[str]) -> Look:
        if name in built:
            return "built"
        return "next" if built.issuperset(needs) else "locked"

    for road in told()["roads"]:
        yield from _road(road, look(road["id"], [road["needs"]]))
    for joint in told()["joints"]:
        is_built = not built.isdisjoint(joint["roads"])
        yield Path(
            "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0Z",
            *((OWN_DARK, OWN_DARK) if is_built else (LAND, PENCIL)),
            *(2.4, (), *joint["at"]),
        )
    for site in told()["sites"]:
        yield from _site(site, look(site["id"], site["needs"]))
    for number, hex_ in enumerate(told()["hexes"], 1):
        x, y = hex_["at"]
        state = "ready" if number in sheet["jokers"] else "used"
        yield Stamp(f"joker-{number}-{state if f'K{number}' in built else 'none'}", x + 44, y + 2)


def ring(name: str) -> tuple[Path, tuple[float, float]] | None:
    """The outline around a road or a site and where a sign may stand; None for anything else."""
    for road in told()["roads"]:
        if road["id"] == name:
            x, y, width, angle = _lying(road)
            half = width / 2 + 5
            halo = f"M{18 - half} -18H{half - 18}a18 18 0 0 1 0 36H{18 - half}a18 18 0 0 1 0 -36Z"
            return Path(halo, x=x, y=y, turn=angle), (x, y - 34)
    for site in told()["sites"]:
        if site["id"] == name:
            x, y = site["at"]
            return Path(RINGS[site["kind"]], x=x, y=y), (x + 40, y - 44)
    return None


def piece(name: str) -> Iterator[Shape]:
    """A road or a site as if it was built."""
    yield from (s for road in told()["roads"] if road["id"] == name for s in _road(road, "built"))
    yield from (s for site in told()["sites"] if site["id"] == name for s in _site(site, "built"))


def _lying(road: Mapping[str, Any]) -> tuple[float, float, float, float]:
    """A road's middle, length and angle."""
    (x, y), (to_x, to_y) = road["from"], road["to"]
    right, down = to_x - x, to_y - y
    return x + right / 2, y + down / 2, hypot(right, down) - 18, degrees(atan2(down, right))


def _road(road: Mapping[str, Any], look: Look) -> Iterator[Shape]:
    x, y, width, angle = _lying(road)
    half = width / 2
    bar = (
        f"M{10 - half:.1f} -10H{half - 10:.1f}a10 10 0 0 1 0 20H{10 - half:.1f}a10 10 0 0 1 0 -20Z"
    )
    if look == "locked":
        yield Path(bar, GHOST, PENCIL, 3.2, (0.1, 7), x, y, turn=angle)
    elif look == "next":
        yield Path(bar, PAPER, PEN, 3, (), x, y, turn=angle)
    else:
        yield Path(bar, SHADOW, x=x, y=y + 6, turn=angle)
        yield Path(bar, OWN, BLACK, 3, (), x, y, turn=angle)
        grain = f"M{12 - half:.1f} -3H{half - 30:.1f}M{30 - half:.1f} 4H{half - 12:.1f}"
        yield Path(grain, None, OWN_DARK, 2, (), x, y, turn=angle)
    if road["id"] == FREE:
        yield Path("M0-6V-46M0-46 24-38 0-30", OWN, BLACK, 3, (), x, y)


def _site(site: Mapping[str, Any], look: Look) -> Iterator[Shape]:
    (x, y), kind = site["at"], site["kind"]
    yield Stamp(f"{kind}-{look}", x, y)
    right = (3 if site["points"] > 9 else 12) if kind == "city" else 0
    ink: Colour = BLACK if look == "built" else PEN if look == "next" else PENCIL
    yield Label(x + right, y + LOW[kind], str(site["points"]), 36, ink, bold=True)


# What is drawn often --------------------------------------------------------------------


@cache
def art() -> dict[str, Art]:
    """Land, sites, jokers and faces."""
    sites = {f"{kind}-{look}": Art([*_look(kind, look)]) for kind in WALLS for look in _LOOKS}
    jokers = {
        f"joker-{number}-{state}": Art([*_joker(face, state)])
        for number, face in enumerate(JOKERS, 1)
        for state in ("none", "ready", "used")
    }
    faces = {f"face-{face}": Art([*_face(face)]) for face in FACES}
    hexes = {f"hex-{kind}": Art([*_hex(kind)], told()["hex"]) for kind in TERRAIN}
    return {**faces, **hexes, "land": Art([*_land()], "M0 0H960V924H0Z"), **sites, **jokers}


_LOOKS: Final[tuple[Look, ...]] = ("built", "next", "locked")


def _land() -> Iterator[Shape]:
    """Sea, land, lake and terrain: the sheet as it is printed."""
    coast, lake, (x, y) = told()["coast"], told()["lake"], told()["centre"]
    for line, between in WATERS:
        yield Path(coast, None, WATER, line)
        yield Path(coast, None, SEA, between)
    waves = "".join(f"M{right} {down}q6.5-7 13 0t13 0" for right, down in WAVES)
    yield Path(waves, None, WATER, 3)
    yield from _compass(86, 826, 1.15)
    yield from _boat(870, 838, 1.1)
    yield Path(coast, ("#6b543459", "#0b0f1159"), y=7)
    yield Path(coast, LAND, SHORE, 3)
    yield Path(lake, LAKE, SHORE, 2.6)
    for scale in (0.86, 0.72):
        yield Path(lake, None, RIPPLE, 2 / scale, (), x * (1 - scale), y * (1 - scale), scale)
    yield from _boat(x + 2, y + 4, 0.86)
    for hex_ in told()["hexes"]:
        yield Stamp(f"hex-{hex_['terrain']}", *hex_["at"])
        yield Path(told()["hex"], None, ("#4a3b288c", "#12100c8c"), 2, (), *hex_["at"])


def _compass(x: float, y: float, scale: float) -> Iterator[Shape]:
    for radius in (34, 27):
        arc = f"a{radius} {radius} 0 1 0 "
        circle = f"M{-radius} 0{arc}{2 * radius} 0{arc}{-2 * radius} 0Z"
        yield Path(circle, None, PENCIL, 0.9, (), x, y, scale)
    dark = "M0-44 7-7 0 0ZM44 0 7 7 0 0ZM0 44-7 7 0 0ZM-44 0-7-7 0 0Z"
    light = "M0-44-7-7 0 0ZM44 0 7-7 0 0ZM0 44 7 7 0 0ZM-44 0-7 7 0 0Z"
    yield Path(dark, PENCIL, PENCIL, 1.2, (), x, y, scale)
    yield Path(light, SHEET, PENCIL, 1.2, (), x, y, scale)


def _boat(x: float, y: float, scale: float) -> Iterator[Shape]:
    at = (2, (), x, y, scale)
    yield Path("M-26 6H28C24 18 16 22 4 22H-8C-18 22-24 16-26 6Z", OWN, PENCIL, *at)
    sail = "M2-40C20-30 24-12 22 2H2ZM-3-32C-16-22-20-10-20 2H-3Z"
    yield Path(sail, ("#fffbf0", "#d8d2c2"), PENCIL, *at)
    yield Path("M0 6V-46", None, PENCIL, *at)


def _hex(kind: str) -> Iterator[Shape]:
    ground, light, dark = TERRAIN[kind]
    fills: dict[str, Colour] = {
        "cd-light": light,
        "cd-dark": dark,
        "cd-snow": ("#fffdf6", "#d9dbd6"),
        "cd-face": TERRAIN_INK,
        "cd-dot": ("#4a3b2880", "#12100c80"),
    }
    lines = {"cd-thin": 1.8, "cd-trunk": 5.0, "cd-line": 1.8, "cd-cactus": 7.0}
    edges: dict[str, Colour] = {"cd-cactus": ("#5b7a48", "#7f9c66")}
    edges |= dict.fromkeys(("cd-ink", "cd-thin", "cd-trunk", "cd-line"), TERRAIN_INK)
    yield Path(told()["hex"], ground)
    for looks, path, opacity, *placed in told()["terrain"][kind]:
        first, last = looks.split()[0], looks.split()[-1]
        fill = fills.get(first)
        if isinstance(fill, tuple) and opacity < 1:
            fill = (f"{fill[0]}{round(255 * opacity):02x}", f"{fill[1]}{round(255 * opacity):02x}")
        x, y, across, scale = placed or (0, 0, 1, 1)
        drawn = Path(path, fill, edges.get(last), lines.get(last, 2.2), (), x, y, scale)
        yield replace(drawn, mirrored=across < 0)


def _look(kind: str, look: Look) -> Iterator[Shape]:
    if look == "locked":
        yield Path(OUTLINES[kind], GHOST, PENCIL, 3.2, (0.1, 7))
        return
    is_built = look == "built"
    edge: Colour = BLACK if is_built else PEN
    if is_built:
        yield Path(OUTLINES[kind], SHADOW, y=7)
        if kind == "knight":
            yield Path("M-40 44 34-38M34-38 40-50 28-42M22-38 36-24", None, BLACK, 6)
    yield Path(WALLS[kind], "#fff6e2" if is_built else PAPER, edge, 3)
    yield Path(ROOFS[kind], OWN if is_built else ("#e0d9cd", "#454137"), edge, 3)
    if kind == "city":
        yield Path("M-35-2V-8A5 5 0 0 1-25-8V-2Z", edge)


def _joker(face: str, state: str) -> Iterator[Shape]:
    rim = "M-34 0a34 34 0 1 0 68 0a34 34 0 1 0 -68 0Z"
    if state == "ready":
        yield Disc(0, 4, 34, SHADOW)
        yield Path(rim, GOLD, BLACK, 3)
        yield Path("M-27 0a27 27 0 1 0 54 0a27 27 0 1 0 -54 0Z", "#fff6e2", BLACK, 2)
    else:
        wash = ("#fffaee99", "#c9bc9e99") if state == "none" else ("#fffaeed9", "#c9bc9ed9")
        yield Path(rim, wash, PENCIL, 2.2, (2, 6) if state == "none" else ())
    faint = {"none": 0.62, "ready": 1.0, "used": 0.35}[state]
    yield Stamp(f"face-{face}", -19, -19, 1.19, faint=faint)
    if state == "used":
        strike = "M-30 22C-10 6 10-6 30-24M-28-20C-8-6 10 8 28 24"
        yield Path(strike, None, (OWN_DARK, "#de8a5f"), 6)


def _face(face: str) -> Iterator[Shape]:
    """A face's drawing on a square of 32."""
    fills = dict(zip(("base", "light", "dark"), FACES[face], strict=True))
    for tone, path in told()["faces"][face]:
        match tone:
            case "line" | "leg":
                yield Path(path, None, FACE_INK, 1.7 if tone == "line" else 2.5)
            case "thin":
                yield Path(path, None, FACE_INK + "bf", 1.1)
            case "black":
                yield Path(path, FACE_INK, FACE_INK, 1.7)
            case _:
                yield Path(path, fills[tone])
