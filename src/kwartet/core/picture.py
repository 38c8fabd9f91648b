"""Pictures as data: shapes that a game lists and that whoever shows them draws.

A game may have a module `picture` with `draw(view)`. Lengths are in cells; x goes right, y
goes down; colours are written as in HTML. A shape may name the moves that a click on it means:
it need not know the rules for that, since only those that are legal are offered, and clicks on
several shapes leave the moves that all of them mean.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Words = str | Mapping[str, str]  # the same in every language, or by the language's code

INK, FAINT, PAPER, FELT = "#22303c", "#8b98a3", "#fdfbf7", "#e9e4da"
RED, GREEN, BLUE, YELLOW = "#c0392b", "#2e8b57", "#2f6f9f", "#d9a514"
COLOURS: Final = {"R": RED, "G": GREEN, "B": BLUE, "Y": YELLOW}


@dataclass(frozen=True, kw_only=True)
class Spot:
    """What every shape may have besides its looks."""

    name: Words = ""  # what it is, for who cannot see it
    moves: Sequence[str] = ()  # in notation


@dataclass(frozen=True)
class Box(Spot):
    """A rectangle from its corner at the top left."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str | None = None
    round: float = 0.0  # radius of the corners


@dataclass(frozen=True)
class Disc(Spot):
    """A circle around its middle."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str | None = None


@dataclass(frozen=True)
class Area(Spot):
    """A polygon."""

    points: Sequence[tuple[float, float]]
    fill: str


@dataclass(frozen=True)
class Label(Spot):
    """Text around its middle, or from its left end."""

    x: float
    y: float
    text: Words
    size: float  # height of a letter
    fill: str = INK
    bold: bool = False
    from_left: bool = False


Shape = Box | Disc | Area | Label


@dataclass(frozen=True)
class Side:
    """What a seat plays with, where its pieces have a colour."""

    fill: str
    name: Words


@dataclass(frozen=True)
class Picture:
    """Shapes, the later above the earlier, on a sheet of this size."""

    width: float
    height: float
    shapes: Sequence[Shape]
    sides: Sequence[Side] = ()  # by seat


def in_language(words: Words, language: str) -> str:
    """The words in this language, or else in English, or else in the first they are in."""
    if isinstance(words, str):
        return words
    return words.get(language) or words.get("en") or next(iter(words.values()), "")


def written(text: str) -> Picture:
    """For a game that has no picture: its text, each line below the other."""
    lines = text.split("\n")
    shapes = [
        Label(0.5, 0.6 + 0.55 * number, line, 0.36, from_left=True)
        for number, line in enumerate(lines)
    ]
    return Picture(1 + 0.22 * max(map(len, lines)), 0.7 + 0.55 * len(lines), shapes)
