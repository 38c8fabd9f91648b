"""Who wins where most points win."""

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel


@kernel
def mark_highest(points: npt.NDArray[np.int32], count: int, out: npt.NDArray[np.int8]) -> None:
    """Write 1 for each of the first `count` seats that has the most points, else 0."""
    best = points[0]
    for seat in range(1, count):
        best = max(best, points[seat])
    for seat in range(count):
        out[seat] = points[seat] == best
