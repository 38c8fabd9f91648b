"""Matches of the terminal on disk: written after every move, found again by name or as the last.

A save is a record (docs/records.md) with the players' names, so that every command that reads
records reads it.
"""

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kwartet.core.errors import GameError, quoted

if TYPE_CHECKING:
    from kwartet.core.match import Match

KEPT: Final = 200  # files; older ones are let go
BOT: Final = "bot:"


def folder() -> Path:
    """Where matches are kept: in $KWARTET_DATA, else in the user's data folder."""
    from platformdirs import user_data_path

    data = os.environ.get("KWARTET_DATA")
    return (Path(data) if data else user_data_path("kwartet", False)) / "matches"


class Save:
    """One match's file."""

    def __init__(self, path: Path, players: list[str]) -> None:
        self.path = path
        self.players = players  # by seat; a bot is `bot:` and its name

    @classmethod
    def new(cls, game: str, players: list[str]) -> "Save":
        """A file of its own for a match that begins."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        path = folder() / f"{game}-{stamp}.json"
        number = 1
        while path.exists():
            number += 1
            path = folder() / f"{game}-{stamp}-{number}.json"
        return cls(path, players)

    def write(self, match: "Match", path: Path | None = None) -> Path:
        """Write the match whole, there or in its own file; GameError if that cannot be."""
        from kwartet.core.files import write_whole

        target = path or self.path
        record = match.record() | {"players": self.players, "over": match.actor is None}
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, json.dumps(record, ensure_ascii=False) + "\n")
        except OSError as error:
            sentence = f"Cannot write {quoted(str(target))}: {error.strerror}."
            raise GameError("bad-file", sentence) from error
        if path is None:
            _forget_old()
        return target


def last() -> Path:
    """The match that was played last and is not over; GameError if there is none."""
    for path in sorted(_files(), key=_changed, reverse=True):
        try:
            record: Any = json.loads(path.read_text(encoding="utf-8"))
            if record["over"] is False:
                return path
        except (OSError, ValueError, KeyError, TypeError):
            continue
    raise GameError("no-record", "There is no match to go on with; begin one: kwartet play.")


def _files() -> list[Path]:
    return list(folder().glob("*.json"))


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _forget_old() -> None:
    for path in sorted(_files(), key=_changed, reverse=True)[KEPT:]:
        path.unlink(missing_ok=True)
