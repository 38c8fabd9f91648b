"""Reviews on the server: made once and kept, shared, in a fair order, and never before the end."""

import asyncio
import contextlib
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import websockets

from kwartet.client import Client
from kwartet.core.errors import GameError
from kwartet.core.match import Match
from kwartet.core.records import replay
from kwartet.games import find
from kwartet.reviews import Review, judge_move, make_review, plan_review
from kwartet.reviews.finding import Finding
from kwartet.server import afterwards as a
from kwartet.server.app import make_app
from kwartet.server.conduct import Person
from kwartet.server.house import House
from kwartet.server.reviewing.job import Reader
from kwartet.server.reviewing.live import PAUSE, review_now
from kwartet.server.reviewing.telling import full
from kwartet.server.settings import Settings
from kwartet.server.webpush import new_key
from kwartet.store import open_store
from tests.following import Follower
from tests.planting import at_random, plant
from tests.serving import PLENTY, Guest, Json, Server, eventually, on_a_loop, visiting
from tests.test_server_secrets import known

EVEN = ((0.0, 0.0),) * 2  # what two seats may expect
SLOW = "thorough"  # a care that leaves time to do something meanwhile


def database(server: Server) -> str:
    return f"sqlite:///{server.data}/kwartet.db"


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


def sent(told: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(told))


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


async def is_ready(house: House) -> bool:
    return house.hall.readiness.is_ready("connect_four")


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


@asynccontextmanager
async def house_of(folder: Path, processes: int) -> AsyncIterator[House]:
    """A server without its sockets, in this process."""
    store = await open_store(f"sqlite:///{folder}/kwartet.db")
    settings = Settings(bot_processes=1, review_processes=processes, push_key=new_key())
    app = make_app(settings, "s" * 40, store)
    async with app.router.lifespan_context(app):
        yield app.state.house


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


async def answered(found: object) -> bool:
    return bool(found)


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


@on_a_loop
async def test_who_cannot_ask_is_told_so_and_the_socket_stays(sqlite_server: Server) -> None:
    table = await plant(database(sqlite_server), at_random("connect_four", 4))
    async with visiting(sqlite_server) as visit:
        eve = await visit.stranger()
        follower = await Follower.at(eve, table)
        for text, code in (
            ('{"type": "ask"}', "no-identity"),
            ('{"type": "ask", "care": "none"}', "bad-request"),
            ('{"type": "play"}', "bad-request"),
            ('{"type": "next", "ply": -1}', "bad-request"),
            ("[", "bad-request"),
            ("[" * 5000, "bad-request"),
        ):
            await follower.socket.send(text)
            assert (await follower.refusal())["code"] == code
        await follower.send("ping")
        assert (await follower.hear())["type"] == "pong"
        assert follower.now["state"] == "none"


@on_a_loop
async def test_another_sites_page_gets_no_review(sqlite_server: Server) -> None:
    table = await plant(database(sqlite_server), at_random("connect_four", 4))
    async with visiting(sqlite_server) as visit:
        eve = await visit.guest()
        headers = {"origin": "https://evil.example"}
        socket = await eve.socket(f"/api/tables/{table}/review/live", headers=headers)
        assert json.loads(await socket.recv())["code"] == "bad-origin"


@on_a_loop
async def test_what_goes_wrong_is_logged_and_the_others_are_looked_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kwartet.server.reviewing.queue.TICK", 0.2)
    monkeypatch.setattr("kwartet.server.reviewing.queue.KEPT", 0.1)
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", at_random("connect_four", 2))
    async with house_of(tmp_path, 0) as house:
        await eventually(lambda: answered(house.hall.readiness.is_ready("connect_four")))
        reviews, table = house.reviews, await house.hall.table(key)
        rotten = await reviews.job(table, "quick")
        rotten.is_wanted = True
        monkeypatch.setattr(house.hall.readiness, "review_progress", None)
        await reviews.job(table, "normal")
        await eventually(lambda: answered((key, "normal") not in reviews._jobs))  # put away
        assert await reviews.job(table, "quick") is rotten


@on_a_loop
async def test_a_judge_that_cannot_be_compiled_is_a_refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", at_random("connect_four", 2))
    async with house_of(tmp_path, 1) as house:
        readiness = house.hall.readiness
        await eventually(lambda: answered(readiness.is_ready("connect_four")))
        table = await house.hall.table(key)
        monkeypatch.setattr("kwartet.server.readiness._cold", lambda *_: True)
        monkeypatch.setattr("sys.executable", "/nowhere/python")
        for chore in (
            readiness.have_reviews(table.finished().game),
            house.reviews.try_move(Person("ann", "Ann"), table, a.Try(2, "a")),
        ):
            with pytest.raises(GameError) as refused:
                await chore
            assert refused.value.code == "busy"


# Before the end -------------------------------------------------------------------------


async def refused(guest: Guest, table: str) -> str:
    """Why the socket of a review is closed."""
    socket = await guest.socket(f"/api/tables/{table}/review/live")
    code: str = json.loads(await socket.recv())["code"]
    with pytest.raises(websockets.ConnectionClosed) as closed:
        await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code in (4403, 4404)
    return code


