"""Compile what batches of a game need, or load it from the disk cache, before it is needed."""

from collections.abc import Callable

from kwartet.core.game import Game
from kwartet.core.kernels import JIT
from kwartet.envs.batches import Batch, batch


def steps(game: Game) -> list[tuple[str, Callable[[], object]]]:
    """What there is to compile, as names and calls; each call is harmless and short."""
    if not JIT:
        return []
    return [("batches", lambda: _try(batch(game, 1)))]


def _try(one: Batch) -> None:
    one.step(one.sample())
