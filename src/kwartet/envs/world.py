"""A position whose past every seat remembers its own way, for OpenSpiel.

What a seat remembers is the log of the position's match. A world can be copied, pickled,
and imagined anew from what one seat knows.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from kwartet.core.errors import GameError
from kwartet.core.game import Game, Options
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


class World(Position):
    """Where a match stands, and what each seat remembers of how it came there."""

    __slots__ = ("dream",)

    def __init__(self, game: Game, options: Options, actions: Sequence[int] = ()) -> None:
        super().__init__(game, options)
        self.dream: Dream | None = None
        for action in actions:
            self.apply(action)

    def chances(self) -> list[tuple[int, float]]:
        """Each outcome that chance has, and how likely it is."""
        weights = self.chance_weights()
        return list(zip(self.legal_actions, (weights / weights.sum()).tolist(), strict=True))

    def name(self, player: int, action: int) -> str:
        """The player's action in notation."""
        actor = CHANCE if player < 0 else player
        (name,) = self.game.notation.names(self.states[0], actor, [action])
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
        match = self.match
        index = 0
        for move, known, length in zip(match.moves, match.log(seat), match.lengths, strict=True):
            for action in self.actions[index : index + length]:
                out[index] = action + 1 if move == known else -1 - _number(known) % HIDDEN_TEXTS
                index += 1

    def imagine(self, seat: int, seed: int) -> Self:
        """A world that the seat cannot tell from this one, at random."""
        twin = self.copy()
        match = self.match.imagined(seat, seed)
        twin._match = match
        twin.states = match.state
        twin._look()
        hands = tuple(zlib.crc32(match.redacted(each).tobytes()) for each in range(match.seats))
        twin.dream = Dream(seat, seed, match.ply, len(self.actions), hands)
        return twin

    def copy(self) -> Self:
        """An independent world with the same past."""
        twin = super().copy()
        twin.dream = self.dream
        return twin

    def __reduce__(self) -> tuple[Callable[..., "World"], tuple[Any, ...]]:
        if self.dream is not None:
            raise GameError("bad-record", "An imagined world cannot be stored.")
        return _again, (self.game.key, self.options, self.actions)


def _again(key: str, options: Options, actions: list[int]) -> World:
    return World(find(key), options, actions)


def _number(text: str) -> int:
    return zlib.crc32(text.encode())
