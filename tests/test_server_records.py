"""Matches that leave a server, come in, and go on: sheets, imports, branches."""

import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import kwartet
from kwartet.core.fairness import commitment, verify
from kwartet.core.records import line_of, read_record
from kwartet.core.sheets import LANGUAGES, write_sheet
from kwartet.games import find
from kwartet.server import messages as m
from kwartet.server.afterwards import Branch, ImportRecord
from kwartet.server.importing import followed, plan_import, recognised
from tests.lengths import much
from tests.serving import (
    Guest,
    Json,
    Server,
    on_a_loop,
    pair,
    play_on,
    visiting,
    watched_pair,
)
from tests.test_records import EARLIER
from tests.test_server_matches import SMALL, by_luck
from tests.test_server_steps import ANN, BOB, hall_of


def recorded(game: str, seed: int = 1, **options: Any) -> Json:
    """The record of a random match that was played to its end."""
    match = kwartet.new(game, seed=seed, **(SMALL[game] | options))
    luck = random.Random(seed)
    while match.actor is not None:
        match.play(luck.choice(match.legal_actions()))
    return match.record()


async def bring(guest: Guest, text: str, **how: Any) -> Json:
    answer: Json = await guest.post("/api/records", text=text, **how)
    return answer


async def check(guest: Guest, text: str, **how: Any) -> Json:
    answer: Json = await guest.post("/api/records/check", text=text, **how)
    return answer


def told_to(record: Json, seat: int | None) -> list[str]:
    """The moves as a seat knew them."""
    return kwartet.replay(record).log(seat)


async def record_of(guest: Guest, table: str) -> Json:
    record: Json = await guest.get(f"/api/tables/{table}/record")
    return record


# Sheets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SMALL)
@on_a_loop
async def test_a_finished_match_has_a_sheet_that_is_its_record(server: Server, game: str) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Zoë: 1")
        opened = await ann.open(game, "me", "bot", options=SMALL[game])
        path = f"/api/tables/{opened['id']}/sheet"
        assert (await ann.get(path))["code"] == "not-over"
        await play_on([await ann.watch(opened["id"])], by_luck(1))
        record = await record_of(ann, opened["id"])
        for language in LANGUAGES:
            sheet = await ann.get(f"{path}?language={language}")
            assert read_record(sheet) == record
            assert sheet == write_sheet(record, find, language)
        assert (await ann.get(f"{path}?language=xx"))["code"] == "bad-option"
        response = await ann.http.get(server.url + path)
        name = unquote(response.headers["content-disposition"].partition("UTF-8''")[2])
        assert name.startswith(game)
        assert name.endswith("Zoë__1-novice.txt")


