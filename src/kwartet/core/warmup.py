"""Compile a game's kernels, or load them from the disk cache, before they are needed.

Steps are names and calls; each call is harmless and short once its kernels are compiled.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from kwartet.core import engine
from kwartet.core.chance import generator
from kwartet.core.game import Game
from kwartet.core.match import Match
from kwartet.core.simulation import play_out
from kwartet.core.verbs import kernel_of

SAMPLE_MOVES = 40  # enough for notation and view to have met every phase of a game

Steps = list[tuple[str, Callable[[], object]]]

_ACTIONS = types.int32[::1]
_RNG = types.uint64[::1]
_SIGNATURES: dict[str, tuple[Any, ...]] = {  # of verbs, after the record
    "apply": (types.int64,),
    "legal_actions": (_ACTIONS,),
    "random_action": (_RNG,),
    "likely_action": (_RNG,),
    "determinize": (types.int64, _RNG),
    "candidates": (_ACTIONS,),
    "survey": (_ACTIONS,),
    "describe": (types.int64, _ACTIONS, _ACTIONS),
    "appraise": (_ACTIONS,),
}


def match_steps(game: Game) -> Steps:
    """What a match needs."""
    states, legal, seats = _sample(game)
    won = np.zeros(seats, np.int8)
    return [
        ("moves", lambda: engine.apply(states, legal[:0])),
        ("legal moves", lambda: engine.legal_actions(states, legal)),
        ("scores", lambda: engine.situation(states, np.zeros(seats, np.int32), won)),
        ("hiding", lambda: engine.redact(states.copy(), 0)),
        ("chance", lambda: engine.chance_weights(states, legal[:0], np.zeros(0, np.int64))),
        ("results", lambda: engine.returns(states, won, np.zeros(seats))),
        ("notation", lambda: _compile_notation(game)),
    ]


def engine_steps(game: Game) -> Steps:
    """What else there is: random matches, perft, worlds, features."""
    states, legal, _ = _sample(game)
    rng = generator(0)
    two = np.zeros((2, len(legal)), np.int32)
    size = sum(field.size for field in game.features.FIELDS)
    return [
        ("steps", lambda: engine.step(states, -1, legal)),
        ("draws", lambda: engine.random_action(states.copy(), rng)),
        ("random play", lambda: play_out(states.copy(), rng)),
        ("perft", lambda: engine.perft(np.repeat(states, 2), two, 0)),
        ("guessing", lambda: engine.determinize(states.copy(), 0, rng)),
        ("features", lambda: _compile_features(states, np.zeros((1, size), np.float32))),
    ]


def verb_steps(game: Game, *verbs: str) -> Steps:
    """What several kernels share: compiled first, it is found by all of them."""
    record = numba.from_dtype(game.rules.STATE)
    return [
        (verb, partial(kernel_of(record, verb).compile, (record, *_SIGNATURES[verb])))
        for verb in verbs
    ]


def _sample(game: Game) -> tuple[engine.States, engine.Actions, int]:
    options = game.settle({})
    return game.start(options), np.zeros(game.rules.MAX_LEGAL, np.int32), game.seats(options)


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
