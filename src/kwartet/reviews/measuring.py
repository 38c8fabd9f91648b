"""The compiled part of a review: what follows an action is worth to every seat.

`measure` searches as the bots do, from worlds that the deciding seat cannot tell apart, with
the action played first; the tree is grown by the search's own values, and each simulation's
end is noted on both scales. `roll` only plays on quickly from a state with nothing hidden: by
the judge's prior, if it has one, because what good luck is worth depends on making use of it.

Every simulation has luck of its own, drawn from a `master`, for the world, for chance and for
playing on: with the same master two actions meet the same worlds and the same draws, so that
their difference is surer than either of them.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.bots.leaf import blend, evaluate, expect, play_on
from kwartet.bots.network import Network
from kwartet.bots.tree import back_up, descend, plant
from kwartet.bots.workspace import Settings, Workspace
from kwartet.core.chance import Generator, next_bits
from kwartet.core.engine import Actions, States
from kwartet.core.game import MAX_SEATS
from kwartet.core.kernels import inlined_kernel, kernel, lean_kernel
from kwartet.core.scoring import returns
from kwartet.core.verbs import (
    CHANCE,
    OVER,
    actor,
    apply,
    describe,
    determinize,
    forecast,
    outlook,
    random_action,
    reach,
    scores,
    seats,
    survey,
)

Worths = npt.NDArray[np.float64]  # by seat and scale: WIN, POINTS
WIN, POINTS = range(2)
GLANCES: Final = 12  # actions that playing on by a prior chooses from
LOOKING: Final = 4  # one part of so many of a search looks around and does not count
NOTHING: Final = -1  # in place of an action: search what to do


class Guide(NamedTuple):
    """A prior for playing on, none without weights, and memory for it."""

    weights: npt.NDArray[np.float32]
    notes: npt.NDArray[np.int32]
    features: npt.NDArray[np.int32]


@lean_kernel
def note_end(
    state: np.record,
    points: npt.NDArray[np.int32],
    wins: npt.NDArray[np.int8],
    expected: npt.NDArray[np.float64],
    results: npt.NDArray[np.float64],
    out: Worths,
) -> None:
    """Add each seat's result and final score, as expected where playing on was broken off."""
    if actor(state) == OVER:
        returns(state, wins, results)
        scores(state, points)
        for seat in range(seats(state)):
            expected[seat] = points[seat]
    else:
        forecast(state, expected, results)
    for seat in range(seats(state)):
        out[seat, WIN] += results[seat]
        out[seat, POINTS] += expected[seat]


@kernel
def measure(
    work: Workspace,
    root: States,
    seat: int,
    action: int,
    weights: npt.NDArray[np.float32],
    network: Network,
    settings: Settings,
    master: Generator,
    simulations: int,
    visits: npt.NDArray[np.int64],
    halves: npt.NDArray[np.float64],
) -> None:
    """Search what follows the seat's action, or with NOTHING what to do.

    Adds to `visits` how often each next action was tried. The first quarter of the simulations
    only looks around; of the rest it writes to `halves` the means of the first and the second
    half, by seat and scale.
    """
    plant(work)
    luck, rng = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    expected, results = np.zeros(MAX_SEATS), np.zeros(MAX_SEATS)
    foresight, horizon = outlook(root[0])
    first = simulations // LOOKING  # that counts
    middle = first + (simulations - first + 1) // 2
    halves[:] = 0.0
    for number in range(simulations):
        luck[0] = next_bits(master)
        rng[0] = next_bits(master)
        work.world[0] = root[0]
        state = work.world[0]
        determinize(state, seat, luck)
        if action >= 0:
            apply(state, action)
        depth, turns, last = descend(work, seat, weights, settings, foresight, luck, rng)
        is_foreseen = expect(work, int(work.path[depth - 1]), network, settings)
        play_on(state, turns, last, horizon, False, luck, rng)
        evaluate(state, settings, work.points, work.wins, work.values)
        if is_foreseen:
            blend(work, settings)
        back_up(work.nodes, work.path, work.choosers, work.values, depth, settings)
        if depth > 1:
            visits[work.nodes[work.path[1]].action] += 1
        if number >= first:
            half = 0 if number < middle else 1
            note_end(state, work.points, work.wins, expected, results, halves[half])
    halves[0] /= middle - first
    halves[1] /= max(1, simulations - middle)


@kernel
def roll(
    start: States,
    outcomes: npt.NDArray[np.int32],
    scratch: States,
    guide: Guide,
    master: Generator,
    simulations: int,
    out: npt.NDArray[np.float64],
) -> None:
    """Play on after each of the outcomes, rows of actions, and write what each seat comes to."""
    luck, rng = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    points, wins = np.zeros(MAX_SEATS, np.int32), np.zeros(MAX_SEATS, np.int8)
    expected, results = np.zeros(MAX_SEATS), np.zeros(MAX_SEATS)
    state = scratch[0]
    for number in range(len(outcomes)):
        out[number] = 0.0
        for _ in range(simulations):
            luck[0] = next_bits(master)
            rng[0] = next_bits(master)
            scratch[0] = start[0]
            for action in outcomes[number]:
                apply(state, int(action))
            horizon = reach(state)
            if len(guide.weights) > 0:
                _play_on_guided(state, horizon, guide, luck, rng)
            else:
                play_on(state, -1, OVER, horizon, False, luck, rng)
            note_end(state, points, wins, expected, results, out[number])
        out[number] /= simulations


@inlined_kernel
def _play_on_guided(
    state: np.record, horizon: int, guide: Guide, luck: Generator, rng: Generator
) -> None:
    """Play on as a beginner who goes by looks; see `play_on`."""
    turns, seat = -1, OVER
    while True:
        acting = actor(state)
        if acting >= 0 and acting != seat:
            turns += 1
            seat = acting
        if acting == OVER or turns >= horizon:
            return
        if acting == CHANCE:
            apply(state, random_action(state, luck))
        else:
            apply(state, _good_looking(state, guide, rng))


@lean_kernel
def _good_looking(state: np.record, guide: Guide, rng: Generator) -> int:
    """Of some actions the one that the prior likes best."""
    survey(state, guide.notes)
    best, most = 0, -np.inf
    for _ in range(GLANCES):
        action = random_action(state, rng)
        appeal = 0.0
        for index in range(describe(state, action, guide.notes, guide.features)):
            appeal += guide.weights[guide.features[index]]
        if appeal > most:
            best, most = action, appeal
    return best


@kernel
def draw(start: States, scratch: States, rng: Generator, out: Actions) -> None:
    """Write as many of chance's actions as there is room for, each as likely as it is."""
    scratch[0] = start[0]
    for index in range(len(out)):
        out[index] = random_action(scratch[0], rng)
        apply(scratch[0], int(out[index]))
