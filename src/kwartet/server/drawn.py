"""What a page draws that has no board for a game: pictures as types."""

from typing import Annotated

from msgspec import Meta, Struct

Length = Annotated[float, Meta(ge=-1000, le=1000)]  # in cells
Outline = Annotated[
    str, Meta(max_length=60_000, pattern=r"^[MLHVCSQTAZmlhvcsqtaz0-9 .,e-]*$")
]  # as in SVG
Colour = Annotated[str, Meta(pattern=r"^(#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,20})$")]
Told = Annotated[str, Meta(max_length=500)]
Moves = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=2000)]


class ShapeView(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A part of a picture. Of its moves those that are legal may be played by it."""

    name: Told = ""  # for who cannot see it
    moves: Moves = []


class Box(ShapeView, frozen=True, tag="box"):
    """A rectangle from its corner at the top left."""

    x: Length
    y: Length
    width: Length
    height: Length
    fill: Colour
    edge: Colour | None
    round: Length  # radius of the corners


class Disc(ShapeView, frozen=True, tag="disc"):
    """A circle around its middle."""

    x: Length
    y: Length
    radius: Length
    fill: Colour
    edge: Colour | None


class Area(ShapeView, frozen=True, tag="area"):
    """A polygon."""

    points: Annotated[list[tuple[Length, Length]], Meta(max_length=1000)]
    fill: Colour


class Label(ShapeView, frozen=True, tag="label"):
    """Text around its middle, or from its left end."""

    x: Length
    y: Length
    text: Told
    size: Length  # height of a letter
    fill: Colour
    bold: bool
    from_left: bool


class Path(Struct, frozen=True, tag_field="kind", tag="path"):
    """Lines and curves as in SVG, in units of their own, put where x and y are."""

    d: Outline
    fill: Colour | None
    edge: Colour | None
    line: Length  # width of the edge, in its units
    dash: Annotated[list[Length], Meta(max_length=8)]
    x: Length
    y: Length
    scale: Length
    turn: Length  # degrees, clockwise
    mirrored: bool


class Stamp(Struct, frozen=True, tag_field="kind", tag="stamp"):
    """The picture's art of this name, put there."""

    art: Annotated[str, Meta(max_length=60)]
    x: Length
    y: Length
    scale: Length
    turn: Length  # degrees, clockwise
    faint: Length  # how much of it is seen, from 0 to 1


Shape = Box | Disc | Area | Label | Path | Stamp


class Art(Struct, frozen=True):
    """Shapes that are stamped, in units of their own; seen inside of `clip` if that is a path."""

    shapes: Annotated[list[Shape], Meta(max_length=1000)]
    clip: Outline


class Side(Struct, frozen=True):
    """What a seat plays with, where its pieces have a colour."""

    fill: Colour
    name: Told


class Picture(Struct, frozen=True):
    """A match as the watcher may see it after `ply` moves, as shapes, the later above."""

    ply: int
    movers: list[int | None]  # who played each move until then; None: chance
    width: Length
    height: Length
    shapes: Annotated[list[Shape], Meta(max_length=5000)]
    sides: Annotated[list[Side], Meta(max_length=8)]  # by seat; none where they have no colours
    art: Annotated[
        dict[str, Art], Meta(max_length=200)
    ]  # what is stamped; each uses those before it
