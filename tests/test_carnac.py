"""Carnac: the worked cases and facts of docs/games/carnac.md."""

from typing import Any

import numpy as np
import pytest

import kwartet
from kwartet.core import verbs
from kwartet.core.match import Match
from kwartet.games.carnac import rules


def board(*lines: str) -> np.record:
    """A finished small board: r and w are squares of that colour, dots are empty."""
    states = kwartet.new("carnac", board="small").state
    state = states[0]
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            if letter != ".":
                cell = rules.cell_of(row * rules.MAX_COLUMNS + column)
                state.cells[cell] = rules.STANDING + (rules.RED if letter == "r" else rules.WHITE)
    state.phase = rules.ENDED
    return state


def outcome(state: np.record) -> tuple[list[int], list[int]]:
    points, wins = np.zeros(2, np.int32), np.zeros(2, np.int8)
    verbs.scores(state, points)
    verbs.winners(state, wins)
    return points.tolist(), [seat for seat in range(2) if wins[seat]]


def played(*moves: str, **options: Any) -> Match:
    match = kwartet.new("carnac", **options)
    for move in moves:
        match.play(move)
    return match


def squares(match: Match) -> dict[str, str]:
    return {
        square: stone["colour"]
        for stone in match.view(None)["stones"]
        for square in stone["squares"]
    }


@pytest.mark.parametrize(
    ("move", "tilt", "expected"),
    [
        ("c3wr", "tilt N", {"c1": "w", "c2": "w"}),
        ("c3wr", "tilt E", {"d3": "r", "e3": "r"}),
        ("c3wr", "tilt S", {"c4": "w", "c5": "w"}),
        ("c3wr", "tilt W", {"a3": "r", "b3": "r"}),
        ("c3rw", "tilt E", {"d3": "w", "e3": "w"}),
        ("c3rw", "tilt S", {"c4": "r", "c5": "r"}),
        ("c3wr", "stand", {"c3": "w"}),
    ],
)
def test_a_stone_shows_the_face_of_the_way_it_falls(
    move: str, tilt: str, expected: dict[str, str]
) -> None:
    match = played(move, tilt, board="small")
    assert squares(match) == expected


def test_the_one_who_tilts_places_and_the_vacated_square_is_free() -> None:
    match = played("c3wr", "tilt E", board="small")
    assert match.actor == 1
    assert "c3rr" in match.legal()
    assert "d3rr" not in match.legal()


def test_the_one_whose_stone_is_left_places_again() -> None:
    match = played("c3wr", "stand", board="small")
    assert match.actor == 0
    match.play("d3wr")
    assert match.actor == 1
    assert match.legal() == ["tilt N", "tilt E", "tilt S", "stand"]


def test_a_stone_that_cannot_fall_lets_the_opponent_place() -> None:
    match = played("b1rr", "stand", "a2rr", "stand", "a1ww", board="small")
    assert match.actor == 1
    assert "stand" not in match.legal()


def test_a_stone_falls_on_two_empty_squares_of_the_board_only() -> None:
    assert played("a1rr").legal() == ["tilt E", "tilt S", "stand"]
    assert played("b2rr").legal() == ["tilt E", "tilt S", "stand"]


def test_three_squares_joined_by_sides_are_a_dolmen_and_diagonals_are_not() -> None:
    assert outcome(board("rr......", "r.......", "....w...", ".....w..", "......w."))[0] == [1, 0]


def test_the_printed_tie_is_decided_by_the_second_largest_dolmen() -> None:
    # five dolmens each; white 8, 6, 3, 3, 3; red 8, 5, 3, 3, 3, on the large board
    states = kwartet.new("carnac", board="large").state
    state = states[0]
    for row, runs in enumerate(
        (
            "rrrrrrrr.rrr..",
            "..............",
            "wwwwwwww.rrr..",
            "..............",
            "wwwwww.rrrrr..",
            "..............",
            "www.www.www...",
            "..............",
            "rrr...........",
        )
    ):
        for column, letter in enumerate(runs):
            if letter != ".":
                cell = rules.cell_of(row * rules.MAX_COLUMNS + column)
                state.cells[cell] = rules.RED if letter == "r" else rules.WHITE
    state.phase = rules.ENDED
    assert outcome(state) == ([5, 5], [1])