# Imports --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["json", "sheet", "typed"])
@pytest.mark.parametrize("game", SMALL)
@on_a_loop
async def test_a_match_from_elsewhere_becomes_a_finished_table(
    each_server: Server, game: str, form: str
) -> None:
    async with visiting(each_server) as visit:
        ann = await visit.guest("Ann")
        record = recorded(game) | {"players": ["Bob", "bot:expert"], "at": 1795000000.5}
        typed = ", ".join(f"{n}. {move}" for n, move in enumerate(record["moves"], 1))
        texts = {"json": line_of(record), "sheet": write_sheet(record, find, "fr"), "typed": typed}
        how: Json = {}
        if form == "typed":
            how = {"game": game, "options": record["options"], "players": record["players"]}
        found = await check(ann, texts[form], **how)
        assert found["moves"] == record["moves"]
        assert (found["over"], found["actor"], found["trouble"]) == (True, None, None)
        assert found["players"] == ["Bob", "bot:expert"]
        assert (await ann.get("/api/lobby"))["mine"] == []

        table = await bring(ann, texts[form], **how)
        assert (table["state"], table["imported"], table["origin"]) == ("over", True, None)
        assert (table["creator"], table["listed"], table["rated"]) == (ann.id, False, False)
        assert table["mine"] == []
        assert "rematch" not in table["may"]
        assert table["seats"][0]["name"] == "Bob"
        assert table["seats"][0]["player"] is None
        assert (table["seats"][1]["kind"], table["seats"][1]["level"]) == ("bot", "expert")
        assert table["match"]["log"] == told_to(record, None)
        assert table["result"]["reason"] == "played"
        assert table["result"]["winners"] == record["winners"]
        (listed,) = (await ann.get("/api/tables?mine=1"))["tables"]
        assert (listed["id"], listed["imported"]) == (table["id"], True)
        assert [mine["id"] for mine in (await ann.get("/api/lobby"))["mine"]] == [table["id"]]
        assert (await ann.get(f"/api/players/{ann.id}/history"))["matches"] == []
        profile = await ann.get(f"/api/players/{ann.id}")
        assert (profile["counts"], profile["ratings"]) == ({}, {})

        replay = await ann.get(f"/api/tables/{table['id']}/replay?seat=1")
        assert (replay["total"], replay["log"]) == (len(record["moves"]), told_to(record, 1))

        told = await record_of(ann, table["id"])
        kept = {"game", "rules", "options", "moves", "scores", "winners", "players"}
        kept |= set() if form == "typed" else {"seed", "at"}
        assert {name: told.get(name) for name in kept} == {name: record[name] for name in kept}
        assert told["imported"] is True
        if form == "typed":
            assert not {"seed", "commitment", "at"} & told.keys()
            assert table["commitment"] == ""
        else:
            assert verify(told, find, table["commitment"]).problem is None
        assert read_record(await ann.get(f"/api/tables/{table['id']}/sheet?language=de")) == told
        again = await bring(ann, line_of(told))
        assert (await record_of(ann, again["id"])) == told | {"table": again["id"]}


