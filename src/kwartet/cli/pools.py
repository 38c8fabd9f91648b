"""What the commands that play many matches share: where they play, and how they break off."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kwartet.cli.terminal import errors
from kwartet.games import GAMES

if TYPE_CHECKING:
    from kwartet.arena.pool import Pool
    from kwartet.core.game import Game

INLINE: Final = 0  # workers: no other process than this
LAYERS: Final = ("match", "bots", "greed", "engine")  # what bots need that play
INTERRUPTED: Final = 130  # exit status, as shells have it

Workers = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Processes that play. [default: one a core]")
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Play on this Ray cluster instead; `local` starts one on this machine.",
    ),
]


@contextmanager
def open_pool(
    address: str | None,
    workers: int | None,
    game: "Game | None" = None,
    layers: Sequence[str] = LAYERS,
) -> Iterator["Pool"]:
    """Processes on this machine, or a Ray cluster; `INLINE` is this process alone.

    On every machine of a cluster these layers of the game are compiled first, once.
    """
    from kwartet.arena.matches import Job
    from kwartet.arena.pool import Inline, Processes
    from kwartet.arena.ray_pool import RayCluster
    from kwartet.arena.warming import warm

    pool: Pool
    if address is not None:
        pool = RayCluster(address, workers or None)
    else:
        pool = Inline() if workers == INLINE else Processes(workers or _cores())
    try:
        if address is not None and game is not None:
            with errors.status("Compiling the rules on every machine"):
                warm(pool, Job(game.key, {}, packages=packages()), layers)
        yield pool
    finally:
        pool.close()


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C ends the command with a sentence: what is done is kept, and it can go on."""
    try:
        yield
    except KeyboardInterrupt:
        errors.print("Interrupted; the same command goes on.")
        raise typer.Exit(INTERRUPTED) from None


def packages() -> tuple[str, ...]:
    """The packages of the games that are known, for processes that are to know them."""
    return tuple(game.package for game in GAMES.values())


def _cores() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
