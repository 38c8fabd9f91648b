"""The Catan dice game: the rules and facts of docs/games/catan_dice.md."""

import random
from itertools import product
from typing import Any

import pytest

import kwartet
from kwartet.core.match import Match
from kwartet.games.catan_dice.tables import (
    CITY_POINTS,
    CITY_ROADS,
    ROAD_PARENTS,
    ROADS,
    SETTLEMENT_POINTS,
    SETTLEMENT_ROADS,
)


def new(**options: Any) -> Match:
    return kwartet.new("catan_dice", auto_chance=False, **options)


def turn(match: Match, roll: str, *moves: str) -> None:
    """A turn whose first roll stands."""
    for move in (f"*{roll}", "stop", *moves, "end"):
        match.play(move)


def closed_road_sets() -> list[int]:
    """Every set of roads, as bits, in which each road has the one it needs."""
    return [
        roads
        for roads in range(1 << ROADS)
        if all(
            ROAD_PARENTS[road] < 0 or roads >> int(ROAD_PARENTS[road]) & 1
            for road in range(ROADS)
            if roads >> road & 1
        )
    ]


def reachable(roads: int, sites: Any) -> int:
    """How many of the sites, in order, have their roads."""
    count = 0
    while count < len(sites) and (sites[count] < 0 or roads >> int(sites[count]) & 1):
        count += 1
    return count


def test_there_are_117_closed_sets_of_roads_and_1225_combinations_with_sites() -> None:
    sets = closed_road_sets()
    assert len(sets) == 117
    combinations = sum(
        (reachable(roads, SETTLEMENT_ROADS) + 1) * (reachable(roads, CITY_ROADS) + 1)
        for roads in sets
    )
    assert combinations == 1225