@on_a_loop
async def test_an_imported_best_score_is_nobodys(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        await bring(ann, line_of(recorded("catan_dice", players=1) | {"players": ["Ann"]}))
        assert await ann.get(f"/api/players/{ann.id}/bests/catan_dice") == []
        assert (await ann.get(f"/api/players/{ann.id}"))["counts"] == {}


@on_a_loop
async def test_a_table_of_this_server_comes_back_with_its_lot_and_its_seal(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, "kwatro", order="lot")
        await play_on([await ann.watch(table), await bob.watch(table)], by_luck(3))
        record = await record_of(ann, table)
        eve = await visit.guest("Eve")
        brought = await bring(eve, await eve.get(f"/api/tables/{table}/sheet?language=nl"))
        told = await record_of(eve, brought["id"])
        assert told == record | {"table": brought["id"], "imported": True}
        assert verify(told, find, record["commitment"]).problem is None
        assert (await ann.get(f"/api/players/{ann.id}/history"))["matches"][0]["table"] == table
        assert len((await ann.get(f"/api/players/{ann.id}/history"))["matches"]) == 1
        forged = await bring(eve, line_of(record | {"lot": record["lot"][::-1]}))
        assert "not drawn" in str(verify(await record_of(eve, forged["id"]), find).problem)


@on_a_loop
async def test_a_match_that_was_broken_off_comes_in_as_its_result_says(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, "carnac")
        live = await ann.watch(table)
        await live.play(live.table["match"]["legal"][0])
        await bob.do(table, "resign")
        record = await record_of(ann, table)
        assert (await check(ann, line_of(record)))["over"] is True
        brought = await bring(ann, line_of(record))
        assert (brought["result"]["reason"], brought["result"]["winners"]) == ("resigned", [0])
        for wrong in ({"places": [0, 0]}, {"winners": [0, 0]}, {"winners": [1]}):
            text = line_of(record | {"result": record["result"] | wrong})
            assert (await bring(ann, text))["code"] == "bad-record", wrong
        del record["result"]["outcomes"]  # as the first servers wrote it
        assert (await bring(ann, line_of(record)))["result"] == brought["result"]
        del record["result"]
        under_way = await check(ann, line_of(record))
        assert (under_way["over"], under_way["actor"]) == (False, 1)
        assert under_way["legal"]
        assert (await bring(ann, line_of(record)))["code"] == "not-over"


@pytest.mark.parametrize("record", EARLIER)
@on_a_loop
async def test_a_record_of_an_earlier_version_comes_in_and_goes_on(
    server: Server, record: Json
) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        match = kwartet.replay(record)
        while match.actor is not None:
            match.play(match.legal_actions()[-1])
        table = await bring(ann, line_of(match.record()))
        assert (table["rules"], table["trouble"]) == (1, None)
        told = await record_of(ann, table["id"])
        assert verify(told, find).problem is None
        decided = [ply for ply, move in enumerate(match.moves) if not move.startswith("*")]
        wish = {"ply": decided[-1] + 1, "seats": []}
        refused = await ann.post(f"/api/tables/{table['id']}/branch", **wish)
        assert refused["code"] == "game-over"
        seats = [{"kind": "me"}, *[{"kind": "bot", "level": "novice"}] * (match.seats - 1)]
        for chance, rules in (("same", 1), ("anew", match.game.version)):
            wish = {"ply": decided[-1], "seats": seats, "chance": chance}
            on = await ann.post(f"/api/tables/{table['id']}/branch", **wish)
            assert (on["rules"], on["origin"]["chance"]) == (rules, chance)
            await play_on([await ann.watch(on["id"])], by_luck(1))
            assert verify(await record_of(ann, on["id"]), find).problem is None


@on_a_loop
async def test_moves_of_a_real_table_are_checked_one_by_one(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        how: Json = {"game": "kwatro", "options": {"players": 2}, "players": ["Ann", "Grandma"]}
        cards = ["*BT4", "*BX2", "*GT3", "*YC1", "*GC3", "*YT1", "*RT2", "*GX4", "*GS4"]
        empty = await check(ann, "", **how)
        assert (empty["actor"], empty["over"], empty["trouble"]) == (-1, False, None)
        assert all(move.startswith("*") for move in empty["legal"])
        text = "\n".join(cards) + "\n1. BT4@0,1, BX2@1,1; done\n"
        good = await check(ann, text, **how)
        assert good["moves"] == [*cards, "BT4@0,1", "BX2@1,1", "done"]
        assert (good["actor"], good["trouble"]) == (-1, None)
        bad = await check(ann, f"{text}*YS2, *BC2, GT3@9,9, done", **how)
        trouble = bad["trouble"]
        assert bad["moves"] == [*good["moves"], "*YS2", "*BC2"]
        assert (trouble["ply"], trouble["move"]) == (len(bad["moves"]), "GT3@9,9")
        assert trouble["sentence"]
        assert "Possible" not in trouble["sentence"]
        assert trouble["possible"] == bad["legal"][: len(trouble["possible"])] != []
        assert trouble["reason"] is None or trouble["reason"]["game"] == "kwatro"
        assert (bad["actor"], bad["over"], bad["players"]) == (1, False, ["Ann", "Grandma"])
        refused = await bring(ann, f"{text}*YS2, *BC2, GT3@9,9, done", **how)
        assert refused["code"] == "bad-record"
        assert "Move 15, 'GT3@9,9', is bad." in refused["sentence"]
        assert (await check(ann, text))["code"] == "bad-request"
        assert (await ann.get("/api/lobby"))["mine"] == []


def changed(**change: Any) -> str:
    return json.dumps(recorded("connect_four") | change)


GOOD = line_of(recorded("connect_four"))
RESULT = {"reason": "played", "winners": [0], "scores": [1, 0], "places": [0, 1]}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "bad-record"),
        (GOOD[:-40], "bad-record"),
        (GOOD + GOOD, "bad-record"),
        ("[" * 30_000, "bad-record"),
        ('{"kwartet": 1, "x": ' * 2_000, "bad-record"),
        ('{"kwartet": NaN}', "bad-record"),
        ("{}", "bad-record"),
        ("[]", "bad-record"),
        ("Kwartet 1\nGame: connect_four\nfoo", "bad-record"),
        ("Kwartet 1\nGame: connect_four", "bad-record"),
        ("\0", "bad-request"),
        ("x" * 60_001, "bad-request"),
        (changed(rules=99), "wrong-rules"),
        (changed(game="chess"), "unknown-game"),
        (changed(game=["connect_four"]), "bad-record"),
        (changed(options={"players": 9}), "bad-option"),
        (changed(moves=["\ud800"]), "bad-record"),
        (changed(moves=["a"] * 7), "bad-record"),
        (changed(scores=[9, 9]), "bad-record"),
        (changed(winners=[0, 1]), "bad-record"),
        (changed(seed="zz"), "bad-record"),
        (changed(commitment="00" * 32), "bad-record"),
        (changed(players=[1, 2]), "bad-record"),
        (changed(players=["a", "b", "c"]), "bad-request"),
        (changed(at=1e300), "bad-record"),
        (changed(at="now"), "bad-record"),
        (changed(order="lot"), "bad-record"),
        (changed(order="lot", lot=[0, 0]), "bad-record"),
        (changed(origin={"table": "x", "ply": 900}), "bad-record"),
        (changed(origin={"table": "x" * 65, "ply": 1}), "bad-record"),
        (changed(result=RESULT | {"reason": "resigned"}), "bad-record"),
        (changed(result=RESULT | {"scores": [7, 7]}), "bad-record"),
        (changed(result=RESULT | {"places": [0]}), "bad-record"),
        (changed(result=RESULT | {"winners": [5]}), "bad-record"),
        (changed(result="won"), "bad-record"),
    ],
    ids=range(35),
)
@on_a_loop
async def test_a_bad_record_is_a_sentence_and_nothing_is_kept(
    server: Server, text: str, code: str
) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        for path in ("/api/records", "/api/records/check"):
            answer = await ann.post(path, text=text)
            if path.endswith("check") and "trouble" in answer:
                assert answer["trouble"]["sentence"]
                continue
            assert answer["code"] == code, answer
            assert len(answer["sentence"]) < 500
        assert (await ann.get("/api/lobby"))["mine"] == []
        assert server.faults == ""


