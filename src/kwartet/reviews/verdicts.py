"""What a loss is called, and how well somebody decided on the whole."""

from collections.abc import Sequence
from typing import Final

from kwartet.core.tactics import Thresholds

VERDICTS: Final = ("best", "fine", "slip", "mistake", "blunder")
SURE: Final = 2.0  # errors that a loss must exceed to be called anything worse than fine


def verdict(loss: float, error: float, is_best: bool, bounds: Sequence[float]) -> str:
    """The name of a loss, given from where on it is a slip, a mistake and a blunder."""
    if is_best or loss <= 0.0:
        return "best"
    if loss <= SURE * error:
        return "fine"
    return VERDICTS[1 + sum(loss >= bound for bound in bounds)]


def bounds_for(seats: int, thresholds: Thresholds) -> tuple[float, float, float]:
    """In what decides: the result, or alone the points."""
    return thresholds.points if seats == 1 else thresholds.win


def accuracy(losses: Sequence[float], bounds: Sequence[float]) -> float | None:
    """100 for no loss, 50 where the mean loss is a mistake's, 25 at twice that; None: no choice."""
    if not losses:
        return None
    mean = max(0.0, sum(losses) / len(losses))
    return 100.0 * 0.5 ** (mean / bounds[1])
