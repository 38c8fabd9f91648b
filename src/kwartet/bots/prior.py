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


def shipped(game: Game) -> Prior:
    """The prior in the game's folder; UNIFORM if it has none."""
    path = game.folder / FILE
    return read(game, path) if path.exists() else UNIFORM


def read(game: Game, path: Path) -> Prior:
    """The prior in this file; GameError if it is not one for this game."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        weights = np.array(data["weights"], np.float32)
        made = dict(data["made"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise GameError("bad-file", f"{quoted(str(path))} is no prior: {error}.") from error
    fits = weights.shape == (game.knowledge.features,) and bool((np.abs(weights) < LARGE).all())
    if data.get("game") != game.key or not fits:
        raise GameError(
            "bad-file",
            f"{quoted(str(path))} is no prior for {game.title} as it describes its actions now.",
        )
    return Prior(weights, made)


def write(game: Game, path: Path, prior: Prior) -> None:
    """Keep a prior in a file, all at once or not at all."""
    data = {
        "game": game.key,
        "made": prior.made,
        "weights": [round(float(weight), 3) for weight in prior.weights],
    }
    write_whole(path, json.dumps(data) + "\n")
