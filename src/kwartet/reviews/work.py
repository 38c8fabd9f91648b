"""The work of a review: what is asked, ply by ply, anywhere, in any order.

Plies do not depend on each other: each has luck of its own from the seed, so a review is the
same on one core and on many, and what was found before a break stays found.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from typing import Any

from kwartet.arena.matches import Job
from kwartet.arena.pool import Inline, Lost, Pool
from kwartet.core.errors import GameError, quoted
from kwartet.core.match import Match
from kwartet.games import GAMES
from kwartet.reviews.care import Care, care_of
from kwartet.reviews.chances import Chances
from kwartet.reviews.decisions import Decisions
from kwartet.reviews.finding import Finding, Rows, rows_of
from kwartet.reviews.judge import check_judge, find_judge
from kwartet.reviews.review import Decision, Review
from kwartet.reviews.story import Story

Progress = Callable[[Review], object]
FORMAT = 3  # of what is found, and of how


@dataclass(frozen=True)
class ReviewPlan:
    """What is asked of a review. The same plan gives the same review."""

    game: str
    rules: int
    options: str  # as JSON
    actions: tuple[int, ...]
    judge: str
    care: Care
    seed: int
    seats: tuple[int, ...]
    since: int = 0  # the ply from which on it is looked at
    packages: tuple[str, ...] = ()  # of the games that a process is to know

    def setup(self) -> dict[str, Any]:
        """What the review depends on besides the match, JSON-ready."""
        return {
            "game": self.game,
            "rules": self.rules,
            "options": json.loads(self.options),
            "judge": self.judge,
            "care": self.care.name,
            "seed": self.seed,
        }

    @property
    def digest(self) -> str:
        """A name for all of it."""
        told = asdict(self) | {"packages": None, "format": FORMAT}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:24]


class Work:
    """A review that is being made."""

    def __init__(self, plan: ReviewPlan, story: Story) -> None:
        self.plan, self.story = plan, story
        self.findings: dict[int, Finding] = {}
        self.glances: dict[int, Rows] = {}

    @property
    def review(self) -> Review:
        """As far as it is."""
        plan = self.plan
        return Review(self.story, plan.seats, plan.setup(), self.findings, self.glances)

    def missing(self) -> list[int]:
        """The plies that have not been looked at, in the order in which they will be."""
        end = len(self.story.moves)  # there is what a match that was broken off came to
        order = sorted(self.story.plies, key=lambda ply: ply != end)
        return [ply for ply in order if ply not in self.findings]

    def glance(self) -> None:
        """Find out roughly how the match went, for a first graph."""
        self.glances |= glance(self.plan, self.missing())

    def run(self, pool: Pool) -> Iterator[Finding]:
        """Look at what is missing, telling each finding as it comes."""
        for _, found in pool.map(partial(look, self.plan), self.missing()):
            if isinstance(found, Lost):
                raise GameError("worker-lost", "A process ended in the middle of a review.")
            self.findings[found.ply] = found
            yield found


def plan_review(
    match: Match,
    judge: object,
    seats: Sequence[int] | None,
    care: object,
    seed: object,
    *,
    ended: bool = False,
    since: int = 0,
) -> Work:
    """A review that has not begun; GameError if it cannot be made.

    With `ended` also of a match that was broken off, such as by resigning: its results are
    what could be expected at last. What came before the ply `since` is not judged: accounts
    start there.
    """
    if match.actor is not None and not ended:
        raise GameError("not-over", "A match is reviewed when it is over; this one still runs.")
    if type(seed) is not int:
        raise GameError("bad-seed", f"A seed is a whole number, not {quoted(seed)}.")
    match.record()  # what was set up has no moves that tell it
    asked = _listed(range(match.seats) if seats is None else seats)
    for seat in asked:
        if type(seat) is not int or seat not in range(match.seats):
            raise GameError(
                "unknown-seat",
                f"There is no seat {quoted(seat)}; seats are 0 to {match.seats - 1}.",
            )
    story = Story.of(match, since=since)
    if not any(actor >= 0 for actor in story.deciders):
        raise GameError("not-started", "Nobody has moved in this match: there is nothing to judge.")
    plan = ReviewPlan(
        match.game.key,
        match.version,
        json.dumps(match.options, sort_keys=True),
        tuple(match.actions),
        check_judge(judge, match.game),
        care_of(care),
        seed,
        tuple(sorted(set(asked))),
        since,
        tuple(game.package for game in GAMES.values()),
    )
    return Work(plan, story)


def _listed(seats: object) -> list[Any]:
    return list(seats) if isinstance(seats, Sequence) else [seats]


def make_review(work: Work, progress: Progress | None = None, pool: Pool | None = None) -> Review:
    """Do all of the work; `progress` is given the review as it grows, a coarse one first."""
    if progress:
        work.glance()
        progress(work.review)
    for _ in work.run(pool or Inline()):
        if progress:
            progress(work.review)
    return work.review


def look(plan: ReviewPlan, ply: int) -> Finding:
    """Find out about one ply, in whatever process."""
    return _desk(plan).find(ply)


def glance(plan: ReviewPlan, plies: Sequence[int]) -> dict[int, Rows]:
    """Roughly what the seats could expect before these plies; nothing where all is looked up."""
    desk = _desk(plan)
    return {} if desk.is_quick else {ply: rows_of(desk.chances.glance(ply)) for ply in plies}


def judge_move(plan: ReviewPlan, ply: int, move: str) -> Decision:
    """Judge another move at a decision, against the same best and with the same luck.

    Of the move that was played it gives the review's own figures. GameError for a ply at which
    no seat decided, and for a move that is malformed or was not legal.
    """
    return _desk(plan).judge(ply, move)


class _Desk:
    """What the plies of one match share."""

    def __init__(self, plan: ReviewPlan) -> None:
        options = json.loads(plan.options)
        game = Job(plan.game, options, packages=plan.packages).find_game()
        match = Match(game, options, auto_chance=False, version=plan.rules)
        match.extend(plan.actions)
        judge = find_judge(plan.judge, game, match.options)
        self._plan, self._asked, self._match = plan, plan.seats, match
        self._story = Story.of(match)
        self.is_quick = judge.solution is not None
        self.chances = Chances(self._story, judge, plan.care, plan.seed)
        self._decisions = Decisions(self._story, judge, plan.care, plan.seed)

    def find(self, ply: int) -> Finding:
        story = self._story
        if ply == len(story.moves):
            return (self.chances if story.is_chance(ply) else self._decisions).expect(ply)
        if story.is_chance(ply):
            return self.chances.find(ply)
        if self.is_quick or story.actors[ply] in self._asked:
            return self._decisions.find(ply)
        before, after = self.chances.glance(ply), self.chances.glance(ply + 1)
        return Finding(
            ply, rows_of(before), rows_of(after), (0.0, 0.0), exact=False, is_judged=False
        )

    def judge(self, ply: int, move: str) -> Decision:
        """Judge any move at a decision."""
        story = self._story
        if type(ply) is not int or not 0 <= ply < len(story.moves):
            raise GameError(
                "unknown-ply",
                f"There is no ply {quoted(ply)}; the match has 0 to {len(story.moves) - 1}.",
            )
        if story.is_chance(ply):
            raise GameError("unknown-ply", f"At ply {ply} chance acted, and nobody decided.")
        earlier = self._match.beginning()
        earlier.follow(self._match.moves[:ply])
        (action,) = earlier.read(move)
        found = self._decisions.judge(ply, action)
        review = Review(story, self._asked, self._plan.setup(), {})
        return review.decision(found, story.name(ply, action))


@lru_cache(maxsize=2)
def _desk(plan: ReviewPlan) -> _Desk:
    return _Desk(plan)
