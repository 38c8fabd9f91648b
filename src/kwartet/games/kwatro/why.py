"""Why a move of Kwatro is refused, in parts that any language can be made of."""

from typing import Final, Literal, TypedDict

from kwartet.core.errors import GameError
from kwartet.games.kwatro.fit import Misfit

Reason = Literal["misfit", "taken", "joker", "hand", "late", "early", "pile", "drawn"]
Cell = tuple[int, int]

VALUE_NAMES: Final = {
    "colour": {"B": "blue", "G": "green", "R": "red", "Y": "yellow", "J": "joker"},
    "shape": {"C": "circle", "S": "square", "T": "triangle", "X": "cross", "J": "joker"},
    "number": {"J": "joker"},
}
_LATE: Final = "Cards have been laid this turn: lay more of them, or say done."


class KwatroObjection(TypedDict):
    """Why a move may not be played.

    misfit: the card may not lie on the cell, as the misfit says. taken: the card lies there
    already. joker: no joker lies on the cell. hand: the cards are not in the hand. late: cards
    have been laid this turn, more of them or done must follow. early: no card has been laid this
    turn, so nothing is done. pile: it is empty, so a pass exchanges nothing. Of chance: drawn:
    the card cannot come now.
    """

    game: Literal["kwatro"]
    reason: Reason
    cell: Cell | None
    cards: list[str]
    misfit: Misfit | None


def because(
    reason: Reason,
    *cards: str,
    cell: Cell | None = None,
    misfit: Misfit | None = None,
) -> KwatroObjection:
    """The objection with these parts."""
    return {
        "game": "kwatro",
        "reason": reason,
        "cell": cell,
        "cards": list(cards),
        "misfit": misfit,
    }


def refused(why: KwatroObjection) -> GameError:
    """The error that tells it."""
    return GameError("illegal-move", in_words(why), why)


def in_words(why: KwatroObjection) -> str:
    """The objection as a sentence."""
    cards = " ".join(why["cards"])
    cell = ",".join(str(number) for number in why["cell"] or ())
    match why["reason"]:
        case "misfit":
            assert why["misfit"]
            return _misfit_in_words(why["misfit"], cell)
        case "taken":
            return f"{cell} is taken by {cards}."
        case "joker":
            return f"There is no joker at {cell}."
        case "hand":
            return f"{cards} {'is' if len(why['cards']) == 1 else 'are'} not in the hand."
        case "late":
            return _LATE
        case "early":
            return "Lay at least one card first, or pass."
        case "pile":
            return "The pile is empty, so a pass exchanges nothing."
        case "drawn":
            return f"{cards} cannot be drawn now."


def _misfit_in_words(why: Misfit, cell: str) -> str:
    match why["reason"]:
        case "late":
            return _LATE
        case "apart":
            return f"{cell} touches no card."
        case "gap":
            return "The cards of one turn lie in one row or column without a gap."
        case "long":
            return f"A card at {cell} would make a line of more than four."
        case "joker":
            return "A joker cannot take the place of a joker."
        case "jokers":
            return f"No {why['trait']} of the jokers would make all their lines right at once."
        case "line":
            assert why["trait"]
            names = VALUE_NAMES.get(why["trait"], {})
            values = ", ".join(names.get(value, value) for value in why["values"])
            return f"The {why['axis']} is wrong: {why['trait']}: {values}."
