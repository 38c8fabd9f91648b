"""Many matches side by side, advanced by compiled code: the kernels under `batch`.

A lane is one match after the other. Everything a lane needs is in the row of its number,
its luck included, so that it does not matter which thread advances it. The last state of
the array is none of the lanes: it is the start that they are set back to.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.chance import Generator
from kwartet.core.engine import Actions, States
from kwartet.core.kernels import lean_kernel
from kwartet.core.scoring import returns
from kwartet.core.verbs import (
    CHANCE,
    OVER,
    actor,
    apply,
    legal_actions,
    likely_action,
    observe,
    random_action,
    scores,
    seats,
)

# How lanes behave, as bits
AT_RANDOM: Final = 1  # the other seats play any action inside
QUICKLY: Final = 2  # the other seats play inside as the game's `likely_action` does
IN_POINTS: Final = 4  # rewards are points gained, not the result
FORGIVING: Final = 8  # an illegal action ends its match instead of stopping all
SAME_STEP: Final = 16  # the step that ends a match begins the next one
NEXT_STEP: Final = 32  # the step after that does, whatever its action is
OTHERS: Final = AT_RANDOM | QUICKLY
PENALTY: Final = -1.0  # of the seat that played an illegal action

Bytes = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Generators = npt.NDArray[np.uint64]


@lean_kernel
def first_illegal(
    actions: Numbers, masks: Flags, dones: Flags, begin: int, end: int, behaviour: int
) -> int:
    """The first of these lanes whose action may not be played; −1 if there is none."""
    for lane in range(begin, end):
        action = actions[lane]
        if dones[lane] and not behaviour & SAME_STEP:
            if not behaviour & NEXT_STEP and action >= 0:  # it is over; below 0 says: wait
                return lane
        elif not behaviour & FORGIVING and not _is_legal(action, masks[lane]):
            return lane
    return -1


@lean_kernel
def _is_legal(action: int, mask: Flags) -> bool:
    return action >= 0 and action < len(mask) and mask[action]


@lean_kernel
def step_lanes(
    states: States,
    actions: Numbers,
    observations: Floats,
    masks: Flags,
    rewards: Floats,
    dones: Flags,
    actors: Bytes,
    rngs: Generators,
    points: Actions,
    legal: Actions,
    wins: Bytes,
    begin: int,
    end: int,
    behaviour: int,
) -> int:
    """Play each lane's action; return −1, or the first lane that refuses. Then nothing changed.

    A lane's rewards are one number a seat. `legal` and `wins` are scratch.
    """
    refused = first_illegal(actions, masks, dones, begin, end, behaviour)
    if refused >= 0:
        return refused
    for lane in range(begin, end):
        reward = rewards[lane]
        for seat in range(len(reward)):
            reward[seat] = 0.0
        if dones[lane] and not behaviour & SAME_STEP:
            if behaviour & NEXT_STEP:
                dones[lane] = False
                _begin(states, lane, actors, rngs, points, behaviour)
                _show(states[lane], lane, observations, masks, actors, legal)
            continue
        state, seat, action = states[lane], int(actors[lane]), actions[lane]
        if _is_legal(action, masks[lane]):
            apply(state, action)
            acting = _play_on(state, seat, rngs[lane], behaviour)
            _reward(state, acting, points[lane], wins, reward, behaviour)
        else:
            reward[seat] = PENALTY
            acting = OVER
        dones[lane] = acting == OVER
        if acting != OVER:
            actors[lane] = acting
        elif behaviour & SAME_STEP:
            _begin(states, lane, actors, rngs, points, behaviour)
        _show(states[lane], lane, observations, masks, actors, legal)
        if acting == OVER and not behaviour & SAME_STEP:
            for index in range(masks.shape[1]):
                masks[lane, index] = False
    return -1


@lean_kernel
def _begin(
    states: States, lane: int, actors: Bytes, rngs: Generators, points: Actions, behaviour: int
) -> None:
    """Begin a match up to its first decision; with others inside, the caller's seat moves on."""
    state = states[lane]
    seat = int(actors[lane])
    acting = OVER
    while acting == OVER:  # it may be over before the caller's seat was asked at all
        states[lane] = states[len(states) - 1]
        seat = (seat + 1) % seats(state)
        acting = _play_on(state, seat, rngs[lane], behaviour)
    actors[lane] = acting
    if behaviour & IN_POINTS:
        scores(state, points[lane])


@lean_kernel
def _play_on(state: np.record, seat: int, rng: Generator, behaviour: int) -> int:
    """Let chance, and others that play inside, act until the caller is to; return who acts."""
    acting = actor(state)
    while acting == CHANCE or (behaviour & OTHERS and acting != seat and acting != OVER):
        if acting != CHANCE and behaviour & QUICKLY:
            apply(state, likely_action(state, rng))
        else:
            apply(state, random_action(state, rng))
        acting = actor(state)
    return acting


@lean_kernel
def _reward(
    state: np.record, acting: int, points: Actions, wins: Bytes, reward: Floats, behaviour: int
) -> None:
    """Points that every seat gained since the last time, or the result at the end."""
    if behaviour & IN_POINTS:
        for seat in range(len(reward)):
            reward[seat] = -points[seat]
        scores(state, points)
        for seat in range(len(reward)):
            reward[seat] += points[seat]
    elif acting == OVER:
        returns(state, wins, reward)  # type: ignore[arg-type]


@lean_kernel
def _show(
    state: np.record, lane: int, observations: Floats, masks: Flags, actors: Bytes, legal: Actions
) -> None:
    """Write what the lane's seat sees and may do."""
    observe(state, int(actors[lane]), observations[lane])
    mask = masks[lane]
    for index in range(len(mask)):
        mask[index] = False
    if actor(state) != OVER:
        for index in range(legal_actions(state, legal)):
            mask[legal[index]] = True


@lean_kernel
def sample_lanes(
    states: States,
    out: Numbers,
    dones: Flags,
    rngs: Generators,
    begin: int,
    end: int,
    behaviour: int,
) -> None:
    """Write a uniform legal action for each of these lanes; −1 where the match is over."""
    for lane in range(begin, end):
        is_over = dones[lane] and not behaviour & SAME_STEP
        out[lane] = -1 if is_over else random_action(states[lane], rngs[lane])
