"""Why a move is refused: exact, in parts, the same in Python, over HTTP and over a socket."""

import json
import random
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

import kwartet
from kwartet.core.errors import GameError
from kwartet.core.match import Match
from tests.cases import each_of_ours
from tests.serving import Server, on_a_loop, pair, visiting

Json = dict[str, Any]


def carat_moves(match: Match) -> Iterator[str]:
    cells = [f"{column}{row}" for column, row in product("abcdef", range(1, 7))]
    hues = ["".join(order) for order in product("RYBG", repeat=4) if len(set(order)) == 4]
    for cell, value, order in product(cells, range(1, 7), hues):
        yield f"{cell}={value}{order}"


def carnac_moves(match: Match) -> Iterator[str]:
    for column, row, top, side in product("abcdefghijklmn", range(1, 10), "rw", "rw"):
        yield f"{column}{row}{top}{side}"
    yield from ("tilt N", "tilt E", "tilt S", "tilt W", "stand")


def catan_dice_moves(match: Match) -> Iterator[str]:
    for size in range(6):
        for faces in combinations_with_replacement("ogwtb$", size):
            yield f"keep {''.join(faces)}".strip()
    yield from ("stop", "end", *(f"trade {face}" for face in "ogwtb"))
    yield from (f"joker {knight} {face}" for knight in range(1, 6) for face in "ogwtb$")
    yield from (f"joker 6 {face} {turned}" for face in "ogwtb$" for turned in "ogwtb")
    yield from (f"R{road}" for road in range(16))
    yield from ("S3", "S4", "S5", "S7", "S9", "S11", "C7", "C12", "C20", "C30")
    yield from (f"K{knight}" for knight in range(1, 7))


def kwatro_moves(match: Match) -> Iterator[str]:
    view = match.view(match.actor)
    cards = ["J", *("".join(card) for card in product("BGRY", "CSTX", "1234"))]
    field = view["field"]
    columns = range(min(c["x"] for c in field) - 2, max(c["x"] for c in field) + 3)
    rows = range(min(c["y"] for c in field) - 2, max(c["y"] for c in field) + 3)
    hand = view["hands"][match.actor]
    for swap, card, x, y in product(("", "swap "), {*hand, *cards[::9]}, columns, rows):
        yield f"{swap}{card}@{x},{y}"
    for size in range(5):
        for chosen in combinations_with_replacement(sorted({*hand, *cards[::12]}), size):
            yield " ".join(["pass", *chosen])
    yield "done"


MOVES: dict[str, Callable[[Match], Iterator[str]]] = {
    "carat": carat_moves,
    "carnac": carnac_moves,
    "catan_dice": catan_dice_moves,
    "kwatro": kwatro_moves,
}


@each_of_ours
def test_there_is_a_reason_exactly_where_a_move_is_not_legal(
    key: str, options: dict[str, Any]
) -> None:
    luck = random.Random(f"why {key} {options}")
    match = kwartet.new(key, seed=3, **options)
    known = set()
    while match.actor is not None:
        if luck.random() < 0.25:
            legal = set(match.legal())
            writable = list(MOVES[key](match))
            assert legal <= set(writable)
            for move in {*luck.sample(writable, min(60, len(writable))), *sorted(legal)[:9]}:
                why = match.why(move, seat=match.actor)
                assert (why is None) == (move in legal), (move, why)
                if why:
                    assert why["game"] == key
                    json.dumps(why)
                    known.add(why["reason"])
        match.play(luck.choice(match.legal()))
    assert len(known) > 2


def after(key: str, *moves: str, **options: Any) -> Match:
    match = kwartet.new(key, auto_chance=False, **options)
    match.follow(moves)
    return match


def parts(why: Json) -> Json:
    """What an objection says besides that it is empty of the rest."""
    return {name: part for name, part in why.items() if part and name != "game"}


