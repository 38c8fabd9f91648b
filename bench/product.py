"""Kwartet's side of the engine's benchmark."""

import random
from functools import partial
from typing import Final

import numpy as np
from examples.connect_four import GAME

from bench.library import (
    BATCHES,
    EXPLORATION,
    HOST,
    POSITIONS,
    SINGLE,
    UCT,
    WHOLE,
    Library,
    Replay,
    Sequences,
    columns_of,
    timed,
)
from kwartet.bots.network import NOTHING as NO_NETWORK
from kwartet.bots.tree import plant, simulate
from kwartet.bots.workspace import ROOT, Settings, make_workspace
from kwartet.core import engine
from kwartet.core.chance import generator
from kwartet.core.position import Position
from kwartet.core.simulation import NOTHING
from kwartet.envs import Batch, batch

STEPS: Final = 200_000
GAMES: Final = 100_000
NO_PRIOR: Final = np.zeros(0, np.float32)


def host_loop(steps: int) -> int:
    """Look at the legal actions, play one of them, see whether the game is over."""
    luck, start = random.random, Position(GAME)
    position = start.copy()
    for _ in range(steps):
        legal = position.legal_actions
        position.apply(legal[int(luck() * len(legal))])
        if not position.legal_actions:
            position = start.copy()
    return steps


def whole_games(games: int) -> int:
    """Random games from the start."""
    start = GAME.start({})
    wins = np.zeros(2, np.int64)
    engine.playouts(start, start.copy(), generator(1), games, wins, NOTHING, NOTHING)
    return games


def single_steps(made: Batch, steps: int) -> int:
    """Choose a legal action in Python from the mask; the rest is one call."""
    luck, mask, actions = random.random, made.now.masks[0], made.actions
    for _ in range(steps):
        legal = mask.nonzero()[0]
        actions[0] = legal[int(luck() * len(legal))]
        made.step()
    return steps


def batch_steps(made: Batch, steps: int) -> int:
    """Random legal actions, drawn inside as the peer does."""
    for _ in range(steps // made.lanes):
        made.step(made.sample())
    return steps // made.lanes * made.lanes


def uct(simulations: int, repeats: int) -> int:
    """Searches from all positions, one random playout a simulation."""
    work = make_workspace(GAME, (simulations + 2) * GAME.rules.MAX_LEGAL)
    settings = Settings(EXPLORATION, uct=True, result=1.0, expand_at=1)
    rng = generator(2)
    for letters in POSITIONS * repeats:
        position = Position(GAME)
        for column in columns_of(letters):
            position.apply(column)
        plant(work)
        simulate(
            work, position.states, position.actor, NO_PRIOR, NO_NETWORK, settings, rng, simulations
        )
        assert int(work.nodes[ROOT].visits) == simulations
    return simulations * repeats * len(POSITIONS)


def replay(games: Sequences) -> list[Replay]:
    """Play given games."""
    found = []
    for columns in games:
        position = Position(GAME)
        legals = []
        for column in columns:
            legals.append(position.legal_actions)
            position.apply(column)
        assert position.is_over
        found.append((legals, position.returns()[0]))
    return found


def library() -> Library:
    """Kwartet, on one thread."""
    batches = {
        row: timed(partial(batch_steps, batch(GAME, size, seed=size), max(STEPS * 5, 4 * size)))
        for size, row in BATCHES.items()
    }
    searches = {
        row: timed(partial(uct, simulations, 50_000 // simulations))
        for simulations, row in UCT.items()
    }
    return Library(
        "Kwartet",
        ("kwartet", "numba", "numpy"),
        replay,
        {
            HOST: timed(partial(host_loop, STEPS)),
            WHOLE: timed(partial(whole_games, GAMES)),
            SINGLE: timed(partial(single_steps, batch(GAME, 1), STEPS)),
            **batches,
            **searches,
        },
    )
