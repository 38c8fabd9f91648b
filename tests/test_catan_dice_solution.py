"""The Catan dice game's solution, on a short horizon.

The long check is a command of its own, tests.catan_dice_solution.
"""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import kwartet
from kwartet.cli import app
from kwartet.core.match import Match
from kwartet.games.catan_dice import solution as solutions
from kwartet.games.catan_dice import solver
from kwartet.games.catan_dice.futures import LEAST
from kwartet.games.catan_dice.rules import ACTING, CHOOSING, TURNS
from kwartet.games.catan_dice.sheets import (
    ISLANDS,
    SHEET_POINTS,
    SHEETS,
    islands_after,
    possible_sheets,
)
from kwartet.games.catan_dice.solution import Aim, Solution
from tests.catan_dice_solution import (
    GAME,
    compare_turn,
    follow,
    names_of,
    play_alone,
    position,
    random_sheet,
    sheet_number,
    throw,
    value_of,
)
from tests.commands import kwartet_command, without_jit
from tests.plain.catan_dice import CROSS, points
from tests.plain.catan_dice_turn import BestTurn, Names, best_end

LAST = 2  # turns that are solved
PLAYED = 3  # turns that may have been built in before
AIMS: tuple[Aim, ...] = ("win", "score")
EMPTY, NONE = frozenset({"start"}), frozenset[str]()

rulings = pytest.mark.parametrize("ruling", [True, False])


@pytest.fixture(scope="module")
def short() -> dict[bool, Solution]:
    """The last two turns under both rulings, for sheets of few turns."""
    return {
        ruling: Solution(ruling, solver.solve(ruling, turns=LAST, played=PLAYED))
        for ruling in (True, False)
    }


def after_building(players: int, ruling: bool, seed: int) -> Match:
    """A match whose first turns were played at random, up to the last two turns."""
    luck = random.Random(seed)
    match = kwartet.new("catan_dice", players=players, same_turn_joker=ruling, seed=seed)
    while len(match.view(None)["sheets"][-1]["boxes"]) < TURNS - LAST:
        builds = match.view(None)["turn"] <= PLAYED
        legal = match.legal()
        match.play(luck.choice(legal) if builds or "end" not in legal else "end")
    return match


