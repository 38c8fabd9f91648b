"""Why a move of the Catan dice game is refused, in parts that any language can be made of."""

from typing import Final, Literal, TypedDict

from kwartet.core.errors import GameError

Reason = Literal[
    "rolling",
    "stands",
    "dice",
    "knight",
    "used",
    "new",
    "same",
    "face",
    "gold",
    "built",
    "order",
    "road",
    "cost",
    "count",
]

FACE_NAMES: Final = {
    "o": "ore",
    "g": "grain",
    "w": "wool",
    "t": "timber",
    "b": "brick",
    "$": "gold",
}


class CatanDiceObjection(TypedDict):
    """Why a move may not be played.

    rolling: the dice may still be rolled, keep some or stop first. stands: the result of the
    dice stands. dice: of the faces to keep, some are missing. knight: it has not been built.
    used: its joker has been used. new: it was built this turn, its joker is for later turns.
    same: a joker does not turn a die to the face it shows. face: no die shows it. gold: a trade
    takes two, these are missing. built: the site has been built. order: the site it needs comes
    first. road: the road it needs has not been built. cost: it costs these faces, and some are
    missing. Of chance: count: this number of dice is rolled, not as
    many as these faces.
    """

    game: Literal["catan_dice"]
    reason: Reason
    site: str | None  # a road, settlement, city or knight
    needs: str | None  # another one
    faces: str  # a letter a die
    missing: str
    number: int | None  # of a knight, from 1; of dice


def because(
    reason: Reason,
    *,
    site: str | None = None,
    needs: str | None = None,
    faces: str = "",
    missing: str = "",
    number: int | None = None,
) -> CatanDiceObjection:
    """The objection with these parts."""
    return {
        "game": "catan_dice",
        "reason": reason,
        "site": site,
        "needs": needs,
        "faces": faces,
        "missing": missing,
        "number": number,
    }


def refused(why: CatanDiceObjection) -> GameError:
    """The error that tells it."""
    return GameError("illegal-move", in_words(why), why)


def in_words(why: CatanDiceObjection) -> str:
    """The objection as a sentence."""
    knight, site, missing = f"Knight {why['number']}", why["site"], why["missing"]
    match why["reason"]:
        case "rolling":
            return "The dice may still be rolled again: keep some, or stop first."
        case "stands":
            return "The result of the dice stands."
        case "dice":
            return f"{why['faces']} cannot be kept; the dice lack {missing}."
        case "knight":
            return f"{knight} has not been built."
        case "used":
            return f"{knight}'s joker has been used."
        case "new":
            return f"{knight} was built this turn; its joker is for later turns."
        case "same":
            return "A joker does not turn a die to the face it shows."
        case "face":
            return f"No die shows {FACE_NAMES[why['faces']]}."
        case "gold":
            return f"A trade takes two gold dice; the dice lack {missing}."
        case "built":
            return f"{site} has been built."
        case "order":
            return f"{why['needs']} comes before {site}."
        case "road":
            return f"{site} needs the road {why['needs']}."
        case "cost":
            return f"{site} costs {why['faces']}; the dice lack {missing}."
        case "count":
            return f"{why['number']} dice are rolled, not {len(why['faces'])}."
