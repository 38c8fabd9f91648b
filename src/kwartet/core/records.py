"""Finished or running matches as text: one JSON object a match, one match a line."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kwartet.core.chance import SEED_BYTES
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game
from kwartet.core.match import RECORD_FORMAT, Match
from kwartet.core.verbs import CHANCE

BROKEN_OFF: Final = ("resigned", "time", "agreed", "dropped")  # how a match ends before its end


def replay(record: Any, find: Callable[[str], Game], ply: int | None = None) -> Match:
    """Rebuild the match of a record, checking every move; GameError names the first bad one.

    With `ply` the match as it stood after so many moves. Then it draws for chance, as it does
    at the end, only if a seat was to act.
    """
    fields = _checked_fields(record)
    game = find(fields["game"])
    seed, version = _seed(fields.get("seed")), fields["rules"]
    match = Match(game, fields["options"], seed=seed, auto_chance=False, version=version)
    for number, move in enumerate(fields["moves"], 1):
        try:
            match.play(move)
        except GameError as error:
            raise GameError(
                "bad-record", f"Move {number}, {quoted(move)}, is bad. {error.sentence}"
            ) from error
    for name, found in (("scores", match.scores()), ("winners", match.winners())):
        told = fields.get(name, found)
        if told != found or any(type(number) is not int for number in told):
            raise GameError(
                "bad-record", f"The record's {name} are {quoted(told)}, its moves give {found}."
            )
    if ply is not None:
        match = _at(match, ply)
    if seed is not None and (ply is None or match.actor != CHANCE):
        match.resume_chance()
    return match


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


def read_records(path: Path) -> Iterator[tuple[int, Any]]:
    """Each line's number and object; GameError names a line that is not JSON."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _parsed(line, f"Line {number} of {quoted(path.name)}")
    except OSError as error:
        raise GameError(
            "bad-record", f"Cannot read {quoted(str(path))}: {error.strerror}."
        ) from error
    except UnicodeDecodeError as error:
        raise GameError("bad-record", f"{quoted(path.name)} is not a text file.") from error


def line_of(record: Mapping[str, Any]) -> str:
    """A record as one line of text, without the line's end."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _parsed(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GameError("bad-record", f"{what} is not JSON: {error}.") from error


def _checked_fields(record: Any) -> dict[str, Any]:
    """The record, if every field has its type."""
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
