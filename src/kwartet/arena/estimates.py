"""Means with errors that know which trials share their luck.

Matches of one rotation have the same luck, on swapped seats. What that luck does to one of
them it undoes, in part, in another, so the mean of a rotation varies less than the mean of
as many matches with luck of their own; the error counts rotations, not matches.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard errors; None where nothing varied."""

    mean: float
    error: float | None  # by rotation
    unpaired: float | None  # if every trial had luck of its own


def estimate(values: Sequence[float], rotations: Sequence[int]) -> Estimate:
    """The mean of trials, of which those of one rotation share their luck; there is one."""
    numbers = np.array(values, np.float64)
    away = numbers - numbers.mean()
    return Estimate(
        float(numbers.mean()),
        _error(sums_by(rotations, away), len(numbers)),
        _error(away, len(numbers)),
    )


def sums_by(rotations: Sequence[int], values: Vector) -> Vector:
    """For each rotation the sum of its values, which are numbers or rows of numbers."""
    known, index = np.unique(np.array(rotations), return_inverse=True)
    sums = np.zeros((len(known), *values.shape[1:]))
    np.add.at(sums, index, values)
    return sums


def ratio(errors: Iterable[tuple[float | None, float | None]]) -> float | None:
    """How wide the first of each pair are in all, compared with the second."""
    known = [(one, other) for one, other in errors if one is not None and other]
    if not known:
        return None
    return math.sqrt(sum(one**2 for one, _ in known) / sum(other**2 for _, other in known))


def _error(away: Vector, trials: int) -> float | None:
    """The standard error of a mean, from the sums of independent groups of deviations."""
    if len(away) < 2:
        return None
    squares = float((away**2).sum()) * len(away) / (len(away) - 1)
    return math.sqrt(squares) / trials if squares > 1e-18 else None
