"""Compile what the bots of a game need, or load it from the disk cache, before it is needed."""

from collections.abc import Callable
from functools import partial

from kwartet.bots.bot import turn_of
from kwartet.bots.catalogue import create
from kwartet.core.game import Game
from kwartet.core.kernels import JIT
from kwartet.core.match import Match


def steps(game: Game) -> list[tuple[str, Callable[[], object]]]:
    """What there is to compile, as names and calls; each call is harmless and short."""
    if not JIT:
        return []
    bots = (("search", "skilled@8"), ("greed", "greedy"), ("instinct", "novice"))
    return [(name, partial(_try, game, bot)) for name, bot in bots]


def _try(game: Game, name: str) -> None:
    """Let the bot make its first move."""
    create(name, game).choose(turn_of(Match(game, {}, seed=0)))
