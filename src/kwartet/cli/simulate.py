"""`kwartet simulate`: random matches, as records or as statistics."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.table import Table

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


def run(
    key: GameKey,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many matches.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="Write the records there, one JSON object a line; - is standard output."),
    ] = None,
    option: GameOptions = None,
    as_json: AsJson = False,
) -> None:
    """Play random matches and write their records."""
    if as_json and out == Path("-"):
        raise GameError("bad-option", "--json and --out - both want standard output; choose one.")
    game, options = find_game(key, option)
    with _opened(out) as lines:
        prepare([game])
        summary = _simulate(game, options, games, seed, lines)
    if as_json:
        print_json(summary)
    elif out != Path("-"):
        _print(summary, out)


def _simulate(
    game: Game, options: dict[str, Any], games: int, seed: int, lines: TextIO | None
) -> dict[str, Any]:
    """Play the matches, write their records if there is where to, and sum them up."""
    from kwartet.core.chance import generator
    from kwartet.core.records import line_of
    from kwartet.core.simulation import random_match

    began = time.monotonic()
    totals = _Totals(game.seats(options))
    with progress(f"Playing {game.title}", games) as advance:
        for number in range(games):
            match = random_match(game, options, generator(seed, number))
            totals.add(match)
            if lines:
                lines.write(line_of(match.record()) + "\n")
            advance()
    return {
        "game": game.key,
        "options": options,
        "seed": seed,
        "games": games,
        "seconds": round(time.monotonic() - began, 3),
        **totals.means(games),
    }


class _Totals:
    """Sums over matches."""

    def __init__(self, seats: int) -> None:
        self.moves = 0
        self.scores = [0] * seats
        self.wins = [0.0] * seats

    def add(self, match: Any) -> None:
        """Count one finished match; a shared win counts in parts."""
        self.moves += match.ply
        winners = match.winners()
        for seat, score in enumerate(match.scores()):
            self.scores[seat] += score
            self.wins[seat] += (seat in winners) / len(winners)

    def means(self, games: int) -> dict[str, Any]:
        """Averages over that many matches."""
        return {
            "moves": round(self.moves / games, 2),
            "scores": [round(score / games, 2) for score in self.scores],
            "wins": [round(wins / games, 4) for wins in self.wins],
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
