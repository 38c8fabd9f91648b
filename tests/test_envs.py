"""The environments: what PettingZoo and Gymnasium ask of them, and what is refused."""

from dataclasses import replace
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import kwartet
from kwartet.bots.bot import ask, turn_of
from kwartet.bots.catalogue import create
from kwartet.envs.gymnasium import MatchEnv, MatchVectorEnv, register_all
from kwartet.envs.pettingzoo import env, parallel_env
from kwartet.envs.spaces import LIMIT
from tests.cases import every_game

# PettingZoo knows its own environments by name as those whose observations have a mask.
an_observation_with_a_mask_is_a_dict = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
)

register_all()  # the example came after the import


@every_game
@an_observation_with_a_mask_is_a_dict
def test_pettingzoo_finds_nothing_wrong(key: str, options: dict[str, Any]) -> None:
    make = partial(env, key, **options)
    api_test(make(), num_cycles=60)
    seed_test(make, num_cycles=60)
    make_parallel = partial(parallel_env, key, **options)
    parallel_api_test(make_parallel(), num_cycles=60)
    parallel_seed_test(partial(make_parallel, illegal="end"))  # it samples without the mask


@every_game
def test_pictures_are_text_and_images(
    key: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    render_test(partial(env, key, **options))
    assert kwartet.GAMES[key].title in capsys.readouterr().out  # that was "human"
    made = env(key, render_mode="rgb_array", **options)
    made.reset(seed=1)
    image = made.render()
    assert isinstance(image, np.ndarray)
    assert 200 < image.shape[0] < 1200
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 3


def test_a_game_without_a_picture_shows_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    made = env("connect_four", render_mode="rgb_array")
    made.reset(seed=1)
    drawn = made.render()
    game = kwartet.GAMES["connect_four"]
    monkeypatch.setitem(game.__dict__, "modules", replace(game.modules, picture=None))
    written = made.render()
    assert isinstance(written, np.ndarray)
    assert isinstance(drawn, np.ndarray)
    assert written.shape != drawn.shape
    assert (written < 100).any()  # ink


@every_game
def test_gymnasium_finds_nothing_wrong(key: str, options: dict[str, Any]) -> None:
    name = f"kwartet/{key}-v{kwartet.GAMES[key].version}"
    # Its checks play actions without looking at the mask.
    made = gymnasium.make(
        name, opponent="random", illegal="end", render_mode="ansi", disable_env_checker=True
    )
    check_env(made.unwrapped)


@every_game
def test_observations_lie_within_their_space_to_the_end(key: str, options: dict[str, Any]) -> None:
    made = env(key, **options)
    made.reset(seed=2)
    made.action_space("seat_0").seed(2)
    total = dict.fromkeys(made.agents, 0.0)
    for agent in made.agent_iter():
        seen, reward, terminated, _, _ = made.last()
        assert made.observation_space(agent).contains(seen)
        total[agent] += reward
        mask = seen["action_mask"]
        made.step(None if terminated else made.action_space("seat_0").sample(mask))
    match = made.episode.match
    assert match.actor is None
    expected = match.scores() if match.seats == 1 else match.returns()
    assert list(total.values()) == pytest.approx(expected)
    assert np.abs(seen["observation"]).max() < LIMIT


def test_a_seat_sees_the_same_in_every_environment() -> None:
    serial, parallel = env("kwatro", players=3), parallel_env("kwatro", players=3)
    serial.reset(seed=4)
    seen, infos = parallel.reset(seed=4)
    for _ in range(20):
        for agent in serial.agents:
            own = serial.observe(agent)
            assert np.array_equal(own["observation"], seen[agent]["observation"])
            assert np.array_equal(own["action_mask"], seen[agent]["action_mask"])
        actor = serial.agent_selection
        assert [agent for agent in serial.agents if infos[agent]["to_act"]] == [actor]
        action = int(
            np.flatnonzero(
                own["action_mask"] if own["action_mask"].any() else seen[actor]["action_mask"]
            )[0]
        )
        serial.step(action)
        seen, _, _, _, infos = parallel.step({actor: action})


def test_solo_rewards_are_the_points_gained() -> None:
    made = gymnasium.make("kwartet/catan_dice-v2").unwrapped
    seen, info = made.reset(seed=1)
    total, ended = 0.0, False
    while not ended:
        action = np.flatnonzero(seen["action_mask"])[-1]
        seen, reward, ended, _, info = made.step(action)
        total += float(reward)
    assert [total] == info["scores"]


def test_the_same_seed_gives_the_same_match_against_the_same_bot() -> None:
    first, second, other = (play("carnac", seed, board="small") for seed in (5, 5, 6))
    assert first == second
    assert first != other


def play(key: str, seed: int, **options: Any) -> list[Any]:
    made = MatchEnv(key, opponent="novice", **options)
    seen, info = made.reset(seed=seed)
    told: list[Any] = [info]
    ended = False
    while not ended:
        seen, reward, ended, _, info = made.step(int(np.flatnonzero(seen["action_mask"])[0]))
        told.append((seen["observation"].tobytes(), reward, info))
    return told


def test_the_seat_is_drawn_or_fixed() -> None:
    drawn, fixed = (
        MatchEnv("carat", opponent="random"),
        MatchEnv("carat", opponent="random", seat=2),
    )
    assert {drawn.reset(seed=seed)[1]["seat"] for seed in range(30)} == {0, 1, 2, 3}
    assert {fixed.reset(seed=seed)[1]["seat"] for seed in range(5)} == {2}


def test_a_better_opponent_wins_more() -> None:
    results = {}
    for opponent in ("random", "uct@300"):
        made = MatchEnv("connect_four", opponent=opponent)
        own = create("random", made.episode.game)
        results[opponent] = 0.0
        for seed in range(20):
            made.reset(seed=seed)
            ended = False
            while not ended:
                action = ask(own, turn_of(made.episode.match, seed=seed))
                _, reward, ended, _, _ = made.step(action)
            results[opponent] += reward
    assert results["uct@300"] < -15 < results["random"]


@pytest.mark.parametrize(
    ("action", "what"),
    [
        (9999, "out of range; actions are 0 to 508"),
        (-1, "out of range"),
        (505, r"masked: action_mask\[505\] is 0"),
        (1.5, "whole number from 0 to 508"),
        (None, "whole number from 0 to 508"),
        (True, "whole number from 0 to 508"),
    ],
)
def test_an_illegal_action_is_refused_with_its_mask_and_nothing_changes(
    action: Any, what: str
) -> None:
    made = MatchEnv("carnac", opponent="random", seat=0)
    made.reset(seed=1)
    before = made.episode.match.record()
    with pytest.raises(kwartet.GameError, match=what) as refusal:
        made.step(action)
    assert refusal.value.code == "illegal-move"
    assert made.episode.match.record() == before


def test_an_illegal_action_may_end_the_match_as_pettingzoos_wrapper_does() -> None:
    own = env("carnac", illegal="end")
    wrapped = TerminateIllegalWrapper(env("carnac"), illegal_reward=-1)
    for made in (own, wrapped):
        made.reset(seed=1)
        made.step(505)
        assert made.terminations == {"seat_0": True, "seat_1": True}
        assert made.rewards == {"seat_0": -1, "seat_1": 0}


def test_a_step_after_the_end_or_before_the_beginning_is_refused() -> None:
    single = MatchEnv("connect_four", opponent="random", illegal="end")
    serial = env("connect_four", illegal="end")
    parallel = parallel_env("connect_four", illegal="end")
    steps: list[tuple[Any, Any]] = [(single, 0), (serial, 0), (parallel, {"seat_0": 0})]
    for made, action in steps:
        with pytest.raises(kwartet.GameError, match="reset") as refusal:
            made.step(action)
        assert refusal.value.code == "game-over"
    single.reset()
    single.step(99)
    serial.reset()
    serial.step(99)
    parallel.reset()
    parallel.step({"seat_0": 99})
    for made, action in steps:
        with pytest.raises(kwartet.GameError) as refusal:
            made.step(action)
        assert refusal.value.code == "game-over"
    serial.step(None)
    serial.step(None)
    with pytest.raises(kwartet.GameError, match="call reset"):
        serial.step(None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"render_mode": "hologram"},
        {"reward": "glory"},
        {"illegal": "ignore"},
        {"seat": 2},
        {"opponent": "nobody"},
        {"board": "tiny"},
    ],
)
def test_a_bad_option_is_refused_at_once(wrong: dict[str, Any]) -> None:
    with pytest.raises(kwartet.GameError):
        MatchEnv("carnac", **wrong)


