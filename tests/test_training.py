"""Training: the same from the same seed, interrupted or not, and what it learns is better."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kwartet.arena.pool import Processes
from kwartet.core.errors import GameError
from kwartet.games import find
from kwartet.learning import Training, TrainingPlan
from kwartet.learning.fitting import Lessons, fit_weights

PLAN = TrainingPlan(
    "carnac",
    [{"board": "small", "final_tilt": False}],
    rounds=2,
    matches=3,
    simulations=40,
    judged=2,
    judging=20,
)


def train(folder: Path, plan: TrainingPlan = PLAN) -> Training:
    with Training.open(find("carnac"), plan, folder) as training, Processes(1) as pool:
        for _ in training.run(pool, pool):
            pass
    return training


def test_the_same_seed_gives_the_same_prior_interrupted_or_not(tmp_path: Path) -> None:
    whole = train(tmp_path / "whole")
    train(tmp_path / "parts", replace(PLAN, rounds=1))
    shutil.rmtree(tmp_path / "parts" / "round-2", ignore_errors=True)
    parts = train(tmp_path / "parts")
    for name in ("prior-1.json", "prior-2.json"):
        first, second = (json.loads((each.path / name).read_text()) for each in (whole, parts))
        assert first["weights"] == second["weights"]
    assert whole.rounds == parts.rounds
    with Training.open(find("carnac"), PLAN, tmp_path / "whole") as over:
        assert over.steps() == 0


def test_half_a_round_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    whole = train(tmp_path / "whole")
    shutil.copytree(whole.path, tmp_path / "half")
    for name in ("prior-2.json", "rounds.json", "prior-1.json", "prior.json"):
        (tmp_path / "half" / name).unlink(missing_ok=True)
    shutil.rmtree(tmp_path / "half" / "round-2")
    (tmp_path / "half" / "round-1" / "00001.npz").unlink()
    with Training.open(find("carnac"), PLAN, tmp_path / "half") as half:
        assert half.steps() == 2 * (3 + 2) - 2
    half = train(tmp_path / "half")
    assert half.rounds == whole.rounds


def test_a_round_learns_from_as_many_rounds_as_are_remembered(tmp_path: Path) -> None:
    last, both = (
        train(tmp_path / str(rounds), replace(PLAN, remembered=rounds)).rounds for rounds in (1, 2)
    )
    assert last[0].decisions == both[0].decisions
    assert both[1].decisions == both[0].decisions + last[1].decisions


def test_another_plan_does_not_go_on_in_the_same_folder(tmp_path: Path) -> None:
    with (
        Training.open(find("carnac"), PLAN, tmp_path),
        pytest.raises(GameError, match="Another process is at work"),
    ):
        Training.open(find("carnac"), PLAN, tmp_path)
    with pytest.raises(GameError, match="another setup"):
        Training.open(find("carnac"), TrainingPlan("carnac", PLAN.options, seed=1), tmp_path)


def test_a_game_without_features_has_nothing_to_learn(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="no features"):
        Training.open(find("connect_four"), TrainingPlan("connect_four", [{}]), tmp_path)


def test_a_fit_finds_the_weights_that_made_the_shares() -> None:
    rng = np.random.default_rng(1)
    truth = rng.normal(size=30)
    decisions, actions, width = 1500, 6, 3
    features = np.array(
        [rng.choice(30, width, replace=False) for _ in range(decisions * actions)], np.int32
    )
    logits = truth[features].sum(axis=1).reshape(decisions, actions)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    lessons = Lessons(
        features.ravel(),
        np.arange(decisions * actions + 1) * width,
        np.arange(decisions + 1) * actions,
        shares.ravel().astype(np.float32),
    )
    weights, losses = fit_weights(lessons, 30, seed=1)
    assert losses[-1] < 0.01 < losses[0]
    centred = (weights - weights.mean()) - (truth - truth.mean())
    assert np.abs(centred).max() < 0.15


@pytest.mark.parametrize("name", ["setup.json", "rounds.json"])
def test_a_torn_file_is_told_in_a_sentence(name: str, tmp_path: Path) -> None:
    with Training.open(find("carnac"), PLAN, tmp_path):
        pass
    (tmp_path / name).write_text('{"game": "car')
    with pytest.raises(GameError, match="damaged"):
        Training.open(find("carnac"), PLAN, tmp_path)


def test_torn_lessons_are_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "round-1").mkdir()
    for match in range(PLAN.matches):
        (tmp_path / "round-1" / f"{match:05}.npz").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(GameError, match="Remove it to go on"):
        train(tmp_path)


def test_a_folder_may_have_signs_that_bots_names_use(tmp_path: Path) -> None:
    few = replace(PLAN, rounds=1, matches=1)
    (found,) = train(tmp_path / "a@b:c+d", few).rounds
    assert 0 <= found.score <= 1