@on_a_loop
async def test_too_much_is_refused(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        body = json.dumps({"text": "x" * 400_000})
        how: Json = {"content": body, "headers": {"content-type": "application/json"}}
        for path in ("/api/records", "/api/records/check"):
            response = await ann.http.post(server.url + path, **how)
            assert (response.status_code, response.json()["code"]) == (413, "too-large")
        padded = "Kwartet 1\n" + "#\n" * 20_000 + "Game: connect_four\nRules: 1\nOptions:\nMoves: d"
        assert (await check(ann, padded))["moves"] == ["d"]


@on_a_loop
async def test_who_brings_in_without_end_is_slowed_down(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", "--identity-rate", "4", "--address-rate", "100000")
    server.start()
    try:
        async with visiting(server) as visit:
            ann = await visit.guest()
            codes = [(await bring(ann, GOOD)).get("code") for _ in range(6)]
            assert (codes[0], codes[-1]) == (None, "too-many")
            kept = len((await ann.get("/api/tables?mine=1"))["tables"])
            assert kept == codes.count(None) <= 5
            table = (await ann.get("/api/tables?mine=1"))["tables"][0]["id"]
            assert (await go_on(ann, table, 1))["code"] == "too-many"
            eve = await visit.guest()
            codes = [(await check(eve, GOOD)).get("code") for _ in range(12)]
            assert (codes[0], codes[-1]) == (None, "too-many")
    finally:
        server.stop()


@on_a_loop
async def test_names_are_cleaned_and_who_has_none_is_numbered(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        table = await bring(ann, changed(players=["A\u202e\ud800\n" + "b" * 40, " "]))
        assert [seat["name"] for seat in table["seats"]] == ["A " + "b" * 22, "Player 2"]
        table = await bring(ann, changed(players=["bot:god", "bot:master"]))
        assert [seat["kind"] for seat in table["seats"]] == ["person", "bot"]


# Playing on -----------------------------------------------------------------------------------

ME_AND_BOT = [{"kind": "me"}, {"kind": "bot", "level": "novice"}]


async def finished(guest: Guest, game: str) -> tuple[str, Json]:
    """A match against a bot that is over, and its record."""
    opened = await guest.open(game, "me", "bot", options=SMALL[game], rated=False)
    await play_on([await guest.watch(opened["id"])], by_luck(5))
    return opened["id"], await record_of(guest, opened["id"])


async def go_on(guest: Guest, table: str, ply: int, **wish: Any) -> Json:
    wish = {"seats": ME_AND_BOT} | wish
    answer: Json = await guest.post(f"/api/tables/{table}/branch", ply=ply, **wish)
    return answer


@pytest.mark.parametrize("chance", ["anew", "same"])
@pytest.mark.parametrize(
    ("each_server", "game"),
    [
        *(("sqlite", game) for game in SMALL),
        *(("postgres", game) for game in much(["carnac"], [*SMALL])),  # a store knows no game
    ],
    indirect=["each_server"],
)
@on_a_loop
async def test_one_plays_on_from_any_position(each_server: Server, game: str, chance: str) -> None:
    async with visiting(each_server) as visit:
        ann = await visit.guest("Ann")
        table, record = await finished(ann, game)
        moves = record["moves"]
        decided = [ply for ply, move in enumerate(moves) if not move.startswith("*")]
        for ply in {0, 1, len(moves) // 2, decided[-1]}:
            on = await go_on(ann, table, ply, chance=chance)
            assert on["origin"] == {"table": table, "ply": ply, "chance": chance}
            assert (on["rated"], on["listed"], on["order"]) == (False, False, "fixed")
            assert (on["hints"], on["takeback"]) == (True, True)
            same = on["commitment"] == commitment(bytes.fromhex(record["seed"]))
            assert same == (chance == "same")
            over = await play_on([await ann.watch(on["id"])], by_luck(6))
            told = await record_of(ann, on["id"])
            assert told["moves"][:ply] == moves[:ply]
            assert told["origin"] == on["origin"]
            assert kwartet.replay(told).scores() == over["result"]["scores"]
            verdict = verify(told, find, on["commitment"])
            assert (verdict.problem, verdict.since) == (None, ply)
            assert read_record(await ann.get(f"/api/tables/{on['id']}/sheet")) == told
        assert (await record_of(ann, table)) == record


@on_a_loop
async def test_what_came_in_and_what_goes_on_is_in_the_log(tmp_path: Path) -> None:
    record = recorded("kwatro") | {"players": ["Ann", "bot:expert"]}
    async with hall_of(tmp_path) as hall:
        draft = followed(recognised(ImportRecord(line_of(record))), None)
        brought = await hall.opening.bring_in(*plan_import(ANN, draft))
        seats = [m.SeatWish("me"), m.SeatWish("invite")]
        on = await hall.opening.branch(ANN, brought.story, Branch(30, seats))
        keys = brought.story.id, on.story.id
    async with hall_of(tmp_path) as hall:
        brought, on = [await hall.table(key) for key in keys]
        assert list(brought.story.moves) == record["moves"]
        assert await hall.store.history("bot:expert") == []
        assert on.story.moves == ()
        await on.handle(BOB, m.Sit(invite=on.story.invitation))
        assert list(on.story.moves[:30]) == record["moves"][:30]
        before = on.story
    async with hall_of(tmp_path) as hall:
        on = await hall.table(keys[1])
        assert on.story == before
        assert on.match is not None
        assert tuple(on.match.moves) == before.moves


@on_a_loop
async def test_luck_comes_as_it_came_or_anew(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        table, record = await finished(ann, "kwatro")
        ply = next(n for n, move in enumerate(record["moves"]) if n > 12 and move.startswith("*"))
        drawn = record["moves"][ply]
        same = await go_on(ann, table, ply, chance="same")
        assert same["match"]["view"]["ply"] > ply
        seen = set()
        for chance in ("same", "anew"):
            for _ in range(6):
                on = await go_on(ann, table, ply, chance=chance)
                await ann.do(on["id"], "resign")
                seen.add((chance, (await record_of(ann, on["id"]))["moves"][ply]))
        assert {move for chance, move in seen if chance == "same"} == {drawn}
        assert len({move for chance, move in seen if chance == "anew"}) > 1


@on_a_loop
async def test_nothing_behind_the_position_is_taken_back(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        table, record = await finished(ann, "carnac")
        ply = len(record["moves"]) // 2
        both = [{"kind": "me"}, {"kind": "me", "name": "Bob"}]
        on = await go_on(ann, table, ply, seats=both)
        assert "takeback" not in on["may"]
        assert (await ann.do(on["id"], "offer", kind="takeback"))["code"] == "nothing-to-undo"
        live = await ann.watch(on["id"])
        await live.play(live.table["match"]["legal"][0])
        assert "takeback" in (await ann.look(on["id"]))["may"]
        assert (await ann.do(on["id"], "offer", kind="takeback"))["type"] == "accepted"
        back = await ann.look(on["id"])
        assert (len(back["match"]["log"]), "takeback" in back["may"]) == (ply, False)


@on_a_loop
async def test_the_same_people_play_on_by_invitation_and_then_again(server: Server) -> None:
    async with visiting(server) as visit:
        first, second, table = await watched_pair(visit, "connect_four")
        await play_on([first, second], by_luck(4))
        ann, bob = await visit.guests("Ann", "Bob")
        on = await go_on(ann, table, 3, seats=[{"kind": "invite"}, {"kind": "me"}])
        assert (on["state"], on["match"]) == ("open", None)
        assert (await bob.do(on["id"], "sit", invite=on["invite"]))["type"] == "accepted"
        begun = await bob.look(on["id"])
        assert (begun["state"], len(begun["match"]["log"])) == ("running", 3)
        lives = [await bob.watch(on["id"]), await ann.watch(on["id"])]
        await play_on(lives, by_luck(4))
        await ann.do(on["id"], "offer", kind="rematch")
        again = (await bob.do(on["id"], "reply", accept=True))["table"]
        anew = await ann.look(again)
        assert (anew["origin"], anew["match"]["log"]) == (None, [])


@on_a_loop
async def test_what_cannot_go_on_is_refused_and_no_table_is_opened(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        table, record = await finished(ann, "connect_four")
        running = (await ann.open("connect_four", "me", "bot"))["id"]
        typed = await bring(
            ann, ";".join(record["moves"]), game="connect_four", options=record["options"]
        )
        last = len(record["moves"])
        before = len((await ann.get("/api/tables?mine=1"))["tables"])
        for where, ply, wish, code in (
            (running, 0, {}, "not-over"),
            ("nowhere", 0, {}, "unknown-table"),
            (table, last, {}, "game-over"),
            (table, last + 1, {}, "unknown-ply"),
            (table, -1, {}, "bad-request"),
            (table, "1", {}, "bad-request"),
            (table, 1, {"seats": []}, "bad-request"),
            (table, 1, {"seats": ME_AND_BOT * 2}, "bad-request"),
            (table, 1, {"seats": [ME_AND_BOT[1]] * 2}, "bad-request"),
            (table, 1, {"chance": "kind"}, "bad-request"),
            (typed["id"], 1, {"chance": "same"}, "bad-request"),
        ):
            answer = await go_on(ann, where, ply, **wish)  # type: ignore[arg-type]
            assert answer["code"] == code, (where, ply, wish)
        assert len((await ann.get("/api/tables?mine=1"))["tables"]) == before
        assert (await go_on(ann, typed["id"], 1))["state"] == "running"


@on_a_loop
async def test_a_match_that_was_broken_off_goes_on_from_its_last_position(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit, "catan_dice", options={"players": 2})
        await ann.do(table, "resign")
        record = await record_of(ann, table)
        on = await go_on(ann, table, len(record["moves"]))
        assert (on["state"], on["match"]["log"]) == ("running", record["moves"])
        await ann.do(on["id"], "resign")
        assert (await ann.look(on["id"]))["state"] == "over"
        counts = (await ann.get(f"/api/players/{ann.id}"))["counts"]["catan_dice"]
        assert counts["lost"] == 1, "a match that was played on counted"


@on_a_loop
async def test_a_record_keeps_the_time_of_its_end(server: Server) -> None:
    async with visiting(server) as visit:
        ann, eve, table = await pair(visit)
        await eve.do(table, "resign")
        record = await record_of(ann, table)
        await ann.do(table, "chat", text="Well played")
        await ann.do(table, "offer", kind="rematch")
        await eve.do(table, "reply", accept=True)
        assert await record_of(ann, table) == record
