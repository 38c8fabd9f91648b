"""`python -m bench.alarms`: how often sequential tests are wrong, and how many pairs they take.

Many tests, each with luck of its own, of real matches between two bots: two that are the same
under different names must hardly ever be told apart, one that is known to be stronger must
nearly always be. With `--playouts` the compiled engine plays the two matches of a pair at
random, a hundred times as fast; there is no luck to share in Carnac, so that they are the same
matches. With `--outcomes` nothing is played: the shares of pairs are drawn (`bench.outcomes`).
"""

import math
from functools import partial
from typing import Annotated, Any

import numpy as np
import typer

from bench.machine import share_interval
from bench.outcomes import table
from kwartet.arena.pool import Lost
from kwartet.arena.sequential import Question, SequentialTest, Verdict, read_question
from kwartet.arena.tournament import tournament
from kwartet.bots.catalogue import split_names
from kwartet.cli.pools import Workers, open_pool
from kwartet.cli.terminal import GameOptions, prepare, print_json, progress, read_options
from kwartet.core.chance import generator
from kwartet.core.engine import playouts
from kwartet.games import find


def main(
    game: Annotated[str, typer.Argument(help="Whose matches are short.")] = "carnac",
    bots: Annotated[str, typer.Option(help="Two.")] = "random,kwartet.bots.plain:Random",
    sprt: Annotated[str, typer.Option(help="Elo between which each test decides.")] = "0,100",
    tests: Annotated[int, typer.Option(min=1, help="How many.")] = 1000,
    pairs: Annotated[int, typer.Option(min=1, help="For each test at most.")] = 1000,
    by_engine: Annotated[
        bool, typer.Option("--playouts", help="Random matches by the engine, for two seats.")
    ] = False,
    by_chance: Annotated[
        bool, typer.Option("--outcomes", help="No matches; shares drawn from distributions.")
    ] = False,
    workers: Workers = None,
    option: GameOptions = None,
) -> None:
    """Print how many tests were decided for which side, as JSON, or as a table for --outcomes."""
    question = read_question(sprt)
    if by_chance:
        for row in table(question, tests):
            print(row, flush=True)
        return
    found = find(game)
    options = read_options(found, option)
    prepare([found], bots=True)
    decide = (
        partial(engine_test, game, question, pairs, options)
        if by_engine
        else partial(arena_test, game, split_names(bots), question, pairs, options)
    )
    with open_pool(None, workers) as pool, progress("Sequential tests", tests) as advance:
        verdicts = []
        for _, verdict in pool.map(decide, range(tests)):
            assert not isinstance(verdict, Lost)
            verdicts.append(verdict)
            advance()
    print_json(_sum(verdicts))


def _sum(verdicts: list[Verdict]) -> dict[str, Any]:
    tests = len(verdicts)
    high = sum(verdict.is_high for verdict in verdicts)
    low = sum(verdict.decided for verdict in verdicts) - high
    counted = sorted(verdict.pairs for verdict in verdicts)
    shares = sum(verdict.share[0] * verdict.pairs for verdict in verdicts)
    return {
        "tests": tests,
        "high": high,
        "low": low,
        "open": tests - high - low,
        "high_interval": [round(bound, 4) for bound in share_interval(high, tests)],
        "mean_pairs": round(sum(counted) / tests, 1),
        "median_pairs": counted[tests // 2],
        "pairs_of_95_percent": counted[math.ceil(0.95 * tests) - 1],
        "share": round(shares / sum(counted), 4),
    }


def arena_test(
    game: str, bots: list[str], question: Question, pairs: int, options: dict[str, Any], seed: int
) -> Verdict:
    """How the test with this luck ended."""
    found = tournament(game, bots, games=2 * pairs, seed=seed, sprt=question, **options)
    assert found.verdict is not None
    return found.verdict


def engine_test(
    game: str, question: Question, pairs: int, options: dict[str, Any], seed: int
) -> Verdict:
    """How a test of random against random ended, played by the engine."""
    starts = find(game).start(options)
    scratch, none = starts.copy(), np.empty(0, np.int32)
    luck = generator(seed, 0)
    test = SequentialTest(question, ("random", "random too"), 2)
    while test.pairs < pairs and not test.is_decided:
        share = 0.0
        for seat in range(2):
            wins = np.zeros(2, np.int64)
            playouts(starts, scratch, luck, 1, wins, none, none)
            share += (1 + int(wins[seat]) - int(wins[1 - seat])) / 4
        test.count(share)
    return test.verdict()


if __name__ == "__main__":
    typer.run(main)
