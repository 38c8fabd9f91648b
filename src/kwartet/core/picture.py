"""Pictures as data: shapes that a game lists and that whoever shows them draws.

A game may have a module `picture` with `draw(view)`. Lengths are in cells; x goes right, y
goes down; colours are written as in HTML.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

INK, FAINT, PAPER, FELT = "#22303c", "#8b98a3", "#fdfbf7", "#e9e4da"
RED, GREEN, BLUE, YELLOW = "#c0392b", "#2e8b57", "#2f6f9f", "#d9a514"
COLOURS: Final = {"R": RED, "G": GREEN, "B": BLUE, "Y": YELLOW}


@dataclass(frozen=True)
class Box:
    """A rectangle from its corner at the top left."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str | None = None
    round: float = 0.0  # radius of the corners


@dataclass(frozen=True)
class Disc:
    """A circle around its middle."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str | None = None


@dataclass(frozen=True)
class Area:
    """A polygon."""

    points: Sequence[tuple[float, float]]
    fill: str


@dataclass(frozen=True)
class Label:
    """Text around its middle, or from its left end."""

    x: float
    y: float
    text: str
    size: float  # height of a letter
    fill: str = INK
    bold: bool = False
    from_left: bool = False


Shape = Box | Disc | Area | Label


@dataclass(frozen=True)
class Picture:
    """Shapes, the later above the earlier, on a sheet of this size."""

    width: float
    height: float
    shapes: Sequence[Shape]
