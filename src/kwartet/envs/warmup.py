"""Compile what batches of a game need, or load it from the disk cache, before it is needed."""

from kwartet.core.game import Game
from kwartet.core.warmup import Steps
from kwartet.envs.batches import Batch, batch


def steps(game: Game) -> Steps:
    """What batches need."""
    return [("batches", lambda: _try(batch(game, 1)))]


def _try(one: Batch) -> None:
    one.step(one.sample())
