"""Thousands of matches at once on arrays: actions in, what follows out.

All arrays are made once and written in place, so `torch.from_numpy` of one of them stays
up to date and nothing is copied. Whoever keeps what a step returned must copy it.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from kwartet.core import features
from kwartet.core.chance import generator
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game, Options
from kwartet.core.kernels import compiled_for
from kwartet.envs import lanes as kernels
from kwartet.games import find

BEHAVIOURS: Final[dict[str, dict[Any, int]]] = {
    "opponent": {None: 0, "random": kernels.AT_RANDOM, "quick": kernels.QUICKLY},
    "reward": {"result": 0, "points": kernels.IN_POINTS},
    "illegal": {"raise": 0, "end": kernels.FORGIVING},
    "autoreset": {"same": kernels.SAME_STEP, "next": kernels.NEXT_STEP, None: 0},
}
LEAST_SHARE: Final = 1_000_000  # bytes a step; writing fewer is not worth another thread
WAIT: Final = -1  # the action of a lane that is over and stays so


class Step(NamedTuple):
    """The arrays of a batch, one row a lane."""

    observations: npt.NDArray[np.float32]  # (lanes, numbers): what the seat to act sees
    masks: npt.NDArray[np.bool_]  # (lanes, actions): what it may do
    rewards: npt.NDArray[np.float32]  # (lanes, seats): of the last step
    dones: npt.NDArray[np.bool_]  # (lanes,): whether the last step ended a match
    actors: npt.NDArray[np.int8]  # (lanes,): the seat to act


def batch(
    game: str | Game,
    n: int,
    seed: int = 0,
    *,
    threads: int = 1,
    opponent: Literal["random", "quick"] | None = None,
    reward: Literal["result", "points"] | None = None,
    illegal: Literal["raise", "end"] = "raise",
    autoreset: Literal["same", "next"] | None = "same",
    **options: Any,
) -> "Batch":
    """`n` matches side by side; the options are the game's own. GameError on a bad one.

    `opponent` plays all seats but one inside: at random, or as the search plays on quickly.
    `reward` is the result at the end (the default) or the points gained (alone at the table).
    `illegal` actions raise GameError, or end their match with −1. `autoreset` begins the next
    match in the step that ends one, in the step after it, or not at all.
    """
    found = find(game) if isinstance(game, str) else game
    settled = found.settle(options)
    if reward is None:
        reward = "points" if found.seats(settled) == 1 else "result"
    behaviour = 0
    for name, value in (
        ("opponent", opponent),
        ("reward", reward),
        ("illegal", illegal),
        ("autoreset", autoreset),
    ):
        behaviour |= _bits(name, value)
    for name, number in (("n", n), ("threads", threads)):
        if not isinstance(number, int) or number < 1:
            raise GameError("bad-option", f"{name} is a number from 1 on, not {quoted(number)}.")
    return Batch(found, settled, n, seed, threads, behaviour)


class Batch:
    """Matches of one game under the same options, stepped together."""

    def __init__(
        self, game: Game, options: Options, lanes: int, seed: int, threads: int, behaviour: int
    ) -> None:
        rules = game.rules
        self.game = game
        self.options = options
        self.lanes = lanes
        self.seats = game.seats(options)
        self.behaviour = behaviour
        self.fields = game.features.FIELDS
        self._states = np.repeat(game.start(options), lanes + 1)  # the last is the start
        self.actions = np.zeros(lanes, np.int64)  # what `step` plays; fill it, or pass others
        self.now = Step(
            np.zeros((lanes, features.size(self.fields)), np.float32),
            np.zeros((lanes, rules.ACTIONS), np.bool_),
            np.zeros((lanes, self.seats), np.float32),
            np.zeros(lanes, np.bool_),
            np.zeros(lanes, np.int8),
        )
        self._rngs = np.zeros((lanes, 1), np.uint64)
        self._choices = np.zeros((lanes, 1), np.uint64)  # luck of `sample`
        self._points = np.zeros((lanes, self.seats), np.int32)
        written = self.now.observations.nbytes + self.now.masks.nbytes
        shares = max(1, min(threads, written // LEAST_SHARE))
        ends = [lanes * share // shares for share in range(shares + 1)]
        self._calls: list[Any] = [self._call(*share) for share in pairwise(ends)]
        self._samples: list[Any] = [
            (self._states, self.actions, self.now.dones, self._choices, *share)
            for share in pairwise(ends)
        ]
        self._step: Any = compiled_for(kernels.step_lanes, *self._calls[0], behaviour)
        self._sample: Any = compiled_for(kernels.sample_lanes, *self._samples[0], behaviour)
        self._pool = ThreadPoolExecutor(shares - 1) if shares > 1 else None
        self.reset(seed)

    def reset(self, seed: int | None = None) -> Step:
        """Begin a match on every lane; without a seed the luck goes on as it was."""
        if seed is not None:
            for lane in range(self.lanes):
                self._rngs[lane] = generator(seed, 2 * lane)
                self._choices[lane] = generator(seed, 2 * lane + 1)
        self.now.actors[:] = np.arange(-1, self.lanes - 1) % self.seats  # the seat before the first
        self.now.dones[:] = True
        self._advance(kernels.NEXT_STEP | self.behaviour & ~kernels.SAME_STEP)
        return self.now

    def step(self, actions: npt.ArrayLike | None = None) -> Step:
        """Play one action a lane, by default those in `actions`; then chance, where it is due.

        GameError if one is masked or out of range, naming the lane; then nothing has changed.
        """
        if actions is not None and actions is not self.actions:
            self._take(actions)
        refused = self._advance(self.behaviour)
        if refused >= 0:
            raise self._refusal(refused)
        return self.now

    def sample(self) -> npt.NDArray[np.int64]:
        """Fill `actions` with uniform legal ones, −1 where a match is over; return it."""
        self._run(self._sample, self._samples, self.behaviour)
        return self.actions

    @property
    def states(self) -> npt.NDArray[np.void]:
        """A copy of every lane's state, with all its secrets."""
        return self._states[:-1].copy()

    def parts(self) -> dict[str, npt.NDArray[np.float32]]:
        """The observations by the names of their fields; nothing is copied."""
        return features.split(self.fields, self.now.observations)

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _advance(self, behaviour: int) -> int:
        """Let the kernel work on all lanes; −1, or the first lane that refuses."""
        if self._pool is None:
            return int(self._run(self._step, self._calls, behaviour))
        now = self.now
        refused = kernels.first_illegal(
            self.actions, now.masks, now.dones, 0, self.lanes, behaviour
        )
        if refused < 0:
            self._run(self._step, self._calls, behaviour)
        return refused

    def _run(self, kernel: Any, calls: list[Any], behaviour: int) -> Any:
        """Let the kernel do the first share here and the others in threads; the first's answer."""
        jobs = [self._pool.submit(kernel, *(*call, behaviour)) for call in calls[1:] if self._pool]
        answer = kernel(*calls[0], behaviour)
        for job in jobs:
            job.result()
        return answer

    def _call(self, begin: int, end: int) -> tuple[Any, ...]:
        """What one thread hands to the kernel, with scratch of its own."""
        legal = np.zeros(self.game.rules.MAX_LEGAL, np.int32)
        wins = np.zeros(self.seats, np.int8)
        luck = (self._rngs, self._points, legal, wins)
        return (self._states, self.actions, *self.now, *luck, begin, end)

    def _take(self, actions: npt.ArrayLike) -> None:
        """Copy actions from elsewhere; GameError if they are not whole numbers, one a lane."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != self.actions.shape:
            raise GameError(
                "illegal-move",
                f"Actions are {self.lanes} whole numbers in one row, "
                f"not {given.dtype} of shape {given.shape}.",
            )
        self.actions[:] = given

    def _refusal(self, lane: int) -> GameError:
        action = int(self.actions[lane])
        if self.now.dones[lane] and not self.behaviour & kernels.SAME_STEP:
            return GameError("game-over", f"The match of lane {lane} is over; wait with {WAIT}.")
        if not 0 <= action < self.now.masks.shape[1]:
            last = self.now.masks.shape[1] - 1
            sentence = f"Action {action} of lane {lane} is out of range; they are 0 to {last}."
        else:
            sentence = f"Action {action} of lane {lane} is masked: masks[{lane}, {action}] is 0."
        return GameError("illegal-move", sentence)


def _bits(name: str, value: Any) -> int:
    """How lanes behave with this choice; GameError if there is none such."""
    choices = BEHAVIOURS[name]
    if not (value is None or isinstance(value, str)) or value not in choices:
        named = ", ".join(map(repr, choices))
        raise GameError("bad-option", f"{name} is one of {named}, not {quoted(value)}.")
    return choices[value]
