"""Endings, solved: no chance to come and nothing hidden. Written over any game's verbs.

Of two seats depth-first with bounds (alpha-beta). What is compared is the result, then the
difference in points, then seat 0's points, packed into one number that seat 0 wants high and
seat 1 low; so the winner's margin is exact, too. Moves that cut off elsewhere are tried
first. Alone or with more seats everybody takes the best for itself, and all lines are seen.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.bots.instinct import list_candidates
from kwartet.core import engine
from kwartet.core.chance import Generator, below, generator
from kwartet.core.engine import Actions, States
from kwartet.core.game import MAX_SEATS, Game
from kwartet.core.kernels import kernel
from kwartet.core.scoring import returns
from kwartet.core.verbs import CHANCE, OVER, actor, apply, candidates, scores, seats
from kwartet.reviews.measuring import Worths

WORLDS: Final = 16  # that must all be the same where nothing is said to be hidden
GUESSES: Final = 24  # random lines that tell how large an ending is
LONGEST: Final = 64  # actions of an ending
_HALF: Final = 1 << 18
_SHIFT: Final = 20
_INFINITE: Final = 1 << 60


class Proof(NamedTuple):
    """The memory of a proof."""

    left: npt.NDArray[np.int64]  # nodes that may still be visited; 0: it is given up
    history: npt.NDArray[np.int64]  # by action: how often it has cut off
    points: npt.NDArray[np.int32]
    wins: npt.NDArray[np.int8]
    results: npt.NDArray[np.float64]


class Endings:
    """Solves endings of one game, with at most so many nodes each."""

    def __init__(self, game: Game, nodes: int) -> None:
        self._nodes = nodes
        self._ladder = np.zeros(LONGEST + 2, game.rules.STATE)
        self._legal = np.empty((LONGEST + 2, game.rules.MAX_LEGAL), np.int32)
        self._values = np.zeros((LONGEST + 2, MAX_SEATS, 2))
        self._proof = Proof(
            np.zeros(1, np.int64),
            np.zeros(game.rules.ACTIONS, np.int64),
            np.zeros(MAX_SEATS, np.int32),
            np.zeros(MAX_SEATS, np.int8),
            np.zeros(MAX_SEATS),
        )

    def solve(
        self, known: States, seat: int, seats: int, played: int
    ) -> tuple[int, Worths, Worths] | None:
        """The best action, what the seats come to after it, and after the one played.

        `known` is what the seat knows; None if that is not all, or the ending is too large.
        """
        world = _only_world(known, seat)
        if world is None or not self._is_small(world, seats):
            return None
        self._proof.left[0] = self._nodes
        self._proof.history[:] = 0
        solved = (self._two if seats == 2 else self._several)(world, seat, played)
        return solved if self._proof.left[0] > 0 else None

    def value(self, world: States, action: int, low: int, high: int) -> int:
        """Of two seats, after an action, packed; see `prove`."""
        self._advance(world, action)
        return int(prove(self._ladder, self._legal, low, high, self._proof))

    def values(self, world: States, action: int) -> Worths:
        """Of several seats, after an action."""
        self._advance(world, action)
        follow(self._ladder, self._legal, self._values, self._proof)
        return self._values[0].copy()

    def _two(self, world: States, seat: int, played: int) -> tuple[int, Worths, Worths]:
        after = self.value(world, played, -_INFINITE, _INFINITE)
        best, most = played, after
        for action in self._candidates(world):
            bounds = (most, _INFINITE) if seat == 0 else (-_INFINITE, most)
            value = self.value(world, action, *bounds)
            if (value > most) if seat == 0 else (value < most):
                best, most = action, value
        return best, _unpacked(most), _unpacked(after)

    def _several(self, world: States, seat: int, played: int) -> tuple[int, Worths, Worths]:
        after = self.values(world, played)
        best, most = played, after
        for action in self._candidates(world):
            values = self.values(world, action)
            if tuple(values[seat]) > tuple(most[seat]):
                best, most = action, values
        return best, most, after

    def _advance(self, world: States, action: int) -> None:
        self._ladder[0] = world[0]
        engine.apply(self._ladder, np.array([action], np.int32))

    def _candidates(self, world: States) -> list[int]:
        listed: list[int] = self._legal[0, : list_candidates(world, self._legal[0])].tolist()
        return listed

    def _is_small(self, world: States, seats: int) -> bool:
        """Whether it may end in time, going by random lines.

        With two seats bounds leave about the root of all lines to be seen.
        """
        sizes = np.empty(GUESSES)
        guess(world, self._ladder, self._legal[0], generator(0), sizes)
        lines = float(sizes.mean())
        return (lines**0.5 if seats == 2 else lines) < self._nodes


def _only_world(known: States, seat: int) -> States | None:
    """The state, if the seat knows all of it."""
    rng = generator(0, 1)
    worlds = [known.copy() for _ in range(WORLDS)]
    for world in worlds:
        engine.determinize(world, seat, rng)
    return worlds[0] if len({world.tobytes() for world in worlds}) == 1 else None


def _unpacked(value: int) -> Worths:
    """By seat: result and points."""
    first = value % (1 << _SHIFT) - _HALF
    lead = (value >> _SHIFT) % (1 << _SHIFT) - _HALF
    result = (value >> 2 * _SHIFT) - 1
    return np.array([[result, first], [-result, first - lead]], np.float64)


@kernel
def guess(
    start: States, scratch: States, legal: Actions, rng: Generator, out: npt.NDArray[np.float64]
) -> None:
    """Write how many lines an ending has, as each random line suggests; infinite with chance."""
    state = scratch[0]
    for number in range(len(out)):
        scratch[0] = start[0]
        out[number] = 1.0
        length = 0
        while actor(state) != OVER:
            length += 1
            if actor(state) == CHANCE or length > LONGEST:
                out[number] = np.inf
                break
            count = candidates(state, legal)
            out[number] *= count
            apply(state, int(legal[below(rng, count)]))


@kernel
def prove(ladder: States, legal: npt.NDArray[np.int32], low: int, high: int, proof: Proof) -> int:
    """The first state's value if it is between the bounds, else one beyond the same bound.

    `ladder` has a state and `legal` a row for every action of a line.
    """
    state = ladder[0]
    acting = actor(state)
    if acting == OVER:
        return _end(state, proof)
    if proof.left[0] <= 0 or acting == CHANCE or len(ladder) == 1:
        proof.left[0] = 0
        return low
    proof.left[0] -= 1
    count = candidates(state, legal[0])
    _put_first(legal[0], count, proof.history)
    best = -_INFINITE if acting == 0 else _INFINITE
    for index in range(count):
        action = int(legal[0, index])
        ladder[1] = ladder[0]
        apply(ladder[1], action)
        value = prove(ladder[1:], legal[1:], low, high, proof)
        if acting == 0:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            proof.history[action] += count - index
            break
    return best


@kernel
def follow(
    ladder: States,
    legal: npt.NDArray[np.int32],
    values: npt.NDArray[np.float64],
    proof: Proof,
) -> None:
    """Write to the first row of `values` what the seats come to if each takes its best.

    That is the best result and, of equal ones, the most points.
    """
    state = ladder[0]
    acting = actor(state)
    if acting == OVER:
        returns(state, proof.wins, proof.results)
        scores(state, proof.points)
        for seat in range(seats(state)):
            values[0, seat, 0] = proof.results[seat]
            values[0, seat, 1] = proof.points[seat]
        return
    if proof.left[0] <= 0 or acting == CHANCE or len(ladder) == 1:
        proof.left[0] = 0
        return
    proof.left[0] -= 1
    for index in range(candidates(state, legal[0])):
        ladder[1] = ladder[0]
        apply(ladder[1], int(legal[0, index]))
        follow(ladder[1:], legal[1:], values[1:], proof)
        gain = values[1, acting, 0] - values[0, acting, 0]
        if index == 0 or gain > 0 or (gain == 0 and values[1, acting, 1] > values[0, acting, 1]):
            values[0] = values[1]


@kernel
def _end(state: np.record, proof: Proof) -> int:
    """The packed value of a match that is over."""
    returns(state, proof.wins, proof.results)
    scores(state, proof.points)
    result = int(proof.results[0]) + 1
    first, second = int(proof.points[0]), int(proof.points[1])
    return (((result << _SHIFT) + first - second + _HALF) << _SHIFT) + first + _HALF


@kernel
def _put_first(actions: Actions, count: int, history: npt.NDArray[np.int64]) -> None:
    """Put the action that has cut off most often first, and so on for a few."""
    for place in range(min(count, 6)):
        best = place
        for index in range(place + 1, count):
            if history[actions[index]] > history[actions[best]]:
                best = index
        action = actions[best]
        actions[best] = actions[place]
        actions[place] = action