def test_more_dolmens_beat_larger_ones_and_equal_lists_are_a_draw() -> None:
    assert outcome(board("rrr.rrr.", "........", "wwwwwwww")) == ([2, 1], [0])
    assert outcome(board("rrr.....", "........", "www.....")) == ([1, 1], [0, 1])
    assert outcome(board("rrr.....", "........", "wwww....")) == ([1, 1], [1])
    assert outcome(board("........")) == ([0, 0], [0, 1])


def last_stone(final_tilt: bool) -> Match:
    """The match before its 28th placement, all stones left standing on the large board."""
    match = kwartet.new("carnac", board="large", final_tilt=final_tilt)
    for stone in range(27):
        match.play(f"{'acegikm'[stone % 7]}{1 + 2 * (stone // 7)}rr")
        if "stand" in match.legal():
            match.play("stand")
    return match


def test_the_28th_stone_ends_the_match_at_once() -> None:
    match = last_stone(final_tilt=False)
    match.play("m9rr")
    assert match.actor is None
    assert match.view(None)["stock"] == 0


def test_with_final_tilt_the_28th_stone_may_still_fall() -> None:
    match = last_stone(final_tilt=True)
    placer = match.actor
    match.play("n9rr")
    assert match.actor == 1 - placer  # type: ignore[operator]
    assert match.legal() == ["tilt N", "tilt W", "stand"]
    match.play("tilt N")
    assert match.actor is None


@pytest.mark.parametrize("size", ["small", "medium", "large"])
def test_a_match_has_at_most_28_placements_and_27_decisions(size: str) -> None:
    match = kwartet.new("carnac", board=size)
    while match.actor is not None:
        legal = match.legal()
        match.play("stand" if "stand" in legal else legal[-1])
    decisions = match.moves.count("stand")
    assert decisions <= 27
    assert len(match.moves) - decisions <= 28


def test_dolmens_are_told_by_their_squares() -> None:
    match = played("c3wr", "tilt E", "c3rr", "tilt W", "c3rr", board="small")
    assert match.view(None)["dolmens"] == [{"seat": 0, "squares": ["a3", "b3", "c3", "d3", "e3"]}]
    assert match.scores() == [1, 0]


@pytest.mark.parametrize(
    ("move", "code", "reason"),
    [
        ("c3", "bad-notation", "not a move of Carnac"),
        ("i1rr", "illegal-move", "not on the board"),
        ("tilt N", "illegal-move", "no stone to tilt"),
        ("d3rr", "illegal-move", "not empty"),
        ("*x", "illegal-move", "Seat 1 is to act"),
    ],
)
def test_a_bad_move_is_told_why(move: str, code: str, reason: str) -> None:
    match = played("c3wr", "tilt E", board="small")
    with pytest.raises(kwartet.GameError, match=reason) as refusal:
        match.play(move)
    assert refusal.value.code == code
    assert match.ply == 2


WAYS = ("rr", "rw", "wr", "ww")


def test_a_preview_tells_the_dolmens_after_each_way_to_go_on() -> None:
    match = played("c3wr", "tilt E", "c3rr", "tilt W", board="small")
    before = match.state.tobytes()
    for piece in ("c3", "h5"):
        told = match.preview(piece, seat=0, ply=match.ply)
        assert [prospect["move"] for prospect in told] == [piece + way for way in WAYS]
        for prospect in told:
            assert prospect["dolmens"] == after(match, prospect["move"])
    match.play("b4rw")
    told = match.preview("b4", seat=1)
    assert [prospect["move"] for prospect in told] == match.legal()
    assert {prospect["move"]: prospect["dolmens"] for prospect in told} == {
        move: after(match, move) for move in match.legal()
    }
    match.undo()
    assert match.state.tobytes() == before


@pytest.mark.parametrize("piece", ["d3", "i1", "stand", "", "c3rr"])
def test_a_preview_is_of_a_square_where_there_is_something_to_do(piece: str) -> None:
    match = played("c3wr", "tilt E", board="small")
    with pytest.raises(kwartet.GameError, match="nothing to do") as refusal:
        match.preview(piece, seat=1)
    assert refusal.value.code == "illegal-move"


def after(match: Match, move: str) -> Any:
    other = match.copy()
    other.play(move)
    return other.view(None)["dolmens"]


def test_a_seat_sees_which_colour_is_its_own() -> None:
    match = kwartet.new("carnac", board="small")
    own, other, spectator = (match.observation(seat) for seat in (0, 1, None))
    assert np.array_equal(own["board"], other["board"])
    assert [seen["red"].tolist() for seen in (own, other, spectator)] == [[1], [0], [1]]
