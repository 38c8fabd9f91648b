"""Datasets: the same from the same seed, interrupted or not, in either format."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kwartet.arena.pool import Inline, Processes
from kwartet.bots.catalogue import strongest
from kwartet.bots.exact import Exact
from kwartet.core.chance import below, generator
from kwartet.core.errors import GameError
from kwartet.core.match import Match
from kwartet.games import find
from kwartet.games.catan_dice import solver
from kwartet.games.catan_dice.rules import ACTING, TURNS
from kwartet.games.catan_dice.solution import Solution
from kwartet.learning import DatasetPlan, DatasetWriter, load, stream
from kwartet.learning.positions import read
from kwartet.learning.selfplay import decisions
from kwartet.learning.shards import Place, Shard, gather
from tests.test_cli import kwartet_command

SMALL = {"board": "small", "final_tilt": False}


class Here(Inline):
    """A pool that works in this process, up to a number of items."""

    def __init__(self, items: int = 1 << 30) -> None:
        self.items = items

    def map(self, function: Any, items: Any) -> Any:
        for item in items:
            if self.items == 0:
                raise KeyboardInterrupt
            self.items -= 1
            yield item, function(item)


class Elsewhere(Here):
    """The same on machines that see nothing of this one's files."""

    def map(self, function: Any, items: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Place, "is_here", lambda _: False)
            yield from super().map(function, items)


def plan_of(**changes: Any) -> DatasetPlan:
    return DatasetPlan("carnac", SMALL, **{"matches": 5, "simulations": 20, "shard": 2, **changes})


def make(folder: Path, pool: Any = None, **changes: Any) -> list[Path]:
    with DatasetWriter.open(plan_of(**changes), folder) as writer:
        return list(writer.run(pool or Here()))


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
    assert [path.name for path in whole] == ["00000.npz", "00001.npz", "00002.npz"]
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "parts", Here(3))
    assert len(load(tmp_path / "parts").columns) < len(load(tmp_path / "whole").columns)
    assert len(make(tmp_path / "parts")) == 2
    assert contents(tmp_path / "whole") == contents(tmp_path / "parts")
    assert make(tmp_path / "whole") == []


def test_what_was_played_before_an_interruption_is_not_played_again(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path, Here(4))  # two matches, their shard, one match
    with DatasetWriter.open(plan_of(), tmp_path) as writer:
        assert writer.steps() == 2
        pool = Here()
        assert len(list(writer.run(pool))) == 2
        assert (1 << 30) - pool.items == 2 + 2  # matches and shards
    make(tmp_path / "whole")
    assert contents(tmp_path) == contents(tmp_path / "whole")
    names = {path.name for path in tmp_path.iterdir() if path.name not in ("whole", ".lock")}
    assert names == {"setup.json", "00000.npz", "00001.npz", "00002.npz"}


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_machines_that_do_not_see_the_folder_make_the_same(tmp_path: Path, ending: str) -> None:
    make(tmp_path / "seen", format=ending)
    make(tmp_path / "unseen", Elsewhere(), format=ending)
    for path in (tmp_path / "seen").glob(f"*.{ending}"):
        assert path.read_bytes() == (tmp_path / "unseen" / path.name).read_bytes()
    assert not (tmp_path / "unseen/played").exists()


def test_a_shard_that_is_gathered_twice_is_the_same(tmp_path: Path) -> None:
    """As when a machine is lost after it has written and before it has said so."""
    path, again = make(tmp_path)[0], Shard("00000.npz", (0, 1))
    before = path.read_bytes()
    assert gather(plan_of(), Place(str(tmp_path), ""), again)
    assert path.read_bytes() == before


