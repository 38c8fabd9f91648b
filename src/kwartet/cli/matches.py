"""Recorded matches as commands are given them: a file, and which match of it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from kwartet.core.errors import GameError, quoted

RecordFile = Annotated[
    Path, typer.Argument(help="Records, one JSON object a line, or sheets (docs/records.md).")
]
MatchNumber = Annotated[
    int, typer.Option("--match", metavar="N", min=1, help="Which match of the file.")
]


def read_match(file: Path, number: int) -> Any:
    """The record of this number in a file, unchecked; GameError if there is none."""
    from kwartet.core.records import read_records

    for count, (_, record) in enumerate(read_records(file), 1):
        if count == number:
            return record
    raise GameError("bad-record", f"There is no match {number} in {quoted(file.name)}.")
