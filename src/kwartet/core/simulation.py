"""Random matches, played in compiled code and written down as matches."""

from collections.abc import Callable
from typing import Final

import numpy as np

from kwartet.core import engine
from kwartet.core.chance import Generator
from kwartet.core.game import MAX_SEATS, Game, Options
from kwartet.core.match import Match

NOTHING: Final = np.empty(0, np.int32)


def play_out(states: engine.States, rng: Generator, log: engine.Actions = NOTHING) -> int:
    """Play the first state on at random to its end; return how many actions that took."""
    wins = np.zeros(MAX_SEATS, np.int64)
    return int(engine.playouts(states.copy(), states, rng, 1, wins, NOTHING, log))


def random_match(game: Game, options: Options, rng: Generator) -> Match:
    """A finished match in which every seat picked uniformly among its legal actions."""
    states = game.start(game.settle(options))
    log = np.empty(game.rules.MAX_ACTIONS, np.int32)
    count = play_out(states, rng, log)
    match = Match(game, options, auto_chance=False)
    match.extend(log[:count].tolist())
    return match


def count_sequences(match: Match, depth: int, on_root: Callable[[], object] = lambda: None) -> int:
    """The number of action sequences of this length from here; `on_root` follows each first one."""
    if depth == 0:
        return 1
    ladder = np.repeat(match.state, depth + 1)
    legal = np.empty((depth + 1, match.game.rules.MAX_LEGAL), np.int32)
    sequences = 0
    for action in match.legal_actions():
        ladder[0] = match.state[0]
        engine.apply(ladder, np.array([action], np.int32))
        sequences += engine.perft(ladder, legal, depth - 1)
        on_root()
    return sequences
