"""The `kwartet` command; one module a subcommand."""

import importlib
import os
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from kwartet.cli import (
    admin,
    arena,
    bench,
    bot,
    dataset,
    db,
    draw,
    film,
    games,
    guide,
    manual,
    perft,
    play,
    replay,
    review,
    serve,
    sheet,
    simulate,
    solve,
    train,
    verify,
    warmup,
    watch,
)
from kwartet.cli.terminal import show_error
from kwartet.core.errors import GameError, quoted
from kwartet.games import register

app = typer.Typer(
    help="Carat, Carnac, the Catan dice game and Kwatro: play them, simulate them, measure them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",  # as markup, what stands in brackets would be gone
    pretty_exceptions_enable=False,
)
MODULES: Final = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        *(play, watch, games, replay, review, sheet, draw, film, verify),
        *(simulate, arena, train, dataset, bot, solve),
        *(serve, perft, bench, warmup, manual),
    )
}
for group, names in guide.COMMANDS.items():
    for name in names:
        if name in MODULES:
            app.command(name, rich_help_panel=group, epilog=guide.epilog(name))(MODULES[name].run)
for name, group_app in (("db", db.app), ("admin", admin.app)):
    guide.give_examples(name, group_app)
    panel = guide.group_of(name)
    app.add_typer(group_app, name=name, rich_help_panel=panel, epilog=guide.epilog(name))


@app.callback()
def prepare(
    extra: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="PACKAGE",
            help="Also know the GAME of this Python package, such as examples.connect_four.",
        ),
    ] = None,
) -> None:
    """Carat, Carnac, the Catan dice game and Kwatro: play them, simulate them, measure them."""
    if extra:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` would
    for package in extra or ():
        try:
            register(importlib.import_module(package).GAME)
        except GameError:
            raise
        except Exception as error:  # whatever foreign code raises when it is imported
            raise GameError(
                "unknown-game", f"{quoted(package)} is no game package: {quoted(str(error))}."
            ) from error


EXTRAS: Final = {  # of the package, and the libraries that each brings along
    "arena": ("matplotlib",),
    "pictures": ("PIL", "resvg_py"),
    "server": (
        "cryptography",
        "httpx",
        "itsdangerous",
        "msgspec",
        "prometheus_client",
        "starlette",
        "structlog",
        "uvicorn",
        "websockets",
    ),
}


def main() -> None:
    """Run the command; bad input ends with a sentence and exit status 2."""
    try:
        app(prog_name="kwartet")
    except GameError as error:
        show_error(error)
        sys.exit(2)
    except ModuleNotFoundError as error:
        library = str(error.name).partition(".")[0]
        for extra, libraries in EXTRAS.items():
            if library in libraries:
                sentence = f"This needs {library}: pip install 'kwartet[{extra}]'."
                show_error(GameError("not-installed", sentence))
                sys.exit(2)
        raise
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, UnicodeError) as error:
        show_error(GameError("bad-file", str(error)))
        sys.exit(2)
