"""Processes that think: of low priority, so that neither the event loop nor its lock waits.

Bots and hints, reviews and pictures have some of their own each. Each process has a thread of
this one that waits for it, so the event loop never does.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

from kwartet.arena.pool import Lost, Processes
from kwartet.core.errors import GameError

T = TypeVar("T")

LAST: Final = 10.0  # seconds that processes have to end when all is over
HEED: Final = 0.5  # seconds that a process has to notice that nobody waits for it any more


@dataclass(frozen=True)
class Manners:
    """How much processes yield to others."""

    nice: int  # of 19
    group: int | None = None  # the same, of a session of its own where Linux weighs those first


# With more than 3 for the group, a busy machine would make no review at all.
MODEST: Final = Manners(19, 3)


class Workers:
    """So many processes (as many as cores if that is -1), started when they are needed."""

    def __init__(self, count: int, manners: Manners = MODEST) -> None:
        self.count = (os.cpu_count() or 1) if count < 0 else count
        self.lost = 0  # processes that ended before their time
        self._manners = manners
        self._threads = ThreadPoolExecutor(max(1, self.count), "worker")
        self._lock = threading.Lock()  # of what follows, which threads and the event loop change
        self._idle: list[Processes] = []
        self._busy: list[Processes] = []
        self._fresh: set[Processes] = set()  # those of them that are at their first work
        self._is_stopped = False

    @property
    def alive(self) -> int:
        """Processes that there are."""
        return len(self._idle) + len(self._busy)

    @property
    def ready(self) -> int:
        """Those of them that have done something already."""
        return self.alive - len(self._fresh)

    async def run(self, work: Callable[[], T], *, fresh: bool = False, polite: bool = True) -> T:
        """What a process (`fresh`: a new one) makes of it.

        Before its first work that is `polite` a process has the priority of this one.

        The work is pickled, so it is a function that can be imported, with its arguments. Where
        this is cancelled the work is told so, and its process ended if it goes on. GameError
        `worker-lost` if the process ends before it is done.
        """
        if self._is_stopped:
            raise _lost()
        call = _Call(partial(_do, self._manners if polite else None, work))
        loop = asyncio.get_running_loop()
        waiting = loop.run_in_executor(self._threads, self._wait, call, fresh)
        try:
            done = await asyncio.shield(waiting)
        except asyncio.CancelledError:
            call.forget()
            if not (await asyncio.wait([waiting], timeout=HEED))[0]:
                call.kill()
            raise
        if isinstance(done, GameError):
            raise done
        return done

    def _wait(self, call: "_Call", fresh: bool) -> Any:
        """Wait for a process to do the work, on a thread; nobody else may use it until then.

        It is taken here, since what is cancelled before a thread begins with it never gets here.
        """
        with self._lock:
            if self._is_stopped or call.is_unwanted:
                return _lost()
            process = self._idle.pop() if self._idle and not fresh else Processes(1)
            self._busy.append(process)
            if fresh:
                self._fresh.add(process)
        call.process = process
        done: Any = Lost((), None)
        try:
            ((_, done),) = process.map(_call, [call.work])
        finally:
            with self._lock:
                self._busy.remove(process)
                self._fresh.discard(process)
                if isinstance(done, Lost):
                    self.lost += not self._is_stopped
                else:
                    self._idle.append(process)
        return _lost() if isinstance(done, Lost) else done

    def rest(self, keep: int = 0) -> None:
        """End the processes that have nothing to do, but for so many."""
        with self._lock:
            idle, self._idle = self._idle[keep:], self._idle[:keep]
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


class _Call:
    """Something that a process is to do, for as long as somebody waits for it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.process: Processes | None = None
        self.is_unwanted = False

    def forget(self) -> None:
        self.is_unwanted = True
        if self.process:
            self.process.forget()

    def kill(self) -> None:
        if self.process:
            self.process.kill()


def _lost() -> GameError:
    return GameError("worker-lost", "The process that worked on this ended; try again.")


def _call(work: Callable[[], T]) -> T:
    return work()


def _do(manners: Manners | None, work: Callable[[], T]) -> T | GameError:
    """Do the work in a process of the pool. What is refused is an answer, and ends nothing."""
    if manners:
        _yield_to_others(manners)
    try:
        return work()
    except GameError as error:
        return error


@cache
def _yield_to_others(manners: Manners) -> None:
    """Be nice, once: as a process, and, where Linux weighs sessions first, as one of those."""
    with suppress(OSError, AttributeError):  # not everywhere
        os.nice(manners.nice)
        if manners.group is not None:
            os.setsid()  # else what is done here would count as the server's own work
            Path("/proc/self/autogroup").write_text(str(manners.group))
