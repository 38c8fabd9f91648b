"""An arena on disk: what was asked, and a line for every match as soon as it is over.

`records.jsonl` is appended to and never rewritten while matches are played, so whatever
happens loses at most the line being written; such a torn line is dropped when the arena
goes on. When all matches are there the lines are put into the order of the schedule.
"""

import fcntl
import json
from pathlib import Path
from typing import IO, Any, Final, Self

from kwartet.arena.pairing import Fixture
from kwartet.arena.results import Result
from kwartet.arena.setup import Setup, read_setup
from kwartet.core.errors import GameError, quoted
from kwartet.core.files import write_whole
from kwartet.core.records import line_of

SETUP: Final = "setup.json"
RECORDS: Final = "records.jsonl"


class Folder:
    """The folder of one arena, open for more results. Only one process has it open."""

    def __init__(self, path: Path, setup: Setup, results: dict[int, Result], lines: IO[str]):
        self.path = path
        self.setup = setup
        self.results = results  # by the fixture's number
        self._lines = lines

    @classmethod
    def create(cls, path: Path, setup: Setup) -> "Folder":
        """A new arena's folder; GameError if there is one already."""
        refuse_taken(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
            lines = _locked(path / RECORDS)
            write_whole(path / SETUP, json.dumps(setup.as_json(), ensure_ascii=False, indent=2))
        except OSError as error:
            raise GameError(
                "bad-file", f"Cannot write to {quoted(str(path))}: {error.strerror}."
            ) from error
        return cls(path, setup, {}, lines)

    @classmethod
    def resume(cls, path: Path) -> "Folder":
        """An arena's folder with what was played.

        GameError if it is none, is damaged, or a prior that it needs has changed.
        """
        setup = stored_setup(path)
        setup.refuse_changed_priors()
        fixtures = {fixture.number: fixture for fixture in setup.fixtures()}
        lines = _locked(path / RECORDS)
        try:
            results, whole = _read(path / RECORDS, fixtures)
            lines.truncate(whole)
        except BaseException:
            lines.close()
            raise
        return cls(path, setup, results, lines)

    def missing(self) -> list[Fixture]:
        """The fixtures that are still to be played."""
        return [each for each in self.setup.fixtures() if each.number not in self.results]

    def add(self, result: Result) -> None:
        """Write a result down; one that is there already is not counted again."""
        if result.fixture.number not in self.results:
            self._lines.write(line_of(result.line()) + "\n")
            self._lines.flush()
            self.results[result.fixture.number] = result

    def in_order(self) -> list[Result]:
        """All results by the fixture's number."""
        return [self.results[number] for number in sorted(self.results)]

    def finish(self) -> None:
        """Put the records into the order of the schedule; nothing is added any more."""
        text = "".join(line_of(result.line()) + "\n" for result in self.in_order())
        write_whole(self.path / RECORDS, text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()


def refuse_taken(path: Path) -> None:
    """GameError if there are records in the folder that a new arena would mix with."""
    records = path / RECORDS
    if (path / SETUP).exists() or (records.exists() and records.stat().st_size):
        raise GameError(
            "bad-file",
            f"There is an arena in {quoted(str(path))}; "
            "go on with it with --resume or choose another --out.",
        )


def stored_setup(path: Path) -> Setup:
    """What was asked of the arena in a folder; GameError if there is none."""
    try:
        return read_setup(json.loads((path / SETUP).read_text(encoding="utf-8")))
    except FileNotFoundError as error:
        raise GameError("bad-file", f"There is no arena in {quoted(str(path))}.") from error
    except OSError as error:
        raise GameError(
            "bad-file", f"Cannot read {quoted(str(path))}: {error.strerror}."
        ) from error
    except ValueError as error:
        raise GameError("bad-file", f"The arena's setup is no JSON: {error}.") from error


def _locked(path: Path) -> IO[str]:
    lines = path.open("a", encoding="utf-8")
    try:
        fcntl.flock(lines, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lines.close()
        raise GameError(
            "bad-file", f"Another process is at work on {quoted(str(path.parent))}."
        ) from error
    return lines


def _read(path: Path, fixtures: dict[int, Fixture]) -> tuple[dict[int, Result], int]:
    """The results by number, and the length of the file without a torn last line."""
    results: dict[int, Result] = {}
    whole = 0
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), 1):
        if line.endswith(b"\n"):
            result = _result(line, number, fixtures)
            if result.fixture.number in results:
                raise _damaged(number, "it is there twice")
            results[result.fixture.number] = result
            whole += len(line)
    return results, whole


def _result(line: bytes, number: int, fixtures: dict[int, Fixture]) -> Result:
    try:
        told: Any = json.loads(line)
        fixture = fixtures[told["arena"]["fixture"]]
        return Result.of_line(told, fixture)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(number, f"{type(error).__name__}: {error}") from error


def _damaged(number: int, why: str) -> GameError:
    return GameError("bad-record", f"Line {number} of {RECORDS} is no match of this arena: {why}.")
