"""A bot that plays what looks best at first sight, of the moves that it notices."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kwartet.bots.bot import Turn
from kwartet.bots.greed import any_best, rate_actions
from kwartet.bots.prior import Prior
from kwartet.core.chance import Generator, below, generator
from kwartet.core.engine import Actions, States
from kwartet.core.game import Game
from kwartet.core.kernels import kernel
from kwartet.core.verbs import candidates, describe, survey


@dataclass
class Instinct:
    """Overlooks moves at random; of the rest plays the one its prior likes best.

    Without a prior it takes the most points it can get this turn.
    """

    game: Game
    prior: Prior
    attention: float  # the share of moves that it notices

    def choose(self, turn: Turn) -> int:
        """The best of the actions that it notices, of equal ones any."""
        rng = generator(turn.seed)
        actions = self._notice(turn, rng)
        if len(actions) == 1:
            return int(actions[0])
        if len(self.prior.weights):
            appeal = rate_by_prior(self.game, turn.state, actions, self.prior)
        else:
            appeal = rate_actions(self.game, turn.state, actions, rng)
        return any_best(actions, appeal, rng)

    def _notice(self, turn: Turn, rng: Generator) -> Actions:
        actions = np.empty(self.game.rules.MAX_LEGAL, np.int32)
        actions = actions[: list_candidates(turn.state, actions)]
        noticed = [action for action in actions if below(rng, 1000) < 1000 * self.attention]
        return np.array(noticed or [actions[below(rng, len(actions))]], np.int32)


def rate_by_prior(
    game: Game, states: States, actions: Actions, prior: Prior
) -> npt.NDArray[np.float64]:
    """The sum of each action's weights."""
    out = np.empty(len(actions))
    notes = np.zeros(game.knowledge.notes, np.int32)
    features = np.zeros(game.knowledge.max_features, np.int32)
    _rate(states.copy(), actions, prior.weights, notes, features, out)
    return out


@kernel
def list_candidates(states: States, out: Actions) -> int:
    """Write the legal actions, of equivalent ones the first; return how many."""
    return candidates(states[0], out)


@kernel
def _rate(
    states: States,
    actions: Actions,
    weights: npt.NDArray[np.float32],
    notes: npt.NDArray[np.int32],
    features: npt.NDArray[np.int32],
    out: npt.NDArray[np.float64],
) -> None:
    survey(states[0], notes)
    for index in range(len(actions)):
        out[index] = 0.0
        for number in range(describe(states[0], int(actions[index]), notes, features)):
            out[index] += weights[features[number]]
