"""The best turn from one sheet: the turn's kernels on the few sheets it can lead to.

A plan is made once for a turn, or for the rest of one, given what its ends are worth:
expected points, or the chance to win. Then every decision of the turn is a look-up.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.chance import Generator
from kwartet.core.kernels import kernel
from kwartet.games.catan_dice.rules import (
    CHOOSING,
    CITY,
    END,
    ENDED,
    JOKER,
    KNIGHT,
    ROAD,
    ROLLING,
    SETTLEMENT,
    STOP,
    TRADE,
    WILD,
    WILD_JOKER,
    apply,
    random_action,
    set_number,
)
from kwartet.games.catan_dice.sheets import (
    CITY_PAID,
    DICE_LEFT,
    FEWER,
    FIRST_ROW,
    GROWTH,
    ISLAND_CITIES,
    ISLAND_ROADS,
    ISLAND_SETTLEMENTS,
    ISLANDS,
    KNIGHT_PAID,
    ROAD_PAID,
    SETTLEMENT_PAID,
    TRADED,
    TURNED,
    Growth,
    Numbers,
    Rows,
)
from kwartet.games.catan_dice.tables import (
    CITY_COST,
    DICE,
    KNIGHTS,
    RESOURCES,
    ROAD_COST,
    SET_COUNT,
    SET_DICE,
    SET_SIZE,
    SETTLEMENT_COST,
)
from kwartet.games.catan_dice.turn import (
    LEFT_SETS,
    STAY,
    Choices,
    Ends,
    Outcomes,
    Values,
    act_first,
    act_on,
    roll,
)

# How many dice they cost.
_ROAD_DICE, _SETTLEMENT_DICE, _CITY_DICE = (
    int(SET_SIZE[cost == SET_DICE][0]) for cost in (ROAD_COST, SETTLEMENT_COST, CITY_COST)
)


class Around(NamedTuple):
    """The rows and islands that a turn can lead to, numbered anew from where it is."""

    row: Numbers  # the number among all rows
    island: Numbers  # the number among all islands
    rows: Rows
    growth: Growth
    peers: int  # the first rows so many have no more knights than the first
    sheets: npt.NDArray[np.int32]  # by row and island: the sheet if the turn ends there


class Plan(NamedTuple):
    """A solved turn from one sheet."""

    around: Around
    ends: Ends  # something was built
    crossed: Ends  # nothing was built
    later: Outcomes  # something was built
    first: Outcomes  # nothing was built
    choices: Choices  # by rolls made less one, set and 0


def look_around(row: int, island: int, all_rows: Rows) -> Around:
    """Everything that six dice and the jokers can make of a row and an island."""
    knights = _rows_around(row, all_rows)
    rows = np.array(sorted(knights), np.int16)  # those with more knights come last
    islands = np.array(_islands_around(island), np.int16)
    row_place, island_place = _places(rows, len(all_rows.troop)), _places(islands, ISLANDS)
    troop = all_rows.troop[rows]
    return Around(
        rows,
        islands,
        Rows(
            troop,
            row_place[all_rows.knight[rows]],
            row_place[all_rows.joker[rows]],
            DICE_LEFT[[knights[number] for number in rows.tolist()]],
        ),
        Growth(*(island_place[grown[islands]] for grown in GROWTH)),
        sum(more == 0 for more in knights.values()),
        troop[:, None] * np.int32(ISLANDS) + islands,
    )


def _rows_around(row: int, rows: Rows) -> dict[int, int]:
    """The rows that this one can lead to, with the knights that this takes."""
    found = {row: 0}
    fresh = [row]
    while fresh:
        here = fresh.pop()
        steps = [(used, found[here]) for used in rows.joker[here].tolist()]
        if found[here] < len(DICE_LEFT) - 1:
            steps.append((int(rows.knight[here]), found[here] + 1))
        for number, knights in steps:
            if number >= 0 and number not in found:
                found[number] = knights
                fresh.append(number)
    return found


def _islands_around(island: int) -> list[int]:
    """The islands that this one can become with six dice, itself first."""
    dice_left = {island: DICE}
    fresh = [island]
    while fresh:
        here = fresh.pop()
        steps = [(road, _ROAD_DICE) for road in GROWTH.road[here].tolist()]
        steps.append((int(GROWTH.settlement[here]), _SETTLEMENT_DICE))
        steps.append((int(GROWTH.city[here]), _CITY_DICE))
        for number, cost in steps:
            if number >= 0 and number not in dice_left and cost <= dice_left[here]:
                dice_left[number] = dice_left[here] - cost
                fresh.append(number)
    return list(dice_left)


def _places(numbers: Numbers, count: int) -> Numbers:
    """Where each of `count` numbers stands among these, or -1; so it is for number -1 too."""
    places = np.full(count + 1, -1, np.int16)
    places[numbers] = np.arange(len(numbers))
    return places


@kernel
def make_plan(around: Around, built: Values, nothing: Values) -> Plan:
    """Solve the turn, given what its ends are worth by row and island."""
    ends, crossed = Ends(built, around.sheets), Ends(nothing, around.sheets)
    rows, islands = around.sheets.shape
    later = Outcomes(
        np.empty((rows, LEFT_SETS, islands)), np.empty((rows, LEFT_SETS, islands), np.int32)
    )
    for size in range(DICE - 1):
        act_on(size, later, 0, islands, ends, around.rows, around.growth)
    first = Outcomes(
        np.empty((around.peers, SET_COUNT, 1)), np.empty((around.peers, SET_COUNT, 1), np.int32)
    )
    act_first(first, 0, later, 0, crossed, around.rows, around.growth)
    choices = np.empty((2, SET_COUNT, 1), np.int8)
    roll(first.values[0], np.empty((SET_COUNT, 1)), np.empty((SET_COUNT, 1)), choices)
    return Plan(around, ends, crossed, later, first, choices)


@kernel
def row_of(state: np.record) -> int:
    """The row of the seat whose turn it is, among all rows."""
    knights, used = int(state.knights[state.seat]), int(state.used[state.seat])
    if state.same_turn_joker:
        return (1 << knights) - 1 + used
    veterans = int(state.veterans)
    return int(FIRST_ROW[knights - veterans]) + (1 << veterans) - 1 + used


@kernel
def row_here(states: npt.NDArray[np.void]) -> int:
    """`row_of` for callers from Python."""
    return row_of(states[0])


@kernel
def planned(plan: Plan, state: np.record) -> int:
    """The plan's action in a state of its turn; a seat is to act."""
    dice = set_number(state.dice)
    if state.phase == CHOOSING:
        kept = dice
        while plan.choices[state.rolls - 1, kept, 0] != STAY:
            kept = FEWER[kept, plan.choices[state.rolls - 1, kept, 0]]
        return STOP if kept == dice else kept
    local_row = int(np.searchsorted(plan.around.row, row_of(state)))
    island = _island_of(plan.around, state)
    action, value = _planned_building(plan, state, local_row, island, dice)
    if state.gained > 0:
        return _planned_dice(plan.around.rows, plan.later, local_row, island, dice, action, value)
    return _planned_dice(plan.around.rows, plan.first, local_row, 0, dice, action, value)


