"""Bots in processes of their own: who thinks next, for how long, and what becomes of trouble."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest
from examples.connect_four import GAME as CONNECT_FOUR

from kwartet.core.match import Match
from kwartet.server import events as e
from kwartet.server.budgets import OWN, PATIENCE, Budgets, Turns
from kwartet.server.thinkers import LEAST, PART, Thinkers
from kwartet.store import open_store
from tests.following import Follower
from tests.planting import at_random, plant
from tests.postgres import fresh_schema
from tests.serving import PLENTY, Guest, Json, Server, eventually, made, on_a_loop, visiting

PLIES = "kwartet_review_ply_seconds_count"
FULL = 0.9 * 3.0  # seconds that a master uses of what it has, at most
HALF = FULL / 2 - 0.1  # and at least: until then another move could still overtake the best


def match() -> Match:
    return Match(CONNECT_FOUR, {}, seed=1)


def close_match() -> Match:
    """Where two moves are nearly as good, so that a master thinks for most of its time."""
    found = match()
    for move in "cgaaecddec":
        found.play(move)
    return found


@asynccontextmanager
async def thinking(processes: int = 1) -> AsyncIterator[Thinkers]:
    """Thinkers with a process that is ready."""
    thinkers = Thinkers(processes, Budgets(), [CONNECT_FOUR])
    thinkers.start()
    await thinkers.load(CONNECT_FOUR)
    try:
        yield thinkers
    finally:
        await thinkers.stop()


def children() -> list[int]:
    """The processes that this one has started to work in."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and "spawn_main" in path.with_name("cmdline").read_text():
                found.append(int(path.parent.name))
    return found


# Processes ------------------------------------------------------------------------------


@on_a_loop
async def test_a_process_that_ends_costs_one_turn_which_is_asked_again() -> None:
    async with thinking() as thinkers:
        thought = asyncio.create_task(thinkers.choose("master", close_match(), person="ann"))
        await eventually(lambda: answered(thinkers.busy))
        await asyncio.sleep(0.3)
        (process,) = children()
        os.kill(process, signal.SIGKILL)
        found = await thought
        assert found.action in close_match().legal_actions()
        assert HALF < found.seconds < FULL + 0.5  # it began anew, in another process
        assert thinkers.workers.lost == 1
        assert children() != [process]
        assert thinkers.turns == 1


async def answered(found: object) -> bool:
    return bool(found)


@on_a_loop
async def test_a_thought_that_nobody_waits_for_is_ended_and_its_process_goes_on() -> None:
    async with thinking() as thinkers:
        before = children()
        thought = asyncio.create_task(thinkers.choose("master@600s", match(), person="ann"))
        await asyncio.sleep(0.5)
        waits = asyncio.create_task(thinkers.choose("master@600s", match(), person="bob"))
        await asyncio.sleep(0.1)
        waits.cancel()
        thought.cancel()
        await asyncio.gather(thought, waits, return_exceptions=True)
        assert thinkers.busy == 0
        async with asyncio.timeout(60):  # a tenth of what was to be thought
            await thinkers.choose("novice", match(), person="ann")
        assert children() == before
        assert thinkers.workers.lost == 0


@on_a_loop
async def test_more_processes_are_started_when_one_is_not_enough() -> None:
    async with thinking(2) as thinkers:
        assert len(children()) == 1
        await asyncio.gather(
            *(thinkers.choose("master", match(), person=who, rated=True) for who in "abc")
        )
        assert len(children()) == 2


@on_a_loop
async def test_who_waits_when_all_ends_is_told_so() -> None:
    async with thinking() as thinkers:
        thoughts = [
            asyncio.create_task(thinkers.choose("master", match(), person=who)) for who in "ab"
        ]
        await asyncio.sleep(0.2)
    told = await asyncio.gather(*thoughts, return_exceptions=True)
    assert all("try again" in str(problem) for problem in told)


# Shares ---------------------------------------------------------------------------------


