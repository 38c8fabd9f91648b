"""A position with a past that every seat remembers its own way, for OpenSpiel.

Positions make it quick to step; what a seat remembers is the log of a `Match`, which is
brought up to date when it is asked for. A world can be copied, pickled, and imagined anew
from what one seat knows.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.core.errors import GameError
from kwartet.core.game import Game, Options
from kwartet.core.match import Match
from kwartet.core.position import Position
from kwartet.core.verbs import CHANCE
from kwartet.games import find

HIDDEN_TEXTS: Final = 1 << 16  # so many numbers stand for moves that a seat did not see


@dataclass(frozen=True)
class Dream:
    """What one seat imagined: from which ply on the log tells what happened in it."""

    seat: int
    seed: int
    ply: int
    actions: int  # that led there
    hands: tuple[int, ...]  # by seat: a number for what it holds in the dream


class World:
    """Where a match stands and how it came there."""

    def __init__(self, game: Game, options: Options, actions: Sequence[int] = ()) -> None:
        self.game = game
        self.options = options
        self.position = Position(game, options)
        self.actions: list[int] = []
        self.dream: Dream | None = None
        self._match: Match | None = None
        self._plies: list[int] = []  # the ply of each action that the match knows of
        for action in actions:
            self.apply(action)

    def apply(self, action: int) -> None:
        """Play the actor's action; GameError if it is not legal."""
        self.position.apply(action)
        self.actions.append(action)

    @property
    def match(self) -> Match:
        """The match with its log, up to date."""
        if self._match is None:
            self._match = Match(self.game, self.options, auto_chance=False)
        for action in self.actions[len(self._plies) :]:
            self._match.extend([action])
            self._plies.append(self._match.ply - 1)
        return self._match

    def chances(self) -> list[tuple[int, float]]:
        """Each outcome that chance has, and how likely it is."""
        weights = self.position.weights()
        return list(zip(self.position.legal, (weights / weights.sum()).tolist(), strict=True))

    def name(self, player: int, action: int) -> str:
        """The player's action in notation."""
        actor = CHANCE if player < 0 else player
        (name,) = self.game.notation.names(self.position.states[0], actor, [action])
        return str(name)

    def board(self, seat: int | None) -> list[str]:
        """The lines of the board as the seat (None: a spectator) sees it."""
        text: str = self.game.views.text(self.match.view(seat))
        return text.split("\n")

    def memory(self, seat: int | None) -> list[str]:
        """Everything that the seat (None: a spectator) saw happen, in order."""
        log = self.match.log(seat)
        if self.dream is None or seat is None or self.dream.seat == seat:
            return log
        # In a dream another seat holds other cards than the log says it was given.
        ply = self.dream.ply
        return [*self.match.log(None)[:ply], f"({self.dream.hands[seat]:08x})", *log[ply:]]

    def write_memory(self, seat: int | None, out: npt.NDArray[np.float32]) -> None:
        """The same as numbers, one an action: its number + 1, or −1 − n if it was not seen."""
        out[:] = 0
        moves, memory = self.match.moves, self.match.log(seat)
        for index, (action, ply) in enumerate(zip(self.actions, self._plies, strict=True)):
            seen = moves[ply] == memory[ply]
            out[index] = action + 1 if seen else -1 - _number(memory[ply]) % HIDDEN_TEXTS

    def imagine(self, seat: int, seed: int) -> "World":
        """A world that the seat cannot tell from this one, at random."""
        twin = self.copy()
        match = self.match.imagined(seat, seed)
        twin._match = match
        twin._plies = self._plies.copy()
        twin.position.replace(match.state)
        hands = tuple(zlib.crc32(match.redacted(each).tobytes()) for each in range(match.seats))
        twin.dream = Dream(seat, seed, match.ply, len(self.actions), hands)
        return twin

    def copy(self) -> "World":
        """An independent world with the same past."""
        twin = World.__new__(World)
        twin.game, twin.options, twin.dream = self.game, self.options, self.dream
        twin.position = self.position.copy()
        twin.actions, twin._plies = self.actions.copy(), self._plies.copy()
        twin._match = self._match.copy() if self._match else None
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "World":
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., "World"], tuple[Any, ...]]:
        if self.dream is not None:
            raise GameError("bad-record", "An imagined world cannot be stored.")
        return _again, (self.game.key, self.options, self.actions)


def _again(key: str, options: Options, actions: list[int]) -> World:
    return World(find(key), options, actions)


def _number(text: str) -> int:
    return zlib.crc32(text.encode())
