"""`kwartet warmup`: compile everything now instead of at the first use."""

import time
from typing import Annotated

import typer

from kwartet.cli.terminal import console, prepare
from kwartet.games import GAMES, find


def run(
    games: Annotated[list[str] | None, typer.Argument(help="Which; all if none is named.")] = None,
) -> None:
    """Compile rules, bots, environments and reviews, once for every new version of them."""
    began = time.monotonic()
    chosen = [find(key) for key in games or GAMES]
    prepare(chosen, bots=True, envs=True, reviews=True)
    names = ", ".join(game.title for game in chosen)
    console.print(f"{names}: ready after {time.monotonic() - began:.1f} s.")
