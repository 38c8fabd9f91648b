"""Who wins where most points win, and what winning is worth."""

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.core.verbs import seats, winners


@kernel
def mark_highest(points: npt.NDArray[np.int32], count: int, out: npt.NDArray[np.int8]) -> None:
    """Write 1 for each of the first `count` seats that has the most points, else 0."""
    best = points[0]
    for seat in range(1, count):
        best = max(best, points[seat])
    for seat in range(count):
        out[seat] = points[seat] == best


@kernel
def returns(state: np.record, wins: npt.NDArray[np.int8], out: npt.NDArray[np.float64]) -> None:
    """Write each seat's result of a match that is over.

    The win is shared by the winners and centred so that the seats' results add up
    to 0: a lone winner has 1, a loser −1/(seats − 1), all winning together 0. One
    seat alone has nobody to beat; its result is 0 and its score is what counts.
    """
    count = seats(state)
    winners(state, wins)
    winning = 0
    for seat in range(count):
        winning += wins[seat]
    for seat in range(count):
        if count == 1:
            out[seat] = 0.0
        else:
            out[seat] = (count * (wins[seat] / winning) - 1.0) / (count - 1)
