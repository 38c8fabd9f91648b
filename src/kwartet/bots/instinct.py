"""A bot that plays what seems good enough: it errs a little often, much seldom, and never more.

How good an action seems is told by what it scores this turn, by the prior, or by a game's exact
solution. Each time the bot is content with so much less than the best, anything from nothing to
its `slack`, and plays any action that seems no worse than that. However many poor actions there
are, what it lets go of stays within what a player of its kind would not notice.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kwartet.bots.bot import Turn
from kwartet.bots.exact import Exact
from kwartet.bots.greed import rate_actions
from kwartet.bots.prior import Prior
from kwartet.core.chance import Generator, below, generator
from kwartet.core.engine import Actions, States
from kwartet.core.game import Game
from kwartet.core.kernels import kernel
from kwartet.core.verbs import candidates, describe, survey

Rating = Callable[[Turn, Actions, Generator], npt.NDArray[np.float64]]

_STEPS = 1 << 20  # of what it is content with


@dataclass
class Instinct:
    """Plays any of the actions that seem good enough to it."""

    game: Game
    rate: Rating
    slack: float  # how much worse than the best what it plays may seem, at most

    def choose(self, turn: Turn) -> int:
        """One of the actions that seem as good as the best, but for what it lets go of now."""
        actions = np.empty(self.game.rules.MAX_LEGAL, np.int32)
        actions = actions[: list_candidates(turn.state, actions)]
        if len(actions) == 1:
            return int(actions[0])
        rng = generator(turn.seed)
        worths = self.rate(turn, actions, rng)
        content = worths.max() - self.slack * below(rng, _STEPS) / _STEPS
        good = np.flatnonzero(worths >= content)
        return int(actions[good[below(rng, len(good))]])


def by_points(turn: Turn, actions: Actions, rng: Generator) -> npt.NDArray[np.float64]:
    """By the points ahead of the others that each brings this turn."""
    return rate_actions(turn.game, turn.state, actions, rng)


def by_prior(prior: Prior) -> Rating:
    """By how likely a search is to look at each, in nats."""
    return lambda turn, actions, _: rate_by_prior(turn.game, turn.state, actions, prior)


def by_solution(exact: Exact) -> Rating:
    """By the final points that each leads to if the turns after it are played for points."""
    return lambda turn, actions, _: exact.points(turn, actions)


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
