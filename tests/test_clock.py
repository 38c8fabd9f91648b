"""The house clock: only time in which a table can be played is anybody's."""

import asyncio
import json
import resource
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server import sweep
from kwartet.server.clock import BEAT, HEALTHY, SETTLING, TICK, HouseClock
from kwartet.server.sweep import PAUSE, SWEEP, Sweep
from kwartet.store import StoreError, open_store
from tests.serving import on_a_loop
from tests.timing import ANN, BOB, World, left, world

FIVE_MINUTES = m.Clock("live", 300)
OUTAGE = 660.0


def url(folder: Path) -> str:
    return f"sqlite:///{folder}/kwartet.db"


async def started_again(here: World) -> None:
    """The process ends, and another starts eleven minutes later."""
    await here.kill()
    here.skip(OUTAGE)
    await here.start()


@on_a_loop
async def test_what_the_server_was_away_is_charged_to_nobody(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        await here.open(FIVE_MINUTES)
        await here.pass_by(20)
        await started_again(here)
        await here.pass_by(15)
        table = await here.play()
        assert 300 - 20 - 15 <= left(table)[0] <= 300 - 20 - 15 + SETTLING + BEAT
        await here.play()
        await here.pass_by(250)
        assert (await here.table()).story.state == "running"


@on_a_loop
async def test_words_after_a_start_end_nobody_s_time(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        await here.open(m.Clock("live", 30))
        await here.pass_by(25)
        await started_again(here)
        table = await here.table()
        await table.handle(BOB, m.Chat(text="are you back?"))
        await here.pass_by(SETTLING + 3)
        assert table.story.state == "running"
        await here.pass_by(5)
        assert table.story.result
        assert table.story.result.reason == "time"


@on_a_loop
async def test_what_the_store_was_away_is_charged_to_nobody(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        await here.open(m.Clock("live", 60))
        await here.pass_by(20)
        here.take_store(True)
        await here.pass_by(OUTAGE)
        with pytest.raises(GameError) as raised:
            await here.play()
        assert raised.value.code == "store-unavailable"
        here.take_store(False)
        await here.pass_by(20)
        table = await here.play()
        assert 60 - 20 - HEALTHY - 20 <= left(table)[0] <= 60 - 20 - 20 + SETTLING + BEAT


@on_a_loop
async def test_a_process_that_stands_still_takes_nobody_s_time(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        await here.open(m.Clock("live", 60))
        here.skip(OUTAGE)
        table = await here.play()
        assert left(table)[0] > 59


@pytest.mark.parametrize("jump", [86_400.0, -86_400.0])
@on_a_loop
async def test_a_jump_of_the_wall_clock_changes_nothing(tmp_path: Path, jump: float) -> None:
    async with world(url(tmp_path)) as here:
        table = await here.open(m.Clock("live", 60))
        await here.pass_by(10)
        here.jump += jump
        await here.pass_by(10)
        await here.play()
        assert left(table)[0] == pytest.approx(40, abs=0.1)
        here.jump -= jump
        await here.pass_by(55)
        assert table.story.state == "running"
        await here.pass_by(10)
        assert table.story.result
        assert table.story.result.winners == [0]


@on_a_loop
async def test_a_move_that_came_in_time_counts_though_it_is_carried_out_late(
    tmp_path: Path,
) -> None:
    async with world(url(tmp_path)) as here:
        table = await here.open(m.Clock("live", 60))
        hall, clock = here.processes[0].hall, here.processes[0].clock
        await here.pass_by(59)
        command = m.Play(ply=0, move="a")
        arrived = clock.now()
        with hall.arriving(here.key, command, arrived):
            await here.pass_by(20)  # it waits, and clocks are looked at
            await table.handle(BOB, m.Chat(text="?"))
            assert table.story.state == "running"
            await table.handle(ANN, command, arrived)
        assert left(table) == pytest.approx([1, 60], abs=0.1)
        await here.pass_by(10)  # what she waited was not his time either
        await here.play()
        assert left(table)[1] == pytest.approx(50, abs=0.1)


@on_a_loop
async def test_a_move_that_came_late_does_not_count(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        await here.open(m.Clock("live", 60))
        await here.pass_by(60.5)
        with pytest.raises(GameError) as raised:
            await here.play()
        assert raised.value.code == "time-out"
        await here.pass_by(2)
        assert (await here.table()).story.state == "over"


@on_a_loop
async def test_another_process_goes_on_where_one_ended(database: str) -> None:
    async with world(database) as here:
        await here.open(m.Clock("live", 60))
        await here.pass_by(20)
        await here.start(1)
        await here.pass_by(5)
        await here.kill(0)
        await here.pass_by(5)
        table = await here.play(1)
        assert 30 <= left(table)[0] <= 30 + BEAT


@on_a_loop
async def test_people_are_shown_a_clock_that_stands(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        table = await here.open(m.Clock("move", 60))
        await here.pass_by(4)
        here.jump += 1_000
        times = table.company.times()
        assert times.turn_since == pytest.approx(here.wall() - 4, abs=0.1)
        assert times.deadline == pytest.approx(here.wall() + 56, abs=0.1)
        here.take_store(True)
        await here.pass_by(10)
        assert (table.company.times().turn_since, table.company.times().deadline) == (None, None)


@on_a_loop
async def test_a_clock_that_stands_shows_what_is_left(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        table = await here.open(m.Clock("live", 60))
        await here.pass_by(20)
        here.take_store(True)
        await here.pass_by(30)
        shown = json.loads(table.company.message(ANN))
        assert 60 - 20 - HEALTHY <= shown["seats"][0]["left"] <= 40
        assert shown["match"]["turn_since"] is None


@on_a_loop
async def test_a_bot_that_waits_for_a_process_is_charged_nothing(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        seats = [m.SeatWish("me"), m.SeatWish("bot", level="novice")]
        wish = m.CreateTable("connect_four", seats=seats, clock=m.Clock("live", 60), order="fixed")
        hall = here.processes[0].hall
        table = await hall.opening.create(ANN, wish)
        try:
            await here.pass_by(5)
            await table.handle(ANN, m.Play(ply=0, move="a"))
            assert table.story.awaits_bot()
            await here.pass_by(5)
            assert (table.company.times().turn_since, table.company.times().left) == (None, 60)
            assert left(table) == [pytest.approx(55, abs=0.1), 60]
        finally:
            await hall.stop()


@contextmanager
def without_descriptors() -> Iterator[None]:
    """Let this process open no file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@on_a_loop
async def test_a_house_clock_goes_on_after_a_file_could_not_be_opened(tmp_path: Path) -> None:
    store = await open_store(url(tmp_path))
    await store.house_time(1.0)
    told: list[float] = []
    clock = HouseClock(store, on_change=lambda: told.append(1 / len(told)))
    clock.turn_began()
    with without_descriptors():
        with pytest.raises(StoreError) as raised:  # the first reader of this store
            await store.has_deadlines()
        assert raised.value.code == "store-unavailable"
        running = asyncio.create_task(clock.run())
        await asyncio.sleep(2 * TICK)
        assert clock.silence > TICK
    clock.turn_began()
    await asyncio.sleep(BEAT + TICK)
    assert not running.done()
    assert clock.silence < BEAT
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await store.close()


@pytest.mark.parametrize("is_ended", [False, True])
@on_a_loop
async def test_a_full_table_begins_though_the_store_was_away_at_that_moment(
    tmp_path: Path, is_ended: bool
) -> None:
    async with world(url(tmp_path)) as here:
        process = here.processes[0]
        table = await process.hall.opening.create(ANN, m.CreateTable("connect_four"))
        process.store.appends = 1
        await table.handle(BOB, m.Sit())
        assert (table.story.is_full, table.story.state) == (True, "open")
        process.store.appends = None
        here.take_store(False)
        if is_ended:  # and the next process, at which nobody looks at the table
            await here.kill()
            process = await here.start()
        sweeping = asyncio.create_task(process.hall.sweep.run())
        await asyncio.sleep(0.5)
        sweeping.cancel()
        row = await process.store.table(table.story.id)
        assert row
        assert row.state == "running"


@on_a_loop
async def test_a_torn_table_stops_no_other_s_clock_and_goes_on_when_it_is_mended(
    tmp_path: Path,
) -> None:
    async with world(url(tmp_path)) as here:
        keys = [(await here.open(m.Clock("live", seconds))).story.id for seconds in (10, 20)]
        await here.kill()
        process = await here.start()  # where both are to be loaded
        process.store.torn = frozenset(keys[:1])
        await here.pass_by(SETTLING + 30)
        assert (await process.hall.table(keys[1])).story.state == "over"
        process.store.torn = frozenset()
        await asyncio.sleep(PAUSE)
        await here.pass_by(SWEEP + 1)
        assert (await process.hall.table(keys[0])).story.state == "over"


@on_a_loop
async def test_a_hint_that_took_long_takes_no_other_command_s_arrival_away(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        hall = here.processes[0].hall
        hint = hall.arriving("t", m.Hint(), 1.0)
        before, now = (hall.arriving("t", m.Play(ply=0, move="a"), 2.0) for _ in range(2))
        with ExitStack() as open_now:
            with hint:
                with before:
                    assert hall.has_arrived("t", 2.0)
                open_now.enter_context(now)
            assert hall.has_arrived("t", 2.0)
        assert not hall.has_arrived("t", 2.0)


@on_a_loop
async def test_clocks_are_looked_at_every_second_though_timers_come_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(url(tmp_path)) as here:
        now, looks = 0.0, list[float]()

        class Counting(Sweep):
            async def look_at_clocks(self) -> None:
                looks.append(now)
                if len(looks) == 10:
                    raise asyncio.CancelledError

        async def sleep(seconds: float) -> None:
            nonlocal now
            now += seconds - 0.001  # as uvloop's do

        monkeypatch.setattr(sweep, "time", SimpleNamespace(monotonic=lambda: now, time=time.time))
        monkeypatch.setattr(sweep, "asyncio", SimpleNamespace(sleep=sleep))
        with pytest.raises(asyncio.CancelledError):
            await Counting(here.processes[0].hall).run()
        assert looks[-1] < 10.0
