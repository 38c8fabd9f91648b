"""`kwartet dataset`: positions to learn from, played by the best player against itself."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kwartet.cli.pools import RayAddress, Workers, interruptible, open_pool, packages
from kwartet.cli.terminal import (
    GameKey,
    GameOptions,
    console,
    find_game,
    prepare,
    prepare_bots,
    progress,
)


class Format(StrEnum):
    """Of the files."""

    NPZ = "npz"
    PARQUET = "parquet"


def run(
    key: GameKey,
    matches: Annotated[int, typer.Option("--games", "-n", min=1, help="How many matches.")] = 100,
    simulations: Annotated[
        int, typer.Option(min=10, help="Of the search, a move; a solved game needs none.")
    ] = 400,
    random_moves: Annotated[
        float,
        typer.Option(
            metavar="SHARE", min=0, max=0.99, help="The share of moves that are played at random."
        ),
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same positions.")] = 0,
    shard: Annotated[int, typer.Option(min=1, help="Matches in a file.")] = 50,
    ending: Annotated[Format, typer.Option("--format", help="Parquet needs pyarrow.")] = Format.NPZ,
    workers: Workers = None,
    ray: RayAddress = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder. [default: dataset-GAME-SEED]")
    ] = None,
    option: GameOptions = None,
) -> None:
    """Write self-play positions: state, what the search looked at and expected, how it ended.

    The same command goes on after an interruption, and with a larger --games it adds more.
    Load them with kwartet.learning.load(FOLDER).
    """
    from kwartet.learning.dataset import DatasetPlan, DatasetWriter, stream

    game, options = find_game(key, option)
    plan = DatasetPlan(
        game.key, options, matches, simulations, seed, shard, ending.value, random_moves, packages()
    )
    folder = out or Path(f"dataset-{game.key}-{seed}")
    with DatasetWriter.open(plan, folder) as writer, interruptible():
        prepare([game], bots=True)
        prepare_bots(game, options, ["master"])
        with (
            open_pool(ray, workers, game) as pool,
            progress(f"Playing {game.title}", writer.steps()) as advance,
        ):
            for _ in writer.run(pool, advance):
                pass
    positions, played = 0, 0
    for part in stream(folder).parts():
        positions += len(part)
        played += len(set(part.columns.matches.tolist()))
    console.print(
        f"{positions:,} positions of {played} matches in {folder}.",
        markup=False,
        highlight=False,
    )
