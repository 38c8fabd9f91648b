"""Sockets: answers, repeats, reconnecting, slow readers, races."""

import asyncio
import json
import socket
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from kwartet.server import messages as m
from tests.serving import (
    PLENTY,
    Json,
    Live,
    Server,
    door,
    on_a_loop,
    pair,
    strict,
    visiting,
    watched_pair,
)


@on_a_loop
async def test_every_submission_is_answered_in_order(server: Server) -> None:
    async with visiting(server) as visit:
        a, _, _ = await watched_pair(visit)
        keys = [await a.send("play", ply=n % 3, move="abc"[n % 3]) for n in range(30)]
        answers: list[Json] = []
        while len(answers) < len(keys):
            message = await a.hear()
            answers += [message] if message["type"] != "table" else []
        assert [answer["id"] for answer in answers] == keys
        assert [answer["type"] for answer in answers].count("accepted") == 1
        codes = {answer["code"] for answer in answers if answer["type"] == "refused"}
        assert codes == {"stale-ply", "not-your-turn"}


@pytest.mark.parametrize("way", ["socket", "post"])
@on_a_loop
async def test_a_repeated_id_is_answered_again_and_not_played_again(
    each_server: Server, way: str
) -> None:
    async with visiting(each_server) as visit:
        ann, bob, table = await pair(visit)
        a, b = await door(way, ann, table), await door(way, bob, table)
        first = await a("play", ply=0, move="d", id="one")
        await b("play", ply=1, move="d", id="one")  # another's ids are another's
        again = await asyncio.gather(*(ann.do(table, "play", ply=0, move="d", id="one"),) * 3)
        assert list(again) == [first] * 3
        assert (await a("play", ply=2, move="a", id="one"))["code"] == "id-used"
        assert (await ann.look(table))["match"]["log"] == ["d", "d"]
        said = [await a("chat", text="hi", id="two") for _ in range(3)]
        assert said == [said[0]] * 3
        assert len((await ann.look(table))["chat"]) == 1


