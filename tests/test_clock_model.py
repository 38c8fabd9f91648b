"""Clocks against a model: whatever happens, only time in which one could play is charged.

A schedule is any mixture of thinking, moves, words, outages of the store, processes that end,
start and stand still, and jumps of the wall clock. The test alone knows the true time. It counts
for how long of a turn the table could be played somewhere, and allows the clock to differ by
what the house promises (docs/server.md): more by `HEALTHY` for each time the store or the last
process went away, less by what people get to come back after each disturbance.
"""

import asyncio
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.clock import BEAT, HEALTHY, MOST, SETTLING
from kwartet.server.sweep import SLACK, SWEEP
from tests.timing import BOB, STEP, World, left, world

SECONDS = 60
FREE = SETTLING + HEALTHY + BEAT  # seconds that a disturbance may give to who is to act
NEAR = 2 * (STEP + MOST)  # seconds by which two readings of a clock may differ
BEFORE = 2 * FREE  # seconds for which a disturbance before the turn may still matter


@dataclass
class Model:
    """What is known of the turn that runs, in true time."""

    world: World
    playable: float = 0.0  # seconds of this turn in which the table could be played
    losses: int = 0  # times that the store or a process went away, or the turn changed hands
    disturbed: list[float] = field(default_factory=list)  # when something happened
    free: float = 0.0  # seconds that people may have been given

    def is_playable(self) -> bool:
        """Whether some process could take a move now."""
        here = self.world
        return not here.is_away and any(
            process.stalled_until <= here.true for process in here.processes.values()
        )

    def disturb(self) -> None:
        """Something happened that stops clocks for a while."""
        self.losses += 1
        self.free += FREE
        self.disturbed.append(self.world.true)

    def next_turn(self) -> None:
        """A move was made."""
        recent = [at for at in self.disturbed if self.world.true - at < BEFORE]
        self.playable, self.losses, self.disturbed = 0.0, len(recent), recent
        self.free = FREE * len(recent)

    @property
    def most(self) -> float:
        """Seconds that may be charged for this turn so far."""
        return self.playable + HEALTHY * self.losses + NEAR

    @property
    def least(self) -> float:
        """Seconds that must be charged; processes differ by a beat."""
        return self.playable - self.free - 2 * BEAT - NEAR


Op = tuple[str, Any]
OPS = st.one_of(
    st.tuples(st.just("think"), st.floats(0.2, 25)),
    st.tuples(st.just("think"), st.floats(SECONDS - 5, SECONDS + 5)),
    st.tuples(st.just("move"), st.integers(0, 1)),
    st.tuples(st.just("move"), st.integers(0, 1)),
    st.tuples(st.just("chat"), st.integers(0, 1)),
    st.tuples(st.just("kill"), st.integers(0, 1)),
    st.tuples(st.just("stop"), st.integers(0, 1)),
    st.tuples(st.just("start"), st.integers(0, 1)),
    st.tuples(st.just("stall"), st.tuples(st.integers(0, 1), st.floats(0.5, 30))),
    st.tuples(st.just("store"), st.booleans()),
    st.tuples(st.just("jump"), st.sampled_from([-1e6, -3600.0, 3600.0, 1e6])),
    st.tuples(st.just("down"), st.floats(1, 2000)),
)


class Run:
    """A schedule as it is carried out."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.model = Model(world)
        self.before = [float(SECONDS)] * 2  # on the clocks when the turn began

    async def do(self, op: Op) -> None:
        kind, value = op
        await getattr(self, f"_{kind}")(value)

    async def _think(self, seconds: float) -> None:
        while seconds > 1e-9 and not await self.is_over():
            step = min(STEP, seconds)
            if self.model.is_playable():
                self.model.playable += step
            await self.world.pass_by(step)
            seconds -= step

    async def is_over(self) -> bool:
        """Whether the match is over; if on time, then its player had none left."""
        tables = [p.hall.tables.get(self.world.key) for p in self.world.processes.values()]
        for table in tables:
            if table and table.story.state == "over":
                assert table.story.result
                if table.story.result.reason == "time":
                    loser = 1 - table.story.result.winners[0]
                    assert self.model.most >= self.before[loser], "a player had time left"
                return True
        return False

    async def _move(self, number: int) -> None:
        process = self.world.processes.get(number)
        if process is None or process.stalled_until > self.world.true:
            return
        if self.world.is_away:
            return
        table = await self.world.table(number)
        seat = table.story.actor
        if seat is None:
            return
        try:
            await self.world.play(number)
        except GameError as error:
            if error.code != "time-out":
                raise
            is_fair = self.model.most >= self.before[seat]
            assert is_fair, "a move in time was refused"
            return
        charged = self.before[seat] - left(table)[seat]
        assert charged <= self.model.most, "charged beyond what could be played"
        assert charged >= self.model.least, "charged too little"
        self.before = left(table)
        self.model.next_turn()

    async def _chat(self, number: int) -> None:
        process = self.world.processes.get(number)
        if process is None or process.stalled_until > self.world.true or self.world.is_away:
            return
        await (await self.world.table(number)).handle(BOB, m.Chat(text="well?"))

    async def _kill(self, number: int) -> None:
        if number in self.world.processes:
            self.model.disturb()
            await self.world.kill(number)

    async def _stop(self, number: int) -> None:
        if number in self.world.processes and not self.world.is_away:
            self.model.disturb()
            await self.world.processes.pop(number).stop()

    async def _start(self, number: int) -> None:
        if number not in self.world.processes and not self.world.is_away:
            self.model.disturb()
            await self.world.start(number)

    async def _stall(self, value: tuple[int, float]) -> None:
        number, seconds = value
        if number in self.world.processes:
            self.model.disturb()
            until = self.world.true + seconds
            self.world.processes[number].stalled_until = until
            await self._think(seconds)
            self.model.disturb()

    async def _store(self, away: bool) -> None:
        if away != self.world.is_away:
            self.model.disturb()
            self.world.take_store(away)

    async def _jump(self, seconds: float) -> None:
        self.world.jump += seconds

    async def _down(self, seconds: float) -> None:
        """All processes are away, for long."""
        for number in list(self.world.processes):
            await self._kill(number)
        self.world.skip(seconds)
        await self._store(False)
        await self._start(0)


async def carry_out(ops: list[Op]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with world(f"sqlite:///{Path(folder)}/kwartet.db") as here:
            await here.open(m.Clock("live", SECONDS))
            run = Run(here)
            for op in ops:
                if await run.is_over():
                    return
                await run.do(op)
            # Now nothing more happens, and whoever is to act has to lose on time.
            await run._store(False)
            for number in (0, 1):
                await run._start(number)
            await run._think(SECONDS + run.model.free + 2 * BEAT + SLACK + SWEEP + NEAR)
            assert await run.is_over(), "a true overrun did not end the match"


SCHEDULES = st.lists(OPS, min_size=3, max_size=14)


@settings(max_examples=60, deadline=None)
@given(SCHEDULES)
def test_only_time_in_which_one_could_play_is_charged(ops: list[Op]) -> None:
    asyncio.run(carry_out(ops))
