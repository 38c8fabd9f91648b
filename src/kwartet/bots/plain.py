"""Bots that need no search: one plays at random, one takes what it can get at once."""

import numpy as np

from kwartet.bots.bot import Turn
from kwartet.bots.greed import any_best, rate_actions
from kwartet.core.chance import below, generator


class Random:
    """Plays any legal move, each as likely."""

    def choose(self, turn: Turn) -> int:
        """One of the legal actions."""
        return turn.legal_actions[below(generator(turn.seed), len(turn.legal_actions))]


class Greedy:
    """Takes the most points it can get this turn, whatever the others make of it."""

    def choose(self, turn: Turn) -> int:
        """The action with the best margin at the end of the turn; any of those that are equal."""
        rng = generator(turn.seed)
        actions = np.array(turn.legal_actions, np.int32)
        return any_best(actions, rate_actions(turn.game, turn.state, actions, rng), rng)
