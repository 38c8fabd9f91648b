"""What a search should know about connect four: win at once, or keep the other from it."""

import numpy as np

from examples.connect_four.rules import COLUMNS, has_four, landing, random_action
from kwartet import Generator, kernel


@kernel
def likely_action(state: np.record, rng: Generator) -> int:
    """A column that wins; else one that the other would win in; else any."""
    for other in range(2):
        side = state.seat if other == 0 else 1 - state.seat
        for column in range(COLUMNS):
            disc = landing(state, column)
            if disc and has_four(state.discs[side] | disc):
                return column
    return random_action(state, rng)
