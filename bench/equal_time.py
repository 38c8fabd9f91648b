"""Games at equal time: a bot of Kwartet's against OpenSpiel's tree search.

Both think for the same seconds of wall time a move and look at the clock themselves. Every
opening, two random discs, is played from both sides.
"""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from bench import openspiel
from bench.machine import share_interval
from kwartet.bots.bot import turn_of
from kwartet.bots.catalogue import create
from kwartet.bots.search import Search
from kwartet.core.game import Game
from kwartet.core.match import Match

OPENING: Final = 2  # random discs


@dataclass
class Effort:
    """What one side spent on its moves."""

    seconds: list[float] = field(default_factory=list)
    simulations: list[int] = field(default_factory=list)

    def add(self, began: float, simulations: int) -> None:
        """Note a move that began then and ends now."""
        self.seconds.append(time.perf_counter() - began)
        self.simulations.append(simulations)

    def row(self) -> dict[str, float]:
        """Means over its moves."""
        return {
            "seconds_a_move": round(statistics.fmean(self.seconds), 4),
            "simulations_a_move": round(statistics.fmean(self.simulations)),
        }


def compare(
    game: Game, name: str, games: int, seconds: float, seed: int, advance: Callable[[], object]
) -> dict[str, Any]:
    """Play so many games, an even number; Kwartet's bot has this name, without its budget."""
    rng = random.Random(seed)
    efforts = (Effort(), Effort())
    results = []
    for number in range(games):
        if number % 2 == 0:
            opening = [rng.randrange(game.rules.ACTIONS) for _ in range(OPENING)]
        bot = create(f"{name}@{seconds:.4f}s", game)
        assert isinstance(bot, Search)
        results.append(_play(game, bot, number % 2, opening, seconds, seed + number, efforts))
        advance()
    low, high = share_interval(sum(results), games)
    return {
        "bot": name,
        "games": games,
        "seconds": seconds,
        "won": results.count(1.0),
        "drawn": results.count(0.5),
        "lost": results.count(0.0),
        "share": sum(results) / games,
        "interval": [low, high],
        "product": efforts[0].row(),
        "peer": efforts[1].row(),
    }


def _play(
    game: Game,
    bot: Search,
    seat: int,
    opening: list[int],
    seconds: float,
    seed: int,
    efforts: tuple[Effort, Effort],
) -> float:
    """One game with Kwartet's bot in the seat: 1 if it wins, 0.5 for a draw, else 0."""
    match = Match(game, {})
    match.extend(opening)
    state = openspiel.position(opening)
    peer = openspiel.searcher(seed=seed, seconds=seconds)
    while match.actor is not None:
        if len(match.legal_actions()) == 1:
            action = match.legal_actions()[0]
        elif match.actor == seat:
            turn = turn_of(match, seed=seed)
            began = time.perf_counter()
            found = bot.analyse(turn)
            efforts[0].add(began, int(found.visits.sum()))
            action = found.best
        else:
            began = time.perf_counter()
            root = peer.mcts_search(state)
            efforts[1].add(began, int(root.explore_count))
            action = int(root.best_child().action)
            del root  # taking it down is not timed
        match.extend([action])
        state.apply_action(action)
    assert state.is_terminal()
    return (match.returns()[seat] + 1) / 2
