"""Compiling on every machine of a pool, before there is work and before any clock runs.

Machine code is kept on each machine, so one process compiles there and the others find it.
"""

from collections.abc import Sequence
from functools import partial

from kwartet.arena.matches import WARMING_UP, Job
from kwartet.arena.pool import Lost, Pool, note
from kwartet.bots import warmup
from kwartet.core.errors import GameError


def warm(pool: Pool, job: Job, layers: Sequence[str]) -> None:
    """Have these layers of the program compiled for the job's game, wherever the pool works."""
    for outcome in pool.on_each_machine(partial(compile_layers, job), tuple(layers)):
        if isinstance(outcome, Lost):
            raise GameError("worker-lost", "A process ended while it compiled the rules.")


def compile_layers(job: Job, layers: Sequence[str]) -> int:
    """Compile what this machine lacks, in this process; how many steps that took."""
    games = [job.find_game()]
    steps = warmup.cold(games, layers)
    for step in steps:
        note(step.step, WARMING_UP)
        warmup.compile_here(step)
    return len(steps)
