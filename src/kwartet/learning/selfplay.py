"""A player against itself, and what it thought of every decision.

Actions are drawn as often as the player looked at them, so that matches differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kwartet.bots.bot import Analysis, Analyst, Turn, turn_of
from kwartet.core.chance import Generator, below, generator
from kwartet.core.engine import States
from kwartet.core.match import Match

_PARTS = 1 << 20  # of a share of random moves


@dataclass(frozen=True)
class Decision:
    """One decision of a match, and what the player thought of it."""

    state: States  # everything, also what the seat may not know
    turn: Turn
    found: Analysis
    is_random: bool  # whether any legal action was played instead

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """What the player expects for every seat; NaN where it says nothing of others.

        For the seat to act that is the value of what it looked at most: a mean would count what
        it tried and gave up, too. Of two seats one loses what the other wins.
        """
        seats = len(self.turn.scores)
        own = float(self.found.values[self.found.order[0]])
        if seats > 2 and self.found.expected is not None:
            values = self.found.expected.copy()
        else:
            values = np.full(seats, -own if seats == 2 else np.nan)
        values[self.turn.seat] = own
        return values


def decisions(
    match: Match, player: Analyst, seed: int, *, random_moves: float = 0.0
) -> Iterator[Decision]:
    """Play the match to its end; every decision between several actions as it is made.

    With `random_moves` that share of the decisions is left to chance.
    """
    rng = generator(seed, 1)
    while match.actor is not None:
        turn = turn_of(match, seed=below(rng, 1 << 31))
        if len(turn.legal_actions) == 1:
            match.play(turn.legal_actions[0])
            continue
        found = player.analyse(turn)
        is_random = random_moves > 0 and below(rng, _PARTS) < random_moves * _PARTS
        yield Decision(match.state, turn, found, is_random)
        match.play(_random(turn, rng) if is_random else _drawn(found, rng))


def _random(turn: Turn, rng: Generator) -> int:
    return turn.legal_actions[below(rng, len(turn.legal_actions))]


def _drawn(found: Analysis, rng: Generator) -> int:
    """An action, as often as it was looked at."""
    drawn = below(rng, int(found.visits.sum()))
    return int(found.actions[np.searchsorted(np.cumsum(found.visits), drawn, "right")])
