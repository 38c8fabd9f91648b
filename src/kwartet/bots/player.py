"""Bots as a program meets them: by name, for any match of any game.

    expert = kwartet.bot("expert")
    match.play(expert.choose(match))

A player keeps a bot of its own for each seat of each match, so a bot that remembers sees
what one seat sees, even if the player has all seats.
"""

import random
import secrets
from dataclasses import dataclass
from typing import Final, cast
from weakref import WeakKeyDictionary

import numpy as np

from kwartet.bots import catalogue
from kwartet.bots.bot import Analysis, Analyst, Bot, Turn, ask, turn_of
from kwartet.bots.program import follow
from kwartet.core.errors import GameError, named, quoted
from kwartet.core.match import Match
from kwartet.games import find

MOST: Final = 1_000_000_000  # simulations, threads or seconds; nobody waits for so many


@dataclass(frozen=True)
class Choice:
    """A legal move, and what a bot thinks of it."""

    move: str
    action: int
    share: float  # of the simulations; of a solution, 1.0 for the best move
    worth: float  # result that the seat expects, −1 to 1; alone, the final score
    exact: bool = False  # whether the worth is certain, if everybody plays well


def levels(game: str) -> dict[str, str]:
    """Each level of the game and a sentence on how it plays; GameError if there is no such game."""
    return catalogue.describe(find(game))


class Player:
    """A bot by its name, for whatever match it is given. Each seat has its own memory."""

    def __init__(
        self,
        name: str,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        """GameError if there is no such bot, or if it cannot be told to play so.

        `seconds` bound a move; a level that fills its time uses nearly all of them.
        `simulations` set how far a search goes instead of its level, and with the same `seed`
        and `threads` it then gives the same answers everywhere.
        """
        if not isinstance(name, str):
            raise GameError("unknown-bot", f"A bot has a name, not {quoted(name)}.")
        if simulations is not None:
            name = f"{name}@{_whole('simulations', simulations)}"
        catalogue.check(name)
        self.name = name
        self.threads = _whole("threads", threads)
        self.seconds = _seconds(seconds)
        if seed is not None and type(seed) is not int:
            raise GameError("bad-seed", f"A seed is a whole number, not {quoted(seed)}.")
        self._luck = secrets.randbits(64) if seed is None else seed
        self._bots: WeakKeyDictionary[Match, dict[int, Bot]] = WeakKeyDictionary()

    def choose(self, match: Match, *, seconds: float | None = None) -> str:
        """The move that it would play for the seat to act, from what that seat knows.

        `seconds` bound this answer. GameError if no seat is to act, or if the bot fails.
        """
        turn = self._turn(match, _seconds(seconds))
        bot = self._bot(match, turn)
        follow(bot, match)
        return turn.name(ask(bot, turn))

    def analyse(self, match: Match, *, seconds: float | None = None) -> list[Choice]:
        """What it thinks of the legal moves, the best first; of equivalent ones it has one.

        GameError if no seat is to act, or if the bot does not weigh moves.
        """
        turn = self._turn(match, _seconds(seconds))
        bot = self._bot(match, turn)
        if not callable(getattr(bot, "analyse", None)):
            raise GameError(
                "bad-bot",
                f"{self.name} does not weigh moves in {turn.game.title}; "
                "bots that search or know the exact solution do.",
            )
        try:
            return _choices(turn, cast("Analyst", bot).analyse(turn))
        except (GameError, KeyboardInterrupt):
            raise
        except BaseException as error:  # whatever a foreign bot does
            raise GameError(
                "bad-bot", f"{self.name} failed at ply {turn.ply}: {named(error)}."
            ) from error

    def __repr__(self) -> str:
        return f"<Player {self.name}>"

    def _turn(self, match: Match, seconds: float | None) -> Turn:
        seed = random.Random(f"{self._luck}/{match.ply}").getrandbits(32)
        return turn_of(match, seed=seed, seconds=self.seconds if seconds is None else seconds)

    def _bot(self, match: Match, turn: Turn) -> Bot:
        """The one that has this seat of this match."""
        seats = self._bots.setdefault(match, {})
        if turn.seat not in seats:
            seats[turn.seat] = catalogue.create(
                self.name, match.game, options=match.options, threads=self.threads
            )
        return seats[turn.seat]


def _choices(turn: Turn, found: Analysis) -> list[Choice]:
    shares = found.visits / max(1, found.visits.sum())
    proven = np.zeros(len(shares), np.bool_) if found.proven is None else found.proven
    choices = []
    for index in found.order:
        action = turn.read(found.actions[index])
        share, worth = float(shares[index]), float(found.values[index])
        exact = bool(proven[index])
        choices.append(Choice(turn.name(action), action, share, worth, exact))
    if not np.isfinite([(choice.share, choice.worth) for choice in choices]).all():
        raise ValueError("a share or a worth is no number")
    return choices


def _whole(name: str, value: object) -> int:
    if type(value) is not int or not 1 <= value < MOST:
        raise GameError(
            "bad-option", f"{name} is a whole number from 1 to {MOST - 1}, not {quoted(value)}."
        )
    return value


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < MOST:
        return float(value)
    raise GameError("bad-option", f"seconds is a number above 0, not {quoted(value)}.")
