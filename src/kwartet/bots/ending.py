"""Endings, worked out to the last: what every action is worth if everybody plays well.

A game says when what a seat knows comes to a match without secrets, and how that is played
(`unveil`, `proceed`). It is followed to every end, with a mean over what chance may bring.
Everybody takes the best for itself, of equal actions the first one. Two seats play for one
number, so there bounds leave out what cannot matter (alpha-beta; at chance, when what is still
to come cannot bring the mean between the bounds: Star1). Alone and with more than two seats
all is seen.

What positions are worth is remembered by what tells them apart (`identify`). So when no more
positions may be looked at, or to look at the clock, it is broken off and later begun again: what
was found is not looked for twice. What is not likely to fit is not begun: the game tells about
how many positions there are.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.bots.bot import Analysis, Turn
from kwartet.bots.leaf import evaluate
from kwartet.bots.workspace import Settings
from kwartet.core import tactics
from kwartet.core.engine import Actions, States
from kwartet.core.game import MAX_SEATS, Game
from kwartet.core.kernels import kernel, lean_kernel
from kwartet.core.verbs import (
    CHANCE,
    OVER,
    actor,
    candidates,
    chance_weight,
    identify,
    kernel_of,
    legal_actions,
    proceed,
    seats,
    unveil,
)

LENGTH: Final = 64  # actions of an ending, chance included
ROOM: Final = 1 << 20  # positions that are remembered at most; memory is taken as they come
SLICE: Final = 0.02  # seconds between two looks at the clock
FIRST: Final = 1_000  # positions before the first look,
LEAST: Final = 50  # and before any other one
RATE: Final = 2_000_000  # positions a second, more than are ever looked at
PACE: Final = 400_000  # and what there is likely to be time for
FULL: Final = 0.75  # of the room: then it is given up
ENDLESS: Final = 1 << 62  # positions
CLOSE: Final = 1e-12  # values that differ by less are equal: sums are rounded
NONE: Final = -1
_FRONT: Final = 8  # actions that are put in order


class Memo(NamedTuple):
    """What is known of positions, and the memory of working it out."""

    keys: npt.NDArray[np.uint64]  # (places, 2); 0: free
    known: npt.NDArray[np.float64]  # two seats: bounds of seat 0's value; else values by seat
    used: npt.NDArray[np.int64]  # places
    left: npt.NDArray[
        np.int64
    ]  # positions that may still be looked at; 0: broken off, −1: for good
    ladder: States  # one after each action of a line
    legal: npt.NDArray[np.int32]  # (step of the ladder, actions)
    values: npt.NDArray[np.float64]  # (step, seats)
    cuts: npt.NDArray[np.int64]  # by action: how often it made others needless
    digest: npt.NDArray[np.uint64]
    points: npt.NDArray[np.int32]
    wins: npt.NDArray[np.int8]


@dataclass
class Effort:
    """What may be spent on an ending: positions, and time that is looked at now and then."""

    positions: int = ENDLESS
    deadline: float | None = None  # by the clock
    clock: Callable[[], float] = time.monotonic
    is_unwanted: Callable[[], bool] = bool  # asked now and then
    _slice: int = FIRST  # positions
    _given: int = 0
    _began: float = 0.0

    @property
    def most(self) -> int:
        """Positions that there may be time for."""
        if self.deadline is None:
            return self.positions
        return min(self.positions, int(RATE * max(0.0, self.deadline - self.clock())))

    @property
    def likely(self) -> int:
        """Positions that there is likely to be time for: an ending of more is not begun."""
        if self.deadline is None:
            return self.positions
        return min(self.positions, int(PACE * max(0.0, self.deadline - self.clock())))

    def goes_on(self, memo: Memo) -> bool:
        """Let it look at more positions; False if there are no more to be had."""
        now = self.clock()
        self.positions -= self._given
        rest = np.inf if self.deadline is None else self.deadline - now
        is_stuck = memo.left[0] < 0 or memo.used[0] >= FULL * len(memo.keys)
        if self.positions <= 0 or rest <= 0 or is_stuck or self.is_unwanted():
            return False
        if self._given:
            fits = min(SLICE, rest / 2) / max(now - self._began, 1e-6)
            self._slice = max(LEAST, int(self._given * min(4.0, fits)))
        self._given = min(self._slice, self.positions)
        self._began = now
        memo.left[0] = self._given
        return True


@dataclass
class _Found:
    """The actions, what the seat comes to after each, and of which that is exact."""

    actions: Actions
    values: npt.NDArray[np.float64]
    proven: npt.NDArray[np.bool_]
    expected: npt.NDArray[np.float64]  # what every seat comes to after the best
    best: int = 0


@dataclass
class Ending:
    """Works out endings of one game."""

    game: Game
    settings: Settings

    def analyse(self, turn: Turn, effort: Effort, *, only_best: bool = False) -> Analysis | None:
        """The exact worth of the turn's actions; None if that takes more, or is not to be had.

        Where `only_best` is wanted, or where it takes too long for all, others of two seats may
        have a bound that is no better than the best: these are not called proven.
        """
        root = turn.state.copy()
        if not 0 < unveil_first(root, turn.seat) <= effort.likely:
            return None
        memo = make_memo(self.game, len(turn.scores), effort.most)
        listed = np.empty(self.game.rules.MAX_LEGAL, np.int32)
        actions = np.sort(listed[: list_first(root, listed)])
        count = len(turn.scores)
        nothing = np.full(len(actions), -np.inf), np.zeros(len(actions), np.bool_)
        found = _Found(actions, *nothing, np.zeros(count))
        if not self._find_best(root, turn.seat, count, memo, found, effort):
            return None
        if count == 2 and not only_best:
            self._find_others(root, turn.seat, memo, found, effort)
        visits = np.zeros(len(actions), np.int64)
        visits[found.best] = 1
        return Analysis(actions, visits, found.values, found.proven, found.expected)

    def _find_best(
        self, root: States, seat: int, count: int, memo: Memo, found: _Found, effort: Effort
    ) -> bool:
        """Work out the best action; whether there was time."""
        for index, action in enumerate(found.actions.tolist()):
            most = found.values[found.best]
            low, high = (most, np.inf) if seat == 0 else (-np.inf, -most)
            while not weigh(root, action, low, high, memo, self.settings):
                if not effort.goes_on(memo):
                    return False
            found.values[index] = memo.values[0, seat]
            found.proven[index] = count != 2 or found.values[index] > most
            if found.values[index] > most + CLOSE:
                found.best = index
                found.expected = memo.values[0, :count].copy()
        return True

    def _find_others(
        self, root: States, seat: int, memo: Memo, found: _Found, effort: Effort
    ) -> None:
        """Work out the other actions as far as there is time."""
        for index in np.flatnonzero(~found.proven).tolist():
            action = int(found.actions[index])
            while not weigh(root, action, -np.inf, np.inf, memo, self.settings):
                if not effort.goes_on(memo):
                    return
            found.values[index] = memo.values[0, seat]
            found.proven[index] = True


def has_endings(game: Game) -> bool:
    """Whether the game says which of its endings can be worked out."""
    return kernel_of(game.rules.STATE, "unveil") is not tactics.unveil


def make_memo(game: Game, count: int, positions: int) -> Memo:
    """Memory for an ending of so many seats; pages that are not touched cost nothing."""
    rules = game.rules
    places = 1 << min(ROOM, max(FIRST, positions)).bit_length()
    return Memo(
        keys=np.zeros((places, 2), np.uint64),
        known=np.zeros((places, max(2, count))),
        used=np.zeros(1, np.int64),
        left=np.zeros(1, np.int64),
        ladder=np.zeros(LENGTH, rules.STATE),
        legal=np.empty((LENGTH, rules.MAX_LEGAL), np.int32),
        values=np.zeros((LENGTH, MAX_SEATS)),
        cuts=np.zeros(max(rules.ACTIONS, rules.CHANCE_ACTIONS), np.int64),
        digest=np.zeros(2, np.uint64),
        points=np.zeros(MAX_SEATS, np.int32),
        wins=np.zeros(MAX_SEATS, np.int8),
    )


@kernel
def unveil_first(states: States, seat: int) -> int:
    """Make of the state, as the seat knows it, a match without secrets, if there is one.

    Returns about how many positions it has; 0: there is none.
    """
    return unveil(states[0], seat)


@kernel
def list_first(states: States, out: Actions) -> int:
    """Write what the seat may do, of equivalent actions the first."""
    return candidates(states[0], out)


@kernel
def weigh(
    root: States, action: int, low: float, high: float, memo: Memo, settings: Settings
) -> bool:
    """Write to `values[0]` what an action is worth to each seat; False if broken off.

    Of two seats exactly if that is between the bounds, which are of seat 0's value, else a
    bound on the same side.
    """
    memo.ladder[0] = root[0]
    proceed(memo.ladder[0], action)
    if memo.left[0] <= 0:
        return False
    if seats(root[0]) == 2:
        memo.values[0, 0] = _bounded(0, False, low, high, memo, settings)
        memo.values[0, 1] = -memo.values[0, 0]
    else:
        _followed(0, False, memo, settings)
    return bool(memo.left[0] > 0)


@kernel
def _bounded(
    step: int, is_drawn: bool, low: float, high: float, memo: Memo, settings: Settings
) -> float:
    """Seat 0's value at a step of the ladder if it is between the bounds, else one beyond.

    What chance has just brought is not remembered: what it was brought to is.
    """
    state, acting = memo.ladder[step], actor(memo.ladder[step])
    if acting == OVER:
        evaluate(state, settings, memo.points, memo.wins, memo.values[step])
        return float(memo.values[step, 0])
    if not _goes_on(step, memo):
        return low
    first, second = _identify(state, is_drawn, memo)
    place = _find(memo, first, second)
    if memo.keys[place, 0] != 0:
        if memo.known[place, 0] >= high or memo.known[place, 0] == memo.known[place, 1]:
            return float(memo.known[place, 0])
        if memo.known[place, 1] <= low:
            return float(memo.known[place, 1])
    count, total = _list(step, memo)
    got, rest = 0.0, total
    best, least, most = np.inf if acting == 1 else -np.inf, low, high
    for index in range(count):
        action = int(memo.legal[step, index])
        memo.ladder[step + 1] = state
        proceed(memo.ladder[step + 1], action)
        if acting == CHANCE:  # between which this outcome can still bring the mean
            weight = float(chance_weight(state, action))
            rest -= weight
            least = (low * total - got - rest) / weight
            most = (high * total - got + rest) / weight
        value = _bounded(step + 1, acting == CHANCE, least, most, memo, settings)
        if memo.left[0] <= 0:
            return low
        if acting == CHANCE:
            got += weight * value
            best = (got + rest if value <= least else got - rest) / total
        elif acting == 0:
            best = max(best, value)
            least = max(least, best)
        else:
            best = min(best, value)
            most = min(most, best)
        is_beyond = value <= least or value >= most if acting == CHANCE else least >= most
        if is_beyond:
            if acting >= 0:
                memo.cuts[action] += count - index
            break
    _remember(memo, first, second, best, low, high)
    return best


@kernel
def _goes_on(step: int, memo: Memo) -> bool:
    """Whether one more position may be looked at; else all is broken off."""
    if step + 1 == len(memo.ladder):
        memo.left[0] = -1
        return False
    memo.left[0] = max(0, memo.left[0] - 1)
    return bool(memo.left[0] > 0)


@kernel
def _identify(state: np.record, is_drawn: bool, memo: Memo) -> tuple[np.uint64, np.uint64]:
    """What the position is remembered by; the first number is 0 if it is not."""
    memo.digest[0] = 0
    if not is_drawn:
        identify(state, memo.digest)
    return memo.digest[0], memo.digest[1]


@kernel
def _list(step: int, memo: Memo) -> tuple[int, float]:
    """List what may be done or come about; return how much that is, and chance's whole weight."""
    state, legal = memo.ladder[step], memo.legal[step]
    if actor(state) != CHANCE:
        count = candidates(state, legal)
        if seats(state) == 2:
            _put_first(legal, count, memo.cuts)
        return count, 1.0
    count = legal_actions(state, legal)
    total = 0.0
    for index in range(count):
        total += chance_weight(state, int(legal[index]))
    return count, total