@on_a_loop
async def test_rated_bots_get_all_of_their_time_and_others_a_share_of_it() -> None:
    async with thinking() as thinkers:
        crowd = [
            asyncio.create_task(thinkers.choose("master", match(), person="mallory"))
            for _ in range(40)
        ]
        await asyncio.sleep(0.1)
        rated, other = await asyncio.gather(
            thinkers.choose("master", close_match(), person="ann", rated=True),
            thinkers.choose("master", close_match(), person="bob"),
        )
        assert 0.6 * FULL < rated.seconds < FULL + 0.5
        assert 0.9 * LEAST < other.seconds < 0.6 * FULL
        assert not all(thought.done() for thought in crowd)
        for thought in crowd:
            thought.cancel()


@on_a_loop
async def test_a_bot_uses_a_part_of_its_clock_at_most() -> None:
    async with thinking() as thinkers:
        for rated in (True, False):
            thoughts = [
                await thinkers.choose("master", match(), person="ann", rated=rated, left=5.0)
                for _ in range(4)
            ]
            # The quickest, since other programs may have had the processor meanwhile.
            assert min(thought.seconds for thought in thoughts) < 1.5 * PART * 5.0


def order(turns: Turns, *waits: tuple[str, float]) -> str:
    """Those who wait since then, in the order of their turns."""
    return "".join(who for who, _ in sorted(waits, key=lambda wait: turns.place(*wait)))


def test_who_is_within_budget_goes_before_who_is_not() -> None:
    budgets, now = Budgets(), time.monotonic()
    turns = Turns(budgets)
    assert order(turns, ("m", now - 3), ("a", now - 2), ("b", now - 1)) == "mab"
    budgets.charge("m", "review", OWN.in_a_row + 10)
    assert budgets.is_over("m")
    assert order(turns, ("m", now - 3), ("a", now - 2), ("b", now - 1)) == "abm"


def test_nobody_waits_for_ever_but_gets_one_turn_in_a_while() -> None:
    budgets, now = Budgets(), time.monotonic()
    turns = Turns(budgets)
    for who in "mn":
        budgets.meet(who, "one address")
        budgets.charge(who, "bot", 1000)
    assert order(turns, ("a", now), ("m", now - PATIENCE)) == "ma"
    turns.note("m")
    assert order(turns, ("a", now), ("m", now - PATIENCE)) == "am"
    assert order(turns, ("a", now), ("n", now - PATIENCE)) == "an"  # they come from one place


def test_people_take_turns_and_so_do_addresses() -> None:
    budgets, now = Budgets(), time.monotonic()
    turns = Turns(budgets)
    for who in "mn":
        budgets.meet(who, "one address")
    budgets.meet("a", "another")
    waits = [("m", now - 5), ("n", now - 4), ("a", now - 3)]
    assert order(turns, *waits) == "mna"
    turns.note("m")
    assert order(turns, *waits) == "anm"
    turns.note("a")
    turns.note("n")
    assert order(turns, *waits) == "amn"


def test_what_one_address_may_is_more_than_one_person_and_refills() -> None:
    budgets = Budgets()
    for who in "abcde":
        budgets.meet(who, "one address")
    for who in "abcd":
        budgets.charge(who, "hint", 100)
        assert not budgets.is_over(who)
    budgets.charge("d", "hint", 100)
    assert budgets.is_over("e")
    assert budgets.seconds["hint"] == 500


# At a server ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with one process for bots."""
    server = Server(tmp_path_factory.mktemp("thinkers"), "--bot-processes", "1").start()
    yield server
    server.stop()
    assert not server.faults


async def from_address(guest: Guest, address: str) -> Guest:
    """The guest, who from now on comes from there."""
    guest.http.headers["x-forwarded-for"] = address
    await guest.get("/api/me")
    return guest


async def replied(guest: Guest, level: str, **wish: object) -> str:
    """A new table where a bot has answered the guest's first move."""
    seats = [{"kind": "me"}, {"kind": "bot", "level": level}]
    table = str((await guest.open("connect_four", seats=seats, **wish))["id"])
    assert (await guest.do(table, "play", ply=0, move="d"))["type"] == "accepted"
    await guest.until(table, lambda now: now["match"]["view"]["ply"] == 2)
    return table


