"""PettingZoo's connect four."""

import random
from functools import partial
from typing import Any

from pettingzoo.classic import connect_four_v3

from bench.library import SINGLE, Library, Replay, Sequences, timed


def single_steps(env: Any, steps: int) -> int:
    """Step, observation, mask, and a new game after the end; without its wrappers' checks."""
    luck = random.random
    env.reset()
    for _ in range(steps):
        seen, _, ended, _, _ = env.last()
        if ended:
            env.reset()
            seen, *_ = env.last()
        legal = seen["action_mask"].nonzero()[0]
        env.step(int(legal[int(luck() * len(legal))]))
    return steps


def replay(games: Sequences) -> list[Replay]:
    """Play given games."""
    env = connect_four_v3.raw_env()
    found = []
    for columns in games:
        env.reset()
        legals = []
        for column in columns:
            seen, *_ = env.last()
            legals.append(seen["action_mask"].nonzero()[0].tolist())
            env.step(column)
        assert all(env.terminations.values())
        found.append((legals, float(env.rewards["player_0"])))
    return found


def library() -> Library:
    """PettingZoo: an environment in Python."""
    work = {SINGLE: timed(partial(single_steps, connect_four_v3.raw_env(), 3_000))}
    return Library("PettingZoo", ("pettingzoo",), replay, work)
