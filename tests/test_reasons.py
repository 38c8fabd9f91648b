"""Reasons for moves, and advice: from what a seat knows, in points."""

import json
import random
from typing import Any

import pytest

import kwartet
from kwartet.core.chance import generator
from kwartet.core.match import Match
from kwartet.reviews import Reason, advise, judge_move, make_review, plan_review
from kwartet.reviews.reasons import Reasons
from tests.cases import every_game
from tests.commands import without_jit
from tests.glancing import GLANCE, JUDGE, begun, random_match


def told(match: Match, *moves: str, seed: int = 0) -> list[Reason]:
    """The reasons of some moves of the seat to act."""
    seat = match.actor
    assert seat is not None
    actions = [match.read(move)[0] for move in moves]
    return Reasons(match.game).tell(match.redacted(seat), seat, actions, generator(seed))


def after(match: Match, *moves: str) -> Match:
    later = match.copy()
    for move in moves:
        later.play(move)
    return later


def placed(*moves: str, **options: Any) -> Match:
    return after(kwartet.new("carnac", board="small", **options), *moves)


# What the figures are --------------------------------------------------------------------------


def test_a_stone_that_completes_a_dolmen_gains_it_and_one_that_offers_it_is_answered() -> None:
    match = placed("a1rr", "stand", "b1rr", "stand")  # red stones; red places again
    completes, offers = told(match, "c1rr", "e3ww")
    assert completes.gain == 1.0
    assert offers.gain == 0.0
    assert offers.by == 1
    assert offers.answer == 0.0  # white has one stone at most and needs three squares
    assert offers.follow is not None


def test_the_answer_is_the_most_that_the_next_seat_can_make_of_its_turn() -> None:
    match = placed("d3ww", "tilt E", "a1rr", "stand")  # white lies on e3 and f3; white places
    assert match.actor == 1
    gifts = told(match, "a5rr", "h5rr")
    assert {each.by for each in gifts} == {0}
    whites = after(match, "a5rr", "stand")
    assert whites.actor == 1
    (made,) = told(whites, "g3ww")
    assert made.gain == 1.0


def test_open_answers_agree_with_trying_everything() -> None:
    for seed in range(6):
        match = begun("connect_four", 14 + seed)
        for move in match.legal():
            (reason,) = told(match, move)
            later = after(match, move)
            if later.actor is None:
                assert reason.answer is None
                continue
            assert reason.by == later.actor
            best = max(after(later, reply).scores()[later.actor or 0] for reply in later.legal())
            assert reason.answer == best - later.scores()[later.actor or 0]


def test_a_tile_gains_what_it_brings_and_answers_are_means_over_unknown_hands() -> None:
    luck = random.Random(5)
    match = kwartet.new("carat", players=3, seed=5)
    fractions = 0
    while match.actor is not None:
        seat, before = match.actor, match.scores()
        move = luck.choice(match.legal())
        (reason,) = told(match, move)
        match.play(move)
        assert reason.gain == match.scores()[seat] - before[seat]
        if match.actor is not None:
            assert reason.by == (seat + 1) % 3
            assert reason.answer is not None
            assert reason.answer >= 0
            fractions += reason.answer % 1 > 0
    assert fractions > 10


def test_a_card_gains_what_the_play_that_it_begins_can_score() -> None:
    match = kwartet.new("kwatro", seed=3)  # the example of its page
    laid, other = told(match, "BX3@1,0", "pass")
    assert laid.gain >= 6  # BX3 and YX2 beside RX1
    assert other.gain == 0
    (done,) = told(after(match, "BX3@1,0", "YX2@-1,0"), "done")
    assert done.gain == 6
    assert done.by == 1


def test_alone_and_at_the_dice_game_nobody_answers() -> None:
    for players in (1, 2):
        match = begun("catan_dice", 6, players=players)
        for reason in told(match, *match.legal()[:4]):
            assert (reason.answer, reason.by, reason.usual, reason.follow) == (None,) * 4


def test_what_is_usual_is_told_where_there_are_other_moves() -> None:
    match = begun("carat", 12, players=4)
    first, second = told(match, *match.legal()[:2])
    assert first.usual is not None
    assert first.usual == second.usual
    forced = begun("connect_four", 3)
    while len(forced.legal()) > 1:
        if forced.actor is None:
            pytest.fail("no position with one move")
        forced.play(forced.legal()[0])
    (only,) = told(forced, *forced.legal())
    assert only.usual is None