def test_a_stream_has_every_position_once_in_batches_of_one_size(tmp_path: Path) -> None:
    make(tmp_path, matches=9)
    dataset, found = load(tmp_path), stream(tmp_path)
    batches = list(found.batches(32, seed=1, shards=2))
    assert all(len(batch.outcomes) == 32 for batch in batches[:-1])
    whole = dataset.take(np.arange(len(dataset)))
    for name in ("observations", "policies"):
        mixed = np.concatenate([getattr(batch, name) for batch in batches])
        weights = np.arange(1, mixed.shape[1] + 1)
        straight = np.sort(getattr(whole, name) @ weights)
        assert np.allclose(np.sort(mixed @ weights), straight, rtol=1e-4)
    again = list(found.batches(32, seed=1, shards=2))
    assert all(map(np.array_equal, (b.scores for b in batches), (b.scores for b in again)))
    other = next(found.batches(32, seed=2, shards=2))
    assert not np.array_equal(other.observations, batches[0].observations)
    assert [len(part) for part in found.parts()] == [len(read(file)) for file in found.files]


def test_a_grown_dataset_is_the_one_that_was_made_at_once(tmp_path: Path) -> None:
    for matches in (3, 1, 4, 7):  # in the middle of a shard, fewer, to its end, beyond
        make(tmp_path / "grown", matches=matches)
    make(tmp_path / "whole", matches=7)
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")
    for folder in ("grown", "whole"):
        names = sorted(path.name for path in (tmp_path / folder).glob("*.npz"))
        assert names == ["00000.npz", "00001.npz", "00002.npz", "00003.npz"]
    pairs = {
        (match, ply)
        for match, ply in zip(
            load(tmp_path / "grown").columns.matches,
            load(tmp_path / "grown").columns.plies,
            strict=True,
        )
    }
    assert len(pairs) == len(load(tmp_path / "grown"))  # every position once


def test_only_what_is_missing_is_played(tmp_path: Path) -> None:
    make(tmp_path, matches=3)
    with DatasetWriter.open(plan_of(matches=7), tmp_path) as writer:
        missing = {path.name: numbers for path, numbers in writer.missing().items()}
        assert missing == {"00001.npz": [3], "00002.npz": [4, 5], "00003.npz": [6]}
        assert writer.steps() == 4


def test_matches_that_stand_in_two_files_are_refused(tmp_path: Path) -> None:
    make(tmp_path)
    shutil.copy(tmp_path / "00000.npz", tmp_path / "00007.npz")
    with pytest.raises(GameError, match="matches of another file"):
        load(tmp_path)
    (tmp_path / "00007.npz").rename(tmp_path / "0000000-0000001.npz")  # as they were once named
    with pytest.raises(GameError, match="no part of the dataset"):
        load(tmp_path)


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


def test_values_are_what_the_search_expects(tmp_path: Path) -> None:
    make(tmp_path, matches=12, simulations=200)
    columns = load(tmp_path).columns
    own = columns.outcomes[np.arange(len(columns)), columns.seats]
    late = columns.plies > np.median(columns.plies)
    assert np.abs(columns.values).max() <= 1
    each = np.arange(len(columns)), columns.seats
    assert np.corrcoef(columns.values[each][late], own[late])[0, 1] > 0.5
    assert not columns.values.sum(axis=1).any()  # one loses what the other wins
    batch = load(tmp_path).take(np.arange(9))
    assert np.array_equal(batch.values, columns.values[each][:9])


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_what_every_seat_may_expect_is_kept(tmp_path: Path, ending: str) -> None:
    plan = DatasetPlan("carat", {"players": 3}, matches=8, simulations=100, format=ending)
    plan = replace(plan, options=find("carat").settle(plan.options))
    with DatasetWriter.open(plan, tmp_path) as writer:
        list(writer.run(Here()))
    columns = load(tmp_path).columns
    assert columns.values.shape == columns.outcomes.shape == (len(columns), 3)
    late = columns.plies > columns.plies.max() - 20
    expected, came = columns.values[late].ravel(), columns.outcomes[late].ravel()
    assert np.corrcoef(expected, came)[0, 1] > 0.5


def test_a_value_is_that_of_the_action_looked_at_most() -> None:
    """What a search tried and gave up says nothing of a position that is played well."""
    game = find("carnac")
    made = list(decisions(Match(game, SMALL, seed=3), strongest(game, 300), 3))
    for each in made:
        best = list(each.found.actions).index(each.found.best)
        assert each.values[each.turn.seat] == each.found.values[best]
    means = [np.average(each.found.values, weights=each.found.visits) for each in made]
    assert np.mean([each.values[each.turn.seat] for each in made]) > np.mean(means) + 0.01


