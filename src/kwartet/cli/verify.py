"""`kwartet verify`: whether the luck of recorded matches was honest."""

from pathlib import Path
from typing import Annotated

import typer

from kwartet.cli.terminal import AsJson, console, print_json
from kwartet.core.errors import GameError
from kwartet.games import find


def run(
    file: Annotated[Path, typer.Argument(help="A record, or many, one JSON object a line.")],
    as_json: AsJson = False,
) -> None:
    """Recompute every draw, roll and lay-out of a record from its seed.

    The seed's hash was told before the match, so nobody can have chosen the seed afterwards.
    """
    from kwartet.core.fairness import verify
    from kwartet.core.records import read_records

    verdicts = []
    for line, record in read_records(file):
        try:
            verdicts.append((line, verify(record, find)))
        except GameError as error:
            raise GameError(error.code, f"Line {line}: {error.sentence}") from error
    if not verdicts:
        raise GameError("bad-record", "There is no record in that file.")
    if as_json:
        print_json(
            [
                {"line": line, "draws": v.draws, "promised": v.promised, "problem": v.problem}
                for line, v in verdicts
            ]
        )
    else:
        for line, verdict in verdicts:
            if verdict.problem:
                console.print(f"Line {line}: {verdict.problem}", markup=False, highlight=False)
        honest = [verdict for _, verdict in verdicts if not verdict.problem]
        draws = sum(verdict.draws for verdict in honest)
        promised = sum(verdict.promised for verdict in honest)
        console.print(
            f"{len(honest)} of {len(verdicts)} honest: all {draws} draws follow from the seeds, "
            f"{promised} of which were promised by their hash.",
            highlight=False,
        )
    if any(verdict.problem for _, verdict in verdicts):
        raise typer.Exit(1)
