"""Carat: the worked cases and facts of docs/games/carat.md, through real moves."""

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

import kwartet
from kwartet.core.match import Match

CORNERS = ("NW", "NE", "SE", "SW")
ALL_ORDERS = ["R" + "".join(rest) for rest in permutations("YBG")]


def layout(point: int, value: int) -> str:
    """A lay-out with this chip on this point."""
    chips = list("1" * 10 + "2" * 10 + "3" * 10 + "4" * 10 + "5" * 9)
    chips.remove(str(value))
    chips.insert(point, str(value))
    return "*chips " + "".join(chips)


def start(point: int = 24, value: int = 3, **options: Any) -> Match:
    match = kwartet.new("carat", auto_chance=False, **options)
    match.play(layout(point, value))
    return match


def place(match: Match, *plan: str) -> None:
    """Play the plan's placements: `c3 SE R5` puts a five-carat red diamond at c3's south-east.

    Hand size is 1, so tiles are drawn in the order in which they are placed.
    """
    to_draw = [step.split()[2][1] for step in plan]
    for step in plan:
        while match.actor == kwartet.CHANCE:
            value = to_draw.pop(0) if to_draw else ""
            match.play(next(tile for tile in match.legal() if tile.startswith(f"*{value}")))
        cell, corner, diamond = step.split()
        moves = [move for move in match.legal() if move.startswith(f"{cell}={diamond[1]}")]
        match.play(next(move for move in moves if move[4 + CORNERS.index(corner)] == diamond[0]))


def settled(match: Match, point: int) -> tuple[str | None, int]:
    chip = match.view(None)["chips"][point]
    assert chip["settled"]
    return chip["winner"], chip["prize"]


@pytest.mark.parametrize(
    ("diamonds", "value", "winner", "points"),
    [
        ("R5 G3 B2 Y1", 3, "R", 12),
        ("B3 B3 R5 G1", 2, "B", 6),
        ("R4 B4 G2 G1", 3, "G", 9),
        ("R3 B3 G1 G2", 4, "Y", 12),
        ("R4 G4 B4 Y2", 1, "Y", 4),
        ("R5 G5 B3 Y3", 5, None, 0),
        ("R2 R3 G1 G4", 5, None, 0),
        ("R6 G6 B6 Y6", 5, None, 0),
        ("R2 R2 R2 R2", 5, "R", 5),
    ],
)
def test_a_chip_inside_goes_to_the_highest_sum_that_nobody_shares(
    diamonds: str, value: int, winner: str | None, points: int
) -> None:
    centre = 3 * 7 + 3  # touched by c3, d3, d4 and c4
    for order in set(permutations(diamonds.split())):
        match = start(centre, value, players=4)
        spots = ("c3 SE", "d3 SW", "d4 NW", "c4 NE")
        place(match, *(f"{spot} {diamond}" for spot, diamond in zip(spots, order, strict=True)))
        assert settled(match, centre) == (winner, points)
        scored = {"R": 0, "Y": 0, "B": 0, "G": 0} | ({winner: points} if winner else {})
        assert match.view(None)["colour_points"] == scored


@pytest.mark.parametrize(
    ("diamonds", "winner", "points"),
    [("R2 R6", "R", 4), ("R2 B6", "B", 8), ("R6 B6", None, 0)],
)
def test_a_chip_on_the_edge_needs_two_diamonds(
    diamonds: str, winner: str | None, points: int
) -> None:
    top = 3  # touched by c1 and d1
    match = start(top, 4)
    first, second = diamonds.split()
    place(match, "c2 NW G1", f"c1 NE {first}", f"d1 NW {second}")
    assert settled(match, top) == (winner, points)


def test_a_chip_in_the_corner_needs_one_diamond() -> None:
    match = start(0, 5)
    place(match, "b2 NW G1", "b1 NE G2", "a1 NW R1")
    assert settled(match, 0) == ("R", 5)


def test_tiles_are_six_values_by_six_orders_of_the_colours() -> None:
    match = start()
    assert Counter(match.legal()) == Counter(
        f"*{value}{order}" for value in range(1, 7) for order in ALL_ORDERS
    )


def test_points_are_25_inside_20_on_the_edge_and_4_in_the_corners() -> None:
    from kwartet.games.carat.rules import AROUND

    assert Counter(AROUND.tolist()) == {4: 25, 2: 20, 1: 4}


def test_a_layout_holds_ten_each_of_1_to_4_and_nine_of_5() -> None:
    match = kwartet.new("carat", seed=1)
    assert Counter(match.moves[0].removeprefix("*chips ")) == {
        **dict.fromkeys("1234", 10),
        "5": 9,
    }
    wrong = kwartet.new("carat", auto_chance=False)
    with pytest.raises(kwartet.GameError, match="no chip 5 left"):
        wrong.play("*chips " + "5" * 10 + "1" * 10 + "2" * 10 + "3" * 10 + "4" * 9)
    assert wrong.moves == []


