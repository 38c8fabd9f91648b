"""The house clock: the seconds in which tables could be played. People's clocks go by it.

It goes on while a process is up, its event loop runs and its store answers; what an outage,
a suspended machine, a stalled loop or a jump of the wall clock takes counts for nobody. All
processes keep it in one row of the store, each adds what it has seen and takes over what is
more. So it never goes faster than time itself, and another process goes on where one ended.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from kwartet.store import Store

TICK: Final = 0.1  # seconds between two readings
MOST: Final = 0.25  # seconds that count at most between two readings, however far apart
BEAT: Final = 2.0  # seconds between two beats, while somebody's clock runs
HEALTHY: Final = 3.0  # seconds without an answer of the store after which it stands
SETTLING: Final = 10.0  # seconds for which it stands after a start or an outage, at most
NEAR: Final = 0.05  # seconds that people's clocks may be wrong

log = structlog.get_logger()


class HouseClock:
    """House time as this process knows it. Read it on the event loop alone."""

    def __init__(
        self,
        store: Store,
        *,
        is_awaited: Callable[[str], bool] = lambda game: False,
        on_change: Callable[[], None] = lambda: None,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._is_awaited = is_awaited  # whether the rules of a game are still on their way
        self._on_change = on_change  # is called when it stops or goes on
        self._monotonic = monotonic
        self.wall = wall
        self._time = 0.0
        self._read = monotonic()  # when it was last read
        self._answered = self._read  # when the store last answered
        self._beaten = self._read  # when it was last asked by a beat, and answered
        self._stands_until = self._read
        self._seen = 0.0  # in the store, when it last answered
        self._games: set[str] = set()  # with clocks that ran when this process started
        self._is_beating = False  # whether somebody's clock runs; else it stands
        self._turns = 0  # that began here
        self._difference = 0.0  # of wall time, as it was told last
        self._was_running = False
        self._wake = asyncio.Event()

    async def start(self) -> None:
        """Go on from where the house was; StoreError if the store does not answer.

        While somebody's clock waits, it stands until the rules are ready and people could come
        back.
        """
        self._time = self._seen = await self._store.house_time(self.wall())
        self._games = set(await self._store.games_with_deadlines())
        self._answered = self._read = self._monotonic()
        if self._games:
            self._is_beating = True
            self._stands_until = self._read + SETTLING

    def now(self) -> float:
        """House time, in seconds. It never goes back."""
        moment = self._monotonic()
        elapsed, self._read = min(moment - self._read, MOST), moment
        if self._games:
            self._await_rules(moment)
        if self._is_beating and self._runs(moment):
            self._time += elapsed
        return self._time

    @property
    def is_running(self) -> bool:
        """Whether it goes on now, as it does while somebody's clock runs."""
        return self._runs(self._monotonic())

    @property
    def silence(self) -> float:
        """Seconds since the last beat that the store answered, also while nobody's clock runs."""
        return self._monotonic() - self._beaten

    def shown(self, moment: float) -> float:
        """A house time as wall time, as people see it now."""
        difference = self.wall() - self.now()
        if abs(difference - self._difference) > NEAR:  # else what was told stays true
            self._difference = difference
        return moment + self._difference

    def _runs(self, moment: float) -> bool:
        is_healthy = self._is_beating and moment - self._answered <= HEALTHY
        return is_healthy and moment >= self._stands_until and not self._games

    def _await_rules(self, moment: float) -> None:
        """After a start: whether the rules of all matches with clocks are ready now."""
        self._games = {game for game in self._games if self._is_awaited(game)}
        if not self._games:
            self._stands_until = max(self._stands_until, moment + SETTLING)

    # Beats --------------------------------------------------------------------------------

    def answered(self) -> bool:
        """The store has just done something; whether it was away, so that people must come back."""
        self.now()
        gap, self._answered = self._read - self._answered, self._read
        was_away = self._is_beating and gap > HEALTHY
        if was_away:
            self._stands_until = max(self._stands_until, self._read + min(gap, SETTLING))
        return was_away

    def turn_began(self) -> None:
        """Somebody's clock runs now: beat at once if nobody's did before."""
        self._turns += 1
        if not self._is_beating:
            self._begin()
            self._wake.set()

    def _begin(self) -> None:
        self.now()  # which stood until now
        self._answered, self._is_beating = self._read, True

    async def beat(self) -> None:
        """Let the store know the time, and take over what other processes know."""
        turns = self._turns
        if not await self._ask(self._store.has_deadlines):
            self._is_beating = self._is_beating and turns != self._turns
            return
        if not self._is_beating:
            self._begin()
        await self._ask(self._exchange)

    async def _ask(self, question: Callable[[], Awaitable[bool]]) -> bool:
        """What the store answers; True if it does not, whatever the reason."""
        try:
            answer = await question()
        except Exception as problem:  # the next beat may succeed
            log.warning("the house clock stands", problem=str(problem))
            return True
        self._beaten = self._monotonic()
        return answer

    async def _exchange(self) -> bool:
        found = await self._store.beat(self.now())
        was_away = self.answered()
        if found > self._time:
            if found > self._seen and not was_away:  # it goes on elsewhere
                self._stands_until = self._read
            self._time = found
        self._seen = found
        return True

    async def run(self) -> None:
        """Read it and beat, until it is cancelled; a last beat tells the store where it stopped."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._tick())
                group.create_task(self._keep_beating())
        finally:
            if self._is_beating:
                await self._ask(self._exchange)

    async def _tick(self) -> None:
        while True:
            self.now()
            if self._was_running != self.is_running:
                self._was_running = self.is_running
                try:
                    self._on_change()
                except Exception as problem:  # who cannot be told is no reason to stand
                    log.error("not told of the house clock", problem=str(problem))
            await asyncio.sleep(TICK)

    async def _keep_beating(self) -> None:
        while True:
            await self.beat()
            self._wake.clear()
            try:
                await asyncio.wait_for(self._wake.wait(), BEAT)
            except TimeoutError:
                continue
