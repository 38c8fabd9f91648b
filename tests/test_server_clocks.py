"""Clocks: time is charged to who thinks, and who has none left loses."""

import asyncio
import time
from typing import Any

import msgspec
import pytest

from kwartet.core.errors import GameError
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.conduct import decide
from kwartet.server.conduct.ending import is_overdue, time_out
from kwartet.server.conduct.scene import Person, Scene
from kwartet.server.story import Story, begin
from tests.serving import Server, on_a_loop, pair, visiting

LIVE = e.Clock("live", 60, 5)
MOVE = e.Clock("move", 60)


def told(clock: e.Clock, *entries: tuple[float, Any]) -> Story:
    """The story of two people from time 100 on, with events at these times."""
    seats = [e.SeatPlan("person", name, name) for name in ("ann", "bob")]
    created = e.Created("connect_four", 1, {}, seats, "ann", "00" * 32, clock=clock)
    story = begin("t", 1, 100.0, e.Body([created, e.Started([0, 1], [], 0)], "ann"))
    for number, (at, event) in enumerate(entries, 2):
        story = story.with_entry(number, at, e.Body([event]))
    return story


def played(seat: int, move: str = "a", then: int | None = None) -> e.Played:
    return e.Played(seat, [move], 1 - seat if then is None else then)


def left(story: Story) -> list[float | None]:
    return [seat.left for seat in story.seats]


def test_a_live_clock_is_charged_for_one_s_own_time_and_gets_its_increment() -> None:
    story = told(LIVE, (110.0, played(0)), (130.0, played(1)))
    assert left(story) == [60 - 10 + 5, 60 - 20 + 5]
    assert story.deadline() == 130 + 55


def test_a_live_clock_gets_no_increment_within_a_turn() -> None:
    story = told(LIVE, (110.0, played(0, then=0)))
    assert left(story) == [50, 60]
    assert story.deadline() == 110 + 50


def test_a_clock_for_each_turn_starts_anew() -> None:
    story = told(MOVE, (110.0, played(0)))
    assert (story.deadline(), left(story)) == (170, [None, None])


def test_words_stop_no_clock() -> None:
    story = told(LIVE, (110.0, e.Said("bob", "Bob", "hurry")), (115.0, e.Muted("bob", True)))
    assert story.deadline() == 160


def test_taking_back_within_one_s_turn_gives_no_time() -> None:
    story = told(LIVE, (110.0, played(0, then=0)), (130.0, e.TookBack(0, 0)))
    assert story.deadline() == 110 + 50


def test_where_a_clock_runs_no_bot_takes_over() -> None:
    from kwartet.server.archive import fresh_match

    story = told(LIVE)
    scene = Scene(story, fresh_match(story), 120.0, False, lambda _: True)
    for seat in range(2):
        with pytest.raises(GameError) as raised:
            decide(scene, Person(story.seats[0].player or "", "Ann"), m.HandOver(seat=seat))
        assert raised.value.code == "not-away"


def test_bots_and_finished_matches_have_no_deadline() -> None:
    assert told(LIVE, (110.0, e.HandedOver(1, "novice")), (120.0, played(0))).deadline() is None
    result = e.Result("agreed", [0, 1], [0, 0], [0, 0])
    assert told(MOVE, (110.0, e.Ended(result))).deadline() is None


def test_who_is_late_is_late_only_after_the_last_moment() -> None:
    story = told(MOVE)
    assert not is_overdue(story, 160.0)
    assert is_overdue(story, 160.001)


def test_time_out_ends_a_match_of_two() -> None:
    from kwartet.server.archive import fresh_match

    story = told(MOVE)
    decision = time_out(Scene(story, fresh_match(story), 161.0, True, lambda _: False))
    after = story.with_entry(2, 161.0, e.Body(decision.events))
    assert after.state == "over"
    assert after.result == e.Result("time", [1], [0, 0], [1, 0], ["lost", "won"])


@on_a_loop
async def test_a_clock_that_runs_out_ends_the_match_by_itself(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        clock = {"kind": "live", "seconds": 10}
        tables = []
        for others in ("open", "bot"):
            tables.append((await ann.open("connect_four", "me", others, clock=clock))["id"])
        began = time.time()
        await bob.do(tables[0], "sit")
        a = await ann.watch(tables[0])
        assert a.table["seats"][0]["left"] == 10
        over = await a.until(lambda table: table["state"] == "over")
        assert time.time() - began > 9.9
        assert time.time() - began < 25
        assert over["result"]["reason"] == "time"
        assert over["result"]["winners"] == [1]
        other = await ann.until(tables[1], lambda table: table["state"] == "over")
        assert other["result"]["winners"] == [1]
        assert (await ann.do(tables[0], "play", ply=0, move="a"))["code"] == "game-over"


@pytest.mark.parametrize(("clock", "is_told"), [(MOVE, True), (LIVE, False), (None, False)])
@on_a_loop
async def test_a_table_tells_until_when_the_turn_lasts(
    server: Server, clock: e.Clock | None, is_told: bool
) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, clock=msgspec.to_builtins(clock))
        for ply, guest in ((0, ann), (1, bob)):
            match = (await guest.look(table))["match"]
            until = pytest.approx(match["turn_since"] + 60, abs=0.5) if is_told else None
            assert match["deadline"] == until
            (listed,) = (t for t in (await ann.get("/api/lobby"))["mine"] if t["id"] == table)
            assert listed["deadline"] == until
            await guest.do(table, "play", ply=ply, move="a")
        await ann.do(table, "resign")
        assert (await ann.look(table))["match"]["deadline"] is None


@on_a_loop
async def test_a_bot_s_turn_has_no_end(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        shown = await ann.open("carnac", "bot", "me", clock=msgspec.to_builtins(MOVE))
        assert (shown["match"]["view"]["actor"], shown["match"]["deadline"]) == (0, None)
        later = await ann.until(shown["id"], lambda table: table["match"]["legal"])
        until = pytest.approx(later["match"]["turn_since"] + 60, abs=0.5)
        assert later["match"]["deadline"] == until


@on_a_loop
async def test_a_bot_s_clock_is_charged_what_it_thinks(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        seats = [{"kind": "me"}, {"kind": "bot", "level": "expert"}]
        wish = {"game": "connect_four", "seats": seats, "order": "fixed"}
        clock = {"kind": "live", "seconds": 60, "increment": 0}
        opened = await ann.post("/api/tables", **wish, clock=clock, listed=False)
        watched = await ann.watch(opened["id"])
        await watched.do("play", ply=0, move="d")
        began = time.monotonic()
        shown = await watched.until(lambda table: len(watched.log) == 2)
        thought = 60 - shown["seats"][1]["left"]
        assert 0 < thought <= time.monotonic() - began
        ann_left = shown["seats"][0]["left"]
        await asyncio.sleep(0.3)
        later = await ann.look(opened["id"])
        assert later["seats"][1]["left"] == shown["seats"][1]["left"]
        assert later["seats"][0]["left"] == ann_left
