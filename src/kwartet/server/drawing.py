"""A match as a picture for one watcher, made of what the match lets them see.

The game's shapes are checked and bounded by the types of the wire, whoever wrote the game.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kwartet.core.errors import GameError
from kwartet.core.picture import Colour, Shape, in_language
from kwartet.server.drawn import Picture

if TYPE_CHECKING:
    from kwartet.core.match import Match

DIGITS: Final = 5  # of lengths, in cells


def draw(match: "Match", movers: Sequence[int | None], seat: int | None, language: str) -> Picture:
    """What the seat (None: a spectator) saw after the moves that these had made."""
    ply = len(movers)
    if ply < match.ply:
        past = match.beginning()
        past.follow(match.moves[:ply])
        match = past
    picture = match.picture(seat)
    shapes = [_shape(shape, language) for shape in picture.shapes]
    drawn = _rounded({"width": picture.width, "height": picture.height, "shapes": shapes})
    art = {
        name: {"shapes": [_shape(shape, language) for shape in one.shapes], "clip": one.clip}
        for name, one in picture.art.items()
    }
    sides = [
        {"fill": _colour(side.fill), "name": in_language(side.name, language)}
        for side in picture.sides
    ]
    drawn |= {"ply": ply, "movers": list(movers), "sides": sides, "art": _rounded(art)}
    try:
        return msgspec.convert(drawn, Picture)
    except msgspec.ValidationError as error:
        raise GameError("no-picture", f"The picture cannot be sent: {error}.") from None


def _shape(shape: Shape, language: str) -> dict[str, Any]:
    drawn = asdict(shape) | {"kind": type(shape).__name__.lower()}
    for name in ("name", "text"):
        if name in drawn:
            drawn[name] = in_language(drawn[name], language)
    for name in ("fill", "edge"):
        if name in drawn:
            drawn[name] = _colour(drawn[name])
    return drawn


def _colour(colour: Colour | None) -> str | None:
    """By day: the page dims the sheet at night."""
    return colour[0] if isinstance(colour, tuple) else colour


def _rounded(value: Any) -> Any:
    match value:
        case float():
            return round(value, DIGITS)
        case dict():
            return {name: _rounded(part) for name, part in value.items()}
        case list() | tuple():
            return [_rounded(part) for part in value]
    return value
