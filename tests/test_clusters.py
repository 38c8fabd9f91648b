"""All that runs on Ray, on a real cluster of several nodes, one of which is lost.

The same seeds must give the same on one core, on two processes and on the cluster.
"""

import json
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kwartet
from kwartet.arena.matches import Job
from kwartet.arena.pool import Inline, Pool, Processes
from kwartet.arena.ray_pool import CHUNK, GROWTH, MOST, Pace, RayCluster
from kwartet.arena.simulating import Simulation, simulate
from kwartet.arena.warming import warm
from kwartet.games import find
from kwartet.learning import DatasetPlan, DatasetWriter, Training, TrainingPlan, load
from kwartet.reviews.work import make_review, plan_review
from tests.clusters import told_by

SMALL = {"board": "small", "final_tilt": False}
DATASET = DatasetPlan("carnac", SMALL, matches=13, simulations=20, shard=5)
TRAINING = TrainingPlan(
    "carnac", [SMALL], rounds=1, matches=4, simulations=20, judged=2, judging=20, seed=3
)
SIMULATION = Simulation(Job("carnac", SMALL), seed=4, is_recorded=True)


def simulated(pool: Pool) -> list[Any]:
    return [vars(block) for block in simulate(pool, SIMULATION, 230)]


def reviewed(pool: Pool) -> Any:
    match = kwartet.new("carnac", seed=5, board="small")
    while match.actor is not None:
        match.play(match.legal()[match.ply * 7919 % len(match.legal())])
    return make_review(plan_review(match, "uct@20", None, "quick", 6), pool=pool).as_json()


def dataset(pool: Pool, folder: Path, on_match: Callable[[], object] = lambda: None) -> Any:
    with DatasetWriter.open(DATASET, folder) as writer:
        names = sorted(path.name for path in writer.run(pool, on_match))
    columns = load(folder).columns
    digest = {
        name: int(np.abs(array.astype(np.float64)).sum()) for name, array in vars(columns).items()
    }
    return names, digest, columns.matches.tolist()


def trained(pool: Pool, folder: Path) -> Any:
    with Training.open(find("carnac"), TRAINING, folder) as training:
        rounds = [vars(found) for found in training.run(pool, pool)]
    return rounds, (folder / "prior-1.json").read_text()


def everything(pool: Pool, folder: Path) -> dict[str, Any]:
    """What the commands make, as JSON tells it."""
    told = {
        "simulate": simulated(pool),
        "review": reviewed(pool),
        "dataset": dataset(pool, folder / "dataset"),
        "train": trained(pool, folder / "train"),
    }
    same: dict[str, Any] = json.loads(json.dumps(told))
    return same


def on_a_cluster(folder: Path) -> None:
    """Runs in a process of its own: a cluster of three nodes, which loses one and then goes on."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    doomed = cluster.add_node(num_cpus=1)
    cluster.add_node(num_cpus=1)
    told: dict[str, Any] = {}
    with RayCluster(cluster.address) as pool:
        warm(pool, Job("carnac", SMALL), ("match", "bots", "engine"))
        told["machines"] = len(list(pool.on_each_machine(int, "1")))
        counted: list[int] = []

        def lose_a_node() -> None:
            counted.append(1)
            if len(counted) == 4:
                cluster.remove_node(doomed, allow_graceful=False)

        told["lost"] = dataset(pool, folder / "lost", lose_a_node)
        told["all"] = everything(pool, folder)
        told["int"] = dict(pool.map(int, ["1", "2"]))
        with pytest.raises(RuntimeError, match="ValueError"):
            list(pool.map(int, ["x"]))
    (folder / "told.json").write_text(json.dumps(told))
    cluster.shutdown()  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of all of it on a cluster."""
    return told_by("tests.test_clusters", tmp_path_factory.mktemp("cluster"))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What comes of it on one core."""
    return everything(Inline(), tmp_path_factory.mktemp("alone"))


@pytest.mark.parametrize("what", ["simulate", "review", "dataset", "train"])
def test_a_cluster_makes_the_same_as_one_core(
    told: dict[str, Any], alone: dict[str, Any], what: str
) -> None:
    assert told["all"][what] == alone[what]


def test_two_processes_make_the_same_as_one_core(alone: dict[str, Any], tmp_path: Path) -> None:
    with Processes(2) as pool:
        assert everything(pool, tmp_path) == alone


def test_a_lost_node_costs_a_dataset_nothing(told: dict[str, Any], alone: dict[str, Any]) -> None:
    assert told["lost"] == alone["dataset"]


def test_every_machine_is_warmed_once_and_errors_come_through(told: dict[str, Any]) -> None:
    assert told["machines"] == 3
    assert told["int"] == {"1": 1, "2": 2}


def test_chunks_are_as_long_as_they_should_take() -> None:
    pace = Pace()
    assert pace.next_size(0, 4) == 1
    sizes = list(islice(paced(pace, seconds=0.01), 8))
    assert sizes == [min(GROWTH**n, int(CHUNK / 0.01)) for n in range(1, 9)]
    pace.learn(1, 60.0)  # a cold machine
    assert pace.size == 1
    assert max(islice(paced(pace, seconds=1e-6), 12)) == MOST


def test_the_last_chunks_are_shared_out() -> None:
    pace = Pace()
    pace.size = 100
    assert pace.next_size(1000, 4) == 100
    assert pace.next_size(40, 4) == 10
    assert pace.next_size(3, 4) == 1


def paced(pace: Pace, seconds: float) -> Iterator[int]:
    """The sizes that follow when every item takes so long."""
    while True:
        pace.learn(pace.size, pace.size * seconds)
        yield pace.size


if __name__ == "__main__":
    on_a_cluster(Path(sys.argv[1]))
