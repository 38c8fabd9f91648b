"""A match as a review reads it: the state before each ply and what was played there."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kwartet.core import engine
from kwartet.core.engine import States
from kwartet.core.game import Game
from kwartet.core.match import Match
from kwartet.core.verbs import CHANCE, OVER
from kwartet.reviews.measuring import Worths


@dataclass(frozen=True)
class Story:
    """Moves from a state on, each of one or several actions, with their notation."""

    game: Game
    seats: int
    start: States
    moves: tuple[tuple[int, ...], ...]
    texts: tuple[str, ...]
    since: int = 0  # the ply from which on it is looked at

    @classmethod
    def of(cls, match: Match, start: States | None = None, since: int = 0) -> "Story":
        """What was played in a match, from its beginning or from another state."""
        actions = iter(match.actions)
        moves = tuple(tuple(next(actions) for _ in range(length)) for length in match.lengths)
        begun = match.beginning().state if start is None else start
        return cls(match.game, match.seats, begun, moves, tuple(match.moves), since)

    @cached_property
    def states(self) -> list[States]:
        """Before each move, and at the end."""
        states = [self.start]
        for move in self.moves:
            after = states[-1].copy()
            engine.apply(after, np.array(move, np.int32))
            states.append(after)
        return states

    @cached_property
    def actors(self) -> list[int]:
        """Who acts before each move, a seat or CHANCE; at last OVER."""
        points, wins = np.zeros(self.seats, np.int32), np.zeros(self.seats, np.int8)
        return [int(engine.situation(state, points, wins)) for state in self.states]

    @cached_property
    def results(self) -> Worths:
        """What each seat came to; of a match that was broken off, the points as they stood."""
        points, wins = np.zeros(self.seats, np.int32), np.zeros(self.seats, np.int8)
        engine.situation(self.states[-1], points, wins)
        results = np.zeros(self.seats)
        if self.is_over:
            engine.returns(self.states[-1], wins, results)
        return np.column_stack([results, points])

    def legal_actions(self, ply: int) -> list[int]:
        """What could be played there."""
        legal = np.empty(self.game.rules.MAX_LEGAL, np.int32)
        listed: list[int] = legal[: engine.legal_actions(self.states[ply], legal)].tolist()
        return listed

    def redacted(self, ply: int) -> States:
        """The state as the seat that acts there knows it."""
        states = self.states[ply].copy()
        engine.redact(states, self.actors[ply])
        return states

    def name(self, ply: int, action: int) -> str:
        """An action of the seat that acts there, in notation."""
        names = self.game.notation.names(self.redacted(ply)[0], self.actors[ply], [action])
        return str(names[0])

    @property
    def is_over(self) -> bool:
        """Whether it has an end."""
        return self.actors[-1] == OVER

    @property
    def plies(self) -> range:
        """What there is to look at: each move, and the last position if it is not the end."""
        return range(self.since, len(self.moves) + (not self.is_over))

    @property
    def total(self) -> int:
        """How many plies there are to look at."""
        return len(self.plies)

    @property
    def deciders(self) -> list[int]:
        """Who acted at each move that is looked at, a seat or CHANCE."""
        return self.actors[self.since : len(self.moves)]

    def is_chance(self, ply: int) -> bool:
        """Whether chance acts there."""
        return self.actors[ply] == CHANCE
