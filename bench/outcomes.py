"""Sequential tests of pairs that are drawn rather than played, tens of thousands a second.

The distribution of a pair's share is known here, so how often a test is wrong is measured where
exactly LOW or exactly HIGH is true. `decide` is `kwartet.arena.sequential` written a second
time, compiled; `tests/test_sequential.py` has both agree pair by pair.
"""

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench.machine import share_interval
from kwartet.arena.sequential import BEFORE, NEAR, STEPS, Question, share_of
from kwartet.core.kernels import kernel

Vector = NDArray[np.float64]

SHARES: Final = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
IMAGINED: Final = np.array([BEFORE.get(float(share), 0.0) for share in SHARES])
OUTCOMES: Final = {  # chances of the five, of 100, before they are tilted to a mean
    "two coins": (25, 0, 50, 0, 25),
    "coins, some draws": (20, 10, 40, 10, 20),
    "drawish": (1, 8, 82, 8, 1),
    "nearly all drawn": (0.1, 1, 97.8, 1, 0.1),
    "mostly one each": (2, 0, 96, 0, 2),
    "luck decides both": (45, 2, 6, 2, 45),
    "lopsided": (6, 2, 12, 10, 70),
    "ahead or all lost": (30, 0, 10, 59, 1),
}


def table(question: Question, tests: int) -> Iterator[str]:
    """In Markdown: how often each distribution was decided wrongly, and after how many pairs."""
    low, high = question.low, question.high
    yield (
        f"| `--sprt {low:g},{high:g}`, {tests:,} tests each | wrong at {low:g} | pairs "
        f"| wrong at {high:g} | pairs |\n|---|--:|--:|--:|--:|"
    )
    for name, chances in OUTCOMES.items():
        cells = [name]
        for elo in (low, high):
            pairs, is_high = simulate(question, tilted(np.array(chances), share_of(elo)), tests)
            wrong = int((is_high == (elo == low)).sum())
            least, most = share_interval(wrong, tests)
            cells += [
                f"{100 * wrong / tests:.2f} % ({100 * least:.2f}–{100 * most:.2f})",
                f"{pairs.mean():.0f} (95 %: {np.quantile(pairs, 0.95):.0f})",
            ]
        yield f"| {' | '.join(cells)} |"


def tilted(chances: Vector, mean: float) -> Vector:
    """The chances times e^(t · share), with t such that this is their mean."""
    low, high = -500.0, 500.0
    while high - low > 1e-9:
        t = (low + high) / 2
        weights = chances * np.exp(t * (SHARES - mean))
        low, high = (t, high) if weights @ (SHARES - mean) < 0 else (low, t)
    return weights / weights.sum()


def simulate(question: Question, chances: Vector, tests: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each of so many tests: its pairs, and whether it was decided for HIGH."""
    pairs, is_high = np.zeros(tests, np.int64), np.zeros(tests, np.bool_)
    expected = np.array([share_of(question.low), share_of(question.high)])
    chance = np.cumsum(chances)[:-1]
    _simulate(chance, expected, np.array(question.bounds), IMAGINED, pairs, is_high)
    return pairs, is_high


@kernel
def _simulate(
    chance: Vector,
    expected: Vector,
    bounds: Vector,
    imagined: Vector,
    pairs: NDArray[Any],
    is_high: NDArray[Any],
) -> None:
    np.random.seed(1)
    for test in range(pairs.size):
        seen, llr = imagined.copy(), np.zeros(2)
        while llr[0] < bounds[0] and llr[1] < bounds[1]:
            drawn = np.searchsorted(chance, np.random.random())
            count(seen, llr, int(drawn), expected)
            pairs[test] += 1
        is_high[test] = llr[1] - bounds[1] >= llr[0] - bounds[0]


@kernel
def count(seen: Vector, llr: Vector, outcome: int, expected: Vector) -> None:
    """Judge the next pair by those before, imagined ones too, then count it."""
    for answer in range(2):
        mean, against = expected[answer], expected[1 - answer]
        likeliest = seen / (1 + _tilt(seen, mean) * (SHARES - mean))
        llr[answer] += math.log1p(_tilt(likeliest, against) * (SHARES[outcome] - against))
    seen[outcome] += 1


@kernel
def _tilt(weights: Vector, mean: float) -> float:
    least, most, t = -1 / (1 - mean), 1 / mean, 0.0
    for _ in range(STEPS):
        value = slope = 0.0
        for place in range(SHARES.size):
            part = (SHARES[place] - mean) / (1 + t * (SHARES[place] - mean))
            value += weights[place] * part
            slope += weights[place] * part * part
        if value > 0:
            least = t
        else:
            most = t
        before, t = t, t + value / slope
        if not least < t < most:
            t = (least + most) / 2
        if abs(t - before) < NEAR:
            break
    return t
