"""Batches: the same rules as a match, the same results with any number of threads."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest

import kwartet
from kwartet.core.chance import generator
from kwartet.core.match import Match
from kwartet.core.position import Position
from kwartet.envs import Batch, batch
from kwartet.games import find
from tests.cases import SOME, every_game


def history(made: Batch, steps: int) -> list[tuple[bytes, ...]]:
    """What random play shows, step by step."""
    return [tuple(part.tobytes() for part in made.step(made.sample())) for _ in range(steps)]


@every_game
def test_a_lane_shows_what_the_rules_say(key: str, options: dict[str, Any]) -> None:
    made = batch(key, 3, seed=5, autoreset=None, **options)
    for _ in range(200):
        before, shown = made.states, made.now
        for lane in range(3):
            match = standing(key, options, before[lane : lane + 1])
            if match.actor is None:
                assert shown.dones[lane]
                assert not shown.masks[lane].any()
                continue
            assert shown.actors[lane] == match.actor
            assert np.flatnonzero(shown.masks[lane]).tolist() == match.legal_actions()
            seen = [part.ravel() for part in match.observation(match.actor).values()]
            assert np.array_equal(shown.observations[lane], np.concatenate(seen))
        actions = made.sample().copy()
        expected = [one_step(key, options, before[lane], actions[lane]) for lane in range(3)]
        made.step(actions)
        for lane, match in enumerate(expected):
            if match.actor is None and actions[lane] >= 0 and match.seats > 1:
                assert made.now.rewards[lane].tolist() == pytest.approx(match.returns())
    assert made.now.dones.any() or key == "kwatro"


def standing(key: str, options: dict[str, Any], states: npt.NDArray[Any]) -> Match:
    """A match that stands so, without a past."""
    match = kwartet.new(key, auto_chance=False, **options)
    match.set_up(states)
    return match


def one_step(key: str, options: dict[str, Any], state: Any, action: int) -> Match:
    match = standing(key, options, np.array([state]))
    if action >= 0:
        match.extend([int(action)])
    return match


@every_game
def test_threads_and_repetition_change_nothing(
    key: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kwartet.envs.batches.LEAST_SHARE", 1)
    lanes, steps = (150, 12) if key == "kwatro" else (200, 60)
    with (
        batch(key, lanes, seed=3, **options) as one,
        batch(key, lanes, seed=3, threads=3, **options) as three,
        batch(key, lanes, seed=4, **options) as other,
    ):
        assert len(three._calls) == 3
        first = history(one, steps)
        assert first == history(three, steps)
        assert first != history(other, steps)
        one.reset(3)
        assert first == history(one, steps)


def test_threads_share_the_work_where_a_step_writes_enough() -> None:
    for key, lanes, shares in (("connect_four", 1024, 1), ("kwatro", 15, 1), ("kwatro", 40, 3)):
        with batch(key, lanes, threads=3) as made:
            assert len(made._calls) == shares


@every_game
def test_points_add_up_to_the_final_score(key: str, options: dict[str, Any]) -> None:
    made = batch(key, 4, seed=1, reward="points", autoreset=None, **options)
    points = made.now.rewards.copy()
    while not made.now.dones.all():
        made.step(made.sample())
        points += made.now.rewards
    for lane, state in enumerate(made.states):
        assert points[lane].tolist() == standing(key, options, np.array([state])).scores()


def test_a_finished_lane_begins_anew_in_the_same_step_the_next_or_not_at_all() -> None:
    same, later, never = (
        batch("connect_four", 1, seed=2, autoreset=mode) for mode in ("same", "next", None)
    )
    for made in (same, later, never):
        for number in range(7):
            made.step([number % 2])  # four in column a win
        assert made.now.dones[0]
        assert made.now.rewards[0].tolist() == [1.0, -1.0]
    assert same.now.masks.all()
    assert same.now.observations[0, :84].sum() == 0
    assert later.now.observations[0, :84].sum() == 7
    assert not later.now.masks.any()
    later.step([6])
    assert later.now.observations[0, :84].sum() == 0
    assert not later.now.dones[0]
    assert not later.now.rewards.any()
    with pytest.raises(kwartet.GameError, match="lane 0 is over") as refusal:
        never.step([0])
    assert refusal.value.code == "game-over"
    never.step([-1])
    assert never.now.dones[0]


def test_the_others_play_inside_and_the_seat_goes_round() -> None:
    made = batch("carat", 8, seed=1, opponent="random", players=4)
    assert made.now.actors.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    seats = set()
    for _ in range(60):
        before = made.now.actors.copy()
        made.step(made.sample())
        going_on = ~made.now.dones
        assert (made.now.actors[going_on] == before[going_on]).all()
        moved_on = (before[made.now.dones] + 1) % 4
        assert (made.now.actors[made.now.dones] == moved_on).all()
        seats.update(made.now.actors[made.now.dones].tolist())
    assert seats == {0, 1, 2, 3}


def test_quick_opponents_play_better_than_random_ones() -> None:
    means = []
    for opponent in ("random", "quick"):
        made = batch("connect_four", 64, seed=1, opponent=opponent)
        total = matches = 0.0
        for _ in range(100):
            seats = made.now.actors.copy()
            made.step(made.sample())
            total += made.now.rewards[np.arange(64), seats][made.now.dones].sum()
            matches += made.now.dones.sum()
        means.append(total / matches)
    assert abs(means[0]) < 0.2
    assert means[1] < -0.5


@pytest.mark.parametrize(
    ("action", "what"),
    [
        (509, "out of range; they are 0 to 508"),
        (-1, "out of range"),
        (504, r"masked: masks\[1, 504\]"),
    ],
)
def test_an_illegal_action_is_refused_with_its_mask_and_nothing_changes(
    action: int, what: str
) -> None:
    made = batch("carnac", 3, board="small")
    before = made.states.tobytes(), *(part.tobytes() for part in made.now)
    with pytest.raises(kwartet.GameError, match=what) as refusal:
        made.step([0, action, 0])
    assert refusal.value.code == "illegal-move"
    assert before == (made.states.tobytes(), *(part.tobytes() for part in made.now))


def test_an_illegal_action_may_end_its_match_alone() -> None:
    made = batch("carnac", 2, illegal="end", board="small")
    made.step([0, 99_999])
    assert made.now.dones.tolist() == [False, True]
    assert made.now.rewards.tolist() == [[0.0, 0.0], [-1.0, 0.0]]
    assert made.now.masks[1].sum() == 4 * 40  # the next match has begun


@pytest.mark.parametrize("actions", [[0.5, 1.0], [1], [[1, 2]], ["a", "b"], None])
def test_actions_are_whole_numbers_one_a_lane(actions: Any) -> None:
    made = batch("connect_four", 2)
    if actions is None:
        made.actions[:] = 3
        assert made.step().observations[:, :84].sum() == 2
        return
    with pytest.raises(kwartet.GameError, match="2 whole numbers"):
        made.step(actions)


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"n": 0}, "n is a number from 1 on"),
        ({"threads": 0}, "threads is a number from 1 on"),
        ({"opponent": "master"}, "opponent is one of"),
        ({"autoreset": 7}, "autoreset is one of"),
        ({"illegal": None}, "illegal is one of"),
        ({"board": "tiny"}, "Option board"),
        ({"game": "chess"}, "There is no game"),
    ],
)
def test_a_bad_option_is_named(wrong: dict[str, Any], what: str) -> None:
    with pytest.raises(kwartet.GameError, match=what):
        batch(**{"game": "carnac", "n": 1, **wrong})


def test_arrays_stay_where_they_are_and_can_be_shared() -> None:
    made = batch("catan_dice", 4)
    now: tuple[Any, ...] = made.now
    shared = [np.from_dlpack(part) for part in now]  # as torch would take them
    for _ in range(50):
        assert made.step(made.sample()) is made.now
    for part, other in zip(now, shared, strict=True):
        assert np.shares_memory(part, other)
        assert np.array_equal(part, other)
    assert made.parts()["sheets"].shape[0] == 4
    assert np.shares_memory(made.parts()["sheets"], made.now.observations)


@pytest.mark.parametrize("autoreset", [None, "next", "same"])
def test_sampled_actions_can_be_played_also_after_an_illegal_one_ended_a_match(
    autoreset: Literal["same", "next"] | None,
) -> None:
    lanes = batch("connect_four", 4, seed=3, illegal="end", autoreset=autoreset)
    lanes.step([99, 0, 0, 0])
    assert (lanes.sample()[0] == -1) == (autoreset != "same")
    for _ in range(60):
        lanes.step(lanes.sample())
    assert autoreset or lanes.now.dones.all()


def test_threads_sample_as_one_does() -> None:
    one = batch("carnac", 1024, seed=5, board="small")
    with batch("carnac", 1024, seed=5, board="small", threads=2) as two:
        assert two._pool is not None
        for _ in range(20):
            assert np.array_equal(one.sample(), two.sample())
            one.step()
            two.step()


def test_a_position_plays_as_a_match_does() -> None:
    for key, options in SOME:
        position = Position(find(key), options)
        match = kwartet.new(key, auto_chance=False, **options)
        rng = generator(11)
        while not position.is_over:
            assert position.actor == match.actor
            assert position.legal_actions == match.legal_actions()
            action = position.random_action(rng)
            position.apply(action)
            match.extend([action])
        assert match.actor is None
        assert position.returns() == match.returns()
        assert position.scores() == match.scores()
        with pytest.raises(kwartet.GameError, match="is over"):
            position.apply(0)


def test_a_position_refuses_what_is_not_legal_and_copies_are_independent() -> None:
    position = Position(find("connect_four"))
    twin = position.copy()
    for _ in range(6):
        position.apply(3)
    with pytest.raises(kwartet.GameError, match="3 is not legal here"):
        position.apply(3)
    assert twin.legal_actions == [0, 1, 2, 3, 4, 5, 6]
    twin.apply(3)
    assert twin.actor == 1
