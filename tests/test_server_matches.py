"""Whole matches: people, bots, take-backs, draws, resigning, playing again."""

import asyncio
import hashlib
import random
from typing import Any

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
    assert hashlib.sha256(bytes.fromhex(record["seed"])).hexdigest() == table["commitment"]
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
            "winners": [0, 1],
            "scores": [0, 0],
            "places": [0, 0],
        }


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


# Again


@on_a_loop
async def test_a_rematch_asked_for_by_both_at_once_is_one_table(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob, table = await pair(visit, clock={"kind": "move", "seconds": 100})
        a, b = await ann.watch(table), await bob.watch(table)
        await a.do("resign")
        answers = await asyncio.gather(a.do("rematch"), b.do("rematch"), ann.do(table, "rematch"))
        (again,) = {answer["table"] for answer in answers}
        shown = await ann.until(again, lambda shown: shown["state"] == "running")
        assert [seat["player"] for seat in shown["seats"]] == [bob.id, ann.id]
        assert shown["clock"] == {"kind": "move", "seconds": 100, "increment": 0}
        assert (await ann.until(table, lambda shown: shown["rematch"]))["rematch"] == again
        assert shown["commitment"] != a.table["commitment"]
        assert (await bob.do(again, "play", ply=0, move="a"))["type"] == "accepted"


@on_a_loop
async def test_a_rematch_keeps_places_for_those_who_played(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit)
        eve = await visit.guest("Eve")
        await ann.do(table, "resign")
        again = (await ann.do(table, "rematch"))["table"]
        assert (await eve.do(again, "sit"))["code"] == "no-seat"
        assert (await eve.do(again, "sit", seat=0))["code"] == "not-invited"
        assert (await bob.do(again, "sit"))["type"] == "accepted"
        assert (await bob.look(again))["state"] == "running"


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
        again = (await bob.do(table, "rematch"))["table"]
        assert (await ann.do(table, "rematch"))["table"] == again
        shown = await ann.look(again)
        assert (shown["state"], shown["mine"]) == ("running", [0, 2])
        assert [seat["name"] for seat in shown["seats"]] == ["Ben", "Bob", "Ann"]


@on_a_loop
async def test_a_rematch_against_a_bot_begins_at_once(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        table = (await ann.open("connect_four", "me", "bot"))["id"]
        await ann.do(table, "resign")
        again = (await ann.do(table, "rematch"))["table"]
        shown: Json = await ann.until(again, lambda shown: shown["match"]["legal"])
        assert (shown["mine"], len(shown["match"]["log"])) == ([1], 1)
        assert isinstance(await ann.watch(again), Live)
