"""`kwartet perft`: count action sequences, the classic proof of move generation."""

import time
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from kwartet.cli.terminal import (
    AsJson,
    GameKey,
    GameOptions,
    console,
    find_game,
    prepare,
    print_json,
    progress,
)

if TYPE_CHECKING:
    from kwartet.core.match import Match


def run(
    key: GameKey,
    depth: Annotated[int, typer.Option("--depth", "-d", min=1, max=20, help="Actions deep.")] = 3,
    seed: Annotated[int, typer.Option(help="Luck of the set-up before the first decision.")] = 0,
    moves: Annotated[
        list[str] | None,
        typer.Option("--move", "-m", help="First play this move. Repeatable, in order."),
    ] = None,
    option: GameOptions = None,
    as_json: AsJson = False,
) -> None:
    """Count the action sequences from a position, chance's outcomes included."""
    from kwartet.core.match import Match

    game, options = find_game(key, option)
    prepare([game])
    match = Match(game, options, seed=seed)
    for move in moves or ():
        match.play(move)
    rows = [_count(match, level) for level in range(1, depth + 1)]
    if as_json:
        print_json(
            {
                "game": game.key,
                "options": options,
                "moves": match.moves,
                "perft": [sequences for sequences, _ in rows],
            }
        )
    else:
        _print(rows)


def _count(match: "Match", depth: int) -> tuple[int, float]:
    """The number of sequences and the seconds it took to count them."""
    from kwartet.core.simulation import count_sequences

    began = time.perf_counter()
    with progress(f"Depth {depth}", len(match.legal_actions())) as advance:
        sequences = count_sequences(match, depth, advance)
    return sequences, time.perf_counter() - began


def _print(rows: list[tuple[int, float]]) -> None:
    table = Table()
    for heading in ("Depth", "Sequences", "Seconds"):
        table.add_column(heading, justify="right")
    for depth, (sequences, seconds) in enumerate(rows, 1):
        table.add_row(str(depth), f"{sequences:,}", f"{seconds:.3f}")
    console.print(table)
