"""Positions to learn from: state, what a search looked at, and how the match ended.

They are kept in columns. A position's policy is a stretch of `actions` and `shares`, so
that games with thousands of actions need no more room than others. States are kept as the
bytes of their records; observations are computed from them when they are asked for.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.core import engine, features
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game

FORMATS: Final = ("npz", "parquet")
POLICY: Final = ("starts", "actions", "shares")  # columns with other entries than one a position


@dataclass(frozen=True)
class Columns:
    """Positions, one a row but for the policies."""

    states: npt.NDArray[np.uint8]  # (positions, bytes of a state); it holds every secret
    seats: npt.NDArray[np.int8]  # to act
    matches: npt.NDArray[np.int32]  # the number of the match
    plies: npt.NDArray[np.int32]  # of the match's log
    starts: npt.NDArray[np.int64]  # where each policy begins, and where the last one ends
    actions: npt.NDArray[np.int32]  # that the search considered
    shares: npt.NDArray[np.float32]  # of its simulations, 1 in all
    values: npt.NDArray[np.float32]  # (positions, seats): results it expected; NaN: of some none
    strays: npt.NDArray[np.bool_]  # whether a random action was played instead
    outcomes: npt.NDArray[np.float32]  # (positions, seats): results at the end, 0 in all
    scores: npt.NDArray[np.int32]  # (positions, seats): points at the end

    def __len__(self) -> int:
        return len(self.seats)


def join(parts: Sequence[Columns]) -> Columns:
    """All positions of these parts, in order; there is at least one part."""
    whole = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(Columns)
    }
    ends = np.cumsum([0] + [int(part.starts[-1]) for part in parts])
    moved = [part.starts[1:] + end for part, end in zip(parts, ends[:-1], strict=True)]
    whole["starts"] = np.concatenate([np.zeros(1, np.int64), *moved])
    return Columns(**whole)


def select(columns: Columns, rows: npt.NDArray[np.int64]) -> Columns:
    """These positions, in this order."""
    some = {name: values[rows] for name, values in vars(columns).items() if name not in POLICY}
    sizes = np.diff(columns.starts)[rows]
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    # Each policy's stretch: where it begins, and how far into it.
    inside = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
    places = np.repeat(columns.starts[rows], sizes) + inside
    policies = {"actions": columns.actions[places], "shares": columns.shares[places]}
    return Columns(**some, **policies, starts=starts)


def write(path: Path, columns: Columns) -> None:
    """Write a shard as its name's ending says; it is there as a whole or not at all."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")  # of two writers, too
    if path.suffix == ".parquet":
        _parquet().write_table(_table(columns), draft)
    else:
        with draft.open("wb") as file:
            np.savez_compressed(file, **vars(columns))
    draft.replace(path)


def read(path: Path) -> Columns:
    """A shard; GameError if it is none."""
    with _whole(path):
        if path.suffix == ".parquet":
            return _columns(_parquet().read_table(path))
        with path.open("rb") as file, np.load(file) as arrays:
            return Columns(**arrays)


def matches_in(path: Path) -> set[int]:
    """The numbers of a shard's matches, without reading the rest of it."""
    with _whole(path):
        if path.suffix == ".parquet":
            return set(_parquet().read_table(path, columns=["match"])["match"].to_pylist())
        with path.open("rb") as file, np.load(file) as arrays:
            return set(arrays["matches"].tolist())


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """GameError if what is read here is no shard."""
    try:
        yield
    except GameError:
        raise
    except Exception as error:  # each library has errors of its own for what is damaged
        raise GameError("bad-file", f"{quoted(path.name)} is damaged: {error}.") from error


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise GameError(
            "bad-option", "Parquet needs pyarrow: pip install 'kwartet[parquet]'."
        ) from error
    return pyarrow.parquet


def _table(columns: Columns) -> Any:
    """One row a position; a policy is two lists."""
    import pyarrow as pa

    def lists(values: npt.NDArray[Any]) -> Any:
        return pa.ListArray.from_arrays(pa.array(columns.starts, pa.int32()), pa.array(values))

    def rows(values: npt.NDArray[Any]) -> Any:
        return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])

    width = columns.states.shape[1]
    return pa.table(
        {
            "match": columns.matches,
            "ply": columns.plies,
            "seat": columns.seats,
            "state": pa.array([row.tobytes() for row in columns.states], pa.binary(width)),
            "actions": lists(columns.actions),
            "shares": lists(columns.shares),
            "values": rows(columns.values),
            "stray": columns.strays,
            "outcomes": rows(columns.outcomes),
            "scores": rows(columns.scores),
        }
    )


def _columns(table: Any) -> Columns:
    whole = table.combine_chunks()

    def flat(name: str) -> Any:
        return whole[name].combine_chunks()

    seats = flat("outcomes").type.list_size
    states = np.frombuffer(b"".join(whole["state"].to_pylist()), np.uint8)
    return Columns(
        states=states.reshape(len(whole), -1),
        seats=flat("seat").to_numpy(),
        matches=flat("match").to_numpy(),
        plies=flat("ply").to_numpy(),
        starts=flat("actions").offsets.to_numpy().astype(np.int64),
        actions=flat("actions").values.to_numpy(),
        shares=flat("shares").values.to_numpy(),
        values=flat("values").values.to_numpy().reshape(-1, seats),
        strays=flat("stray").to_numpy(zero_copy_only=False),
        outcomes=flat("outcomes").values.to_numpy().reshape(-1, seats),
        scores=flat("scores").values.to_numpy().reshape(-1, seats),
    )


@dataclass(frozen=True)
class Batch:
    """Positions as a network wants them."""

    observations: npt.NDArray[np.float32]  # (positions, numbers): what the seat to act sees
    policies: npt.NDArray[np.float32]  # (positions, actions): shares of the simulations
    values: npt.NDArray[np.float32]  # (positions,): the result expected for the seat to act
    outcomes: npt.NDArray[np.float32]  # (positions,): the result it had
    scores: npt.NDArray[np.int32]  # (positions,): its points at the end


@dataclass(frozen=True)
class Dataset:
    """The positions of a folder."""

    game: Game
    setup: dict[str, Any]
    columns: Columns

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def states(self) -> engine.States:
        """The states as records of the game."""
        states: engine.States = np.ascontiguousarray(self.columns.states).view(
            self.game.rules.STATE
        )[:, 0]
        return states

    def take(self, rows: npt.NDArray[np.int64]) -> Batch:
        """These positions, policies as wide as the game has actions."""
        columns, rules = self.columns, self.game.rules
        seats = columns.seats[rows]
        size = features.size(self.game.features.FIELDS)
        observations = np.empty((len(rows), size), np.float32)
        engine.observe_all(self.states[rows], seats, observations)
        policies = np.zeros((len(rows), rules.ACTIONS), np.float32)
        for index, row in enumerate(rows):
            stretch = slice(columns.starts[row], columns.starts[row + 1])
            policies[index, columns.actions[stretch]] = columns.shares[stretch]
        each = np.arange(len(rows))
        return Batch(
            observations,
            policies,
            columns.values[rows][each, seats],
            columns.outcomes[rows][each, seats],
            columns.scores[rows][each, seats],
        )

    def batches(self, size: int, seed: int) -> Iterator[Batch]:
        """All positions once in random order, so many at a time; the last may be fewer."""
        order = np.random.default_rng(seed).permutation(len(self))
        for begin in range(0, len(order), size):
            yield self.take(order[begin : begin + size])
