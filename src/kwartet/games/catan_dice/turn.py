"""One turn of the Catan dice game, solved for many sheets at once. § in docs/games/catan_dice.md.

A turn is solved backwards. First what is best with the dice that are left once
something is built (at most four), then with the dice that stand and nothing built,
then which dice to keep before the third roll and before the second. Values only
travel: what acting is worth is bit for bit the worth of the sheet it ends in. Every
loop over islands is innermost and in step, so that it compiles to vector code.

Equal values are settled in a fixed order: end, knight, roads, settlement, city,
trades, jokers; and rather keep more dice than fewer.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.games.catan_dice.rules import CROSS, WILD
from kwartet.games.catan_dice.sheets import (
    CITY_PAID,
    FEWER,
    ISLANDS,
    KNIGHT_PAID,
    MORE,
    ROAD_PAID,
    SETTLEMENT_PAID,
    SHEET_POINTS,
    TRADED,
    TURNED,
    Growth,
    Rows,
)
from kwartet.games.catan_dice.tables import DICE, FIRST_OF_SIZE, KNIGHTS, RESOURCES, SET_COUNT

Values = npt.NDArray[np.float64]
Choices = npt.NDArray[np.int8]

LEFT_SETS: Final = int(FIRST_OF_SIZE[DICE - 1])  # sets of at most four dice: something was built
FULL: Final = int(FIRST_OF_SIZE[DICE])  # the first set of all dice
FEWEST: Final = DICE // 2  # dice left if nothing is built but all is traded
STAY: Final = -1  # a choice: keep these dice as they are
_SIXTH: Final = 1 / DICE


class Outcomes(NamedTuple):
    """The best that a turn can come to, by row, set of dice and island."""

    values: Values
    sheets: npt.NDArray[np.int32]  # the sheet it ends in


class Ends(NamedTuple):
    """What ending the turn is worth, by row and island."""

    values: Values
    sheets: npt.NDArray[np.int32]  # the sheet it ends in


@kernel
def act_on(
    size: int, later: Outcomes, low: int, high: int, ends: Ends, rows: Rows, growth: Growth
) -> None:
    """Fill in `later` for so many dice on the islands from `low` to `high`; fewer dice are done.

    Something has been built this turn.
    """
    here = Outcomes(later.values[:, :, low:high], later.sheets[:, :, low:high])
    for row in range(len(rows.troop) - 1, -1, -1):
        if size > rows.dice[row]:
            continue
        for dice in range(FIRST_OF_SIZE[size], FIRST_OF_SIZE[size + 1]):
            for lane in range(high - low):
                here.values[row, dice, lane] = ends.values[row, low + lane]
                here.sheets[row, dice, lane] = ends.sheets[row, low + lane]
            _build(here, row, row, dice, later, low, rows, growth)
            _trade_or_turn(here, row, dice, 0, rows)


@kernel
def act_first(
    first: Outcomes,
    first_row: int,
    later: Outcomes,
    low: int,
    ends: Ends,
    rows: Rows,
    growth: Growth,
) -> None:
    """Fill in `first` for sets of three to six dice, on as many islands from `low` as it has room.

    Nothing has been built; its rows begin with `first_row` and have all the same knights.
    """
    count, _, lanes = first.values.shape
    for size in range(FEWEST, DICE + 1):
        for row in range(count - 1, -1, -1):
            for dice in range(FIRST_OF_SIZE[size], FIRST_OF_SIZE[size + 1]):
                for lane in range(lanes):
                    first.values[row, dice, lane] = ends.values[first_row + row, low + lane]
                    first.sheets[row, dice, lane] = ends.sheets[first_row + row, low + lane]
                _build(first, row, first_row + row, dice, later, low, rows, growth)
                _trade_or_turn(first, row, dice, first_row, rows)


@kernel
def _better(
    here: Outcomes, row: int, dice: int, other: Outcomes, other_row: int, other_dice: int
) -> None:
    """Take the other place's outcome on the islands where it is worth more."""
    for lane in range(here.values.shape[2]):
        old, new = here.values[row, dice, lane], other.values[other_row, other_dice, lane]
        is_better = new > old
        here.values[row, dice, lane] = new if is_better else old
        old_sheet = here.sheets[row, dice, lane]
        new_sheet = other.sheets[other_row, other_dice, lane]
        here.sheets[row, dice, lane] = new_sheet if is_better else old_sheet


@kernel
def _grown(
    here: Outcomes,
    row: int,
    dice: int,
    later: Outcomes,
    later_row: int,
    later_dice: int,
    low: int,
    grown: npt.NDArray[np.int16],
) -> None:
    """Take the outcome on the island that each has grown into where that is worth more."""
    limit = later.values.shape[2]  # what lies beyond cannot come up
    for lane in range(here.values.shape[2]):
        island = grown[low + lane]
        if 0 <= island < limit:
            value = later.values[later_row, later_dice, island]
            if value > here.values[row, dice, lane]:
                here.values[row, dice, lane] = value
                here.sheets[row, dice, lane] = later.sheets[later_row, later_dice, island]


