"""Stepping through a recorded match with the keyboard, with its review beside it."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from kwartet.cli.playing import keys
from kwartet.cli.playing.show import Screen
from kwartet.cli.reviewed import loss_text

if TYPE_CHECKING:
    from kwartet.core.match import Match
    from kwartet.reviews import Review

FORWARD: Final = ("\x1b[C", "\x1bOC", "\xe0M", "\x00M", " ", "n", "l", "\r", "\n", "")
BACK: Final = ("\x1b[D", "\x1bOD", "\xe0K", "\x00K", "b", "p", "h", "\x7f")
FIRST: Final = ("\x1b[A", "\x1bOA", "\xe0H", "\x00H", "\x1b[H", "0", "^")
LAST: Final = ("\x1b[B", "\x1bOB", "\xe0P", "\x00P", "\x1b[F", "$")
HELP: Final = "→ next, ← back, ↑ start, ↓ end, m to the next mistake, r review, q quit: "
PLAIN_HELP: Final = "n next, b back, d board, 0 start, $ end, m next mistake, r review, q quit: "
SPOILT: Final = ("mistake", "blunder")


class Stepper:
    """A match of which one position is shown at a time."""

    def __init__(
        self,
        match: "Match",
        names: Sequence[str],
        review: Callable[[], "Review"],
        *,
        plain: bool,
        ended: str = "",
    ) -> None:
        """`ended` tells how the match did."""
        from kwartet.core.records import actors_of

        self._match = match
        self._screen = Screen(match.game, names, plain=plain)
        self._make_review = review
        self._review: Review | None = None
        self._actors = actors_of(match)
        self._ended = ended
        self._is_described = True  # whether all of the board is to be told
        self.ply = 0

    def run(self, *, reviewed: bool = False) -> None:
        """Until somebody has seen enough."""
        if reviewed:
            self._review = self._make_review()
        while True:
            self._screen.clear()
            if self._screen.plain and not self._is_described:
                self._screen.tell(self._view(), self._told())
            else:
                self._screen.show(self._view(), self._told())
            try:
                pressed = keys.key(PLAIN_HELP if self._screen.plain else HELP)
            except (EOFError, KeyboardInterrupt):
                return
            if pressed in ("q", "\x1b"):
                return
            self.press(pressed)

    def press(self, pressed: str) -> None:
        """Go where a key leads."""
        end = self._match.ply
        self._is_described = pressed == "d"
        if pressed in FORWARD:
            self.ply = min(end, self.ply + 1)
        elif pressed in BACK:
            self.ply = max(0, self.ply - 1)
        elif pressed in FIRST:
            self.ply = 0
        elif pressed in LAST:
            self.ply = end
        elif pressed == "r" and self._review is None:
            self._review = self._make_review()
        elif pressed == "m":
            self.ply = next(iter(self._mistakes()), self.ply)

    def _mistakes(self) -> list[int]:
        """After which plies something was spoilt, from here on."""
        if self._review is None:
            self._review = self._make_review()
        judged = [each.ply + 1 for each in self._review.decisions if each.verdict in SPOILT]
        return [ply for ply in judged if ply > self.ply]

    def _view(self) -> dict[str, Any]:
        """The position with every hand open: the match has been recorded."""
        from kwartet.core.scene import Look, seen

        past = self._match.beginning()
        past.follow(self._match.moves[: self.ply])
        return seen(past, Look(everything=True))

    def _told(self) -> list[str]:
        """The move that led here, and what the review thinks of it."""
        if self.ply == 0:
            return [f"The beginning; {self._match.ply} moves follow."]
        actor, move = self._actors[self.ply - 1], self._match.moves[self.ply - 1]
        who = "Luck" if actor is None else self._screen.names[actor]
        told = [f"{self.ply} of {self._match.ply}. {who}: {move.removeprefix('*')}."]
        for each in self._review.decisions if self._review else ():
            if each.ply == self.ply - 1 and self._review:
                told.append(loss_text(self._review, each))
        return told + [self._ended] * (self.ply == self._match.ply and bool(self._ended))
