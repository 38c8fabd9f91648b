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

    def hand_over(self, seat: int, bot: str) -> None:
        """Note that a bot plays there from now on."""
        self.players = [*self.players[:seat], f"{BOT}{bot}", *self.players[seat + 1 :]]

    def write(
        self, match: "Match", path: Path | None = None, given_up_to: list[int] | None = None
    ) -> Path:
        """Write the match whole, there or in its own file; GameError if that cannot be.

        `given_up_to` are those who have won because all others resigned.
        """
        from kwartet.core.files import write_whole

        target = path or self.path
        record = match.record() | {"players": self.players, "over": match.actor is None}
        if given_up_to is not None:
            record |= {"over": True, "result": _resigned(match, given_up_to)}
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, json.dumps(record, ensure_ascii=False) + "\n")
        except OSError as error:
            sentence = f"Cannot write {quoted(str(target))}: {error.strerror}."
            raise GameError("bad-file", sentence) from error
        if path is None:
            _forget_old()
        return target


def _resigned(match: "Match", left: list[int]) -> dict[str, Any]:
    """The result of a match that was given up, as records tell it."""
    places = [0 if seat in left else 1 for seat in range(match.seats)]
    best = "won" if len(left) == 1 else "shared"
    return {
        "reason": "resigned",
        "winners": left,
        "scores": match.scores(),
        "places": places,
        "outcomes": ["lost" if place else best for place in places],
    }


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
