"""`kwartet replay`: check every move of every record in a file."""

import kwartet
from kwartet.cli.matches import RecordFile
from kwartet.cli.terminal import AsJson, console, prepare, print_json, progress
from kwartet.core.errors import GameError, quoted
from kwartet.games import GAMES


def run(file: RecordFile, as_json: AsJson = False) -> None:
    """Replay records and name the first move that is not legal."""
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
