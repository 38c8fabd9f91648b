"""`kwartet replay`: step through a recorded match, or check every move of every record."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import kwartet
from kwartet.cli.matches import MatchNumber, read_match
from kwartet.cli.play import Plain, Token
from kwartet.cli.terminal import AsJson, console, keep_still, prepare, print_json, progress
from kwartet.core.errors import GameError, quoted
from kwartet.games import GAMES, find

if TYPE_CHECKING:
    from kwartet.core.match import Match
    from kwartet.reviews import Review


def run(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|LINK",
            help="Records, one JSON object a line, or sheets (docs/records.md); or the link of "
            "a server's table whose match is over.",
        ),
    ],
    number: MatchNumber = 1,
    check: Annotated[
        bool, typer.Option("--check", help="Check all records instead of stepping through one.")
    ] = False,
    reviewed: Annotated[
        bool, typer.Option("--review", help="Review the match first, to see it beside the moves.")
    ] = False,
    plain: Plain = False,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Step through a match in a terminal; else replay all records and name the first bad move."""
    if plain:
        keep_still()
    if "://" in file:
        _step(_fetched(file, token), reviewed=reviewed, plain=plain)
    elif check or as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _check(Path(file), as_json)
    else:
        _step(read_match(Path(file), number), reviewed=reviewed, plain=plain)


def _fetched(link: str, token: str | None) -> dict[str, Any]:
    from kwartet.cli.playing.lines import fetch_record
    from kwartet.cli.playing.links import read_link

    return fetch_record(read_link(link), token)


def _step(record: Any, *, reviewed: bool, plain: bool) -> None:
    from kwartet.cli.draw import names_in
    from kwartet.cli.playing.stepping import Stepper

    key = record.get("game") if isinstance(record, dict) else None
    if isinstance(key, str):
        prepare([find(key)])
    match = kwartet.replay(record)
    told = names_in(record)[: match.seats]
    names = [
        told[seat] if seat < len(told) and told[seat] else f"Player {seat + 1}"
        for seat in range(match.seats)
    ]
    ended = _ended(match, names, record)
    stepper = Stepper(match, names, lambda: _review(match, record), plain=plain, ended=ended)
    stepper.run(reviewed=reviewed)


def _ended(match: "Match", names: list[str], record: Any) -> str:
    """How it did, if it did: as the record says where it was broken off, else by its moves."""
    from kwartet.cli.playing.words import ending
    from kwartet.core.records import is_ended

    if not is_ended(record):
        over = match.actor is None
        return ending(names, "played", match.scores(), match.winners(), ()) if over else ""
    told = record["result"]
    winners = told.get("winners") if isinstance(told.get("winners"), list) else []
    gone = [name for seat, name in enumerate(names) if seat not in winners]
    return ending(names, told["reason"], match.scores(), winners, gone)


def _review(match: "Match", record: Any) -> "Review":
    """As `kwartet review` makes it, and keeps it."""
    from kwartet.cli.review import make
    from kwartet.core.records import is_ended
    from kwartet.reviews.work import plan_review

    prepare([match.game], reviews=True)
    work = plan_review(match, "expert", None, "normal", 0, ended=is_ended(record))
    return make(work, "expert")


def _check(file: Path, as_json: bool) -> None:
    from kwartet.core.records import read_records

    matches, moves = 0, 0
    records = list(read_records(file))
    keys = [record.get("game") for _, record in records if isinstance(record, dict)]
    prepare(game for key, game in GAMES.items() if key in keys)
    with progress("Replaying", len(records)) as advance:
        for number, record in records:
            try:
                moves += kwartet.replay(record).ply
            except GameError as error:
                raise GameError(error.code, f"Line {number}: {error.sentence}") from error
            matches += 1
            advance()
    if as_json:
        print_json({"file": str(file), "matches": matches, "moves": moves})
    else:
        summary = f"{quoted(file.name)}: {matches} matches, {moves} moves, all legal."
        console.print(summary, markup=False)
