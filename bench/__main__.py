"""`python -m bench`: Kwartet next to other libraries, all in one run."""

from collections.abc import Iterator
from typing import Annotated, Any, Final

import typer
from examples.connect_four import GAME

import kwartet
from bench import boardgame, engine, footprint, page
from bench.controls import ControlError, check, controls
from bench.equal_time import compare
from bench.machine import load, machine
from kwartet.cli.terminal import AsJson, errors, prepare, print_json, progress

BOTS: Final = ("master", "uct")


def measure(rounds: int, games: int, seconds: float, seed: int) -> dict[str, Any]:
    """Check the controls, then measure; ControlError if a control fails."""
    if GAME.key not in kwartet.GAMES:
        kwartet.register(GAME)
    prepare([GAME], bots=True, envs=True)
    before = load()
    with progress("Controls", 2) as advance:
        found = controls(GAME, seed)
        check(found)
        advance()
        compared = engine.libraries()
        engine.check_replays(compared, seed)
        advance()
    try:
        with progress("Speed", rounds) as advance:
            taken = engine.measure(compared, rounds, advance)
    finally:
        for library in compared:
            library.close()
    with progress("Batches and threads", rounds) as advance:
        grown = engine.scaling(rounds, advance)
    packages = [package for library in compared for package in library.packages]
    here = machine(*packages)
    here["versions"]["boardgame.io"] = boardgame.version()
    return {
        "machine": here,
        "rounds": rounds,
        "load_before": before,
        "controls": [vars(control) for control in found],
        "replayed": engine.GAMES,
        "engine": engine.summary(taken),
        "scaling": grown,
        "footprint": footprint.measure(5),
        "strength": list(_strength(games, seconds, seed)),
        "load_after": load(),
    }


def _strength(games: int, seconds: float, seed: int) -> Iterator[dict[str, Any]]:
    with progress("Games at equal time", games * len(BOTS)) as advance:
        for name in BOTS:
            yield compare(GAME, name, games, seconds, seed, advance)


def main(
    rounds: Annotated[int, typer.Option(min=5, max=1000, help="Of the speed.")] = 7,
    games: Annotated[int, typer.Option(min=2, help="At equal time; an even number.")] = 400,
    seconds: Annotated[float, typer.Option(min=0.001, max=60, help="Of thought a move.")] = 0.02,
    seed: Annotated[int, typer.Option(help="Of openings and playouts.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Compare the engine and the search with other libraries; writes docs/benchmarks.md."""
    if games % 2:
        raise typer.BadParameter("Every opening is played from both sides: an even number.")
    try:
        found = measure(rounds, games, seconds, seed)
    except ControlError as problem:
        errors.print(f"[bold red]control:[/] {problem}", highlight=False)
        raise typer.Exit(1) from problem
    if as_json:
        print_json(found)
        return
    page.write(found)
    print(page.engine_table(found["engine"]))


if __name__ == "__main__":
    typer.run(main)
