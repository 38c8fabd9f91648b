"""`kwartet verify`: whether the luck of recorded matches was honest."""

from dataclasses import asdict
from typing import Annotated

import typer

from kwartet.cli.matches import RecordFile
from kwartet.cli.terminal import AsJson, console, print_json
from kwartet.core.errors import GameError
from kwartet.core.fairness import Noted, verify
from kwartet.games import find


def run(
    file: RecordFile,
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HASH", help="The hash that was told before the match began."),
    ] = None,
    part: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What you added to the shuffle yourself."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="Your seat when you added it, as seats were before the lot."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Recompute the seed of a record, its lot and every draw, roll and lay-out.

    A server tells the SHA-256 of its secret before people add their parts, so that it can choose
    neither afterwards. Who noted it, or their own part, need not believe the record: compare them
    with --commitment and --part.
    """
    from kwartet.core.records import read_records

    noted = Noted(commitment, part, seat)
    dishonest = 0
    told = []
    for line, record in read_records(file):
        try:
            verdict = verify(record, find, noted)
        except GameError as error:
            raise GameError(error.code, f"Line {line}: {error.sentence}") from error
        dishonest += verdict.problem is not None
        told.append({"line": line} | asdict(verdict) | {"claims": verdict.claims()})
        if not as_json:
            first, *others = verdict.claims()
            console.print(f"Line {line}: {first}", highlight=False, markup=False)
            for claim in [*others, f"Commitment: {verdict.commitment}"]:
                console.print(f"  {claim}", highlight=False, markup=False)
    if not told:
        raise GameError("bad-record", "There is no record in that file.")
    if as_json:
        print_json(told)
    if dishonest:
        raise typer.Exit(1)
