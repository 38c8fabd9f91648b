"""What a search is told about a game that tells it nothing better.

A game may have a module `tactics` with any of these kernels and constants in place of
the ones below.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypedDict

import numpy as np
import numpy.typing as npt

from kwartet.core.chance import Generator
from kwartet.core.digest import Digest
from kwartet.core.game import MAX_SEATS, Options
from kwartet.core.kernels import kernel
from kwartet.core.verbs import apply, legal_actions, random_action, scores, seats
from kwartet.core.verbs import appraise as appraised
from kwartet.core.verbs import outlook as outlooked


class Tuning(TypedDict, total=False):
    """How a level plays one game; what is left out is as `bots.level` has it for all."""

    slack: float  # how much worse than the best a move may seem that it plays, without a search
    simulations: int  # a move
    guided: bool  # whether its search uses the prior
    values: bool  # whether its search reads the networks
    turns: bool  # whether it compares whole turns where its search covers one


@dataclass(frozen=True)
class Thresholds:
    """From which loss on a decision is a slip, a mistake, a blunder."""

    win: tuple[float, float, float]  # where several play: in results, from −1 to 1
    points: tuple[float, float, float]  # alone
    shown: str = "points"  # what people of this game talk about: points, or win in per cent


@dataclass(frozen=True)
class Look:
    """A kind of positions that are sketched alike, such as those of one board."""

    name: str
    inputs: int  # are 0 … inputs − 1
    most: int  # that are on at once
    mirrors: npt.NDArray[np.int32]  # (symmetries, inputs): what each input becomes in a mirror
    blend: float = 0.5  # the network's part in what a position is worth, beside playing on


@dataclass(frozen=True)
class Knowledge:
    """The constants that a search is told, each from the one of the same name in capitals."""

    features: int
    ties: Callable[[], npt.NDArray[np.int32]] | None
    max_features: int
    notes: int
    margin: float
    exploration: float
    levels: Mapping[str, Tuning]
    levels_by: Mapping[str, Mapping[str, Tuning]]
    practice: tuple[Options, ...]
    verdicts: Thresholds
    scoring: str
    doubt: float
    looks: Mapping[str, Look]
    look_by: str


FEATURES: Final = 0  # features are 0 … FEATURES − 1
TIES: Final = None  # or a function: the weight of each feature, those that are alike have one
MAX_FEATURES: Final = 1  # no action has more of them
NOTES: Final = 1  # how many numbers `survey` writes
MARGIN: Final = 1.0  # points that make a clear lead
EXPLORATION: Final = 2.0  # c of PUCT: how much exploring counts beside results
LEVELS: Final[Mapping[str, Tuning]] = {}  # by name
PRACTICE: Final[tuple[Options, ...]] = ({},)  # options that training plays in turn
VERDICTS: Final = Thresholds(win=(0.06, 0.2, 0.5), points=(0.3, 1.0, 4.0), shown="win")
DOUBT: Final = 2.0  # how many times as far off as its searches suggest a review's judge is
LOOK_BY: Final = ""  # an option; by its value,
LOOKS: Final[Mapping[str, Look]] = {}  # how positions are sketched
LEVELS_BY: Final[Mapping[str, Mapping[str, Tuning]]] = {}  # and what there differs from LEVELS
SCORING: Final = "moves"  # points come from; or "turns", or "alone": turns that none can touch

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
def sketch(state: np.record, seat: int, out: npt.NDArray[np.int32]) -> int:
    """No position is judged at a glance."""
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
def reach(state: np.record) -> int:
    """As far as playing on goes elsewhere."""
    _, horizon = outlooked(state)
    return horizon


@kernel
def appraise(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """The points count as they stand."""


@kernel
def unveil(state: np.record, seat: int) -> int:
    """Nothing is known about endings."""
    return 0


@kernel
def proceed(state: np.record, action: int) -> None:
    """As the rules say."""
    apply(state, action)


@kernel
def identify(state: np.record, out: Digest) -> None:
    """No position is remembered."""
    out[0] = 0


@kernel
def forecast(
    state: np.record, points: npt.NDArray[np.float64], results: npt.NDArray[np.float64]
) -> None:
    """As if it ended so, with the points that are expected."""
    expected = np.zeros(MAX_SEATS, np.int32)
    scores(state, expected)
    appraised(state, expected)
    count = seats(state)
    most = expected[:count].max()
    leaders = 0
    for seat in range(count):
        leaders += expected[seat] == most
    for seat in range(count):
        points[seat] = expected[seat]
        share = 1.0 / leaders if expected[seat] == most else 0.0
        results[seat] = (count * share - 1.0) / (count - 1) if count > 1 else 0.0