@on_a_loop
async def test_of_two_who_race_for_a_move_one_wins(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, _, table = await pair(visit)
        lives = [await ann.watch(table) for _ in range(6)]
        answers = await asyncio.gather(
            *(live.do("play", ply=0, move="abcdefg"[n]) for n, live in enumerate(lives)),
            ann.do(table, "play", ply=0, move="g"),
        )
        assert [answer["type"] for answer in answers].count("accepted") == 1
        assert {a.get("code") for a in answers} == {None, "stale-ply"}
        winner = "abcdefg"[[a["type"] for a in answers].index("accepted")]
        assert (await ann.look(table))["match"]["log"] == [winner]


@on_a_loop
async def test_a_move_counts_though_its_sender_is_gone_at_once(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob, table = await pair(visit, "carnac", options={"board": "small"})
        watching = await bob.watch(table)
        for _ in range(20):
            guest = (ann, bob)[(await ann.look(table))["match"]["view"]["actor"]]
            gone = await guest.watch(table)
            ply, move = gone.ply, gone.table["match"]["legal"][0]
            await gone.send("play", ply=ply, move=move)
            gone.socket.transport.abort()
            await watching.until(lambda _, ply=ply: watching.ply > ply)  # type: ignore[misc]
            assert watching.log[ply] == move


# Coming back


@on_a_loop
async def test_who_comes_back_is_told_exactly_what_was_missed(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob, table = await pair(visit)
        a = await ann.watch(table)
        await a.play("a")
        await ann.do(table, "chat", text="one")
        await a.until(lambda _: a.chat)
        known = {"version": a.table["version"], "ply": a.ply, "chat": len(a.chat)}
        await a.close()
        await bob.do(table, "play", ply=1, move="b")
        await ann.do(table, "play", ply=2, move="c")
        await bob.do(table, "chat", text="two")
        back = await ann.watch(table, **known)
        assert (back.table["match"]["since"], back.table["match"]["log"]) == (1, ["b", "c"])
        assert [line["text"] for line in back.table["chat"]] == ["two"]
        nothing = await ann.watch(table, version=back.table["version"], ply=3, chat=2)
        assert (nothing.table["match"]["since"], nothing.table["match"]["log"]) == (3, [])
        assert nothing.table["chat"] == []


@on_a_loop
async def test_who_comes_back_after_a_take_back_is_told_from_there_on(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        table = (await ann.open("connect_four", "me", "bot"))["id"]
        a = await ann.watch(table)
        for ply in (0, 2):
            await a.play("d")
            await a.until(lambda _, ply=ply: a.ply == ply + 2)  # type: ignore[misc]
        known = {"version": a.table["version"], "ply": a.ply}
        log = a.log
        await a.close()
        assert (await ann.do(table, "offer", kind="takeback"))["ply"] == 2
        await ann.do(table, "play", ply=2, move="a")
        await ann.until(table, lambda shown: shown["match"]["view"]["ply"] == 4)
        back = await ann.watch(table, **known)
        assert back.table["match"]["since"] == 2
        assert log[:2] + back.log[2:] == (await ann.look(table))["match"]["log"]
        far = await ann.watch(table, version=known["version"], ply=99)
        assert far.table["match"]["since"] == 2


@on_a_loop
async def test_what_a_client_says_it_knows_must_be_numbers(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit)
        for query in ("ply=x", "ply=-1", "version=1e9", "chat=9999999999", "ply=", "ply=٣"):
            asked = await ann.socket(f"/api/tables/{table}/live?{query}")
            assert json.loads(await asked.recv())["code"] == "bad-request"
            with pytest.raises(ConnectionClosed):
                await asked.recv()
        unknown = await ann.socket("/api/tables/nowhere/live")
        assert json.loads(await unknown.recv())["code"] == "unknown-table"
        with pytest.raises(ConnectionClosed) as closed:
            await unknown.recv()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 4404


# Slow and silent


@on_a_loop
async def test_who_does_not_read_delays_nobody_and_then_gets_the_newest(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, "carnac", options={"board": "large"})
        with socket.socket() as small:
            small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
            small.connect(("127.0.0.1", int(server.url.rpartition(":")[2])))
            how = {"max_queue": 1, "ping_interval": None, "sock": small}
            slow = await ann.socket(f"/api/tables/{table}/live", **how)  # it reads when asked
            a, b = await ann.watch(table), await bob.watch(table)
            for number in range(60):  # each change is told to Ann with some 500 legal moves
                await a.do("mute", player=f"somebody {number}")
            moves = ["h5wr", "stand", "a1rw", "stand"]
            for ply, (live, move) in enumerate(zip((a, b, a, b), moves, strict=True)):
                assert (await live.do("play", ply=ply, move=move))["type"] == "accepted"
            await a.until(lambda _: a.log == moves)
            await b.until(lambda _: b.log == moves)
            reader = Live(slow)
            seen = []
            while reader.log != moves:
                await reader.hear()
                match = reader.table["match"]
                seen += [*(step["ply"] for step in match["steps"]), match["view"]["ply"]]
            assert reader.table["version"] >= a.table["version"]
            assert sorted(set(seen)) == [0, 1, 2, 3, 4]  # no position was missed
            assert reader.seen < 40  # of more than 60 changes: it was not written to meanwhile


@on_a_loop
async def test_a_ping_is_answered_with_the_time(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit)
        live = await ann.watch(table)
        before = live.table["now"]
        await asyncio.sleep(0.05)
        await live.socket.send('{"type": "ping"}')
        while (pong := await live.hear())["type"] != "pong":
            pass
        assert before < pong["now"] < before + 30
        await asyncio.wait_for(await live.socket.ping(), 10)  # the protocol's own, too


@on_a_loop
async def test_the_lobby_answers_a_ping_and_nothing_else(server: Server) -> None:
    async with visiting(server) as visit:
        guest = await visit.guest()
        lobby = await guest.socket("/api/live")
        for text in ("", "[", '{"type": "play"}', "[" * 9999, '{"type": "ping", "x": 1}'):
            await lobby.send(text)
        await lobby.send(b"\xff")
        await lobby.send('{"type": "ping"}')
        heard: list[Json] = []
        while not heard or heard[-1]["type"] != "pong":
            told = await lobby.recv()
            strict(told, m.FromLobby)
            heard.append(json.loads(told))
        assert [message["type"] for message in heard[:-1]] in ([], ["lobby"])
        assert heard[-1]["now"] > 1e9


@on_a_loop
async def test_what_is_shown_carries_the_time_at_which_it_is_shown(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit)
        first = (await ann.look(table))["now"]
        await asyncio.sleep(1.2)
        assert (await ann.look(table))["now"] > first + 0.1


@on_a_loop
async def test_a_stranger_may_watch_and_no_more(server: Server) -> None:
    async with visiting(server) as visit:
        _, _, table = await pair(visit)
        stranger = await visit.stranger()
        live = await stranger.watch(table)
        assert (live.table["mine"], live.table["may"]) == ([], [])
        for kind, fields in (
            ("play", {"ply": 0, "move": "a"}),
            ("chat", {"text": "x"}),
            ("sit", {}),
        ):
            assert (await live.do(kind, **fields))["code"] == "no-identity"


# The lobby


@on_a_loop
async def test_the_lobby_shows_open_and_running_tables_and_one_s_own(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        sockets = [await guest.socket("/api/live") for guest in (ann, bob)]

        async def told(number: int, where: str, table: str, state: str) -> Json:
            while True:
                text = await sockets[number].recv()
                strict(text, m.FromLobby)
                for found in json.loads(text)[where]:
                    if found["id"] == table and found["state"] == state:
                        return dict(found)

        table = (await ann.open("connect_four", "me", "open", listed=True))["id"]
        hidden = (await ann.open("connect_four", "me", "open"))["id"]
        shown = await told(1, "open", table, "open")
        assert [seat["kind"] for seat in shown["seats"]] == ["person", "open"]
        assert shown["title"] == "Connect four"
        assert (await told(0, "mine", hidden, "open"))["listed"] is False
        await bob.do(table, "sit")
        assert (await told(0, "running", table, "running"))["actor"] == 0
        assert (await told(1, "mine", table, "running"))["actor"] == 0
        lobby = await bob.get("/api/lobby")
        listed = [found["id"] for found in lobby["open"] + lobby["running"] + lobby["mine"]]
        assert hidden not in listed
        await ann.do(table, "resign")
        assert (await told(0, "mine", table, "over"))["result"]["winners"] == [1]
        over = await bob.get("/api/tables?mine&state=over")
        assert [found["id"] for found in over["tables"]] == [table]
        assert table in {t["id"] for t in (await ann.get("/api/tables?state=over"))["tables"]}
        games = {t["game"] for t in (await ann.get("/api/tables?game=connect_four"))["tables"]}
        assert games == {"connect_four"}
        assert (await ann.get("/api/tables?state=lost"))["code"] == "bad-request"
        assert (await ann.get("/api/tables?before=soon"))["code"] == "bad-request"


class Follower:
    """A home page: the lobby as its messages tell it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.lobby: Json = {}
        self.kinds: list[str] = []

    async def hear(self) -> None:
        text = await self.socket.recv()
        strict(text, m.FromLobby)
        message = json.loads(text)
        self.kinds.append(message["type"])
        if message["type"] == "lobby":
            self.lobby = message
        elif message["type"] == "lobby-change":
            listed = {t["id"] for t in message["open"] + message["running"]} | {*message["gone"]}
            own = {t["id"] for t in message["mine"]} | {*message["mine_gone"]}
            for name, past in (("open", listed), ("running", listed), ("mine", own)):
                kept = [table for table in self.lobby[name] if table["id"] not in past]
                tables = message[name] + kept
                self.lobby[name] = sorted(tables, key=lambda table: -table["changed"])

    async def until(self, lobby: Json) -> None:
        """Hear until the lobby is as it is known to be."""
        while self.lobby != lobby:
            await self.hear()


@on_a_loop
async def test_a_home_page_that_is_told_changes_knows_the_lobby(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        pages = [Follower(await guest.socket("/api/live")) for guest in (ann, bob)]
        for page in pages:
            await page.hear()
        tables = [(await ann.open("connect_four", "me", "open", listed=True))["id"] for _ in "123"]
        await pages[1].until(await bob.get("/api/lobby"))
        await bob.do(tables[0], "sit")
        await bob.do(tables[1], "sit")
        await ann.do(tables[0], "play", ply=0, move="a")
        for page, guest in zip(pages, (ann, bob), strict=True):
            await page.until(await guest.get("/api/lobby"))
        await bob.do(tables[1], "resign")
        await ann.do(tables[2], "leave")
        for page, guest in zip(pages, (ann, bob), strict=True):
            await page.until(await guest.get("/api/lobby"))
        ids = {t["id"] for t in pages[1].lobby["running"] + pages[1].lobby["open"]}
        assert ids & {*tables} == {tables[0], tables[2]}
        assert tables[2] not in {t["id"] for t in pages[0].lobby["mine"]}
        assert all("lobby-change" in page.kinds for page in pages)


@on_a_loop
async def test_a_home_page_is_told_only_what_concerns_it(tmp_path: Path) -> None:
    server = Server(tmp_path, *PLENTY)
    server.start()
    try:
        async with visiting(server) as visit:
            ann, bob, table = await pair(visit)
            carl = await visit.guest("Carl")
            page = Follower(await carl.socket("/api/live"))
            await page.hear()
            assert page.kinds == ["lobby"]
            for ply in range(5):
                await (ann, bob)[ply % 2].do(table, "play", ply=ply, move="abcde"[ply])
            await asyncio.sleep(1)
            listed = (await ann.open("connect_four", "me", "open", listed=True))["id"]
            await page.hear()
            assert page.kinds == ["lobby", "lobby-change"]  # nothing was told of the other table
            assert [found["id"] for found in page.lobby["open"]] == [listed]
    finally:
        server.kill()
