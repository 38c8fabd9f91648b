"""What a search should know about Carat: what a tile does to the chips it touches.

For each of the four chips: who would win it before and after, by how many carats the seat
leads there, what it is worth, how many cells it still misses and whose colour is laid
there. And for the tile as a whole, how many chips it settles: a large one is not to be
wasted. The game has three phases, each with its own features. Playing on quickly takes
the best of a few placements.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.chance import Generator
from kwartet.core.kernels import kernel
from kwartet.core.tactics import Thresholds, Tuning
from kwartet.games.carat.rules import (
    AROUND,
    CORNERS,
    LYING,
    NOBODY,
    POINTS,
    TILES,
    carats_of,
    colours_present,
    random_action,
    winning_colour,
)

MARGIN: Final = 20.0  # points
LEVELS: Final[Mapping[str, Tuning]] = {
    "novice": {"attention": 0.15},
    "casual": {"attention": 0.5},
    "skilled": {"simulations": 50},
    "expert": {"simulations": 300},
    "master": {"simulations": 100_000},
}
# In points, by the number of seats, about 0.3, 1 and 4.
VERDICTS: Final = Thresholds(win=(0.015, 0.05, 0.15), points=(0.3, 1.0, 4.0))
DOUBT: Final = 0.8
PRACTICE: Final = ({"players": 4}, {"players": 2}, {"players": 3}, {"players": 2, "hand": 3})
GLANCES: Final = 4  # placements that playing on chooses from

# What became of chips in 240 matches of casual players to experts, for `forecast`.
LEADS: Final = 7  # carats that a colour is ahead of the best other one at most, or behind
CHIPS: Final = np.array(
    # by cells missing of those around, and by lead: how often its number a chip brings a colour
    [
        (0.00, 0.08, 0.32, 0.50, 0.71, 0.75, 0.96, 0.70, 1.37, 1.67, 1.92, 2.34, 2.30, 2.51, 2.32),
        (0.04, 0.27, 0.42, 0.44, 0.58, 0.67, 0.90, 1.13, 1.12, 1.28, 1.35, 1.64, 1.72, 1.61, 2.27),
        (0.35, 0.35, 0.40, 0.49, 0.56, 0.61, 0.67, 0.72, 0.77, 1.03, 1.13, 1.41, 1.56, 1.76, 1.76),
        (0.69,) * 15,
        (0.00, 0.00, 0.10, 0.17, 0.33, 0.43, 0.50, 0.32, 0.13, 0.44, 0.66, 1.04, 1.33, 1.50, 1.50),
        (0.41,) * 15,
        (0.26,) * 15,
    ]
)
SHARES: Final = np.array((1.0, 1.0, 1.22, 1.02, 0.955))  # as much more of it, by seats
SPREAD: Final = 9.0  # variance of a seat's points around that, for each tile still to come
_ROWS: Final = np.array((0, 6, 4, 0, 0))  # of `CHIPS`, by cells around: the first, less 1 missing

OWN, OTHER, NEUTRAL = range(3)  # whose colour; NEUTRAL: no seat's, or none at all
_LEADS: Final = 11  # see `_lead_class`
_PAYOFFS: Final = 8  # of a chip that is settled, two points each
_STAKES: Final = 4  # see `_stake_class`
_MISSING: Final = 4  # cells around a chip that are empty before a tile is laid, less 1

PHASES: Final = 3
_WON: Final = 0  # + whose · payoffs + payoff
_LEAD: Final = _WON + 3 * _PAYOFFS  # + (lead · 4 + missing) · stakes + stake
_AFTER: Final = _LEAD + _LEADS * _MISSING * _STAKES  # + (whose · 4 + missing) · stakes + stake
_BEFORE: Final = _AFTER + 3 * _MISSING * _STAKES  # likewise
_LAID: Final = _BEFORE + 3 * _MISSING * _STAKES  # + whose · 4 + missing
_TILE: Final = _LAID + 3 * _MISSING  # + chips settled · 6 + value − 1
_SLOTS: Final = _TILE + 5 * 6
FEATURES: Final = PHASES * _SLOTS
MAX_FEATURES: Final = 17


@kernel
def whose(state: np.record, colour: int) -> int:
    """Whether a colour is the acting seat's, another seat's, or nobody's."""
    owner = NOBODY if colour == NOBODY else int(state.owner[colour])
    if owner == NOBODY:
        return NEUTRAL
    return OWN if owner == state.seat else OTHER


