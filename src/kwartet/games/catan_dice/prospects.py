"""What the dice of a turn of the Catan dice game bring if they stand, and what they lack.

For a person who asks before stopping: every way to trade and build is tried with the rules
themselves, so that what is told is what can be played.
"""

from collections import Counter
from typing import TypedDict

import numpy as np

from kwartet.games.catan_dice.notation import dice_text, names
from kwartet.games.catan_dice.rules import (
    CHOOSING,
    CROSS,
    END,
    MAX_LEGAL,
    STATE,
    STOP,
    TRADE,
    apply,
    has_road,
    legal_actions,
    open_roads,
)
from kwartet.games.catan_dice.tables import (
    CITY_COST,
    CITY_POINTS,
    CITY_ROADS,
    FACES,
    KNIGHT_COST,
    KNIGHTS,
    ROAD_COST,
    SETTLEMENT_COST,
    SETTLEMENT_POINTS,
    SETTLEMENT_ROADS,
)


class Yield(TypedDict):
    """The most points that a turn can still come to, and the moves that lead there."""

    points: int  # of the whole turn; -2 is a cross
    moves: list[str]


class Lack(TypedDict):
    """A building that only dice are missing for."""

    site: str
    points: int
    missing: str  # faces that would have to lie there as well, trades and jokers left aside


class CatanDiceProspects(TypedDict):
    """What the seat to act may expect of its dice as they lie."""

    now: Yield  # without a joker
    joker: Yield | None  # with one joker, if that is more
    lacks: list[Lack]  # the fewest dice first, then the most points


_Best = tuple[int, tuple[int, ...]]  # points built this turn, actions


def prospects(state: np.record) -> CatanDiceProspects:
    """What the dice bring if they stand as they lie, and what they are short of."""
    standing = np.array([state], STATE)
    if standing[0].phase == CHOOSING:
        apply(standing[0], STOP)
    now = _best(standing, 0, {})
    joker = _best(standing, 1, {})
    return {
        "now": _told(standing[0], now),
        "joker": _told(standing[0], joker) if joker[0] > now[0] else None,
        "lacks": _lacks(standing[0]),
    }


def _best(states: np.ndarray, jokers: int, known: dict[tuple[bytes, int], _Best]) -> _Best:
    """The most points with so many jokers at most, by the fewest actions."""
    key = states.tobytes(), jokers
    if key in known:
        return known[key]
    found: _Best = (int(states[0].gained), ())
    legal = np.empty(MAX_LEGAL, np.int32)
    for action in legal[: legal_actions(states[0], legal)].tolist():
        left = jokers - (action < TRADE)
        if action == END or left < 0:
            continue
        after = states.copy()
        apply(after[0], action)
        points, actions = _best(after, left, known)
        found = max(found, (points, (action, *actions)), key=lambda one: (one[0], -len(one[1])))
    known[key] = found
    return found


def _told(state: np.record, best: _Best) -> Yield:
    points, actions = best
    return {"points": points or CROSS, "moves": names(state, int(state.seat), actions)}


def _next_sites(state: np.record) -> list[tuple[str, int, int]]:
    """The next building of each kind that has its road: name, points, cost."""
    seat = state.seat
    knights = int(state.knights[seat])
    sites = [(f"R{road}", 1, ROAD_COST) for road in _bits(int(open_roads(state)))[:1]]
    for letter, built, roads, points, cost in (
        ("S", state.settlements[seat], SETTLEMENT_ROADS, SETTLEMENT_POINTS, SETTLEMENT_COST),
        ("C", state.cities[seat], CITY_ROADS, CITY_POINTS, CITY_COST),
    ):
        if built < len(roads) and has_road(state, roads[built]):
            sites.append((f"{letter}{points[built]}", int(points[built]), cost))
    if knights < KNIGHTS:
        sites.append((f"K{knights + 1}", knights + 1, KNIGHT_COST))
    return sites


def _lacks(state: np.record) -> list[Lack]:
    dice = Counter(dice_text(int(state.dice)))
    lacks: list[Lack] = []
    for site, points, cost in _next_sites(state):
        short = Counter(dice_text(cost)) - dice
        if short:
            missing = "".join(face * short[face] for face in FACES)
            lacks.append({"site": site, "points": points, "missing": missing})
    return sorted(lacks, key=lambda lack: (len(lack["missing"]), -lack["points"]))


def _bits(number: int) -> list[int]:
    return [bit for bit in range(number.bit_length()) if number >> bit & 1]
