"""The same work on the machines of a Ray cluster.

Each item is a Ray task. The task gives the item to a process of its own, as a pool on
one machine does, so that a bot that hangs or dies takes no part of the cluster with it.
A task whose machine is lost runs again elsewhere; its outcome still comes once.
"""

import socket
import time
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import Any, Final, Self

from kwartet.arena.pool import Item, Lost, Outcome, Processes
from kwartet.core.errors import GameError, quoted

LOCAL: Final = "local"
AHEAD: Final = 2  # tasks under way for each core, so that none waits for this process
ALONE: Final = 60.0  # seconds without any core in the cluster until the work is given up
STOPPED: Final = (-15, -9)  # by SIGTERM or SIGKILL, as when a machine is shut down
KNOCKING: Final = 10.0  # seconds for a cluster to answer at all
FAREWELL: Final = 3.0  # seconds; after them the machine is still there

_process: Processes | None = None  # in a process of Ray: the one that works for it


class RayCluster:
    """A pool on a Ray cluster; `local` starts one on this machine."""

    def __init__(self, address: str, cores: int | None = None) -> None:
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

    def map(
        self, function: Callable[[Item], Outcome], items: Iterable[Item]
    ) -> Generator[tuple[Item, Outcome | Lost], None, None]:
        """See `Pool`."""
        task = self._ray.remote(max_retries=-1)(_work)
        waiting = iter(items)
        running: dict[Any, Any] = {}  # item by reference
        try:
            while True:
                room = AHEAD * self._cores() - len(running)
                for item in islice(waiting, max(0, room)):
                    running[task.remote(function, item)] = item
                if not running:
                    return
                for reference in self._done(list(running)):
                    yield running.pop(reference), self._outcome(reference)
        finally:
            for reference in running:
                self._ray.cancel(reference, force=True)

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
        while (cores := int(self._ray.cluster_resources().get("CPU", 0))) < 1:
            if time.monotonic() - began > ALONE:
                raise GameError("no-cluster", "The Ray cluster has no machine left that works.")
            time.sleep(0.5)
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

    def _outcome(self, reference: Any) -> Any:
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, GameError):
                raise error.cause from None
            raise


def _work(function: Callable[[Any], Any], item: Any) -> Any:
    """Work on one item, in a process of Ray."""
    global _process
    if _process is None:
        _process = Processes(1)
    ((_, outcome),) = _process.map(function, [item])
    if isinstance(outcome, Lost) and outcome.exit_code in STOPPED:
        time.sleep(FAREWELL)  # if the whole machine goes, so does this, and Ray tries elsewhere
    return outcome


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
