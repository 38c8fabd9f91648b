"""The Catan dice game solved by backward induction: what every sheet is worth on every turn.

A turn's worth is worked out for all sheets at once, a block of islands on each
thread; what the sheets may still score under that best play follows in the same go.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.games.catan_dice.futures import (
    Futures,
    Kept,
    keep,
    mix,
    no_futures,
    nothing_to_come,
)
from kwartet.games.catan_dice.rules import CROSS, TURNS
from kwartet.games.catan_dice.sheets import (
    GROWTH,
    ISLANDS,
    SHEET_POINTS,
    SHEETS,
    TROOPS,
    Growth,
    Rows,
    islands_after,
    possible_sheets,
    rows_of,
)
from kwartet.games.catan_dice.tables import DICE, KNIGHTS, SET_COUNT
from kwartet.games.catan_dice.turn import (
    LEFT_SETS,
    Ends,
    Outcomes,
    Values,
    act_first,
    act_on,
    final_dice,
    roll,
)

BLOCK: Final = 48  # islands that are solved in step
Advance = Callable[[], object]


class Solved(NamedTuple):
    """A solution as it is kept. Rows are by turns to go, from 0, and sheet."""

    values: Values  # expected score still to come; NaN for a sheet that cannot be
    kept: Kept  # what may come, for every sheet that can be
    start: Values  # the chances of an empty sheet's scores with all turns to go, from LEAST on


def steps(turns: int = TURNS, played: int = 0) -> int:
    """How often `solve` will call `advance`."""
    return sum(len(_blocks(islands_after(played + turn))) for turn in range(turns))


def solve(
    same_turn_joker: bool,
    *,
    turns: int = TURNS,
    played: int = 0,
    threads: int = 2,
    advance: Advance = lambda: None,
) -> Solved:
    """Solve a match of so many turns, or the end of one, for all sheets that can be there.

    `played` is how many turns may have been built in before.
    """
    rows = rows_of(same_turn_joker)
    values = np.full((turns + 1, TROOPS, ISLANDS), np.nan)
    values[0] = 0.0
    after, futures = nothing_to_come(), no_futures()
    stored = _Stored(turns)
    stored.add(after)
    with ThreadPoolExecutor(threads) as pool:
        try:
            for left in range(1, turns + 1):
                turn = _Turn(rows, played + turns - left, values[left - 1], after)
                turn.act_on(pool, threads)
                turn.solve(pool, values[left], futures, advance)
                del turn  # the next one needs its room
                stored.add(futures)
                after, futures = futures, after
                futures.low[:] = futures.high[:] = 0
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return Solved(values.reshape(turns + 1, SHEETS), stored.kept(), after.chances[0].copy())


def _blocks(islands: int) -> list[range]:
    return [range(low, min(low + BLOCK, islands)) for low in range(0, islands, BLOCK)]


class _Turn:
    """A turn on which `played` turns have been built in before."""

    def __init__(self, rows: Rows, played: int, worth: Values, after: Futures) -> None:
        count = islands_after(played + 1)
        sheets = np.arange(SHEETS, dtype=np.int32).reshape(TROOPS, ISLANDS)
        ends = (SHEET_POINTS + worth)[rows.troop, :count]
        self.rows = rows
        self.after = after
        self.ends = Ends(ends, np.ascontiguousarray(sheets[rows.troop, :count]))
        self.crossed = Ends(ends + CROSS, self.ends.sheets)
        shape = (len(rows.troop), LEFT_SETS, count)
        self.later = Outcomes(np.empty(shape), np.empty(shape, np.int32))
        self.islands = islands_after(played)
        self.possible = possible_sheets(played)

    def act_on(self, pool: ThreadPoolExecutor, parts: int) -> None:
        """Solve what follows once something is built."""
        bounds = np.linspace(0, self.later.values.shape[2], parts + 1, dtype=int).tolist()
        for size in range(DICE - 1):
            jobs = [
                pool.submit(act_on, size, self.later, low, high, self.ends, self.rows, GROWTH)
                for low, high in pairwise(bounds)
            ]
            for job in jobs:
                job.result()

    def solve(
        self, pool: ThreadPoolExecutor, values: Values, futures: Futures, advance: Advance
    ) -> None:
        """Write what sheets are worth before this turn, and their futures."""
        jobs = [
            pool.submit(
                solve_islands,
                block.start,
                block.stop,
                self.later,
                self.crossed,
                self.rows,
                GROWTH,
                self.possible,
                values,
                self.after,
                futures,
            )
            for block in _blocks(self.islands)
        ]
        for job in jobs:
            job.result()
            advance()


@kernel
def solve_islands(
    low: int,
    high: int,
    later: Outcomes,
    crossed: Ends,
    rows: Rows,
    growth: Growth,
    possible: npt.NDArray[np.bool_],
    values: Values,
    after: Futures,
    futures: Futures,
) -> None:
    """Write the worth and the future of all sheets with the islands from `low` to `high`."""
    lanes = high - low
    expected = np.empty((SET_COUNT, lanes))
    best = np.empty((SET_COUNT, lanes))
    choices = np.empty((2, SET_COUNT, lanes), np.int8)
    weights = np.zeros(SHEETS)
    for knights in range(KNIGHTS + 1):
        count = 1 << knights
        first_row = count - 1
        shape = (count, SET_COUNT, lanes)
        first = Outcomes(np.empty(shape), np.empty(shape, np.int32))
        act_first(first, first_row, later, low, crossed, rows, growth)
        for number in range(count):
            row = first_row + number
            roll(first.values[number], expected, best, choices)
            for lane in range(lanes):
                values[row, low + lane] = expected[0, lane] - SHEET_POINTS[row, low + lane]
            mass = best  # its room is free again
            final_dice(choices, mass)
            for lane in range(lanes):
                if possible[row, low + lane]:
                    sheet = row * ISLANDS + low + lane
                    mix(sheet, lane, mass, first.sheets[number], after, futures, weights)


class _Stored:
    """Distributions as they are gathered, one number of turns to go after the other."""

    def __init__(self, turns: int) -> None:
        self._lengths = np.zeros((turns + 1, SHEETS), np.uint32)
        self._low = np.zeros((turns + 1, SHEETS), np.int16)
        self._parts: list[npt.NDArray[np.uint16]] = []

    def add(self, futures: Futures) -> None:
        left = len(self._parts)
        room = np.empty(int((futures.high - futures.low).sum(dtype=np.int64)), np.uint16)
        count = keep(futures, self._lengths[left], self._low[left], room)
        self._parts.append(room[:count].copy())

    def kept(self) -> Kept:
        ends = np.cumsum(self._lengths.ravel(), dtype=np.int64)
        first = np.concatenate([[0], ends]).astype(np.uint32)
        return Kept(first, self._low.ravel(), np.concatenate(self._parts))
