"""What the commands share: consoles, a game's options, progress, JSON."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from kwartet.cli import completing
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game, option_value
from kwartet.games import find

console = Console(soft_wrap=True)
errors = Console(stderr=True, soft_wrap=True)
_moving = [True]  # whether anything may move on the screen

GameKey = Annotated[
    str,
    typer.Argument(metavar="GAME", help="See `kwartet games`.", autocompletion=completing.games),
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game, such as board=small or colours=RB,YG. Repeatable.",
        autocompletion=completing.options,
    ),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="sqlite:///path/to/kwartet.db or postgresql://…; else $KWARTET_DATABASE, "
        "else kwartet.db in the data folder.",
    ),
]
DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="The data folder; else $KWARTET_DATA, else the user's own."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs to read.")]


def read_options(game: Game, texts: list[str] | None) -> dict[str, Any]:
    """The options of `-o name=value`; GameError on a bad one."""
    known = {option.name: option for option in game.options}
    chosen: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise GameError("bad-option", f"Write an option as name=value, not {quoted(text)}.")
        chosen[name] = known[name].read(value) if name in known else value
    return game.settle(chosen)


def option_text(options: dict[str, Any]) -> str:
    """Options as one would type them."""
    return " ".join(f"{name}={option_value(value)}" for name, value in options.items())


def show_error(error: GameError) -> None:
    """The code for programs and the sentence for people, on standard error."""
    errors.print(f"[bold red]{error.code}:[/] ", end="")
    errors.print(error.sentence, markup=False, highlight=False)


def print_json(data: Any) -> None:
    """Data on standard output, for a program to read."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


def bar(**settings: Any) -> Progress:
    """A bar as all commands show it, with what is done and how long it takes."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(TextColumn("{task.description}"), *columns, **settings)


def keep_still() -> None:
    """From now on show no bars, for those to whom the screen is read aloud."""
    _moving[0] = False


@contextmanager
def progress(what: str, total: float | None) -> Iterator[Any]:
    """A bar on standard error; yields a function that advances it, by 1 or as much as told."""
    hidden = not (errors.is_terminal and _moving[0])
    with bar(console=errors, transient=True, disable=hidden) as bars:
        task = bars.add_task(what, total=total)
        yield lambda amount=1: bars.advance(task, amount)


def prepare(
    games: Iterable[Game], *, bots: bool = False, envs: bool = False, reviews: bool = False
) -> None:
    """Compile what these games need, showing progress; nothing to do if that was done before.

    With `bots`, `envs` and `reviews`, also what their bots, batches and reviews need.
    """
    from kwartet.bots import warmup

    others = {"bots": bots, "greed": bots, "engine": True, "envs": envs, "reviews": reviews}
    jobs = warmup.cold(games, ("match", *(layer for layer, asked in others.items() if asked)))
    if jobs:
        with progress("Compiling the rules, once", len(jobs)) as advance:
            warmup.prepare(jobs, lambda _: advance())


def check_names(game: Game, names: Iterable[str]) -> None:
    """GameError at once if a bot of Kwartet is not known; others may come from this folder."""
    from kwartet.bots.catalogue import create, is_foreign

    for name in names:
        if not is_foreign(name):
            create(name, game)
        elif str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))  # as `python -m` would


def prepare_bots(game: Game, options: dict[str, Any], names: Iterable[str]) -> None:
    """Compute what these bots look up, showing progress, unless it is stored."""
    from kwartet.bots.bot import turn_of
    from kwartet.bots.catalogue import recalls
    from kwartet.bots.exact import Exact
    from kwartet.core.match import Match

    if not any(recalls(name, game) for name in names):
        return
    if game.solved().find(options) is None:
        compute_solution(game, options)
    with errors.status("Loading the solution"):
        Exact(game).choose(turn_of(Match(game, options, seed=0)))


def compute_solution(game: Game, options: dict[str, Any], **how: Any) -> Any:
    """Solve the game, showing progress; `how` goes to its `compute`."""
    turns = {name: value for name, value in how.items() if name == "turns"}
    with progress(f"Solving {game.title}, once", game.solved().steps(**turns)) as advance:
        return game.solved().compute(options, **how, advance=advance)


def find_game(key: str, texts: list[str] | None) -> tuple[Game, dict[str, Any]]:
    """The game and its options as given on the command line."""
    game = find(key)
    return game, read_options(game, texts)