def test_the_parallel_seat_to_act_must_act() -> None:
    made = parallel_env("carnac")
    made.reset(seed=1)
    with pytest.raises(kwartet.GameError, match="seat_0 is to act"):
        made.step({"seat_1": 0})


def test_many_matches_are_a_vector_environment() -> None:
    made = gymnasium.make_vec(
        "kwartet/carnac-v1", 16, vectorization_mode="vector_entry_point", board="small"
    )
    assert isinstance(made, MatchVectorEnv)
    seen, _ = made.reset(seed=3)
    assert made.observation_space.contains(seen)
    finished = 0
    for _ in range(60):
        before = made.batch.now.dones.copy()
        actions = made.batch.sample().copy()
        seen, rewards, ended, cut, _ = made.step(actions)
        assert made.observation_space.contains(seen)
        assert not (before & ended).any()  # the step after the end only begins anew
        assert not rewards[before].any()
        assert set(np.abs(rewards[ended])) <= {0.0, 1.0}
        assert not cut.any()
        finished += int(ended.sum())
    assert finished > 16
    made.close()


def test_a_vector_environment_repeats_itself_and_may_share_its_arrays() -> None:
    told = []
    for copy in (True, False):
        made = MatchVectorEnv("connect_four", 8, copy=copy)
        made.reset(seed=9)
        parts = []
        for _ in range(30):
            now, rewards, *_ = made.step(made.batch.sample())
            assert np.shares_memory(now["observation"], made.batch.now.observations) != copy
            parts.append((now["observation"].tobytes(), rewards.tobytes()))
        told.append(parts)
    assert told[0] == told[1]
    with pytest.raises(kwartet.GameError, match="One seed"):
        made.reset(seed=[1] * 8)


def test_importing_kwartet_needs_no_environment_library() -> None:
    import subprocess
    import sys

    script = (
        "import sys, kwartet, kwartet.envs\n"
        "assert not {'gymnasium', 'pettingzoo', 'pyspiel', 'torch'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
