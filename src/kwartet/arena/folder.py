"""A folder for work that can be broken off and gone on with.

`setup.json` says what was asked for. Whoever asks for the same goes on, whoever asks for
something else is refused; only one process works in a folder at a time.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from filelock import FileLock, Timeout

from kwartet.core.errors import GameError, quoted
from kwartet.core.files import write_whole
from kwartet.games import find

SETUP: Final = "setup.json"
LOCK: Final = ".lock"


@dataclass(frozen=True)
class Kind:
    """A kind of work: what a setup calls it, and the version of what its folder holds."""

    name: str
    format: int

    def setup(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What was asked for, as it is stored; `asked` has the game and its rules' version."""
        told: dict[str, Any] = json.loads(json.dumps({self.name: self.format} | asked))
        return told


class Folder:
    """A folder that this process, and no other, works in until it is closed."""

    def __init__(self, path: Path) -> None:
        """GameError if another process has it, or it cannot be written."""
        self.path = path
        self._lock = FileLock(path / LOCK)
        try:
            self._lock.acquire(blocking=False)
        except Timeout as error:
            raise GameError(
                "bad-file", f"Another process is at work on {quoted(str(path))}."
            ) from error
        except (OSError, NotImplementedError) as error:
            raise unwritable(path, error) from error

    @classmethod
    def open(cls, path: Path, kind: Kind, setup: dict[str, Any]) -> "Folder":
        """Begin, or go on if the same was asked for before; GameError if something else was."""
        if (path / SETUP).exists():
            if stored(path, kind) != setup:
                raise GameError(
                    "bad-option",
                    f"The {kind.name} in {quoted(str(path))} has another setup; "
                    "name another folder.",
                )
            return cls(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(path, error) from error
        folder = cls(path)
        folder.write(SETUP, json.dumps(setup, ensure_ascii=False, indent=2) + "\n")
        return folder

    def write(self, name: str, text: str) -> None:
        """Write a file that is there as a whole or as it was before; GameError if it cannot."""
        try:
            write_whole(self.path / name, text)
        except OSError as error:
            raise unwritable(self.path, error) from error

    def close(self) -> None:
        """Let others work here."""
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def stored(path: Path, kind: Kind) -> dict[str, Any]:
    """What was asked of the work in a folder.

    GameError if there is none of this kind, it is damaged, or of other rules.
    """
    where = quoted(str(path))
    try:
        setup: Any = json.loads((path / SETUP).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise GameError("bad-file", f"There is no {kind.name} in {where}.") from error
    except OSError as error:
        raise GameError("bad-file", f"Cannot read {where}: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise GameError("bad-file", f"The setup in {where} is damaged: {error}.") from error
    if not isinstance(setup, dict) or kind.name not in setup:
        raise GameError("bad-file", f"There is no {kind.name} in {where}.")
    if setup[kind.name] != kind.format:
        raise GameError(
            "bad-file",
            f"The {kind.name} in {where} is of format {quoted(setup[kind.name])}; this program "
            f"knows format {kind.format}. Make it again in another folder.",
        )
    _check_rules(setup, kind)
    return setup


def unwritable(path: Path, error: Exception) -> GameError:
    """What to tell when a folder cannot be written to."""
    why = getattr(error, "strerror", None) or error
    return GameError("bad-file", f"Cannot write to {quoted(str(path))}: {why}.")


def _check_rules(setup: dict[str, Any], kind: Kind) -> None:
    if not isinstance(setup.get("game"), str):
        raise GameError("bad-file", f"The setup of the {kind.name} is damaged at 'game'.")
    game = find(setup["game"])
    if setup.get("rules") != game.version:
        raise GameError(
            "wrong-rules",
            f"The {kind.name} was played under version {quoted(setup.get('rules'))} of "
            f"{game.title}'s rules; this program plays version {game.version}.",
        )
