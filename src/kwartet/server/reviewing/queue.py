"""All reviews that somebody wants, and the one order in which they are made.

The unit of work is a ply. A free process gets a move that somebody tries, every other time if
reviews wait as well; of those first the glances of one that has nothing to show yet, then the next
ply of the first in line. Everybody's first review comes before anybody's second; who has had a
turn stands at the end. Who is over budget (`budgets.py`) stands behind who is not.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import structlog

from kwartet.core.errors import GameError
from kwartet.server import afterwards as a
from kwartet.server.budgets import Kind, Turns
from kwartet.server.conduct.scene import Person
from kwartet.server.limits import Limit, Rate
from kwartet.server.messages import encode
from kwartet.server.metrics import Metrics
from kwartet.server.replay import stood
from kwartet.server.reviewing.job import Job, News, Reader, kept
from kwartet.server.reviewing.telling import JUDGE, brief, full, tried
from kwartet.server.table import Table
from kwartet.server.workers import Workers
from kwartet.store import Conflict, ReviewRow, StoreError

if TYPE_CHECKING:
    from kwartet.reviews.work import Work
    from kwartet.server.hall import Hall

T = TypeVar("T")

CARES: Final[tuple[a.CareName, ...]] = ("thorough", "normal", "quick")
TICK: Final = 1.0  # seconds between two looks at who is still there
SAVE: Final = 5.0  # seconds between two times that what was found is kept
GRACE: Final = 20.0  # seconds for which a review is made that nobody waits for any more
CLAIM: Final = 15.0  # seconds for which a review is one process's, which says so again
IDLE: Final = 180.0  # seconds without work after which the processes end
KEPT: Final = 60.0  # seconds for which a review stays in memory that nobody looks at
WAITING: Final = 3  # reviews of one person besides the one that is made
ALL: Final = 2000  # reviews that may wait at once
AN_HOUR: Final = 60  # reviews that one person may have made
SOON: Final = 3.0  # seconds that somebody who tries a move waits for the judge
UNUSED: Final = 64  # reviews that stay in memory at most though nobody looks at them
TRYING: Final = Rate(1.0, 20)  # moves that one person may try

log = structlog.get_logger()


class Trial(NamedTuple):
    """A move that somebody tries."""

    person: str
    work: Callable[[], Any]
    done: "asyncio.Future[Any]"
    since: float


class Reviews:
    """The reviews that this process makes or shows."""

    def __init__(self, hall: "Hall", processes: int, metrics: Metrics) -> None:
        self._hall = hall
        self._metrics = metrics
        self.workers = Workers(processes)
        self._budgets = hall.thinkers.budgets
        self._order = Turns(self._budgets)
        self._jobs: dict[tuple[str, a.CareName], Job] = {}
        self._loading: dict[tuple[str, a.CareName], asyncio.Task[Job]] = {}
        self._lines: dict[str, list[Job]] = {}  # by person, in the order of their turns
        self._lined: dict[tuple[str, Job], float] = {}  # since when a person has waited for one
        self._tries: list[Trial] = []
        self._trying: set[str] = set()
        self._is_reviews_turn = False  # since a move that was tried has just had its turn
        self._busy = 0
        self._worked = time.monotonic()
        self._saved = time.monotonic()
        self._rate = Limit(Rate(AN_HOUR / 3600, AN_HOUR))
        self._try_rate = Limit(TRYING)
        self._desk = ThreadPoolExecutor(1, "review-desk")
        self._keeper: asyncio.Task[None] | None = None

    # Finding ------------------------------------------------------------------------------

    async def job(self, table: Table, care: a.CareName) -> Job:
        """The review of the table's match as far as it is; GameError if there can be none."""
        key = (table.story.id, care)
        table.finished()
        while key not in self._jobs:
            if key not in self._loading:
                self._loading[key] = asyncio.create_task(self._load(table, care))
                self._loading[key].add_done_callback(lambda _: self._loading.pop(key, None))
            await asyncio.shield(self._loading[key])
        self._keep_house()
        job = self._jobs[key]
        job.used = time.monotonic()
        await self._catch_up(job)
        return job

    async def _catch_up(self, job: Job) -> None:
        """Take over what another process has found meanwhile, unless it is made here."""
        if (job.is_wanted and job.is_here) or job.is_done:
            return
        store, digest = self._hall.store, job.work.plan.digest
        marks = [mark for mark in await store.reviews(job.table) if mark.care == job.care]
        known = max(len(job.arrived), job.recalled)
        if not any(mark.digest == digest and mark.done > known for mark in marks):
            return
        row = await store.review(job.table, job.care)
        findings = await self._think(partial(kept, job.work, row))
        if row is not None and not (job.is_wanted and job.is_here):
            job.recall(row, findings)

    async def _load(self, table: Table, care: a.CareName) -> Job:
        row = await self._hall.store.review(table.story.id, care)
        since = table.story.first_ply
        work = await self._think(partial(_plan, table.finished(), care, since, row))
        job = Job(table.story.id, care, work)
        if row is not None and row.digest == work.plan.digest:
            job.recalled = row.done
        self._jobs[table.story.id, care] = job
        unused = [other for other in self._jobs.values() if other.is_unused and other is not job]
        for other in sorted(unused, key=lambda each: each.used)[:-UNUSED]:
            del self._jobs[other.table, other.care]
        return job

    async def message(self, job: Job, reader: Reader) -> bytes:
        """What is new to the reader, who then knows it."""
        news = reader.take(job)
        if not news.since and job.whole is not None and job.whole[0] == job.standing:
            return job.whole[1]
        if (message := brief(job, news)) is not None:
            return encode(message)
        return await self._think(partial(_full if news.since else _whole, job, news))

    async def _think(self, work: Callable[[], T]) -> T:
        """Do something on the one thread for it: several would keep the event loop waiting."""
        return await asyncio.get_running_loop().run_in_executor(self._desk, work)

    async def best_known(self, table: Table) -> Job:
        """What to show to who asks for no care: what is being made, or the most careful kept."""
        key = table.story.id
        for care in CARES:
            if (key, care) in self._jobs and self._jobs[key, care].is_wanted:
                return self._jobs[key, care]
        marked = {mark.care for mark in await self._hall.store.reviews(key)}
        known = [await self.job(table, care) for care in CARES if care in marked]
        found = [job for job in known if job.arrived]  # else it is another version's
        done = [job for job in found if job.is_done]
        return next(iter(done or found), None) or await self.job(table, "normal")

    # Asking -------------------------------------------------------------------------------

    def ask(self, person: Person, job: Job, reader: Reader) -> None:
        """Have it made, or go on with it; GameError if that is too much."""
        if job.is_done or reader in job.askers:
            return
        self._check_on()
        own = self._lines.get(person.id, [])
        if job not in own:
            if len(own) > WAITING:
                raise GameError(
                    "too-many", f"{WAITING} more reviews wait for you already; let them be made."
                )
            if sum(each.is_wanted for each in self._jobs.values()) >= ALL:
                raise GameError("busy", "Too many reviews wait already; try again later.")
            self._rate.take(person.id)
            self._lines.setdefault(person.id, []).append(job)
            self._lined[person.id, job] = time.monotonic()
        was_wanted = job.is_wanted
        job.ask(reader)
        if not was_wanted:
            self._hall.spawn(self._prepare(job))
        self._dispatch()

    def resume(self, job: Job, reader: Reader) -> None:
        """Who asked and lost the connection for a moment still asks."""
        if reader.person and job.is_wanted and job in self._lines.get(reader.person, []):
            job.ask(reader)

    def leave(self, job: Job, reader: Reader, *, at_once: bool = False) -> None:
        """Somebody follows it no more, or (`at_once`) does not want it made any more."""
        has_asked = reader in job.askers
        job.leave(reader)
        others = {other.person for other in job.askers}
        if has_asked and at_once and not others:
            self._stop(job)
        elif has_asked and reader.person and others and reader.person not in others:
            self._unline(reader.person, job)

    def _stop(self, job: Job) -> None:
        if job.is_wanted and job.is_here and self._hall.store.is_shared:
            self._hall.spawn(self._release(job))
        job.stop()
        for person in list(self._lines):
            self._unline(person, job)
        self._dispatch()

    async def _release(self, job: Job) -> None:
        """Let another process go on with it, once what was found is kept."""
        await self._save(job)
        with suppress(StoreError):
            await self._hall.store.claim(_claim_of(job), 0.0)

    def _unline(self, person: str, job: Job) -> None:
        """The review is no longer this person's, whose next one waits for its turn."""
        own = self._lines.get(person, [])
        if job in own:
            own.remove(job)
            self._lined.pop((person, job), None)
            del self._lines[person]
            if own:
                self._lines[person] = own

    async def try_move(self, person: Person, table: Table, wish: a.Try) -> a.Tried:
        """Judge another move at a decision, in turn with reviews; GameError if that is too much."""
        self._check_on()
        match = table.finished()
        past, seat = await asyncio.to_thread(stood, match, wish.ply)
        await asyncio.to_thread(past.read, wish.move, seat=seat)
        if person.id in self._trying:
            raise GameError("too-many", "One move at a time.")
        self._try_rate.take(person.id)
        self._trying.add(person.id)
        try:
            await self._check_care(table.story.id, wish.care)
            job = await self.job(table, wish.care)
            await self._have_judge(job)
            from kwartet.reviews.work import judge_move

            work = partial(judge_move, job.work.plan, wish.ply, wish.move)
            done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            self._tries.append(Trial(person.id, work, done, time.monotonic()))
            self._dispatch()
            return tried(await done)
        finally:
            self._trying.discard(person.id)

    async def _check_care(self, table: str, care: a.CareName) -> None:
        """GameError for the greatest care, unless a review is made or kept with it."""
        if care != CARES[0] or ((table, care) in self._jobs and self._jobs[table, care].is_wanted):
            return
        if care not in {mark.care for mark in await self._hall.store.reviews(table)}:
            raise GameError("too-many", "No review of this match is as careful; ask for one first.")

    def _check_on(self) -> None:
        if not self.workers.count:
            raise GameError("no-reviews", "This server makes no reviews.")

    # Getting ready ------------------------------------------------------------------------

    async def _prepare(self, job: Job) -> None:
        """Have what the judge needs: machine code, or the game's solution."""
        try:
            await self._claim(job)
            await self._judge_ready(job)
        except Exception as problem:
            log.exception("a review cannot begin", problem=str(problem))
            job.give_up(GameError("worker-lost", "The judge could not be made ready."))
            self._stop(job)
        job.preparing = None
        job.tell()
        self._dispatch()

    async def _claim(self, job: Job) -> None:
        """Let one process of several make it; the others take over what that one keeps."""
        if not self._hall.store.is_shared:
            return
        job.claimed, had = time.monotonic(), job.is_here
        has = await self._hall.store.claim(_claim_of(job), CLAIM)
        if not (had and has):
            job.is_here = False
            await self._catch_up(job)
        job.is_here = has
        if job.is_done:
            self._stop(job)
        elif has and not had:
            self._dispatch()

    async def _have_judge(self, job: Job) -> None:
        """GameError `preparing` if the judge cannot work soon; it is being made ready then."""
        try:
            async with asyncio.timeout(SOON):
                await self._judge_ready(job)
        except TimeoutError:
            raise GameError("preparing", "The judge is being made ready; try again soon.") from None

    async def _judge_ready(self, job: Job) -> None:
        from kwartet.bots.catalogue import recalls

        if job.is_ready:
            return
        readiness, game = self._hall.readiness, job.work.story.game
        await readiness.have_reviews(game)
        if recalls(JUDGE, game):
            await readiness.have_solved(game, job.options)
        job.is_ready = True

    # Working ------------------------------------------------------------------------------

    def _line(self) -> dict[Job, str]:
        """The reviews that are wanted and whose each is, the one that is made first."""
        people: tuple[list[str], list[str]] = [], []  # within budget, and others
        for person, own in self._lines.items():
            people[self._order.is_behind(person, self._lined[person, own[0]])].append(person)
        line: dict[Job, str] = {}
        for some in people:
            for number in range(WAITING + 1):
                for person in some:
                    for job in self._lines[person][number : number + 1]:
                        line.setdefault(job, person)
        return line

    def _dispatch(self) -> None:
        """Give every free process something to do, and tell who stands where."""
        line = self._line()
        for place, job in enumerate(line):
            if job.ahead != place:
                job.ahead = place
                job.tell()
        while self._busy < self.workers.count and (work := self._next(line)):
            self._busy += 1
            self._hall.spawn(work)

    def _next(self, line: dict[Job, str]) -> Coroutine[Any, Any, None] | None:
        """What a free process does; moves that are tried and reviews take turns."""
        if self._is_reviews_turn:
            self._is_reviews_turn = False
            return self._next_of_reviews(line) or self._next_try()
        return self._next_try() or self._next_of_reviews(line)

    def _next_try(self) -> Coroutine[Any, Any, None] | None:
        self._tries = [trial for trial in self._tries if not trial.done.done()]
        if not self._tries:
            return None
        trial = min(self._tries, key=lambda each: self._order.place(each.person, each.since))
        self._tries.remove(trial)
        self._is_reviews_turn = True
        return self._try(trial)

    def _next_of_reviews(self, line: dict[Job, str]) -> Coroutine[Any, Any, None] | None:
        ready = [(job, person) for job, person in line.items() if job.is_ready and job.is_here]
        for job, person in ready:
            if job.wants_glances():
                return self._glance(job, person)
        for job, person in ready:
            if (ply := job.take()) is not None:
                return self._look(job, person, ply)
        return None

    async def _work(self, kind: Kind, person: str, work: Callable[[], T]) -> T:
        """What a process makes of it, for a person; then the next thing is begun."""
        began = time.monotonic()
        self._order.note(person)
        try:
            return await self.workers.run(work)
        finally:
            self._busy -= 1
            self._worked = time.monotonic()
            self._budgets.charge(person, kind, self._worked - began)
            if not self._hall.is_closing:
                asyncio.get_running_loop().call_soon(self._dispatch)

    async def _try(self, trial: Trial) -> None:
        done = trial.done
        try:
            outcome = await self._work("try", trial.person, trial.work)
            if not done.done():
                done.set_result(outcome)
        except Exception as problem:
            if not done.done():
                done.set_exception(problem)

    async def _glance(self, job: Job, person: str) -> None:
        from kwartet.reviews.work import glance

        work = partial(glance, job.work.plan, job.work.missing())
        try:
            job.glanced(await self._work("review", person, work))
        except Exception as problem:  # the graph comes with the findings, then
            log.warning("no glances", problem=str(problem))

    async def _look(self, job: Job, person: str, ply: int) -> None:
        from kwartet.reviews.work import look

        began = time.perf_counter()
        try:
            job.found(await self._work("review", person, partial(look, job.work.plan, ply)))
        except Exception as problem:
            log.warning("a ply was not judged", problem=str(problem))
            job.lost(ply, GameError("worker-lost", "A move could not be judged; try again."))
            if job.trouble:
                self._stop(job)
            return
        self._metrics.review_seconds.observe(time.perf_counter() - began)
        if job.is_done:
            self._metrics.reviews_done.inc()
            self._stop(job)
            await self._save(job)

    # Keeping ------------------------------------------------------------------------------

    def _keep_house(self) -> None:
        if self._keeper is None:
            self._keeper = self._hall.spawn(self._tick())

    async def _tick(self) -> None:
        """Notice who has gone, keep what was found, let the processes rest."""
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            for job in list(self._jobs.values()):
                with _logged():
                    self._look_after(job, now)
                    if job.is_wanted and now - job.claimed > CLAIM / 3:
                        await self._claim(job)
            with _logged():
                if now - self._saved > SAVE:
                    self._saved = now
                    await self._save_all()
            with _logged():
                if not self._busy and now - self._worked > IDLE:
                    await asyncio.to_thread(self.workers.rest)

    def _look_after(self, job: Job, now: float) -> None:
        if job.deserted and now - job.deserted > GRACE:
            self._stop(job)
        waits = job.is_wanted and not job.is_ready
        progress = self._hall.readiness.review_progress
        preparing = progress(job.work.story.game, job.options) if waits else None
        if preparing != job.preparing:
            job.preparing = preparing
            job.tell()
        if job.is_unused and now - job.used > KEPT:
            del self._jobs[job.table, job.care]

    async def _save_all(self) -> None:
        for job in list(self._jobs.values()):
            if job.saved < len(job.arrived):
                await self._save(job)

    async def _save(self, job: Job) -> None:
        row = job.row()
        try:
            await self._hall.store.save_review(row)
            job.saved = row.done
        except Conflict:
            job.saved = row.done  # its table is gone
        except StoreError as error:
            log.warning("a review was not kept", problem=error.sentence)

    async def stop(self) -> None:
        """End the work and keep what was found."""
        await asyncio.to_thread(self.workers.stop)
        self._desk.shutdown(wait=False)
        await self._save_all()

    # Counting -----------------------------------------------------------------------------

    def count(self) -> None:
        """Bring the metrics up to date."""
        states = [job.state for job in self._jobs.values() if job.is_wanted]
        for state in ("waiting", "making"):
            self._metrics.reviews.labels(state).set(states.count(state))


@contextmanager
def _logged() -> Iterator[None]:
    """What goes wrong is logged, and all else goes on."""
    try:
        yield
    except Exception as problem:
        log.exception("reviews are not looked after", problem=str(problem))


def _claim_of(job: Job) -> str:
    return f"review {job.table} {job.care} {job.work.plan.digest}"


def _full(job: Job, news: News) -> bytes:
    return encode(full(job, news))


def _whole(job: Job, news: News) -> bytes:
    """The whole message, worked out once for all who ask while nothing changes."""
    standing = job.standing
    if job.whole is None or job.whole[0] != standing:
        message = _full(job, news)
        (count, _), state, *_ = standing
        if job.standing != standing or (news.until, news.state) != (count, state):
            return message
        job.whole = standing, message
    return job.whole[1]


def _plan(match: Any, care: a.CareName, since: int, row: ReviewRow | None) -> "Work":
    """A review with what was kept of it, its states worked out."""
    from kwartet.reviews.work import plan_review

    work = plan_review(match, JUDGE, None, care, 0, ended=True, since=since)
    work.findings |= {found.ply: found for found in kept(work, row)}
    _ = work.review.decisions_total  # states and actors are worked out here, on a thread
    return work
