"""`kwartet dataset`: positions to learn from, played by the search against itself."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kwartet.cli.arena import INTERRUPTED, open_pool
from kwartet.cli.terminal import (
    GameKey,
    GameOptions,
    console,
    errors,
    find_game,
    prepare,
    progress,
)
from kwartet.games import GAMES


class Format(StrEnum):
    """Of the files."""

    NPZ = "npz"
    PARQUET = "parquet"


def run(
    key: GameKey,
    matches: Annotated[int, typer.Option("--games", "-n", min=1, help="How many matches.")] = 100,
    simulations: Annotated[int, typer.Option(min=10, help="Of the search, a move.")] = 400,
    seed: Annotated[int, typer.Option(help="The same seed gives the same positions.")] = 0,
    shard: Annotated[int, typer.Option(min=1, help="Matches in a file.")] = 50,
    ending: Annotated[Format, typer.Option("--format", help="Parquet needs pyarrow.")] = Format.NPZ,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes. [default: cores]")] = None,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Let this Ray cluster play; `local` starts one."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder. [default: dataset-GAME-SEED]")
    ] = None,
    option: GameOptions = None,
) -> None:
    """Write self-play positions: state, what the search looked at, how it ended.

    The same command goes on after an interruption, and with a larger --games it adds more.
    Load them with kwartet.arena.dataset.load(FOLDER).
    """
    from kwartet.arena.dataset import Making, Setup, load

    game, options = find_game(key, option)
    packages = tuple(each.package for each in GAMES.values())
    setup = Setup(game.key, options, matches, simulations, seed, shard, ending.value, packages)
    folder = out or Path(f"dataset-{game.key}-{seed}")
    making = Making.open(setup, folder)
    prepare([game], bots=True)
    try:
        with (
            open_pool(ray, workers) as pool,
            progress(f"Playing {game.title}", making.steps()) as advance,
        ):
            for _ in making.run(pool, advance):
                pass
    except KeyboardInterrupt:
        errors.print("Interrupted; the same command goes on.")
        raise typer.Exit(INTERRUPTED) from None
    found = load(folder)
    console.print(
        f"{len(found):,} positions of {len(set(found.columns.matches.tolist()))} matches "
        f"in {folder}.",
        markup=False,
        highlight=False,
    )
