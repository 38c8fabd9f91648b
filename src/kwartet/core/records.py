"""Finished or running matches as text: one JSON object a match, one match a line; or sheets.

Both forms are described in docs/records.md.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

from kwartet.core import strict_json
from kwartet.core.chance import SEED_BYTES
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game
from kwartet.core.match import RECORD_FORMAT, Match
from kwartet.core.sheet_reading import is_sheet, read_sheet, split_sheets
from kwartet.core.sheets import LARGEST
from kwartet.core.verbs import CHANCE

BROKEN_OFF: Final = ("resigned", "time", "agreed", "dropped")  # how a match ends before its end


def replay(record: Any, find: Callable[[str], Game], ply: int | None = None) -> Match:
    """Rebuild the match of a record, checking every move; GameError names the first bad one.

    With `ply` the match as it stood after so many moves. Then it draws for chance, as it does
    at the end, only if a seat was to act.
    """
    fields = checked_fields(record)
    match = begun(fields, find)
    for number, move in enumerate(fields["moves"], 1):
        try:
            match.play(move)
        except GameError as error:
            raise GameError(
                "bad-record", f"Move {number}, {quoted(move)}, is bad. {error.sentence}"
            ) from error
    check_end(fields, match)
    if ply is not None:
        match = _at(match, ply)
    if fields.get("seed") is not None and (ply is None or match.actor != CHANCE):
        match.resume_chance()
    return match


def begun(fields: Mapping[str, Any], find: Callable[[str], Game]) -> Match:
    """The match of a record, whose fields were checked, before its first move."""
    game, seed = find(fields["game"]), _seed(fields.get("seed"))
    return Match(game, fields["options"], seed=seed, auto_chance=False, version=fields["rules"])


def check_end(fields: Mapping[str, Any], match: Match) -> None:
    """GameError if the record tells another end than its moves, which have been played."""
    for name, found in (("scores", match.scores()), ("winners", match.winners())):
        told = fields.get(name, found)
        if told != found or any(type(number) is not int for number in told):
            raise GameError(
                "bad-record", f"The record's {name} are {quoted(told)}, its moves give {found}."
            )


def is_ended(record: Any) -> bool:
    """Whether the record says that its match was broken off: resigned, out of time, agreed."""
    result = record.get("result") if isinstance(record, dict) else None
    return isinstance(result, dict) and result.get("reason") in BROKEN_OFF


def _at(match: Match, ply: int) -> Match:
    if type(ply) is not int or not 0 <= ply <= match.ply:
        raise GameError(
            "unknown-ply", f"There is no ply {quoted(ply)}; the record has 0 to {match.ply}."
        )
    earlier = match.beginning()
    earlier.follow(match.moves[:ply])
    return earlier


def actors_of(match: Match) -> list[int | None]:
    """By ply, the seat that moved; None is chance."""
    again = match.beginning()
    actors = []
    for move in match.moves:
        actors.append(None if again.actor == CHANCE else again.actor)
        again.follow([move])
    return actors


def read_record(text: str) -> Any:
    """The record that a text is, as JSON or as a sheet; GameError if it is neither."""
    if is_sheet(text):
        return read_sheet(text)
    return strict_json.parse(text.removeprefix("\ufeff"), "This")


def read_records(path: Path) -> Iterator[tuple[int, Any]]:
    """Each record of a file and the line where it begins: JSON, one object a line, or sheets.

    GameError names a line that is neither. No more is read at once than one record may be long.
    """
    try:
        with path.open("rb") as file:
            lines = (
                _decoded(line, path) for line in iter(partial(file.readline, LARGEST + 1), b"")
            )
            skipped, begin = 0, next(lines, "")
            while begin and not begin.strip():
                skipped, begin = skipped + 1, next(lines, "")
            if begin.strip() == "{":  # set out for people to read
                yield skipped + 1, strict_json.parse(_whole(begin, file, path), quoted(path.name))
            elif begin.lstrip().lower().startswith(("kwartet", "#")):
                yield from _sheets(_whole(begin, file, path), skipped, path)
            else:
                yield from _lines(chain([begin], lines), skipped, path)
    except OSError as error:
        raise GameError(
            "bad-record", f"Cannot read {quoted(str(path))}: {error.strerror}."
        ) from error
    except UnicodeDecodeError as error:
        raise GameError("bad-record", f"{quoted(path.name)} is not a text file.") from error


def line_of(record: Mapping[str, Any]) -> str:
    """A record as one line of text, without the line's end."""
    return strict_json.write(record)


def _sheets(text: str, skipped: int, path: Path) -> Iterator[tuple[int, Any]]:
    for number, sheet in split_sheets(text):
        try:
            yield skipped + number, read_sheet(sheet)
        except GameError as error:
            where = f"The sheet from line {skipped + number} of {quoted(path.name)} on"
            raise GameError(error.code, f"{where}: {error.sentence}") from None


def _lines(lines: Iterable[str], skipped: int, path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(lines, skipped + 1):
        if line.strip():
            yield number, strict_json.parse(line, f"Line {number} of {quoted(path.name)}")


def _whole(begin: str, file: BinaryIO, path: Path) -> str:
    """All that is in a file, of which this was read."""
    return begin + _decoded(file.read(LARGEST + 1), path)


def _decoded(data: bytes, path: Path) -> str:
    if len(data) > LARGEST:
        raise GameError("too-large", f"{quoted(path.name)} has more than a record can be long.")
    return data.decode("utf-8-sig")


def checked_fields(record: Any) -> dict[str, Any]:
    """The record, if every field that a match needs has its type; GameError if not."""
    if not isinstance(record, dict):
        raise GameError("bad-record", "A record is a JSON object with the fields of a match.")
    if type(record.get("kwartet")) is not int or record["kwartet"] != RECORD_FORMAT:
        raise GameError(
            "bad-record", f'Not a record this program knows: it has no "kwartet": {RECORD_FORMAT}.'
        )
    kinds = {"game": str, "rules": int, "options": dict, "moves": list}
    for name, kind in kinds.items():
        if type(record.get(name)) is not kind:
            raise GameError(
                "bad-record", f"The record's {name!r} is missing or not a {kind.__name__}."
            )
    if not all(isinstance(move, str) for move in record["moves"]):
        raise GameError("bad-record", "The record's 'moves' are not all strings.")
    return record


def _seed(text: Any) -> bytes | None:
    if text is None:
        return None
    try:
        seed = bytes.fromhex(text)
    except (TypeError, ValueError):
        seed = b""
    if len(seed) != SEED_BYTES:
        raise GameError(
            "bad-record", f"The record's 'seed' is not {SEED_BYTES} bytes in hexadecimal."
        )
    return seed
