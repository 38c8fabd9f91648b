"""`kwartet arena`: bots play each other, many times, and are rated."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from kwartet.cli.pools import INTERRUPTED, RayAddress, Workers, open_pool
from kwartet.cli.terminal import (
    AsJson,
    GameOptions,
    bar,
    check_names,
    console,
    errors,
    prepare,
    prepare_bots,
    print_json,
    read_options,
)
from kwartet.core.errors import GameError, quoted
from kwartet.games import find

if TYPE_CHECKING:
    from kwartet.arena import Mode, Pool, Question, Records, Report, TournamentPlan

GAMES: Final = 100
MOST_GAMES: Final = 20_000  # of a sequential test


class Picture(StrEnum):
    """What the plot is written as."""

    SVG = "svg"
    PNG = "png"


def run(
    key: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="See `kwartet games`. Not needed with --resume --out."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots",
            "-b",
            metavar="A,B,…",
            help="Who plays: novice, casual, skilled, expert, master, random, greedy, uct, or a "
            "class of your own as module:Class, or another program as 'exec:COMMAND'. See "
            "docs/bots.md for budgets and priors.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            min=1,
            help="Matches for each set of opponents, rounded up until everybody has sat "
            f"on every seat equally often. [default: {GAMES}] With --sprt at most so many. "
            f"[default: {MOST_GAMES}]",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="The same seed gives the same matches. [default: 0]"),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="round-robin|ladder",
            help="Everybody against everybody, or only neighbours in the order of --bots. "
            "[default: round-robin]",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="SECONDS",
            min=0.001,
            max=3600,
            help="For a move. A bot that takes longer forfeits. Without it bots are told no "
            "time, and forfeit after a minute.",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Play pairs, the same luck with seats swapped, until it is decided whether the "
            "first of two bots is LOW or HIGH Elo above the second, such as 0,20.",
        ),
    ] = None,
    sprt_errors: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="How often the test may decide for HIGH if LOW is true, and for LOW if HIGH is. "
            "[default: 0.05,0.05]",
        ),
    ] = None,
    workers: Workers = None,
    ray: RayAddress = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for records and results. [default: arena-GAME-SEED]"),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the arena that is in the folder.")
    ] = False,
    plot: Annotated[Picture, typer.Option(help="How the picture is written.")] = Picture.SVG,
    option: GameOptions = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play each other and rate them, or find out which of two is stronger.

    Records of all matches, standings, head-to-head figures and a plot are written to a
    folder. Ctrl-C keeps what is finished; the same command with --resume goes on.
    """
    from kwartet.arena.tournament import check_bots
    from kwartet.bots.catalogue import split_names

    if seconds is not None and not seconds < float("inf"):
        raise GameError("bad-option", "--time is a number of seconds.")
    asked = {
        "bots": None if bots is None else split_names(bots),
        "games": games,
        "seed": seed,
        "mode": None if mode is None else _mode(mode),
        "seconds": seconds,
        "sprt": _question(sprt, sprt_errors),
    }

    path, plan = _asked(key, option, asked, out, resume)
    game = find(plan.game)
    check_names(game, plan.bots)
    prepare([game], bots=True)
    prepare_bots(game, plan.options, plan.bots)
    with open_pool(ray, workers) as pool:
        with errors.status("Loading the bots"):
            check_bots(pool, plan)
        with _records(path, plan, resume) as records:
            finished = _play(pool, records)
            found = _report(records)
            _write(found, records, plot)
    if as_json:
        _print_json(found, path)
    else:
        _print(found, path)
    if not finished:
        errors.print(
            f"Interrupted. Go on with: kwartet arena --resume --out {path}",
            markup=False,
            highlight=False,
        )
        sys.exit(INTERRUPTED)


def _mode(text: str) -> "Mode":
    from kwartet.arena.pairing import Mode

    if text not in list(Mode):
        raise GameError("bad-option", f"--mode is {' or '.join(Mode)}, not {quoted(text)}.")
    return Mode(text)


def _question(elos: str | None, errors: str | None) -> "Question | None":
    from kwartet.arena.sequential import read_question

    if elos is None:
        if errors is not None:
            raise GameError("bad-option", "--sprt-errors belong to --sprt, which is missing.")
        return None
    return read_question(elos, errors)


# What was asked -------------------------------------------------------------------------------