def test_carnac_names_what_is_in_the_way_of_a_fall() -> None:
    match = after("carnac", "c1wr", "stand", "b1rr", board="small")
    assert parts(match.why("tilt N")) == {
        "reason": "fall",
        "square": "b1",
        "direction": "N",
        "outside": True,
    }
    assert parts(match.why("tilt E")) == {
        "reason": "fall",
        "square": "b1",
        "direction": "E",
        "taken": ["c1"],
    }
    west = match.why("tilt W")
    assert (west["outside"], west["taken"]) == (True, [])
    assert parts(match.why("d4rr")) == {"reason": "tilt", "square": "b1"}
    match.play("stand")
    assert parts(match.why("stand")) == {"reason": "place"}
    assert parts(match.why("c1rr")) == {"reason": "taken", "square": "c1"}
    assert parts(match.why("a9rr")) == {"reason": "outside", "square": "a9"}


def test_the_catan_dice_game_names_what_is_missing() -> None:
    match = after("catan_dice", "*ogwt$$", same_turn_joker=False)
    assert parts(match.why("keep ooggg")) == {
        "reason": "dice",
        "faces": "ooggg",
        "missing": "ogg",
    }
    assert parts(match.why("keep oooooo"))["missing"] == "ooooo"
    assert parts(match.why("R0")) == {"reason": "rolling"}
    match.play("stop")
    assert parts(match.why("keep o")) == {"reason": "stands"}
    assert parts(match.why("R0")) == {
        "reason": "cost",
        "site": "R0",
        "faces": "tb",
        "missing": "b",
    }
    assert parts(match.why("S4")) == {"reason": "order", "site": "S4", "needs": "S3"}
    assert parts(match.why("R15"))["reason"] == "road"
    assert parts(match.why("joker 2 o")) == {"reason": "knight", "number": 2}
    match.follow(["K1"])
    assert parts(match.why("K1")) == {"reason": "built", "site": "K1"}
    assert parts(match.why("joker 1 t")) == {"reason": "new", "number": 1}
    match.follow(["trade b"])
    assert parts(match.why("trade b")) == {"reason": "gold", "missing": "$$"}


def test_a_game_without_reasons_answers_none_and_still_objects() -> None:
    match = after("connect_four", *"aaaaaa")
    assert match.why("a") is None
    with pytest.raises(GameError, match="Column a is full"):
        match.play("a")


def test_only_what_can_be_read_and_is_one_s_turn_is_explained() -> None:
    match = kwartet.new("carat", seed=1)
    for move, seat, code in (
        ("nonsense", 0, "bad-notation"),
        ("a1=1RYBG", 1, "not-your-turn"),
        ("*5RYGB", 0, "illegal-move"),  # chance's, so the game has nothing to say on it
    ):
        with pytest.raises(GameError) as refused:
            match.why(move, seat=seat)
        assert refused.value.code == code
    with pytest.raises(GameError) as early:
        match.why("a1=1RYBG", ply=0)
    assert early.value.code == "stale-ply"


@on_a_loop
async def test_refusals_have_the_reason_and_it_can_be_asked_for(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, "carnac", options={"board": "small"})
        live = await ann.watch(table)
        objection = kwartet.new("carnac", board="small").why("a9rr")
        over_http = await ann.do(table, "play", ply=0, move="a9rr")
        over_socket = await live.play("a9rr")
        for refused in (over_http, over_socket):
            assert (refused["code"], refused["reason"]) == ("illegal-move", objection)
            assert refused["sentence"].startswith("a9 is not on the board.")
        asked = f"/api/tables/{table}/why?ply=0&move="
        assert await ann.get(asked + "a9rr") == objection
        assert await ann.get(asked + "a1rr") is None
        eve = await visit.guest("Eve")
        for guest, path, code in (
            (bob, asked + "a1rr", "not-your-turn"),
            (eve, asked + "a1rr", "not-seated"),
            (ann, asked + "zz", "bad-notation"),
            (ann, asked + "a" * 201, "bad-request"),
            (ann, asked.replace("ply=0", "ply=1") + "a1rr", "stale-ply"),
            (ann, asked.replace("ply=0", "ply=x") + "a1rr", "bad-request"),
        ):
            answer = await guest.get(path)
            assert (answer["code"], answer["reason"]) == (code, None)
        assert (await ann.look(table))["match"]["log"] == []