@kernel
def _island_of(around: Around, state: np.record) -> int:
    """Which of the islands around the seat has now."""
    seat = state.seat
    place = 0
    island = around.island[0]
    while (
        ISLAND_ROADS[island] != state.roads[seat]
        or ISLAND_SETTLEMENTS[island] != state.settlements[seat]
        or ISLAND_CITIES[island] != state.cities[seat]
    ):
        place += 1
        island = around.island[place]
    return place


@kernel
def _planned_building(
    plan: Plan, state: np.record, row: int, island: int, dice: int
) -> tuple[int, float]:
    """The best of ending and building, and its value; the first in the turn's order."""
    around, later, seat = plan.around, plan.later, state.seat
    action = END
    value = plan.ends.values[row, island] if state.gained > 0 else plan.crossed.values[row, island]
    knight, paid = around.rows.knight[row], KNIGHT_PAID[dice]
    if paid >= 0 and knight >= 0 and later.values[knight, paid, island] > value:
        action, value = KNIGHT + int(state.knights[seat]), later.values[knight, paid, island]
    for kind in range(around.growth.road.shape[1] + 2):
        if kind < around.growth.road.shape[1]:
            grown, paid = around.growth.road[island, kind], ROAD_PAID[dice]
        elif kind == around.growth.road.shape[1]:
            grown, paid = around.growth.settlement[island], SETTLEMENT_PAID[dice]
        else:
            grown, paid = around.growth.city[island], CITY_PAID[dice]
        if paid < 0 or grown < 0 or later.values[row, paid, grown] <= value:
            continue
        value = later.values[row, paid, grown]
        if kind < around.growth.road.shape[1]:
            new_road = ISLAND_ROADS[around.island[grown]] ^ state.roads[seat]
            action = ROAD + bits.nth(np.uint64(new_road), 0)
        elif kind == around.growth.road.shape[1]:
            action = SETTLEMENT + int(state.settlements[seat])
        else:
            action = CITY + int(state.cities[seat])
    return action, value


@kernel
def _planned_dice(
    rows: Rows, here: Outcomes, row: int, island: int, dice: int, action: int, value: float
) -> int:
    """The first trade or joker that is worth more than `action`, or that."""
    for resource in range(RESOURCES):
        traded = TRADED[dice, resource]
        if traded >= 0 and here.values[row, traded, island] > value:
            action, value = TRADE + resource, here.values[row, traded, island]
    for knight in range(KNIGHTS):
        used = rows.joker[row, knight]
        if used < 0:
            continue
        resources = range(RESOURCES) if knight == WILD else range(knight, knight + 1)
        for face in range(DICE):
            for resource in resources:
                turned = TURNED[dice, face, resource]
                if turned >= 0 and here.values[used, turned, island] > value:
                    value = here.values[used, turned, island]
                    if knight == WILD:
                        action = WILD_JOKER + RESOURCES * face + resource
                    else:
                        action = JOKER + DICE * knight + face
    return action


@kernel
def planned_here(plan: Plan, states: npt.NDArray[np.void]) -> int:
    """`planned` for callers from Python."""
    return planned(plan, states[0])


@kernel
def play_turn(plan: Plan, states: npt.NDArray[np.void], rng: Generator) -> None:
    """Play the rest of the turn in each state, all of them states of the plan's turn."""
    for number in range(len(states)):
        state = states[number]
        seat, turn = state.seat, state.turn
        while state.seat == seat and state.turn == turn and state.phase != ENDED:
            if state.phase == ROLLING:
                apply(state, random_action(state, rng))
            else:
                apply(state, planned(plan, state))
