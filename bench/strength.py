"""`python -m bench.strength`: the present master against another version's, in every game.

    python -m bench.strength --against kwartet-0.1.0-py3-none-any.whl
    python -m bench.strength --against "/opt/kwartet-0.1/bin/kwartet" --games carnac --pairs 100

Both are processes that speak the line protocol, with one thread and the same time a move, so
that nothing but the version differs. Every table is a sequential test of its own in a folder of
its own; the same command goes on. Where more than two play, a second table tells every seat by
itself: what a seat wins when the present master has it, and when the other version does. What is
printed is Markdown for docs/strength.md.
"""

import shlex
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Annotated, Any, Final

import typer

from kwartet.arena.folder import SETUP
from kwartet.arena.pairing import Mode, pair_size
from kwartet.arena.plan import TournamentPlan
from kwartet.arena.pool import Pool
from kwartet.arena.records import Records
from kwartet.arena.report import Report, report, write
from kwartet.arena.results import Result
from kwartet.arena.sequential import Question, Verdict, read_question
from kwartet.arena.tournament import check_bots, compete
from kwartet.cli.pools import INTERRUPTED, Workers, open_pool
from kwartet.cli.terminal import errors, option_text, prepare, show_error
from kwartet.core.errors import GameError, quoted
from kwartet.games import find

TABLES: Final[dict[str, list[dict[str, Any]]]] = {
    "carat": [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 2, "hand": 3}],
    "carnac": [
        {"board": board, "final_tilt": tilt}
        for tilt in (False, True)
        for board in ("small", "medium", "large")
    ],
    "catan_dice": [{"players": players} for players in (1, 2, 3, 4)],
    "kwatro": [{"players": players} for players in (2, 3, 4)],
}
HEAD: Final = (
    "| master against {other}, {seconds:g} s a move | pairs | share | points | Elo, 95 % "
    "| LLR for {low:g}, {high:g} | decided |\n"
    "|---|--:|--:|--:|--:|--:|---|"
)
SEATS_HEAD: Final = (
    "\n| wins of a seat: new, old | matches | first seat | second | third | fourth |\n"
    "|---|--:|--:|--:|--:|--:|"
)


def main(
    against: Annotated[
        str,
        typer.Option(
            metavar="COMMAND|WHEEL",
            envvar="KWARTET_AGAINST",
            help="The other version: its `kwartet` command, or a wheel to be installed.",
        ),
    ],
    games: Annotated[str, typer.Option(help="Which, with commas between.")] = ",".join(TABLES),
    pairs: Annotated[int, typer.Option(min=1, help="For each table at most.")] = 200,
    seconds: Annotated[
        float, typer.Option("--time", min=0.001, max=3600, help="For a move.")
    ] = 0.1,
    sprt: Annotated[str, typer.Option(help="Elo between which each test decides.")] = "-20,20",
    seed: Annotated[int, typer.Option(help="Of the luck.")] = 0,
    workers: Workers = None,
    out: Annotated[Path, typer.Option(help="Where it is kept.")] = Path("strength"),
) -> None:
    """Play the present master against another version's; print a table."""
    try:
        question = read_question(sprt)
        command = _command(against, out)
        plans = list(_plans(games, command, pairs, seconds, question, seed))
        other = Path(shlex.split(against)[0]).name
        head = HEAD.format(other=other, seconds=seconds, low=question.low, high=question.high)
        print(head, flush=True)
        among_several: list[str] = []
        with open_pool(None, workers) as pool:
            for title, folder, plan in plans:
                found, results = _measure(pool, out / folder, plan)
                print(_row(title, found), flush=True)
                if find(plan.game).seats(plan.options) > 2:
                    among_several.append(_seats_row(title, plan.bots[0], results))
        if among_several:
            print("\n".join((SEATS_HEAD, *among_several)), flush=True)
    except GameError as error:
        show_error(error)
        raise typer.Exit(2) from error
    except KeyboardInterrupt:
        errors.print("Interrupted; the same command goes on.")
        raise typer.Exit(INTERRUPTED) from None


