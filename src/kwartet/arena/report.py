"""What an arena found: standings and meetings, as JSON and as tables for other programs."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kwartet.arena.estimates import Estimate, estimate, ratio
from kwartet.arena.plan import TournamentPlan
from kwartet.arena.ratings import (
    Elo,
    HeadToHead,
    Skill,
    contests,
    head_to_head,
    rate_elo,
    rate_skill,
)
from kwartet.arena.records import Records
from kwartet.arena.results import Result
from kwartet.arena.sequential import Verdict


@dataclass(frozen=True)
class Standing:
    """One bot after the matches so far."""

    bot: str
    elo: Elo
    skill: Skill
    matches: int
    won: Estimate  # share of the wins on its seats; one that is shared counts in parts
    points: Estimate  # mean score on its seats
    forfeits: int
    decisions: int
    seconds: float  # spent on them


@dataclass(frozen=True)
class Paired:
    """How wide errors are because rotations share their luck; 1 is as wide as without.

    None where there is nothing to compare.
    """

    elo: float | None
    share: float | None  # of the wins, head to head
    margin: float | None  # in points, head to head


@dataclass(frozen=True)
class Report:
    """Everything that follows from the results."""

    plan: TournamentPlan
    played: int
    scheduled: int
    standings: list[Standing]  # the best first
    meetings: list[HeadToHead]
    paired: Paired
    forfeits: list[Result]  # in the order of the schedule
    verdict: Verdict | None = None  # of a sequential test


def report(plan: TournamentPlan, results: list[Result], scheduled: int) -> Report:
    """The report on results in the order of the schedule."""
    played = contests(results)
    elo = rate_elo(plan.bots, played)
    skill = rate_skill(plan.bots, played)
    standings = [_standing(bot, elo[bot], skill[bot], results) for bot in plan.bots]
    standings.sort(key=lambda standing: (-standing.elo.rating, plan.bots.index(standing.bot)))
    meetings = head_to_head(plan.bots, played)
    return Report(
        plan,
        len(results),
        scheduled,
        standings,
        meetings,
        _paired(elo.values(), meetings, alone=any(contest.alone for contest in played)),
        [result for result in results if result.forfeit],
        _verdict(plan, results),
    )


def _verdict(plan: TournamentPlan, results: list[Result]) -> Verdict | None:
    test = plan.test()
    if test is None:
        return None
    for result in results:
        test.add(result)
    return test.verdict()


def _paired(elos: Iterable[Elo], meetings: list[HeadToHead], *, alone: bool) -> Paired:
    return Paired(
        None if alone else ratio((elo.high - elo.rating, elo.unpaired) for elo in elos),
        ratio((each.error, each.unpaired_error) for each in meetings),
        ratio((each.margin_error, each.unpaired_margin_error) for each in meetings),
    )


def as_json(found: Report) -> dict[str, Any]:
    """The report, JSON-ready; of its fields only `seconds_per_move` depends on the machine."""
    return {
        "setup": found.plan.as_json(),
        "played": found.played,
        "scheduled": found.scheduled,
        "standings": [_standing_row(rank, each) for rank, each in enumerate(found.standings, 1)],
        "head_to_head": [
            {name: _rounded(value, 4) for name, value in asdict(meeting).items()}
            for meeting in found.meetings
        ],
        "paired": {name: _rounded(value, 3) for name, value in asdict(found.paired).items()},
        "forfeits": [
            {"fixture": result.fixture.number, **asdict(result.forfeit)}
            for result in found.forfeits
            if result.forfeit
        ],
        "sprt": found.verdict.as_json() if found.verdict else None,
    }


def write(found: Report, records: Records, picture: str) -> list[Path]:
    """Write the report's files beside the records; their paths.

    `picture` names the plot, .svg or .png; there is none where nothing is installed to draw it.
    """
    from kwartet.arena.plot import can_draw, draw

    told = as_json(found)
    texts = {
        "results.json": json.dumps(told, ensure_ascii=False, indent=2) + "\n",
        "standings.csv": _csv(told["standings"]),
        "matches.csv": _csv(_match_rows(records.in_order())),
    }
    for name, text in texts.items():
        records.write(name, text)
    if not can_draw():
        return [records.path / name for name in texts]
    draw(found, records.path / picture)
    return [records.path / name for name in (*texts, picture)]


def _standing(bot: str, elo: Elo, skill: Skill, results: list[Result]) -> Standing:
    seats = [
        (result, seat)
        for result in results
        for seat, name in enumerate(result.fixture.bots)
        if name == bot
    ]
    rotations = [result.fixture.rotation for result, _ in seats]
    shares = [(seat in result.winners) / len(result.winners or [0]) for result, seat in seats]
    scores = [float(result.scores[seat]) for result, seat in seats]
    return Standing(
        bot,
        elo,
        skill,
        len({result.fixture.number for result, _ in seats}),
        estimate(shares, rotations) if seats else Estimate(0.0, None, None),
        estimate(scores, rotations) if seats else Estimate(0.0, None, None),
        sum(result.forfeit is not None and result.forfeit.seat == seat for result, seat in seats),
        sum(result.decisions[seat] for result, seat in seats),
        sum(result.seconds[seat] for result, seat in seats),
    )


def _standing_row(rank: int, standing: Standing) -> dict[str, Any]:
    return {
        "rank": rank,
        "bot": standing.bot,
        "elo": round(standing.elo.rating, 1),
        "elo_low": round(standing.elo.low, 1),
        "elo_high": round(standing.elo.high, 1),
        "openskill_mu": round(standing.skill.mu, 3),
        "openskill_sigma": round(standing.skill.sigma, 3),
        "matches": standing.matches,
        "won": round(standing.won.mean, 4),
        "won_error": _rounded(standing.won.error, 4),
        "points": round(standing.points.mean, 3),
        "points_error": _rounded(standing.points.error, 3),
        "forfeits": standing.forfeits,
        "seconds_per_move": round(standing.seconds / max(1, standing.decisions), 6),
    }


def _match_rows(results: Iterable[Result]) -> list[dict[str, Any]]:
    """One row for each seat of each match."""
    return [
        {
            "fixture": result.fixture.number,
            "rotation": result.fixture.rotation,
            "seed": result.fixture.seed,
            "plies": len(result.record["moves"]),
            "seat": seat,
            "bot": name,
            "score": result.scores[seat],
            "wins": int(seat in result.winners),
            "return": round(result.returns[seat], 6),
            "forfeit": result.forfeit.code
            if result.forfeit and result.forfeit.seat == seat
            else "",
            "decisions": result.decisions[seat],
            "seconds": result.seconds[seat],
        }
        for result in results
        for seat, name in enumerate(result.fixture.bots)
    ]


def _csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def _rounded(value: Any, digits: int) -> Any:
    return round(value, digits) if isinstance(value, float) else value
