"""The processes in which reviews are made: of the lowest priority, and only while there is work.

Each has a thread of this process that waits for it, so the event loop never does.
"""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Final, TypeVar

from kwartet.arena.pool import Lost, Processes
from kwartet.core.errors import GameError

T = TypeVar("T")

NICEST: Final = 19  # of 19
NICE: Final = 3  # half the weight of others: with more, a busy machine would make no review at all


class Workers:
    """So many processes (as many as cores if that is -1), started when they are needed."""

    def __init__(self, count: int) -> None:
        self.count = (os.cpu_count() or 1) if count < 0 else count
        self._threads = ThreadPoolExecutor(max(1, self.count), "reviewer")
        self._idle: list[Processes] = []
        self._busy: list[Processes] = []

    async def run(self, work: Callable[[], T]) -> T:
        """What a process makes of it; GameError `worker-lost` if that ends before it is done.

        The work is pickled, so it is a function that can be imported, with its arguments.
        """
        process = self._idle.pop() if self._idle else Processes(1)
        self._busy.append(process)
        waiting = partial(self._wait, process, work)
        done = await asyncio.get_running_loop().run_in_executor(self._threads, waiting)
        if isinstance(done, GameError):
            raise done
        return done

    def _wait(self, process: Processes, work: Callable[[], T]) -> T | GameError:
        """Wait for the process to do the work, on a thread; nobody else may use it until then."""
        try:
            ((_, done),) = process.map(_do, [work])
        finally:
            self._idle.append(process)
            self._busy.remove(process)
        if isinstance(done, Lost):
            return GameError("worker-lost", "The process that judged this ended; try again.")
        return done

    def rest(self) -> None:
        """End the processes that have nothing to do."""
        while self._idle:
            self._idle.pop().close()

    def stop(self) -> None:
        """End all of them, whatever they do; blocks until they have ended."""
        while self._busy:
            for process in [*self._busy]:
                process.kill()
            time.sleep(0.01)  # one may just have been started
        self.rest()
        self._threads.shutdown(wait=False)


def _do(work: Callable[[], T]) -> T | GameError:
    """Do the work in a process of the pool. What is refused is an answer, and ends nothing."""
    _yield_to_others()
    try:
        return work()
    except GameError as error:
        return error


@cache
def _yield_to_others() -> None:
    """Be nice, once: as a process, and, where Linux weighs sessions first, as one of those."""
    with suppress(OSError, AttributeError):  # not everywhere
        os.nice(NICEST)
        os.setsid()  # else what is done here would count as the server's own work
        Path("/proc/self/autogroup").write_text(str(NICE))
