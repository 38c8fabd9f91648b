"""`kwartet perft`: count action sequences, the classic proof of move generation."""

import time
from typing import Annotated

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
    from kwartet.core.simulation import count_sequences

    game, options = find_game(key, option)
    prepare([game])
    match = Match(game, options, seed=seed)
    for move in moves or ():
        match.play(move)
    rows = []
    for level in range(1, depth + 1):
        began = time.perf_counter()
        roots = match.legal_actions()
        with progress(f"Depth {level}", len(roots)) as advance:
            sequences = count_sequences(match, level, advance)
        rows.append((level, sequences, time.perf_counter() - began))
    if as_json:
        print_json(
            {
                "game": game.key,
                "options": options,
                "moves": match.moves,
                "perft": [sequences for _, sequences, _ in rows],
            }
        )
        return
    table = Table()
    for heading in ("Depth", "Sequences", "Seconds"):
        table.add_column(heading, justify="right")
    for level, sequences, seconds in rows:
        table.add_row(str(level), f"{sequences:,}", f"{seconds:.3f}")
    console.print(table)
