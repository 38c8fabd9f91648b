"""The threads between the event loop and the database: one that writes, a few that read.

The writer takes everything that waits, runs it in one transaction, commits once and
only then tells the callers: the cost of making one change durable is shared by all
that came in the meantime.
"""

import asyncio
import contextlib
import queue
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from kwartet.store import steps
from kwartet.store.connection import Again, Connection, Database, Lost, Spoilt
from kwartet.store.rows import Conflict, StoreError

T = TypeVar("T")

BATCH: Final = 256  # operations in one transaction, or a few more
TRIALS: Final = 6  # of a transaction that met another
PATIENCE: Final = 4.0  # seconds without an answer or a connection, then callers are told
READERS: Final = 4

Work = Callable[[Connection, bool], T]  # True: it may have been committed before
Outcome = tuple["_Job", Any, BaseException | None]


class _Job:
    """A call of the writer and the future that waits for it."""

    def __init__(
        self,
        work: Work[Any],
        order: tuple[bool, str],
        is_repeatable: bool,
        step: steps.Step | None,
    ) -> None:
        self.work = work
        self.order = order
        self.is_repeatable = is_repeatable
        self.step = step
        self.is_settled = False
        self.is_unsure = False  # a commit was sent, its answer lost
        self.future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class _Refused(Exception):
    """The transaction could not be begun or made durable, whatever was in it."""

    def __init__(self, cause: StoreError) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Writer:
    """Runs what is to be written, on a thread and a connection of its own."""

    def __init__(self, database: Database, connection: Connection) -> None:
        self.commits = 0
        self.waiting = 0  # calls that are not answered yet
        self.on_commit: Callable[[int, float], None] = _nobody  # jobs and seconds, on the loop
        self._database = database
        self._connection = connection
        self._round_trips = 0  # of connections that are gone
        self._loop = asyncio.get_running_loop()
        self._coming: list[_Job] = []  # until they are handed over
        self._queue: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
        self._is_closed = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._main, name="store-writer", daemon=True)
        self._thread.start()

    async def run(
        self,
        work: Work[T],
        *,
        order: tuple[bool, str] = (False, ""),
        is_repeatable: bool = True,
        step: steps.Step | None = None,
    ) -> T:
        """What `work` returns, once that is durable. A cancelled caller does not undo it.

        `order` is where it stands in its transaction; the same in all processes, so that they
        seldom wait for each other in circles. `step`: the same work, to be done with others'.
        """
        if self._is_closed:
            raise StoreError("store-unavailable", "The store is closed.")
        job = _Job(work, order, is_repeatable, step)
        self.waiting += 1
        self._coming.append(job)
        if len(self._coming) == 1:
            self._loop.call_soon(self._hand_over)
        result: T = await job.future
        return result

    def _hand_over(self) -> None:
        """Give the thread what has come; it is woken for all of it at once."""
        if self._coming:
            jobs, self._coming = self._coming, []
            self._queue.put(jobs)

    @property
    def round_trips(self) -> int:
        """How often a database at the other end of a line was waited for."""
        return self._round_trips + self._connection.round_trips

    async def close(self) -> None:
        """Write what waits, then end the thread."""
        if not self._is_closed:
            self._is_closed = True
            self._closing.set()  # first: whoever finds the sign below must know what it means
            self._hand_over()
            self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _main(self) -> None:
        is_open = True
        while is_open:
            jobs, is_open = self._take()
            try:
                self._write(sorted(jobs, key=lambda job: job.order))
            except BaseException as error:  # a mistake in this module must leave no one waiting
                self._fail(jobs, error)
        self._connection.close()

    def _take(self) -> tuple[list[_Job], bool]:
        """Wait for jobs and take all there are; False: no more will come."""
        jobs: list[_Job] = []
        some = self._queue.get()
        while some is not None:
            jobs += some
            if len(jobs) >= BATCH:
                break
            try:
                some = self._queue.get_nowait()
            except queue.Empty:
                break
        return jobs, some is not None

    def _write(self, jobs: list[_Job]) -> None:
        """Run the jobs in one transaction, or if one of them spoils it, each in its own."""
        if jobs and not self._attempt(jobs, together=True):
            for job in jobs:
                if not job.is_settled:  # who was told that it failed must not be written after all
                    self._attempt([job], together=False)

    def _attempt(self, jobs: list[_Job], *, together: bool) -> bool:
        """Settle the jobs with one commit; False: they must be tried one by one."""
        trial, began = 1, time.monotonic()
        while jobs:
            start = time.perf_counter()
            try:
                outcomes = self._transaction(jobs, together)
            except _Refused as refused:
                self._fail(jobs, refused.cause)
            except Exception as error:
                if isinstance(error, Lost):
                    jobs = self._reconnect(jobs, began)
                if isinstance(error, Lost | Again):
                    jobs, is_enough = self._given_up(jobs, error, trial)
                    if not is_enough:
                        self._closing.wait(random.uniform(0, 0.01 * 2 ** min(trial, TRIALS)))
                        trial += 1
                        continue
                if together and (len(jobs) > 1 or jobs[0].step):
                    return False
                self._fail(jobs, error)
            else:
                self.commits += 1
                self._settle(outcomes, time.perf_counter() - start)
            return True
        return True

    def _given_up(self, jobs: list[_Job], error: StoreError, trial: int) -> tuple[list[_Job], bool]:
        """What is still to be tried after so many trials, and whether those were enough.

        What may be committed is tried until that is known; the others are told that they failed.
        """
        unsure = [job for job in jobs if job.is_unsure]
        if not unsure:
            return jobs, bool(jobs) and trial >= TRIALS
        if trial < TRIALS:
            return jobs, False
        self._fail([job for job in jobs if not job.is_unsure], error)
        return unsure, False

    def _transaction(self, jobs: list[_Job], together: bool) -> list[Outcome]:
        connection = self._connection
        try:
            connection.begin()
        except Lost:
            raise
        except StoreError as error:
            raise _Refused(error) from error
        try:
            outcomes = _run(connection, jobs, together)
        except BaseException:
            connection.rollback()
            raise
        try:
            connection.commit()
        except Lost:
            for job in jobs:
                job.is_unsure = True
            raise
        except (Again, Spoilt):
            connection.rollback()
            raise
        except StoreError as error:
            connection.rollback()
            raise _Refused(error) from error
        return outcomes

    def _reconnect(self, jobs: list[_Job], began: float) -> list[_Job]:
        """Connect again, however long it takes; returns the jobs that are to be run again.

        Who is certainly not committed is told so after a while, also those that come
        meanwhile. Who may be committed waits until that is known.
        """
        self._connection.close()
        delay = 0.02
        while True:
            try:
                fresh = self._database.writer()
            except StoreError as error:
                if time.monotonic() - began > PATIENCE or self._closing.is_set():
                    waiting = self._taken_out()
                    sure = [job for job in jobs if not job.is_unsure or self._closing.is_set()]
                    self._fail(sure + waiting, error)
                    jobs = [job for job in jobs if job not in sure]
                if self._closing.is_set():
                    self._queue.put(None)
                    return []
                self._closing.wait(delay)
                delay = min(2 * delay, 1.0)
            else:
                self._round_trips += self._connection.round_trips
                self._connection = fresh
                lost = [job for job in jobs if job.is_unsure and not job.is_repeatable]
                self._fail(
                    lost, StoreError("store-unavailable", "The answer was lost; look again.")
                )
                return [job for job in jobs if job not in lost]

    def _taken_out(self) -> list[_Job]:
        """Everything in the queue; a sign that no more will come is put back by the caller."""
        jobs: list[_Job] = []
        with contextlib.suppress(queue.Empty):
            while True:
                jobs += self._queue.get_nowait() or []
        return jobs

    def _fail(self, jobs: list[_Job], error: BaseException) -> None:
        self._settle([(job, None, error) for job in jobs])

    def _settle(self, outcomes: list[Outcome], seconds: float | None = None) -> None:
        """Tell the callers, all in one go, and how long it took if it was made durable."""
        for job, _, _ in outcomes:
            job.is_settled = True
        with contextlib.suppress(RuntimeError):  # the loop is closed; no one waits any more
            self._loop.call_soon_threadsafe(self._resolve, outcomes, seconds)

    def _resolve(self, outcomes: list[Outcome], seconds: float | None) -> None:
        self.waiting -= len(outcomes)
        for job, value, error in outcomes:
            if job.future.done():
                continue  # its caller was cancelled
            if error is None:
                job.future.set_result(value)
            else:
                job.future.set_exception(error)
        if seconds is not None:
            self.on_commit(len(outcomes), seconds)


