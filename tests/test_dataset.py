"""Datasets: the same from the same seed, interrupted or not, in either format."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kwartet.arena.dataset import Making, Setup, load
from kwartet.arena.pool import Processes
from kwartet.arena.positions import read
from kwartet.core.errors import GameError
from kwartet.core.match import Match
from kwartet.games import find
from tests.test_cli import kwartet_command

SMALL = {"board": "small", "final_tilt": False}


class Here:
    """A pool that works in this process, up to a number of items."""

    def __init__(self, items: int = 1 << 30) -> None:
        self.items = items

    def map(self, function: Any, items: Any) -> Any:
        for item in items:
            if self.items == 0:
                raise KeyboardInterrupt
            self.items -= 1
            yield item, function(item)

    def close(self) -> None:
        pass


def make(folder: Path, pool: Any = None, **changes: Any) -> list[Path]:
    setup = Setup("carnac", SMALL, **{"matches": 5, "simulations": 20, "shard": 2, **changes})
    return list(Making.open(setup, folder).run(pool or Here()))


def contents(folder: Path) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in vars(load(folder).columns).items()}


def test_positions_are_what_the_matches_went_through(tmp_path: Path) -> None:
    make(tmp_path)
    dataset = load(tmp_path)
    game = find("carnac")
    batch = dataset.take(np.arange(len(dataset)))
    assert set(dataset.columns.matches) == set(range(5))
    for row, state in enumerate(dataset.states):
        match = Match(game, SMALL)
        match.set_up(np.array([state]))
        assert match.actor == dataset.columns.seats[row]
        considered = np.flatnonzero(batch.policies[row])
        assert set(considered) <= set(match.legal_actions())
        assert batch.policies[row].sum() == pytest.approx(1.0, abs=1e-4)
        seen = [part.ravel() for part in match.observation(match.actor).values()]
        assert np.array_equal(batch.observations[row], np.concatenate(seen))
    assert set(batch.outcomes.tolist()) <= {-1.0, 0.0, 1.0}
    assert np.array_equal(dataset.columns.outcomes.sum(axis=1), np.zeros(len(dataset)))


def test_an_interrupted_dataset_goes_on_and_is_the_same(tmp_path: Path) -> None:
    whole = make(tmp_path / "whole")
    assert [path.name for path in whole] == [
        "0000000-0000001.npz",
        "0000002-0000003.npz",
        "0000004-0000004.npz",
    ]
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "parts", Here(3))
    assert len(load(tmp_path / "parts").columns) < len(load(tmp_path / "whole").columns)
    assert len(make(tmp_path / "parts")) == 2
    assert contents(tmp_path / "whole") == contents(tmp_path / "parts")
    assert make(tmp_path / "whole") == []


def test_processes_make_the_same(tmp_path: Path) -> None:
    make(tmp_path / "here")
    with Processes(2) as pool:
        make(tmp_path / "there", pool)
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    make(tmp_path / "npz")
    files = make(tmp_path / "parquet", format="parquet")
    assert all(path.suffix == ".parquet" for path in files)
    assert contents(tmp_path / "npz") == contents(tmp_path / "parquet")


def test_batches_have_every_position_once(tmp_path: Path) -> None:
    make(tmp_path)
    dataset = load(tmp_path)
    batches = list(dataset.batches(32, seed=1))
    assert sum(len(batch.outcomes) for batch in batches) == len(dataset)
    assert all(len(batch.outcomes) == 32 for batch in batches[:-1])
    mixed = np.sort(np.concatenate([batch.observations.sum(axis=1) for batch in batches]))
    straight = np.sort(dataset.take(np.arange(len(dataset))).observations.sum(axis=1))
    assert np.array_equal(mixed, straight)


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="no dataset"):
        load(tmp_path / "nowhere")
    with pytest.raises(GameError, match="format is npz or parquet"):
        make(tmp_path / "csv", format="csv")
    Making.open(Setup("carnac", SMALL), tmp_path / "empty")
    with pytest.raises(GameError, match="no positions"):
        load(tmp_path / "empty")
    with pytest.raises(GameError, match="another setup"):
        Making.open(Setup("carnac", SMALL, seed=1), tmp_path / "empty")
    setup = tmp_path / "empty" / "setup.json"
    setup.write_text(json.dumps(json.loads(setup.read_text()) | {"rules": 99}))
    with pytest.raises(GameError, match="version 99"):
        load(tmp_path / "empty")
    torn = tmp_path / "torn.npz"
    torn.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(GameError, match="damaged"):
        read(torn)


def test_the_command_writes_and_adds_more(tmp_path: Path) -> None:
    arguments = ("dataset", "carnac", "-o", "board=small", "--simulations", "10", "--shard", "1")
    for games in ("1", "2"):
        result = kwartet_command(*arguments, "-n", games, "--out", str(tmp_path))
        assert result.returncode == 0, result.stderr
        assert f"of {games} matches" in result.stdout
    refused = kwartet_command(*arguments, "--seed", "3", "--out", str(tmp_path))
    assert refused.returncode == 2
    assert "another setup" in refused.stderr