async def waited(server: Server, table: str) -> tuple[int, float | None]:
    """How many bots elsewhere moved before one answered there, and for how long that one thought.

    The log tells it, so that it does not matter how busy the machine is.
    """
    store = await open_store(server.database, upgrade=False)
    moves: list[tuple[float, str, bool, float | None]] = []
    for row in await store.tables(limit=1000):
        for entry in await store.entries(row.id):
            body = e.decode(entry.body)
            moves += [
                (entry.at, row.id, body.by is None, event.thought)
                for event in body.events
                if isinstance(event, e.Played)
            ]
    await store.close()
    (asked, *_), (answer, _, _, thought) = [move for move in moves if move[1] == table][:2]
    others = [at for at, where, is_bot, _ in moves if is_bot and where != table]
    return sum(asked < at < answer for at in others), thought


@on_a_loop
async def test_one_hostile_guest_takes_no_thinking_time_from_others(house: Server) -> None:
    """With one process: who comes waits for hardly more than the thought that goes on already.

    Many more are in line before them; a rated master thinks for all of its time.
    """
    async with visiting(house) as visit:
        mallory, ann, bob = await visit.guests("Mallory", "Ann", "Bob")
        await from_address(mallory, "198.51.100.1")
        await from_address(ann, "203.0.113.1")
        await from_address(bob, "203.0.113.2")
        attack = asyncio.create_task(keep_busy(mallory))
        await eventually(lambda: is_crowded(house))
        clock = {"kind": "live", "seconds": 300}
        rated = await replied(ann, "master", rated=True, clock=clock)
        others = []
        for level in ("master", "casual"):
            await eventually(lambda: is_crowded(house))
            others.append(await replied(bob, level))
        attack.cancel()
        await asyncio.gather(attack, return_exceptions=True)
        assert [(await waited(house, table))[0] <= 3 for table in (rated, *others)] == [True] * 3
        thought = (await waited(house, rated))[1]
        assert thought is not None
        assert thought > HALF


@on_a_loop
async def test_who_waits_for_a_hint_when_the_server_stops_is_told_so(tmp_path: Path) -> None:
    server = Server(tmp_path, "--bot-processes", "1").start()
    async with visiting(server) as visit:
        (mallory,) = await visit.guests("Mallory")
        attack = asyncio.create_task(keep_busy(mallory))
        await eventually(lambda: is_crowded(server))
        stopped = await asyncio.to_thread(server.stop)
        attack.cancel()
        await asyncio.gather(attack, return_exceptions=True)
    assert stopped == 0
    assert not server.faults


async def keep_busy(guest: Guest) -> None:
    """Have masters think at many tables, and ask for hints at others all the time."""
    seats = [{"kind": "bot", "level": "master"}, {"kind": "me"}]
    tables = [(await guest.open("connect_four", seats=seats))["id"] for _ in range(15)]
    own = [(await guest.open("connect_four", "me", "bot"))["id"] for _ in range(5)]

    async def play(table: str) -> None:
        while True:
            now = await guest.look(table)
            if now["match"]["legal"]:
                view = now["match"]["view"]
                await guest.do(table, "play", ply=view["ply"], move=now["match"]["legal"][0])
            await asyncio.sleep(1.0)

    async def ask(table: str) -> None:
        while True:
            await guest.do(table, "hint")
            await asyncio.sleep(0.2)

    await asyncio.gather(*map(play, tables), *map(ask, own))


async def is_crowded(server: Server) -> bool:
    return await metric(server, "kwartet_bots_waiting") > 10


@on_a_loop
async def test_hints_are_rationed_by_post_as_by_socket(house: Server) -> None:
    async with visiting(house) as visit:
        for way in ("post", "socket"):
            ann = await from_address(await visit.guest("Ann"), f"203.0.113.{len(way)}")
            table = (await ann.open("connect_four", "me", "me"))["id"]
            live = await ann.watch(table)
            answers: list[Json] = []
            for _ in range(12):
                do = ann.do(table, "hint") if way == "post" else live.do("hint")
                answers.append(await do)
            refused = [answer for answer in answers if answer["type"] == "refused"]
            assert {answer["code"] for answer in refused} == {"too-many"}
            assert answers[0]["hints"]


