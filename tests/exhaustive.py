"""The exact value of a position by trying everything: no tree, no chance left to luck."""

from typing import Any

import numpy as np
import numpy.typing as npt

from kwartet.bots.leaf import evaluate
from kwartet.bots.workspace import Settings
from kwartet.core.engine import States
from kwartet.core.game import Game
from kwartet.core.kernels import kernel
from kwartet.core.verbs import (
    CHANCE,
    OVER,
    actor,
    apply,
    chance_weight,
    legal_actions,
    proceed,
    seats,
)

DEPTH = 40  # actions of the longest ending
CLOSE = 1e-12  # values that differ by less are equal: sums are rounded
SEATS = 4


def exact_values(
    game: Game, states: States, settings: Settings, limit: int, *, unveiled: bool = False
) -> dict[int, list[float]] | None:
    """By action, each seat's value if everyone plays for their own; None if that is too much.

    Of equal actions everyone takes the first. Unveiled states are played on in their own way.
    """
    ladder = np.repeat(states, DEPTH + 2)
    legal = np.empty((DEPTH + 2, game.rules.MAX_LEGAL), np.int32)
    values = np.zeros((DEPTH + 2, SEATS))
    left = np.array([limit])
    count = _list(ladder, legal)
    found = {}
    for action in legal[0, :count].tolist():
        _step(ladder, action, unveiled)
        _work_out(ladder[1:], legal[1:], values[1:], settings, left, unveiled)
        if left[0] < 0:
            return None
        found[action] = values[1].tolist()
    return found


@kernel
def _list(ladder: States, legal: Any) -> int:
    return legal_actions(ladder[0], legal[0])


@kernel
def _step(ladder: States, action: int, unveiled: bool) -> None:
    ladder[1] = ladder[0]
    if unveiled:
        proceed(ladder[1], action)
    else:
        apply(ladder[1], action)


@kernel
def _work_out(
    ladder: States,
    legal: npt.NDArray[np.int32],
    values: npt.NDArray[np.float64],
    settings: Settings,
    left: npt.NDArray[np.int64],
    unveiled: bool,
) -> None:
    """Write the values of the first state; gives up when no positions are `left`."""
    state = ladder[0]
    acting = actor(state)
    left[0] -= 1
    if acting == OVER:
        evaluate(state, settings, np.zeros(SEATS, np.int32), np.zeros(SEATS, np.int8), values[0])
        return
    if left[0] < 0 or len(ladder) == 1:
        left[0] = -1
        return
    count = legal_actions(state, legal[0])
    values[0] = 0.0 if acting == CHANCE else -2.0
    total = 0
    for index in range(count):
        action = int(legal[0, index])
        _step(ladder, action, unveiled)
        _work_out(ladder[1:], legal[1:], values[1:], settings, left, unveiled)
        if left[0] < 0:
            return
        if acting == CHANCE:
            weight = chance_weight(state, action)
            total += weight
            for seat in range(seats(state)):
                values[0, seat] += weight * values[1, seat]
        elif values[1, acting] > values[0, acting] + CLOSE:
            values[0] = values[1]
    if acting == CHANCE:
        for seat in range(seats(state)):
            values[0, seat] /= total
