"""`python -m bench.review`: proofs that the figures of a review mean something.

Bots of all levels play each other and every match is reviewed: luck must average out to 0,
results without it must tell the stronger player better than results do, and a better level
must lose less. Then single decisions are reviewed again with ten times the care, to see
whether losses are as sure as their errors say. What is measured is kept in a folder, a line
each; the same command goes on, so that the proofs can grow.
"""

import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

import kwartet
from bench.review_figures import summary
from bench.review_plots import draw
from kwartet.bots.bot import turn_of
from kwartet.bots.catalogue import create
from kwartet.cli.terminal import errors, print_json
from kwartet.core.match import Match
from kwartet.games import find
from kwartet.reviews.care import CARES, Care
from kwartet.reviews.decisions import Decisions
from kwartet.reviews.finding import Finding
from kwartet.reviews.judge import find_judge
from kwartet.reviews.story import Story
from kwartet.reviews.work import look, make_review, plan_review

LEVELS: Final = ("novice", "casual", "skilled", "expert")  # from weak to strong
TABLES: Final[dict[str, dict[str, Any]]] = {
    "carat": {"players": 4},
    "carnac": {"board": "small"},
    "catan_dice": {"players": 2},
    "kwatro": {"players": 2},
}
Proof = Callable[[str, Care, int], Any]
TIMES: Final = 10  # as much care
EACH: Final = 8  # decisions that are taken from one match


def main(
    games: Annotated[str, typer.Option(help="Which, with commas between.")] = ",".join(TABLES),
    matches: Annotated[int, typer.Option(min=0, help="Of each game, for luck.")] = 1000,
    reviews: Annotated[int, typer.Option(min=0, help="Of each game, for losses.")] = 200,
    positions: Annotated[
        int, typer.Option(min=0, help="Matches of which decisions are judged twice.")
    ] = 100,
    minutes: Annotated[
        float, typer.Option(help="For each game and proof; then it breaks off.")
    ] = 1e6,
    care: Annotated[str, typer.Option(help="Of the reviews.")] = "quick",
    out: Annotated[Path, typer.Option(help="Where it is kept.")] = Path("bench/review_proofs"),
    plot: Annotated[
        bool, typer.Option("--plot", help="Also draw, as SVG, into the folder.")
    ] = False,
) -> None:
    """Play, review, and print what was found as JSON."""
    out.mkdir(parents=True, exist_ok=True)
    usual = CARES[care]
    for key in games.split(","):
        proofs: list[tuple[str, int, Proof]] = [("losses", reviews, _losses)]
        if find(key).rules.CHANCE_ACTIONS:
            proofs.append(("luck", matches, _luck))
        if key != "catan_dice":  # judged by its solution, which does not err
            proofs.append(("positions", positions, _position))
        for name, wanted, make in proofs:
            _grow(out / f"{key}-{name}.jsonl", wanted, minutes, partial(make, key, usual))
    found = summary(out, games.split(","), LEVELS)
    (out / "summary.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if plot:
        draw(found, out)
    print_json(found)


def _grow(path: Path, wanted: int, minutes: float, make: Callable[[int], Any]) -> None:
    """Add lines to a file until there are as many as wanted, or the time is over."""
    there = len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0
    began = time.monotonic()
    with path.open("a", encoding="utf-8") as lines:
        for number in range(there, wanted):
            if time.monotonic() - began > 60 * minutes:
                return
            lines.write(json.dumps(make(number)) + "\n")
            lines.flush()
            errors.print(f"{path.stem}: {number + 1}")


def played(key: str, seed: int) -> tuple[Match, list[str]]:
    """A match between levels drawn by lot, and who sat where."""
    luck = random.Random(f"{key} {seed}")
    match = kwartet.new(key, seed=seed, **TABLES[key])
    levels = [luck.choice(LEVELS) for _ in range(match.seats)]
    bots = [create(level, match.game, options=match.options) for level in levels]
    while match.actor is not None:
        turn = turn_of(match, seed=luck.getrandbits(32))
        match.play(bots[turn.seat].choose(turn))
    return match, levels


def _luck(key: str, care: Care, number: int) -> dict[str, Any]:
    """What a match came to, and by what luck."""
    match, levels = played(key, number)
    work = plan_review(match, "expert", None, care, number)
    chances = [ply for ply in work.missing() if work.story.is_chance(ply)]
    work.findings.update({ply: look(work.plan, ply) for ply in chances})
    accounts = work.review.seats
    return {
        "levels": levels,
        "results": [account.result for account in accounts],
        "luck": [account.luck for account in accounts],
    }


def _losses(key: str, care: Care, number: int) -> dict[str, Any]:
    """What the seats of a match lost by their decisions."""
    match, levels = played(key, number)
    review = make_review(plan_review(match, "expert", None, care, number))
    losses: dict[int, list[tuple[float, float]]] = {}
    for each in review.decisions:
        if not each.forced:
            losses.setdefault(each.seat, []).append(each.loss)
    return {
        "levels": levels,
        "unexplained": [account.unexplained for account in review.seats],
        "accuracy": [account.accuracy for account in review.seats],
        "losses": [
            [sum(loss[scale] for loss in losses.get(seat, ())) for scale in range(2)]
            for seat in range(match.seats)
        ],
        "choices": [len(losses.get(seat, ())) for seat in range(match.seats)],
    }


def _position(key: str, usual: Care, number: int) -> list[dict[str, Any]]:
    """A few decisions of a match, judged with this care and with much more."""
    match, _ = played(key, 100_000 + number)
    story = Story.of(match)
    judge = find_judge("expert", match.game, match.options)
    first = Decisions(story, judge, usual, number)
    again = Decisions(story, judge, with_more(usual, TIMES), number + 1)
    told = []
    for ply in _choices(story, random.Random(number)):
        judged, truth = first.find(ply), again.find(ply)
        if not judged.exact and not truth.exact:
            own = _played_instead(story, ply, truth.best)
            itself = Decisions(own, judge, usual, number).find(ply)
            told.append(
                {
                    "ply": ply,
                    "loss": _loss(story, judged),
                    "error": judged.error,
                    "true": _loss(story, truth),
                    "itself": _loss(own, itself),
                }
            )
    return told


def with_more(care: Care, times: int) -> Care:
    """So many times the care."""
    return replace(care, name="more", effort=care.effort * times)


def _choices(story: Story, luck: random.Random) -> Iterator[int]:
    plies = [
        ply
        for ply in range(len(story.moves))
        if not story.is_chance(ply) and len(story.legal_actions(ply)) > 1
    ]
    yield from luck.sample(plies, min(EACH, len(plies)))


def _played_instead(story: Story, ply: int, move: str) -> Story:
    """The match up to a decision, with another move made there."""
    known, seat = story.redacted(ply), story.actors[ply]
    actions = story.game.notation.read(known[0], seat, move)
    return replace(
        story,
        moves=(*story.moves[:ply], tuple(actions)),
        texts=(*story.texts[:ply], move),
    )


def _loss(story: Story, found: Finding) -> list[float]:
    seat = story.actors[found.ply]
    pairs = zip(found.before[seat], found.after[seat], strict=True)
    return [before - after for before, after in pairs]


if __name__ == "__main__":
    typer.run(main)
