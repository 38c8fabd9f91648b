"""Who gets no review on the server and is told why; before the end of a match nobody does."""

import json
from pathlib import Path

import pytest
import websockets

from kwartet.core.errors import GameError
from kwartet.server import afterwards as a
from kwartet.server.conduct.scene import Person
from tests.following import Follower
from tests.houses import answered, house_of
from tests.planting import at_random, database, plant
from tests.serving import Guest, Server, eventually, on_a_loop, visiting
from tests.test_server_secrets import known


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
