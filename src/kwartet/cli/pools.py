"""What the commands that play many matches share: where they play, and how they break off."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kwartet.cli.terminal import errors

if TYPE_CHECKING:
    from kwartet.arena.pool import Pool

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
def open_pool(address: str | None, workers: int | None) -> Iterator["Pool"]:
    """Processes on this machine, or a Ray cluster."""
    from kwartet.arena.pool import Processes
    from kwartet.arena.ray_pool import RayCluster

    pool: Pool = (
        RayCluster(address, workers) if address is not None else Processes(workers or _cores())
    )
    try:
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


def _cores() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
