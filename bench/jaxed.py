"""pgx's connect four, compiled by JAX for the CPU."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pgx.experimental import auto_reset

from bench.library import BATCHES, SINGLE, Library, Replay, Sequences, timed

ENV: Any = pgx.make("connect_four")
STEP: Any = jax.jit(ENV.step)


class Lanes:
    """Games side by side; a step chooses random legal actions inside, as is usual there."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.key = jax.random.PRNGKey(size)
        self.state = jax.jit(jax.vmap(ENV.init))(jax.random.split(self.key, size))
        self._step = jax.jit(partial(_random_step, size))
        self.steps(size)  # compile

    def steps(self, steps: int) -> int:
        """So many steps over all games."""
        for _ in range(steps // self.size):
            self.state, self.key = self._step(self.state, self.key)
        jax.block_until_ready((self.state.observation, self.state.legal_action_mask))
        return steps // self.size * self.size


def _random_step(size: int, state: Any, key: Any) -> Any:
    key, choice, chance = jax.random.split(key, 3)
    logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
    actions = jax.random.categorical(choice, logits, axis=-1)
    keys = jax.random.split(chance, size)
    return jax.vmap(auto_reset(ENV.step, ENV.init))(state, actions, keys), key


def replay(games: Sequences) -> list[Replay]:
    """Play given games."""
    found = []
    for columns in games:
        state = ENV.init(jax.random.PRNGKey(0))
        first = int(state.current_player)
        legals = []
        for column in columns:
            legals.append(np.flatnonzero(np.asarray(state.legal_action_mask)).tolist())
            state = STEP(state, column)
        assert bool(state.terminated)
        found.append((legals, float(state.rewards[first])))
    return found


def library() -> Library:
    """pgx, called step by step."""
    batches = {
        row: timed(partial(Lanes(size).steps, max(64 * 200, 20 * size)))
        for size, row in BATCHES.items()
    }
    single = timed(partial(Lanes(1).steps, 2_000))
    return Library("pgx", ("pgx", "jax"), replay, {SINGLE: single, **batches})