@kernel
def _followed(step: int, is_drawn: bool, memo: Memo, settings: Settings) -> bool:
    """Write to `values[step]` what each seat comes to if each takes its best; False: broken off."""
    state, acting = memo.ladder[step], actor(memo.ladder[step])
    found = memo.values[step]
    if acting == OVER:
        evaluate(state, settings, memo.points, memo.wins, found)
        return True
    if not _goes_on(step, memo):
        return False
    first, second = _identify(state, is_drawn, memo)
    place = _find(memo, first, second)
    players = seats(state)
    if memo.keys[place, 0] != 0:
        found[:players] = memo.known[place, :players]
        return True
    count, total = _list(step, memo)
    if acting == CHANCE:
        found[:] = 0.0
    else:
        found[acting] = -np.inf
    for index in range(count):
        action = int(memo.legal[step, index])
        memo.ladder[step + 1] = state
        proceed(memo.ladder[step + 1], action)
        if not _followed(step + 1, acting == CHANCE, memo, settings):
            return False
        after = memo.values[step + 1]
        if acting == CHANCE:
            share = chance_weight(state, action) / total
            for seat in range(players):
                found[seat] += share * after[seat]
        elif after[acting] > found[acting] + CLOSE:
            found[:players] = after[:players]
    place = _claim(memo, first, second)
    if place != NONE:
        memo.known[place, :players] = found[:players]
    return True


