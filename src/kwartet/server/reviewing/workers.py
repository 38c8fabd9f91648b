"""The processes in which reviews are made: of the lowest priority, and only while there is work.

Each has a thread of this process that waits for it, so the event loop never does.
"""

import asyncio
import os
import threading
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
LAST: Final = 10.0  # seconds that processes have to end when all is over


class Workers:
    """So many processes (as many as cores if that is -1), started when they are needed."""

    def __init__(self, count: int) -> None:
        self.count = (os.cpu_count() or 1) if count < 0 else count
        self._threads = ThreadPoolExecutor(max(1, self.count), "reviewer")
        self._lock = threading.Lock()  # of what follows, which threads and the event loop change
        self._idle: list[Processes] = []
        self._busy: list[Processes] = []
        self._is_stopped = False

    async def run(self, work: Callable[[], T]) -> T:
        """What a process makes of it; GameError `worker-lost` if that ends before it is done.

        The work is pickled, so it is a function that can be imported, with its arguments.
        """
        if self._is_stopped:
            raise _lost()
        waiting = partial(self._wait, work)
        done = await asyncio.get_running_loop().run_in_executor(self._threads, waiting)
        if isinstance(done, GameError):
            raise done
        return done

    def _wait(self, work: Callable[[], T]) -> T | GameError:
        """Wait for a process to do the work, on a thread; nobody else may use it until then.

        It is taken here, since what is cancelled before a thread begins with it never gets here.
        """
        with self._lock:
            if self._is_stopped:
                return _lost()
            process = self._idle.pop() if self._idle else Processes(1)
            self._busy.append(process)
        try:
            ((_, done),) = process.map(_do, [work])
        finally:
            with self._lock:
                self._busy.remove(process)
                self._idle.append(process)
        return _lost() if isinstance(done, Lost) else done

    def rest(self) -> None:
        """End the processes that have nothing to do."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.close()

    def stop(self) -> None:
        """End all of them, whatever they do; blocks until they have ended, but not for long."""
        with self._lock:
            self._is_stopped = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        until = time.monotonic() + LAST
        while (busy := [*self._busy]) and time.monotonic() < until:
            for process in busy:
                process.kill()
            time.sleep(0.01)  # one may just have been started
        self.rest()


def _lost() -> GameError:
    return GameError("worker-lost", "The process that judged this ended; try again.")


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
