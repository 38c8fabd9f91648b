"""What the workers of a dataset do: play a match and keep it, gather a shard's matches.

Whoever sees the dataset's folder writes there itself, so that nothing but numbers passes
through the process that hands the work out; what a machine that does not see it has played
comes back and is written by that process. Doing anything twice leaves the same files.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from kwartet.arena.folder import unwritable
from kwartet.arena.matches import Job
from kwartet.bots.catalogue import strongest
from kwartet.core.match import Match
from kwartet.learning.positions import Columns, join, matches_in, read, write
from kwartet.learning.selfplay import Decision, decisions

if TYPE_CHECKING:
    from kwartet.learning.dataset import DatasetPlan

PLAYED: Final = "played"  # the folder of the matches that are in no shard yet


@dataclass(frozen=True)
class Place:
    """A folder, and how to tell whether it is the same one that is seen from here."""

    path: str
    mark: str  # the name of a file that nobody else has

    def is_here(self) -> bool:
        """Whether this machine sees the folder itself."""
        return (Path(self.path) / self.mark).exists()

    def played(self, number: int, ending: str) -> Path:
        """The file of one match."""
        return Path(self.path) / PLAYED / f"{number:08}.{ending}"


@dataclass(frozen=True)
class Shard:
    """A file, and the matches that it is to have besides those it has."""

    name: str
    numbers: tuple[int, ...]


def work(plan: "DatasetPlan", place: Place, item: int | Shard) -> Columns | bool:
    """Do one thing: what has to be written elsewhere, or whether it is written."""
    if isinstance(item, Shard):
        return place.is_here() and gather(plan, place, item)
    columns = play_one(plan, item)
    return keep(plan, place, item, columns) if place.is_here() else columns


def keep(plan: "DatasetPlan", place: Place, number: int, columns: Columns) -> bool:
    """Write a match down; GameError if it cannot be written."""
    path = place.played(number, plan.format)
    try:
        write(path, columns)
    except OSError as error:
        raise unwritable(path.parent, error) from error
    return True


def gather(plan: "DatasetPlan", place: Place, shard: Shard) -> bool:
    """Write a shard, what it has already first; then its matches need no files of their own."""
    path = Path(place.path) / shard.name
    present = matches_in(path) if path.exists() else set()
    files = [place.played(each, plan.format) for each in shard.numbers if each not in present]
    try:
        if files:
            parts = [path] if present else []
            write(path, join([read(each) for each in parts + files]))
        for number in shard.numbers:
            place.played(number, plan.format).unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path.parent, error) from error
    return True


def play_one(plan: "DatasetPlan", number: int) -> Columns:
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
        values=np.array([decision.values for decision in kept], np.float32).reshape(
            count, len(match.returns())
        ),
        strays=np.array([decision.is_random for decision in kept], np.bool_),
        outcomes=np.tile(np.array(match.returns(), np.float32), (count, 1)),
        scores=np.tile(np.array(match.scores(), np.int32), (count, 1)),
    )


def _seed(seed: int, match: int) -> int:
    text = f"dataset {seed:x}/{match:x}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest())
