"""`kwartet verify`: whether the luck of recorded matches was honest."""

from dataclasses import asdict
from typing import Annotated

import typer

from kwartet.cli.matches import RecordFile
from kwartet.cli.terminal import AsJson, console, print_json
from kwartet.core.errors import GameError
from kwartet.core.fairness import Verdict, verify
from kwartet.games import find


def run(
    file: RecordFile,
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HASH", help="The hash that was told before the match began."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Recompute every draw, roll, lay-out and lot of a record from its seed.

    The seed's SHA-256 is told before a match, so that nobody can choose the seed afterwards:
    compare it with the one printed here, or give it with --commitment.
    """
    from kwartet.core.records import read_records

    dishonest = 0
    told = []
    for line, record in read_records(file):
        try:
            verdict = verify(record, find, commitment)
        except GameError as error:
            raise GameError(error.code, f"Line {line}: {error.sentence}") from error
        dishonest += verdict.problem is not None
        told.append({"line": line} | asdict(verdict))
        if not as_json:
            honest = _honest(verdict)
            console.print(f"Line {line}: {verdict.problem or honest}", highlight=False)
            console.print(f"  SHA-256 of the seed: {verdict.commitment}", highlight=False)
    if not told:
        raise GameError("bad-record", "There is no record in that file.")
    if as_json:
        print_json(told)
    if dishonest:
        raise typer.Exit(1)


def _honest(verdict: Verdict) -> str:
    """What has been found out, and no more than that."""
    if verdict.since == 0:
        return f"Honest: all {verdict.draws} draws follow from the seed."
    return (
        f"Honest from ply {verdict.since} on: {verdict.draws} draws follow from the seed. "
        "What was before is another match's, which has a record of its own."
    )
