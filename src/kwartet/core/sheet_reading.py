"""Sheets read back to records, and moves as people type them.

Nothing here knows rules: a sheet is a form (docs/records.md). Labels are understood in every
language. Whoever wrote the text may have written anything, so every step is linear in its length.
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Final
from unicodedata import normalize

from kwartet.core import strict_json
from kwartet.core.errors import GameError, quoted
from kwartet.core.sheets import DIGITS, LABELS, LARGEST, NAME, WORD

_FIELDS: Final = {label.casefold(): name for name, labels in LABELS.items() for label in labels}
_SIGNATURE: Final = re.compile(r"\s*kwartet\s+([0-9]{1,3})\s*(?:#.*)?", re.IGNORECASE)
_COMMENT: Final = re.compile(r"(?:^|\s)#")
_TURN: Final = re.compile(r"[0-9]{1,6}[.)](?:[^:;\"]*:)?(.*)")
_PART: Final = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"(?=\s*(?:;|$))|[^;]*)(?:;|$)")
_WORDS: Final = re.compile(rf"{WORD}(?:,{WORD})*(?=\s|$)")
_NAME: Final = re.compile(rf"\s*({NAME})=")
_WHOLE: Final = re.compile(rf"-?[0-9]{{1,{DIGITS}}}")
_BETWEEN: Final = re.compile(r";|(?<![0-9]),|,(?!-?[0-9])|(?:^|(?<=\s))[0-9]{1,4}[.)](?=\s|$)")
_SECONDS: Final = re.compile(r"\((-?[0-9][0-9.eE+-]{0,40})\)$")


def is_sheet(text: str) -> bool:
    """Whether this is meant to be a sheet: its first line that says something is the signature."""
    lines = text.removeprefix("\ufeff").splitlines()
    first = next((line for line in lines if _uncommented(line)), "")
    return _SIGNATURE.fullmatch(first) is not None


def split_sheets(text: str) -> Iterator[tuple[int, str]]:
    """Each sheet of a text with several, and the number of the line where it begins."""
    begun = 1
    lines: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if _SIGNATURE.fullmatch(line):
            if any(map(_uncommented, lines)):
                yield begun, "\n".join(lines)
            begun, lines = number, []
        lines.append(line)
    yield begun, "\n".join(lines)


def read_sheet(text: str) -> dict[str, Any]:
    """The record that a sheet tells; GameError names the line that cannot be read.

    Whether the moves can be played is not looked at.
    """
    if len(text) > LARGEST:
        raise GameError("too-large", f"A sheet has at most {LARGEST} letters.")
    if not is_sheet(text):
        raise GameError("bad-record", "A sheet begins with the line 'Kwartet 1'.")
    record: dict[str, Any] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if line := _uncommented(line):
            try:
                _read_line(record, line)
            except GameError as error:
                raise GameError(error.code, f"Line {number}: {error.sentence}") from None
    more = record.pop("more", {})
    if twice := sorted(more.keys() & record.keys()):
        raise GameError("bad-record", f"The sheet tells {quoted(twice[0])} twice.")
    return record | more


def _read_line(record: dict[str, Any], line: str) -> None:
    """Add to the record what a line says."""
    if not record and (signature := _SIGNATURE.fullmatch(line)):
        record["kwartet"] = int(signature[1])
        return
    label, colon, rest = line.partition(":")
    name = _FIELDS.get(normalize("NFC", label.strip()).casefold()) if colon else None
    if turn := _TURN.fullmatch(line):
        record.setdefault("moves", []).extend(_parts(turn[1]))
    elif name is None and "moves" in record:
        record["moves"].extend(_parts(line))
    elif name is None:
        raise GameError("bad-record", f"{quoted(line)} says nothing that a sheet can say.")
    elif name in record:
        raise GameError("bad-record", f"{quoted(label)} was told before.")
    else:
        record[name] = _READ.get(name, _text)(rest.strip())


def split_moves(text: str) -> list[str]:
    """Moves that were typed one after the other, with or without numbers before them.

    They stand on lines of their own, or between semicolons or commas; a comma between two
    digits belongs to the move.
    """
    lines = map(_uncommented, text.removeprefix("\ufeff").splitlines())
    found = (part.strip() for line in lines for part in _BETWEEN.split(line))
    return [part for part in found if part]


def _uncommented(line: str) -> str:
    comment = _COMMENT.search(line)
    return (line[: comment.start()] if comment else line).strip()


def _parts(text: str) -> list[str]:
    """What stands between semicolons."""
    found = (part[1].strip() for part in _PART.finditer(text))
    return [_text(part) for part in found if part]


def _text(text: str) -> str:
    if not text.startswith('"'):
        return text
    value = strict_json.parse(text, quoted(text))
    if not isinstance(value, str):
        raise GameError("bad-record", f"{quoted(text)} is no text.")
    return value


def _number(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise GameError("bad-record", f"{quoted(text)} is no whole number.")
    return int(text)


def _numbers(text: str) -> list[int]:
    return [_number(part) for part in text.replace(",", " ").split()]


def _pairs(text: str) -> dict[str, Any]:
    """`name=value` with blanks between."""
    found: dict[str, Any] = {}
    at = 0
    while at < len(text):
        name = _NAME.match(text, at)
        if name is None or name[1] in found:
            raise GameError("bad-record", f"{quoted(text[at:])} is not name=value, each name once.")
        if words := _WORDS.match(text, name.end()):
            listed = words[0].split(",")
            found[name[1]], at = listed if len(listed) > 1 else listed[0], words.end()
        else:
            found[name[1]], at = strict_json.parse_first(text, name.end(), quoted(name[1]))
    return found


def _seconds(text: str) -> float:
    """The moment in seconds since 1970: the number in brackets, else the date itself."""
    if number := _SECONDS.search(text):
        value = strict_json.parse(number[1], "The date")
        return value if isinstance(value, int) else float(value)
    try:
        day = datetime.fromisoformat(text.removesuffix("UTC").strip())
    except ValueError:
        raise GameError("bad-record", f"{quoted(text)} is no date as 2026-11-30.") from None
    return (day if day.tzinfo else day.replace(tzinfo=UTC)).timestamp()


def _object(text: str) -> dict[str, Any]:
    value = strict_json.parse(text, "What is more")
    if not isinstance(value, dict):
        raise GameError("bad-record", "What is more is no JSON object.")
    return value


_READ: Final[dict[str, Callable[[str], Any]]] = {
    "rules": _number,
    "options": _pairs,
    "result": _pairs,
    "origin": _pairs,
    "at": _seconds,
    "players": _parts,
    "moves": _parts,
    "lot": _numbers,
    "scores": _numbers,
    "winners": _numbers,
    "more": _object,
}
