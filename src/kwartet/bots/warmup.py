"""Compile what games and their bots need before it is needed.

There are layers: what a match needs, its bots, and whatever else; each has its steps, and
pieces that several steps share. `prepare` does them in several processes that fill the disk
cache, the games that somebody waits for first.
"""

import importlib
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Final

import numpy as np

from kwartet.bots.bot import turn_of
from kwartet.bots.catalogue import create, is_open, settings_for
from kwartet.bots.ending import has_endings, list_first, make_memo, unveil_first, weigh
from kwartet.bots.tree import find_child, keep, plant
from kwartet.bots.workspace import ROOT, make_workspace
from kwartet.core.game import Game
from kwartet.core.kernels import JIT
from kwartet.core.machine_code import mark_compiled, was_compiled
from kwartet.core.match import Match
from kwartet.core.warmup import Steps, engine_steps, match_steps, verb_steps
from kwartet.games import GAMES, find, register

SERVED: Final = ("match", "bots", "greed")  # the layers that tables need, in this order

# The verbs that several steps of a layer are made of, those that take longest first.
_PIECES: Final = {
    "match": ("apply", "legal_actions"),
    "bots": (
        *("survey", "likely_action", "determinize", "random_action"),
        *("appraise", "describe", "candidates"),
    ),
}


@dataclass(frozen=True)
class Job:
    """One thing to compile: a step of a layer of the program for a game."""

    layer: str
    game: str
    step: str


def cold(games: Iterable[Game], layers: Sequence[str] = SERVED) -> list[Job]:
    """What these layers have not compiled yet for these games, the smallest rules first."""
    if not JIT:
        return []
    ordered = sorted(games, key=lambda game: game.rules.STATE.itemsize)
    return [
        Job(layer, game.key, step)
        for layer in layers
        for game in ordered
        if not was_compiled(layer, game.rules.STATE)
        for step in _jobs(layer, game)
    ]


def prepare(
    jobs: list[Job],
    done: Callable[[Job], object],
    *,
    wanted: Callable[[], Sequence[str]] = tuple,
    workers: int | None = None,
) -> None:
    """Compile all of it into the disk cache, telling `done` each job as it ends.

    `wanted` is asked before each job: the keys of games that go first.
    """
    if not jobs:
        return
    known = [game.package for game in GAMES.values()]
    left = list(jobs)
    running: dict[Future[None], Job] = {}
    count = workers or os.cpu_count() or 1
    with ProcessPoolExecutor(count, get_context("spawn")) as pool:
        while left or running:
            while left and len(running) < count:
                job = _next(left, wanted())
                left.remove(job)
                running[pool.submit(_compile, known, job)] = job
            for compiled in wait(running, return_when=FIRST_COMPLETED).done:
                job = running.pop(compiled)
                compiled.result()
                if not any(_is_same_layer(job, other) for other in (*left, *running.values())):
                    mark_compiled(job.layer, find(job.game).rules.STATE)
                done(job)


def compile_here(job: Job) -> None:
    """Do one job in this process; with the last one of a layer, the layer is compiled."""
    game = find(job.game)
    jobs = _jobs(job.layer, game)
    jobs[job.step]()
    if job.step == [*jobs][-1]:
        mark_compiled(job.layer, game.rules.STATE)


def _next(jobs: list[Job], wanted: Sequence[str]) -> Job:
    """The first job of the first game that somebody waits for, or the first of all."""
    games = [job.game for job in jobs]
    return next((jobs[games.index(key)] for key in wanted if key in games), jobs[0])


def _is_same_layer(job: Job, other: Job) -> bool:
    return (job.layer, job.game) == (other.layer, other.game)


def _compile(packages: list[str], job: Job) -> None:
    """Do one job, in a process of its own that knows the same games."""
    for package in packages:
        register(importlib.import_module(package).GAME)
    _jobs(job.layer, find(job.game))[job.step]()


def _jobs(layer: str, game: Game) -> dict[str, Callable[[], object]]:
    """All that is compiled for a layer, in order."""
    return dict(verb_steps(game, *_PIECES.get(layer, ())) + steps(layer, game))


def steps(layer: str, game: Game) -> Steps:
    """What has all of a layer in memory."""
    if not JIT:
        return []
    match layer:
        case "match":
            return match_steps(game)
        case "bots":
            levels = (("instinct", "novice"), ("search", "skilled@8"))
            tried: Steps = [(name, partial(_try, game, bot)) for name, bot in levels]
            if is_open(game):
                tried.append(("kept trees", partial(_keep, game)))
            return [*tried, ("endings", partial(_end, game))] if has_endings(game) else tried
        case "greed":
            return [("greed", partial(_try, game, "greedy"))]
        case "engine":
            return engine_steps(game)
    above: Steps = importlib.import_module(f"kwartet.{layer}.warmup").steps(game)
    return above


def _end(game: Game) -> None:
    """Begin to work an ending out."""
    match = Match(game, {}, seed=0)
    seat = match.actor or 0
    states, memo = match.state, make_memo(game, match.seats, 1)
    weigh(states, match.legal_actions()[0], 0.0, 0.0, memo, settings_for(game))
    unveil_first(states, seat)
    list_first(states, np.empty(game.rules.MAX_LEGAL, np.int32))


def _keep(game: Game) -> None:
    """Go on with a tree."""
    work = make_workspace(game, 1)
    plant(work)
    keep(work, ROOT)
    find_child(work.nodes, ROOT, 0)


def _try(game: Game, name: str) -> None:
    """Let the bot make its first move."""
    create(name, game).choose(turn_of(Match(game, {}, seed=0)))
