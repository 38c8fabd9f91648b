"""Reviews on the server: made once and kept, shared, in a fair order."""

import asyncio
import contextlib
import json
import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kwartet.client import Client
from kwartet.core.errors import GameError
from kwartet.core.match import Match
from kwartet.core.records import replay
from kwartet.games import find
from kwartet.reviews import Review, make_review, plan_review
from kwartet.reviews.finding import Finding
from kwartet.server import afterwards as a
from kwartet.server.conduct.scene import Person
from kwartet.server.reviewing.job import Reader
from kwartet.server.reviewing.live import PAUSE, review_now
from kwartet.server.reviewing.telling import full
from tests.following import Follower, sent
from tests.houses import answered, house_of, is_ready
from tests.planting import at_random, database, plant
from tests.serving import PLENTY, Json, Server, eventually, on_a_loop, visiting

EVEN = ((0.0, 0.0),) * 2  # what two seats may expect
SLOW = "thorough"  # a care that leaves time to do something meanwhile


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server of this test's own, to be counted and killed."""
    server = Server(tmp_path / "server", *PLENTY)
    yield server
    if server.is_running:
        server.kill()
    assert not server.faults


def plain(match: Match, care: str = "quick") -> Review:
    """The review as the library makes it."""
    return make_review(plan_review(match, "expert", None, care, 0, ended=True))


def assert_told(follower: Follower, review: Review) -> None:
    """All that was told is the library's review."""
    told: Json = review.as_json()
    for name in ("decisions", "chances"):
        assert [*getattr(follower, name).values()] == sent(told[name])
    worth = [follower.worth[ply]["seats"] for ply in sorted(follower.worth)]
    assert worth == sent(told["worth"])
    assert follower.now["seats"] == sent(told["seats"])
    for name in ("done", "total", "decided", "decisions_total", "ended"):
        assert follower.now[name] == told[name]
    assert follower.now["scale"] == review.scale


# What is told ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves", "ended"),
    [
        ("connect_four", 99, "played"),
        ("kwatro", 8, "resigned"),
        ("carnac", 9, "dropped"),
        ("carat", 6, "resigned"),
        ("catan_dice", 400, "played"),
    ],
)
@on_a_loop
async def test_a_review_is_the_librarys(
    sqlite_server: Server, game: str, moves: int, ended: Any
) -> None:
    match = at_random(game, moves=moves)
    table = await plant(database(sqlite_server), match, ended, "ann")
    async with visiting(sqlite_server) as visit:
        eve = await visit.guest("Eve")
        follower = await Follower.at(eve, table)
        assert (follower.now["state"], follower.now["since"]) == ("none", 0)
        await follower.done()
        follower.decisions = dict(sorted(follower.decisions.items()))
        follower.chances = dict(sorted(follower.chances.items()))
        assert_told(follower, plain(match))
        since = [message["since"] for message in follower.messages if message["type"] == "review"]
        assert since == sorted(since)
        assert follower.now["ended"] is (ended == "played")


