"""How a search knows a game, for games that do not tell it anything better.

A game may have a module `tactics` with any of these kernels and constants in place of
the ones below.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.core.chance import Generator
from kwartet.core.kernels import kernel
from kwartet.core.verbs import legal_actions, random_action

FEATURES: Final = 0  # features are 0 … FEATURES − 1
MAX_FEATURES: Final = 1  # no action has more of them
NOTES: Final = 1  # how many numbers `survey` writes
MARGIN: Final = 1.0  # points that make a clear lead
EXPLORATION: Final = 2.0  # how far curiosity outweighs results
SIMULATIONS: Final = (200, 2_000, 20_000)  # that a skilled, an expert and a master player make
UNGUIDED: Final[tuple[str, ...]] = ()  # which of them search without the prior
ATTENTION: Final = {"novice": 0.2, "casual": 0.8}  # shares of the moves that these notice
RECALL: Final = {"skilled": 0.6, "expert": 0.9, "master": 1.0}  # of a solved game's solution
PRACTICE: Final[tuple[dict[str, Any], ...]] = ({},)  # options that training plays in turn

_FAR: Final = 1 << 30


@kernel
def candidates(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """All legal actions."""
    return legal_actions(state, out)


@kernel
def survey(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """There is nothing to note."""


@kernel
def describe(
    state: np.record, action: int, notes: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    """Nothing is known about actions."""
    return 0


@kernel
def likely_action(state: np.record, rng: Generator) -> int:
    """Any action."""
    return random_action(state, rng)


@kernel
def outlook(state: np.record) -> tuple[int, int]:
    """The whole match."""
    return _FAR, _FAR


@kernel
def appraise(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """The points count as they stand."""
