"""Who runs a server keeps people out, closes, deletes and hides; people report and block."""

import asyncio
import json
import re
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kwartet.cli import app
from kwartet.core.errors import GameError
from kwartet.server.bans import network_of
from kwartet.store import Player, open_store
from tests.doors import ends, websocket
from tests.serving import Guest, Live, Server, eventually, on_a_loop, pair, visiting
from tests.test_server_devices import closed
from tests.test_server_erasing import content
from tests.test_server_gates import sockets


async def admin(server: Server, *arguments: str) -> str:
    """What `kwartet admin` prints, beside the server."""
    told = ["admin", *arguments, "--database", server.database]
    ended = await asyncio.to_thread(CliRunner().invoke, app, told)
    if isinstance(ended.exception, GameError):
        raise ended.exception
    assert ended.exit_code == 0
    return ended.stdout


# By who runs the server


@pytest.mark.parametrize("player", ["-ptJt5rgOV5sdJ2D", "--Eve"])
def test_ids_and_names_may_begin_with_a_dash(tmp_path: Path, player: str) -> None:
    database = f"sqlite:///{tmp_path}/kwartet.db"

    async def introduced() -> None:
        store = await open_store(database)
        await store.people.introduce(Player(player, player, 1.0), None)
        await store.close()

    asyncio.run(introduced())
    for command, told in (
        ("ban", "is kept out"),
        ("unban", "1 ban lifted"),
        ("hide-name", "is no longer called"),
    ):
        ended = CliRunner().invoke(app, ["admin", command, player, "--database", database])
        assert told in ended.stdout, (command, ended.output)


@on_a_loop
async def test_who_is_banned_is_put_out_and_told_until_when(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann, eve, table = await pair(visit)
        live, lobby = await eve.watch(table), Live(await eve.socket("/api/live"))
        printed = await admin(own_server, "ban", eve.id, "--reason", "Insults.", "--for", "7d")
        assert eve.id in printed
        began = time.monotonic()
        assert [await closed(one) for one in (live, lobby)] == [(4403, "banned")] * 2
        assert time.monotonic() - began < 4  # it was told, not found out later
        refused = await eve.get("/api/me")
        assert refused["code"] == "banned"
        day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 7 * 86400))
        assert f"until {day}" in refused["sentence"]
        assert "Insults." in refused["sentence"]
        assert refused["reason"]["why"] == "Insults."
        assert refused["reason"]["until"] == pytest.approx(time.time() + 7 * 86400, abs=60)
        assert (await eve.do(table, "play", ply=0, move="a"))["code"] == "banned"
        again = Live(await eve.socket(f"/api/tables/{table}/live"))
        assert await closed(again) == (4403, "banned")
        assert (await eve.get("/api/me/export"))["me"]["id"] == eve.id
        assert (await ann.get("/api/me"))["id"] == ann.id
        assert eve.id in await admin(own_server, "bans")
        assert "1 ban lifted" in await admin(own_server, "unban", eve.id)
        await back(eve)


@on_a_loop
async def test_sockets_that_do_not_read_do_not_outlive_a_ban(own_server: Server) -> None:
    """Each has a second to read why it ends; they have it together."""
    async with visiting(own_server) as visit:
        eve = await visit.guest("Eve")
        table = (await eve.open("carnac", "me", "me", options={"board": "large"}))["id"]
        path = f"/api/tables/{table}/live"
        before = await sockets(own_server)
        streams = [
            await websocket(own_server, path, "127.0.0.1", receive=2048, cookie=eve.cookie)
            for _ in range(12)
        ]
        for number in range(60):
            await eve.do(table, "mute", player=f"somebody {number} " + "x" * 40)
        await admin(own_server, "ban", eve.id)
        began = time.monotonic()
        while await sockets(own_server) > before:
            await asyncio.sleep(0.1)
        assert time.monotonic() - began < 8.0
        assert all(await asyncio.gather(*map(ends, streams)))


