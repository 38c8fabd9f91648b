"""`python -m bench.levels`: how evenly the levels are spaced, and how much they lose.

    python -m bench.levels
    python -m bench.levels --games carnac --matches 400 --reviews 0

Each level plays the one below it, and the novice plays those who do not think at all; the
steps are told in Elo. Then every level plays itself, and its decisions are judged as a review
does: how accurate they are, and how many of them a match are slips, mistakes and blunders.
What is printed is Markdown for docs/strength.md.
"""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any, Final

import numpy as np
import typer

import kwartet
from kwartet.arena import Pool, tournament
from kwartet.cli.pools import Workers, open_pool
from kwartet.cli.terminal import errors, option_text, prepare, prepare_bots
from kwartet.core.match import Match
from kwartet.games import find
from kwartet.reviews.work import look, plan_review

LEVELS: Final = ("novice", "casual", "skilled", "expert")
BELOW: Final = ("random", "greedy")  # what the novice is measured by
TABLES: Final[dict[str, list[dict[str, Any]]]] = {
    "carat": [{"players": 2}],
    "carnac": [{"board": board} for board in ("small", "medium", "large")],
    "catan_dice": [{"players": 2}],
    "kwatro": [{"players": 2}],
}
FAULTS: Final = ("slip", "mistake", "blunder")


def main(
    games: Annotated[str, typer.Option(help="Which, with commas between.")] = ",".join(TABLES),
    matches: Annotated[int, typer.Option(min=0, help="Of each level and the next.")] = 200,
    reviews: Annotated[int, typer.Option(min=0, help="Matches of each with itself.")] = 10,
    master: Annotated[str, typer.Option(help="Who is measured as the master.")] = "master",
    levels: Annotated[str, typer.Option(help="Whose decisions are judged.")] = ",".join(LEVELS),
    above: Annotated[int, typer.Option(min=0, help="Matches of the master.")] = 40,
    seed: Annotated[int, typer.Option(help="Of the luck.")] = 0,
    workers: Workers = None,
) -> None:
    """Measure the levels and print two tables for each game."""
    tables = [(key, chosen) for key in games.split(",") for chosen in TABLES[key]]
    prepare([find(key) for key in dict(tables)], bots=True, reviews=reviews > 0)
    for key, chosen in tables:
        prepare_bots(find(key), find(key).settle(chosen), ["master"])
    if matches:
        print(f"| against the one before | {' | '.join((*BELOW, *LEVELS[1:], master))} |")
        print("|---" + "|--:" * (len(BELOW) + len(LEVELS)) + "|", flush=True)
        with open_pool(None, workers) as pool:
            for key, chosen in tables:
                row = _steps(pool, key, chosen, matches, master, above, seed)
                print(_line(_title(key, chosen), row), flush=True)
    if reviews:
        judged = levels.split(",")
        print(f"\n| accuracy; slips, mistakes, blunders a match | {' | '.join(judged)} |")
        print("|---" + "|--:" * len(judged) + "|", flush=True)
        for key, chosen in tables:
            row = (_care(key, chosen, level, reviews, seed) for level in judged)
            print(_line(_title(key, chosen), row), flush=True)


def _title(key: str, chosen: dict[str, Any]) -> str:
    return f"{find(key).title}, {option_text(chosen)}"


def _line(title: str, cells: Iterator[str]) -> str:
    with errors.status(title):
        return f"| {title} | {' | '.join(cells)} |"


def _steps(
    pool: Pool, key: str, chosen: dict[str, Any], matches: int, master: str, above: int, seed: int
) -> Iterator[str]:
    """What the novice has against those who do not think, then each level against the last."""
    pairs = [(bot, "novice", matches) for bot in BELOW]
    pairs += [(low, high, matches) for low, high in pairwise(LEVELS)]
    pairs.append((LEVELS[-1], master, above))
    for low, high, games in pairs:
        if games == 0:
            yield "–"
            continue
        found = tournament(key, [high, low], games=games, seed=seed, pool=pool, **chosen)
        meeting = found.meetings[0]
        yield elo_text(meeting.share, meeting.error, found.played)


def elo_text(share: float, error: float | None, matches: int) -> str:
    """A share of the wins and the Elo that it means; a bound where nothing was lost or won."""
    bound = 0.5 / matches
    is_bound = not bound < share < 1 - bound
    share_within = min(max(share, bound), 1 - bound)
    elo = 400 * math.log10(share_within / (1 - share_within))
    spread = 400 / math.log(10) * (error or 0.0) / (share_within * (1 - share_within))
    sign = ("> " if elo > 0 else "< ") if is_bound else ""
    told = f"{sign}{elo:+.0f}" + ("" if is_bound else f" ± {spread:.0f}")
    return f"{share:.1%}, {told}"


def _care(key: str, chosen: dict[str, Any], level: str, reviews: int, seed: int) -> str:
    """How accurate a level is in matches with itself, and its faults in each of them."""
    accuracies: list[float] = []
    counts = np.zeros(len(FAULTS))
    for number in range(reviews):
        match = _played(key, chosen, level, seed + number)
        work = plan_review(match, "expert", None, "quick", seed + number)
        decisions = [ply for ply in work.missing() if not work.story.is_chance(ply)]
        work.findings.update({ply: look(work.plan, ply) for ply in decisions})
        for account in work.review.seats:
            accuracies += [] if account.accuracy is None else [account.accuracy]
            counts += [account.verdicts[fault] for fault in FAULTS]
    error = np.std(accuracies, ddof=1) / len(accuracies) ** 0.5
    faults = ", ".join(f"{count:.1f}" for count in counts / len(accuracies))
    return f"{np.mean(accuracies):.0f} ± {error:.0f}; {faults}"


def _played(key: str, chosen: dict[str, Any], level: str, seed: int) -> Match:
    """A match of a level with itself."""
    match = kwartet.new(key, seed=seed, **chosen)
    bots = [kwartet.bot(level, seed=seed + seat) for seat in range(match.seats)]
    while match.actor is not None:
        match.play(bots[match.actor].choose(match))
    return match


if __name__ == "__main__":
    typer.run(main)
