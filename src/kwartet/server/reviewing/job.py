"""One review: what has been found so far, what is left to look at, who wants it."""

import asyncio
import json
import time
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from kwartet.core.errors import GameError
from kwartet.server.afterwards import CareName, ReviewMessage
from kwartet.server.messages import Preparing
from kwartet.store import ReviewRow

if TYPE_CHECKING:
    from kwartet.reviews.finding import Finding, Rows
    from kwartet.reviews.work import Work

TRIES: Final = 2  # of a ply whose process ended

State = Literal["none", "waiting", "making", "stopped", "done"]
Standing = tuple[tuple[int, bool], State, int, Preparing | None]


class News(NamedTuple):
    """What is to be told to somebody."""

    since: int  # findings that they know; 0: tell everything
    until: int
    glances: bool  # whether the glances are new to them
    state: State  # as it was with so many findings


class Reader:
    """Somebody who follows a review, and how much of it they have been told."""

    def __init__(self, person: str | None) -> None:
        self.person = person
        self.known = 0  # findings
        self.has_glances = False
        self.changed = asyncio.Event()  # set when there is something new to tell

    def take(self, job: "Job") -> News:
        """What is new to them, which they know from now on."""
        glances = bool(job.work.glances)
        is_new = glances and not self.has_glances
        news = News(self.known, len(job.arrived), is_new, job.state)
        self.known, self.has_glances = news.until, glances
        return news

    def forget(self) -> None:
        """Have everything told anew."""
        self.known, self.has_glances = 0, False
        self.changed.set()


class Job:
    """The review of one match with one care."""

    def __init__(self, table: str, care: CareName, work: "Work") -> None:
        self.table, self.care, self.work = table, care, work
        self.options = work.review.options
        self.arrived = [*work.findings]  # plies, in the order of their findings
        self._lines = [_line(found) for found in work.findings.values()]
        self.readers: set[Reader] = set()
        self.askers: set[Reader] = set()  # those of them who want it made
        self.deserted = 0.0  # since when there are none, if it is wanted
        self.is_wanted = False
        self.was_asked = bool(self.arrived)
        self.is_ready = False  # its judge can work
        self.is_here = True  # this process makes it, if it is made
        self.claimed = 0.0  # when that was last said to the others
        self.trouble: GameError | None = None  # why it was given up
        self.ahead = 0  # reviews that come before it
        self.preparing: Preparing | None = None
        self.saved = len(self.arrived)
        self.recalled = len(self.arrived)  # findings of what is kept, as far as it is known here
        self.used = time.monotonic()
        self.base: tuple[tuple[int, bool], ReviewMessage] | None = None  # as it stood then
        self.whole: tuple[Standing, bytes] | None = None  # encoded, as it stood then
        self._is_glanced = False
        self._given: set[int] = set()
        self._next: list[int] = []  # plies that somebody cannot wait for
        self._lost: dict[int, int] = {}  # by ply: how often its process ended

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to look at."""
        return len(self.arrived) == self.work.story.total

    @property
    def state(self) -> State:
        """How far it is."""
        if self.is_done:
            return "done"
        if self.is_wanted:
            return "making" if self.is_ready and (self._given or not self.ahead) else "waiting"
        return "stopped" if self.was_asked else "none"

    @property
    def stamp(self) -> tuple[int, bool]:
        """What its figures depend on: the number of findings, and whether there are glances."""
        return len(self.arrived), bool(self.work.glances)

    @property
    def standing(self) -> "Standing":
        """What all of its message depends on."""
        return self.stamp, self.state, self.ahead, self.preparing

    @property
    def is_unused(self) -> bool:
        """Whether nobody looks at it and all of it is kept."""
        return not self.readers and not self.is_wanted and self.saved == len(self.arrived)

    # Being made ---------------------------------------------------------------------------

    def wants_glances(self) -> bool:
        """Whether it has nothing to show yet; asked once."""
        wants, self._is_glanced = not self._is_glanced and not self.is_done, True
        return wants

    def glanced(self, glances: "dict[int, Rows]") -> None:
        """Note roughly how the match went."""
        self.work.glances |= glances
        self.tell()

    def take(self) -> int | None:
        """The next ply that nobody looks at yet; None if there is none."""
        open_plies = [ply for ply in self.work.missing() if ply not in self._given]
        wished = [ply for ply in self._next if ply in open_plies]
        ply = next(iter(wished or open_plies), None)
        if ply is not None:
            self._given.add(ply)
        return ply

    def put_first(self, ply: int) -> None:
        """Look at this ply before the others; GameError if there is none."""
        if ply >= self.work.story.plies.stop:
            raise GameError("unknown-ply", f"There is no ply {ply} to judge.")
        self._next = [ply, *(other for other in self._next if other != ply)]

    def found(self, finding: "Finding") -> None:
        """Note what was found about a ply."""
        self._given.discard(finding.ply)
        self._add(finding)
        self.tell()

    def _add(self, finding: "Finding") -> None:
        if finding.ply not in self.work.findings:
            self.work.findings[finding.ply] = finding
            self.arrived.append(finding.ply)
            self._lines.append(_line(finding))

    def lost(self, ply: int, problem: GameError) -> None:
        """A ply could not be looked at: try again, or give the review up."""
        self._given.discard(ply)
        self._lost[ply] = self._lost.get(ply, 0) + 1
        if self._lost[ply] >= TRIES:
            self.give_up(problem)

    def give_up(self, problem: GameError) -> None:
        """It cannot be made; whoever asks again has it tried again."""
        self.trouble = problem
        self._lost.clear()
        self.stop()

    # Being wanted -------------------------------------------------------------------------

    def ask(self, reader: Reader) -> None:
        """Somebody wants it made."""
        self.askers.add(reader)
        self.is_wanted = self.was_asked = True
        self.deserted, self.trouble = 0.0, None
        self.tell()

    def leave(self, reader: Reader) -> None:
        """Somebody no longer follows it."""
        self.readers.discard(reader)
        self.used = time.monotonic()
        if reader in self.askers:
            self.askers.discard(reader)
            self.deserted = 0.0 if self.askers else self.used

    def stop(self) -> None:
        """Nobody wants it any more; what has been found stays."""
        self.is_wanted = False
        self.askers.clear()
        self.deserted = 0.0
        self.tell()

    def tell(self) -> None:
        """Wake all who follow it."""
        for reader in self.readers:
            reader.changed.set()

    # Being kept ---------------------------------------------------------------------------

    def recall(self, row: ReviewRow, findings: "list[Finding]") -> None:
        """Take over what another process has found and kept."""
        for finding in findings:
            self._add(finding)
        self.recalled, self.was_asked = row.done, True
        if len(self.arrived) == row.done:
            self.saved = row.done
        self.tell()

    def row(self) -> ReviewRow:
        """As the store keeps it."""
        return ReviewRow(
            table=self.table,
            care=self.care,
            digest=self.work.plan.digest,
            at=time.time(),
            done=len(self.arrived),
            total=self.work.story.total,
            findings="".join(self._lines).encode(),
        )


def _line(found: "Finding") -> str:
    return f"{json.dumps(found.as_json(), ensure_ascii=False)}\n"


def kept(work: "Work", row: ReviewRow | None) -> "list[Finding]":
    """What was kept of the same plan; from a damaged line on it is made anew."""
    from kwartet.reviews.finding import read_finding

    found: list[Finding] = []
    if row is None or row.digest != work.plan.digest:
        return found
    for line in row.findings.splitlines():
        try:
            found.append(read_finding(json.loads(line)))
        except (GameError, ValueError, RecursionError):
            break
    return [each for each in found if each.ply in work.story.plies]
