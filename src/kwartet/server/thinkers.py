"""Bots think here: a few threads, first come first served, and never more for one table.

The threads yield to everything else on the machine. When many tables wait, each bot gets
its share of the time its level is worth.
"""

import asyncio
import os
import secrets
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from kwartet.server.messages import HintView, Reason

if TYPE_CHECKING:
    from kwartet.bots.bot import Turn
    from kwartet.core.match import Match

PATIENCE: Final = 10  # how nice a thread that thinks is to the others
LEAST: Final = 0.05  # seconds that a bot gets even when many wait
ADVISER: Final = "expert"
HINTS: Final = 3  # moves that are advised at most
FEWEST: Final = 1_000  # simulations that look for them even when many wait


class Thinkers:
    """Threads for bots."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, "thinker", initializer=_yield_to_others)
        self._slots = asyncio.Semaphore(threads)
        self.waiting = 0  # tables that wait or think
        self.turns = 0  # decided so far

    async def choose(self, level: str, match: "Match") -> int:
        """The action that a bot of this level chooses for the seat to act."""
        from kwartet.bots.bot import turn_of
        from kwartet.bots.catalogue import SECONDS

        async with self._slot() as share:
            threads = self._threads if self.waiting == 1 else 1
            seconds = max(LEAST, SECONDS.get(level, 1.0) * share)
            turn = turn_of(match, seed=secrets.randbits(32), seconds=seconds)
            loop = asyncio.get_running_loop()
            action = await loop.run_in_executor(self._pool, _choose, level, turn, threads)
            self.turns += 1
            return action

    async def advise(self, match: "Match") -> list[HintView]:
        """Up to three moves for the seat to act, the best first, each with what it does."""
        async with self._slot() as share:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, _advise, match.copy(), share)

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[float]:
        """A thread to think with, and which share of its time one gets."""
        self.waiting += 1
        try:
            async with self._slots:
                yield min(1.0, self._threads / self.waiting)
        finally:
            self.waiting -= 1

    def stop(self) -> None:
        """Let the threads end; what they are thinking about is not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _choose(level: str, turn: "Turn", threads: int) -> int:
    from kwartet.bots.bot import ask
    from kwartet.bots.catalogue import create

    return ask(create(level, turn.game, threads=threads), turn)


def _advise(match: "Match", share: float) -> list[HintView]:
    from kwartet.bots.level import level_of
    from kwartet.reviews import advise

    seat = match.actor
    assert seat is not None
    usual = level_of(ADVISER, match.game).simulations or FEWEST
    simulations = max(FEWEST, round(usual * share))
    seed = secrets.randbits(32)
    advice = advise(match, seat, HINTS, ADVISER, simulations, seed)
    return [HintView(each.move, Reason(**asdict(each.reason))) for each in advice]


def _yield_to_others() -> None:
    with suppress(OSError, AttributeError):  # only where threads have priorities of their own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), PATIENCE)
