"""How much work goes into a review."""

from dataclasses import dataclass
from typing import Final

from kwartet.core.errors import GameError, quoted, some_of


@dataclass(frozen=True)
class Care:
    """What is done for a decision and for a moment of chance."""

    name: str
    effort: float  # of one search, in units of √(1000 · the judge's simulations)
    searches: int  # of each move that is weighed; they tell the error
    screening: int  # of that effort, to find the moves worth weighing
    options: int  # that are weighed besides the move played
    outcomes: int  # of chance that are looked at; all of them where they are not more
    rolls: int  # matches played on after the outcome that came, and as many after all others
    nodes: int  # of an ending's proof


CARES: Final = {
    care.name: care
    for care in (
        Care("quick", 0.3, 4, 4, 2, 64, 200, 50_000),
        Care("normal", 1.2, 4, 4, 2, 64, 500, 500_000),
        Care("thorough", 8.0, 6, 6, 4, 512, 5_000, 20_000_000),
    )
}


def care_of(name: object) -> Care:
    """The care of this name; GameError if there is none."""
    if isinstance(name, Care):
        return name
    if not isinstance(name, str) or name not in CARES:
        raise GameError("bad-option", f"There is no care {quoted(name)}; it is {some_of(CARES)}.")
    return CARES[name]