@lean_kernel
def _find(memo: Memo, first: np.uint64, second: np.uint64) -> int:
    """The place of a position, or a free one."""
    last = len(memo.keys) - 1
    place = np.int64(second & np.uint64(last))
    while memo.keys[place, 0] != 0 and (
        memo.keys[place, 0] != first or memo.keys[place, 1] != second
    ):
        place = (place + 1) & last
    return int(place)


@lean_kernel
def _remember(
    memo: Memo, first: np.uint64, second: np.uint64, value: float, low: float, high: float
) -> None:
    """Note of two seats what a search between these bounds has found."""
    place = _claim(memo, first, second)
    if place != NONE:
        if value > low:
            memo.known[place, 0] = max(memo.known[place, 0], value)
        if value < high:
            memo.known[place, 1] = min(memo.known[place, 1], value)


@lean_kernel
def _claim(memo: Memo, first: np.uint64, second: np.uint64) -> int:
    """The place of a position, its own from now on; NONE if it has none."""
    place = _find(memo, first, second)
    if first != 0 and memo.keys[place, 0] == 0:
        if memo.used[0] >= FULL * len(memo.keys):
            return NONE
        memo.used[0] += 1
        memo.keys[place, 0] = first
        memo.keys[place, 1] = second
        memo.known[place, 0] = -1.0
        memo.known[place, 1] = 1.0
    return place if first != 0 else NONE


@lean_kernel
def _put_first(actions: Actions, count: int, cuts: npt.NDArray[np.int64]) -> None:
    """Put the action that has made most others needless first, and so on for a few."""
    for place in range(min(count, _FRONT)):
        best = place
        for index in range(place + 1, count):
            if cuts[actions[index]] > cuts[actions[best]]:
                best = index
        action = actions[best]
        actions[best] = actions[place]
        actions[place] = action