def test_a_share_of_the_moves_can_be_random(tmp_path: Path) -> None:
    make(tmp_path / "none")
    make(tmp_path / "some", matches=40, simulations=10, random_moves=0.25)
    assert not load(tmp_path / "none").columns.strays.any()
    strays = load(tmp_path / "some").columns.strays
    assert abs(strays.mean() - 0.25) < 4 * np.sqrt(0.25 * 0.75 / len(strays))
    with pytest.raises(GameError, match="another setup"):
        make(tmp_path / "some", random_moves=0.5)
    with pytest.raises(GameError, match="share of random moves"):
        make(tmp_path / "all", random_moves=1.0)


@pytest.fixture(scope="module")
def last_turn() -> Solution:
    """The last turn of the dice game, solved."""
    return Solution(True, solver.solve(True, turns=1))


def test_the_dice_game_is_played_by_its_solution(last_turn: Solution) -> None:
    game = find("catan_dice")
    player = strongest(game, 10)
    assert isinstance(player, Exact)
    player._solution = last_turn
    certain = 0
    for seed in range(40):
        match = Match(game, {"players": 1}, seed=seed)
        rng = generator(seed)
        while match.state[0].turn < TURNS - 1:
            legal = match.legal_actions()
            match.play(legal[below(rng, len(legal))])
        made = list(decisions(match, player, seed))
        for each in made:
            assert each.found.visits.sum() == 1
        if made and made[-1].turn.state[0].phase == ACTING:  # no dice after it
            assert made[-1].values[0] == pytest.approx(match.scores()[0])
            certain += 1
    assert certain > 5


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="no dataset"):
        load(tmp_path / "nowhere")
    with pytest.raises(GameError, match="format is npz or parquet"):
        make(tmp_path / "csv", format="csv")
    with DatasetWriter.open(plan_of(), tmp_path / "empty"):
        with pytest.raises(GameError, match="no positions"):
            load(tmp_path / "empty")
        with pytest.raises(GameError, match="Another process is at work"):
            make(tmp_path / "empty")
    with pytest.raises(GameError, match="another setup"):
        make(tmp_path / "empty", seed=1)
    file = tmp_path / "a-file"
    file.touch()
    for taken in (file, file / "below"):
        with pytest.raises(GameError, match="Cannot write to"):
            make(taken)
    torn = tmp_path / "torn.npz"
    torn.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(GameError, match="damaged"):
        read(torn)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rules": 99}, "version 99"),
        ({"dataset": 1}, "format 1; this program knows format 3"),
        ({"game": 4}, "damaged at 'game'"),
        ({"game": "chess"}, "no game 'chess'"),
    ],
)
def test_a_dataset_of_another_kind_is_refused_in_a_sentence(
    change: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    make(tmp_path, matches=1)
    setup = tmp_path / "setup.json"
    setup.write_text(json.dumps(json.loads(setup.read_text()) | change))
    for look in (load, make):
        with pytest.raises(GameError, match=sentence):
            look(tmp_path)


@pytest.mark.parametrize("text", ["", '{"dataset": 3, "ga', "[]", '{"arena": 1}'])
def test_a_foreign_or_damaged_setup_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "setup.json").write_text(text)
    with pytest.raises(GameError, match=r"damaged|no dataset") as refusal:
        load(tmp_path)
    assert refusal.value.code == "bad-file"


def test_the_command_writes_and_adds_more(tmp_path: Path) -> None:
    arguments = ("dataset", "carnac", "-o", "board=small", "--simulations", "10", "--shard", "1")
    for games in ("1", "2"):
        result = kwartet_command(*arguments, "-n", games, "--out", str(tmp_path))
        assert result.returncode == 0, result.stderr
        assert f"of {games} matches" in result.stdout
    refused = kwartet_command(*arguments, "--seed", "3", "--out", str(tmp_path))
    assert refused.returncode == 2
    assert "another setup" in refused.stderr
