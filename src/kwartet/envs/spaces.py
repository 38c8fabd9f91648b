"""The spaces that all environments share.

An observation is a dict of the numbers of the game's `features.FIELDS`, flat and in order,
and of the mask of legal actions. What the numbers mean is on the game's page in docs/games.
"""

from typing import Final

import numpy as np
from gymnasium import spaces

from kwartet.core import features
from kwartet.core.game import Game

LIMIT: Final = 64.0  # no number of an observation is larger; most are from 0 to 1


def observation_space(game: Game) -> spaces.Dict:
    """Of `observation`, float32 numbers, and `action_mask`, 1 for each legal action."""
    size = features.size(game.features.FIELDS)
    return spaces.Dict(
        {
            "observation": spaces.Box(-LIMIT, LIMIT, (size,), np.float32),
            "action_mask": spaces.Box(0, 1, (game.rules.ACTIONS,), np.int8),
        }
    )


def action_space(game: Game) -> spaces.Discrete:
    """The numbers of a seat's actions. To sample a legal one, hand `sample` the mask."""
    return spaces.Discrete(game.rules.ACTIONS)
