"""A match in this process: people at this terminal, bots in the other seats, saved as it goes."""

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kwartet.cli.playing import keys
from kwartet.cli.playing.places import Hint, Told
from kwartet.cli.playing.words import ending, result
from kwartet.cli.terminal import show_error
from kwartet.core.errors import GameError

if TYPE_CHECKING:
    from kwartet.bots.bot import Bot
    from kwartet.cli.playing.saves import Save
    from kwartet.core.match import Match

RESIGNING: Final = {"resign": "give the match up"}
PLAYS_ON: Final = "casual"  # the bot that moves for a seat which gave up, as on a server
Busy = Callable[[str], AbstractContextManager[None]]  # shows that somebody thinks


class Local:
    """A `Place` for a match that is played here."""

    def __init__(
        self,
        match: "Match",
        names: Sequence[str],
        bots: Mapping[int, "Bot"],
        save: "Save | None",
        busy: Busy,
        seed: int | None = None,
    ) -> None:
        from kwartet.core.records import actors_of

        self.game = match.game
        self.names = list(names)
        self.hides = bool(match.game.rules.SECRETS)
        self._match = match
        self._bots = dict(bots)
        self._resigned: list[int] = []
        self._is_given_up = False
        self._save = save
        self._busy = busy
        self._unsaved = ""  # why the match could not be saved last
        self._luck = random.Random(seed)
        self._actors: list[int | None] = actors_of(match)

    def awaits(self) -> str:
        """Everybody is here."""
        return ""

    def actor(self) -> int | None:
        """The seat to act; None when the match is over."""
        return None if self._is_given_up else self._match.actor

    def is_here(self, seat: int) -> bool:
        """Whether a person plays it."""
        return seat not in self._bots

    def view(self, seat: int | None) -> dict[str, Any]:
        """What the seat sees."""
        return self._match.view(seat)

    def legal(self) -> list[str]:
        """What the seat to act may play."""
        return self._match.legal()

    def log(self, seat: int | None) -> list[Told]:
        """Everything played so far as the seat may know it."""
        return [
            Told(actor, move)
            for actor, move in zip(self._actors, self._match.log(seat), strict=True)
        ]

    def read(self, move: str) -> None:
        """GameError if the seat to act may not play this."""
        self._match.read(move)

    def play(self, move: str | int) -> None:
        """Play for the seat to act, draw what chance brings, and save."""
        seat, before = self._match.actor, self._match.ply
        self._match.play(move)
        self._actors += [seat] + [None] * (self._match.ply - before - 1)
        self._keep()

    def undo(self) -> str:
        """Take back to the last decision of a person."""
        trial = self._match.copy()
        trial.undo()
        while (seat := trial.actor) is None or seat in self._bots:
            trial.undo()
        for _ in range(self._match.ply - trial.ply):
            if self._match.ply > trial.ply:
                self._match.undo()
        del self._actors[self._match.ply :]
        self._keep()
        return "Taken back."

    def hints(self) -> list[Hint]:
        """What an expert would play who knows no more than the seat to act."""
        from kwartet.reviews.advice import advise

        seat = self._match.actor
        assert seat is not None
        with self._busy("An expert is thinking …"):
            return [Hint(each.move, each.reason) for each in advise(self._match, seat)]

    def trial(self, seat: int) -> "Match":
        """A match as the seat knows it, to try moves on; it draws nothing."""
        twin = self._match.imagined(seat, 0) if self.hides else self._match.copy()
        twin.auto_chance = False
        return twin

    def left(self) -> None:
        """No clock runs here."""

    def wait(self) -> bool:
        """Let the bot play whose turn it is."""
        from kwartet.bots.bot import ask, turn_of
        from kwartet.bots.program import follow

        seat = self._match.actor
        if seat is None or seat not in self._bots:
            return False
        follow(self._bots[seat], self._match)
        with self._busy(f"{self.names[seat]} is thinking …"):
            self.play(ask(self._bots[seat], turn_of(self._match, seed=self._luck.getrandbits(32))))
        return True

    def ask(self, prompt: str) -> str:
        """What somebody types."""
        return keys.line(prompt)

    def question(self) -> bool:
        """Nobody asks: who plays here can speak."""
        return False

    def news(self) -> list[str]:
        """Nothing, for the same reason."""
        return []

    def words(self) -> Mapping[str, str]:
        """Who plays alone has nobody to leave the match to."""
        return RESIGNING if self._match.seats > 1 else {}

    def obey(self, word: str, rest: str, seat: int | None) -> str:
        """Resign: the match is over when fewer than two, or only bots, are left in it."""
        from kwartet.bots.catalogue import create

        assert seat is not None
        self._resigned.append(seat)
        left = self._left()
        if len(left) < 2 or all(other in self._bots for other in left):
            self._is_given_up = True
            self._keep()
            return ""
        self._bots[seat] = create(PLAYS_ON, self.game, threads=2)
        if self._save:
            self._save.hand_over(seat, PLAYS_ON)
        return f"{self.names[seat]} resigns; a bot plays on in that seat."

    def _left(self) -> list[int]:
        return [seat for seat in range(self._match.seats) if seat not in self._resigned]

    def lingers(self) -> bool:
        """Another match is another command."""
        return False

    def save(self, path: str | None) -> str:
        """Write the match there too, or say where it is anyway."""
        if self._save is None:
            raise GameError("no-record", "This match is not kept.")
        written = self._save.write(self._match, Path(path) if path else None)
        return f"Saved. Go on with: kwartet play {written}"

    def leave(self) -> str:
        """Where the match is; it was saved after every move."""
        if self._unsaved:
            return f"The match could not be saved. {self._unsaved}"
        if self._save is None or not self._save.path.exists():
            return "Until next time."
        if self.actor() is None:
            return f"The match is kept: kwartet review {self._save.path}"
        return "The match is saved. Go on with: kwartet play --resume"

    def ended(self) -> str:
        """How the match ended."""
        if self._is_given_up:
            gone = [self.names[seat] for seat in self._resigned]
            return ending(self.names, "resigned", self._match.scores(), self._left(), gone)
        return result(self.names, self._match.scores(), self._match.winners())

    def _keep(self) -> None:
        """Save; if that cannot be, say so once and play on."""
        if self._save is None:
            return
        try:
            self._save.write(self._match, given_up_to=self._left() if self._is_given_up else None)
            self._unsaved = ""
        except GameError as error:
            if not self._unsaved:
                show_error(error)
            self._unsaved = error.sentence
