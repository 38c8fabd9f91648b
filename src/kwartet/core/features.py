"""How a game tells what its observations hold."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class Field:
    """A named part of an observation: a vector, or a stack of planes."""

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)


def size(fields: Sequence[Field]) -> int:
    """How many numbers an observation of these fields has."""
    return sum(field.size for field in fields)


def split(
    fields: Sequence[Field], flat: "npt.NDArray[np.float32]"
) -> dict[str, "npt.NDArray[np.float32]"]:
    """The parts of an observation, or of many side by side, by name; nothing is copied."""
    parts = {}
    begin = 0
    for field in fields:
        part = flat[..., begin : begin + field.size]
        parts[field.name] = part.reshape(*flat.shape[:-1], *field.shape)
        begin += field.size
    return parts
