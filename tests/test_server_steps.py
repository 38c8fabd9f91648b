"""Steps: who takes messages slowly is shown the positions between, as far as they may know them.

Sockets are read when their time comes; here the table is asked directly, so that it is certain
what was skipped.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from kwartet.server import messages as m
from kwartet.server.app import make_app
from kwartet.server.conduct.scene import Person
from kwartet.server.hall import Hall
from kwartet.server.settings import Settings
from kwartet.server.table import Table
from kwartet.server.watching import STEPS, Watcher
from kwartet.server.webpush import new_key
from kwartet.store import open_store
from tests.serving import Json, on_a_loop
from tests.test_server_secrets import planted, twins

ANN, BOB = Person("ann", "Ann"), Person("bob", "Bob")
SEER, HIDER = Person("seer", "Ann"), Person("hider", "Bob")


@asynccontextmanager
async def hall_of(folder: Path) -> AsyncIterator[Hall]:
    """A server's tables in this process, their rules ready."""
    store = await open_store(f"sqlite:///{folder}/kwartet.db")
    app = make_app(Settings(bot_processes=1, push_key=new_key()), "s" * 40, store)
    async with app.router.lifespan_context(app):
        hall: Hall = app.state.house.hall
        while not all(hall.readiness.is_ready(key) for key in ("kwatro", "connect_four")):
            await asyncio.sleep(0.05)
        yield hall


def told(table: Table, watcher: Watcher) -> Json:
    """The match as the watcher's next message has it."""
    match: Json = json.loads(table.company.message_for(watcher))["match"]
    return match


def joined(table: Table, person: Person | None, **known: int) -> Watcher:
    """A watcher who has just come and was told the present."""
    watcher = Watcher(person, ply=known.get("ply", 0))
    table.company.join(watcher, version=known.get("version", 0))
    assert told(table, watcher)["steps"] == []
    return watcher


async def opened(hall: Hall) -> Table:
    wish = m.CreateTable("connect_four", order="fixed")
    table = await hall.opening.create(ANN, wish)
    await table.handle(BOB, m.Sit())
    return table


async def play(table: Table, *moves: str) -> None:
    for move in moves:
        person = (ANN, BOB)[table.story.actor or 0]
        await table.handle(person, m.Play(ply=table.story.ply, move=move))


def plies(match: Json) -> list[int]:
    return [step["ply"] for step in match["steps"]]


@on_a_loop
async def test_skipped_positions_are_shown_in_order_and_once(tmp_path: Path) -> None:
    async with hall_of(tmp_path) as hall:
        table = await opened(hall)
        quick, slow = joined(table, ANN), joined(table, None)
        seen = []
        for move in "abc":
            await play(table, move)
            match = told(table, quick)
            assert match["steps"] == []  # nothing was skipped
            seen.append(match["view"])
        late = told(table, slow)
        assert plies(late) == [1, 2]
        assert [step["seat"] for step in late["steps"]] == [0, 1]
        assert [{**step["view"], "seat": 0} for step in late["steps"]] == seen[:2]
        assert late["view"]["ply"] == 3
        assert told(table, slow)["steps"] == []


@on_a_loop
async def test_who_comes_back_lands_in_the_present(tmp_path: Path) -> None:
    async with hall_of(tmp_path) as hall:
        table = await opened(hall)
        gone = joined(table, ANN)
        known = {"ply": table.story.ply, "version": table.story.version}
        table.company.leave(gone)
        await play(table, *"abc")
        back = joined(table, ANN, **known)
        await play(table, *"de")
        assert plies(told(table, back)) == [4]


@on_a_loop
async def test_moves_that_were_missed_are_told_when_the_rules_are_ready(tmp_path: Path) -> None:
    async with hall_of(tmp_path) as hall:
        table = await opened(hall)
        await play(table, *"abc")
        table.match = None  # as after a restart, while rules are prepared
        watcher = Watcher(ANN, ply=1)
        table.company.join(watcher, version=table.story.version)
        assert told(table, watcher) is None
        await table.ready()
        match = told(table, watcher)
        assert (match["since"], match["log"]) == (1, ["b", "c"])


@on_a_loop
async def test_the_beginning_of_a_match_is_a_step(tmp_path: Path) -> None:
    async with hall_of(tmp_path) as hall:
        table = await hall.opening.create(ANN, m.CreateTable("connect_four", order="fixed"))
        watcher = Watcher(ANN)
        table.company.join(watcher)
        assert json.loads(table.company.message_for(watcher))["match"] is None
        await table.handle(BOB, m.Sit())
        await play(table, "a")
        match = told(table, watcher)
        assert [(step["ply"], step["seat"]) for step in match["steps"]] == [(0, None)]


@on_a_loop
async def test_what_was_taken_back_is_no_step(tmp_path: Path) -> None:
    async with hall_of(tmp_path) as hall:
        table = await opened(hall)
        watcher = joined(table, ANN)
        await play(table, *"abc")
        await table.handle(ANN, m.Offer(kind="takeback"))
        await table.handle(BOB, m.Reply(accept=True))
        await play(table, *"de")
        match = told(table, watcher)
        assert plies(match) == [1, 2, 3]
        assert match["log"] == list("abde")
        await table.handle(BOB, m.Offer(kind="takeback"))
        await table.handle(ANN, m.Reply(accept=True))
        await play(table, *"fg")
        assert plies(told(table, watcher)) == [4]


@on_a_loop
async def test_steps_are_bounded_and_the_oldest_are_left_out(tmp_path: Path) -> None:
    async with hall_of(tmp_path) as hall:
        table = await opened(hall)
        watcher = joined(table, None)
        moves = "aaaaaabbbbbbccccccgddddddeeeeee"
        await play(table, *moves)
        assert table.story.ply == len(moves) > STEPS + 1
        assert plies(told(table, watcher)) == list(range(len(moves) - STEPS, len(moves)))


@pytest.mark.parametrize("person", [SEER, None], ids=["seer", "spectator"])
@on_a_loop
async def test_steps_hide_what_the_watcher_may_not_know(
    tmp_path: Path, person: Person | None
) -> None:
    keys = await planted(f"sqlite:///{tmp_path}/kwartet.db")
    shown: list[Any] = []
    async with hall_of(tmp_path) as hall:
        for key, twin in zip(keys, twins(), strict=True):
            table = await hall.table(key)
            watcher = joined(table, person)
            for who, move in ((SEER, "done"), (HIDER, "pass"), (SEER, "pass"), (HIDER, "pass")):
                await table.handle(who, m.Play(ply=table.story.ply, move=move))
            match = told(table, watcher)
            assert plies(match) == [twin.ply + n for n in (2, 3, 4)]
            views = [step["view"] for step in match["steps"]]
            assert all(view["hands"][1] == 4 for view in views)
            for view in views:  # what the seer draws now may differ from twin to twin
                del view["hands"]
            shown.append(views)
    assert shown[0] == shown[1]
