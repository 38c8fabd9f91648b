"""One match as an environment plays it: actions in, observations with masks and rewards out.

Steps go through a `Position`; its match, with log and notation, is only made when a bot or
a picture asks for it.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.core import features
from kwartet.core.chance import Generator, generator
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game
from kwartet.core.match import Match
from kwartet.core.position import Position
from kwartet.core.verbs import CHANCE
from kwartet.games import find

Observation = dict[str, npt.NDArray[Any]]  # "observation" and "action_mask"

REWARDS: Final = ("result", "points")
ILLEGAL: Final = ("raise", "end")
PENALTY: Final = -1.0  # of the seat whose illegal action ended the match


class Episode:
    """Matches of one game, one after the other; chance is played inside."""

    def __init__(
        self, game: str | Game, reward: str | None, illegal: str, options: dict[str, Any]
    ) -> None:
        self.game = find(game) if isinstance(game, str) else game
        self.options = self.game.settle(options)
        self._root = Position(self.game, self.options)
        self.seats = self._root.seats
        self.in_points = _chosen("reward", reward or self._usual_reward(), REWARDS) == "points"
        self.ends_on_illegal = _chosen("illegal", illegal, ILLEGAL) == "end"
        self.size = features.size(self.game.features.FIELDS)
        self.position: Position | None = None  # before the first match
        self.rewards = [0.0] * self.seats  # of the last step
        self.ended = True
        self._rng: Generator = generator(0)

    def begin(self, seed: int) -> None:
        """Begin a match with this luck."""
        self.position = self._root.copy()
        self.rewards = [0.0] * self.seats
        self.ended = False
        self._rng = generator(seed)
        self._draw(self.position)

    @property
    def actor(self) -> int:
        """The seat to act; the match has begun and not ended."""
        return self._running().actor

    def play(self, action: Any) -> None:
        """Play the actor's action, then chance; GameError as `illegal` says, or after the end."""
        position = self._running()
        number = _whole(action)
        if number is None or number not in position.legal_actions:
            if not self.ends_on_illegal:
                raise self._refusal(action, number)
            self.rewards = [0.0] * self.seats
            self.rewards[position.actor] = PENALTY
            self.ended = True
            return
        before = position.scores() if self.in_points else None
        position.apply(number)
        self._draw(position)
        self.ended = position.is_over
        if before is None:
            self.rewards = position.returns()
        else:
            pairs = zip(position.scores(), before, strict=True)
            self.rewards = [float(now - then) for now, then in pairs]

    def observation(self, seat: int) -> Observation:
        """What the seat sees, and its mask: nothing but zeros when it is not to act."""
        position = self._begun()
        seen = np.empty(self.size, np.float32)
        position.observe(seat, seen)
        return {"observation": seen, "action_mask": self.mask(seat)}

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """1 for each action that the seat may play now."""
        mask = np.zeros(self.game.rules.ACTIONS, np.int8)
        if self.position is not None and not self.ended and self.position.actor == seat:
            mask[self.position.legal_actions] = 1
        return mask

    @property
    def match(self) -> Match:
        """The match as it stands, with its log. Not to be changed."""
        return self._begun().match

    def scores(self) -> list[int]:
        """One number a seat, as it stands."""
        return self._begun().scores()

    def _usual_reward(self) -> str:
        return "points" if self.seats == 1 else "result"

    def _draw(self, position: Position) -> None:
        while position.actor == CHANCE:
            position.apply(position.random_action(self._rng))

    def _begun(self) -> Position:
        if self.position is None:
            raise GameError("game-over", "No match has begun; call reset first.")
        return self.position

    def _running(self) -> Position:
        position = self._begun()
        if self.ended:
            raise GameError("game-over", "The match is over; call reset to begin another.")
        return position

    def _refusal(self, action: Any, number: int | None) -> GameError:
        last = self.game.rules.ACTIONS - 1
        if number is None:
            sentence = f"An action is a whole number from 0 to {last}, not {quoted(action)}."
        elif not 0 <= number <= last:
            sentence = f"Action {quoted(number)} is out of range; actions are 0 to {last}."
        else:
            sentence = f"Action {number} is masked: action_mask[{number}] is 0."
        return GameError("illegal-move", sentence)


def _whole(action: Any) -> int | None:
    """The number that an action is; None if it is none."""
    if isinstance(action, np.ndarray) and action.shape in ((), (1,)):
        action = action.reshape(())[()]
    if isinstance(action, int | np.integer) and not isinstance(action, bool):
        return int(action)
    return None


def _chosen(name: str, value: Any, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise GameError(
            "bad-option", f"{name} is one of {', '.join(choices)}, not {quoted(value)}."
        )
    return str(value)