@on_a_loop
async def test_bots_and_hints_can_be_counted(house: Server) -> None:
    async with visiting(house) as visit:
        ann = await visit.guest("Ann")
        turns = await metric(house, "kwartet_bot_turns")
        await replied(ann, "skilled")
        assert await metric(house, "kwartet_bot_turns") >= turns + 1
        assert await metric(house, 'kwartet_thinking_seconds{kind="bot"}') > 0
        assert await metric(house, 'kwartet_workers{pool="bots"}') == 1
        assert await metric(house, 'kwartet_workers_lost{pool="bots"}') == 0
        assert await metric(house, 'kwartet_thinking_waiting{budget="over"}') >= 0


@on_a_loop
async def test_two_processes_think_about_each_turn_once(tmp_path: Path, postgres: str) -> None:
    url = await asyncio.to_thread(made, fresh_schema(postgres))
    how = (*PLENTY, "--bot-processes", "1", "--database", url)
    servers = [
        Server(tmp_path / name, *how, KWARTET_SECRET="shared" * 6) for name in ("one", "two")
    ]
    try:
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in servers))
        async with visiting(servers[0]) as visit:
            ann = await visit.guest("Ann")
            twin = await visit.elsewhere(ann, servers[1])
            moves = await play_at_both(ann, twin, "novice") + await play_at_both(
                ann, twin, "master"
            )
            assert await thoughts(*servers) == moves
            seats = [{"kind": "bot", "level": "master"}, {"kind": "me"}]
            table = (await twin.open("connect_four", seats=seats))["id"]
            await ann.watch(table)
            await asyncio.sleep(0.5)
            before = await thoughts(servers[0])
            await asyncio.to_thread(servers[1].kill)  # what it was thinking about is taken up
            await ann.until(table, lambda now: now["match"]["view"]["ply"] == 1)
            assert await thoughts(servers[0]) == before + 1
            assert not servers[0].faults
    finally:
        for server in servers:
            if server.is_running:
                server.kill()


@on_a_loop
async def test_two_processes_make_a_review_once(tmp_path: Path, postgres: str) -> None:
    url = await asyncio.to_thread(made, fresh_schema(postgres))
    played = at_random("connect_four", 3, moves=10)
    how = (*PLENTY, "--database", url, "--review-processes", "1")
    servers = [
        Server(tmp_path / name, *how, KWARTET_SECRET="shared" * 6) for name in ("one", "two")
    ]
    try:
        key = await plant(url, played, "resigned")
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in servers))
        async with visiting(servers[0]) as visit:
            ann, bob = await visit.guest("Ann"), await visit.guest("Bob", servers[1])
            followers = [await Follower.at(guest, key) for guest in (ann, bob)]
            for follower in followers:
                await follower.send("ask", care="quick")
            for follower in followers:
                await follower.until(lambda now: now["state"] == "done")
            assert followers[0].decisions == followers[1].decisions
            plies = [await metric(server, PLIES) for server in servers]
            assert sum(plies) == followers[0].now["total"]
            assert not any(server.faults for server in servers)
    finally:
        for server in servers:
            if server.is_running:
                server.kill()


async def play_at_both(ann: Guest, twin: Guest, level: str) -> int:
    """Play some moves through two processes, and chat while a bot thinks; the bot's moves."""
    seats = [{"kind": "me"}, {"kind": "bot", "level": level}]
    table = (await ann.open("connect_four", seats=seats))["id"]
    for _ in range(2):
        await twin.watch(table)
    for turn in range(4):
        here, there = (ann, twin) if turn % 2 else (twin, ann)
        now = await here.until(table, lambda now: now["match"] and now["match"]["legal"])
        move = now["match"]["legal"][2 * turn]  # never four in a row
        played = await here.do(table, "play", ply=now["match"]["view"]["ply"], move=move)
        assert played["type"] == "accepted"
        assert (await there.do(table, "chat", text="A good move."))["type"] == "accepted"
    await ann.until(table, lambda now: now["match"]["view"]["ply"] == 8)
    return 4


async def thoughts(*servers: Server) -> float:
    """Turns of bots that these processes have thought about."""
    return sum([await metric(server, "kwartet_bot_turns") for server in servers])


async def metric(server: Server, name: str) -> float:
    """A figure of a server."""
    async with httpx.AsyncClient() as client:
        text = (await client.get(f"{server.url}/metrics", timeout=60)).text
    (value,) = (line.split()[-1] for line in text.splitlines() if line.startswith(f"{name} "))
    return float(value)
