"""A bot that searches: trees in several threads, each on its own, their visits added up.

With a number of simulations the answer depends on the turn, the seed and the number of
threads alone; with a number of seconds it also depends on the machine.
"""

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from kwartet.bots.bot import Analysis, Turn
from kwartet.bots.prior import UNIFORM, Prior
from kwartet.bots.tree import NODE, NONE, ROOT, Settings, Workspace, make_workspace, plant, simulate
from kwartet.core.chance import generator
from kwartet.core.game import Game

CAPACITY: Final = 10_000_000  # nodes of one tree at most; memory is taken as they come
SLICE: Final = 0.02  # seconds between two looks at the clock, fewer towards the end,
LEAST: Final = 0.0005  # but not fewer than these
RESERVE: Final = 0.9  # the part of the time that a turn allows which is used


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
    capacity: int = CAPACITY
    is_unwanted: Callable[[], bool] = field(default=bool, repr=False)  # asked now and then
    _workspaces: list[Workspace] = field(default_factory=list, init=False, repr=False)

    def choose(self, turn: Turn) -> int:
        """The action that the search likes best."""
        if len(turn.legal_actions) == 1:
            return turn.legal_actions[0]
        return self.analyse(turn).best

    def analyse(self, turn: Turn) -> Analysis:
        """Search the turn for the budget, or for as long as the turn allows.

        Alone, a value is the final score that is worth as much as the simulations' mean.
        """
        budget = self.budget.within(turn.seconds)
        deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        shares = _shares(budget)
        self._make_room(budget, len(shares))
        if len(shares) == 1:
            found = [self._grow(turn, 0, shares[0], deadline)]
        else:
            with ThreadPoolExecutor(len(shares)) as pool:
                grown = [
                    pool.submit(self._grow, turn, thread, share, deadline)
                    for thread, share in enumerate(shares)
                ]
                found = [tree.result() for tree in grown]
        visits = np.array([tree["visits"] for tree in found], np.int64)
        totals = (visits * np.array([tree["q"] for tree in found])).sum(axis=0)
        together = visits.sum(axis=0)
        values = totals / np.maximum(together, 1)
        if len(turn.scores) == 1:
            values = self.settings.margin * values / (1.0 - np.abs(values))
        return Analysis(found[0]["action"], together, values)

    def _make_room(self, budget: Budget, trees: int) -> None:
        """Have memory for so many trees, each with the nodes that it may need."""
        room = self.capacity
        if budget.simulations is not None:
            room = min(room, (budget.simulations + 2) * self.game.rules.MAX_LEGAL)
        if self._workspaces and len(self._workspaces[0].nodes) < room:
            self._workspaces.clear()
        while len(self._workspaces) < trees:
            self._workspaces.append(make_workspace(self.game, room))

    def _grow(
        self, turn: Turn, thread: int, left: int, deadline: float | None
    ) -> np.ndarray[tuple[int], np.dtype[np.record]]:
        """Grow one tree; return the root's children, ascending by action."""
        work = self._workspaces[thread]
        plant(work)
        rng = generator(turn.seed, thread)
        batch = 16 if deadline else left
        while left > 0:
            began = time.monotonic()
            batch = min(batch, left)
            simulate(work, turn.state, turn.seat, self.prior.weights, self.settings, rng, batch)
            left -= batch
            now = time.monotonic()
            if (deadline and now >= deadline) or self.is_unwanted():
                break
            allowed = min(SLICE, max(LEAST, (deadline - now) / 2)) if deadline else SLICE
            batch = max(1, int(batch * min(8.0, allowed / max(now - began, 1e-6))))
        return _children(work)


def _shares(budget: Budget) -> list[int]:
    """How many of the simulations each thread makes; none makes nothing."""
    if budget.simulations is None:
        return [1 << 62] * budget.threads
    threads = min(budget.threads, budget.simulations)
    return [(budget.simulations + threads - 1 - thread) // threads for thread in range(threads)]


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
