"""The arena on a Ray cluster of two nodes, one of which is lost while matches are played."""

import json
import sys
from pathlib import Path

import pytest
from examples.connect_four import GAME as CONNECT_FOUR

from kwartet.arena.pairing import Mode
from kwartet.arena.pool import Lost, Processes
from kwartet.arena.ray_pool import RayCluster
from kwartet.arena.records import Records
from kwartet.arena.tournament import compete
from kwartet.core.errors import GameError
from kwartet.games import register
from tests.clusters import told_by
from tests.test_arena import plan_of

register(CONNECT_FOUR)  # as conftest does, for the process of the cluster
PLAN = plan_of(*("random", "tests.naughty:Slow", "tests.naughty:Dying"), games=6, mode=Mode.LADDER)


def play_on_a_cluster_that_loses_a_node(path: Path) -> None:
    """Runs in a process of its own; writes down how many results came."""
    from examples.connect_four import GAME
    from ray.cluster_utils import Cluster

    from kwartet.games import register

    register(GAME)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    doomed = cluster.add_node(num_cpus=1)
    with RayCluster(cluster.address) as pool:
        with Records.create(path, PLAN) as records:
            came = 0
            for _ in compete(pool, records):
                came += 1
                if came == 3:
                    cluster.remove_node(doomed, allow_graceful=False)
        told = {"came": came, "int": dict(pool.map(int, ["1", "2"]))}
        with pytest.raises(Exception, match="ValueError"):
            list(pool.map(int, ["x"]))
    (path / "told.json").write_text(json.dumps(told))
    cluster.shutdown()  # type: ignore[no-untyped-call]


def test_a_lost_node_loses_nothing_and_nothing_counts_twice(tmp_path: Path) -> None:
    told = told_by("tests.test_arena_ray", tmp_path / "ray")
    assert told == {"came": len(PLAN.fixtures()), "int": {"1": 1, "2": 2}}
    with Processes(2) as pool, Records.create(tmp_path / "local", PLAN) as records:
        results = list(compete(pool, records))
        assert not any(isinstance(result, Lost) for result in results)
    assert lines_without_times(tmp_path / "ray") == lines_without_times(tmp_path / "local")


def lines_without_times(path: Path) -> list[object]:
    lines = [json.loads(line) for line in (path / "records.jsonl").read_text().splitlines()]
    for line in lines:
        del line["arena"]["seconds"]
    return lines


def test_without_ray_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(GameError, match=r"pip install kwartet\[ray\]") as refusal:
        RayCluster("local")
    assert refusal.value.code == "no-ray"


if __name__ == "__main__":
    play_on_a_cluster_that_loses_a_node(Path(sys.argv[1]))
