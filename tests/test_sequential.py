"""Sequential tests: the likelihood ratio, its errors, what a pair is, going on, the command."""

import json
import math
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench import outcomes
from bench.outcomes import tilted
from hypothesis import given, settings
from hypothesis import strategies as st

from kwartet.arena.estimates import Vector
from kwartet.arena.matches import play
from kwartet.arena.pairing import pair_size, schedule
from kwartet.arena.plan import TournamentPlan, read_plan
from kwartet.arena.pool import Inline, Processes
from kwartet.arena.records import Records
from kwartet.arena.report import as_json, report
from kwartet.arena.sequential import (
    BEFORE,
    Question,
    SequentialTest,
    elo_of,
    evidence,
    likeliest,
    read_question,
    share_of,
)
from kwartet.arena.tournament import compete, tournament
from kwartet.core.errors import GameError
from tests.commands import kwartet_here
from tests.naughty import Polite
from tests.test_arena import ROOT, command, plan_of

FIVE = (0.0, 0.25, 0.5, 0.75, 1.0)
EVEN = (0.2, 0.1, 0.4, 0.1, 0.2)  # how likely they are between equals, in some game


# The likelihood ratio -------------------------------------------------------------------------


def slow_likelihood(counts: list[float], mean: float) -> float:
    """The highest log-likelihood of five outcomes with this mean, by climbing to it.

    The three in the middle are free, the outer two follow from sum and mean.
    """
    seen, shares = np.array(counts), np.array(FIVE)
    free = np.zeros((5, 3))  # how chances change with those in the middle
    free[1:4] = np.eye(3)
    free[4] = -shares[1:4]
    free[0] = -free[1:].sum(axis=0)
    middle = np.full(3, min(mean, 1 - mean) / 4)

    def chances(middle: Vector) -> Vector:
        return np.array([1 - mean, 0, 0, 0, mean]) + free @ middle

    def value(middle: Vector) -> float:
        found = chances(middle)
        return float(seen @ np.log(found)) if found.min() > 0 else -math.inf

    for _ in range(200):  # Newton's steps, halved as long as they lead nowhere
        found = chances(middle)
        slope = free.T @ (seen / found)
        step = np.linalg.solve(free.T @ (free * (seen / found**2)[:, None]), slope)
        while value(middle + step) < value(middle) and np.abs(step).max() > 1e-15:
            step = step / 2
        middle = middle + step
    assert np.abs(slope).max() < 1e-6 * seen.sum()
    return value(middle)


@pytest.mark.parametrize(
    "counts",
    [
        [20, 10, 40, 10, 21],
        [3, 0.5, 11, 7, 90],
        [1, 30, 200, 40, 5],
        [0.001, 2, 5, 3, 2],
        [60, 0.2, 0.2, 0.2, 3],
    ],
)
@pytest.mark.parametrize("elo", [0, -100, 20, 150, 400])
def test_pairs_are_judged_by_the_likeliest_distribution(counts: list[float], elo: float) -> None:
    found = likeliest(dict(zip(FIVE, counts, strict=True)), share_of(elo))
    assert sum(found.values()) == pytest.approx(1)
    assert sum(share * chance for share, chance in found.items()) == pytest.approx(share_of(elo))
    all_counts = [count + BEFORE.get(share, 0) for share, count in zip(FIVE, counts, strict=True)]
    reached = sum(
        count * math.log(found[share]) for share, count in zip(FIVE, all_counts, strict=True)
    )
    assert reached == pytest.approx(slow_likelihood(all_counts, share_of(elo)), abs=1e-6)


def distributions() -> st.SearchStrategy[list[float]]:
    return st.lists(st.floats(0.01, 100), min_size=5, max_size=5).map(
        lambda weights: [weight / sum(weights) for weight in weights]
    )


