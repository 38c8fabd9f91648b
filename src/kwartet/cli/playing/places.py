"""Where a match is played: what the terminal must know of it, be it here or on a server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from kwartet.core.game import Game
    from kwartet.core.match import Match
    from kwartet.reviews.reasons import Reason


@dataclass(frozen=True)
class Told:
    """A move of the log as a watcher may know it."""

    seat: int | None  # None: chance
    move: str


@dataclass(frozen=True)
class Hint:
    """A good move, and what it does in points."""

    move: str
    reason: "Reason"


class Place(Protocol):
    """A match that somebody here may have a say in. Refusals raise GameError."""

    game: "Game"

    @property
    def names(self) -> Sequence[str]:
        """Who plays, by seat."""

    @property
    def hides(self) -> bool:
        """Whether seats see different things."""

    def awaits(self) -> str:
        """For whom or what the match has yet to wait before it begins, a sentence; else nothing."""

    def actor(self) -> int | None:
        """The seat to act; None when the match is over."""

    def is_here(self, seat: int) -> bool:
        """Whether somebody at this terminal plays it."""

    def view(self, seat: int | None) -> dict[str, Any]:
        """What the seat, or with None a spectator, sees."""

    def legal(self) -> list[str]:
        """What the seat to act may play, if it is here."""

    def log(self, seat: int | None) -> list[Told]:
        """Everything played so far as the seat may know it."""

    def read(self, move: str) -> None:
        """GameError if the seat to act may not play this."""

    def play(self, move: str) -> None:
        """Play for the seat to act."""

    def undo(self) -> str:
        """Take back to the last decision made here, or ask for it; a sentence says which."""

    def hints(self) -> list[Hint]:
        """Good moves for the seat to act."""

    def trial(self, seat: int) -> "Match":
        """A match as the seat knows it, to try moves on; it draws nothing."""

    def left(self) -> float | None:
        """Seconds that the seat to act may still think; None where no clock runs."""

    def wait(self) -> bool:
        """Let the bot act that is to, if it thinks here; whether one did."""

    def ask(self, prompt: str) -> str | None:
        """What somebody types; None if the match went on before they began to."""

    def question(self) -> bool:
        """Whether others wait for a yes or no."""

    def news(self) -> list[str]:
        """What was said, asked and answered since this was called last, in sentences."""

    def words(self) -> Mapping[str, str]:
        """What can be typed here that cannot be everywhere, and what it does."""

    def obey(self, word: str, rest: str, seat: int | None) -> str:
        """Do what such a word says, for the seat if it is to act; a sentence tells of it."""

    def lingers(self) -> bool:
        """Whether something is left to be agreed on after the end."""

    def save(self, path: str | None) -> str:
        """Keep the match there; a sentence says where it is and how to go on."""

    def leave(self) -> str:
        """What becomes of the match when this terminal goes; a sentence."""

    def ended(self) -> str:
        """How a match that is over ended, a sentence or two."""
