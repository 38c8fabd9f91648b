"""Sheets as numbers, and what each can become: the ground the solver stands on.

A sheet is an *island* (roads, settlements, cities: 1,225 of them) and a *troop*
(knights and used jokers: 127 of them); the points of what is built follow from it.
Islands are numbered by the turns they take at least, so that those which can exist
after so many turns are always the first ones. Tables hold -1 for what cannot be.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.games.catan_dice.tables import (
    CITY_COST,
    CITY_POINTS,
    CITY_ROADS,
    DICE,
    KNIGHT_COST,
    KNIGHTS,
    RESOURCES,
    ROAD_COST,
    ROAD_PARENTS,
    SET_COUNT,
    SET_DICE,
    SETTLEMENT_COST,
    SETTLEMENT_POINTS,
    SETTLEMENT_ROADS,
    TRADE_COST,
)

Island = tuple[int, int, int]  # roads as bits, settlements, cities
Numbers = npt.NDArray[np.int16]

TROOPS: Final = 2 ** (KNIGHTS + 1) - 1
# Where the rows begin that have so many knights whose jokers sleep until the turn ends.
FIRST_ROW: Final = np.array((0, TROOPS, TROOPS + 2**KNIGHTS - 1), np.int16)
# By knights built this turn: how many dice are left at most once something is built.
DICE_LEFT: Final = np.array((4, 3, 0), np.int16)


def _is_built(roads: int, road: int) -> bool:
    return road < 0 or roads >> road & 1 != 0


def _reachable(roads: int, sites: npt.NDArray[np.int8]) -> int:
    """How many of the sites, in order, have their roads."""
    missing = [n for n, road in enumerate(sites.tolist()) if not _is_built(roads, road)]
    return missing[0] if missing else len(sites)


def _closed_road_sets() -> set[int]:
    """Every set of roads in which each road has the one it needs."""
    found = {0}
    fresh = [0]
    while fresh:
        roads = fresh.pop()
        for road, parent in enumerate(ROAD_PARENTS.tolist()):
            more = roads | 1 << road
            if more not in found and _is_built(roads, parent):
                found.add(more)
                fresh.append(more)
    return found


def _turns_needed(island: Island, knights: int) -> int:
    """No fewer turns of six dice pay for this: a city, a settlement and a road, two knights,
    a knight and a road, or three roads a turn.
    """
    roads, settlements, cities = island
    more_roads = max(0, roads.bit_count() - settlements - knights % 2)
    return settlements + cities + -(-knights // 2) + -(-more_roads // 3)


def _islands() -> list[Island]:
    islands = [
        (roads, settlements, cities)
        for roads in _closed_road_sets()
        for settlements in range(_reachable(roads, SETTLEMENT_ROADS) + 1)
        for cities in range(_reachable(roads, CITY_ROADS) + 1)
    ]
    return sorted(islands, key=lambda island: (_turns_needed(island, 0), island))


_ALL_ISLANDS: Final = _islands()
ISLANDS: Final = len(_ALL_ISLANDS)
ISLAND_NUMBER: Final = {island: number for number, island in enumerate(_ALL_ISLANDS)}
SHEETS: Final = TROOPS * ISLANDS

ISLAND_ROADS: Final = np.array([roads for roads, _, _ in _ALL_ISLANDS], np.uint16)
ISLAND_SETTLEMENTS: Final = np.array([count for _, count, _ in _ALL_ISLANDS], np.int8)
ISLAND_CITIES: Final = np.array([count for _, _, count in _ALL_ISLANDS], np.int8)
ISLAND_POINTS: Final = np.array(
    [
        roads.bit_count() + SETTLEMENT_POINTS[:settlements].sum() + CITY_POINTS[:cities].sum()
        for roads, settlements, cities in _ALL_ISLANDS
    ],
    np.int16,
)
# By knights and island.
TURNS_NEEDED: Final = np.array(
    [[_turns_needed(island, k) for island in _ALL_ISLANDS] for k in range(KNIGHTS + 1)], np.int8
)
TROOP_KNIGHTS: Final = np.array(
    [knights for knights in range(KNIGHTS + 1) for _ in range(1 << knights)], np.int8
)
SHEET_POINTS: Final = ((TROOP_KNIGHTS * (TROOP_KNIGHTS + 1) // 2)[:, None] + ISLAND_POINTS).astype(
    np.int16
)  # by troop and island
MOST_POINTS: Final = int(SHEET_POINTS.max())


def troop_number(knights: int, used: int) -> int:
    """The number of a troop; `used` are jokers as bits. More used is a higher number."""
    return (1 << knights) - 1 + used


def islands_after(turns: int) -> int:
    """How many islands can exist after so many turns; they are the first ones."""
    return int(np.searchsorted(TURNS_NEEDED[0], turns, side="right"))


def possible_sheets(turns: int) -> npt.NDArray[np.bool_]:
    """By troop and island, what six dice a turn may have paid for after so many turns."""
    return TURNS_NEEDED[TROOP_KNIGHTS] <= turns


class Growth(NamedTuple):
    """What an island becomes when something is built."""

    road: Numbers  # by island and one of its open roads, ascending
    settlement: Numbers
    city: Numbers


def _growth() -> Growth:
    def number(roads: int, settlements: int, cities: int) -> int:
        return ISLAND_NUMBER.get((roads, settlements, cities), -1)

    roads = [
        [
            number(roads | 1 << road, settlements, cities)
            for road, parent in enumerate(ROAD_PARENTS.tolist())
            if not _is_built(roads, road) and _is_built(roads, parent)
        ]
        for roads, settlements, cities in _ALL_ISLANDS
    ]
    most = max(map(len, roads))
    return Growth(
        np.array([row + [-1] * (most - len(row)) for row in roads], np.int16),
        np.array([number(r, s + 1, c) for r, s, c in _ALL_ISLANDS], np.int16),
        np.array([number(r, s, c + 1) for r, s, c in _ALL_ISLANDS], np.int16),
    )


GROWTH: Final = _growth()


class Rows(NamedTuple):
    """Troops inside a turn. A row is a troop whose jokers count, and knights built since.

    With same_turn_joker every knight's joker counts at once and rows are troops. Else
    there are more rows: those with one and with two knights whose jokers sleep until
    the turn ends. The first rows are always the troops as they begin a turn, and
    jokers lead to rows with higher numbers.
    """

    troop: Numbers  # when the turn ends in this row
    knight: Numbers  # the row after building a knight
    joker: Numbers  # by joker: the row after using it
    dice: Numbers  # how many can be left at most once something is built


def rows_of(same_turn_joker: bool) -> Rows:
    """The rows of a ruling. No turn pays for a third knight."""
    asleep = (0,) if same_turn_joker else (0, 1, 2)
    keys = [
        (knights, used, built)
        for built in asleep
        for knights in range(KNIGHTS + 1 - built)
        for used in range(1 << knights)
    ]
    numbers = {key: number for number, key in enumerate(keys)}
    step = (1, 0) if same_turn_joker else (0, 1)

    def joker(knights: int, used: int, built: int, which: int) -> int:
        if which >= knights or used >> which & 1:
            return -1
        return numbers[knights, used | 1 << which, built]

    return Rows(
        np.array([troop_number(k + built, used) for k, used, built in keys], np.int16),
        np.array([numbers.get((k + step[0], u, b + step[1]), -1) for k, u, b in keys], np.int16),
        np.array([[joker(*key, which) for which in range(KNIGHTS)] for key in keys], np.int16),
        DICE_LEFT[[built for _, _, built in keys]],
    )


def _after(gone: int, come: int = 0) -> Numbers:
    """By set of dice: the set without some dice and with others."""
    number_of = {int(dice): number for number, dice in enumerate(SET_DICE)}
    spare = 0x888888  # one free bit a nibble, as in the rules
    rest = (SET_DICE | spare) - gone
    can = rest & spare == spare
    return np.array(
        [
            number_of.get(int(left ^ spare) + come, -1) if ok else -1
            for left, ok in zip(rest, can, strict=True)
        ],
        np.int16,
    )


# By set of dice: what is left after paying, taking a die away, adding one, turning one.
ROAD_PAID: Final = _after(ROAD_COST)
SETTLEMENT_PAID: Final = _after(SETTLEMENT_COST)
CITY_PAID: Final = _after(CITY_COST)
KNIGHT_PAID: Final = _after(KNIGHT_COST)
TRADED: Final = np.stack([_after(TRADE_COST, 1 << 4 * r) for r in range(RESOURCES)], 1)
FEWER: Final = np.stack([_after(1 << 4 * face) for face in range(DICE)], 1)
MORE: Final = np.stack([_after(0, 1 << 4 * face) for face in range(DICE)], 1)
TURNED: Final = np.stack(
    [
        np.stack(
            [
                _after(1 << 4 * face, 1 << 4 * r) if face != r else np.full(SET_COUNT, -1, np.int16)
                for r in range(RESOURCES)
            ],
            1,
        )
        for face in range(DICE)
    ],
    1,
)  # by set, the face that is turned and the resource that it becomes
