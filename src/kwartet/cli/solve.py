"""`kwartet solve`: the exact value of a game, computed once and then looked up."""

import time
from typing import Annotated, Any

import typer
from rich.table import Table

from kwartet.cli.terminal import (
    AsJson,
    GameKey,
    GameOptions,
    compute_solution,
    console,
    errors,
    find_game,
    option_text,
    print_json,
)
from kwartet.core.game import Game

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
BAR = 50  # columns of the longest bar
ROWS = 32  # at most, of the picture
INTERRUPTED = 130  # exit status, as shells have it


def run(
    key: GameKey,
    turns: Annotated[
        int | None, typer.Option(min=1, max=15, help="Solve a shorter match of so many turns.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Compute even what is stored.")] = False,
    threads: Annotated[int, typer.Option(min=1, max=64, help="How many compute.")] = 2,
    option: GameOptions = None,
    as_json: AsJson = False,
) -> None:
    """Compute the best expected score, and how the scores of the best play fall."""
    game, options = find_game(key, option)
    solutions = game.solved()
    length = {} if turns is None else {"turns": turns}
    began = time.monotonic()
    solution = None if again else solutions.find(options, **length)
    stored = solution is not None
    if solution is None:
        solution = _compute(game, options, length, threads)
    summary = _summary(game, options, solution)
    summary |= {"stored": stored, "seconds": round(time.monotonic() - began, 3)}
    if as_json:
        print_json(summary)
    else:
        _print(summary)


def _compute(game: Game, options: dict[str, Any], length: dict[str, int], threads: int) -> Any:
    try:
        return compute_solution(game, options, **length, threads=threads)
    except KeyboardInterrupt:
        errors.print("Stopped before it was solved; nothing was stored.")
        raise typer.Exit(INTERRUPTED) from None


def _summary(game: Game, options: dict[str, Any], solution: Any) -> dict[str, Any]:
    """The solution of a match played alone, JSON-ready."""
    return {
        "game": game.key,
        "options": options,
        "turns": solution.turns,
        "expected": solution.expected,
        "deviation": solution.deviation,
        "quantiles": {f"{share:g}": solution.quantile(share) for share in QUANTILES},
        "chances": {
            str(score): chance
            for score, chance in zip(
                solution.scores.tolist(), solution.chances.tolist(), strict=True
            )
            if chance > 0
        },
    }


def _print(summary: dict[str, Any]) -> None:
    options = {name: value for name, value in summary["options"].items() if name != "players"}
    console.print(f"{summary['game']} {option_text(options)}: {summary['turns']} turns alone")
    console.print(
        f"Best expected score {summary['expected']:.4f}, "
        f"standard deviation {summary['deviation']:.2f}"
    )
    _print_picture({int(score): chance for score, chance in summary["chances"].items()})
    table = Table()
    for share in summary["quantiles"]:
        table.add_column(f"{float(share):.0%}", justify="right")
    table.add_row(*map(str, summary["quantiles"].values()))
    console.print(table)
    if not summary["stored"]:
        console.print(f"Solved in {summary['seconds']:.0f} s.")


def _print_picture(chances: dict[int, float]) -> None:
    """A bar for each few scores, without the very unlikely ones at both ends."""
    likely = [score for score, chance in chances.items() if chance >= 5e-4]
    low, high = min(likely), max(likely)
    step = next(step for step in (1, 2, 4, 5, 10) if (high - low) // step < ROWS)
    low -= low % step
    bars = {
        first: sum(chances.get(score, 0.0) for score in range(first, first + step))
        for first in range(low, high + 1, step)
    }
    longest = max(bars.values())
    for first, chance in bars.items():
        name = f"{first}" if step == 1 else f"{first}–{first + step - 1}"
        bar = "█" * round(chance / longest * BAR)
        console.print(f"{name:>9} {chance:6.1%} {bar}", highlight=False)
