"""The compiled rules against the plain ones: the same moves on both, compared after each.

`python -m tests.comparison --matches 10000` is the long run; `make test` plays a few.
"""

import argparse
import importlib
import pkgutil
import random
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import kwartet
from kwartet.core.match import Match

LETTERS: Final = re.compile(r"[a-zA-Z]*")
PLAIN: Final[dict[str, Any]] = {  # by key: `Plain`, and what tests want to know of the game
    name: module
    for _, name, _ in pkgutil.iter_modules([str(Path(__file__).parent / "plain")])
    if hasattr(module := importlib.import_module(f"tests.plain.{name}"), "OPTION_SETS")
}
OPTION_SETS: Final[dict[str, list[dict[str, Any]]]] = {
    key: module.OPTION_SETS for key, module in PLAIN.items()
}


def compare(key: str, options: dict[str, Any], seed: int) -> int:
    """Play one random match on both; return its number of moves. AssertionError on a difference."""
    luck = random.Random(f"{key} {options} {seed}")
    plain = PLAIN[key].Plain(**options)
    match = kwartet.new(key, auto_chance=False, **options)
    if hasattr(PLAIN[key], "opening"):
        _play_on_both(match, plain, PLAIN[key].opening(luck))
    by_kind = luck.random() < 0.5  # uniform play seldom gets to the rare kinds of moves
    while legal := _same_position(match, plain):
        _play_on_both(match, plain, _choice(legal, luck, by_kind))
    return match.ply


def _play_on_both(match: Match, plain: Any, move: str) -> None:
    match.play(move)
    plain.play(move)


def _same_position(match: Match, plain: Any) -> list[str]:
    """Compare everything that both can tell; return the legal moves."""
    story = (match.options, match.moves)
    assert match.actor == plain.actor(), story
    legal, expected = match.legal(), plain.legal()
    assert len(set(expected)) == len(expected), story
    assert sorted(legal) == sorted(expected), (story, set(legal) ^ set(expected))
    assert match.scores() == plain.scores(), story
    assert match.winners() == plain.winners(), story
    return legal


def _choice(legal: list[str], luck: random.Random, by_kind: bool) -> str:
    """A random move; `by_kind` first picks one of the kinds of moves a seat has."""
    if not by_kind or legal[0].startswith("*"):
        return luck.choice(legal)
    kinds: dict[str, list[str]] = {}
    for move in legal:
        kinds.setdefault(LETTERS.match(move)[0], []).append(move)  # type: ignore[index]
    return luck.choice(luck.choice(list(kinds.values())))


def _batch(job: tuple[str, dict[str, Any], range]) -> tuple[str, str, int, int]:
    key, options, seeds = job
    return key, str(options), len(seeds), sum(compare(key, options, seed) for seed in seeds)


def _jobs(keys: list[str], matches: int, first: int) -> Iterator[tuple[str, dict[str, Any], range]]:
    for start in range(first, first + matches, 100):
        for key in keys:
            for options in OPTION_SETS[key]:
                yield key, options, range(start, min(start + 100, first + matches))


def main() -> None:
    """Compare many matches of every option set; print how many and how long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(OPTION_SETS))
    parser.add_argument("--matches", type=int, default=10_000, help="of every option set")
    parser.add_argument("--first", type=int, default=0, help="seed of the first match")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    totals: dict[tuple[str, str], list[int]] = {}
    began = time.monotonic()
    jobs = list(_jobs(arguments.games, arguments.matches, arguments.first))
    with ProcessPoolExecutor(arguments.workers) as pool:
        for done, (key, options, matches, moves) in enumerate(pool.map(_batch, jobs), 1):
            total = totals.setdefault((key, options), [0, 0])
            total[0] += matches
            total[1] += moves
            print(f"\r{done}/{len(jobs)} batches", end="", file=sys.stderr)
    print(file=sys.stderr)
    for (key, options), (matches, moves) in totals.items():
        print(f"{key} {options}: {matches:,} matches, {moves:,} moves, no difference")
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
