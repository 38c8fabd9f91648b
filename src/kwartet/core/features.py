"""How a game tells what its observations hold."""

import math
from dataclasses import dataclass


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
