"""Work in processes: outcomes as they come, and never a hang.

A pool applies a function to items. The function may `note` how far it is and by when it
will be heard of again; an item whose process is silent for longer, or dies, has the
outcome `Lost` with its notes. Only that process is ended, and another takes its place.
"""

import contextlib
import math
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Protocol, Self, TypeVar

from kwartet.core.errors import GameError

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

NOTE, DONE, RAISED = range(3)  # what a process says
_CONTEXT: Final = get_context("spawn")
_outbox: Connection | None = None  # in a pool's process: where its words go
_unwanted: Any = None  # there, too: a byte that its owner sets


@dataclass(frozen=True)
class Lost:
    """The outcome of an item whose process was silent too long, or died."""

    notes: tuple[Any, ...]
    exit_code: int | None  # None if it was silent; negative: the signal that ended it


class Pool(Protocol):
    """Something that works on many items at once."""

    def map(
        self, function: Callable[[Item], Outcome], items: Iterable[Item]
    ) -> Generator[tuple[Item, Outcome | Lost], None, None]:
        """Each item with its outcome, in the order in which they come; closed early, it ends them.

        Function, items and outcomes are pickled, so the function is one that can be
        imported. What it raises is raised here and ends the work.
        """

    def on_each_machine(
        self, function: Callable[[Item], Outcome], item: Item
    ) -> Iterator[Outcome | Lost]:
        """The outcomes of one item, worked on once on every machine that there is now."""

    def close(self) -> None:
        """End what is under way."""


def note(value: Any, seconds: float | None = None) -> None:
    """Tell the pool how far the item is; it is given up after so many seconds of silence.

    Outside a pool's process nobody listens.
    """
    if _outbox is not None:
        _outbox.send((NOTE, value, seconds))


def is_unwanted() -> bool:
    """Whether nobody waits any more for the item that this process is at work on."""
    return _unwanted is not None and bool(_unwanted.value)


class Inline:
    """No processes at all: the items one after the other, where the pool is used.

    Nothing can be ended here, so an item that hangs hangs the program.
    """

    def map(
        self, function: Callable[[Item], Outcome], items: Iterable[Item]
    ) -> Generator[tuple[Item, Outcome | Lost], None, None]:
        """See `Pool`."""
        for item in items:
            yield item, function(item)

    def on_each_machine(
        self, function: Callable[[Item], Outcome], item: Item
    ) -> Iterator[Outcome | Lost]:
        """See `Pool`."""
        yield function(item)

    def close(self) -> None:
        """There is nothing to end."""


class Processes:
    """A pool of processes on this machine. They live until it is closed."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []

    def map(
        self, function: Callable[[Item], Outcome], items: Iterable[Item]
    ) -> Generator[tuple[Item, Outcome | Lost], None, None]:
        """See `Pool`. Left before its end, it ends the processes that are still at work."""
        waiting = iter(items)
        try:
            while True:
                for item in islice(waiting, self.count - len(self._busy)):
                    self._give(function, item)
                if not self._busy:
                    return
                for worker in self._heard():
                    outcome = worker.listen()
                    if outcome is not None:
                        self._busy.remove(worker)
                        if not isinstance(outcome[0], Lost):
                            self._idle.append(worker)
                        yield worker.item, outcome[0]
        finally:
            for worker in self._busy:
                worker.end()
            self._busy.clear()

    def on_each_machine(
        self, function: Callable[[Item], Outcome], item: Item
    ) -> Iterator[Outcome | Lost]:
        """See `Pool`: there is one."""
        for _, outcome in self.map(function, [item]):
            yield outcome

    def forget(self) -> None:
        """Let what is under way know, from another thread, that nobody waits for it."""
        for worker in [*self._busy]:
            worker.unwanted.value = 1

    def kill(self) -> None:
        """End all processes from another thread: what they are at work on is lost."""
        for worker in [*self._idle, *self._busy]:
            worker.process.kill()

    def close(self) -> None:
        """End all processes."""
        for worker in self._idle + self._busy:
            worker.end()
        self._idle, self._busy = [], []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _give(self, function: Callable[[Any], Any], item: Any) -> None:
        worker = self._idle.pop() if self._idle else _Worker()
        self._busy.append(worker)
        worker.begin(function, item)

    def _heard(self) -> list["_Worker"]:
        """Those that have said something, are dead, or have been silent too long."""
        first = min(worker.deadline for worker in self._busy)
        patience = None if first == math.inf else max(0.0, first - time.monotonic())
        ready = wait([worker.inbox for worker in self._busy], patience)
        now = time.monotonic()
        return [worker for worker in self._busy if worker.inbox in ready or worker.deadline <= now]


class _Worker:
    """One process and the item it is at work on."""

    def __init__(self) -> None:
        self.inbox, theirs = _CONTEXT.Pipe()
        self.unwanted = _CONTEXT.RawValue("b", 0)
        self.process = _CONTEXT.Process(target=_serve, args=(theirs, self.unwanted), daemon=True)
        with _deaf_to_interrupts():
            self.process.start()
        theirs.close()
        self.item: Any = None
        self.notes: list[Any] = []
        self.deadline = math.inf

    def begin(self, function: Callable[[Any], Any], item: Any) -> None:
        """Start work on an item."""
        self.item, self.notes, self.deadline = item, [], math.inf
        self.unwanted.value = 0
        with contextlib.suppress(OSError):  # died while it was idle: `listen` will notice
            self.inbox.send((function, item))

    def listen(self) -> tuple[Any] | None:
        """The outcome, if there is one now; raises what the function raised."""
        try:
            while self.inbox.poll():
                kind, *said = self.inbox.recv()
                if kind == DONE:
                    return (said[0],)
                if kind == RAISED:
                    raise said[0]
                self.notes.append(said[0])
                self.deadline = math.inf if said[1] is None else time.monotonic() + said[1]
        except (EOFError, ConnectionError):
            self.process.join()
            return (self._lost(self.process.exitcode),)
        return (self._lost(None),) if self.deadline <= time.monotonic() else None

    def end(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()
        self.inbox.close()

    def _lost(self, exit_code: int | None) -> Lost:
        self.end()
        return Lost(tuple(self.notes), exit_code)


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What is started here does not get Ctrl-C: it is for the one who started it.

    Where signals cannot be blocked, a process is deaf to them from its first line on.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # else the first start would lift the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(inbox: Connection, unwanted: Any) -> None:
    """Work on items until the other end is closed."""
    global _outbox, _unwanted
    _unwanted = unwanted
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # what is printed here must not mix with a command's output
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            function, item = inbox.recv()
        except (EOFError, ConnectionError):
            return
        _outbox = inbox
        try:
            inbox.send((DONE, function(item)))
        except GameError as error:
            inbox.send((RAISED, error))
        except Exception:  # as text: not everything that is raised can be pickled
            inbox.send((RAISED, RuntimeError(traceback.format_exc())))


def _end_with_parent() -> None:
    """Whoever was killed cannot end its processes, and one that hangs does not notice."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
