"""Who looks at a table, and which of its positions they have not been shown yet.

A watcher takes the table as it is when its socket can. Bots are quicker than that, so the
latest positions are kept until everybody has been shown them; the usual case keeps one.
"""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Protocol

from kwartet.server.conduct.scene import Person

if TYPE_CHECKING:
    from kwartet.core.match import Match
    from kwartet.server.messages import TableMessage
    from kwartet.server.story import Story

STEPS: Final = 24  # positions that a slow reader is shown afterwards; older ones are left out
NOTHING_YET: Final = -1  # no position: the match has not begun


KINDS: Final = ("whole", "change")


class Told:
    """How much watchers were told, by kind of message."""

    def __init__(self) -> None:
        self.messages = dict.fromkeys(KINDS, 0)
        self.bytes = dict.fromkeys(KINDS, 0)

    def note(self, kind: str, size: int) -> None:
        """A message of so many bytes."""
        self.messages[kind] += 1
        self.bytes[kind] += size


class Line(Protocol):
    """Where a watcher's messages are written."""

    @property
    def is_free(self) -> bool:
        """Whether one can be written now."""

    def tell(self, frame: bytes) -> bool:
        """Write it; False if that cannot be now."""


class Watcher:
    """Somebody who looks at the table, and how much of it they know."""

    def __init__(
        self,
        person: Person | None,
        *,
        ply: int = 0,
        chat: int = 0,
        invite: str | None = None,
        takes_changes: bool = False,
        line: Line | None = None,
    ) -> None:
        self.person = person
        self.line = line  # where to write what is new; None: they ask for it
        self.edition = 0  # of the table, that they were told last
        self.takes_changes = takes_changes
        self.told: TableMessage | None = None  # last, by who takes changes of it
        self.invite = invite  # the invitation they came with, good or not
        self.ply = ply  # how much of the log they have
        self.chat = chat
        self.version = 0
        self.shown = NOTHING_YET  # the ply of the position they were shown last
        self.changed = asyncio.Event()  # set when something is to be told as soon as it can be

    def come(self, story: "Story", version: int) -> None:
        """Begin with the present, knowing `ply` moves at `version`."""
        self.ply = story.known_ply(version, self.ply)
        self.version = story.version
        self.shown = NOTHING_YET if story.state == "open" else story.ply

    def rewind(self, story: "Story") -> None:
        """Forget what was taken back since."""
        self.ply = story.known_ply(self.version, self.ply)
        self.shown = story.known_ply(self.version, self.shown)
        self.chat = min(self.chat, story.said)

    def know(self, story: "Story", *, has_match: bool) -> None:
        """All of the story was told; its moves only if there is a match to show them with."""
        self.chat = story.said
        if has_match:
            self.version, self.ply = story.version, story.ply
            self.shown = NOTHING_YET if story.state == "open" else story.ply


class Steps:
    """The latest positions of a match, back to what the slowest watcher was shown."""

    def __init__(self) -> None:
        self._positions: list[Match] = []

    def note(self, match: "Match", shown: Iterable[int]) -> None:
        """The match stands so now; `shown` are the plies that watchers have seen."""
        least = min(shown, default=match.ply)
        before = [step for step in self._positions if least < step.ply < match.ply]
        self._positions = [*before[-STEPS:], match]

    def between(self, shown: int, ply: int) -> "list[Match]":
        """The positions after the one at ply `shown` and before the one at `ply`."""
        return [step for step in self._positions if shown < step.ply < ply]