@on_a_loop
async def test_a_match_that_runs_is_reviewed_by_nobody(sqlite_server: Server) -> None:
    running = await plant(database(sqlite_server), at_random("kwatro", moves=9), None, "ann", "bob")
    over = await plant(database(sqlite_server), at_random("connect_four", 6), "played", "ann")
    async with visiting(sqlite_server) as visit:
        ann, eve = await known(visit, "ann"), await visit.stranger()
        live = await ann.watch(running)
        waiting = (await ann.open("carnac", "me", "open"))["id"]
        for guest in (ann, eve):
            for table in (running, waiting):
                assert await refused(guest, table) == "not-over"
                assert (await guest.get(f"/api/tables/{table}/review"))["code"] == "not-over"
        asked = {"ply": 9, "move": "pass", "care": "quick"}
        assert (await ann.post(f"/api/tables/{running}/try", **asked))["code"] == "not-over"
        await (await Follower.at(ann, over)).done()  # a review of another match
        ply = live.table["match"]["view"]["ply"]
        await ann.do(running, "chat", text="hm")
        await live.until(lambda table: table["chat"])
        assert live.table["match"]["view"]["ply"] == ply
        assert "review" not in json.dumps(live.table)
        await ann.do(running, "resign")
        follower = await Follower.at(eve, running)
        assert follower.now["ended"] is False


@on_a_loop
async def test_matches_without_a_move_or_of_unknown_rules_have_no_review(
    sqlite_server: Server,
) -> None:
    async with visiting(sqlite_server) as visit:
        ann = await visit.guest("Ann")
        table = (await ann.open("connect_four", "me", "bot"))["id"]
        await ann.ask("DELETE", f"/api/tables/{table}")
        assert await refused(ann, table) == "not-started"
        assert (await ann.get(f"/api/tables/{table}/review"))["code"] == "not-started"
        match = at_random("connect_four", 7)
        table = await plant(database(sqlite_server), match, rules=999)
        assert await refused(ann, table) == "wrong-rules"
        for end in ("review", "replay", "position?ply=2", "why?move=a&ply=2"):
            assert (await ann.get(f"/api/tables/{table}/{end}"))["code"] == "wrong-rules"
        assert await refused(ann, "nowhere") == "unknown-table"


# Trying ---------------------------------------------------------------------------------


@on_a_loop
async def test_another_move_is_judged_as_the_library_does(sqlite_server: Server) -> None:
    match = at_random("connect_four", 8)
    table = await plant(database(sqlite_server), match)
    plan = plan_review(match, "expert", None, "quick", 0).plan
    async with visiting(sqlite_server) as visit:
        eve = await visit.guest()
        for ply, move in ((2, "d"), (5, "c")):
            told = await eve.post(f"/api/tables/{table}/try", ply=ply, move=move, care="quick")
            judged = judge_move(plan, ply, move)
            assert told["loss"] == judged.loss._asdict()
            assert told["error"] == judged.error._asdict()
            assert (told["verdict"], told["exact"]) == (judged.verdict, judged.exact)
            (reason,) = {option.reason for option in judged.options if option.move == move}
            assert told["reason"] == sent(reason)
        assert (await eve.get(f"/api/tables/{table}/review"))["state"] == "none"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"ply": 2, "move": "z"}, "bad-notation"),
        ({"ply": 999, "move": "a"}, "unknown-ply"),
        ({"ply": -1, "move": "a"}, "bad-request"),
        ({"ply": 2, "move": "a" * 5000}, "bad-request"),
        ({"ply": 2, "move": "a", "care": "perfect"}, "bad-request"),
        ({"ply": 2}, "bad-request"),
    ],
)
@on_a_loop
async def test_what_cannot_be_tried_is_refused(
    sqlite_server: Server, wish: Json, code: str
) -> None:
    table = await plant(database(sqlite_server), at_random("connect_four", 9))
    async with visiting(sqlite_server) as visit:
        told = await (await visit.guest()).post(f"/api/tables/{table}/try", **wish)
        assert told["code"] == code


@on_a_loop
async def test_one_tries_one_move_at_a_time(sqlite_server: Server) -> None:
    table = await plant(database(sqlite_server), at_random("carnac", 9, 8), "resigned")
    async with visiting(sqlite_server) as visit:
        eve = await visit.guest()
        legal = (await eve.get(f"/api/tables/{table}/position?ply=3"))["legal"]
        answers = await asyncio.gather(
            *(
                eve.post(f"/api/tables/{table}/try", ply=3, move=move, care="normal")
                for move in legal[:3]
            )
        )
        assert sorted(answer.get("code", "judged") for answer in answers) == [
            "judged",
            "too-many",
            "too-many",
        ]


@on_a_loop
async def test_reviews_go_on_while_people_try_moves(tmp_path: Path) -> None:
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", at_random("connect_four", 2))
    async with house_of(tmp_path, 1) as house:
        await eventually(partial(is_ready, house))
        reviews, table = house.reviews, await house.hall.table(key)
        job, reader = await reviews.job(table, "quick"), Reader("ann")
        job.readers.add(reader)
        reviews.ask(Person("ann", "Ann"), job, reader)
        await eventually(lambda: answered(job.arrived))
        before = len(job.arrived)
        people = [Person(f"p{number}", "P") for number in range(6)]
        await asyncio.gather(
            *(reviews.try_move(person, table, a.Try(2, "a", "quick")) for person in people)
        )
        assert len(job.arrived) >= before + 5


@on_a_loop
async def test_a_move_is_tried_with_great_care_only_where_a_review_is_made_so(
    tmp_path: Path,
) -> None:
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", at_random("connect_four", 2))
    ann, reader, wish = Person("ann", "Ann"), Reader("ann"), a.Try(2, "a", "thorough")
    async with house_of(tmp_path, 1) as house:
        await eventually(partial(is_ready, house))
        reviews, table = house.reviews, await house.hall.table(key)
        with pytest.raises(GameError, match="as careful"):
            await reviews.try_move(ann, table, wish)
        job = await reviews.job(table, "thorough")
        job.readers.add(reader)
        reviews.ask(ann, job, reader)

        async def is_tried() -> bool:
            try:
                return (await reviews.try_move(ann, table, wish)).move == "a"
            except GameError as error:
                if error.code != "preparing":
                    raise
                return False

        await eventually(is_tried)


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