def test_a_layout_laid_chip_by_chip_is_one_move() -> None:
    match = kwartet.new("carat", auto_chance=False)
    assert match.legal() == [f"*chips {value}" for value in range(1, 6)]
    whole = layout(0, 5)
    for digit in whole.removeprefix("*chips "):
        match.play(f"*chips {digit}")
    assert match.moves == [whole]
    match.undo()
    assert match.moves == []


def test_a_layout_has_no_more_digits_than_points_are_left() -> None:
    match = kwartet.new("carat", auto_chance=False)
    match.play(layout(0, 5)[:-1])
    with pytest.raises(kwartet.GameError, match="1 points left"):
        match.play("*chips 53")


def test_the_first_tile_goes_inside_and_later_ones_beside_another() -> None:
    match = kwartet.new("carat", seed=3)
    assert {move[:2] for move in match.legal()} == {f"{c}{r}" for c in "bcde" for r in "2345"}
    match.play(next(move for move in match.legal() if move.startswith("b2")))
    assert {move[:2] for move in match.legal()} == {"a2", "b1", "b3", "c2"}


def test_a_tile_has_four_rotations_and_keeps_its_colours_in_order() -> None:
    match = start()
    for _ in range(4):
        match.play("*5RYGB" if "*5RYGB" in match.legal() else match.legal()[0])
    assert {move for move in match.legal() if move.startswith("c3")} == {
        "c3=5RYGB",
        "c3=5YGBR",
        "c3=5GBRY",
        "c3=5BRYG",
    }


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("hand", [1, 3])
def test_hands_are_dealt_seat_by_seat_and_all_36_tiles_are_placed(players: int, hand: int) -> None:
    match = kwartet.new("carat", players=players, hand=hand, seed=players)
    assert match.view(0)["hands"] == [match.view(0)["hands"][0], *[hand] * (players - 1)]
    assert len(match.view(0)["hands"][0]) == hand
    while match.actor is not None:
        match.play(match.legal()[0])
    assert len(match.view(None)["tiles"]) == 36
    assert all(chip["settled"] for chip in match.view(None)["chips"])


def test_colours_of_nobody_win_chips_that_are_lost() -> None:
    match = start(0, 5, players=2)
    place(match, "b2 NW R1", "b1 NW B2", "a1 NW G1")
    view = match.view(None)
    assert view["colours"] == ["R", "Y"]
    assert view["chips"][0]["winner"] == "G"
    assert view["colour_points"]["G"] == 5
    assert match.scores() == [view["colour_points"]["R"], view["colour_points"]["Y"]] == [0, 0]


def test_two_colours_each_are_scored_apart_and_added() -> None:
    match = kwartet.new("carat", players=2, colours=["RB", "YG"], seed=5)
    while match.actor is not None:
        match.play(match.legal()[-1])
    points = match.view(None)["colour_points"]
    assert match.scores() == [points["R"] + points["B"], points["Y"] + points["G"]]


def test_a_settlement_is_explained() -> None:
    match = start(24, 3)
    place(match, "c3 SE R5", "d3 SW G3", "d4 NW B2", "c4 NE Y1")
    view = match.view(None)
    assert view["settled_last"] == [24]
    assert "Chip 3 goes to R (R 5, Y 1, B 2, G 3): 3 × 4 colours = 12." in match.game.views.text(
        view
    )


@pytest.mark.parametrize(
    "options",
    [
        {"players": 5},
        {"players": True},
        {"hand": 2},
        {"colours": ["R"]},
        {"colours": "RYBG"},
        {"players": 2, "colours": ["RB", "Y"]},
        {"players": 2, "colours": ["RR", "YG"]},
        {"players": 3, "colours": ["RB", "Y", "G"]},
        {"players": 2, "colours": ["r", "y"]},
        {"colour": ["R"]},
    ],
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(kwartet.GameError) as refusal:
        kwartet.new("carat", **options)
    assert refusal.value.code == "bad-option"


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("a1=5RYGB", "edge"),
        ("c3=6RYGB", "6RYGB is not in the hand"),
        ("*5RYGB", "Seat 0 is to act"),
    ],
)
def test_an_illegal_move_is_told_why(move: str, reason: str) -> None:
    match = start()
    for _ in range(4):
        match.play("*5RYGB" if "*5RYGB" in match.legal() else match.legal()[0])
    before = match.state.tobytes()
    with pytest.raises(kwartet.GameError, match=reason) as refusal:
        match.play(move)
    assert refusal.value.code == "illegal-move"
    assert match.state.tobytes() == before
