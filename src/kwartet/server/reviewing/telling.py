"""A review as it is told: whole at first, then what is new."""

from typing import TYPE_CHECKING, Final, Literal, cast

import msgspec

from kwartet.server import afterwards as a
from kwartet.server import messages as m
from kwartet.server.reviewing.job import Job, News

if TYPE_CHECKING:
    from kwartet.core.game import Game
    from kwartet.reviews.reasons import Reason
    from kwartet.reviews.review import Account, Chance, Decision, Review, Worth
    from kwartet.server.story import Story

JUDGE: Final = "expert"


def brief(job: Job, news: News) -> a.ReviewMessage | None:
    """The message if it has no figures but those told before, which is quick; else None."""
    is_known = job.base is not None and job.base[0] == job.stamp
    is_old = news.since == news.until and not (news.since and news.glances)
    return _updated(job, job.base[1], news) if job.base and is_known and is_old else None


def full(job: Job, news: News) -> a.ReviewMessage:
    """The message with what is new; not for the event loop, since it works out all accounts."""
    review, stamp = job.work.review, job.stamp
    if job.base is None or job.base[0] != stamp:
        job.base = stamp, _base(job, review)
    new = job.arrived[news.since : news.until]
    part, plies = _part(job, new), set(new)
    if news.glances or not news.since:
        plies |= job.work.glances.keys()
    if not news.since:
        plies |= {len(job.work.story.moves)}  # what they came to
    message = msgspec.structs.replace(
        job.base[1],
        decisions=[_decision(each) for each in part.decisions],
        chances=[_chance(each) for each in part.chances],
        worth=_worth(review, plies),
    )
    return _updated(job, message, news)


def _updated(job: Job, message: a.ReviewMessage, news: News) -> a.ReviewMessage:
    """The message with what may change without a finding."""
    return msgspec.structs.replace(
        message, since=news.since, state=news.state, ahead=job.ahead, preparing=job.preparing
    )


def _base(job: Job, review: "Review") -> a.ReviewMessage:
    """What is told each time; while nothing has been found, all of it."""
    plies = set() if job.arrived else {*job.work.glances, len(job.work.story.moves)}
    return a.ReviewMessage(
        judge=JUDGE,
        care=job.care,
        state=job.state,
        ahead=job.ahead,
        done=review.done,
        total=review.total,
        decided=review.decided,
        decisions_total=review.decisions_total,
        scale=_scale(review.scale),
        ended=review.ended,
        since=0,
        decisions=[],
        chances=[],
        worth=_worth(review, plies),
        seats=[_account(each) for each in review.seats],
    )


def _worth(review: "Review", plies: set[int]) -> list[a.WorthView]:
    """What is known of these plies."""
    rows = review.worth
    return [
        a.WorthView(ply, [_figure(worth) for worth in row])
        for ply in sorted(plies)
        if (row := rows[ply] if ply < len(rows) else None) is not None
    ]


def before_rules(
    story: "Story", game: "Game", care: a.CareName, preparing: m.Preparing, *, asked: bool
) -> a.ReviewMessage:
    """What can be told of a review while the game's rules are being compiled."""
    return a.ReviewMessage(
        judge=JUDGE,
        care=care,
        state="waiting" if asked else "none",
        ahead=0,
        done=0,
        total=story.ply - story.first_ply,
        decided=0,
        decisions_total=sum(seat is not None for seat in story.actors[story.first_ply :]),
        scale=_scale(game.knowledge.verdicts.shown),
        ended=story.result is not None and story.result.reason == "played",
        since=0,
        decisions=[],
        chances=[],
        worth=[],
        seats=[],
        preparing=preparing,
    )


def tried(decision: "Decision") -> a.Tried:
    """What another move would have lost."""
    view = _decision(decision)
    option = next((one for one in view.options if one.move == view.move), None)
    return a.Tried(
        ply=view.ply,
        move=view.move,
        loss=view.loss,
        error=view.error,
        verdict=view.verdict,
        exact=view.exact,
        reason=option.reason if option else None,
    )


def _part(job: Job, plies: list[int]) -> "Review":
    """A review of nothing but these plies."""
    from kwartet.reviews.review import Review

    work = job.work
    findings = {ply: work.findings[ply] for ply in plies}
    return Review(work.story, work.plan.seats, work.plan.setup(), findings)


def _decision(found: "Decision") -> a.DecisionView:
    return a.DecisionView(
        ply=found.ply,
        seat=found.seat,
        move=found.move,
        best=found.best,
        loss=_figure(found.loss),
        error=_figure(found.error),
        verdict=_word(found.verdict),
        exact=found.exact,
        forced=found.forced,
        options=[
            a.OptionView(option.move, _figure(option.worth), _reason(option.reason))
            for option in found.options
        ],
    )


def _reason(found: "Reason | None") -> m.Reason | None:
    return msgspec.convert(found, m.Reason | None, from_attributes=True)


def _chance(found: "Chance") -> a.ChanceView:
    return a.ChanceView(
        found.ply, found.outcome, [_figure(luck) for luck in found.luck], found.sampled
    )


def _account(found: "Account") -> a.AccountView:
    return a.AccountView(
        seat=found.seat,
        start=_figure(found.start),
        luck=_figure(found.luck),
        own=_figure(found.own),
        others=_figure(found.others),
        unexplained=_figure(found.unexplained),
        result=_figure(found.result),
        adjusted=_figure(found.adjusted),
        accuracy=found.accuracy,
        verdicts={_word(word): count for word, count in found.verdicts.items()},
    )


def _figure(worth: "Worth") -> a.Figure:
    return a.Figure(worth.win, worth.points)


def _word(verdict: str) -> a.VerdictName:
    return cast(a.VerdictName, verdict)


def _scale(name: str) -> Literal["win", "points"]:
    return "points" if name == "points" else "win"
