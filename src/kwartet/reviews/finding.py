"""What a review finds out about one ply, as it is kept."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from kwartet.core.errors import GameError
from kwartet.reviews.measuring import Worths
from kwartet.reviews.reasons import Reason

Rows = tuple[tuple[float, float], ...]  # by seat: win, points
Weighed = tuple[str, tuple[float, float], Reason | None]  # a move, its worth to the seat, and why


@dataclass(frozen=True)
class Finding:
    """The worth before a ply and after it, measured alike.

    Of a decision that is before with the best move, as far as the seat could know, and after
    with the one played; of chance, expected before and what the outcome made of it. Where a
    match was broken off, one more: what its last position was worth, before and after.
    """

    ply: int
    before: Rows
    after: Rows
    error: tuple[float, float]  # of the difference, for the seat that decided
    exact: bool
    best: str = ""  # of a decision
    options: tuple[Weighed, ...] = ()  # moves that were weighed
    is_forced: bool = False  # there was one legal move
    is_judged: bool = True  # False: glanced at, because nobody asked about this seat
    outcomes: int = 0  # of chance that were looked at
    sampled: bool = False  # they were some of all

    def as_json(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)


def read_finding(told: Any) -> Finding:
    """What was kept; GameError if it is no finding."""
    try:
        return Finding(
            **told
            | {
                "before": _rows(told["before"]),
                "after": _rows(told["after"]),
                "error": _pair(told["error"]),
                "options": tuple(
                    (str(move), _pair(worth), None if reason is None else Reason(**reason))
                    for move, worth, reason in told["options"]
                ),
            }
        )
    except (KeyError, TypeError, ValueError) as error:
        raise GameError("bad-file", f"This is no part of a review: {error}.") from error


def rows_of(worths: Worths) -> Rows:
    """By seat, as plain numbers."""
    return tuple((float(win), float(points)) for win, points in np.asarray(worths).tolist())


def _rows(told: Any) -> Rows:
    return tuple(_pair(pair) for pair in told)


def _pair(told: Any) -> tuple[float, float]:
    win, points = told
    return float(win), float(points)