@settings(deadline=None)  # the machine may be busy
@given(
    st.lists(st.integers(0, 40), min_size=5, max_size=5),
    st.floats(-400, 400),
    st.floats(1, 300),
    distributions(),
)
def test_whatever_the_distribution_a_ratio_is_a_fair_game_to_who_is_wrong(
    seen: list[int], low: float, wider: float, weights: list[float]
) -> None:
    counts = dict(zip(FIVE, seen, strict=True))
    one, other = share_of(low), share_of(low + wider)
    for true, against in ((one, other), (other, one)):
        chances = tilted(np.array(weights), against)
        expected = sum(
            chance * math.exp(evidence(counts, share, true, against=against))
            for share, chance in zip(FIVE, chances, strict=True)
        )
        assert expected == pytest.approx(1, abs=1e-6)


def test_for_many_pairs_and_small_differences_it_is_the_normal_one() -> None:
    counts = dict(zip(FIVE, (2000, 1000, 4000, 1000, 2000), strict=True))
    variance = sum((share - 0.5) ** 2 * count for share, count in counts.items()) / 10_000
    low, high = share_of(-1), share_of(1)
    for share in FIVE:
        normal = (high - low) * (share - 0.5) / variance
        assert evidence(counts, share, high, against=low) == pytest.approx(normal, abs=4e-4)
        assert evidence(counts, share, low, against=high) == pytest.approx(-normal, abs=4e-4)


def test_it_is_fair_to_both_sides_and_finite_where_little_was_seen() -> None:
    low, high = share_of(-30), share_of(30)
    for counts in ({}, {0.5: 100}):
        for share in FIVE:
            found = evidence(counts, share, high, against=low)
            assert math.isfinite(found)
            assert found == pytest.approx(evidence(counts, 1 - share, low, against=high))
    assert evidence({1.0: 10_000}, 0.0, high, against=low) > -10


def test_a_second_writing_of_it_agrees_pair_by_pair() -> None:
    question = Question(-10, 60)
    luck = random.Random(2)
    test = SequentialTest(question, ("A", "B"), 2)
    seen, llr = outcomes.IMAGINED.copy(), np.zeros(2)
    expected = np.array([share_of(question.low), share_of(question.high)])
    for _ in range(60):
        outcome = luck.choices(range(5), EVEN)[0]
        test.count(FIVE[outcome])
        outcomes.count(seen, llr, outcome, expected)
        verdict = test.verdict()
        assert (verdict.llr_low, verdict.llr_high) == pytest.approx(tuple(llr), abs=1e-9)


def test_shares_and_elo_are_each_other_backwards() -> None:
    assert share_of(0) == 0.5
    assert elo_of(share_of(123.4)) == pytest.approx(123.4)
    assert [elo_of(0.0), elo_of(1.0)] == [None, None]


# Errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", outcomes.OUTCOMES)
@pytest.mark.parametrize("elos", [(0, 100), (200, 300)])
def test_wrong_decisions_are_as_rare_as_promised(name: str, elos: tuple[float, float]) -> None:
    question = Question(*elos)
    for elo in elos:
        chances = tilted(np.array(outcomes.OUTCOMES[name]), share_of(elo))
        _, is_high = outcomes.simulate(question, chances, 4000)
        wrong = float((is_high == (elo == question.low)).mean())
        assert wrong <= 0.05


# What a pair is -------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "size"), [(1, 2), (2, 2), (3, 6), (4, 6)])
def test_in_a_pair_both_have_the_same_seats_with_the_same_luck(seats: int, size: int) -> None:
    assert pair_size(seats) == size
    fixtures = schedule(["A", "B"], seats, 4 * size, 1)
    pairs = [fixtures[start : start + size] for start in range(0, len(fixtures), size)]
    assert len({tuple(each.bots for each in pair) for pair in pairs}) == 1  # all are alike
    for pair in pairs:
        for luck in {fixture.seed for fixture in pair}:
            seated = Counter(
                (seat, bot)
                for fixture in pair
                if fixture.seed == luck
                for seat, bot in enumerate(fixture.bots)
            )
            assert len(seated) == 2 * seats
            assert len(set(seated.values())) == 1
    assert len({fixture.seed for pair in pairs for fixture in pair}) == len(pairs) * (
        2 if seats == 4 else 1
    )


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_with_any_number_of_seats_the_better_bot_is_found(players: int) -> None:
    found = tournament(
        "catan_dice", ["greedy", "random"], games=400, sprt=Question(-100, 100), players=players
    )
    verdict = found.verdict
    assert verdict is not None
    assert verdict.is_high
    assert found.played == verdict.pairs * pair_size(players) < found.scheduled
    assert sum(verdict.results) == verdict.pairs
    assert verdict.results[0] > 5 * verdict.results[2]