# Hidden cards ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["carat", "kwatro"])
def test_reasons_and_advice_are_the_same_whatever_the_others_hold(key: str) -> None:
    match = begun(key, 18, players=3)
    seat = match.actor
    assert seat is not None
    moves = match.legal()[:2]
    worlds = [match, *(match.imagined(seat, seed) for seed in range(4))]
    assert len({world.state.tobytes() for world in worlds}) == 5
    reasons = [told(world, *moves) for world in worlds]
    assert reasons == [reasons[0]] * 5
    advice = [advise(world, seat, judge=JUDGE) for world in worlds]
    assert advice == [advice[0]] * 5


# In a review -----------------------------------------------------------------------------------


@every_game
def test_the_best_move_and_the_one_played_have_reasons(key: str, options: dict[str, Any]) -> None:
    work = plan_review(random_match(key, 7, **options), JUDGE, None, GLANCE, 0)
    review = make_review(work)
    for each in review.decisions:
        reasons = {option.move: option.reason for option in each.options}
        assert isinstance(reasons[each.best], Reason)
        assert isinstance(reasons[each.move], Reason)
    options_told = json.loads(json.dumps(review.as_json()))["decisions"][0]["options"]
    assert set(options_told[0]["reason"]) == {"gain", "answer", "by", "usual", "follow"}
    decision = review.decisions[3]
    again = judge_move(work.plan, decision.ply, decision.move)
    assert again.options == decision.options


# Advice ----------------------------------------------------------------------------------------


@every_game
def test_advice_names_legal_moves_with_worth_and_reason(key: str, options: dict[str, Any]) -> None:
    match = begun(key, 10, **options)
    seat = match.actor
    assert seat is not None
    before = match.record()
    found = advise(match, seat, judge=JUDGE, simulations=200)
    assert match.record() == before
    assert 1 <= len(found) <= 3
    assert {each.move for each in found} <= set(match.legal())
    assert len({each.move for each in found}) == len(found)
    assert all(-1 <= each.worth.win <= 1 for each in found)
    assert all(0 <= each.share <= 1 for each in found)
    assert found == advise(match, seat, judge=JUDGE, simulations=200)
    assert len(advise(match, seat, 1, judge=JUDGE)) == 1


def test_advice_on_a_win_at_once_is_to_take_it() -> None:
    match = kwartet.new("connect_four")
    for move in ("a", "b", "a", "b", "a", "b"):
        match.play(move)
    best = advise(match, 0)[0]
    assert best.move == "a"
    assert best.worth.win == 1.0
    assert best.reason.gain == 1.0


def test_a_solution_that_is_not_stored_is_not_computed(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = kwartet.new("catan_dice", seed=1)
    advise(match, 0)  # what is compiled is looked for in the usual place
    monkeypatch.setenv("KWARTET_CACHE", str(tmp_path))
    found = advise(match, 0, simulations=100)
    assert 1 <= len(found) <= 3
    assert not list(tmp_path.rglob("*solution*"))


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"seat": 1}, "not-your-turn"),
        ({"seat": 2}, "unknown-seat"),
        ({"seat": True}, "unknown-seat"),
        ({"count": 0}, "bad-option"),
        ({"count": 99}, "bad-option"),
        ({"simulations": 0}, "bad-option"),
        ({"simulations": 10**9}, "bad-option"),
        ({"judge": "random"}, "bad-bot"),
        ({"seed": "x"}, "bad-seed"),
    ],
)
def test_advice_that_cannot_be_asked_for_is_a_sentence(how: dict[str, Any], code: str) -> None:
    with pytest.raises(kwartet.GameError) as refusal:
        advise(kwartet.new("connect_four"), **({"seat": 0} | how))
    assert refusal.value.code == code


def test_there_is_no_advice_when_a_match_is_over() -> None:
    with pytest.raises(kwartet.GameError) as refusal:
        advise(random_match("connect_four", 1), 0)
    assert refusal.value.code == "not-your-turn"


def reasons_of_some_moves() -> list[Any]:
    """Of a hand of three tiles, as JSON."""
    match = begun("carat", 20, players=2, hand=3)
    return [vars(each) for each in told(match, *match.legal()[:2])]


def test_the_same_reasons_are_found_without_the_jit() -> None:
    assert without_jit(__name__, "reasons_of_some_moves()") == reasons_of_some_moves()
