"""A dataset in a folder: the best player plays itself, and every decision is kept.

Matches are gathered into shards, a file each: shard *n* has the matches from *n* · size on,
so that every match has one place. A file appears as a whole; one that has only some of its
matches, because fewer were asked for, is replaced when more are. The same plan gives the
same shards, and what is missing is played when the same dataset is asked for again.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from kwartet.arena.folder import Folder, Kind, stored, unwritable
from kwartet.arena.matches import Job
from kwartet.arena.pool import Lost, Pool
from kwartet.bots.catalogue import strongest
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Options
from kwartet.core.match import Match
from kwartet.games import find
from kwartet.learning.positions import (
    FORMATS,
    Columns,
    Dataset,
    join,
    matches_in,
    read,
    write,
)
from kwartet.learning.selfplay import Decision, decisions

DATASET: Final = Kind("dataset", 2)  # 1 named shards by what was asked for, and kept no values


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
        return sum(map(len, self.missing().values()))

    def run(self, pool: Pool, advance: Callable[[], object] = lambda: None) -> Iterator[Path]:
        """Play what is missing; each file as it is written. `advance` follows every match."""
        files = self.missing()
        file_of = {number: path for path, numbers in files.items() for number in numbers}
        waiting = {path: len(numbers) for path, numbers in files.items()}
        played: dict[int, Columns] = {}
        for number, columns in pool.map(partial(play_one, self.plan), file_of):
            if isinstance(columns, Lost):
                raise GameError("worker-lost", "A process ended in the middle of a match.")
            played[number] = columns
            advance()
            path = file_of[number]
            waiting[path] -= 1
            if not waiting[path]:
                self._write(path, [played.pop(each) for each in files[path]])
                yield path

    def _write(self, path: Path, added: list[Columns]) -> None:
        """Write a shard, after what it has already: matches are added in their order."""
        before = [read(path)] if path.exists() else []
        try:
            write(path, join(before + added))
        except OSError as error:
            raise unwritable(path.parent, error) from error


def play_one(plan: DatasetPlan, number: int) -> Columns:
    """Play match number so and so, and keep every decision that was one."""
    game = Job(plan.game, plan.options, packages=plan.packages).find_game()
    seed = _seed(plan.seed, number)
    match = Match(game, plan.options, seed=seed)
    player = strongest(game, plan.simulations)
    kept = list(decisions(match, player, seed, random_moves=plan.random_moves))
    return _columns(match, number, kept)


def _columns(match: Match, number: int, kept: list[Decision]) -> Columns:
    count, width = len(kept), match.game.rules.STATE.itemsize
    states = b"".join(decision.state.tobytes() for decision in kept)
    analyses = [decision.found for decision in kept]
    shares = [found.visits / found.visits.sum() for found in analyses]
    return Columns(
        states=np.frombuffer(states, np.uint8).reshape(count, width),
        seats=np.array([decision.turn.seat for decision in kept], np.int8),
        matches=np.full(count, number, np.int32),
        plies=np.array([decision.turn.ply for decision in kept], np.int32),
        starts=np.cumsum([0, *(len(found.actions) for found in analyses)], dtype=np.int64),
        actions=np.concatenate([np.empty(0), *(found.actions for found in analyses)]).astype(
            np.int32
        ),
        shares=np.concatenate([np.empty(0), *shares]).astype(np.float32),
        values=np.array([decision.value for decision in kept], np.float32),
        strays=np.array([decision.is_random for decision in kept], np.bool_),
        outcomes=np.tile(np.array(match.returns(), np.float32), (count, 1)),
        scores=np.tile(np.array(match.scores(), np.int32), (count, 1)),
    )


def load(folder: Path | str) -> Dataset:
    """All positions that a folder has, each match once.

    GameError if it has none, of other rules or of an older format, or is damaged.
    """
    path = Path(folder)
    setup = stored(path, DATASET)
    files = sorted(each for ending in FORMATS for each in path.glob(f"*.{ending}"))
    if not files:
        raise GameError("bad-file", f"There are no positions in {quoted(str(path))} yet.")
    for file in files:
        _present(file, _number(file) * setup["shard"], setup["shard"])
    return Dataset(find(setup["game"]), setup, join([read(file) for file in files]))


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


def _seed(seed: int, match: int) -> int:
    text = f"dataset {seed:x}/{match:x}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest())
