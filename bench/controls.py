"""What must agree before two libraries' connect four may be compared."""

import random
import statistics
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from bench import openspiel
from kwartet.core import engine
from kwartet.core.chance import generator
from kwartet.core.game import Game
from kwartet.core.match import Match
from kwartet.core.simulation import NOTHING, count_sequences

DEPTH: Final = 6
GAMES: Final = 20_000
SIGMAS: Final = 3.0


@dataclass(frozen=True)
class Control:
    """A number that both libraries must agree on, up to a tolerance."""

    name: str
    product: float
    peer: float
    tolerance: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether they agree."""
        return abs(self.product - self.peer) <= self.tolerance


class ControlError(Exception):
    """The two libraries do not do the same work, so that comparing them means nothing."""


def check(controls: list[Control]) -> None:
    """ControlError if one of them does not hold."""
    for control in controls:
        if not control.holds:
            raise ControlError(
                f"{control.name}: {control.product} here, {control.peer} in OpenSpiel, "
                f"which may differ by {control.tolerance:.2g} at most."
            )


def controls(game: Game, seed: int = 0) -> list[Control]:
    """The same number of sequences, and random games alike in length and in who wins them."""
    lengths, wins = _random_games(game, seed)
    peer_lengths, peer_wins = _peer_games(seed)
    return [
        Control(
            f"perft({DEPTH})",
            count_sequences(Match(game, {}), DEPTH),
            openspiel.perft(openspiel.position(()), DEPTH),
        ),
        _alike("mean length of random games", lengths, peer_lengths),
        _alike("share of random games the first player wins", wins, peer_wins),
    ]


def _random_games(game: Game, seed: int) -> tuple[list[float], list[float]]:
    """For each random game its length, and 1 if the first player won it alone."""
    start = game.start(game.settle({}))
    scratch, rng = start.copy(), generator(seed)
    lengths, firsts = [], []
    for _ in range(GAMES):
        wins = np.zeros(2, np.int64)
        lengths.append(float(engine.playouts(start, scratch, rng, 1, wins, NOTHING, NOTHING)))
        firsts.append(float(wins[0] > wins[1]))
    return lengths, firsts


def _peer_games(seed: int) -> tuple[list[float], list[float]]:
    """The same in OpenSpiel."""
    rng = random.Random(seed)
    played = [openspiel.random_game(rng) for _ in range(GAMES)]
    return [float(length) for length, _ in played], [float(result > 0) for _, result in played]


def _alike(name: str, product: list[float], peer: list[float]) -> Control:
    """Two means that may differ by a few standard errors of their difference."""
    error = sqrt(
        statistics.variance(product) / len(product) + statistics.variance(peer) / len(peer)
    )
    return Control(name, statistics.fmean(product), statistics.fmean(peer), SIGMAS * error)
