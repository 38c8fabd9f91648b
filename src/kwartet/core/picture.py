"""Pictures as data: shapes that a game lists and that whoever shows them draws.

A game may have a module `picture` with `draw(view)`. Lengths are in cells; x goes right, y
goes down; colours are written as in HTML. A shape may name the moves that a click on it means:
it need not know the rules for that, since only those that are legal are offered, and clicks on
several shapes leave the moves that all of them mean. What is drawn often is art: shapes that
the picture lists once, in units of their own, and stamps wherever they are needed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

Words = str | Mapping[str, str]  # the same in every language, or by the language's code
Colour = str | tuple[str, str]  # the same in both themes, or light and dark

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
    fill: Colour
    edge: Colour | None = None
    round: float = 0.0  # radius of the corners


@dataclass(frozen=True)
class Disc(Spot):
    """A circle around its middle."""

    x: float
    y: float
    radius: float
    fill: Colour
    edge: Colour | None = None


@dataclass(frozen=True)
class Area(Spot):
    """A polygon."""

    points: Sequence[tuple[float, float]]
    fill: Colour


@dataclass(frozen=True)
class Label(Spot):
    """Text around its middle, or from its left end."""

    x: float
    y: float
    text: Words
    size: float  # height of a letter
    fill: Colour = INK
    bold: bool = False
    from_left: bool = False
    even: bool = False  # every letter is as wide


@dataclass(frozen=True)
class Path:
    """Lines and curves, written as in SVG in units of their own. Not to be clicked on."""

    d: str
    fill: Colour | None = None
    edge: Colour | None = None
    line: float = 1.0  # width of the edge
    dash: Sequence[float] = ()  # lengths of lines and gaps, where the edge has some
    x: float = 0.0  # where its origin is put
    y: float = 0.0
    scale: float = 1.0  # of its units
    turn: float = 0.0  # degrees, clockwise
    mirrored: bool = False


@dataclass(frozen=True)
class Stamp:
    """The picture's art of this name, put there. Not to be clicked on."""

    art: str
    x: float
    y: float
    scale: float = 1.0
    turn: float = 0.0  # degrees, clockwise
    faint: float = 1.0  # how much of it is seen


Shape = Box | Disc | Area | Label | Path | Stamp


@dataclass(frozen=True)
class Art:
    """Shapes in units of their own, seen only inside of `clip` if that is a path."""

    shapes: Sequence[Shape]
    clip: str = ""


@dataclass(frozen=True)
class Side:
    """What a seat plays with, where its pieces have a colour."""

    fill: Colour
    name: Words
    sign: Sequence[Shape] = ()  # around 0, 0 and one unit large


@dataclass(frozen=True)
class Picture:
    """Shapes, the later above the earlier, on a sheet of this size."""

    width: float
    height: float
    shapes: Sequence[Shape]
    sides: Sequence[Side] = ()  # by seat
    art: Mapping[str, Art] = field(default_factory=dict)  # what is stamped, by name
    caption: Words = ""  # how far the match is


@dataclass(frozen=True)
class Trace:
    """Where a move lies on the board; a game tells it by `trace(view, move)`."""

    outlines: Sequence[Path]  # around what was moved, without colours
    at: tuple[float, float]  # where a sign may stand
    piece: Sequence[Shape] = ()  # what the move would lay there


_LENGTHS: Final[dict[type, tuple[str, ...]]] = {
    Box: ("width", "height", "round"),
    Disc: ("radius",),
    Label: ("size",),
    Path: ("scale",),
    Stamp: ("scale",),
}


def moved(shapes: Iterable[Shape], x: float, y: float, scale: float) -> list[Shape]:
    """The shapes so many times as large, with what was at their origin put there."""
    put: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Area):
            points = [(x + right * scale, y + down * scale) for right, down in shape.points]
            put.append(replace(shape, points=points))
        else:
            lengths = {name: getattr(shape, name) * scale for name in _LENGTHS[type(shape)]}
            put.append(replace(shape, x=x + shape.x * scale, y=y + shape.y * scale, **lengths))
    return put


def in_language(words: Words, language: str) -> str:
    """The words in this language, or else in English, or else in the first they are in."""
    if isinstance(words, str):
        return words
    return words.get(language) or words.get("en") or next(iter(words.values()), "")


def signed(number: int) -> str:
    """A number as it is printed, with a minus sign."""
    return str(number).replace("-", "−")


def written(text: str) -> Picture:
    """For a game that has no picture: its text, each line below the other."""
    lines = text.split("\n")
    shapes = [
        Label(0.5, 0.6 + 0.55 * number, line, 0.36, from_left=True, even=True)
        for number, line in enumerate(lines)
    ]
    return Picture(1 + 0.22 * max(map(len, lines)), 0.7 + 0.55 * len(lines), shapes)