def _nobody(jobs: int, seconds: float) -> None:
    """Nobody counts."""


def _run(connection: Connection, jobs: list[_Job], together: bool) -> list[Outcome]:
    """Do what the jobs want; steps all at once, unless one of them may have been done before."""
    taken: list[steps.Step] = []
    outcomes: list[Outcome] = []
    for job in jobs:
        if together and job.step and not job.is_unsure:
            taken.append(job.step)
            outcomes.append((job, None, None))
    steps.write(connection, taken)
    for job in jobs:
        if together and job.step and not job.is_unsure:
            continue
        try:
            outcomes.append((job, job.work(connection, job.is_unsure), None))
        except Conflict as conflict:
            outcomes.append((job, None, conflict))
    return outcomes


class Readers:
    """Runs what is to be read, on a few threads; never waits for the writer."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._idle: queue.SimpleQueue[Connection] = queue.SimpleQueue()
        self._pool = ThreadPoolExecutor(READERS, "store-reader")
        self._is_closed = False

    async def run(self, work: Callable[[Connection], T]) -> T:
        """What `work` returns; StoreError if the database is away."""
        if self._is_closed:
            raise StoreError("store-unavailable", "The store is closed.")
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._read, work)

    async def close(self) -> None:
        """Finish what is being read, then end the threads."""
        self._is_closed = True
        await asyncio.to_thread(self._pool.shutdown)
        self._drop_idle()

    def _drop_idle(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._idle.get_nowait().close()

    def _read(self, work: Callable[[Connection], T]) -> T:
        # An idle connection may have died long ago; a new one that dies is news.
        while True:
            try:
                connection, is_new = self._idle.get_nowait(), False
            except queue.Empty:
                connection, is_new = self._database.reader(), True
            try:
                value = work(connection)
            except Lost:
                connection.close()
                if is_new:
                    raise
                self._drop_idle()  # each of them might take as long to be found dead
            except BaseException:
                self._idle.put(connection)
                raise
            else:
                self._idle.put(connection)
                return value
