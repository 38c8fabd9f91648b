"""Algorithms over any game, compiled once for each record type.

Entries take an array of states and work on its first one: handing an array from
Python to compiled code costs a quarter of handing over a record. An entry that only
hands its state to a verb has the verb's name.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from kwartet.core import scoring, verbs
from kwartet.core.chance import Generator, below
from kwartet.core.kernels import kernel, lean_kernel
from kwartet.core.verbs import CHANCE, OVER

States = npt.NDArray[Any]  # of a game's record type
Actions = npt.NDArray[np.int32]


@kernel
def apply(states: States, actions: Actions) -> None:
    """Apply the actions one after the other; they are legal."""
    for action in actions:
        verbs.apply(states[0], int(action))


@lean_kernel
def step(states: States, action: int, legal: Actions) -> tuple[int, int]:
    """Apply the action, none if it is negative; who acts then, and how many actions are legal.

    Writes these to `legal`. One call from Python does what a loop there needs.
    """
    state = states[0]
    if action >= 0:
        verbs.apply(state, action)
    acting = verbs.actor(state)
    if acting == OVER:
        return OVER, 0
    return acting, verbs.legal_actions(state, legal)


@kernel
def legal_actions(states: States, out: Actions) -> int:
    """Write the legal actions, ascending; return how many."""
    if verbs.actor(states[0]) == OVER:
        return 0
    return verbs.legal_actions(states[0], out)


@kernel
def situation(states: States, points: Actions, wins: npt.NDArray[np.int8]) -> int:
    """Write each seat's score and, at the end, who wins; return the actor."""
    state = states[0]
    verbs.scores(state, points)
    acting = verbs.actor(state)
    if acting == OVER:
        verbs.winners(state, wins)
    return acting


@kernel
def returns(states: States, wins: npt.NDArray[np.int8], out: npt.NDArray[np.float64]) -> None:
    """Write each seat's result of a match that is over."""
    scoring.returns(states[0], wins, out)


@kernel
def random_action(states: States, rng: Generator) -> int:
    """A random action of the actor: as likely as it is for chance, uniform for a seat."""
    return verbs.random_action(states[0], rng)


@kernel
def chance_weights(states: States, outcomes: Actions, out: npt.NDArray[np.int64]) -> None:
    """Write the weight of each of chance's outcomes."""
    for index in range(len(outcomes)):
        out[index] = verbs.chance_weight(states[0], int(outcomes[index]))


@kernel
def redact(states: States, seat: int) -> None:
    """Remove what `seat` may not know."""
    verbs.redact(states[0], seat)


@kernel
def determinize(states: States, seat: int, rng: Generator) -> None:
    """Fill in what `seat` does not know, at random."""
    verbs.determinize(states[0], seat, rng)


@kernel
def observe(states: States, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write what `seat` may see as numbers."""
    verbs.observe(states[0], seat, out)


@kernel
def observe_all(
    states: States, watchers: npt.NDArray[np.int8], out: npt.NDArray[np.float32]
) -> None:
    """Write a row for each state: what its watcher may see as numbers."""
    for index in range(len(states)):
        verbs.observe(states[index], int(watchers[index]), out[index])


@kernel
def playouts(
    starts: States,
    scratch: States,
    rng: Generator,
    games: int,
    wins: npt.NDArray[np.int64],
    legal: Actions,
    log: Actions,
) -> int:
    """Play `games` random matches from the first state; return the number of actions.

    Adds to `wins` how often each seat won, alone or with others. Seats sample their
    actions; given room for a list in `legal`, they pick from the full list instead.
    Writes as many actions to `log` as it has room for. The last match is left in `scratch`.
    """
    plies = 0
    won = np.zeros(len(wins), np.int8)
    for _ in range(games):
        scratch[0] = starts[0]
        state = scratch[0]
        acting = verbs.actor(state)
        while acting != OVER:
            if acting == CHANCE or len(legal) == 0:
                action = verbs.random_action(state, rng)
            else:
                action = int(legal[below(rng, verbs.legal_actions(state, legal))])
            if plies < len(log):
                log[plies] = action
            verbs.apply(state, action)
            plies += 1
            acting = verbs.actor(state)
        verbs.winners(state, won)
        for seat in range(verbs.seats(state)):
            wins[seat] += won[seat]
    return plies


@kernel
def perft(ladder: States, legal: npt.NDArray[np.int32], depth: int) -> int:
    """The number of action sequences of length `depth` from the first state.

    `ladder` has a state and `legal` a row for every level. Shorter sequences that
    end the match are not counted.
    """
    if depth == 0:
        return 1
    if verbs.actor(ladder[0]) == OVER:
        return 0
    count = verbs.legal_actions(ladder[0], legal[0])
    if depth == 1:
        return count
    sequences = 0
    for index in range(count):
        ladder[1] = ladder[0]
        verbs.apply(ladder[1], int(legal[0, index]))
        sequences += perft(ladder[1:], legal[1:], depth - 1)
    return sequences