@on_a_loop
async def test_a_review_that_was_made_is_there_for_everybody_and_made_once(
    own_server: Server,
) -> None:
    own_server.start()
    match = at_random("connect_four")
    table = await plant(database(own_server), match)
    async with visiting(own_server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        path = f"/api/tables/{table}/review"
        assert (await ann.get(path))["state"] == "none"
        both = [await Follower.at(guest, table) for guest in (ann, bob)]
        await asyncio.gather(*(follower.done() for follower in both))
        assert both[0].now["seats"] == both[1].now["seats"]
        stranger = await visit.stranger()
        late = await Follower.at(stranger, table)
        assert len(late.messages) == 1
        assert late.now == await stranger.get(path)
        assert late.now["state"] == "done"
        assert len(late.decisions) == match.ply
        metrics = (await ann.http.get(f"{own_server.url}/metrics")).text
        assert "kwartet_reviews_done_total 1.0" in metrics
        assert 'kwartet_reviews{state="making"} 0.0' in metrics
        assert f"kwartet_review_ply_seconds_count {match.ply}.0" in metrics


@on_a_loop
async def test_of_a_match_that_went_on_from_another_what_was_played_here_is_judged(
    sqlite_server: Server,
) -> None:
    table = await plant(database(sqlite_server), at_random("connect_four"))
    async with visiting(sqlite_server) as visit:
        ann = await visit.guest("Ann")
        seats = [{"kind": "me"}, {"kind": "bot", "level": "novice"}]
        on: str = (await ann.post(f"/api/tables/{table}/branch", ply=4, seats=seats))["id"]
        live = await ann.watch(on)
        await live.play(live.table["match"]["legal"][0])
        await ann.do(on, "resign")
        follower = await Follower.at(ann, on)
        await follower.done()
        assert min(follower.decisions) == min(follower.worth) == 4
        assert follower.now["total"] == len(follower.worth)
        assert follower.now["decisions_total"] == len(follower.decisions)
        assert follower.now["seats"][0]["start"] == follower.worth[4]["seats"][0]


@on_a_loop
async def test_a_server_without_processes_shows_what_was_made_and_makes_nothing(
    own_server: Server,
) -> None:
    own_server.start()
    match = at_random("connect_four")
    table = await plant(database(own_server), match)
    async with visiting(own_server) as visit:
        await (await Follower.at(await visit.guest(), table)).done()
    assert own_server.stop() == 0
    still = Server(own_server.data, *PLENTY, "--review-processes", "0").start()
    async with visiting(still) as visit:
        ann = await visit.guest()
        follower = await Follower.at(ann, table)
        assert (follower.now["state"], follower.now["care"]) == ("done", "quick")
        assert len(follower.decisions) == match.ply
        await follower.ask("normal")
        assert (await follower.refusal())["code"] == "no-reviews"
        tried = await ann.post(f"/api/tables/{table}/try", ply=3, move="a")
        assert tried["code"] == "no-reviews"
    assert still.stop() == 0


@on_a_loop
async def test_what_another_process_found_is_shown_by_this_one_too(tmp_path: Path) -> None:
    match = at_random("connect_four", 2)
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", match)
    async with house_of(tmp_path, 0) as here, house_of(tmp_path, 0) as there:
        for house in (here, there):
            await eventually(partial(is_ready, house))
        shown, made = [await house.hall.table(key) for house in (here, there)]
        job = await here.reviews.best_known(shown)
        assert job.state == "none"
        theirs = await there.reviews.job(made, "normal")
        for part, state in ((match.ply // 2, "stopped"), (match.ply, "done")):
            for ply in range(part):
                theirs.found(Finding(ply, EVEN, EVEN, (0.0, 0.0), exact=True))
            await there.reviews._save(theirs)
            assert await here.reviews.best_known(shown) is job
            assert (job.state, job.arrived, job.is_unused) == (state, theirs.arrived, True)


@on_a_loop
async def test_a_whole_review_is_put_into_words_once(tmp_path: Path) -> None:
    match = at_random("connect_four", 2)
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", match)
    async with house_of(tmp_path, 0) as house:
        await eventually(partial(is_ready, house))
        job = await house.reviews.job(await house.hall.table(key), "normal")
        for ply in range(2):
            job.found(Finding(ply, EVEN, EVEN, (0.0, 0.0), exact=True))
            told = [await house.reviews.message(job, Reader(None)) for _ in range(2)]
            assert told[0] is told[1]
            assert len(msgspec.json.decode(told[0])["decisions"]) == ply + 1
        job.ahead = 3
        assert msgspec.json.decode(await house.reviews.message(job, Reader(None)))["ahead"] == 3


@on_a_loop
async def test_a_review_is_called_done_only_with_all_of_it(tmp_path: Path) -> None:
    match = at_random("connect_four", 2)
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", match)
    async with house_of(tmp_path, 0) as house:
        await eventually(partial(is_ready, house))
        job = await house.reviews.job(await house.hall.table(key), "normal")
        *others, last = [
            Finding(ply, EVEN, EVEN, (0.0, 0.0), exact=True) for ply in range(match.ply)
        ]
        for finding in others:
            job.found(finding)
        reader = Reader(None)
        news = reader.take(job)
        job.found(last)  # while the message is put into words
        assert full(job, news).state != "done"
        told = msgspec.json.decode(await house.reviews.message(job, reader))
        assert (told["state"], told["since"], len(told["decisions"])) == ("done", len(others), 1)


# Asking, stopping, going on -------------------------------------------------------------


@on_a_loop
async def test_a_review_can_be_stopped_and_goes_on_when_it_is_asked_for_again(
    sqlite_server: Server,
) -> None:
    table = await plant(database(sqlite_server), at_random("connect_four", 2))
    async with visiting(sqlite_server) as visit:
        follower = await Follower.at(await visit.guest(), table)
        await follower.ask(SLOW)
        await follower.until(lambda now: now["done"] > 2)
        await follower.send("stop")
        stopped = await follower.until(lambda now: now["state"] == "stopped")
        assert 2 < stopped["done"] < stopped["total"]
        await follower.done("quick")  # another care is another review
        await follower.ask(SLOW)
        again = await follower.until(lambda now: now["care"] == SLOW)
        assert again["done"] >= stopped["done"]
        assert len(follower.decisions) >= stopped["done"]
        await follower.until(lambda now: now["done"] > stopped["done"])


@on_a_loop
async def test_what_somebody_cannot_wait_for_is_judged_next(sqlite_server: Server) -> None:
    match = at_random("connect_four", 3)
    table = await plant(database(sqlite_server), match)
    async with visiting(sqlite_server) as visit:
        follower = await Follower.at(await visit.guest(), table)
        await follower.ask(SLOW)
        await follower.until(lambda now: now["done"] > 0)
        await follower.send("next", ply=match.ply - 2)
        await follower.until(lambda now: match.ply - 2 in follower.decisions)
        assert follower.now["done"] < match.ply / 2
        await follower.send("next", ply=match.ply + 5)
        assert (await follower.refusal())["code"] == "unknown-ply"


@on_a_loop
async def test_everybodys_first_review_comes_before_anybodys_second(own_server: Server) -> None:
    own_server.start()
    tables = [
        await plant(database(own_server), at_random("carnac", seed, 12), "resigned")
        for seed in range(7)
    ]
    async with visiting(own_server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        hers = [await Follower.at(ann, table) for table in tables[:4]]
        for place, follower in enumerate(hers):
            await follower.ask(SLOW)
            await follower.until(partial(stands, place))
        his = await Follower.at(bob, tables[4])
        await his.ask(SLOW)
        await his.until(partial(stands, 1))
        for place, follower in zip((2, 3, 4), hers[1:], strict=True):
            await follower.until(partial(stands, place))
        assert hers[3].now["state"] == "waiting"
        more = await Follower.at(ann, tables[5])
        await more.ask(SLOW)
        assert (await more.refusal())["code"] == "too-many"
        await hers[0].send("stop")  # then it is Bob's turn, and hers after his
        await his.until(lambda now: now["ahead"] == 0 and now["state"] == "making")
        await hers[1].until(partial(stands, 1))


def stands(place: int, now: Json) -> bool:
    """Whether a review is asked for and has so many before it."""
    return now["state"] in ("waiting", "making") and now["ahead"] == place


@on_a_loop
async def test_a_review_nobody_waits_for_any_more_is_stopped_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kwartet.server.reviewing.queue.TICK", 0.05)
    monkeypatch.setattr("kwartet.server.reviewing.queue.GRACE", 0.5)
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", at_random("connect_four", 2))
    ann, first, second = Person("ann", "Ann"), Reader("ann"), Reader("ann")
    async with house_of(tmp_path, 1) as house:
        await eventually(lambda: answered(house.hall.readiness.is_ready("connect_four")))
        reviews, table = house.reviews, await house.hall.table(key)
        job = await reviews.job(table, "thorough")
        job.readers |= {first, second}
        reviews.ask(ann, job, first)
        await eventually(lambda: answered(job.arrived))
        reviews.leave(job, first)
        reviews.resume(job, second)  # who asked and comes back still asks
        await asyncio.sleep(1)
        assert job.state == "making"
        reviews.leave(job, second)
        assert job.state == "making"
        await eventually(lambda: answered(job.state == "stopped"))
        assert job.arrived


@on_a_loop
async def test_a_match_under_earlier_rules_is_reviewed(tmp_path: Path) -> None:
    earlier = Path(__file__).parent / "data/earlier/kwatro-1.jsonl"
    match = replay(json.loads(earlier.read_text().splitlines()[0]), find)
    assert match.version < match.game.version
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", match)
    async with house_of(tmp_path, 1) as house:
        await eventually(lambda: answered(house.hall.readiness.is_ready("kwatro")))
        job = await house.reviews.job(await house.hall.table(key), "quick")
        reader = Reader("ann")
        job.readers.add(reader)
        house.reviews.ask(Person("ann", "Ann"), job, reader)
        await eventually(lambda: answered(job.arrived))
        assert job.state == "making"


@on_a_loop
async def test_who_is_within_budget_has_a_review_made_before_who_is_not(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/kwartet.db"
    keys = {who: await plant(url, at_random("connect_four", 2 + n)) for n, who in enumerate("ab")}
    async with house_of(tmp_path, 1) as house:
        await eventually(lambda: answered(house.hall.readiness.is_ready("connect_four")))
        house.hall.thinkers.budgets.charge("a", "bot", 1000)
        jobs = {}
        for who, key in keys.items():
            job = jobs[who] = await house.reviews.job(await house.hall.table(key), "thorough")
            reader = Reader(who)
            job.readers.add(reader)
            house.reviews.ask(Person(who, who), job, reader)
        assert (jobs["b"].ahead, jobs["a"].ahead) == (0, 1)
        await eventually(lambda: answered(jobs["b"].arrived))
        budgets = house.hall.thinkers.budgets
        assert budgets.seconds["review"] > 0


@on_a_loop
async def test_a_review_waits_for_rules_that_are_being_compiled_and_says_so(
    tmp_path: Path,
) -> None:
    match = at_random("connect_four", 2)
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", match)
    async with house_of(tmp_path, 1) as house:
        table = await house.hall.table(key)  # a moment after the start nothing is ready yet
        told = msgspec.json.decode(await review_now(house, table), type=a.ReviewMessage)
        assert told.preparing is not None
        assert (told.state, told.total, told.decisions_total) == ("none", match.ply, match.ply)
        with pytest.raises(GameError, match="compiled"):
            table.finished()


@on_a_loop
async def test_what_is_found_within_a_moment_is_told_at_once(sqlite_server: Server) -> None:
    match = at_random("connect_four", 5)
    table = await plant(database(sqlite_server), match)
    async with visiting(sqlite_server) as visit:
        began = time.monotonic()
        follower = await Follower.at(await visit.guest(), table)
        await follower.ask()
        await follower.done()
        told = [m for m in follower.messages if m["type"] == "review"]
        assert len(follower.decisions) == match.ply
        assert len(told) <= (time.monotonic() - began) / PAUSE + 2


# Trouble --------------------------------------------------------------------------------


def children(pid: int) -> set[int]:
    """The processes that a process has started."""
    found = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found |= {int(child) for child in task.read_text().split()}
    return found


def is_alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


@on_a_loop
async def test_a_review_survives_the_end_of_its_processes_and_of_the_server(
    own_server: Server,
) -> None:
    own_server.start()
    match = at_random("connect_four", 2)
    table = await plant(database(own_server), match)
    async with visiting(own_server) as visit:
        follower = await Follower.at(await visit.guest(), table)
        await follower.ask(SLOW)
        await follower.until(lambda now: now["done"] > 0)
        workers = {pid for pid in children(own_server.pid) if b"spawn_main" in _command(pid)}
        assert workers
        assert 19 in {os.getpriority(os.PRIO_PROCESS, pid) for pid in workers}
        for pid in workers:  # those of bots, too
            os.kill(pid, signal.SIGKILL)
        before = follower.now["done"]
        await follower.until(lambda now: now["done"] > before + 1)  # others took over
        told = dict(follower.decisions)
        await asyncio.sleep(6.5)  # it is kept every five seconds
    workers = {pid for pid in children(own_server.pid) if b"spawn_main" in _command(pid)}
    own_server.kill()

    async def are_gone() -> bool:
        return not any(is_alive(pid) for pid in workers)

    await eventually(are_gone)
    own_server.start()
    async with visiting(own_server) as visit:
        follower = await Follower.at(await visit.guest(), table)
        kept = follower.now
        assert (kept["state"], kept["care"]) == ("stopped", SLOW)
        assert follower.decisions.items() >= told.items()
        await follower.ask(SLOW)
        await follower.until(lambda now: now["done"] > kept["done"])
        assert follower.decisions.items() >= told.items()


def _command(pid: int) -> bytes:
    with contextlib.suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


# From Python ----------------------------------------------------------------------------


@on_a_loop
async def test_the_client_has_reviews_and_replays(sqlite_server: Server) -> None:
    match = at_random("connect_four", 10)
    table = await plant(database(sqlite_server), match)
    async with Client(sqlite_server.url) as client:
        told: list[a.ReviewMessage] = [
            review async for review in client.review(table, care="quick")
        ]
        assert told[-1].state == "done"
        assert [decision.ply for decision in told[-1].decisions] == [*range(match.ply)]
        assert len(told[-1].worth) == match.ply + 1
        replay = await client.replay(table, seat=1)
        assert [step.ply for step in replay.steps] == [*range(match.ply + 1)]
        running = await client.create("connect_four", seats=["me", "open"])
        with pytest.raises(GameError) as raised:
            await anext(client.review(running.id))
        assert raised.value.code == "not-over"


def test_metrics_tell_of_reviews(sqlite_server: Server) -> None:
    text = httpx.get(f"{sqlite_server.url}/metrics").text
    for name in ("kwartet_reviews{", "kwartet_reviews_done_total", "kwartet_review_ply_seconds"):
        assert name in text