# Playing --------------------------------------------------------------------------------------


def question_plan(*bots: str, **changes: Any) -> TournamentPlan:
    fields: dict[str, Any] = {"games": 400, "sprt": Question(0, 200)}
    return plan_of(*bots, **fields | changes)


def test_the_outcome_does_not_depend_on_the_order_in_which_matches_end(tmp_path: Path) -> None:
    plan = question_plan("random", "kwartet.bots.plain:Random")
    test, mixed = plan.test(), plan.test()
    assert test is not None
    assert mixed is not None
    results = [play(plan.job(), fixture) for fixture in plan.fixtures()[:120]]
    for result in results:
        test.add(result)
    shuffled = [*results]
    random.Random(1).shuffle(shuffled)
    for result in shuffled:
        mixed.add(result)
    assert mixed.verdict() == test.verdict()


def test_a_test_that_went_on_equals_one_that_was_never_broken_off(tmp_path: Path) -> None:
    plan = question_plan("tests.naughty:Polite", "random")
    with Records.create(tmp_path / "whole", plan) as whole:
        list(compete(Inline(), whole))
        wanted = whole.in_order()
        assert whole.missing() == []
    with Processes(2) as pool, Records.create(tmp_path / "broken", plan) as records:
        work = compete(pool, records)
        for _ in range(5):
            next(work)
        work.close()  # type: ignore[attr-defined]
    with Processes(2) as pool, Records.resume(tmp_path / "broken") as records:
        assert records.plan == plan
        list(compete(pool, records))
        found = records.in_order()
    assert [result.record["moves"] for result in found] == [
        result.record["moves"] for result in wanted
    ]
    lines = (tmp_path / "broken/records.jsonl").read_text().splitlines()
    assert len(lines) == len(wanted) < len(plan.fixtures())
    with Records.resume(tmp_path / "broken") as decided:
        assert decided.missing() == []
    ended = report(plan, found, len(plan.fixtures())).verdict
    assert ended is not None
    assert ended.decided
    assert ended.pairs * 2 == len(found)


def test_the_limit_is_kept_and_rounded_up_to_whole_pairs() -> None:
    found = tournament("connect_four", ["random", Polite], games=5, sprt=Question(-1, 1))
    assert (found.played, found.scheduled) == (6, 6)
    assert found.verdict is not None
    assert not found.verdict.decided
    assert found.verdict.sentence() == "Not decided after 3 pairs."
    told = as_json(found)["sprt"]
    assert told["decided"] is None
    assert told["pairs"] == sum(told["counts"].values()) == 3


def test_a_forfeit_is_a_loss() -> None:
    found = tournament(
        "connect_four", ["random", "tests.naughty:Raising"], games=400, sprt=Question(0, 100)
    )
    assert found.verdict is not None
    assert found.verdict.is_high
    assert found.verdict.counts == {1.0: found.verdict.pairs}
    assert found.verdict.elo == (None, None, None)


@pytest.mark.parametrize(
    ("low", "high", "wins", "sentence"),
    [
        (0, 20, True, "A is stronger than B: decided after "),
        (0, 20, False, "A is less than 20 Elo above B: decided after "),
        (-20, 0, True, "A is less than 20 Elo below B: decided after "),
        (-20, 0, False, "A is weaker than B: decided after "),
        (-30, -10, False, "A is more than 10 Elo below B: decided after "),
        (10, 30, True, "A is more than 10 Elo above B: decided after "),
    ],
)
def test_the_outcome_is_a_sentence(low: float, high: float, wins: bool, sentence: str) -> None:
    test = SequentialTest(Question(low, high, alpha=0.01, beta=0.02), ("A", "B"), 2)
    while not test.is_decided:
        test.count(1.0 if wins else 0.0)
    told = test.verdict().sentence()
    assert told.startswith(sentence)
    assert told.endswith(f"wrongly in at most {1 if wins else 2} % of such tests.")


