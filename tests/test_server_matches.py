"""Whole matches: people, bots, take-backs, draws, resigning, playing again."""

import asyncio
import hashlib
import random
import time
from typing import Any
from urllib.parse import unquote

import pytest

import kwartet
from kwartet.core.fairness import verify
from kwartet.games import find
from tests.serving import (
    Guest,
    Json,
    Live,
    Server,
    on_a_loop,
    pair,
    play_on,
    visiting,
    watched_pair,
)

SMALL: dict[str, Json] = {
    "carat": {"players": 2, "colours": ["R", "Y"]},
    "carnac": {"board": "small"},
    "catan_dice": {"players": 2},
    "kwatro": {},
    "connect_four": {},
}


def by_luck(seed: int) -> Any:
    luck = random.Random(seed)
    return lambda legal: luck.choice(legal)


async def check_record(guest: Guest, table: Json, log: list[str]) -> None:
    """The record of a finished match is whole, replays, and its luck is honest."""
    record = await guest.get(f"/api/tables/{table['id']}/record")
    assert kwartet.replay(record).moves == record["moves"]
    assert len(log) == len(record["moves"])
    assert all(told == move or "?" in told for told, move in zip(log, record["moves"], strict=True))
    assert record["result"] == table["result"]
    assert record["scores"] == table["result"]["scores"]
    assert record["commitment"] == table["commitment"]
    assert hashlib.sha256(bytes.fromhex(record["secret"])).hexdigest() == table["commitment"]
    assert verify(record, find).problem is None


@pytest.mark.parametrize("game", SMALL)
@on_a_loop
async def test_a_person_plays_a_whole_match_against_a_bot(server: Server, game: str) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        opened = await ann.open(game, "me", "bot", options=SMALL[game])
        live = await ann.watch(opened["id"])
        over = await play_on([live], by_luck(1))
        assert over["result"]["reason"] == "played"
        assert sorted(over["result"]["places"])[0] == 0
        assert all(over["result"]["places"][seat] == 0 for seat in over["result"]["winners"])
        assert over["match"]["view"]["winners"] == over["result"]["winners"]
        await check_record(ann, over, live.log)
        assert over["may"] == ["chat", "mute", "rematch"]


@pytest.mark.parametrize("game", SMALL)
@on_a_loop
async def test_two_people_play_a_whole_match(each_server: Server, game: str) -> None:
    async with visiting(each_server) as visit:
        ann, bob, table = await pair(visit, game, options=SMALL[game])
        eve = await visit.stranger()
        lives = [await guest.watch(table) for guest in (ann, bob, eve)]
        over = await play_on(lives, by_luck(2))
        assert [live.ply for live in lives] == [lives[0].ply] * 3
        for live, guest in zip(lives, (ann, bob, eve), strict=True):
            assert live.log == (await guest.look(table))["match"]["log"]
        await check_record(eve, over, lives[2].log)


