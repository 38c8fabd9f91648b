"""What a sheet may still score, and how likely: distributions and how they are kept.

While a turn is solved they are wide rows of chances. What is kept of them are the
chances to score at most so much, as 16-bit fractions without the zeros before and
the ones after: no such chance is off by more than 1 in 130,000.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.games.catan_dice.rules import CROSS, TURNS
from kwartet.games.catan_dice.sheets import MOST_POINTS, SHEETS
from kwartet.games.catan_dice.tables import SET_COUNT
from kwartet.games.catan_dice.turn import FULL, Values, points_written

LEAST: Final = CROSS * TURNS  # the score that stands at index 0
WIDTH: Final = MOST_POINTS - LEAST + 1
CERTAIN: Final = 65535  # as a 16-bit fraction


class Futures(NamedTuple):
    """What each sheet may still score with so many turns to go."""

    chances: Values  # by sheet and score − LEAST
    low: npt.NDArray[np.int16]  # by sheet: the first index that is not zero
    high: npt.NDArray[np.int16]  # and the end of those; both 0 for a sheet that cannot be


def no_futures() -> Futures:
    """Room for every sheet, none of them possible yet."""
    low, high = np.zeros((2, SHEETS), np.int16)
    return Futures(np.zeros((SHEETS, WIDTH)), low, high)


def nothing_to_come() -> Futures:
    """After the last turn every sheet scores 0 more."""
    futures = no_futures()
    futures.chances[:, -LEAST] = 1.0
    futures.low[:] = -LEAST
    futures.high[:] = -LEAST + 1
    return futures


@kernel
def mix(
    sheet: int,
    lane: int,
    mass: Values,
    ends: npt.NDArray[np.int32],
    after: Futures,
    futures: Futures,
    weights: Values,
) -> None:
    """Work out a sheet's future from those after this turn.

    `mass` and `ends` are by set of dice and lane: how likely the dice stand at last and
    the sheet they lead to. `weights` is a row of zeros by sheet, and is again when done.
    """
    reached = np.empty(SET_COUNT - FULL, np.int32)
    count = 0
    for dice in range(FULL, SET_COUNT):
        end = ends[dice, lane]
        if mass[dice, lane] > 0.0:
            if weights[end] == 0.0:
                reached[count] = end
                count += 1
            weights[end] += mass[dice, lane]
    low, high = WIDTH, 0
    row = futures.chances[sheet]
    row[:] = 0.0
    for number in range(count):
        end = reached[number]
        gain = points_written(sheet, end)
        weight = weights[end]
        weights[end] = 0.0
        first, last = after.low[end], after.high[end]
        for index in range(first, last):
            row[index + gain] += weight * after.chances[end, index]
        low = min(low, first + gain)
        high = max(high, last + gain)
    futures.low[sheet] = low
    futures.high[sheet] = high


class Kept(NamedTuple):
    """Distributions as they are kept, by turns to go and sheet in one count."""

    first: npt.NDArray[np.uint32]  # where each begins in `fractions`; the next one ends it
    low: npt.NDArray[np.int16]  # the index of its first fraction
    fractions: npt.NDArray[np.uint16]  # chance of at most that score, of CERTAIN


@kernel
def keep(
    futures: Futures,
    lengths: npt.NDArray[np.uint32],
    low: npt.NDArray[np.int16],
    out: npt.NDArray[np.uint16],
) -> int:
    """Write the fractions to `out` and where they begin; return how many they are."""
    count = 0
    for sheet in range(len(low)):
        began = count
        chance = 0.0
        for index in range(futures.low[sheet], futures.high[sheet]):
            chance += futures.chances[sheet, index]
            fraction = int(chance * CERTAIN + 0.5)
            if fraction > 0:
                if count == began:
                    low[sheet] = index
                out[count] = fraction
                count += 1
            if fraction == CERTAIN:
                break
        lengths[sheet] = count - began
    return count


@kernel
def at_most(kept: Kept, number: int, index: int) -> float:
    """The chance of distribution `number` to score at most what stands at `index`."""
    first = int(kept.first[number])
    place = first + index - kept.low[number]
    if place < first:
        return 0.0
    if place >= kept.first[number + 1]:
        return 1.0
    return kept.fractions[place] / CERTAIN