def _asked(
    key: str | None,
    option: list[str] | None,
    asked: dict[str, Any],
    out: Path | None,
    resume: bool,
) -> tuple[Path, "TournamentPlan"]:
    """Where the arena is and its plan: as given, or as stored if it is to go on."""
    from kwartet.arena.pairing import Mode
    from kwartet.arena.plan import TournamentPlan, prior_digests
    from kwartet.arena.records import refuse_taken, stored_plan

    given = {name: value for name, value in asked.items() if value is not None}
    if resume and out is not None and key is None:
        stored = stored_plan(out)
        _check_same(stored, given, option)
        return out, stored
    if key is None:
        raise GameError("bad-option", "Say which game, such as carnac; see `kwartet games`.")
    game = find(key)
    path = out or Path(f"arena-{game.key}-{given.get('seed', 0)}")
    if resume:
        stored = stored_plan(path)
        _check_same(stored, given | {"game": game.key}, option)
        return path, stored
    if "bots" not in given:
        raise GameError("bad-option", "Say who plays, such as --bots random,greedy.")
    most = MOST_GAMES if "sprt" in given else GAMES
    chosen: dict[str, Any] = {"games": most, "seed": 0, "mode": Mode.ROUND_ROBIN, "seconds": None}
    options = read_options(game, option)
    plan = TournamentPlan(game=game.key, rules=game.version, options=options, **chosen | given)
    plan.fixtures()
    refuse_taken(path)
    return path, replace(plan, priors=prior_digests(plan.bots))


def _check_same(stored: "TournamentPlan", given: dict[str, Any], option: list[str] | None) -> None:
    """GameError if something else was asked of the stored arena."""
    if option is not None:
        given = given | {"options": read_options(find(stored.game), option)}
    for name, value in given.items():
        if value != (before := getattr(stored, name)):
            raise GameError(
                "bad-option",
                f"The arena in the folder has {name} {_text(before)}, not {_text(value)}; "
                "go on without that, or start another with another --out.",
            )


def _text(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


# Playing --------------------------------------------------------------------------------------


def _records(path: Path, plan: "TournamentPlan", resume: bool) -> "Records":
    from kwartet.arena.records import Records

    return Records.resume(path) if resume else Records.create(path, plan)


def _play(pool: "Pool", records: "Records") -> bool:
    """Play what is missing, writing down each result; False if it was interrupted."""
    from kwartet.arena.tournament import compete

    try:
        with _screen(records) as show:
            for _ in compete(pool, records):
                show()
    except KeyboardInterrupt:
        return False
    return True


def _report(records: "Records") -> "Report":
    from kwartet.arena.report import report

    return report(records.plan, records.in_order(), len(records.fixtures))


def _write(found: "Report", records: "Records", plot: Picture) -> None:
    from kwartet.arena.report import write

    if found.played:
        write(found, records, f"plot.{plot}")


@contextmanager
def _screen(records: "Records") -> Iterator[Callable[[], None]]:
    """Tables and a bar on standard error while matches are played; yields what updates them."""
    if not errors.is_terminal:
        yield lambda: None
        return
    from rich.console import Group
    from rich.live import Live

    from kwartet.cli.standings import tables

    bars = bar()
    title = find(records.plan.game).title
    task = bars.add_task(f"Playing {title}", total=len(records.fixtures))
    bars.update(task, completed=len(records.results))
    due = 0.0

    def show() -> None:
        """Rating takes longer the more there is, so it is done less often then."""
        nonlocal due
        bars.update(task, completed=len(records.results))
        began = time.monotonic()
        if began >= due:
            live.update(Group(tables(_report(records)), bars))
            due = time.monotonic() + max(0.5, 10 * (time.monotonic() - began))

    with Live(bars, console=errors, transient=True, refresh_per_second=5) as live:
        yield show


# Telling --------------------------------------------------------------------------------------


def _print_json(found: "Report", path: Path) -> None:
    from kwartet.arena.report import as_json

    print_json(as_json(found) | {"folder": str(path)})


def _print(found: "Report", path: Path) -> None:
    from kwartet.arena.plot import can_draw
    from kwartet.cli.standings import tables

    if not found.played:
        console.print("No match was finished.")
        return
    console.print(tables(found))
    most = f"at most {found.scheduled}" if found.verdict else str(found.scheduled)
    played = f"{found.played} of {most} matches"
    told = (
        f"{played}; records, results and plot in {path}."
        if can_draw()
        else f"{played}; records and results in {path}. "
        "A plot needs matplotlib: pip install 'kwartet[arena]'."
    )
    console.print(told, markup=False, highlight=False)
