"""What a search expects of an action before it has tried it.

A prior is a number for each feature that a game describes actions by. An action's share
of the expectation is e to the sum of its features' numbers, divided by that of all actions
(a linear softmax). No numbers: all actions are expected alike.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.core.errors import GameError, quoted
from kwartet.core.files import write_whole
from kwartet.core.game import Game

FILE: Final = "prior.json"  # in a game's folder
LARGE: Final = 30.0  # no weight is larger, so that no sum of them overflows


@dataclass(frozen=True)
class Prior:
    """The weights, and how they were made."""

    weights: npt.NDArray[np.float32]
    made: dict[str, Any] = field(default_factory=dict)


UNIFORM: Final = Prior(np.empty(0, np.float32))
_shipped: dict[Path, Prior] = {}  # that have been read


def shipped(game: Game) -> Prior:
    """The prior in the game's folder; UNIFORM if it has none."""
    path = game.folder / FILE
    if path not in _shipped:
        _shipped[path] = read(game, path) if path.exists() else UNIFORM
    return _shipped[path]


def read(game: Game, path: Path) -> Prior:
    """The prior in this file; GameError if it is not one for this game."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        weights = np.array(data["weights"], np.float32)
        made = dict(data["made"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise GameError("bad-file", f"{quoted(str(path))} is no prior: {error}.") from error
    fits = weights.shape == (count(game),) and bool((np.abs(weights) < LARGE).all())
    if data.get("game") != game.key or not fits:
        raise GameError(
            "bad-file",
            f"{quoted(str(path))} is no prior for {game.title} as it describes its actions now.",
        )
    return Prior(spread(game, weights), made)


def write(game: Game, path: Path, prior: Prior) -> None:
    """Keep a prior in a file, all at once or not at all."""
    ties = _ties(game)
    gathered = np.zeros(count(game), np.float32)
    gathered[ties] = prior.weights
    data = {
        "game": game.key,
        "made": prior.made,
        "weights": [round(float(weight), 3) or 0 for weight in gathered],  # many were never met
    }
    write_whole(path, json.dumps(data, separators=(",", ":")) + "\n")


def count(game: Game) -> int:
    """How many weights the game's features have: those that are tied have one."""
    return int(_ties(game).max(initial=-1)) + 1


def spread(game: Game, weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """A weight for each feature, from those that are tied."""
    return weights[_ties(game)]


def tied(game: Game, features: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The weights of these features."""
    return _ties(game)[features]


def _ties(game: Game) -> npt.NDArray[np.int32]:
    knowledge = game.knowledge
    return knowledge.ties() if knowledge.ties else np.arange(knowledge.features, dtype=np.int32)
