"""A review on disk: a line for every ply as soon as it is looked at.

The file is named after all that the review depends on, so whoever asks for the same again
goes on with it, and a torn last line is dropped. Only one process writes it at a time.
"""

import json
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from filelock import FileLock, Timeout

from kwartet.core.errors import GameError, quoted
from kwartet.core.machine_code import user_cache
from kwartet.reviews.finding import Finding, read_finding
from kwartet.reviews.work import Work

FOLDER: Final = "reviews"  # in the user's cache


class Keeping:
    """Keeps what is found; what was found before is there already."""

    def __init__(self, work: Work, folder: Path | None = None) -> None:
        """GameError if the folder cannot be written or another process makes the same review."""
        self._work = work
        self._path = (folder or user_cache() / FOLDER) / f"{work.plan.digest}.jsonl"
        self._lock = FileLock(self._path.with_suffix(".lock"))

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(blocking=False)
            self._read()
            self._lines = self._path.open("a", encoding="utf-8", newline="\n")
        except Timeout as error:
            raise GameError(
                "bad-file", "Another process is making this review; wait until it is done."
            ) from error
        except (OSError, NotImplementedError) as error:
            raise GameError(
                "bad-file", f"Cannot keep the review in {quoted(str(self._path.parent))}: {error}."
            ) from error
        return self

    def add(self, found: Finding) -> None:
        """Write a finding down."""
        self._lines.write(json.dumps(found.as_json(), ensure_ascii=False) + "\n")
        self._lines.flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lines.close()
        self._lock.release()

    def _read(self) -> None:
        """Take over what is there; from a damaged line on it is made anew."""
        whole = 0
        lines = self._path.read_bytes().splitlines(keepends=True) if self._path.exists() else []
        for line in lines:
            try:
                found = read_finding(json.loads(line)) if line.endswith(b"\n") else None
            except (GameError, ValueError, RecursionError):
                found = None
            if found is None or found.ply not in self._work.missing():
                break
            self._work.findings[found.ply] = found
            whole += len(line)
        if lines:
            with self._path.open("r+b") as file:
                file.truncate(whole)
