"""Bots think here, and hints are found: in processes of their own, each in turn.

Whoever waits is somebody's (`budgets.py`): people take turns, and within budget one never waits
behind who is not. When many wait, each bot gets its share of the time that its level is worth;
in a rated match it gets all of it, or waits. One process is always ready; more are started as
they are needed, up to the number that is set, and end when they are not.
"""

import asyncio
import importlib
import json
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

import structlog

from kwartet.core.errors import GameError
from kwartet.core.game import Game
from kwartet.server.budgets import Budgets, Kind, Turns
from kwartet.server.messages import HintView, Reason
from kwartet.server.workers import Manners, Workers

if TYPE_CHECKING:
    from kwartet.bots.bot import Bot, Turn
    from kwartet.core.match import Match

T = TypeVar("T")

MANNERS: Final = Manners(10)
LEAST: Final = 0.05  # seconds that a bot gets even when many wait
PART: Final = 0.1  # of what is left on its clock that a bot uses for a move at most
TRIES: Final = 3  # of a turn whose process ended
REST: Final = 120.0  # seconds without work after which all processes but one end
AGAIN: Final = 1.0  # seconds until another process is started where one could not be
ADVISER: Final = "expert"
HINTS: Final = 3  # moves that are advised at most
FEWEST: Final = 1_000  # simulations that look for them even when many wait

log = structlog.get_logger()


@dataclass(frozen=True)
class Thought:
    """What a bot wants to play, and how many seconds it thought: without those it waited."""

    action: int
    seconds: float


class Allowance(NamedTuple):
    """How much of a turn's worth may be thought now."""

    share: float  # of the level's time
    threads: int


@dataclass(eq=False)
class Wait:
    """Somebody's place in the line."""

    person: str
    turn: asyncio.Future[None]
    since: float = field(default_factory=time.monotonic)