def test_a_question_is_stored_with_the_setup_and_checked() -> None:
    plan = question_plan("random", "greedy")
    told = json.loads(json.dumps(plan.as_json()))
    assert read_plan(told) == plan
    assert read_plan({name: told[name] for name in told if name != "sprt"}) == replace(
        plan, sprt=None
    )
    for damage in ("0,20", {"low": 0}, told["sprt"] | {"alpha": "5 %"}):
        with pytest.raises(GameError, match="damaged at 'sprt'"):
            read_plan(told | {"sprt": damage})
    with pytest.raises(GameError, match=r"between 0 and 0\.5"):
        read_plan(told | {"sprt": told["sprt"] | {"alpha": 0.7}})


@pytest.mark.parametrize(
    ("elos", "errors", "sentence"),
    [
        ("20", None, "takes two Elo differences, such as 0,20, not '20'"),
        ("0,twenty", None, "takes two Elo differences"),
        ("20,0", None, "is below the second"),
        ("5,5", None, "is below the second"),
        ("nan,5", None, "is below the second"),
        ("0,5000", None, "from −1000 to 1000"),
        ("0,20", "0.05", "are two, such as 0.05,0.05"),
        ("0,20", "0,0.05", "between 0 and 0.5"),
    ],
)
def test_bad_questions_are_refused(elos: str, errors: str | None, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence) as refusal:
        read_question(elos, errors)
    assert refusal.value.code == "bad-option"


# The command ----------------------------------------------------------------------------------


def test_the_command_shows_goes_on_and_decides(tmp_path: Path) -> None:
    arguments = ["connect_four", "--bots", "random,kwartet.bots.plain:Random", "--sprt", "0,1"]
    running = command(*arguments, "--workers", "1", "-n", "5000", folder=tmp_path)
    records = tmp_path / "arena-connect_four-0/records.jsonl"
    while not (records.exists() and records.stat().st_size > 5000):
        assert running.poll() is None, running.communicate()
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    shown, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "Not decided after" in shown
    assert "Elo 0 ├" in shown
    assert " of 3.00, for 1: " in shown
    assert "of at most 5000 matches" in shown
    refused = command(*arguments[:-1], "0,2", "--resume", folder=tmp_path)
    assert "has sprt 0,1 with errors 0.05,0.05, not 0,2" in refused.communicate(timeout=60)[1]
    played = len(records.read_text().splitlines())
    again = command("--resume", "--out", str(records.parent), folder=tmp_path)
    while again.poll() is None and len(records.read_text().splitlines()) <= played + 1:
        time.sleep(0.05)
    again.send_signal(signal.SIGINT)
    assert "Not decided after" in again.communicate(timeout=60)[0]
    done = command(
        *("connect_four", "--bots", "tests.naughty:Raising,random", "--sprt", "-200,0"),
        *("--sprt-errors", "0.1,0.1", "--seed", "7", "--json"),
        folder=tmp_path,
    )
    shown, errors = done.communicate(timeout=60)
    assert done.returncode == 0, errors
    told = json.loads(shown)["sprt"]
    assert told["sentence"].startswith("tests.naughty:Raising is weaker than random: decided")
    assert (told["alpha"], told["decided"], told["low_at"]) == (0.1, "low", 2.3026)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bots", "random,greedy", "--sprt", "20"], "takes two Elo differences"),
        (["--bots", "random,greedy", "--sprt-errors", "0.1,0.1"], "belong to --sprt"),
        (["--bots", "random,greedy,uct", "--sprt", "0,20"], "between two bots"),
        (["--bots", "random,exec:no-such-program", "--sprt", "0,20"], "There is no program"),
    ],
)
def test_bad_input_is_a_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = kwartet_here("--with", "examples.connect_four", "arena", "connect_four", *arguments)
    assert refused.returncode == 2
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--against", "no-such.whl"], "There is no wheel 'no-such.whl'"),
        (["--against", "kwartet", "--games", "chess"], "'chess' is not among carat, carnac"),
        (["--against", "kwartet", "--sprt", "20,0"], "is below the second"),
    ],
)
def test_comparing_versions_refuses_bad_input_by_a_sentence(
    arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "bench.strength", *arguments, "--out", str(tmp_path / "out")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []
