"""A bot that searches: trees in several threads that tell each other what they find.

With a number of simulations the answer depends on the turn, the seed and the number of
threads alone; with a number of seconds it also depends on the machine.
"""

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import repeat
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.bots.bot import Analysis, Turn
from kwartet.bots.ending import Effort, Ending, has_endings
from kwartet.bots.exchange import exchange
from kwartet.bots.network import NO_VALUES, Network, Values
from kwartet.bots.prior import UNIFORM, Prior
from kwartet.bots.tree import find_child, is_proven, keep, plant, simulate
from kwartet.bots.turns import compare_turns, list_turns
from kwartet.bots.workspace import NODE, NONE, ROOT, Settings, Workspace, make_workspace
from kwartet.core import engine
from kwartet.core.chance import generator
from kwartet.core.game import Game, Options
from kwartet.core.verbs import actor

CAPACITY: Final = 10_000_000  # nodes of one tree at most; memory is taken as they come
SLICE: Final = 0.02  # seconds between two looks at the clock, fewer towards the end,
LEAST: Final = 0.0005  # but not fewer than these
SHORT_SLICE: Final = 0.005  # the same where trees grow side by side, which then exchange
EXCHANGES: Final = 64  # so often trees do so in a number of simulations,
FEWEST: Final = 64  # but not after fewer than these
ENDLESS: Final = 1 << 62  # simulations
LOOKS: Final = 5  # at the clock before it is known how fast it goes: any one may be held up
RESERVE: Final = 0.9  # the part of the time that a turn allows which is used
SOLVING: Final = 0.5  # the part of that which may go by before an ending is given up
POSITIONS: Final = 20  # of an ending in place of a simulation, if these are counted


@dataclass(frozen=True)
class Budget:
    """How long to think: simulations, seconds, or whichever ends first."""

    simulations: int | None = None
    seconds: float | None = None
    threads: int = 1
    fills_turn: bool = False  # if the turn allows a time, all of it instead of these

    def within(self, allowed: float | None) -> "Budget":
        """What is left of it in a turn that allows so many seconds; None: as many as it likes."""
        if allowed is None:
            return self
        if self.fills_turn:
            return replace(self, simulations=None, seconds=RESERVE * allowed)
        own = math.inf if self.seconds is None else self.seconds
        return replace(self, seconds=min(own, RESERVE * allowed))


