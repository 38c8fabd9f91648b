"""`kwartet train`: learn what a search should expect, from its own matches."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from kwartet.cli.pools import RayAddress, Workers, interruptible, open_pool, packages
from kwartet.cli.terminal import (
    GameKey,
    GameOptions,
    console,
    errors,
    prepare,
    progress,
    read_options,
)
from kwartet.core.errors import GameError
from kwartet.core.game import Game
from kwartet.games import find

if TYPE_CHECKING:
    from kwartet.learning.training import Round


def run(
    key: GameKey,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of playing and learning.")] = 3,
    matches: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Of self-play a round.")
    ] = 100,
    simulations: Annotated[int, typer.Option(min=10, help="A move, in self-play.")] = 2000,
    judged: Annotated[int, typer.Option(min=2, help="Matches of the new against the old.")] = 100,
    judging: Annotated[int, typer.Option(min=10, help="Simulations a move, in these.")] = 500,
    seed: Annotated[int, typer.Option(help="The same seed gives the same prior.")] = 0,
    random_moves: Annotated[
        float,
        typer.Option(
            metavar="SHARE", min=0, max=0.99, help="The share of self-play's moves left to chance."
        ),
    ] = 0.0,
    remember: Annotated[
        int, typer.Option(min=1, help="Rounds to learn from, the last one among them.")
    ] = 2,
    patience: Annotated[
        int | None, typer.Option(min=1, help="End after so many rounds in turn without a gain.")
    ] = None,
    dataset: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder of kwartet dataset to learn from, once, without self-play; repeat it "
            "for several."
        ),
    ] = None,
    base: Annotated[
        Path | None,
        typer.Option(
            help="A prior whose weights and values stay where the datasets say nothing of them."
        ),
    ] = None,
    workers: Workers = None,
    ray: RayAddress = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder; training goes on in it. [default: train-GAME-SEED]"),
    ] = None,
    option: GameOptions = None,
) -> None:
    """Learn a prior by self-play, judge it, and keep the better one.

    Where the game sketches positions, values are learned with it and lie beside it. The same
    command goes on after an interruption. Without -o, matches take the options that the game
    lists for practice in turn. The best prior is FOLDER/prior.json; play with it as
    master+FOLDER/prior.json.
    """
    from kwartet.arena.plot import can_draw
    from kwartet.learning.curve import draw
    from kwartet.learning.training import Training, TrainingPlan

    game = find(key)
    folder = out or Path(f"train-{game.key}-{seed}")
    if dataset:
        _study(game, dataset, folder, seed, base)
        return
    if base:
        raise GameError("bad-option", "A base goes with datasets to learn from.")
    practice = [read_options(game, option)] if option else map(game.settle, game.knowledge.practice)
    plan = TrainingPlan(
        game.key,
        list(practice),
        rounds,
        matches,
        simulations,
        judged,
        judging,
        seed,
        random_moves,
        remember,
        patience,
        packages(),
    )
    with Training.open(game, plan, folder) as training, interruptible():
        prepare([game], bots=True)
        with (
            open_pool(ray, workers, game) as pool,
            progress(f"Training {game.title}", training.steps()) as advance,
        ):
            for found in training.run(pool, pool, advance):
                if can_draw():
                    draw(training, folder / "curve.svg")
                errors.print(_sentence(found), highlight=False)
    console.print(_table(training.rounds))
    kept = any(found.kept for found in training.rounds)
    best = f"The best prior is {folder}/prior.json" if kept else "No prior was better than none"
    curve = f"the curve is {folder}/curve.svg" if can_draw() else "a curve needs kwartet[arena]"
    console.print(f"{best}; {curve}.", markup=False, highlight=False)


def _study(game: Game, folders: list[Path], out: Path, seed: int, base: Path | None) -> None:
    """Learn from datasets."""
    from kwartet.learning import load
    from kwartet.learning.studying import keep

    datasets = [load(folder) for folder in folders]
    if others := [each.game.title for each in datasets if each.game.key != game.key]:
        raise GameError("bad-option", f"There are positions of {others[0]}, not of {game.title}.")
    path = keep(datasets, out, seed, base)
    positions = sum(map(len, datasets))
    console.print(f"Learned from {positions:,} positions: {path}.", markup=False, highlight=False)


def _sentence(found: "Round") -> str:
    verdict = "better, kept" if found.kept else "not better, dropped"
    return (
        f"Round {found.number}: {found.score:.1%} ± {found.error:.1%} against the old: {verdict}."
    )


def _table(rounds: list["Round"]) -> Table:
    table = Table()
    for heading in ("Round", "Decisions", "Loss", "Against the old", "Kept"):
        table.add_column(heading, justify="right")
    for found in rounds:
        table.add_row(
            str(found.number),
            str(found.decisions),
            f"{found.losses[-1]:.3f}",
            f"{found.score:.1%} ± {found.error:.1%}",
            "yes" if found.kept else "no",
        )
    return table