class Thinkers:
    """The processes in which bots think, at most so many."""

    def __init__(self, processes: int, budgets: Budgets, games: Sequence[Game] = ()) -> None:
        self.workers = Workers(processes, MANNERS)
        self.budgets = budgets
        self.turns = 0  # decided so far
        self._packages = [game.package for game in games]
        self._loaded: list[str] = []  # packages of games whose bots every process has ready
        self._order = Turns(budgets)
        self._waiting: dict[str, list[Wait]] = {}  # by person
        self._thinking: Counter[str] = Counter()  # by person
        self._starting = 0
        self._rest: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopped = False

    # Asking -------------------------------------------------------------------------------

    async def choose(
        self,
        level: str,
        match: "Match",
        *,
        person: str,
        rated: bool = False,
        left: float | None = None,
        on_begin: Callable[[], None] = lambda: None,
    ) -> Thought:
        """What a bot of this level plays for the seat to act, thought for a person.

        A rated one gets all of its time; `left` are the seconds on its clock, of which it uses a
        part at most. `on_begin` is called when it no longer waits. GameError `worker-lost` if its
        process ends again and again.
        """
        from kwartet.bots.bot import turn_of
        from kwartet.bots.catalogue import SECONDS

        def work() -> Callable[[], tuple[int, float]]:
            on_begin()
            seconds, threads = SECONDS.get(level), 1
            if seconds is not None:
                share, threads = self._allowance(person)
                seconds = seconds if rated else max(LEAST, seconds * share)
                if left is not None:
                    seconds = min(seconds, max(LEAST, PART * left))
            turn = turn_of(match, seed=secrets.randbits(32), seconds=seconds)
            return partial(_choose, level, turn, threads)

        thought = Thought(*await self._think("bot", person, work))
        self.turns += 1
        return thought

    async def advise(self, match: "Match", *, person: str) -> list[HintView]:
        """Up to three moves for the seat to act, the best first, each with what it does."""
        from kwartet.bots.bot import turn_of

        turn = turn_of(match, seed=secrets.randbits(32))
        return await self._think(
            "hint", person, lambda: partial(_advise, turn, self._allowance(person).share)
        )

    async def load(self, game: Game) -> None:
        """Have the game's bots ready in a process; those that are started later have them, too."""
        self._loaded.append(game.package)
        while not self._is_stopped:
            async with self._turn(""):
                if await self._run(partial(_load, [game.package]), polite=False) is not None:
                    return

    async def _think(self, kind: Kind, person: str, work: Callable[[], Callable[[], T]]) -> T:
        """Do some work in turn; if its process ends, it is done again by another."""
        for _ in range(TRIES):
            async with self._turn(person):
                began = time.monotonic()
                try:
                    done = await self._run(work())
                finally:
                    self.budgets.charge(person, kind, time.monotonic() - began)
            if done is not None:
                return done
        raise GameError("worker-lost", "The processes that thought about this ended; try again.")

    # Taking turns -------------------------------------------------------------------------

    @asynccontextmanager
    async def _turn(self, person: str) -> AsyncIterator[None]:
        """Wait for a process that is ready; GameError if there will be none any more."""
        if self._is_stopped:
            raise _stopping()
        place = Wait(person, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(person, []).append(place)
        self._dispatch()
        try:
            await place.turn
        except asyncio.CancelledError:
            if place.turn.done() and not place.turn.cancelled():  # it had just been its turn
                self._leave(person)
            else:
                self._unline(place)
            raise
        try:
            yield
        finally:
            self._leave(person)

    def _dispatch(self) -> None:
        """Let those think whose turn it is, and have more processes if they do not suffice."""
        while self._waiting and self._thinking.total() < self.workers.ready:
            heads = (waits[0] for waits in self._waiting.values())
            place = min(heads, key=lambda wait: self._order.place(wait.person, wait.since))
            self._unline(place)
            if not place.turn.done():  # else it was given up at this moment
                self._order.note(place.person)
                self._thinking[place.person] += 1
                place.turn.set_result(None)
        missing = sum(map(len, self._waiting.values())) - self._starting
        room = self.workers.count - self.workers.ready - self._starting
        for _ in range(min(missing, room)):
            self._start_one()

    def _unline(self, place: Wait) -> None:
        waits = self._waiting.get(place.person, [])
        if place in waits:
            waits.remove(place)
            if not waits:
                del self._waiting[place.person]

    def _leave(self, person: str) -> None:
        self._thinking[person] -= 1
        self._thinking = +self._thinking
        self._dispatch()
        self._rest_later()

    def _allowance(self, person: str) -> Allowance:
        """A share of all processes: addresses have the same, at each people, of each their bots.

        Who is over budget takes nothing from who is not.
        """
        home, is_over = self.budgets.home, self.budgets.is_over
        active = {*self._waiting, *self._thinking}
        rivals = {who for who in active if is_over(person) or who == person or not is_over(who)}
        homes = {home(who) for who in rivals}
        people = sum(home(who) == home(person) for who in rivals)
        own = len(self._waiting.get(person, ())) + self._thinking[person]
        share = self.workers.count / (len(homes) * people * own)
        is_alone = len(active) == 1 and own == 1
        return Allowance(min(1.0, share), self.workers.count if is_alone else 1)

    # Processes ----------------------------------------------------------------------------

    def start(self) -> None:
        """Have a first process."""
        self._start_one()

    def _start_one(self) -> None:
        self._starting += 1
        self._spawn(self._start())

    async def _start(self) -> None:
        try:
            work = partial(_prepare, self._packages, self._loaded)
            await self.workers.run(work, fresh=True, polite=False)
        except GameError as problem:
            if not self._is_stopped:
                log.error("a process for bots did not start", problem=problem.sentence)
                await asyncio.sleep(AGAIN)
        finally:
            self._starting -= 1
        if not self._is_stopped:
            self._dispatch()
            self._have_one()

    def _have_one(self) -> None:
        if not self.workers.ready and not self._starting and not self._is_stopped:
            self._start_one()

    async def _run(self, work: Callable[[], T], *, polite: bool = True) -> T | None:
        """What a process makes of it; None if the process ended, which another then replaces."""
        try:
            return await self.workers.run(work, polite=polite)
        except GameError as problem:
            if problem.code != "worker-lost":
                raise
            self._have_one()
            log.warning("a process for bots ended", problem=problem.sentence)
            return None

    def _rest_later(self) -> None:
        """When nobody has wanted anything for a while, one process is enough."""
        if self._rest:
            self._rest.cancel()
        self._rest = asyncio.get_running_loop().call_later(REST, self._rest_now)

    def _rest_now(self) -> None:
        if self.workers.ready > 1 and not self._waiting and not self._thinking:
            self._spawn(asyncio.to_thread(self.workers.rest, 1))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """End the processes; who waits for them is told so."""
        self._is_stopped = True
        if self._rest:
            self._rest.cancel()
        for place in [place for waits in self._waiting.values() for place in waits]:
            self._unline(place)
            if not place.turn.done():
                place.turn.set_exception(_stopping())
        for task in self._tasks:
            task.cancel()
        await asyncio.to_thread(self.workers.stop)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Counting -----------------------------------------------------------------------------

    @property
    def busy(self) -> int:
        """Tables that wait or think."""
        return sum(self.waiting.values()) + self._thinking.total()

    @property
    def waiting(self) -> "dict[Literal['within', 'over'], int]":
        """How many wait, by whether they are within their budgets."""
        over = sum(len(waits) for who, waits in self._waiting.items() if self.budgets.is_over(who))
        return {"within": sum(map(len, self._waiting.values())) - over, "over": over}


def _stopping() -> GameError:
    return GameError("busy", "The server stops; try again soon.")


# In a process ---------------------------------------------------------------------------


def _prepare(packages: list[str], loaded: list[str]) -> None:
    """Know the same games, and have the bots of some of them in memory."""
    from kwartet.games import register

    for package in packages:
        register(importlib.import_module(package).GAME)
    _load(loaded)


def _load(packages: list[str]) -> bool:
    """Have the machine code of these games' bots in memory."""
    from kwartet.bots import warmup

    for package in packages:
        for _, step in warmup.steps("bots", importlib.import_module(package).GAME):
            step()
    return True


def _choose(level: str, turn: "Turn", threads: int) -> tuple[int, float]:
    from kwartet.bots.bot import ask

    began = time.perf_counter()
    action = ask(_bot(level, turn, threads), turn)
    return action, time.perf_counter() - began


def _bot(level: str, turn: "Turn", threads: int) -> "Bot":
    from kwartet.arena.pool import is_unwanted
    from kwartet.bots.catalogue import create, recalls
    from kwartet.bots.search import Search

    if recalls(level, turn.game):
        return _knowing(level, turn.game.package, json.dumps(turn.options, sort_keys=True))
    bot = create(level, turn.game, options=turn.options, threads=threads)
    if isinstance(bot, Search):
        bot.is_unwanted = is_unwanted
    return bot


@lru_cache
def _knowing(level: str, package: str, options: str) -> "Bot":
    """A bot that has looked up the solution of these options does not do it again every turn."""
    from kwartet.bots.catalogue import create

    game = importlib.import_module(package).GAME
    return create(level, game, options=json.loads(options))


def _advise(turn: "Turn", share: float) -> list[HintView]:
    from kwartet.bots.level import level_of
    from kwartet.reviews.advice import advise_turn

    usual = level_of(ADVISER, turn.game).simulations or FEWEST
    simulations = max(FEWEST, round(usual * share))
    advice = advise_turn(turn, HINTS, ADVISER, simulations)
    return [HintView(each.move, Reason(**asdict(each.reason))) for each in advice]
