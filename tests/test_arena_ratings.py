"""Ratings of the arena: they find known strengths, and their intervals hold."""

import random

import numpy as np
import pytest

from kwartet.arena.estimates import Estimate, estimate
from kwartet.arena.ratings import Contest, head_to_head, rate_elo, rate_skill


def drawn_contests(strengths: dict[str, float], count: int, seats: int, seed: int) -> list[Contest]:
    """Contests as the model of Plackett and Luce has them."""
    luck = random.Random(seed)
    played = []
    for number in range(count):
        bots = luck.sample(list(strengths), seats)
        times = [luck.expovariate(10 ** (strengths[bot] / 400)) for bot in bots]
        order = sorted(range(seats), key=times.__getitem__)
        places = tuple(order.index(seat) for seat in range(seats))
        played.append(Contest(tuple(bots), places, number))
    return played


@pytest.mark.parametrize("seats", [2, 4])
def test_elo_recovers_known_strengths_and_its_intervals_hold(seats: int) -> None:
    strengths = {"A": 1250.0, "B": 1400.0, "C": 1500.0, "D": 1600.0, "E": 1750.0}
    held = []
    for seed in range(40):
        rated = rate_elo(list(strengths), drawn_contests(strengths, 400, seats, seed))
        # only differences are known, and the mean is a weighted one: align it
        weights = np.array([1 / (elo.high - elo.low) ** 2 for elo in rated.values()])
        away = [rated[bot].rating - true for bot, true in strengths.items()]
        shift = np.average(away, weights=weights)
        held += [
            elo.low <= true + shift <= elo.high
            for elo, true in zip(rated.values(), strengths.values(), strict=True)
        ]
    assert 0.9 <= np.mean(held) <= 0.999
    many = rate_elo(list(strengths), drawn_contests(strengths, 6000, seats, 77))
    for bot, true in strengths.items():
        assert abs(many[bot].rating - many["C"].rating - (true - 1500)) < 30


@pytest.mark.parametrize("seats", [2, 4])
def test_intervals_hold_when_matches_of_a_rotation_go_the_same_way(seats: int) -> None:
    strengths = {"A": 1400.0, "B": 1450.0, "C": 1550.0, "D": 1600.0}
    held = []
    for seed in range(40):
        played = drawn_contests(strengths, 200, seats, seed)
        thrice = [contest for contest in played for _ in range(3)]
        once, rated = rate_elo(list(strengths), played), rate_elo(list(strengths), thrice)
        away = rated["D"].rating - rated["A"].rating - 200
        width = np.hypot(rated["D"].high - rated["D"].rating, rated["A"].high - rated["A"].rating)
        held.append(abs(away) <= width)
        for bot in strengths:  # nothing is learned from telling the same thrice
            told = [each[bot].high - each[bot].rating for each in (once, rated)]
            assert told[1] > 0.9 * told[0]
            assert rated[bot].unpaired < 0.7 * told[1]
    assert np.mean(held) > 0.85


def test_luck_that_decides_every_match_is_taken_out_by_swapped_seats() -> None:
    luck = random.Random(1)
    lucky = [luck.random() < 0.5 for _ in range(100)]
    played = [
        Contest(bots, (0, 1) if first else (1, 0), rotation, (5, 3) if first else (3, 5))
        for rotation, first in enumerate(lucky)
        for bots in (("A", "B"), ("B", "A"))
    ]
    rated = rate_elo(["A", "B"], played)
    assert rated["A"].rating == pytest.approx(1500)
    assert rated["A"].high - 1500 < 0.5 * rated["A"].unpaired
    met, _ = head_to_head(["A", "B"], played)
    assert (met.share, met.error, met.margin, met.margin_error) == (0.5, None, 0.0, None)
    assert met.unpaired_error == pytest.approx(0.5 / np.sqrt(199))
    assert met.unpaired_margin_error == pytest.approx(2 / np.sqrt(199))


def test_few_or_lopsided_results_leave_wide_intervals() -> None:
    once = rate_elo(["A", "B"], [Contest(("A", "B"), (0, 1), 0), Contest(("B", "A"), (1, 0), 0)])
    assert once["A"].high - once["A"].low > 400
    won = rate_elo(["A", "B"], [Contest(("A", "B"), (0, 1), turn) for turn in range(50)])
    assert won["A"].high - won["A"].low > 300


def test_an_estimate_counts_rotations() -> None:
    found = estimate([1.0, 0.0, 1.0, 1.0], [7, 7, 8, 8])
    assert found.mean == 0.75
    assert found.error == pytest.approx(0.25)  # of the means 0.5 and 1
    assert found.unpaired == pytest.approx(0.25)  # of four trials
    assert estimate([2.0, 2.0], [0, 1]) == Estimate(2.0, None, None)
    assert estimate([2.0], [0]).error is None


def test_alone_the_same_dice_narrow_the_difference_in_points() -> None:
    luck = np.random.default_rng(1)
    dice = luck.normal(90, 15, 200).astype(int)
    played = [
        Contest(("A", "B"), (0, 1), turn, (int(roll) + 5, int(roll) + turn % 3), alone=True)
        for turn, roll in enumerate(dice)
    ]
    met, _ = head_to_head(["A", "B"], played)
    assert met.margin == pytest.approx(4, abs=0.05)
    assert met.margin_error is not None
    assert met.unpaired_margin_error is not None
    assert met.margin_error < 0.1 * met.unpaired_margin_error
    assert met.unpaired_error is None  # who is ahead on other dice nobody knows


def test_a_hopeless_bot_does_not_shift_the_others() -> None:
    strengths = {"A": 1450.0, "B": 1550.0}
    played = drawn_contests(strengths, 400, 2, 5)
    lost = [Contest((bot, "C"), (0, 1), 400 + turn) for turn in range(100) for bot in "AB"]
    without, among = rate_elo(["A", "B"], played), rate_elo(["A", "B", "C"], played + lost)
    assert among["A"].rating == pytest.approx(without["A"].rating, abs=10)
    assert among["A"].high - among["A"].low < 1.3 * (without["A"].high - without["A"].low)


def test_openskill_ranks_known_strengths() -> None:
    strengths = {"A": 1200.0, "B": 1500.0, "C": 1800.0}
    rated = rate_skill(list(strengths), drawn_contests(strengths, 600, 3, 1))
    assert rated["A"].mu < rated["B"].mu < rated["C"].mu
    assert all(skill.sigma < 25 / 3 for skill in rated.values())


def test_draws_are_half_and_the_unbeaten_stay_finite() -> None:
    drawn = [Contest(("A", "B"), (0, 0), number) for number in range(20)]
    even = rate_elo(["A", "B"], drawn)
    assert even["A"].rating == pytest.approx(1500)
    won = [Contest(("A", "B"), (0, 1), number) for number in range(20)]
    unbeaten = rate_elo(["A", "B"], won)
    assert 1700 < unbeaten["A"].rating < 2500
    assert unbeaten["A"].low < unbeaten["A"].rating - 100
    assert rate_elo(["A"], [])["A"].rating == 1500


def test_head_to_head_counts_seats_of_a_match_together() -> None:
    played = [Contest(("A", "B", "B"), (0, 1, 2), 0), Contest(("B", "A", "B"), (0, 1, 2), 1)]
    ours, theirs = head_to_head(["A", "B"], played)
    assert (ours.wins, ours.draws, ours.losses, ours.share) == (1, 1, 0, 0.75)
    assert (theirs.wins, theirs.draws, theirs.losses, theirs.share) == (0, 1, 1, 0.25)
    assert ours.error == theirs.error == pytest.approx(0.25)
