"""Draws what the documentation shows of the games and of the software, from the real thing.

The boards are positions of the lessons on the page, without words, so that a reader of any
language sees the same; the packages are those that import each other. `--check` only says
whether a picture has drifted.
"""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import grimp

import lessons
from kwartet.core.svg import canvas_of, svg
from kwartet.games import find

PICTURES: Final = Path(__file__).parents[1] / "docs/pictures"
LONGEST: Final = 520  # pixels
# Which frame of which section of a game's lesson.
BOARDS: Final = {
    "carat-settled": ("carat", "settle", 0),
    "carat-tie": ("carat", "tie", 2),
    "carnac-standing": ("carnac", "fall", 0),
    "carnac-fallen": ("carnac", "fall", 1),
    "carnac-dolmens": ("carnac", "dolmen", 0),
    "catan_dice-built": ("catan_dice", "roll", 3),
    "kwatro-line": ("kwatro", "line", 3),
    "kwatro-score": ("kwatro", "score", 2),
    "kwatro-joker": ("kwatro", "joker", 1),
}
# As the contract in pyproject.toml has them, from the top; each imports from those below.
LAYERS: Final = (
    ("cli",),
    ("client",),
    ("envs", "server", "learning"),
    ("reviews",),
    ("arena",),
    ("bots", "store"),
    ("games",),
    ("core",),
)
PACKAGES: Final = tuple(package for layer in LAYERS for package in layer)
WIDTH, HIGH, GAP, STEP = 150, 44, 34, 92  # of a box; between boxes; from a layer to the next
ACROSS: Final = 640
INK, FAINT, PAPER = "#1e2326", "#565a57", "#fcf9f3"


def board(game: str, section: str, frame: int) -> str:
    """A position of a lesson, the board alone."""
    (shown,) = [each for each in _sections(game) if each["title"] == f"@{section}_title"]
    pictures = find(game).pictures
    assert pictures
    return svg(canvas_of(pictures.draw(shown["frames"][frame]["view"])), LONGEST)


@cache
def _sections(game: str) -> list[dict[str, Any]]:
    sections: list[dict[str, Any]] = lessons.LESSONS[game]()["sections"]
    return sections


def imports() -> dict[str, set[str]]:
    """Which packages of ours each of them imports from."""
    graph = grimp.build_graph("kwartet", cache_dir=None)
    found = {}
    for importer in PACKAGES:
        inside = {f"kwartet.{importer}", *graph.find_descendants(f"kwartet.{importer}")}
        modules = {
            imported
            for module in inside
            for imported in graph.find_modules_directly_imported_by(module)
        }
        named = {module.split(".")[1] for module in modules if module.count(".")}
        found[importer] = (named & set(PACKAGES)) - {importer}
    return found


def arrows() -> list[tuple[str, str]]:
    """Who imports from whom, without what follows from other arrows."""
    direct = imports()

    def reached(package: str) -> set[str]:
        return direct[package].union(*(reached(below) for below in direct[package]))

    return [
        (importer, imported)
        for importer in PACKAGES
        for imported in sorted(direct[importer])
        if not any(imported in reached(other) for other in direct[importer])
    ]


def architecture() -> str:
    """The packages in their layers, with arrows to what they import from."""
    places: dict[str, tuple[float, float]] = {
        package: (
            ACROSS / 2 + (index - (len(layer) - 1) / 2) * (WIDTH + GAP),
            30 + STEP * row,
        )
        for row, layer in enumerate(LAYERS)
        for index, package in enumerate(layer)
    }
    height = 60 + STEP * (len(LAYERS) - 1)
    body = "".join([*_arrows(places), *_boxes(places)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{ACROSS}" height="{height}" '
        f'viewBox="0 0 {ACROSS} {height}" role="img" font-family="ui-sans-serif, system-ui, '
        'sans-serif"><title>What imports what, from the commands down to the core</title>'
        f'<rect width="{ACROSS}" height="{height}" rx="8" fill="#f4efe6"/>{body}</svg>\n'
    )


def _arrows(places: dict[str, tuple[float, float]]) -> Iterator[str]:
    """A curve for each pair; those that pass layers go around the boxes in between."""
    for importer, imported in arrows():
        (x0, y0), (x1, y1) = places[importer], places[imported]
        top, end = y0 + HIGH / 2, y1 - HIGH / 2
        passes = y1 - y0 > STEP
        first, last = (x0, top + 50), (x1, end - 60)
        if passes and x1 < x0:  # down to the right end of the box
            x1 += WIDTH / 2 - 18
            first, last = (x0 + 25, end - 30), (x1 + 10, end - 60)
        elif passes and x0 == ACROSS / 2:
            first, last = (x0 + 170, top + 50), (x1 + 85, end - 60)
        path = (
            f"M{x0:g} {top:g}C{first[0]:g} {first[1]:g} {last[0]:g} {last[1]:g} {x1:g} {end - 8:g}"
        )
        yield (
            f'<path d="{path}" fill="none" stroke="{FAINT}" stroke-width="2"/>'
            f'<path d="M{x1 - 6:g} {end - 10:g}h12l-6 10z" fill="{FAINT}"/>'
        )


def _boxes(places: dict[str, tuple[float, float]]) -> Iterator[str]:
    for package, (x, y) in places.items():
        yield (
            f'<rect x="{x - WIDTH / 2:g}" y="{y - HIGH / 2:g}" width="{WIDTH}" height="{HIGH}" '
            f'rx="8" fill="{PAPER}" stroke="{INK}"/><text x="{x:g}" y="{y + 6:g}" '
            f'text-anchor="middle" font-size="17" fill="{INK}">{package}</text>'
        )


def drawn() -> Iterator[tuple[Path, str]]:
    """Every picture with its place."""
    for name, shown in BOARDS.items():
        yield PICTURES / f"{name}.svg", board(*shown)
    yield PICTURES / "architecture.svg", architecture()


def main() -> None:
    """Write the pictures, or say which have drifted."""
    changed = []
    for path, text in drawn():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            changed.append(path)
    if "--check" in sys.argv:
        sys.exit(f"Run `python tools/diagrams.py`: {changed}" if changed else 0)
    for path, text in drawn():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
