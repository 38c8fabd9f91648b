"""Compile what games and their bots need before it is needed.

`prepare` does it in several processes that fill the disk cache, the largest rules first,
so that no core waits for them at the end.
"""

import importlib
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

from kwartet.bots.bot import turn_of
from kwartet.bots.catalogue import create
from kwartet.core.game import Game
from kwartet.core.kernels import JIT
from kwartet.core.machine_code import mark_compiled, was_compiled
from kwartet.core.match import Match
from kwartet.games import GAMES, find, register


@dataclass(frozen=True)
class Job:
    """One thing to compile: a step of a layer of the program for a game."""

    layer: str
    game: str
    step: str


def cold(games: Iterable[Game], layers: Sequence[str] = ("core", "bots")) -> list[Job]:
    """What these layers of the program have not compiled yet for these games."""
    return [
        Job(layer, game.key, step)
        for game in sorted(games, key=lambda game: game.rules.STATE.itemsize, reverse=True)
        for layer in layers
        if JIT and not was_compiled(layer, game.rules.STATE)
        for step in _steps(layer, game)
    ]


def prepare(jobs: list[Job], done: Callable[[Job], object], *, workers: int | None = None) -> None:
    """Compile all of it into the disk cache, telling `done` each job as it ends."""
    if not jobs:
        return
    known = [game.package for game in GAMES.values()]
    with ProcessPoolExecutor(workers or os.cpu_count(), get_context("spawn")) as pool:
        running = {pool.submit(_compile, known, job): job for job in jobs}
        for compiled in as_completed(running):
            compiled.result()
            done(running[compiled])
    for layer, key in {(job.layer, job.game) for job in jobs}:
        mark_compiled(layer, find(key).rules.STATE)


def _compile(packages: list[str], job: Job) -> None:
    """Do one job, in a process of its own that knows the same games."""
    for package in packages:
        register(importlib.import_module(package).GAME)
    _steps(job.layer, find(job.game))[job.step]()


def _steps(layer: str, game: Game) -> dict[str, Callable[[], object]]:
    """What this layer of the program compiles for the game."""
    return dict(importlib.import_module(f"kwartet.{layer}.warmup").steps(game))


def steps(game: Game) -> list[tuple[str, Callable[[], object]]]:
    """What there is to compile, as names and calls; each call is harmless and short."""
    if not JIT:
        return []
    bots = (("search", "skilled@8"), ("greed", "greedy"), ("instinct", "novice"))
    return [(name, partial(_try, game, bot)) for name, bot in bots]


def _try(game: Game, name: str) -> None:
    """Let the bot make its first move."""
    create(name, game).choose(turn_of(Match(game, {}, seed=0)))
