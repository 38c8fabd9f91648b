"""OpenSpiel's connect four and its C++ tree search, to measure against."""

import random
from collections.abc import Iterable
from typing import Any, Final

import pyspiel

GAME: Final = pyspiel.load_game("connect_four")
EXPLORATION: Final = 1.4
MEMORY: Final = 4000  # megabytes that a tree may take; it never needs them
NO_LIMIT: Final = -1.0


def position(columns: Iterable[int]) -> Any:
    """The state after discs in these columns."""
    state = GAME.new_initial_state()
    for column in columns:
        state.apply_action(column)
    return state


def searcher(*, seed: int, simulations: int = 1, seconds: float = NO_LIMIT) -> Any:
    """Plain UCT with one random playout a simulation; given seconds, it thinks for so long."""
    return pyspiel.MCTSBot(
        GAME,
        pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
        uct_c=EXPLORATION,
        max_simulations=simulations,
        max_memory_mb=MEMORY,
        solve=False,
        seed=seed,
        verbose=False,
        max_wall_clock_time=seconds,
    )


def perft(state: Any, depth: int) -> int:
    """The number of action sequences of length `depth` from the state."""
    if depth == 1:
        return len(state.legal_actions())
    return sum(perft(state.child(action), depth - 1) for action in state.legal_actions())


def random_game(rng: random.Random) -> tuple[int, float]:
    """How many discs a uniform random game took, and the first player's result."""
    state = GAME.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return state.move_number(), state.returns()[0]