@dataclass
class Search:
    """Thinks for its budget, then plays what it looked at most."""

    game: Game
    settings: Settings
    budget: Budget
    prior: Prior = UNIFORM
    values: Values = NO_VALUES
    endings: bool = False  # whether it works them out, where the game says how
    capacity: int = CAPACITY
    is_unwanted: Callable[[], bool] = field(default=bool, repr=False)  # asked now and then
    _workspaces: list[Workspace] = field(default_factory=list, init=False, repr=False)
    _last: tuple[Turn | None, int] = field(default=(None, 0), init=False, repr=False)  # and trees

    def choose(self, turn: Turn) -> int:
        """The action that the search likes best."""
        if len(turn.legal_actions) == 1:
            return turn.legal_actions[0]
        return self._search(turn, ends_early=True).best

    def analyse(self, turn: Turn) -> Analysis:
        """Search the turn for the budget, or for as long as the turn allows.

        Alone, a value is the final score that is worth as much as the simulations' mean.
        """
        return self._search(turn, ends_early=False)

    def _search(self, turn: Turn, *, ends_early: bool) -> Analysis:
        """Search; early means as soon as the time left cannot change what is played."""
        budget = self.budget.within(turn.seconds)
        deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        wished = ENDLESS if budget.simulations is None else budget.simulations
        if self.endings and (solved := self._solve(turn, budget, only_best=ends_early)):
            return solved
        trees = min(budget.threads, wished)
        self._make_room(budget, trees)
        is_kept = self.settings.proof and budget.simulations is None
        self._go_on(turn if is_kept else None, trees)
        self._grow(turn, trees, wished, deadline, ends_early=ends_early)
        found = _children(self._workspaces[0])
        visits, values = found["visits"].astype(np.int64), found["q"].copy()
        expected = _expected(self._workspaces[:trees], len(turn.scores))
        if self.settings.proof:
            return _certain(found, turn.seat, visits, values, expected)
        if len(turn.scores) == 1:
            values = self.settings.margin * values / (1.0 - np.abs(values))
        return Analysis(found["action"], visits, values, expected=expected)

    def _solve(self, turn: Turn, budget: Budget, *, only_best: bool) -> Analysis | None:
        """The exact worth of the actions, if the rest of the match can be worked out in time."""
        if not has_endings(self.game):
            return None
        effort = Effort(clock=time.monotonic, is_unwanted=self.is_unwanted)
        if budget.seconds is not None:
            effort.deadline = time.monotonic() + SOLVING * budget.seconds
        if budget.simulations is not None:
            effort.positions = POSITIONS * budget.simulations
        return Ending(self.game, self.settings).analyse(turn, effort, only_best=only_best)

    def _go_on(self, turn: Turn | None, trees: int) -> None:
        """Begin the trees: where those of the last turn have come to, if one follows; else anew.

        None: they are not to be kept, so that the answer depends on this turn alone.
        """
        before, grown = self._last
        actions = _actions_since(before, turn) if before and turn else None
        for number, work in enumerate(self._workspaces[:trees]):
            node = ROOT if actions is not None and number < grown else NONE
            for action in actions or ():
                node = NONE if node == NONE else find_child(work.nodes, node, action)
            if node == NONE:
                plant(work)
            else:
                keep(work, node)
        self._last = turn, trees

    def reading(self, options: Options) -> tuple[Network, Settings]:
        """The network for matches with these options, and how the search weighs with it."""
        network, part = self.values.find(self.game, options)
        return network, self.settings._replace(blend=part)

    def _make_room(self, budget: Budget, trees: int) -> None:
        """Have memory for so many trees, each with the nodes that it may need."""
        room = self.capacity
        if budget.simulations is not None:
            room = min(room, (budget.simulations + 2) * self.game.rules.MAX_LEGAL)
        if self._workspaces and len(self._workspaces[0].nodes) < room:
            self._workspaces.clear()
            self._last = None, 0
        while len(self._workspaces) < trees:
            self._workspaces.append(make_workspace(self.game, room))

    def _grow(
        self, turn: Turn, trees: int, wished: int, deadline: float | None, *, ends_early: bool
    ) -> None:
        """Let the trees grow side by side, telling each other what they find.

        A number of simulations has it told at the same moments however fast the machine is.
        """
        first, left, looks = self._workspaces[0], wished, 0
        step = _step(trees, wished)
        batch, due = 16 if deadline else left, step
        fastest = 0.0  # simulations a second; the first ones are slow, and others may be held up
        with self._growing(turn, trees) as (grow, tell):
            while left > 0:
                began = time.monotonic()
                batch = min(max(trees, batch // trees * trees), left, due)
                grow(batch)
                left -= batch
                due -= batch
                if due == 0 or wished == ENDLESS:
                    tell()
                    due = step
                now = time.monotonic()
                is_over = is_proven(first.nodes[ROOT]) or (deadline and now >= deadline)
                if is_over or self.is_unwanted():
                    break
                fastest = max(fastest, batch / max(now - began, 1e-6))
                looks += 1
                coming: float = left
                if deadline and looks >= LOOKS:
                    coming = min(left, fastest * (deadline - now))
                if ends_early and deadline and _is_decided(first, coming):
                    break
                pause = SLICE if trees == 1 else SHORT_SLICE
                allowed = min(pause, max(LEAST, (deadline - now) / 2)) if deadline else pause
                batch = max(1, int(batch * min(8.0, allowed / max(now - began, 1e-6))))
        if trees > 1:
            exchange(self._workspaces[:trees], self.settings)

    @contextmanager
    def _growing(
        self, turn: Turn, trees: int
    ) -> Iterator[tuple[Callable[[int], object], Callable[[], None]]]:
        """How to make so many simulations, an even part in each tree, and how to exchange.

        Where whole turns are compared there is nothing to exchange until all is added up.
        """
        network, settings = self.reading(turn.options)
        works = self._workspaces[:trees]
        lucks = [generator(turn.seed, tree) for tree in range(trees)]
        known = turn.state, turn.seat
        compares = settings.turns and all(
            list_turns(work, *known, settings, luck)
            for work, luck in zip(works, lucks, strict=True)
        )

        def grow(tree: int, count: int) -> None:
            work, luck = works[tree], lucks[tree]
            part = (count + trees - 1 - tree) // trees
            if compares:
                compare_turns(work, *known, settings, luck, part)
            else:
                simulate(work, *known, self.prior.weights, network, settings, luck, part)

        def tell() -> None:
            if trees > 1 and not compares:
                exchange(works, settings)

        if trees == 1:
            yield partial(grow, 0), tell
            return
        with ThreadPoolExecutor(trees) as pool:
            yield lambda count: list(pool.map(grow, range(trees), repeat(count))), tell


def _actions_since(before: Turn, turn: Turn) -> list[int] | None:
    """What was played between two turns of a match in which all is open; None if they are not."""
    state, actions = before.state.copy(), []
    if before.game.key != turn.game.key or turn.moves[: before.ply] != before.moves:
        return None
    for move in turn.moves[before.ply :]:
        found = turn.game.notation.read(state[0], actor(state[0]), move)
        for action in found:
            engine.apply(state, np.array([action], np.int32))
        actions += found
    return actions if state.tobytes() == turn.state.tobytes() else None


def _step(trees: int, wished: int) -> int:
    """After how many simulations trees exchange what they found, the same number in each."""
    if trees == 1 or wished == ENDLESS:
        return ENDLESS
    return max(FEWEST, wished // EXCHANGES) // trees * trees


def _certain(
    found: np.ndarray[tuple[int], np.dtype[np.record]],
    seat: int,
    visits: npt.NDArray[np.int64],
    values: npt.NDArray[np.float64],
    expected: npt.NDArray[np.float64] | None,
) -> Analysis:
    """What trees with bounds found out.

    An action that is sure to bring what the most visited one seems to bring takes its visits.
    """
    low, high = found["low"].astype(np.float64), found["high"].astype(np.float64)
    if seat == 1:
        low, high = -high, -low
    values = np.clip(values, low, high)
    most, sure = int(np.lexsort((values, visits))[-1]), int(np.lexsort((visits, low))[-1])
    if most != sure and low[sure] >= values[most]:
        visits[sure] += visits[most]
        visits[most] = 0
    return Analysis(found["action"], visits, values, low == high, expected)


def _expected(works: list[Workspace], seats: int) -> npt.NDArray[np.float64] | None:
    """The mean result of every seat; None if there are no simulations, or if one plays alone."""
    made = sum(int(work.made[0]) for work in works)
    if made == 0 or seats == 1:
        return None
    total: npt.NDArray[np.float64] = sum((work.sums[:seats] for work in works), np.zeros(seats))
    return total / made


def _is_decided(work: Workspace, coming: float) -> bool:
    """Whether so many simulations cannot make another action the most visited one."""
    visits = np.sort(_children(work)["visits"])
    return len(visits) > 1 and bool(visits[-1] - visits[-2] > coming)


def _children(work: Workspace) -> np.ndarray[tuple[int], np.dtype[np.record]]:
    """A copy of the root's children, ascending by action."""
    first, count = int(work.nodes[ROOT].first), int(work.nodes[ROOT].count)
    children = np.empty(count, NODE)
    child = first
    for index in range(count):
        children[index] = work.nodes[child]
        child = int(work.nodes[child].next)
        if child == NONE:  # they lie side by side
            child = first + index + 1
    return children[np.argsort(children["action"])]
