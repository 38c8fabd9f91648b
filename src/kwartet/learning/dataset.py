"""A dataset in a folder: the best player plays itself, and every decision is kept.

Matches are gathered into shards, a file each: shard *n* has the matches from *n* · size on,
so that every match has one place. A file appears as a whole; one that has only some of its
matches, because fewer were asked for, is replaced when more are. The same plan gives the
same shards, and what is missing is played when the same dataset is asked for again. Workers
write, if they see the folder (`shards.py`).
"""

import secrets
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from kwartet.arena.folder import Folder, Kind, stored, unwritable
from kwartet.arena.pool import Lost, Pool
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Options
from kwartet.games import find
from kwartet.learning.positions import FORMATS, Columns, Dataset, join, matches_in, read
from kwartet.learning.shards import PLAYED, Place, Shard, gather, keep, work
from kwartet.learning.streams import Stream

DATASET: Final = Kind("dataset", 3)  # 1 kept no values, 2 those of the seat to act alone


@dataclass(frozen=True)
class DatasetPlan:
    """What was asked for. The same plan gives the same positions."""

    game: str
    options: Options
    matches: int = 100
    simulations: int = 400  # a move, where the game is not solved
    seed: int = 0
    shard: int = 50  # matches in a file
    format: str = "npz"
    random_moves: float = 0.0  # the share of decisions that are left to chance
    packages: tuple[str, ...] = ()  # of the games that a process is to know

    def setup(self) -> dict[str, Any]:
        """What the positions depend on, JSON-ready. More matches are more of the same."""
        asked = asdict(self) | {"rules": find(self.game).version}
        del asked["matches"], asked["packages"]
        return DATASET.setup(asked)

    def shards(self) -> list[range]:
        """The numbers of the matches of each shard; the last may have fewer than a full one."""
        return [
            range(begin, min(begin + self.shard, self.matches))
            for begin in range(0, self.matches, self.shard)
        ]


class DatasetWriter:
    """A dataset that is being made. Only one process makes it."""

    def __init__(self, plan: DatasetPlan, folder: Folder) -> None:
        self.plan = plan
        self.folder = folder

    @classmethod
    def open(cls, plan: DatasetPlan, path: Path) -> "DatasetWriter":
        """Begin in a new folder, or go on; GameError if the folder is about something else."""
        if plan.format not in FORMATS:
            raise GameError(
                "bad-option", f"The format is {' or '.join(FORMATS)}, not {quoted(plan.format)}."
            )
        if not 0 <= plan.random_moves < 1:
            raise GameError("bad-option", "The share of random moves is from 0 up to 1.")
        return cls(plan, Folder.open(path, DATASET, plan.setup()))

    def close(self) -> None:
        """Let others work on it."""
        self.folder.close()

    def __enter__(self) -> "DatasetWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def missing(self) -> dict[Path, list[int]]:
        """The files that lack matches, and the numbers of those."""
        files = {}
        for number, matches in enumerate(self.plan.shards()):
            path = self.folder.path / f"{number:05}.{self.plan.format}"
            present = _present(path, matches.start, self.plan.shard) if path.exists() else set()
            if lacking := [match for match in matches if match not in present]:
                files[path] = lacking
        return files

    def steps(self) -> int:
        """How many matches are still to be played."""
        played = self._played()
        return sum(each not in played for numbers in self.missing().values() for each in numbers)

    def run(self, pool: Pool, advance: Callable[[], object] = lambda: None) -> Iterator[Path]:
        """Play what is missing; each file as it is written. `advance` follows every match."""
        with self._open_place() as place:
            queue = _Queue(self.missing(), self._played())
            while queue:
                for item, done in pool.map(partial(work, self.plan, place), queue):
                    if isinstance(done, Lost):
                        raise GameError("worker-lost", "A process ended in the middle of a match.")
                    if isinstance(item, Shard):
                        if not done:
                            gather(self.plan, place, item)
                        yield self.folder.path / item.name
                        continue
                    if isinstance(done, Columns):
                        keep(self.plan, place, item, done)
                    queue.count(item)
                    advance()

    def _played(self) -> set[int]:
        """The matches that have been played and are in no shard yet."""
        files = (self.folder.path / PLAYED).glob(f"*.{self.plan.format}")
        return {int(path.stem) for path in files if path.stem.isdigit()}

    @contextmanager
    def _open_place(self) -> Iterator[Place]:
        """Where workers write, if they see it; a folder of single matches goes when it is empty."""
        path = self.folder.path.absolute()
        place = Place(str(path), f".{secrets.token_hex(16)}")
        try:
            (path / PLAYED).mkdir(exist_ok=True)
            (path / place.mark).touch()
        except OSError as error:
            raise unwritable(path, error) from error
        try:
            yield place
        finally:
            (path / place.mark).unlink(missing_ok=True)
            if not self._played():
                shutil.rmtree(path / PLAYED, ignore_errors=True)


class _Queue:
    """What there is to do: shards that are complete before matches that are to be played."""

    def __init__(self, files: dict[Path, list[int]], played: set[int]) -> None:
        self._shards = {path.name: Shard(path.name, tuple(files[path])) for path in files}
        self._lacking = {path.name: set(files[path]) - played for path in files}
        self._file_of = {number: path.name for path in files for number in files[path]}
        self._waiting = deque(each for each in self._file_of if each not in played)
        self._ready = deque(name for name, lacking in self._lacking.items() if not lacking)

    def __bool__(self) -> bool:
        return bool(self._waiting or self._ready)

    def __iter__(self) -> Iterator[int | Shard]:
        """All that can be done now; what becomes ready meanwhile comes first."""
        while self:
            yield self._shards[self._ready.popleft()] if self._ready else self._waiting.popleft()

    def count(self, number: int) -> None:
        """The match has been played and written."""
        name = self._file_of[number]
        self._lacking[name].remove(number)
        if not self._lacking[name]:
            self._ready.append(name)


def load(folder: Path | str) -> Dataset:
    """All positions that a folder has, each match once.

    GameError if it has none, of other rules or of an older format, or is damaged.
    """
    found = stream(folder)
    return Dataset(found.game, found.setup, join([read(file) for file in found.files]))


def stream(folder: Path | str) -> Stream:
    """The same positions a few files at a time, for datasets that are larger than memory."""
    path = Path(folder)
    setup = stored(path, DATASET)
    files = sorted(each for ending in FORMATS for each in path.glob(f"*.{ending}"))
    if not files:
        raise GameError("bad-file", f"There are no positions in {quoted(str(path))} yet.")
    for file in files:
        _present(file, _number(file) * setup["shard"], setup["shard"])
    return Stream(find(setup["game"]), setup, tuple(files))


def _present(path: Path, first: int, size: int) -> set[int]:
    """The numbers of the matches in a shard; GameError if one belongs to another shard."""
    present = matches_in(path)
    if not all(first <= match < first + size for match in present):
        raise GameError(
            "bad-file", f"{quoted(str(path))} has matches of another file; remove one of them."
        )
    return present


def _number(path: Path) -> int:
    if not path.stem.isdigit():
        raise GameError("bad-file", f"{quoted(str(path))} is no part of the dataset.")
    return int(path.stem)