@on_a_loop
async def test_somebody_plays_alone_and_the_best_scores_are_kept(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann = await visit.guest("Ann")
        scores = []
        for seed in range(3):
            live = await ann.watch((await ann.open("catan_dice", "me"))["id"])
            over = await play_on([live], by_luck(seed))
            scores.append(over["result"]["scores"][0])
            assert over["result"]["places"] == [0]
        given_up = (await ann.open("catan_dice", "me"))["id"]
        await ann.do(given_up, "resign")
        assert (await ann.look(given_up))["result"]["winners"] == []
        bests = await ann.get(f"/api/players/{ann.id}/bests/catan_dice")
        assert [best["score"] for best in bests] == sorted(scores, reverse=True)


# Taking back


@on_a_loop
async def test_a_move_is_taken_back_when_the_other_agrees(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        a, b, _ = await watched_pair(visit)
        for live, other, move in ((a, b, "d"), (b, a, "e")):
            await live.play(move)
            await other.until(lambda table: table["match"]["legal"])
        assert (await a.do("offer", kind="takeback"))["type"] == "accepted"
        await b.until(lambda table: table["offer"])
        answer = await b.do("reply", accept=True)
        assert (answer["type"], answer["ply"]) == ("accepted", 0)
        for live in (a, b):
            await live.until(lambda table: table["match"]["view"]["ply"] == 0)
            assert live.log == []
        assert a.table["match"]["legal"] == list("abcdefg")
        assert (await a.play("c"))["ply"] == 1


@on_a_loop
async def test_against_a_bot_a_move_is_taken_back_at_once(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        live = await ann.watch((await ann.open("connect_four", "me", "bot"))["id"])
        await live.play("d")
        await live.until(lambda table: table["match"]["view"]["ply"] == 2)
        assert (await live.do("offer", kind="takeback"))["ply"] == 0
        await live.until(lambda table: table["match"]["view"]["ply"] == 0)
        assert (live.log, live.table["offer"]) == ([], None)
        await live.play("a")
        await live.until(lambda table: table["match"]["legal"] and live.ply == 2)
        assert live.log[0] == "a"


@on_a_loop
async def test_within_one_s_own_turn_nobody_is_asked(server: Server) -> None:
    async with visiting(server) as visit:
        a, b, _ = await watched_pair(visit, "kwatro", takeback=False)
        begin = a.ply
        await a.play(next(move for move in a.table["match"]["legal"] if "@" in move))
        await a.until(lambda table: len(a.log) == begin + 1 and table["match"]["legal"])
        assert "takeback" in a.table["may"]
        assert (await a.do("offer", kind="takeback"))["ply"] == begin
        await b.until(lambda table: b.ply == begin and table["match"]["view"]["play"] is None)


@on_a_loop
async def test_nothing_is_taken_back_once_chance_was_revealed(server: Server) -> None:
    async with visiting(server) as visit:
        a, b, _ = await watched_pair(visit, "catan_dice", options={"players": 2})
        await a.play("keep")  # rolls again
        await a.until(lambda _: a.ply == 3)
        assert "takeback" not in a.table["may"]
        refused = await a.do("offer", kind="takeback")
        assert (refused["code"], a.table["match"]["view"]["ply"]) == ("nothing-to-undo", 3)
        assert "drawn or rolled" in refused["sentence"]
        assert (await b.do("offer", kind="takeback"))["code"] == "nothing-to-undo"


# Ending early


@on_a_loop
async def test_a_draw_by_agreement_has_no_loser(server: Server) -> None:
    async with visiting(server) as visit:
        a, b, _ = await watched_pair(visit)
        await a.do("offer", kind="draw")
        await b.until(lambda table: table["offer"])
        assert (await b.do("reply", accept=True))["type"] == "accepted"
        over = await a.until(lambda table: table["state"] == "over")
        assert over["result"] == {
            "reason": "agreed",
            "winners": [],
            "scores": [0, 0],
            "places": [0, 0],
            "outcomes": ["drawn", "drawn"],
        }


@on_a_loop
async def test_giving_up_alone_ends_with_a_score_and_a_record(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        table = (await ann.open("catan_dice", "me"))["id"]
        for move in ("stop", "end"):
            ply = (await ann.look(table))["match"]["view"]["ply"]
            await ann.do(table, "play", ply=ply, move=move)
        await ann.do(table, "resign")
        over = await ann.look(table)
        assert (over["result"]["scores"], over["result"]["outcomes"]) == ([-2], ["alone"])
        assert (over["result"]["reason"], over["result"]["winners"]) == ("resigned", [])
        assert "rematch" in over["may"]
        assert (await ann.get(f"/api/tables/{table}/record"))["scores"] == [-2]


@on_a_loop
async def test_where_there_is_no_draw_none_is_offered(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit, "kwatro")
        assert (await ann.do(table, "offer", kind="draw"))["code"] == "no-draw"
        assert "draw" not in (await ann.look(table))["may"]
        against_bot = (await ann.open("connect_four", "me", "bot"))["id"]
        assert (await ann.do(against_bot, "offer", kind="draw"))["code"] == "no-draw"


@on_a_loop
async def test_of_two_the_one_who_stays_wins(server: Server) -> None:
    async with visiting(server) as visit:
        a, b, _ = await watched_pair(visit)
        assert (await a.do("resign"))["type"] == "accepted"
        over = await b.until(lambda table: table["state"] == "over")
        assert over["result"]["reason"] == "resigned"
        assert (over["result"]["winners"], over["result"]["places"]) == ([1], [1, 0])
        assert over["match"]["legal"] == []


@on_a_loop
async def test_of_three_two_play_on_and_a_bot_moves_for_the_third(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, eve = await visit.guests("Ann", "Bob", "Eve")
        wish: Json = {"options": {"players": 3}}
        table = (await ann.open("catan_dice", "me", "open", "open", **wish))["id"]
        await bob.do(table, "sit", seat=1)
        await eve.do(table, "sit", seat=2)
        lives = [await guest.watch(table) for guest in (ann, bob, eve)]
        assert (await lives[0].do("resign"))["type"] == "accepted"
        shown = await lives[1].until(lambda table: table["match"]["legal"])
        assert (shown["state"], shown["seats"][0]["resigned"]) == ("running", True)
        assert (await lives[0].do("resign"))["code"] == "not-yours"
        assert (await lives[0].do("return"))["code"] == "no-stand-in"
        over = await play_on(lives[1:], by_luck(3))
        assert over["result"]["reason"] == "played"
        assert over["result"]["places"][0] == 2


@on_a_loop
async def test_a_record_is_told_only_at_the_end(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit, "kwatro")
        for guest in (ann, await visit.stranger()):
            refused = await guest.get(f"/api/tables/{table}/record")
            assert refused["code"] == "not-over"


@on_a_loop
async def test_a_record_is_named_after_game_day_and_players(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests('Zoë "Q"/..', "林; x=")
        table = (await ann.open("connect_four", "me", "open"))["id"]
        await bob.do(table, "sit")
        await bob.do(table, "resign")
        path = f"{server.url}/api/tables/{table}/record"
        refused = await ann.http.get(path.replace(table, "nowhere"))
        assert "content-disposition" not in refused.headers
        told = (await ann.http.get(path)).headers["content-disposition"]
        day = time.strftime("%Y-%m-%d", time.gmtime((await ann.look(table))["now"]))
        kind, plain, whole = told.split("; ")
        assert kind == "attachment"
        assert plain == f'filename="connect_four-{day}-Zoe__Q__..-__x=.json"'
        name = unquote(whole.removeprefix("filename*=UTF-8''"))
        assert name == f"connect_four-{day}-Zoë__Q__..-林__x=.json"
        assert whole.isascii()


# Putting away


async def listed(guest: Guest, table: str) -> list[Json]:
    return [found for found in (await guest.get("/api/lobby"))["mine"] if found["id"] == table]


async def drop(guest: Guest, table: str) -> Any:
    return await guest.ask("DELETE", f"/api/tables/{table}")


@on_a_loop
async def test_a_list_tells_scores_ply_and_whose_turn_it_is(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        table = (await ann.open("catan_dice", "me", "me", options={"players": 2}))["id"]
        (before,) = await listed(ann, table)
        assert (before["scores"], before["ply"], before["actor"]) == ([0, 0], 1, 0)
        for move in ("stop", "end"):
            ply = (await ann.look(table))["match"]["view"]["ply"]
            await ann.do(table, "play", ply=ply, move=move)
        (after,) = await listed(ann, table)
        assert (after["scores"], after["ply"], after["actor"]) == ([-2, 0], 4, 1)
        assert after["changed"] > before["changed"]


@on_a_loop
async def test_who_plays_without_other_people_may_put_a_match_away(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann = await visit.guest("Ann")
        for seats in (("me", "bot"), ("me", "me")):
            opened = await ann.open("connect_four", *seats)
            table = opened["id"]
            assert "drop" in opened["may"]
            await ann.do(table, "play", ply=0, move="d")
            live = await ann.watch(table)
            assert await drop(ann, table) is None
            over = await live.until(lambda shown: shown["state"] == "over")
            assert over["result"]["reason"] == "dropped"
            assert over["result"]["outcomes"] == ["dropped", "dropped"]
            assert "drop" not in over["may"]
            assert await listed(ann, table) == []
            assert await drop(ann, table) is None  # again
            record = await (await visit.stranger()).get(f"/api/tables/{table}/record")
            assert record["moves"][0] == "d"
        assert (await ann.get(f"/api/players/{ann.id}/history"))["matches"] == []
        assert (await ann.get(f"/api/players/{ann.id}"))["counts"] == {}


@on_a_loop
async def test_a_table_that_waits_in_vain_may_be_put_away(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        table = (await ann.open("connect_four", "me", "open", listed=True))["id"]
        assert (await drop(bob, table))["code"] == "not-seated"
        assert await drop(ann, table) is None
        assert table not in str(await bob.get("/api/lobby"))
        assert (await bob.do(table, "sit"))["code"] == "started"
        assert (await ann.get(f"/api/tables/{table}/record"))["code"] == "not-started"


@on_a_loop
async def test_what_others_play_too_or_what_counts_is_not_put_away(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit)
        clock = {"kind": "move", "seconds": 3600}
        rated = (await ann.open("connect_four", "me", "bot", rated=True, clock=clock))["id"]
        for key, why in ((table, "Other people"), (rated, "rated match")):
            refused = await drop(ann, key)
            assert (refused["code"], why in refused["sentence"]) == ("not-yours", True)
            shown = await ann.look(key)
            assert (shown["state"], "drop" in shown["may"]) == ("running", False)
        await bob.do(table, "resign")
        assert (await drop(ann, table))["code"] == "game-over"


# Again


async def ask_again(guest: Guest, table: str) -> Json:
    return await guest.do(table, "offer", kind="rematch")


@on_a_loop
async def test_a_rematch_begins_when_the_other_agrees(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob, table = await pair(visit, clock={"kind": "move", "seconds": 100})
        eve = await visit.guest("Eve")
        a, b, e = [await guest.watch(table) for guest in (ann, bob, eve)]
        assert (await a.do("resign"))["type"] == "accepted"
        offered = await a.do("offer", kind="rematch", id="again")
        assert (offered["type"], offered["table"]) == ("accepted", None)
        for live, may in ((a, False), (b, True), (e, False)):
            shown = await live.until(lambda shown: shown["offer"])
            assert shown["offer"] == {"kind": "rematch", "seat": 0, "agreed": [0]}
            assert (shown["rematch"], "reply" in shown["may"]) == (None, may)
            assert "rematch" not in shown["may"]
        again = (await b.do("reply", accept=True, id="yes"))["table"]
        for live in (a, b, e):  # who looks on may follow
            shown = await live.until(lambda shown: shown["rematch"])
            assert (shown["rematch"], shown["offer"]) == (again, None)
            assert not {"rematch", "reply"} & set(shown["may"])
        begun = await ann.until(again, lambda shown: shown["state"] == "running")
        assert [seat["player"] for seat in begun["seats"]] == [bob.id, ann.id]
        assert begun["clock"] == {"kind": "move", "seconds": 100, "increment": 0}
        assert begun["commitment"] != a.table["commitment"]
        assert (await bob.do(again, "play", ply=0, move="a"))["type"] == "accepted"
        assert (await a.do("offer", kind="rematch", id="again"))["table"] == again
        assert (await b.do("reply", accept=True, id="yes"))["table"] == again
        assert (await ask_again(bob, table))["table"] == again
        assert (await eve.do(again, "sit"))["code"] == "started"


@on_a_loop
async def test_a_rematch_asked_for_by_both_at_once_is_one_table(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob, table = await pair(visit)
        await ann.do(table, "resign")
        guests = (ann, bob, ann, bob)
        await asyncio.gather(*(ask_again(guest, table) for guest in guests))
        shown = await ann.until(table, lambda shown: shown["rematch"])
        mine = (await bob.get("/api/lobby"))["mine"]
        assert {found["id"] for found in mine} == {table, shown["rematch"]}


@pytest.mark.parametrize("who", [0, 1], ids=["withdrawn", "declined"])
@on_a_loop
async def test_a_rematch_that_is_declined_opens_nothing(server: Server, who: int) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit)
        await ann.do(table, "resign")
        await ask_again(ann, table)
        await (ann, bob)[who].do(table, "reply", accept=False)
        shown = await bob.look(table)
        assert (shown["offer"], shown["rematch"]) == (None, None)
        assert shown["declined"] == {"kind": "rematch", "seat": who}
        assert "rematch" in shown["may"]
        assert (await bob.do(table, "reply", accept=True))["code"] == "game-over"
        await ask_again(bob, table)
        assert (await bob.look(table))["declined"] is None


@on_a_loop
async def test_what_was_said_goes_on_at_the_table_of_the_rematch(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit)
        eve = await visit.guest("Eve")
        await ann.do(table, "mute", player=eve.id)
        for text in ("hello", "good game"):
            await bob.do(table, "chat", text=text)
        await ann.do(table, "resign")
        await ask_again(bob, table)
        again = (await ask_again(ann, table))["table"]
        shown = await bob.look(again)
        assert [line["text"] for line in shown["chat"]] == ["hello", "good game"]
        assert [line["number"] for line in shown["chat"]] == [1, 2]
        assert (shown["host"], shown["creator"]) == ("Ann", ann.id)
        assert (await eve.do(again, "chat", text="me too"))["code"] == "muted"
        await ann.do(again, "chat", text="once more")
        assert (await ann.look(again))["chat"][-1]["number"] == 3


@on_a_loop
async def test_friends_at_one_device_get_all_their_seats_again(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        seats = [{"kind": "me"}, {"kind": "me", "name": "Ben"}, {"kind": "open"}]
        wish: Json = {"game": "catan_dice", "options": {"players": 3}, "order": "fixed"}
        table = (await ann.post("/api/tables", **wish, seats=seats))["id"]
        await bob.do(table, "sit")
        for _ in range(2):
            await ann.do(table, "resign")
        await ask_again(ann, table)
        assert (await ann.look(table))["offer"]["agreed"] == [0, 1]
        again = (await bob.do(table, "reply", accept=True))["table"]
        shown = await ann.look(again)
        assert (shown["state"], shown["mine"]) == ("running", [0, 2])
        assert [seat["name"] for seat in shown["seats"]] == ["Ben", "Bob", "Ann"]


@pytest.mark.parametrize("seats", [("me", "bot"), ("me", "me"), ("me",)], ids=str)
@on_a_loop
async def test_a_rematch_without_other_people_begins_at_once(
    server: Server, seats: tuple[str, ...]
) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        options = {"players": len(seats)}
        table = (await ann.open("catan_dice", *seats, options=options))["id"]
        await ann.do(table, "resign")
        again = (await ask_again(ann, table))["table"]
        shown: Json = await ann.until(again, lambda shown: shown["match"]["legal"])
        assert shown["state"] == "running"
        assert isinstance(await ann.watch(again), Live)


@on_a_loop
async def test_what_is_declined_is_told_until_something_else_happens(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit)
        for ply, (offering, asked) in enumerate(((ann, bob), (bob, ann))):
            await offering.do(table, "offer", kind="draw")
            assert (await ann.look(table))["declined"] is None
            await asked.do(table, "reply", accept=False)
            declined = {"kind": "draw", "seat": 1 - ply}
            assert (await (await visit.stranger()).look(table))["declined"] == declined
            assert (await offering.look(table))["declined"] == declined
            await offering.do(table, "play", ply=ply, move="a")
            assert (await offering.look(table))["declined"] is None
