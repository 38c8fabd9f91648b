"""Why a move of Carat is refused, in parts that any language can be made of."""

from typing import Literal, TypedDict

from kwartet.core.errors import GameError

Reason = Literal["hand", "taken", "edge", "apart", "chip", "points", "drawn"]


class CaratObjection(TypedDict):
    """Why a move may not be played.

    hand: the tile is not in the hand. taken: a tile lies on the cell. edge: the first tile goes
    on an inner cell. apart: the cell shares no side with a tile. Of chance: chip: none of this
    number is left; points: only this number of points is free; drawn: the tile is not in the
    stock.
    """

    game: Literal["carat"]
    reason: Reason
    cell: str | None
    tile: str | None
    number: int | None


def because(
    reason: Reason, *, cell: str | None = None, tile: str | None = None, number: int | None = None
) -> CaratObjection:
    """The objection with these parts."""
    return {"game": "carat", "reason": reason, "cell": cell, "tile": tile, "number": number}


def refused(why: CaratObjection) -> GameError:
    """The error that tells it."""
    return GameError("illegal-move", in_words(why), why)


def in_words(why: CaratObjection) -> str:
    """The objection as a sentence."""
    cell, tile, number = why["cell"], why["tile"], why["number"]
    match why["reason"]:
        case "hand":
            return f"{tile} is not in the hand."
        case "taken":
            return f"{cell} is taken."
        case "edge":
            return f"{cell} is on the edge; the first tile goes on an inner cell."
        case "apart":
            return f"{cell} shares no side with a placed tile."
        case "chip":
            return f"There is no chip {number} left: there are ten each of 1 to 4 and nine of 5."
        case "points":
            return f"There are {number} points left for chips."
        case "drawn":
            return f"{tile} has been drawn already."