def test_all_sites_are_worth_145_but_15_turns_pay_for_132_at_most() -> None:
    assert ROADS + SETTLEMENT_POINTS.sum() + CITY_POINTS.sum() + sum(range(1, 7)) == 145
    best = 0
    for roads in closed_road_sets():
        count = roads.bit_count()
        for settlements, cities, knights in product(
            range(reachable(roads, SETTLEMENT_ROADS) + 1),
            range(reachable(roads, CITY_ROADS) + 1),
            range(7),
        ):
            # six dice a turn: a city alone, a settlement and a road, two knights (or one and
            # a road), three roads
            beside = settlements + knights % 2
            turns = cities + settlements + -(-knights // 2) + -(-max(0, count - beside) // 3)
            if turns <= 15:
                points = SETTLEMENT_POINTS[:settlements].sum() + CITY_POINTS[:cities].sum()
                best = max(best, int(points) + count + sum(range(1, knights + 1)))
    assert best == 132


def test_132_points_can_be_played() -> None:
    match = new()
    for roads in (("R0", "R1", "R2"), ("R3", "R4", "R5"), ("R6", "R7", "R12")):
        turn(match, "tttbbb", *roads)
    for road, site in (("R13", "S3"), ("R14", "S4"), ("R15", "S5"), ("R8", "S7"), ("R9", "S9")):
        turn(match, "gwttbb", road, site)
    for first in (1, 3, 5):
        turn(match, "ooggww", f"K{first}", f"K{first + 1}")
    for city in ("C7", "C12", "C20", "C30"):
        turn(match, "oooggw", city)
    assert match.actor is None
    assert match.scores() == [132]
    assert match.winners() == [0]


def test_building_nothing_costs_30_points_in_all() -> None:
    match = new()
    for _ in range(15):
        turn(match, "ogwtb$")
    assert match.scores() == [-30]
    assert match.view(None)["sheets"][0]["boxes"] == [-2] * 15


def test_the_printed_score_table_3_2_2() -> None:
    match = new()
    turn(match, "gwtbo$", "S3")
    turn(match, "ttbbo$", "R0", "R1")
    turn(match, "ogwtb$", "R2", "K1")
    assert match.view(None)["sheets"][0]["boxes"] == [3, 2, 2]
    assert match.scores() == [7]


def test_there_are_462_rolls_of_six_dice_and_their_weights_are_all_rolls() -> None:
    match = new()
    assert len(match.legal()) == 462
    assert match.legal()[0] == "*oooooo"
    from kwartet.games.catan_dice.tables import SET_SIZE, SET_WEIGHT

    assert [int(SET_WEIGHT[size == SET_SIZE].sum()) for size in range(7)] == [
        6**size for size in range(7)
    ]


def test_dice_kept_once_may_be_rolled_again_and_the_third_roll_stands() -> None:
    match = new()
    for move in ("*oogwtb", "keep oog", "*wt$", "keep w", "*ggggg"):
        match.play(move)
    view = match.view(None)
    assert view["dice"] == "gggggw"
    assert view["phase"] == "acting"
    assert view["rolls_left"] == 0


def test_kept_dice_are_every_part_of_the_dice_once() -> None:
    match = new()
    match.play("*oogggb")
    assert len(match.legal()) == 3 * 4 * 2  # all six of them is `stop`
    assert "keep" in match.legal()
    assert "stop" in match.legal()
    assert "keep oogggb" not in match.legal()
    match.play("keep gbo")
    assert match.moves[-1] == "keep ogb"


def test_nothing_is_traded_or_built_before_the_result_stands() -> None:
    match = new()
    match.play("*ogwtb$")
    with pytest.raises(kwartet.GameError, match="keep some, or stop first"):
        match.play("K1")


def test_two_gold_become_one_resource() -> None:
    match = new()
    for move in ("*tt$$$$", "stop", "trade b"):
        match.play(move)
    assert match.view(None)["dice"] == "ttb$$"
    match.play("trade b")
    assert match.view(None)["dice"] == "ttbb"
    assert "trade o" not in match.legal()


def test_a_joker_turns_any_die_once_a_game_never_to_its_own_face() -> None:
    match = new()
    turn(match, "ogwtb$", "K1")
    for move in ("*ogggg$", "stop"):
        match.play(move)
    assert [move for move in match.legal() if "joker" in move] == ["joker 1 g", "joker 1 $"]
    match.play("joker 1 $")
    assert match.view(None)["dice"] == "oogggg"
    assert match.view(None)["sheets"][0]["jokers"] == []
    with pytest.raises(kwartet.GameError, match="joker has been used"):
        match.play("joker 1 g")


def test_the_sixth_knight_is_any_resource() -> None:
    match = new()
    for first in (1, 3, 5):
        turn(match, "ooggww", f"K{first}", f"K{first + 1}")
    for move in ("*$$$$$b", "stop"):
        match.play(move)
    sixth = [move for move in match.legal() if move.startswith("joker 6")]
    assert sixth == [
        *(f"joker 6 b {resource}" for resource in "ogwt"),
        *(f"joker 6 $ {resource}" for resource in "ogwtb"),
    ]
    match.play("joker 6 b o")
    assert match.view(None)["dice"] == "o$$$$$"


@pytest.mark.parametrize("same_turn", [True, False])
def test_a_knight_built_this_turn_may_be_used_at_once_by_option(same_turn: bool) -> None:
    match = new(same_turn_joker=same_turn)
    for move in ("*ogwttb", "stop", "K1"):
        match.play(move)
    assert any("joker" in move for move in match.legal()) is same_turn
    if not same_turn:
        with pytest.raises(kwartet.GameError, match="built this turn"):
            match.play("joker 1 t")
        match.play("end")
        for move in ("*tttttt", "stop"):
            match.play(move)
        assert "joker 1 t" in match.legal()


def test_sites_are_built_in_ascending_order_where_their_road_is() -> None:
    match = new()
    for move in ("*gwtb$$", "stop"):
        match.play(move)
    assert [move for move in match.legal() if move[0] in "RSCK"] == ["R0", "S3"]
    for move, reason in (
        ("S4", "S3 comes before S4"),
        ("R1", "R1 needs the road R0"),
        ("K1", "K1 costs ogw"),
        ("C7", "C7 needs the road R1"),
        ("C12", "C7 comes before C12"),
    ):
        with pytest.raises(kwartet.GameError, match=reason):
            match.play(move)
    match.play("S3")
    with pytest.raises(kwartet.GameError, match="S3 has been built"):
        match.play("S3")


def test_seats_take_turns_and_equal_totals_share_the_win() -> None:
    match = new(players=3)
    seats = []
    for _ in range(45):
        assert match.actor == kwartet.CHANCE
        match.play("*ogwtb$")
        seats.append(match.actor)
        match.play("stop")
        match.play("end")
    assert seats == [0, 1, 2] * 15
    assert match.winners() == [0, 1, 2]


def test_bad_dice_are_told_why() -> None:
    match = new()
    for move, code, reason in (
        ("*ogw", "illegal-move", "6 dice are rolled, not 3"),
        ("*oooooooo", "bad-notation", "a letter for each die"),
        ("*xxxxxx", "bad-notation", "a letter for each die"),
        ("stop", "illegal-move", "Chance is to act"),
    ):
        with pytest.raises(kwartet.GameError, match=reason) as refusal:
            match.play(move)
        assert refusal.value.code == code
    match.play("*ogwtb$")
    with pytest.raises(kwartet.GameError, match=r"the dice lack o\."):
        match.play("keep oo")
    with pytest.raises(kwartet.GameError, match="the dice lack ooooo"):
        match.play("keep oooooo")
    match.play("keep $btwgo")
    assert match.moves[-1] == "stop"


def test_before_stopping_one_is_told_what_the_dice_bring_and_lack() -> None:
    match = new()
    match.play("*ggtt$$")
    assert match.preview("dice", seat=0) == {
        "now": {"points": 1, "moves": ["trade b", "R0"]},
        "joker": None,
        "lacks": [
            {"site": "R0", "points": 1, "missing": "b"},
            {"site": "S3", "points": 3, "missing": "wb"},
            {"site": "K1", "points": 1, "missing": "ow"},
        ],
    }
    turn_after(match, "K1", "*ogwggg")
    match.play("*ggwwtt")
    told = match.preview("dice", seat=0)
    assert told["now"] == {"points": -2, "moves": []}
    assert told["joker"] == {"points": 2, "moves": ["joker 1 g", "K2"]}


def turn_after(match: Match, build: str, roll: str) -> None:
    """Roll all again until the dice stand, build and end the turn."""
    match.play("keep")
    match.play(roll)
    for move in ("stop", build, "end"):
        match.play(move)


def test_what_dice_are_said_to_bring_can_be_played_and_never_beaten() -> None:
    luck = random.Random(5)
    for seed in range(6):
        match = kwartet.new("catan_dice", seed=seed, players=2)
        while match.actor is not None:
            if match.view(0)["phase"] != "acting":
                match.play(luck.choice(match.legal()))
                continue
            seat, turn = match.actor, match.view(0)["turn"]
            told = match.preview("dice", seat=seat)
            best = told["joker"] or told["now"]
            if luck.random() < 0.5:
                moves = best["moves"]
            else:
                moves = [luck.choice(match.legal())]
            for move in moves:
                match.play(move)
            if len(moves) == len(best["moves"]) and moves == best["moves"]:
                if match.actor == seat and match.view(0)["phase"] == "acting":
                    match.play("end")
                assert match.view(0)["sheets"][seat]["boxes"][turn - 1] == best["points"]
            elif match.actor == seat and not any(move.startswith("joker") for move in moves):
                assert match.view(0)["gained"] <= max(0, told["now"]["points"])


def test_only_the_seat_to_act_is_told_of_its_dice() -> None:
    match = kwartet.new("catan_dice", seed=1, players=2)
    for piece, seat, code in (("dice", 1, "not-your-turn"), ("ore", 0, "illegal-move")):
        with pytest.raises(kwartet.GameError) as refused:
            match.preview(piece, seat=seat)
        assert refused.value.code == code
