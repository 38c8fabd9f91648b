"""What a search should know about Carat: how it is played on, and what may come of it.

How a placement looks is in `patterns`, how a position looks in `looks`, both by how chips
stand (`chips`). Playing on quickly takes the best of a few placements.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.chance import Generator
from kwartet.core.kernels import kernel
from kwartet.core.tactics import Thresholds, Tuning
from kwartet.games.carat.chips import OTHER, OWN, whose
from kwartet.games.carat.endings import identify as identify
from kwartet.games.carat.endings import proceed as proceed
from kwartet.games.carat.endings import unveil as unveil
from kwartet.games.carat.looks import LOOK_BY as LOOK_BY
from kwartet.games.carat.looks import LOOKS as LOOKS
from kwartet.games.carat.looks import sketch as sketch
from kwartet.games.carat.patterns import FEATURES as FEATURES
from kwartet.games.carat.patterns import MAX_FEATURES as MAX_FEATURES
from kwartet.games.carat.patterns import NOTES as NOTES
from kwartet.games.carat.patterns import describe as describe
from kwartet.games.carat.patterns import survey as survey
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
    "novice": {"slack": 16.0},
    "casual": {"slack": 5.8},
    "skilled": {"simulations": 1_000, "guided": False},
    "expert": {"simulations": 400},
    "master": {"simulations": 100_000},
}
# Among more, what a placement looks like tells less.
LEVELS_BY: Final[Mapping[str, Mapping[str, Tuning]]] = {
    "3": {"casual": {"slack": 4.5}},
    "4": {"casual": {"slack": 4.2}},
}
# In points, by the number of seats, about 0.3, 1 and 4.
VERDICTS: Final = Thresholds(win=(0.015, 0.05, 0.15), points=(0.3, 1.0, 4.0))
DOUBT: Final = 0.8
PRACTICE: Final = (
    *({"players": players} for players in (4, 2, 3)),
    {"players": 2, "hand": 3},
    {"players": 2, "colours": ["RB", "YG"]},
)
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
