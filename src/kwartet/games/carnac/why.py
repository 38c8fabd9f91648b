"""Why a move of Carnac is refused, in parts that any language can be made of."""

from typing import Literal, TypedDict

Reason = Literal["place", "tilt", "outside", "taken", "fall"]
Direction = Literal["N", "E", "S", "W"]


class CarnacObjection(TypedDict):
    """Why a move may not be played.

    place: there is no stone to tilt or to leave, place one. tilt: first the stone on the square
    falls or is left standing. outside: the board has no such square. taken: the square is not
    empty. fall: the stone on the square cannot fall in this direction, because squares where it
    would lie are outside or taken.
    """

    game: Literal["carnac"]
    reason: Reason
    square: str | None
    direction: Direction | None
    outside: bool
    taken: list[str]


def because(
    reason: Reason,
    square: str | None = None,
    direction: Direction | None = None,
    *,
    outside: bool = False,
    taken: list[str] | None = None,
) -> CarnacObjection:
    """The objection with these parts."""
    return {
        "game": "carnac",
        "reason": reason,
        "square": square,
        "direction": direction,
        "outside": outside,
        "taken": taken or [],
    }


def in_words(why: CarnacObjection) -> str:
    """The objection as a sentence."""
    square = why["square"]
    match why["reason"]:
        case "place":
            return "There is no stone to tilt or to leave; place one."
        case "tilt":
            return f"First tilt the stone on {square}, or let it stand."
        case "outside":
            return f"{square} is not on the board."
        case "taken":
            return f"{square} is not empty."
        case "fall":
            obstacles = [f"{other} is not empty" for other in why["taken"]]
            obstacles += ["the board ends there"] * why["outside"]
            return f"The stone cannot fall {why['direction']}: {' and '.join(obstacles)}."
