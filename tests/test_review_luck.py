"""Luck in reviews: it averages out to nothing; alone at the dice game accounts close exactly."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import kwartet
from kwartet.bots.workspace import Settings
from kwartet.core import engine
from kwartet.games.carat import tactics
from kwartet.games.catan_dice import solver
from kwartet.games.catan_dice.rules import TURNS
from kwartet.games.catan_dice.solution import Solution
from kwartet.reviews import Review
from kwartet.reviews.care import CARES
from kwartet.reviews.chances import Chances
from kwartet.reviews.decisions import Decisions
from kwartet.reviews.judge import Judge, find_judge
from kwartet.reviews.story import Story
from tests.glancing import GLANCE, JUDGE, random_match


@pytest.mark.parametrize(("key", "options"), [("carat", {"players": 3}), ("kwatro", {})])
def test_luck_averages_out_to_nothing_over_all_outcomes(key: str, options: dict[str, Any]) -> None:
    match = random_match(key, 2, **options)
    story = Story.of(match)
    ply = max(
        ply
        for ply in range(match.ply)
        if story.is_chance(ply) and len(story.legal_actions(ply)) > 4
    )
    judge = find_judge(JUDGE, match.game, match.options)
    care = replace(GLANCE, outcomes=1000, rolls=1000)
    outcomes = story.legal_actions(ply)
    changes = []
    for outcome in outcomes:
        other = Story(match.game, match.seats, story.states[ply], ((outcome,),), ("",))
        found = Chances(other, judge, care, outcome).find(0)
        assert not found.sampled
        assert found.outcomes == len(outcomes)
        changes.append(np.array(found.after) - np.array(found.before))
    rolls = care.rolls * len(outcomes)
    assert np.abs(np.mean(changes, axis=0)[:, 0]).max() < 5 * (2 / rolls) ** 0.5  # results: ≤ 1
    assert np.std(changes, axis=0).max() > 0


@pytest.mark.parametrize(("key", "options"), [("carat", {"players": 4}), ("kwatro", {})])
def test_luck_is_much_greater_than_its_noise(key: str, options: dict[str, Any]) -> None:
    story = Story.of(random_match(key, 3, **options))
    judge = find_judge(JUDGE, story.game, story.game.settle(options))
    plies = [
        ply
        for ply in range(len(story.moves))
        if story.is_chance(ply) and len(story.legal_actions(ply)) > 4
    ][::4]
    first, again = (
        np.array(
            [
                np.subtract(found.after, found.before)
                for found in (
                    Chances(story, judge, CARES["quick"], seed).find(ply) for ply in plies
                )
            ]
        )
        for seed in (1, 2)
    )
    noise = ((first - again) ** 2).mean(axis=(0, 1)) / 2
    assert (noise < 0.5 * (first * again).mean(axis=(0, 1))).all()


def test_what_is_expected_of_chips_ends_in_the_score() -> None:
    match = random_match("carat", 4, players=3)
    story = Story.of(match)
    off = []
    for state in story.states[10:]:
        points, results = np.zeros(4), np.zeros(4)
        tactics.forecast(state[0], points, results)
        assert results[:3].sum() == pytest.approx(0.0, abs=1e-9)
        assert np.argmax(results[:3]) == np.argmax(points[:3])
        off.append(np.abs(points[:3] - match.scores()).mean())
    assert off[-1] == 0
    assert off[0] > off[-6]


def test_the_luck_of_a_roll_is_weighed_by_how_likely_each_outcome_is(
    last_turns: Solution,
) -> None:
    story = end_of(1, 1)
    ply = next(ply for ply in range(len(story.moves)) if story.is_chance(ply))
    outcomes = story.legal_actions(ply)
    weights = np.empty(len(outcomes), np.int64)
    engine.chance_weights(story.states[ply], np.array(outcomes, np.int32), weights)
    judge = Judge(Settings(), np.empty(0, np.float32), 1, last_turns)
    total = 0.0
    for outcome, weight in zip(outcomes, weights.tolist(), strict=True):
        other = Story(story.game, 1, story.states[ply], ((outcome,),), ("",))
        found = Chances(other, judge, GLANCE, 0).find(0)
        total += weight * (found.after[0][1] - found.before[0][1])
    assert abs(total / weights.sum()) < 1e-9


@pytest.fixture(scope="module")
def last_turns() -> Solution:
    """The last two turns of the dice game, solved for sheets of few turns."""
    return Solution(True, solver.solve(True, turns=2, played=3))


def end_of(players: int, seed: int) -> Story:
    """The last two turns of a match of the dice game in which little was built before."""
    luck = random.Random(seed)
    match = kwartet.new("catan_dice", players=players, seed=seed)
    started: tuple[Any, int] | None = None
    while match.actor is not None:
        late = int(match.state[0].turn) >= TURNS - 2
        if late and started is None and int(match.state[0].rolls) == 1:
            started = match.state, match.ply
        legal = match.legal()
        builds = late or match.view(None)["turn"] <= 3
        match.play(luck.choice(legal) if builds or "end" not in legal else "end")
    assert started is not None
    state, ply = started
    story = Story.of(match)
    return replace(story, start=state, moves=story.moves[ply:], texts=story.texts[ply:])


@pytest.mark.parametrize("seed", range(3))
def test_alone_at_the_dice_game_an_account_closes_exactly(last_turns: Solution, seed: int) -> None:
    story = end_of(1, seed)
    judge = Judge(Settings(), np.empty(0, np.float32), 1, last_turns)
    decisions, chances = (kind(story, judge, CARES["quick"], 0) for kind in (Decisions, Chances))
    findings = {
        ply: chances.find(ply) if story.is_chance(ply) else decisions.find(ply)
        for ply in range(len(story.moves))
    }
    review = Review(story, (0,), {}, findings)
    (account,) = review.seats
    assert abs(account.unexplained.points) < 1e-9
    assert account.own.points < 0  # it was played at random
    for each in review.decisions:
        states, legal = story.states[each.ply], story.legal_actions(each.ply)
        _, worths = last_turns.weigh(states, 0, legal)
        played = worths[legal.index(story.moves[each.ply][0])]
        assert each.loss.points == pytest.approx(max(worths) - played, abs=1e-9)
        assert each.exact
    assert not any(each.sampled for each in review.chances)


def test_among_others_the_solution_tells_every_seat_what_a_roll_changed(
    last_turns: Solution,
) -> None:
    story = end_of(3, 4)
    for ply in range(len(story.moves)):
        actions = story.legal_actions(ply)
        worths = last_turns.worths(story.states[ply], actions)
        assert worths.shape == (len(actions), 3, 2)
        assert np.abs(worths[:, :, 0].sum(axis=1)).max() < 1e-9
        if not story.is_chance(ply):
            seat = story.actors[ply]
            _, shares = last_turns.weigh(story.states[ply], seat, actions)
            results = (3 * np.array(shares) - 1) / 2
            assert np.abs(worths[:, seat, 0] - results).max() < 1e-3  # kept as 16-bit fractions


def test_alone_at_the_dice_game_breaking_off_leaves_nothing_unexplained(
    last_turns: Solution,
) -> None:
    whole = end_of(1, 2)
    judge = Judge(Settings(), np.empty(0, np.float32), 1, last_turns)
    for length in range(4, len(whole.moves), 3):
        story = replace(whole, moves=whole.moves[:length], texts=whole.texts[:length])
        decisions, chances = (kind(story, judge, GLANCE, 0) for kind in (Decisions, Chances))
        findings = {
            ply: chances.find(ply) if story.is_chance(ply) else decisions.find(ply)
            for ply in range(length)
        }
        last = chances if story.is_chance(length) else decisions
        findings[length] = last.expect(length)
        (account,) = Review(story, (0,), {}, findings).seats
        assert abs(account.unexplained.points) < 1e-9
