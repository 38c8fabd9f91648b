"""`kwartet sheet`: a recorded match as a text for people, which is read back exactly."""

import sys
from typing import Annotated

import typer

from kwartet.cli.matches import MatchNumber, RecordFile, read_match
from kwartet.cli.terminal import prepare
from kwartet.games import GAMES, find


def run(
    file: RecordFile,
    number: MatchNumber = 1,
    language: Annotated[
        str, typer.Option(metavar="en|nl|de|fr", help="In which language the labels are.")
    ] = "en",
) -> None:
    """Print a match as a sheet: who played, every turn on a line, and how it ended.

    Every command that reads records reads sheets, too, in each of the languages.
    """
    from kwartet.core.sheets import write_sheet

    record = read_match(file, number)
    key = record.get("game") if isinstance(record, dict) else None
    prepare([game for name, game in GAMES.items() if name == key])
    sys.stdout.write(write_sheet(record, find, language))
