"""The same work on the machines of a Ray cluster.

A Ray task is a chunk of items, as many as take a few seconds: what a task costs this process
is divided among them, and a machine that is lost costs no more than its chunks. They run
again elsewhere; every outcome still comes once. A task gives its items to a process of its
own, as a pool on one machine does, so that a bot that hangs or dies takes no part of the
cluster with it.
"""

import socket
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from operator import length_hint
from typing import Any, Final, NamedTuple, Self

from kwartet.arena.pool import Item, Lost, Outcome, Processes
from kwartet.core.errors import GameError, quoted

LOCAL: Final = "local"
AHEAD: Final = 2  # tasks under way for each core, so that none waits for this process
CHUNK: Final = 2.0  # seconds that a task should take
GROWTH: Final = 4  # times as many items, at most, as in the task before
MOST: Final = 4096  # items in a task
COUNTED: Final = 1.0  # seconds until the cluster's cores are counted again
ALONE: Final = 60.0  # seconds without any core in the cluster until the work is given up
STOPPED: Final = (-15, -9)  # by SIGTERM or SIGKILL, as when a machine is shut down
KNOCKING: Final = 10.0  # seconds for a cluster to answer at all
FAREWELL: Final = 3.0  # seconds; after them the machine is still there

_process: Processes | None = None  # in a process of Ray: the one that works for it


class Done(NamedTuple):
    """What a task comes back with."""

    outcomes: list[Any]  # of the first items; of all, unless something was raised
    seconds: float
    raised: Exception | None


class Pace:
    """How many items a task is given: as many as should take so many seconds."""

    def __init__(self, chunk: float = CHUNK) -> None:
        self.size = 1
        self._chunk = chunk

    def learn(self, items: int, seconds: float) -> None:
        """So many items have taken so long."""
        fitting = int(self._chunk * items / max(seconds, 1e-9))
        self.size = max(1, min(fitting, self.size * GROWTH, MOST))

    def next_size(self, left: int, places: int) -> int:
        """For one of so many places; `left` is 0 if nobody knows how many there are.

        Towards the end chunks become smaller, so that all places are done at the same time.
        """
        return min(self.size, max(1, -(-left // places))) if left else self.size


class RayCluster:
    """A pool on a Ray cluster; `local` starts one on this machine.

    Tasks should take `chunk` seconds; one item is the least.
    """

    def __init__(self, address: str, cores: int | None = None, *, chunk: float = CHUNK) -> None:
        self._ray = _ray()
        options: dict[str, Any] = {"include_dashboard": False, "num_cpus": cores}
        if address != LOCAL:
            options = {"address": address}
        try:
            _knock(address)
            self._ray.init(log_to_driver=False, configure_logging=False, **options)
        except Exception as error:  # many kinds, by what fails first
            raise GameError(
                "no-cluster",
                f"There is no Ray cluster at {quoted(address)}: {quoted(str(error), 200)}. "
                "If it asks for a token, set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN.",
            ) from error
        self._chunk = chunk
        self._task = self._ray.remote(max_retries=-1)(_work)
        self._counted = (-COUNTED, 0)  # when, and how many cores

    def map(
        self, function: Callable[[Item], Outcome], items: Iterable[Item]
    ) -> Generator[tuple[Item, Outcome | Lost], None, None]:
        """See `Pool`."""
        waiting, pace = iter(items), Pace(self._chunk)
        running: dict[Any, list[Any]] = {}  # items by reference
        try:
            while True:
                places = AHEAD * self._cores()
                while len(running) < places:
                    size = pace.next_size(length_hint(waiting), places)
                    if not (chunk := list(islice(waiting, size))):
                        break
                    running[self._task.remote(function, chunk)] = chunk
                if not running:
                    return
                for reference in self._done(list(running)):
                    chunk = running.pop(reference)
                    done: Done = self._ray.get(reference)
                    pace.learn(len(done.outcomes), done.seconds)
                    yield from zip(chunk, done.outcomes, strict=False)
                    if done.raised:
                        raise done.raised
        finally:
            for reference in running:
                self._ray.cancel(reference, force=True)

    def on_each_machine(
        self, function: Callable[[Item], Outcome], item: Item
    ) -> Iterator[Outcome | Lost]:
        """See `Pool`. What a machine is lost with is done on another."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self._cores()
        strategies = [
            NodeAffinitySchedulingStrategy(node["NodeID"], soft=True)
            for node in self._ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU")
        ]
        running = [
            self._task.options(scheduling_strategy=each).remote(function, [item])
            for each in strategies
        ]
        for reference in running:
            done: Done = self._ray.get(reference)
            if done.raised:
                raise done.raised
            yield done.outcomes[0]

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        self._ray.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _cores(self) -> int:
        """How many there are now; GameError if there are none for too long."""
        began = time.monotonic()
        if began - self._counted[0] < COUNTED:
            return self._counted[1]
        while (cores := int(self._ray.cluster_resources().get("CPU", 0))) < 1:
            if time.monotonic() - began > ALONE:
                raise GameError("no-cluster", "The Ray cluster has no machine left that works.")
            time.sleep(0.5)
        self._counted = (time.monotonic(), cores)
        return cores

    def _done(self, running: list[Any]) -> list[Any]:
        """All that are done, after waiting for the first.

        One look for many results: a look at each of them for every result would keep the
        machines of a large cluster waiting for this process.
        """
        first, others = self._ray.wait(running, timeout=ALONE)
        if not first or not others:
            return list(first)
        return first + self._ray.wait(others, num_returns=len(others), timeout=0)[0]


def _work(function: Callable[[Any], Any], items: list[Any]) -> Done:
    """Work on some items, one after the other, in a process of Ray."""
    global _process
    if _process is None:
        _process = Processes(1)
    began = time.monotonic()
    outcomes: list[Any] = []
    raised = None
    try:
        for _, outcome in _process.map(function, items):
            if isinstance(outcome, Lost) and outcome.exit_code in STOPPED:
                time.sleep(FAREWELL)  # if the whole machine goes, so does this, and Ray goes on
            outcomes.append(outcome)
    except Exception as error:  # what came before it counts all the same
        raised = error
    return Done(outcomes, time.monotonic() - began, raised)


def _knock(address: str) -> None:
    """OSError if nobody is at HOST:PORT; Ray itself would go on trying for minutes."""
    host, _, port = address.rpartition(":")
    if host and "/" not in host and port.isdigit():
        socket.create_connection((host, int(port)), KNOCKING).close()


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise GameError(
            "no-ray", "Ray is not installed; it comes with `pip install kwartet[ray]`."
        ) from error
    return ray