@kernel
def _build(
    here: Outcomes,
    place: int,
    row: int,
    dice: int,
    later: Outcomes,
    low: int,
    rows: Rows,
    growth: Growth,
) -> None:
    """Whatever can be built with these dice; `place` is the row's place in `here`."""
    if KNIGHT_PAID[dice] >= 0 and rows.knight[row] >= 0:
        lanes = here.values.shape[2]
        beside = Outcomes(
            later.values[:, :, low : low + lanes], later.sheets[:, :, low : low + lanes]
        )
        _better(here, place, dice, beside, rows.knight[row], KNIGHT_PAID[dice])
    if ROAD_PAID[dice] >= 0:
        for road in range(growth.road.shape[1]):
            _grown(here, place, dice, later, row, ROAD_PAID[dice], low, growth.road[:, road])
    if SETTLEMENT_PAID[dice] >= 0:
        _grown(here, place, dice, later, row, SETTLEMENT_PAID[dice], low, growth.settlement)
    if CITY_PAID[dice] >= 0:
        _grown(here, place, dice, later, row, CITY_PAID[dice], low, growth.city)


@kernel
def _trade_or_turn(here: Outcomes, row: int, dice: int, first_row: int, rows: Rows) -> None:
    """Trades and jokers, which stay in `here`; its rows begin with `first_row`."""
    for resource in range(RESOURCES):
        if TRADED[dice, resource] >= 0:
            _better(here, row, dice, here, row, TRADED[dice, resource])
    for knight in range(KNIGHTS):
        used = rows.joker[first_row + row, knight] - first_row
        if used < 0:
            continue
        resources = range(RESOURCES) if knight == WILD else range(knight, knight + 1)
        for face in range(DICE):
            for resource in resources:
                if TURNED[dice, face, resource] >= 0:
                    _better(here, row, dice, here, used, TURNED[dice, face, resource])


@kernel
def roll(finals: Values, expected: Values, best: Values, choices: Choices) -> None:
    """Fill in `choices` and leave what the turn is worth before its first roll in expected[0].

    Given `finals`, the worth of dice that stand, by set and island. `choices` are by rolls
    made less one, set and island: the face to put away first, or STAY.
    """
    for left in range(3):
        source = finals if left == 0 else best
        for dice in range(FULL, SET_COUNT):
            for lane in range(expected.shape[1]):
                expected[dice, lane] = source[dice, lane]
        _average(expected)
        if left < 2:
            _keep(expected, best, choices[1 - left])


@kernel
def _average(expected: Values) -> None:
    """Given full sets, the expectation of rolling the dice that the others miss."""
    lanes = expected.shape[1]
    for dice in range(FULL - 1, -1, -1):
        for lane in range(lanes):
            expected[dice, lane] = 0.0
        for face in range(DICE):
            more = MORE[dice, face]
            for lane in range(lanes):
                expected[dice, lane] += expected[more, lane]
        for lane in range(lanes):
            expected[dice, lane] *= _SIXTH


@kernel
def _keep(expected: Values, best: Values, choices: Choices) -> None:
    """The best part of each set to keep, found by putting away one die at a time."""
    for dice in range(SET_COUNT):
        for lane in range(expected.shape[1]):
            best[dice, lane] = expected[dice, lane]
            choices[dice, lane] = STAY
        for face in range(DICE):
            fewer = FEWER[dice, face]
            if fewer < 0:
                continue
            for lane in range(expected.shape[1]):
                old, new = best[dice, lane], best[fewer, lane]
                is_better = new > old
                best[dice, lane] = new if is_better else old
                choices[dice, lane] = face if is_better else choices[dice, lane]


@kernel
def final_dice(choices: Choices, mass: Values) -> None:
    """How likely each set of dice is to stand at last, by set and island, with these choices."""
    mass[:] = 0.0
    mass[0] = 1.0
    _spread(mass)
    for made in range(2):
        for dice in range(SET_COUNT - 1, 0, -1):
            for face in range(DICE):
                fewer = FEWER[dice, face]
                if fewer < 0:
                    continue
                for lane in range(mass.shape[1]):
                    moved = mass[dice, lane] if choices[made, dice, lane] == face else 0.0
                    mass[fewer, lane] += moved
                    mass[dice, lane] -= moved
        _spread(mass)


@kernel
def _spread(mass: Values) -> None:
    """Roll the missing dice of a full set, one at a time."""
    for dice in range(FULL):
        for face in range(DICE):
            more = MORE[dice, face]
            for lane in range(mass.shape[1]):
                mass[more, lane] += mass[dice, lane] * _SIXTH
        for lane in range(mass.shape[1]):
            mass[dice, lane] = 0.0


@kernel
def points_written(sheet: int, grown: int) -> int:
    """What a turn from one sheet to another writes into its box."""
    points = (
        SHEET_POINTS[grown // ISLANDS, grown % ISLANDS]
        - SHEET_POINTS[sheet // ISLANDS, sheet % ISLANDS]
    )
    return points if points > 0 else CROSS