@kernel
def _lead_class(state: np.record, sums: int) -> int:
    """By how many carats the acting seat leads at a chip, in eleven classes."""
    own, rival = 0, 0
    for colour in range(4):
        carats = carats_of(sums, colour)
        if state.owner[colour] == state.seat:
            own = max(own, carats)
        else:
            rival = max(rival, carats)
    lead = own - rival
    far = min(abs(lead), 4) if abs(lead) < 6 else 5
    return 5 + far if lead > 0 else 5 - far


@kernel
def _stake_class(points: int) -> int:
    """What a chip would bring as it stands, in four classes."""
    if points <= 6:
        return 0 if points <= 3 else 1
    return 2 if points <= 10 else 3


@kernel
def describe(
    state: np.record, action: int, notes: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    """The features of a placement, in the phase the match is in."""
    cell, tile, turn = action // (TILES * 4), action // 4 % TILES, action % 4
    phase = _SLOTS * min(int(state.tiles_laid) // 12, PHASES - 1)
    carats = tile // 6 + 1
    count, settled = 0, 0
    for corner in range(4):
        point = CORNERS[cell, corner]
        colour = int(LYING[tile % 6, turn, corner])
        value = int(state.chips[point])
        missing = int(state.missing[point]) - 1
        sums = int(state.sums[point])
        after = sums + (carats << 8 * colour)
        points = value * colours_present(after)
        stake = _stake_class(points)
        before = whose(state, winning_colour(sums)) * _MISSING + missing
        out[count] = phase + _BEFORE + before * _STAKES + stake
        out[count + 1] = phase + _LAID + whose(state, colour) * _MISSING + missing
        winner = whose(state, winning_colour(after))
        if missing == 0:
            settled += 1
            out[count + 2] = phase + _WON + winner * _PAYOFFS + min((points - 1) // 2, _PAYOFFS - 1)
            count += 3
        else:
            lead = _lead_class(state, after) * _MISSING + missing
            out[count + 2] = phase + _LEAD + lead * _STAKES + stake
            out[count + 3] = phase + _AFTER + (winner * _MISSING + missing) * _STAKES + stake
            count += 4
    out[count] = phase + _TILE + settled * 6 + carats - 1
    return count + 1


@kernel
def gain(state: np.record, action: int) -> int:
    """The points that a placement brings the acting seat, less those that it brings others."""
    cell, tile, turn = action // (TILES * 4), action // 4 % TILES, action % 4
    carats = tile // 6 + 1
    total = 0
    for corner in range(4):
        point = CORNERS[cell, corner]
        if state.missing[point] == 1:
            sums = int(state.sums[point]) + (carats << 8 * int(LYING[tile % 6, turn, corner]))
            winner = whose(state, winning_colour(sums))
            points = int(state.chips[point]) * colours_present(sums)
            total += points if winner == OWN else -points if winner == OTHER else 0
    return total


@kernel
def likely_action(state: np.record, rng: Generator) -> int:
    """Of a few placements the one that gains the most."""
    best = random_action(state, rng)
    most = gain(state, best)
    for _ in range(GLANCES - 1):
        action = random_action(state, rng)
        points = gain(state, action)
        if points > most:
            best, most = action, points
    return best


@kernel
def reach(state: np.record) -> int:
    """Until everybody has placed what is in the hands now."""
    return int(state.players) * int(state.hand)


@kernel
def forecast(
    state: np.record, points: npt.NDArray[np.float64], results: npt.NDArray[np.float64]
) -> None:
    """The points so far and what the chips bring as they stand; who is ahead wins as often as
    players did from there.
    """
    count = int(state.players)
    for seat in range(count):
        points[seat] = 0.0
    for colour in range(4):
        if state.owner[colour] != NOBODY:
            points[state.owner[colour]] += state.points[colour]
    for point in range(POINTS):
        missing = int(state.missing[point])
        if missing > 0:
            row = SHARES[count] * CHIPS[_ROWS[AROUND[point]] + missing - 1]
            for colour in range(4):
                if state.owner[colour] != NOBODY:
                    lead = _lead(int(state.sums[point]), colour)
                    points[state.owner[colour]] += state.chips[point] * row[LEADS + lead]
    scale = np.sqrt(2.0 * SPREAD * (TILES - int(state.tiles_laid)) + 1.0) / 1.7
    most, total = points[:count].max(), 0.0
    for seat in range(count):
        results[seat] = np.exp((points[seat] - most) / scale)
        total += results[seat]
    for seat in range(count):
        results[seat] = (count * results[seat] / total - 1.0) / (count - 1)


@kernel
def _lead(sums: int, colour: int) -> int:
    """By how many carats a colour is ahead of the best other one at a chip."""
    best = 0
    for other in range(4):
        if other != colour:
            best = max(best, carats_of(sums, other))
    return max(-LEADS, min(LEADS, carats_of(sums, colour) - best))
