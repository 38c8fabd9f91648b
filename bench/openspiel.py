"""OpenSpiel's connect four and its C++ tree search."""

import random
from collections.abc import Iterable
from functools import partial
from typing import Any, Final

import pyspiel

from bench.library import (
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

GAME: Final = pyspiel.load_game("connect_four")
MEMORY: Final = 4000  # megabytes that a tree may take; it never needs them
NO_LIMIT: Final = -1.0


def position(columns: Iterable[int]) -> Any:
    """The state after discs in these columns."""
    state = GAME.new_initial_state()
    for column in columns:
        state.apply_action(column)
    return state


def searcher(
    *, seed: int, simulations: int = 1, seconds: float = NO_LIMIT, playouts: int = 1
) -> Any:
    """Plain UCT with random playouts in a simulation; given seconds, it thinks for so long."""
    return pyspiel.MCTSBot(
        GAME,
        pyspiel.RandomRolloutEvaluator(n_rollouts=playouts, seed=seed),
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


def host_loop(steps: int) -> int:
    """Look at the legal actions, play one of them, see whether the game is over."""
    luck = random.random
    state = GAME.new_initial_state()
    for _ in range(steps):
        legal = state.legal_actions()
        state.apply_action(legal[int(luck() * len(legal))])
        if state.is_terminal():
            state = GAME.new_initial_state()
    return steps


def whole_games(games: int) -> int:
    """Random games from the start, in C++: a search of one simulation that values the start."""
    searcher(seed=1, playouts=games).mcts_search(GAME.new_initial_state())
    return games


def single_steps(steps: int) -> int:
    """Step, observation of the player to act, mask, and a new game after the end."""
    luck = random.random
    state = GAME.new_initial_state()
    mask = state.legal_actions_mask()
    for _ in range(steps):
        legal = [action for action in range(7) if mask[action]]
        state.apply_action(legal[int(luck() * len(legal))])
        if state.is_terminal():
            state = GAME.new_initial_state()
        state.observation_tensor()
        mask = state.legal_actions_mask()
    return steps


def uct(simulations: int, repeats: int) -> int:
    """Searches from all positions, one random playout a simulation."""
    bot = searcher(seed=1, simulations=simulations)
    for letters in POSITIONS * repeats:
        assert bot.mcts_search(position(columns_of(letters))).explore_count == simulations
    return simulations * repeats * len(POSITIONS)


def replay(games: Sequences) -> list[Replay]:
    """Play given games."""
    found = []
    for columns in games:
        state = GAME.new_initial_state()
        legals = []
        for column in columns:
            legals.append(state.legal_actions())
            state.apply_action(column)
        assert state.is_terminal()
        found.append((legals, state.returns()[0]))
    return found


def library() -> Library:
    """OpenSpiel: C++ behind Python."""
    searches = {
        row: timed(partial(uct, simulations, max(1, 4_000 // simulations)))
        for simulations, row in UCT.items()
    }
    return Library(
        "OpenSpiel",
        ("open_spiel",),
        replay,
        {
            HOST: timed(partial(host_loop, 100_000)),
            WHOLE: timed(partial(whole_games, 10_000)),
            SINGLE: timed(partial(single_steps, 50_000)),
            **searches,
        },
    )
