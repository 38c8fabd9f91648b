"""An arena on disk: what was asked, and a line for every match as soon as it is over.

`records.jsonl` is appended to and never rewritten while matches are played, so whatever
happens loses at most the line being written; such a torn line is dropped when the arena
goes on. When all matches are there, or a sequential test is decided, the lines are put into
the order of the schedule.
"""

import json
from pathlib import Path
from typing import IO, Any, Final, Self

from kwartet.arena.folder import SETUP, Folder, stored, unwritable
from kwartet.arena.pairing import Fixture
from kwartet.arena.plan import ARENA, TournamentPlan, read_plan
from kwartet.arena.results import Result
from kwartet.core.errors import GameError, quoted
from kwartet.core.records import line_of

RECORDS: Final = "records.jsonl"


class Records:
    """The results of one arena in its folder, open for more. Only one process has it open."""

    def __init__(self, folder: Folder, plan: TournamentPlan) -> None:
        """GameError if the folder's records are damaged."""
        self.plan = plan
        self.fixtures = plan.fixtures()
        self.test = plan.test()  # None if the whole schedule is to be played
        self._folder = folder
        try:
            self._lines = _opened(self.path / RECORDS)
        except BaseException:
            folder.close()
            raise
        try:
            self.results, whole = _read(  # by the fixture's number
                self.path / RECORDS, {fixture.number: fixture for fixture in self.fixtures}
            )
            self._lines.truncate(whole)
            for result in self.in_order():
                self._count(result)
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, path: Path, plan: TournamentPlan) -> "Records":
        """A new arena's folder; GameError if there is one already."""
        refuse_taken(path)
        return cls(Folder.open(path, ARENA, plan.as_json()), plan)

    @classmethod
    def resume(cls, path: Path) -> "Records":
        """An arena's folder with what was played.

        GameError if it is none, is damaged, or a prior that it needs has changed.
        """
        plan = stored_plan(path)
        plan.refuse_changed_priors()
        return cls(Folder(path), plan)

    @property
    def path(self) -> Path:
        """The folder."""
        return self._folder.path

    def missing(self) -> list[Fixture]:
        """The fixtures that are still to be played: none once a sequential test is decided."""
        if self.test is not None and self.test.is_decided:
            return []
        return [each for each in self.fixtures if each.number not in self.results]

    def add(self, result: Result) -> None:
        """Write a result down; one that is there already is not counted again."""
        if result.fixture.number not in self.results:
            self._lines.write(line_of(result.line()) + "\n")
            self._lines.flush()
            self.results[result.fixture.number] = result
            self._count(result)

    def in_order(self) -> list[Result]:
        """All results by the fixture's number."""
        return [self.results[number] for number in sorted(self.results)]

    def finish(self) -> None:
        """Put the records into the order of the schedule; nothing is added any more.

        Matches that were over before others, but come after those that decided a sequential
        test, are dropped: what is kept does not depend on how many were played at once.
        """
        if self.test is not None and self.test.is_decided:
            counted = range(self.test.matches)
            self.results = {number: self.results[number] for number in counted}
        self._lines.close()  # some systems replace no file that is open
        self.write(RECORDS, "".join(line_of(result.line()) + "\n" for result in self.in_order()))

    def _count(self, result: Result) -> None:
        if self.test is not None:
            self.test.add(result)

    def write(self, name: str, text: str) -> None:
        """Write a file beside the records, as a whole or not at all."""
        self._folder.write(name, text)

    def close(self) -> None:
        """Let others work here."""
        self._lines.close()
        self._folder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def refuse_taken(path: Path) -> None:
    """GameError if there is work in the folder that a new arena would mix with."""
    records = path / RECORDS
    if (path / SETUP).exists() or (records.exists() and records.stat().st_size):
        raise GameError(
            "bad-file",
            f"There is an arena in {quoted(str(path))}; "
            "go on with it with --resume or choose another --out.",
        )


def stored_plan(path: Path) -> TournamentPlan:
    """What was asked of the arena in a folder; GameError if there is none."""
    return read_plan(stored(path, ARENA))


def _opened(path: Path) -> IO[str]:
    try:
        return path.open("a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise unwritable(path.parent, error) from error


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
