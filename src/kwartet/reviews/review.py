"""A review as people and programs get it: decisions, chances, worth and the seats' accounts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from kwartet.core.game import Options
from kwartet.reviews.finding import Finding, Rows, rows_of
from kwartet.reviews.reasons import Reason
from kwartet.reviews.story import Story
from kwartet.reviews.verdicts import VERDICTS, accuracy, bounds_for, verdict


class Worth(NamedTuple):
    """A figure on both scales."""

    win: float  # result, from −1 to 1
    points: float

    def __add__(self, other: Any) -> "Worth":
        return Worth(self.win + other[0], self.points + other[1])

    def __sub__(self, other: Any) -> "Worth":
        return Worth(self.win - other[0], self.points - other[1])


NONE = Worth(0.0, 0.0)


@dataclass(frozen=True)
class Option:
    """A move that was weighed."""

    move: str
    worth: Worth  # to the seat that decided
    reason: Reason | None = None  # what the best move and the one judged do


@dataclass(frozen=True)
class Decision:
    """A move that somebody made, and what it lost against the best one."""

    ply: int
    seat: int
    move: str
    best: str
    loss: Worth
    error: Worth  # standard error of the loss
    verdict: str
    exact: bool
    forced: bool  # there was one legal move
    options: tuple[Option, ...]  # the best few and the one played


@dataclass(frozen=True)
class Chance:
    """A draw, a roll, a lay-out, and what it changed for each seat."""

    ply: int
    outcome: str
    luck: tuple[Worth, ...]  # by seat
    sampled: bool  # against some of what could have come up, not all


@dataclass(frozen=True)
class Account:
    """How a seat came to its result: start + luck + own + others + unexplained = result."""

    seat: int
    start: Worth
    luck: Worth
    own: Worth  # less what its own decisions lost
    others: Worth  # what the others' decisions gave or took
    unexplained: Worth  # what is left because worths are estimates
    result: Worth
    adjusted: Worth  # result − luck
    accuracy: float | None  # 0–100; None: it had no choice
    verdicts: Mapping[str, int]  # how many decisions were judged so


class Review:
    """What has been found out about a match so far."""

    def __init__(
        self,
        story: Story,
        asked: tuple[int, ...],
        setup: dict[str, Any],
        findings: Mapping[int, Finding],
        glances: Mapping[int, Rows] | None = None,
    ) -> None:
        self._story, self._asked, self._setup = story, asked, setup
        self._findings = dict(findings)
        self._glances = glances or {}

    @property
    def game(self) -> str:
        """The game's key."""
        return self._story.game.key

    @property
    def options(self) -> Options:
        """Of the match."""
        options: Options = self._setup["options"]
        return options

    @property
    def title(self) -> str:
        """The game's name."""
        return self._story.game.title

    @property
    def scale(self) -> str:
        """What people of this game talk about: `points` or `win`."""
        return self._story.game.knowledge.verdicts.shown

    @property
    def players(self) -> int:
        """How many seats the match has."""
        return self._story.seats

    @property
    def ended(self) -> bool:
        """Whether it was played to its end; else results are what could be expected at last."""
        return self._story.is_over

    @property
    def total(self) -> int:
        """How many plies there are to look at, and the last position if it was broken off."""
        return self._story.total

    @property
    def done(self) -> int:
        """How many have been looked at."""
        return len(self._findings)

    @property
    def is_done(self) -> bool:
        """Whether all of it is there."""
        return self.done == self.total

    @property
    def decided(self) -> int:
        """How many decisions have been judged."""
        return len(self._judged())

    @property
    def decisions_total(self) -> int:
        """How many decisions there are to judge: those of the seats that were asked about."""
        return sum(actor in self._asked for actor in self._story.deciders)

    @property
    def decisions(self) -> list[Decision]:
        """Those of the seats that were asked about, by ply."""
        return [self.decision(found) for found in self._judged()]

    @property
    def chances(self) -> list[Chance]:
        """Each moment of chance, by ply."""
        return [
            Chance(ply, self._story.texts[ply], _differences(found), found.sampled)
            for ply, found in sorted(self._findings.items())
            if self._story.is_chance(ply) and found.is_judged
        ]

    @property
    def worth(self) -> list[list[Worth] | None]:
        """By ply and seat, and the results at last; None: nothing is known yet, or asked."""
        rows: list[Rows | None] = [
            self._findings[ply].before if ply in self._findings else self._glances.get(ply)
            for ply in range(self._story.plies.stop)
        ]
        if self.ended:
            rows.append(rows_of(self._story.results))
        return [None if row is None else [Worth(*pair) for pair in row] for row in rows]

    @property
    def seats(self) -> list[Account]:
        """The accounts of the seats that were asked about; until it is done, so far."""
        return [self._account(seat) for seat in self._asked]

    def as_json(self) -> dict[str, Any]:
        """JSON-ready, with the names of the face."""
        return self._setup | {
            "done": self.done,
            "total": self.total,
            "decided": self.decided,
            "decisions_total": self.decisions_total,
            "ended": self.ended,
            "decisions": [_plain(decision) for decision in self.decisions],
            "chances": [_plain(chance) for chance in self.chances],
            "worth": [
                None if row is None else [worth._asdict() for worth in row] for row in self.worth
            ],
            "seats": [_plain(account) for account in self.seats],
        }

    def _judged(self) -> list[Finding]:
        """What was found about the decisions that were asked about, by ply."""
        actors = self._story.actors
        return [
            found
            for ply, found in sorted(self._findings.items())
            if found.is_judged and actors[ply] in self._asked
        ]

    def decision(self, found: Finding, move: str | None = None) -> Decision:
        """A finding with names and a verdict; `move` is the one it is about, if not the played."""
        seat = self._story.actors[found.ply]
        move = self._story.texts[found.ply] if move is None else move
        loss = NONE - _differences(found)[seat]
        loss, error = Worth(loss.win + 0.0, loss.points + 0.0), Worth(*found.error)
        scale = self._scale
        word = verdict(loss[scale], error[scale], move == found.best, self._bounds)
        options = tuple(Option(text, Worth(*worth), why) for text, worth, why in found.options)
        return Decision(
            ply=found.ply,
            seat=seat,
            move=move,
            best=found.best,
            loss=loss,
            error=error,
            verdict=word,
            exact=found.exact,
            forced=found.is_forced,
            options=options,
        )

    @property
    def _scale(self) -> int:
        return 1 if self._story.seats == 1 else 0

    @property
    def _bounds(self) -> tuple[float, float, float]:
        return bounds_for(self._story.seats, self._story.game.knowledge.verdicts)

    def _account(self, seat: int) -> Account:
        luck = own = others = NONE
        choices = []
        for ply, found in sorted(self._findings.items()):
            if ply == len(self._story.moves):
                continue
            change = _differences(found)[seat]
            if self._story.is_chance(ply):
                luck += change
            elif self._story.actors[ply] == seat:
                own += change
                choices += [self.decision(found)] * (not found.is_forced)
            else:
                others += change
        first, last = self.worth[self._story.since], self.worth[-1]
        result = Worth(*rows_of(self._story.results)[seat]) if last is None else last[seat]
        start = result if first is None else first[seat]
        counts = {word: sum(each.verdict == word for each in choices) for word in VERDICTS}
        return Account(
            seat,
            start,
            luck,
            own,
            others,
            result - start - luck - own - others,
            result,
            result - luck,
            accuracy([each.loss[self._scale] for each in choices], self._bounds),
            counts,
        )


def _differences(found: Finding) -> tuple[Worth, ...]:
    """By seat: what the ply changed."""
    return tuple(
        Worth(*after) - before for before, after in zip(found.before, found.after, strict=True)
    )


def _plain(told: Any) -> dict[str, Any]:
    """A dataclass as JSON has it, every figure with the names of its scales."""
    return {name: _named(value) for name, value in _shallow(told).items()}


def _shallow(told: Any) -> dict[str, Any]:
    return {name: getattr(told, name) for name in told.__dataclass_fields__}


def _named(value: Any) -> Any:
    if isinstance(value, Worth):
        return value._asdict()
    if isinstance(value, Option | Reason):
        return _plain(value)
    if isinstance(value, tuple):
        return [_named(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value
