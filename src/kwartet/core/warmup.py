"""Compile a game's kernels, or load them from the disk cache, before they are needed."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kwartet.core import engine
from kwartet.core.chance import generator
from kwartet.core.game import Game
from kwartet.core.kernels import JIT
from kwartet.core.match import Match
from kwartet.core.simulation import play_out

SAMPLE_MOVES = 40  # enough for notation and view to have met every phase of a game


def steps(game: Game) -> list[tuple[str, Callable[[], object]]]:
    """What there is to compile, as names and calls; each call is harmless and short."""
    if not JIT:
        return []
    rules = game.rules
    options = game.settle({})
    states = game.start(options)
    seats = game.seats(options)
    rng = generator(0)
    legal = np.zeros((2, rules.MAX_LEGAL), np.int32)
    won = np.zeros(seats, np.int8)
    size = sum(field.size for field in game.features.FIELDS)
    return [
        ("moves", lambda: engine.apply(states, legal[0, :0])),
        ("steps", lambda: engine.step(states, -1, legal[0])),
        ("legal moves", lambda: engine.legal_actions(states, legal[0])),
        ("scores", lambda: engine.situation(states, np.zeros(seats, np.int32), won)),
        ("chance", lambda: _compile_chance(states, legal[0])),
        ("results", lambda: engine.returns(states, won, np.zeros(seats))),
        ("random play", lambda: play_out(states.copy(), rng)),
        ("perft", lambda: engine.perft(np.repeat(states, 2), legal, 0)),
        ("hiding", lambda: engine.redact(states.copy(), 0)),
        ("guessing", lambda: engine.determinize(states.copy(), 0, rng)),
        ("features", lambda: _compile_features(states, np.zeros((1, size), np.float32))),
        ("notation", lambda: _compile_notation(game)),
    ]


def _compile_chance(states: engine.States, legal: engine.Actions) -> None:
    engine.random_action(states.copy(), generator(0))
    engine.chance_weights(states, legal[:0], np.zeros(0, np.int64))


def _compile_features(states: engine.States, out: npt.NDArray[np.float32]) -> None:
    engine.observe(states, 0, out[0])
    engine.observe_all(states, np.zeros(1, np.int8), out)


def _compile_notation(game: Game) -> None:
    match = Match(game, {}, seed=0)
    for number in range(SAMPLE_MOVES):
        legal = match.legal()
        if not legal:
            break
        match.play(legal[number * 7919 % len(legal)])
        game.views.text(match.view(0))
