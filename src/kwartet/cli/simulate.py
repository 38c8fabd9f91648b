"""`kwartet simulate`: random matches, as records or as statistics."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer
from rich.table import Table

from kwartet.cli.pools import INLINE, RayAddress, open_pool, packages
from kwartet.cli.terminal import (
    AsJson,
    GameKey,
    GameOptions,
    console,
    find_game,
    option_text,
    prepare,
    print_json,
    progress,
)
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game

if TYPE_CHECKING:
    from kwartet.arena.pool import Pool


def run(
    key: GameKey,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many matches.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="Write the records there, one JSON object a line; - is standard output."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Processes that play. [default: this one]")
    ] = None,
    ray: RayAddress = None,
    option: GameOptions = None,
    as_json: AsJson = False,
) -> None:
    """Play random matches and write their records."""
    if as_json and out == Path("-"):
        raise GameError("bad-option", "--json and --out - both want standard output; choose one.")
    game, options = find_game(key, option)
    with _opened(out) as lines:
        prepare([game])
        with open_pool(ray, workers or INLINE, game, ("match", "engine")) as pool:
            summary = _simulate(game, options, games, seed, lines, pool)
    if as_json:
        print_json(summary)
    elif out != Path("-"):
        _print(summary, out)


def _simulate(
    game: Game, options: dict[str, Any], games: int, seed: int, lines: TextIO | None, pool: "Pool"
) -> dict[str, Any]:
    """Play the matches, write their records if there is where to, and sum them up."""
    from kwartet.arena.matches import Job
    from kwartet.arena.simulating import Simulation, simulate

    job = Job(game.key, options, packages=packages())
    began = time.monotonic()
    moves, scores, wins = 0, [0] * game.seats(options), [0.0] * game.seats(options)
    with progress(f"Playing {game.title}", games) as advance:
        for block in simulate(pool, Simulation(job, seed, lines is not None), games):
            moves += block.moves
            scores = [sum(pair) for pair in zip(scores, block.scores, strict=True)]
            wins = [sum(pair) for pair in zip(wins, block.wins, strict=True)]
            if lines:
                lines.writelines(block.lines)
            advance(block.matches)
    return {
        "game": game.key,
        "options": options,
        "seed": seed,
        "games": games,
        "seconds": round(time.monotonic() - began, 3),
        "moves": round(moves / games, 2),
        "scores": [round(score / games, 2) for score in scores],
        "wins": [round(won / games, 4) for won in wins],
    }


@contextmanager
def _opened(out: Path | None) -> Iterator[TextIO | None]:
    if out is None or out == Path("-"):
        yield sys.stdout if out else None
        return
    try:
        lines = out.open("w", encoding="utf-8")
    except OSError as error:
        raise GameError(
            "bad-file", f"Cannot write {quoted(str(out))}: {error.strerror}."
        ) from error
    with lines:
        yield lines


def _print(summary: dict[str, Any], out: Path | None) -> None:
    title = f"{summary['game']} {option_text(summary['options'])}"
    table = Table(title=title, title_justify="left")
    for heading in ("Seat", "Mean score", "Wins"):
        table.add_column(heading, justify="right")
    for seat, (score, wins) in enumerate(zip(summary["scores"], summary["wins"], strict=True)):
        table.add_row(str(seat), f"{score:.2f}", f"{wins:.1%}")
    console.print(table)
    where = f", records in {quoted(str(out))}" if out else ""
    console.print(
        f"{summary['games']} random matches of {summary['moves']:.1f} moves "
        f"in {summary['seconds']:.1f} s{where}.",
        markup=False,
    )
