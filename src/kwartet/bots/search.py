"""A bot that searches: trees in several threads, each on its own, their visits added up.

With a number of simulations the answer depends on the turn, the seed and the number of
threads alone; with a number of seconds it also depends on the machine.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.bots.bot import Turn
from kwartet.bots.prior import UNIFORM, Prior
from kwartet.bots.tree import NODE, NONE, ROOT, Settings, Workspace, make_workspace, plant, simulate
from kwartet.core.chance import generator
from kwartet.core.game import Game

CAPACITY: Final = 10_000_000  # nodes of one tree at most; memory is taken as they come
SLICE: Final = 0.02  # seconds between two looks at the clock, fewer towards the end,
LEAST: Final = 0.0005  # but not fewer than these
RESERVE: Final = 0.9  # of the time that a turn allows


@dataclass(frozen=True)
class Budget:
    """How long to think: simulations, seconds, or whichever ends first."""

    simulations: int | None = None
    seconds: float | None = None
    threads: int = 1


@dataclass(frozen=True)
class Analysis:
    """What a search found out about a decision."""

    actions: npt.NDArray[np.int32]  # without equivalent ones
    visits: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]  # mean result for the seat, from −1 to 1

    @property
    def best(self) -> int:
        """The action most simulations went to; of equal ones that with the better results."""
        return int(self.actions[np.lexsort((self.values, self.visits))[-1]])


@dataclass
class Search:
    """Thinks for its budget, then plays what it looked at most."""

    game: Game
    settings: Settings
    budget: Budget
    prior: Prior = UNIFORM
    capacity: int = CAPACITY
    _workspaces: list[Workspace] = field(default_factory=list, init=False, repr=False)

    def choose(self, turn: Turn) -> int:
        """The action that the search likes best."""
        if len(turn.legal_actions) == 1:
            return turn.legal_actions[0]
        return self.analyse(turn).best

    def analyse(self, turn: Turn) -> Analysis:
        """Search the turn for the budget, or for as long as the turn allows."""
        deadline = self._deadline(turn)
        threads = range(min(self.budget.threads, self.budget.simulations or 1 << 30))
        while len(self._workspaces) < len(threads):
            self._workspaces.append(make_workspace(self.game, self._room()))
        if len(threads) == 1:
            found = [self._grow(turn, 0, deadline)]
        else:
            with ThreadPoolExecutor(len(threads)) as pool:
                found = list(pool.map(lambda thread: self._grow(turn, thread, deadline), threads))
        visits = np.array([tree["visits"] for tree in found], np.int64)
        totals = (visits * np.array([tree["q"] for tree in found])).sum(axis=0)
        together = visits.sum(axis=0)
        return Analysis(found[0]["action"], together, totals / np.maximum(together, 1))

    def _room(self) -> int:
        """Nodes that a tree may need."""
        if self.budget.simulations is None:
            return self.capacity
        return min(self.capacity, (self.budget.simulations + 2) * self.game.rules.MAX_LEGAL)

    def _deadline(self, turn: Turn) -> float | None:
        limits = [self.budget.seconds, turn.seconds and RESERVE * turn.seconds]
        given = [seconds for seconds in limits if seconds is not None]
        return time.monotonic() + min(given) if given else None

    def _grow(
        self, turn: Turn, thread: int, deadline: float | None
    ) -> np.ndarray[tuple[int], np.dtype[np.record]]:
        """Grow one tree; return the root's children, ascending by action."""
        work = self._workspaces[thread]
        plant(work)
        rng = generator(turn.seed, thread)
        left = self._share(thread)
        batch = 16 if deadline else left
        while left > 0:
            began = time.monotonic()
            batch = min(batch, left)
            simulate(work, turn.state, turn.seat, self.prior.weights, self.settings, rng, batch)
            left -= batch
            now = time.monotonic()
            if deadline and now >= deadline:
                break
            allowed = min(SLICE, max(LEAST, (deadline - now) / 2)) if deadline else SLICE
            batch = max(1, int(batch * min(8.0, allowed / max(now - began, 1e-6))))
        return _children(work)

    def _share(self, thread: int) -> int:
        """How many of the simulations this thread makes."""
        if self.budget.simulations is None:
            return 1 << 62
        threads = self.budget.threads
        return (self.budget.simulations + threads - 1 - thread) // threads


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
