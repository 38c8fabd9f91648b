"""Time that a test drives: processes of a house, their store, and a table with clocks.

The tables, the store and the clock are the real ones; the test alone says how time passes, when
a process ends or stands still, when the store is away and what the clock on the wall shows.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.budgets import Budgets
from kwartet.server.clock import BEAT, HouseClock
from kwartet.server.conduct.scene import Person
from kwartet.server.hall import Hall
from kwartet.server.readiness import Readiness
from kwartet.server.sweep import SWEEP
from kwartet.server.table import Table
from kwartet.server.thinkers import Thinkers
from kwartet.store import Store, StoreError, find_database

ANN, BOB = Person("ann", "Ann"), Person("bob", "Bob")
PEOPLE = (ANN, BOB)
STEP = 0.2  # seconds in which a process does something at least once


class Shaky(Store):
    """A store that is away when the test says so."""

    is_away = False
    appends: int | None = None  # that go well before it is away
    torn: frozenset[str] = frozenset()  # tables that cannot be read

    async def append(self, *values: Any, **named: Any) -> None:
        if self.appends is not None:
            self.is_away = self.appends == 0
            self.appends -= 1
        self._need()
        await super().append(*values, **named)

    async def entries(self, table: str, after: int = 0) -> Any:
        self._need()
        return await super().entries(table, after)

    async def load(self, table: str, form: str) -> Any:
        self._need()
        if table in self.torn:
            raise StoreError("store-failed", "The test has torn its page.")
        return await super().load(table, form)

    async def beat(self, time: float) -> float:
        self._need()
        return await super().beat(time)

    async def has_deadlines(self) -> bool:
        self._need()
        return await super().has_deadlines()

    async def due(self, now: float, skip: int = 0) -> list[str]:
        self._need()
        return await super().due(now, skip)

    def _need(self) -> None:
        if self.is_away:
            raise StoreError("store-unavailable", "The test has taken it away.")


class AlwaysReady(Readiness):
    """Rules that are ready from the beginning."""

    def is_ready(self, key: str) -> bool:
        return True


class Process:
    """One server process: its tables, its clock, and when it does what."""

    def __init__(self, world: "World", store: Shaky) -> None:
        self._world = world
        self.store = store
        self.clock = HouseClock(store, monotonic=world.monotonic, wall=world.wall)
        nobody: Any = None  # no bots play, nobody is called
        self.hall = Hall(
            store,
            thinkers=Thinkers(1, Budgets()),
            push=nobody,
            secret="s" * 40,
            absent_after=60.0,
            games=[],
            clock=self.clock,
        )
        self.hall.readiness = AlwaysReady([], lambda key: None, nobody)
        self.stalled_until = 0.0
        self._beats_at = self._sweeps_at = world.true

    async def work(self) -> None:
        """What a process does from moment to moment, unless it stands still."""
        if self._world.true < self.stalled_until:
            return
        self.clock.now()
        if self._world.true >= self._beats_at:
            self._beats_at = self._world.true + BEAT
            await self.clock.beat()
        if self._world.true >= self._sweeps_at:
            self._sweeps_at = self._world.true + SWEEP
            with suppress(StoreError):
                for table in list(self.hall.tables.values()):
                    await table.catch_up()  # as another process's word would make it
                await self.hall.sweep.look_at_clocks()

    async def stop(self) -> None:
        """End as Ctrl-C does."""
        await self.clock.beat()
        await self.store.close()


class World:
    """All there is, with the true time, which no process knows."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.true = 1_000.0
        self.jump = 1_700_000_000.0  # by which the clock on the wall differs
        self.is_away = False  # the store
        self.processes: dict[int, Process] = {}
        self.key = ""

    def monotonic(self) -> float:
        return self.true

    def wall(self) -> float:
        return self.true + self.jump

    def take_store(self, away: bool) -> None:
        self.is_away = away
        for process in self.processes.values():
            process.store.is_away = away

    async def start(self, number: int = 0) -> Process:
        """Start a process, whose store must be there."""
        store = await Shaky.open(find_database(self.url), upgrade=True)
        assert isinstance(store, Shaky)
        process = self.processes[number] = Process(self, store)
        await process.clock.start()
        return process

    async def kill(self, number: int = 0) -> None:
        """End a process at once."""
        await self.processes.pop(number).store.close()

    async def pass_by(self, seconds: float) -> None:
        """Let time pass for everybody."""
        while seconds > 1e-9:
            step = min(STEP, seconds)
            self.true += step
            seconds -= step
            for process in list(self.processes.values()):
                await process.work()

    def skip(self, seconds: float) -> None:
        """Let time pass in which no process did anything."""
        self.true += seconds

    # The table ----------------------------------------------------------------------------

    async def open(self, clock: m.Clock, number: int = 0, **wish: Any) -> Table:
        """A table of Ann and Bob, whose match has begun."""
        process = self.processes[number]
        made = m.CreateTable("connect_four", order="fixed", clock=clock, **wish)
        table = await process.hall.opening.create(ANN, made)
        await table.handle(BOB, m.Sit())
        await process.clock.beat()
        self.key = table.story.id
        return table

    async def table(self, number: int = 0) -> Table:
        """The table as a process knows it; StoreError if it cannot."""
        table = await self.processes[number].hall.table(self.key)
        await table.catch_up()
        return table

    async def play(self, number: int = 0, arrived: float | None = None) -> Table:
        """Who is to act moves, through this process; GameError if that cannot be."""
        table = await self.table(number)
        story = table.story
        if story.actor is None:
            raise GameError("game-over", "The match is over.")
        assert table.match
        move = table.match.legal()[story.ply // 2 % 3]
        await table.handle(PEOPLE[story.actor], m.Play(ply=story.ply, move=move), arrived)
        return table


def left(table: Table) -> list[float]:
    """What is on the clocks."""
    return [seat.left or 0.0 for seat in table.story.seats]


@asynccontextmanager
async def world(url: str) -> AsyncIterator[World]:
    """A world with one process, which ends with the test."""
    made = World(url)
    await made.start()
    try:
        yield made
    finally:
        made.take_store(False)
        for number in list(made.processes):
            await made.kill(number)
