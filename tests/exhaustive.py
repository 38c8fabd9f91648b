"""The exact value of a position by trying everything: plain, slow, for endings."""

from fractions import Fraction

import numpy as np

from kwartet.bots.tree import Settings, evaluate
from kwartet.core import engine
from kwartet.core.engine import States
from kwartet.core.game import Game
from kwartet.core.verbs import CHANCE, OVER


class Endings:
    """Values of positions near the end, remembered."""

    def __init__(self, game: Game, settings: Settings, limit: int = 200_000) -> None:
        self.game = game
        self.settings = settings
        self.left = limit  # positions that may still be looked at
        self._known: dict[bytes, list[float]] = {}

    def after(self, states: States, action: int) -> list[float]:
        """Each seat's value once this action is played."""
        following = states.copy()
        engine.advance(following, np.array([action], np.int32))
        return self.values(following)

    def values(self, states: States) -> list[float]:
        """Each seat's value when everyone plays for their own; OverflowError if it takes too long."""
        key = states.tobytes()
        if key not in self._known:
            self.left -= 1
            if self.left < 0:
                raise OverflowError
            self._known[key] = self._work_out(states)
        return self._known[key]

    def _work_out(self, states: States) -> list[float]:
        points, wins = np.zeros(8, np.int32), np.zeros(8, np.int8)
        acting = int(engine.situation(states, points, wins))
        if acting == OVER:
            out = np.zeros(8)
            evaluate(states[0], self.settings, points, wins, out)
            return [float(value) for value in out]
        legal = np.empty(self.game.rules.MAX_LEGAL, np.int32)
        actions = legal[: engine.list_legal(states, legal)].tolist()
        if acting != CHANCE:
            return max((self.after(states, action) for action in actions), key=lambda v: v[acting])
        weights = [engine.tickets(states, np.array([action], np.int32), 1) for action in actions]
        total = np.zeros(8)
        for action, weight in zip(actions, weights, strict=True):
            total += float(Fraction(int(weight), int(sum(weights)))) * np.array(
                self.after(states, action)
            )
        return [float(value) for value in total]