def test_sheets_have_numbers_and_names() -> None:
    assert SHEETS == 155_575
    luck = random.Random(0)
    for _ in range(200):
        sheet = luck.randrange(SHEETS)
        built, used = names_of(sheet)
        assert sheet_number(built, used) == sheet
        points = sum(1 if name[0] == "R" else int(name[1:]) for name in built - {"start"})
        assert points == SHEET_POINTS[sheet // ISLANDS, sheet % ISLANDS]
    assert [islands_after(turns) for turns in (0, 1, 14)] == [1, 8, ISLANDS]
    assert possible_sheets(0).sum() == 1


@rulings
def test_a_turn_agrees_with_the_plain_search(short: dict[bool, Solution], ruling: bool) -> None:
    luck = random.Random(f"turn {ruling}")
    for left in (1, 2, 2):
        compare_turn(short[ruling], PLAYED + LAST - left, left, luck)


@rulings
def test_the_last_two_turns_agree_with_the_plain_search(
    short: dict[bool, Solution], ruling: bool
) -> None:
    built, used = frozenset({"start", "K1", "K2"}), frozenset({"K2"})
    expected = best_end(built, used, 2, same_turn_joker=ruling)
    assert short[ruling].value(2, sheet_number(built, used)) == pytest.approx(expected, abs=1e-9)


def test_a_knight_that_may_be_used_at_once_is_worth_more(short: dict[bool, Solution]) -> None:
    values = [
        np.array([short[ruling].value(LAST, sheet) for sheet in range(0, SHEETS, 101)])
        for ruling in (True, False)
    ]
    known = ~np.isnan(values[0])
    assert (values[0][known] >= values[1][known] - 1e-12).all()
    assert (values[0][known] > values[1][known] + 1e-3).any()


@rulings
def test_a_future_has_the_sheets_value_as_its_mean(
    short: dict[bool, Solution], ruling: bool
) -> None:
    solution = short[ruling]
    luck = random.Random(f"future {ruling}")
    for left in (0, 1, 2):
        for _ in range(40):
            sheet = random_sheet(PLAYED + LAST - left, luck)
            chances = solution.future(left, sheet)
            assert chances.min() >= 0
            assert chances.sum() == pytest.approx(1, abs=1e-12)
            # kept in 16 bits
            assert chances @ solution.scores == pytest.approx(solution.value(left, sheet), abs=3e-4)
    assert solution.chances.sum() == pytest.approx(1, abs=1e-12)
    assert solution.chances @ solution.scores == pytest.approx(solution.expected, abs=1e-12)
    assert solution.scores[0] == LEAST


@rulings
def test_playing_by_it_scores_what_it_says(short: dict[bool, Solution], ruling: bool) -> None:
    solution = short[ruling]
    for seed in range(3):
        sheet = random_sheet(PLAYED, random.Random(f"play {ruling} {seed}"))
        start = position([sheet], TURNS - LAST, same_turn_joker=ruling)
        totals = play_alone(solution, start, 20_000, seed)
        error = totals.std() / len(totals) ** 0.5
        assert abs(totals.mean() - solution.value(LAST, sheet)) < 3.5 * error
        chances = solution.future(LAST, sheet)
        for score in np.unique(totals):
            chance = chances[score - LEAST]
            spread = (chance * (1 - chance) / len(totals)) ** 0.5
            assert abs((totals == score).mean() - chance) < 5 * spread + 1e-4


@rulings
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_choice_is_legal(short: dict[bool, Solution], ruling: bool, players: int) -> None:
    for seed in range(3):
        match = after_building(players, ruling, seed)
        luck = random.Random(seed)
        while (seat := match.actor) is not None:
            for maximise in AIMS:
                action = short[ruling].choose(match.redacted(seat), seat, maximise=maximise)
                assert action in match.legal_actions()
            match.play(luck.choice([action, luck.choice(match.legal_actions())]))


def test_choosing_to_win_agrees_with_the_plain_search(short: dict[bool, Solution]) -> None:
    """In the last round, with one seat done and one to play after the one that chooses."""
    solution = short[True]
    luck = random.Random("win")
    differ = 0
    for _ in range(3):
        sheets = [random_sheet(PLAYED, luck) for _ in range(3)]
        built, used = names_of(sheets[1])
        chances = solution.future(1, sheets[2])
        totals = [luck.randint(0, 6), 0, luck.randint(-2, 4)]
        rivals = {totals[2] + LEAST + n: chance for n, chance in enumerate(chances) if chance}

        def share(total: int, done: int = totals[0], rivals: dict[int, float] = rivals) -> float:
            return sum(
                chance / (1 + (done == total) + (other == total))
                for other, chance in rivals.items()
                if max(done, other) <= total
            )

        def worth(more: Names, gone: Names, built: Names = built) -> float:
            box = sum(points(name) for name in more - built) or CROSS
            return share(box) - box  # the search adds the box

        turn = BestTurn(built, used, worth)
        for _ in range(8):
            states = throw(position(sheets, TURNS - 1, seat=1), luck)
            states[0].total[:3] = totals
            for_points = solution.choose(states, 1, maximise="score")
            differ += for_points != solution.choose(states, 1)
            follow(solution, turn, states, 1e-4)
    assert differ > 0


@rulings
def test_judging_agrees_with_the_plain_search(short: dict[bool, Solution], ruling: bool) -> None:
    """Every legal action of random moments in the last turns, not only the good ones."""
    solution = short[ruling]
    luck = random.Random("judge")
    for left in (1, 2, 2):
        sheet = random_sheet(PLAYED, luck)

        def to_come(built: Names, used: Names, left: int = left) -> float:
            return solution.value(left - 1, sheet_number(built, used))

        turn = BestTurn(*names_of(sheet), to_come, same_turn_joker=ruling)
        states = throw(position([sheet], TURNS - left, same_turn_joker=ruling), luck)
        while states[0].phase in (CHOOSING, ACTING) and states[0].turn == TURNS - left:
            legal = np.empty(GAME.rules.MAX_LEGAL, np.int32)
            actions = legal[: GAME.rules.legal_actions(states[0], legal)].tolist()
            moves = GAME.notation.names(states[0], 0, actions)
            worth = [value_of(turn, states, move) for move in moves]
            for action, value in zip(actions, worth, strict=True):
                best, loss = solution.judge(states, 0, action)
                assert best == solution.choose(states, 0)
                assert loss == pytest.approx(max(worth) - value, abs=1e-9)
            GAME.rules.apply(states[0], luck.choice(actions))


@pytest.mark.parametrize("players", [1, 2])
@rulings
def test_the_master_tells_what_every_move_is_worth(
    short: dict[bool, Solution], ruling: bool, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it expects stays the same until dice roll, and is the result in the end."""
    monkeypatch.setattr(solutions, "find", lambda options: short[ruling])
    master = kwartet.bot("master")
    for seed in range(6):
        match = after_building(players, ruling, seed)
        expected, seat = None, 0
        while match.actor is not None:
            seat = match.actor
            choices = master.analyse(match)
            assert sorted(choice.move for choice in choices) == sorted(match.legal())
            assert choices[0].move == master.choose(match)
            assert [choice.share for choice in choices] == [1.0] + [0.0] * (len(choices) - 1)
            worths = [choice.worth for choice in choices]
            assert worths == pytest.approx(sorted(worths, reverse=True), abs=1e-6)
            if expected is not None:
                assert worths[0] == pytest.approx(expected, abs=1e-6)
            rolls = choices[0].move.startswith("keep") or choices[0].move == "end"
            expected = None if rolls else worths[0]
            match.play(choices[0].move)
        result = match.scores()[seat] if players == 1 else match.returns()[seat]
        assert worths[0] == pytest.approx(result, abs=1e-6)


def test_what_it_cannot_choose_it_refuses(short: dict[bool, Solution]) -> None:
    match = after_building(2, True, 1)
    states = match.redacted(None)
    for solution, seat, changed, sentence in (
        (short[True], 1, {}, "not seat 1's turn"),
        (short[False], 0, {}, "other ruling"),
        (short[True], 0, {"turn": 3}, "last 2 turns"),
        (short[True], 0, {"roads": 0xFFFF}, "no such sheet"),
    ):
        states[:] = match.redacted(None)
        for name, value in changed.items():
            states[name] = value
        with pytest.raises(kwartet.GameError, match=sentence):
            solution.choose(states, seat)


def test_a_stored_solution_is_found_and_a_damaged_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KWARTET_CACHE", str(tmp_path))
    options = GAME.settle({})
    assert solutions.find(options, turns=1) is None
    told = []
    made = solutions.compute(options, turns=1, advance=lambda: told.append(1))
    assert len(told) == solutions.steps(1) == 1
    found = solutions.find(options, turns=1)
    assert found is not None
    assert found.expected == made.expected
    assert (found.future(1, 0) == made.future(1, 0)).all()
    assert solutions.find(GAME.settle({"same_turn_joker": False}), turns=1) is None
    (file,) = (tmp_path / "solutions").iterdir()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 255
    file.write_bytes(data)
    assert solutions.find(options, turns=1) is None


def some_choices() -> list[int]:
    """What the stored solution of the last turn chooses in a few positions."""
    solution = solutions.find(GAME.settle({}), turns=1)
    assert solution is not None
    luck = random.Random("choices")
    positions = [throw(position([0, 0], TURNS - 1, seat), luck) for seat in (0, 1, 0, 1)]
    return [solution.choose(states, int(states[0].seat)) for states in positions]


def test_choices_are_the_same_without_the_jit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KWARTET_CACHE", str(tmp_path))
    solutions.compute(GAME.settle({}), turns=1)
    assert without_jit(__name__, "some_choices()") == some_choices()


def test_the_command_computes_once_and_then_looks_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KWARTET_CACHE", str(tmp_path))
    arguments = ["solve", "catan_dice", "--turns", "1"]
    computed = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    found, shown = (kwartet_command(*arguments, *more) for more in (["--json"], []))
    assert found.returncode == 0, found.stderr
    stored = json.loads(found.stdout)
    assert (computed.pop("stored"), stored.pop("stored")) == (False, True)
    assert computed | {"seconds": 0} == stored | {"seconds": 0}
    assert stored["expected"] == pytest.approx(best_end(EMPTY, NONE, 1))
    assert sum(stored["chances"].values()) == pytest.approx(1)
    assert f"Best expected score {stored['expected']:.4f}" in shown.stdout
    again = json.loads(CliRunner().invoke(app, [*arguments, "--again", "--json"]).stdout)
    assert not again["stored"]


def test_an_interrupted_command_says_so_and_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("KWARTET_CACHE", str(tmp_path))
    monkeypatch.setattr(solver, "keep", interrupt)
    result = CliRunner().invoke(app, ["solve", "catan_dice", "--turns", "1"])
    assert result.exit_code == 130
    assert "nothing was stored" in result.output
    assert not (tmp_path / "solutions").exists()
