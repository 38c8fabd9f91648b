"""A dataset in a folder: a search plays itself, and every decision is kept.

Matches are gathered into shards, a file each, which appear as a whole; what is missing is
played when the same dataset is asked for again. The same setup gives the same shards.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from kwartet.arena.matches import Job
from kwartet.arena.pool import Lost, Pool
from kwartet.arena.positions import FORMATS, Columns, Dataset, join, read, write
from kwartet.bots import prior as priors
from kwartet.bots.bot import turn_of
from kwartet.bots.catalogue import settings_for
from kwartet.bots.search import Budget, Search
from kwartet.core.chance import below, generator
from kwartet.core.errors import GameError, quoted
from kwartet.core.files import write_whole
from kwartet.core.game import Game, Options
from kwartet.core.match import Match
from kwartet.games import find

SETUP: Final = "setup.json"
FORMAT: Final = 1


@dataclass(frozen=True)
class Setup:
    """What was asked for. The same setup gives the same positions."""

    game: str
    options: Options
    matches: int = 100
    simulations: int = 400  # a move
    seed: int = 0
    shard: int = 50  # matches in a file
    format: str = "npz"
    packages: tuple[str, ...] = ()  # of the games that a process is to know

    def told(self) -> dict[str, Any]:
        """What the positions depend on, JSON-ready. More matches are more of the same."""
        told = asdict(self) | {"dataset": FORMAT, "rules": find(self.game).version}
        return {name: told[name] for name in sorted(told) if name not in ("matches", "packages")}


@dataclass(frozen=True)
class Making:
    """A dataset that is being made."""

    setup: Setup
    folder: Path

    @classmethod
    def open(cls, setup: Setup, folder: Path) -> "Making":
        """Begin in a new folder, or go on; GameError if the folder is about something else."""
        if setup.format not in FORMATS:
            raise GameError(
                "bad-option", f"The format is {' or '.join(FORMATS)}, not {quoted(setup.format)}."
            )
        asked = json.loads(json.dumps(setup.told()))
        stored = folder / SETUP
        if not stored.exists():
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(stored, json.dumps(asked, indent=2) + "\n")
        elif _stored(folder) != asked:
            raise GameError(
                "bad-option",
                f"{quoted(str(folder))} has a dataset with another setup; name another folder.",
            )
        return cls(setup, folder)

    def missing(self) -> dict[Path, range]:
        """The files that are not there yet, and the numbers of their matches."""
        size, matches = self.setup.shard, self.setup.matches
        files = {}
        for begin in range(0, matches, size):
            numbers = range(begin, min(begin + size, matches))
            path = self.folder / f"{begin:07}-{numbers[-1]:07}.{self.setup.format}"
            if not path.exists():
                files[path] = numbers
        return files

    def steps(self) -> int:
        """How many matches are still to be played."""
        return sum(map(len, self.missing().values()))

    def run(self, pool: Pool, advance: Callable[[], object] = lambda: None) -> Iterator[Path]:
        """Play what is missing; each file as it is written. `advance` follows every match."""
        files = self.missing()
        file_of = {number: path for path, numbers in files.items() for number in numbers}
        played: dict[int, Columns] = {}
        for number, columns in pool.map(partial(play_one, self.setup), file_of):
            if isinstance(columns, Lost):
                raise GameError("worker-lost", "A process ended in the middle of a match.")
            played[number] = columns
            advance()
            path = file_of[number]
            if all(each in played for each in files[path]):
                write(path, join([played.pop(each) for each in files[path]]))
                yield path


def play_one(setup: Setup, number: int) -> Columns:
    """Play match number so and so, and keep every decision that was one."""
    game = Job(setup.game, setup.options, packages=setup.packages).find_game()
    search = Search(
        game, settings_for(game), Budget(simulations=setup.simulations), priors.shipped(game)
    )
    seed = _seed(setup.seed, number)
    match = Match(game, setup.options, seed=seed)
    rng = generator(seed, 1)
    kept: list[tuple[Any, ...]] = []
    while match.actor is not None:
        turn = turn_of(match, seed=below(rng, 1 << 31))
        if len(turn.legal_actions) == 1:
            match.play(turn.legal_actions[0])
            continue
        found = search.analyse(turn)
        kept.append((match.state.tobytes(), turn.seat, turn.ply, found.actions, found.visits))
        # As often as the search looked at it, so that matches differ.
        drawn = below(rng, int(found.visits.sum()))
        match.play(int(found.actions[np.searchsorted(np.cumsum(found.visits), drawn, "right")]))
    return _columns(match, number, kept)


def _columns(match: Match, number: int, kept: list[tuple[Any, ...]]) -> Columns:
    states, seats, plies, actions, visits = zip(*kept, strict=True)
    count, width = len(kept), match.game.rules.STATE.itemsize
    return Columns(
        np.frombuffer(b"".join(states), np.uint8).reshape(count, width),
        np.array(seats, np.int8),
        np.full(count, number, np.int32),
        np.array(plies, np.int32),
        np.cumsum([0, *map(len, actions)], dtype=np.int64),
        np.concatenate(actions).astype(np.int32),
        np.concatenate([each / each.sum() for each in visits]).astype(np.float32),
        np.tile(np.array(match.returns(), np.float32), (count, 1)),
        np.tile(np.array(match.scores(), np.int32), (count, 1)),
    )


def load(folder: Path | str) -> Dataset:
    """All positions that a folder has; GameError if it has none, or of other rules."""
    path = Path(folder)
    setup = _stored(path)
    game = _game(setup)
    files = sorted(each for ending in FORMATS for each in path.glob(f"*.{ending}"))
    if not files:
        raise GameError("bad-file", f"There are no positions in {quoted(str(path))} yet.")
    return Dataset(game, setup, join([read(each) for each in files]))


def _game(setup: dict[str, Any]) -> Game:
    game = find(setup["game"])
    if setup.get("rules") != game.version:
        raise GameError(
            "wrong-rules",
            f"The dataset was played under version {quoted(setup.get('rules'))} of "
            f"{game.title}'s rules; this program plays version {game.version}.",
        )
    return game


def _stored(folder: Path) -> dict[str, Any]:
    try:
        setup: Any = json.loads((folder / SETUP).read_text(encoding="utf-8"))
    except OSError as error:
        raise GameError("bad-file", f"There is no dataset in {quoted(str(folder))}.") from error
    except ValueError as error:
        raise GameError("bad-file", f"The dataset's setup is no JSON: {error}.") from error
    if not isinstance(setup, dict) or setup.get("dataset") != FORMAT:
        raise GameError("bad-file", "This is not a dataset that this program knows.")
    return setup


def _seed(seed: int, match: int) -> int:
    text = f"dataset {seed:x}/{match:x}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest())
