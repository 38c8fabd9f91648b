"""Matches on Ray clusters of 1, 2 and 4 nodes with one core each, and what the driver spends.

    python -m bench.ray_nodes                      # about five minutes on two cores
    python -m bench.ray_nodes --nodes 1 --matches 40

All nodes share this machine, so four of them cannot be faster than its cores; the driver's
own processor time is a figure that a busy machine changes little, and what a large cluster is
limited by. Nodes are warmed before any time is taken.
"""

import json
import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from bench.machine import load, machine
from kwartet.arena.matches import Job, play
from kwartet.arena.pairing import Fixture, Mode
from kwartet.arena.plan import TournamentPlan
from kwartet.arena.pool import Lost
from kwartet.arena.ray_pool import CHUNK, RayCluster
from kwartet.arena.records import Records
from kwartet.arena.results import Result
from kwartet.arena.tournament import check_bots
from kwartet.cli.terminal import errors
from kwartet.games import find

MANY: Final = 2000  # tasks under way on 1,000 cores
CORES: Final = 1000
RAY: Final = {
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),  # read once, for all clusters
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",
}


def timed(job: Job, fixture: Fixture) -> tuple[Result, float]:
    """A result, and the processor time that it took."""
    began = time.process_time()
    return play(job, fixture), time.process_time() - began


def nothing(number: int) -> int:
    """What costs nothing but being handed out and back."""
    return number


def wait(seconds: float) -> None:
    """What is not done for a while."""
    time.sleep(seconds)


@contextmanager
def cluster_of(nodes: int, chunk: float = CHUNK) -> Iterator[RayCluster]:
    """A pool on so many nodes of one core; the driver has none."""
    for name, value in RAY.items():
        os.environ.setdefault(name, value)
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        for _ in range(nodes):
            cluster.add_node(num_cpus=1)
        with RayCluster(cluster.address, chunk=chunk) as pool:
            yield pool
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]


def matches_on(nodes: int, matches: int, bots: list[str]) -> dict[str, float]:
    """Matches a second, how busy the nodes were, and what a match cost the driver."""
    game = find("carnac")
    options = game.settle({"board": "small"})
    plan = TournamentPlan("carnac", game.version, options, bots, matches, 1, Mode.ROUND_ROBIN, None)
    with (
        cluster_of(nodes) as pool,
        tempfile.TemporaryDirectory() as folder,
        Records.create(Path(folder) / "arena", plan) as records,
    ):
        check_bots(pool, plan)
        list(pool.map(nothing, range(20 * nodes)))  # processes are there, and have loaded
        began, driver = time.monotonic(), time.process_time()
        playing = 0.0
        for _, outcome in pool.map(partial(timed, plan.job()), records.missing()):
            assert not isinstance(outcome, Lost)
            result, seconds = outcome
            playing += seconds
            records.add(result)
        spent, driver = time.monotonic() - began, time.process_time() - driver
    count = len(plan.fixtures())
    return {
        "nodes": nodes,
        "matches": count,
        "seconds": round(spent, 2),
        "matches_per_second": round(count / spent, 2),
        "cpu_seconds_per_match": round(playing / count, 4),
        "busy": round(playing / spent / min(nodes, os.cpu_count() or 1), 3),
        "driver_ms_per_match": round(1000 * driver / count, 3),
    }


def driver_costs(tasks: int) -> dict[str, float]:
    """Milliseconds of the driver's processor time: of a task, an item in it, a look at many."""
    with cluster_of(1, chunk=0.0) as pool:
        list(pool.map(nothing, range(50)))
        each = _driver_ms(pool, tasks)
        look = _look_ms(pool)
    with cluster_of(1) as pool:
        list(pool.map(nothing, range(5000)))
        item = _driver_ms(pool, 100 * tasks)
    return {"task_ms": round(each, 3), "item_ms": round(item, 4), "look_ms": round(look, 3)}


def _driver_ms(pool: RayCluster, items: int) -> float:
    began = time.process_time()
    assert sum(number for number, _ in pool.map(nothing, range(items))) == items * (items - 1) // 2
    return 1000 * (time.process_time() - began) / items


def _look_ms(pool: RayCluster) -> float:
    """One look at as many tasks as 1,000 cores have under way, none of which is done."""
    import ray

    later = [ray.remote(num_cpus=1)(wait).remote(60.0) for _ in range(MANY)]
    began = time.process_time()
    for _ in range(20):
        ray.wait(later, num_returns=len(later), timeout=0)
    spent = 1000 * (time.process_time() - began) / 20
    for reference in later:
        ray.cancel(reference, force=True)
    return spent


def carried(costs: dict[str, float], match_ms: float) -> dict[str, float]:
    """What 1,000 cores would ask of the driver, by these costs, with matches of a second.

    `match_ms` is a match's cost at the driver, its result read and written; its part of a task
    is in it, so the driver is asked for a little less than told.
    """
    tasks, matches = CORES / CHUNK, CORES / 1.0  # a second
    busy = (tasks * costs["task_ms"] + matches * match_ms) / 1000
    return {
        "tasks_per_second": tasks,
        "matches_per_second": matches,
        "driver_cores": round(busy, 2),
        "most_cores": round(CORES / busy),
    }


def main(
    nodes: Annotated[list[int] | None, typer.Option(help="How many; 1, 2 and 4.")] = None,
    matches: Annotated[int, typer.Option(min=4, help="Of each run.")] = 120,
    bots: Annotated[str, typer.Option(help="Who plays whom.")] = "skilled@200,skilled@100",
    tasks: Annotated[int, typer.Option(min=50, help="For the driver's costs.")] = 500,
) -> None:
    """Measure, and print JSON."""
    told: dict[str, Any] = {"machine": machine(), "load_before": load(), "runs": []}
    for count in nodes or [1, 2, 4]:
        errors.print(f"{count} …")
        told["runs"].append(matches_on(count, matches, bots.split(",")))
        errors.print(told["runs"][-1])
    errors.print("The driver alone …")
    costs = driver_costs(tasks)
    own = min(run["driver_ms_per_match"] for run in told["runs"])
    told |= {"driver": costs, "at_1000_cores": carried(costs, own), "load_after": load()}
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    from bench.ray_nodes import main as measure  # by its own name, under which workers find it

    typer.run(measure)
