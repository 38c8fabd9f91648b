"""A dataset that need not fit into memory: a few shards are there at a time, in random order."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kwartet.core.game import Game
from kwartet.learning.positions import Batch, Dataset, join, read, select


@dataclass(frozen=True)
class Stream:
    """The shards of a folder, read when they are needed."""

    game: Game
    setup: dict[str, Any]
    files: tuple[Path, ...]

    def parts(self, seed: int | None = None, shards: int = 1) -> Iterator[Dataset]:
        """The positions of so many files at a time, in order or as the seed draws it."""
        files = list(self.files)
        if seed is not None:
            np.random.default_rng(seed).shuffle(files)
        for begin in range(0, len(files), shards):
            columns = join([read(file) for file in files[begin : begin + shards]])
            yield Dataset(self.game, self.setup, columns)

    def batches(self, size: int, seed: int, shards: int = 8) -> Iterator[Batch]:
        """All positions once, so many at a time; the last may be fewer.

        Order is random within `shards` files, which are in memory together; which ones is
        random, too.
        """
        rng = np.random.default_rng(seed)
        left: Dataset | None = None
        for part in self.parts(seed, shards):
            whole = join([left.columns, part.columns]) if left else part.columns
            mixed = Dataset(self.game, self.setup, whole)
            order = rng.permutation(len(mixed))
            full = len(order) // size * size
            for begin in range(0, full, size):
                yield mixed.take(order[begin : begin + size])
            rest = order[full:]
            left = Dataset(self.game, self.setup, select(whole, rest)) if len(rest) else None
        if left:
            yield left.take(np.arange(len(left)))