def _command(against: str, out: Path) -> str:
    """The other version's command; a wheel is installed beside the results, once."""
    if not against.endswith(".whl"):
        return against
    wheel = Path(against)
    if not wheel.is_file():
        raise GameError("bad-file", f"There is no wheel {quoted(against)}.")
    home = out / wheel.stem
    command = home / "bin" / "kwartet"
    if not command.exists():
        with errors.status(f"Installing {wheel.name}"):
            venv.create(home, with_pip=True)
            pip = [str(home / "bin" / "python"), "-m", "pip", "install", "-q", str(wheel)]
            ended = subprocess.run(pip, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise GameError("bad-file", f"{wheel.name} does not install: {_last(ended.stderr)}.")
    return shlex.quote(str(command.absolute()))


def _last(text: str) -> str:
    return quoted((text.strip().splitlines() or ["no reason given"])[-1], 200)


def _plans(
    games: str, command: str, pairs: int, seconds: float, question: Question, seed: int
) -> Iterator[tuple[str, str, TournamentPlan]]:
    """Each table's title, folder and test."""
    for key in games.split(","):
        if key not in TABLES:
            raise GameError("unknown-game", f"{quoted(key)} is not among {', '.join(TABLES)}.")
        game = find(key)
        present = f"{shlex.quote(sys.executable)} -m kwartet.cli"
        bots = [
            f"exec:{program} bot {key} --level master --threads 1" for program in (present, command)
        ]
        for chosen in TABLES[key]:
            options = game.settle(chosen)
            size = 1 if game.seats(options) == 1 else pair_size(game.seats(options))
            yield (
                f"{game.title}, {option_text(chosen)}",
                "-".join([key, *option_text(chosen).split()]),
                TournamentPlan(
                    key,
                    game.version,
                    options,
                    bots,
                    pairs * size,
                    seed,
                    Mode.ROUND_ROBIN,
                    seconds,
                    sprt=question,
                ),
            )


def _measure(pool: Pool, path: Path, plan: TournamentPlan) -> tuple[Report, list[Result]]:
    """Begin a table's test or go on with it; GameError if another was begun there."""
    game = find(plan.game)
    prepare([game], bots=True)
    begun = (path / SETUP).exists()
    with Records.resume(path) if begun else Records.create(path, plan) as records:
        if records.plan != plan:
            raise GameError(
                "bad-option",
                f"Something else was begun in {quoted(str(path))}; name another --out.",
            )
        if records.missing():
            with errors.status(path.name):
                check_bots(pool, plan)
                for _ in compete(pool, records):
                    pass
        results = records.in_order()
        found = report(plan, results, len(records.fixtures))
        write(found, records, "plot.svg")
        return found, results


def _row(title: str, found: Report) -> str:
    """A line of the table."""
    verdict = found.verdict
    assert verdict is not None
    mean, error = verdict.share
    share = f"{mean:.1%}" + ("" if error is None else f" ± {100 * error:.1f}")
    forfeits = f"; forfeits: {len(found.forfeits)}" if found.forfeits else ""
    cells = [
        title,
        f"{verdict.pairs}",
        share,
        _points(found),
        _elo(verdict),
        f"{verdict.llr_low:.2f}, {verdict.llr_high:.2f}",
        f"{_outcome(verdict)}{forfeits}",
    ]
    return f"| {' | '.join(cells)} |".replace("-", "−")


def _points(found: Report) -> str:
    """By how many points the present version is ahead."""
    meeting = found.meetings[0]
    if meeting.margin is None:
        return ""
    error = "" if meeting.margin_error is None else f" ± {meeting.margin_error:.1f}"
    return f"{meeting.margin:+.1f}{error}"


def _elo(verdict: Verdict) -> str:
    elo, low, high = verdict.elo
    interval = "" if low is None or high is None else f" ({low:+.0f} to {high:+.0f})"
    return "" if elo is None else f"{elo:+.0f}{interval}"


def _outcome(verdict: Verdict) -> str:
    """What is said of the present version."""
    if not verdict.decided:
        return "not yet"
    question = verdict.question
    return f"above {question.low:g}" if verdict.is_high else f"below {question.high:g}"


def _seats_row(title: str, present: str, results: list[Result]) -> str:
    """A line of the table of seats; every order round the table has been played as often."""
    cells = [title, f"{len(results)}"]
    for seat in range(4):
        wins: dict[bool, list[float]] = {True: [], False: []}
        for result in results:
            if seat < len(result.fixture.bots):
                won = (seat in result.winners) / len(result.winners or [0])
                wins[result.fixture.bots[seat] == present].append(won)
        cells.append(", ".join(f"{mean(each):.0%}" for each in wins.values() if each))
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    typer.run(main)
