"""What was answered before, so that a repeated wish is answered again and not done again."""

import hashlib
from typing import Final

import msgspec

from kwartet.core.errors import GameError
from kwartet.server import events as e
from kwartet.server import messages as m

KEPT: Final = 4000  # at a table; a match has a few hundred moves

Answers = dict[tuple[str, str], "Answer"]  # by player and id


class Answer(msgspec.Struct, frozen=True):
    """How a wish was answered, and which wish it was."""

    version: int
    ply: int
    digest: str
    hints: list[m.HintView] | None = None  # what was advised, where that was asked and is known

    def again(self, request: str, asked: str) -> m.Accepted:
        """The same answer; GameError if it is not the same wish."""
        if asked != self.digest:
            raise GameError("id-used", "This id was used for something else.")
        return m.Accepted(request, self.version, self.ply, hints=self.hints or [])


def digest(command: m.Command) -> str:
    """What tells one wish from another."""
    return hashlib.blake2b(m.encode(command), digest_size=8).hexdigest()


def remember(answers: Answers, number: int, body: e.Body, ply: int) -> None:
    """Keep the answer to the wish that this entry carried out."""
    if body.by and body.request:
        keep(answers, body.by, body.request, Answer(number, ply, body.digest))


def keep(answers: Answers, by: str, request: str, answer: Answer) -> None:
    """Remember the answer to a wish; the oldest ones are forgotten."""
    answers[by, request] = answer
    while len(answers) > KEPT:
        del answers[next(iter(answers))]