@on_a_loop
async def test_a_network_is_kept_out_as_a_whole(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann = await visit.guest("Ann")
        lobby = Live(await (await visit.stranger()).socket("/api/live"))
        for elsewhere in ("192.0.2.0/24", "2001:db8::/64"):
            await admin(own_server, "ban", elsewhere)
        await asyncio.sleep(0.8)
        assert (await ann.get("/api/me"))["id"] == ann.id
        await admin(own_server, "ban", "127.0.0.9/8")
        assert await closed(lobby) == (4403, "banned")
        assert "for good" in (await ann.get("/api/me"))["sentence"]
        assert (await ann.get("/healthz"))["code"] == "banned"
        assert "1 ban lifted" in await admin(own_server, "unban", "127.0.0.0/8")
        await back(ann)


@on_a_loop
async def test_a_network_of_ipv6_is_kept_out_behind_a_proxy(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        forwarded = {"X-Forwarded-For": "2001:db8:1::1"}
        there = await visit.stranger(headers=forwarded)
        beside = await visit.stranger(headers={"X-Forwarded-For": "2001:db8:1::2"})
        for stranger in (there, beside):
            stranger.id = (await stranger.get("/api/me"))["id"]
        lobby = Live(await there.socket("/api/live", headers=forwarded))
        for network in ("2001:db8:1::1", "2001:db8:1::/64", "2001:db8::/32"):
            await admin(own_server, "ban", network)
            assert await closed(lobby) == (4403, "banned")
            assert (await there.get("/api/me"))["code"] == "banned"
            answer = await beside.get("/api/me")
            assert answer.get("code") == (None if network == "2001:db8:1::1" else "banned")
            await admin(own_server, "unban", network)
            await back(there)
            lobby = Live(await there.socket("/api/live", headers=forwarded))


async def back(guest: Guest) -> None:
    """Wait until somebody is let in again."""

    async def is_back() -> bool:
        return bool((await guest.get("/api/me")).get("id") == guest.id)

    await asyncio.wait_for(eventually(is_back), 2)


def test_a_network_is_written_in_one_way() -> None:
    assert network_of("192.0.2.7") == "192.0.2.7/32"
    assert network_of("2001:DB8::1/64") == "2001:db8::/64"
    for bad in ("", "300.1.1.1", "ann", "::/129"):
        with pytest.raises(GameError, match="no address"):
            network_of(bad)


@on_a_loop
async def test_a_table_that_is_closed_counts_nowhere(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann, bob, table = await pair(visit)
        live = await ann.watch(table)
        await admin(own_server, "close", table)
        await live.until(lambda table: table["state"] == "over")
        assert live.table["result"]["reason"] == "dropped"
        assert (await bob.do(table, "play", ply=0, move="a"))["code"] == "game-over"
        assert (await bob.get(f"/api/players/{bob.id}/history"))["matches"] == []
        assert "The match is over" in await refused(own_server, "close", table)
        assert "no table" in await refused(own_server, "close", "nowhere")


async def refused(server: Server, *arguments: str) -> str:
    with pytest.raises(GameError) as raised:
        await admin(server, *arguments)
    return raised.value.sentence


@on_a_loop
async def test_a_line_that_is_deleted_is_gone_for_everybody(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann, bob, table = await pair(visit)
        await ann.do(table, "chat", text="hello")
        await bob.do(table, "chat", text="terrible words")
        await bob.do(table, "resign")
        await ann.do(table, "offer", kind="rematch")
        again = (await bob.do(table, "reply", accept=True))["table"]
        live, later = await ann.watch(table), await ann.watch(again)
        assert [line["text"] for line in live.table["chat"]] == ["hello", "terrible words"]
        assert b"terrible words" in content(own_server)
        await admin(own_server, "delete-line", table, "2")
        for one in (live, later):
            await one.until(lambda told: told["chat_since"] == 0 and len(told["chat"]) == 1)
            assert [line["text"] for line in one.table["chat"]] == ["hello"]
        await ann.do(table, "chat", text="better")
        assert [line["number"] for line in (await bob.look(table))["chat"]] == [1, 3]
        if own_server.database.startswith("postgresql"):
            assert b"terrible words" not in content(own_server)
        assert "no line 2" in await refused(own_server, "delete-line", table, "2")


@on_a_loop
async def test_a_name_that_is_hidden_is_gone_and_not_chosen_again(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann, eve, _ = await pair(visit)
        await eve.ask("PATCH", "/api/me", {"name": "Dreadful"})
        played = (await eve.open("connect_four", "me", "open"))["id"]
        live = await ann.watch(played)
        assert live.table["seats"][0]["name"] == "Dreadful"
        await admin(own_server, "hide-name", "Dreadful")
        await live.until(lambda told: told["seats"][0]["name"].startswith("Guest "))

        async def is_hidden() -> bool:
            me = await eve.get("/api/me")
            return not me["named"] and me["name"].startswith("Guest ")

        await asyncio.wait_for(eventually(is_hidden), 2)
        for guest in (eve, ann):
            answer = await guest.ask("PATCH", "/api/me", {"name": "dreadful"})
            assert answer["code"] == "bad-name"
        assert "no player" in await refused(own_server, "hide-name", "Dreadful")


@on_a_loop
async def test_a_hidden_name_does_not_come_back_at_a_seat(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        eve = await visit.guest("Awful")
        await admin(own_server, "hide-name", eve.id)
        seats = [{"kind": "me", "name": " AWFUL "}, {"kind": "open"}]
        refused = await eve.post("/api/tables", game="connect_four", seats=seats)
        assert refused.get("code") == "bad-name"


@on_a_loop
async def test_a_hidden_name_does_not_come_back_where_a_match_goes_on(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann, eve, over = await pair(visit)
        await eve.do(over, "resign")
        await eve.ask("PATCH", "/api/me", {"name": "Horrid"})
        await admin(own_server, "hide-name", eve.id)
        seats = [{"kind": "me"}, {"kind": "me", "name": "horrid"}]
        on = await ann.post(f"/api/tables/{over}/branch", ply=0, seats=seats)
        assert on.get("code") == "bad-name"
        seats[1]["name"] = "Harry"
        on = await ann.post(f"/api/tables/{over}/branch", ply=0, seats=seats)
        assert [seat["name"] for seat in on["seats"]] == ["Ann", "Harry"]


@on_a_loop
async def test_a_hidden_name_does_not_come_in_with_a_record(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann, eve, over = await pair(visit)
        await eve.do(over, "resign")
        await eve.ask("PATCH", "/api/me", {"name": "Vile"})
        await admin(own_server, "hide-name", eve.id)
        record = await ann.get(f"/api/tables/{over}/record")
        named = json.dumps(record | {"players": ["Ann", " VILE "]})
        checked = await ann.post("/api/records/check", text=named)
        assert checked["players"] == ["Ann", "Player 2"]
        for how in ({"text": named}, {"text": json.dumps(record), "players": ["Vile", "Bob"]}):
            names = [seat["name"] for seat in (await ann.post("/api/records", **how))["seats"]]
            assert names == (["Ann", "Player 2"] if "players" not in how else ["Player 1", "Bob"])


@on_a_loop
async def test_reports_that_lead_nowhere_are_counted_like_others(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        _, _, table = await pair(visit)
        eve = await visit.stranger(headers={"X-Forwarded-For": "198.51.100.5"})
        await eve.get("/api/me")
        wrong = {"reason": "spam", "table": table, "line": 7}
        answers = [await eve.post("/api/reports", **wrong) for _ in range(6)]
        assert [answer["code"] for answer in answers] == ["unknown-line"] * 5 + ["too-many"]


@on_a_loop
async def test_reports_are_listed_shown_with_context_and_dealt_with(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann, eve, table = await pair(visit)
        for text in ("hello", "terrible words", "bye"):
            await eve.do(table, "chat", text=text)
        words = "She\nis \u202erude"
        path = "/api/reports"
        assert await ann.post(path, reason="insult", table=table, line=2, words=words) is None
        assert await ann.post(path, reason="name", player=eve.id) is None
        listed = await admin(own_server, "reports")
        assert [line.split()[4] for line in listed.splitlines()] == ["insult", "name"]
        key = listed.split()[0]
        shown = await admin(own_server, "show", key)
        assert "She is rude" in shown
        assert re.search(rf"> +2 .*\({eve.id}\): terrible words", shown)
        assert "hello" in shown
        await admin(own_server, "done", key)
        assert key not in await admin(own_server, "reports")
        assert key in await admin(own_server, "reports", "--done")
        assert "no report" in await refused(own_server, "done", "nothing")
        for wrong, code in (
            ({}, "bad-request"),
            ({"line": 1}, "bad-request"),
            ({"player": "nobody"}, "unknown-player"),
            ({"table": "nowhere"}, "unknown-table"),
            ({"table": table, "line": 9}, "unknown-line"),
            ({"player": eve.id, "words": "x" * 501}, "bad-request"),
        ):
            assert (await ann.post(path, reason="spam", **wrong))["code"] == code
        answers = [await ann.post(path, reason="spam", player=eve.id) for _ in range(6)]
        assert [answer and answer["code"] for answer in answers][-1] == "too-many"


@on_a_loop
async def test_an_open_report_outlives_whom_it_is_of_without_their_name(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann, eve = await visit.guests("Ann", "Eve")
        about = {"player": eve.id, "words": "awfully rude"}
        for reason in ("name", "insult"):
            assert await ann.post("/api/reports", reason=reason, **about) is None
        closed_one, open_one = [
            line.split()[0]
            for line in (await admin(own_server, "reports")).splitlines()
            if eve.id in line
        ]
        await admin(own_server, "done", closed_one)
        assert await eve.ask("DELETE", "/api/me", {"name": eve.name}) is None
        (line,) = [
            line
            for line in (await admin(own_server, "reports")).splitlines()
            if line.startswith(open_one)
        ]
        assert f"insult  somebody who left, says {ann.id}: awfully rude" in line
        assert closed_one not in await admin(own_server, "reports", "--done")
        await admin(own_server, "done", open_one)
        for told in (["reports"], ["reports", "--done"]):
            assert open_one not in await admin(own_server, *told)


# By everybody


@on_a_loop
async def test_who_blocks_somebody_does_not_hear_them(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, eve, table = await pair(visit)
        bob = await visit.guest("Bob")
        await eve.do(table, "chat", text="hello")
        lives = {guest: await guest.watch(table) for guest in (ann, bob)}
        assert await ann.post("/api/me/blocks", player=eve.id) is None
        await lives[ann].until(lambda told: told["chat_since"] == 0 and not told["chat"])
        await eve.do(table, "chat", text="do you hear me?")
        await bob.do(table, "chat", text="I do")
        await lives[ann].until(lambda told: told["chat"])
        assert [line["text"] for line in lives[ann].table["chat"]] == ["I do"]
        assert [line["text"] for line in (await ann.look(table))["chat"]] == ["I do"]
        assert len((await bob.look(table))["chat"]) == 3
        assert [one["player"] for one in await ann.get("/api/me/blocks")] == [eve.id]
        assert await ann.ask("DELETE", f"/api/me/blocks/{eve.id}") is None
        await lives[ann].until(lambda told: len(told["chat"]) == 3)


@on_a_loop
async def test_who_sat_down_before_is_told_so_again_though_blocked(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, eve = await visit.guest("Ann"), await visit.guest("Eve")
        table = (await ann.open("connect_four", "me", "open"))["id"]
        first = await eve.do(table, "sit", id="one")
        assert first["type"] == "accepted"
        await ann.post("/api/me/blocks", player=eve.id)
        assert await eve.do(table, "sit", id="one") == first
        assert (await eve.do(table, "sit", id="two"))["code"] == "blocked"


@on_a_loop
async def test_who_is_blocked_cannot_sit_down_or_offer_to_play_again(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, eve, over = await pair(visit)
        await eve.do(over, "resign")
        await ann.post("/api/me/blocks", player=eve.id)
        assert (await eve.do(over, "offer", kind="rematch"))["code"] == "blocked"
        table = (await ann.open("connect_four", "me", "open"))["id"]
        assert (await eve.do(table, "sit"))["code"] == "blocked"
        hers = (await eve.open("connect_four", "me", "open"))["id"]
        assert (await ann.do(hers, "sit"))["type"] == "accepted"  # as she likes
        await ann.ask("DELETE", f"/api/me/blocks/{eve.id}")
        assert (await eve.do(table, "sit"))["type"] == "accepted"


@on_a_loop
async def test_not_everybody_can_be_blocked(server: Server) -> None:
    async with visiting(server) as visit:
        ann: Guest = await visit.guest("Ann")
        for player, code in (
            (ann.id, "bad-request"),
            ("nobody", "unknown-player"),
            ("bot:novice", "unknown-player"),
        ):
            assert (await ann.post("/api/me/blocks", player=player))["code"] == code
