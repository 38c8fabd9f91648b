"""How many points each action gets this turn, if the turn goes on as well as it can.

A turn may be several actions (cards laid one by one, trades before a building), so
the lines of one seat's actions are followed to their end. Where dice or draws come
between, some outcomes are sampled. Nobody else's actions are looked at.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.chance import Generator, below
from kwartet.core.engine import Actions, States
from kwartet.core.game import MAX_SEATS, Game
from kwartet.core.kernels import kernel
from kwartet.core.verbs import (
    CHANCE,
    actor,
    apply,
    determinize,
    legal_actions,
    random_action,
    scores,
    seats,
)

SAMPLES: Final = 24  # of what chance may do
DEPTH: Final = 9  # actions of one line at most
LINES: Final = 3000  # after so many actions the rest of a turn is left out
_FAR: Final = 1 << 30


def rate_actions(
    game: Game, state: States, actions: Actions, rng: Generator
) -> npt.NDArray[np.float64]:
    """The margin over the best other seat at the end of the turn, for each action."""
    ladder = np.repeat(state, DEPTH + 2)
    legal = np.empty((DEPTH + 2, game.rules.MAX_LEGAL), np.int32)
    margins = np.empty(len(actions))
    _rate(ladder, legal, actions, rng, margins)
    return margins


def any_best(actions: Actions, values: npt.NDArray[np.float64], rng: Generator) -> int:
    """The action with the highest value; of equal ones any."""
    best = np.flatnonzero(values == values.max())
    return int(actions[best[below(rng, len(best))]])


@kernel
def margin(state: np.record, seat: int, points: npt.NDArray[np.int32]) -> int:
    """The seat's points less those of the best other seat; alone, its points."""
    scores(state, points)
    best = 0
    for other in range(seats(state)):
        if other != seat and (other == int(seat == 0) or points[other] > best):
            best = int(points[other])
    return int(points[seat]) - best


@kernel
def _rate(
    ladder: States,
    legal: npt.NDArray[np.int32],
    actions: Actions,
    rng: Generator,
    out: npt.NDArray[np.float64],
) -> None:
    """Write the mean of what each action leads to from the ladder's first state."""
    points = np.zeros(MAX_SEATS, np.int32)
    left = np.zeros(1, np.int64)
    seat = actor(ladder[0])
    determinize(ladder[0], seat, rng)
    for index in range(len(actions)):
        total = 0
        samples = 0
        wanted = 1
        while samples < wanted:
            ladder[1] = ladder[0]
            state = ladder[1]
            apply(state, int(actions[index]))
            while actor(state) == CHANCE:
                apply(state, random_action(state, rng))
                wanted = SAMPLES if actor(state) == seat else 1
            left[0] = LINES
            total += _best(ladder[1:], legal[1:], seat, points, left)
            samples += 1
        out[index] = total / samples


@kernel
def _best(
    ladder: States,
    legal: npt.NDArray[np.int32],
    seat: int,
    points: npt.NDArray[np.int32],
    left: npt.NDArray[np.int64],
) -> int:
    """The best margin that the seat can reach before anybody else acts."""
    best = margin(ladder[0], seat, points)
    if len(ladder) == 1 or left[0] <= 0 or actor(ladder[0]) != seat:
        return best
    best = -_FAR
    for index in range(legal_actions(ladder[0], legal[0])):
        left[0] -= 1
        ladder[1] = ladder[0]
        apply(ladder[1], int(legal[0, index]))
        best = max(best, _best(ladder[1:], legal[1:], seat, points, left))
    return best
