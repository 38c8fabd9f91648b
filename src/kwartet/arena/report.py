"""What an arena found: standings and meetings, as JSON and as tables for other programs."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kwartet.arena.folder import Folder
from kwartet.arena.ratings import (
    Elo,
    HeadToHead,
    Skill,
    contests,
    head_to_head,
    rate_elo,
    rate_skill,
)
from kwartet.arena.results import Result
from kwartet.arena.setup import Setup
from kwartet.core.files import write_whole


@dataclass(frozen=True)
class Standing:
    """One bot after the matches so far."""

    bot: str
    elo: Elo
    skill: Skill
    matches: int
    won: float  # share of the wins on its seats; one that is shared counts in parts
    points: float  # mean score on its seats
    forfeits: int
    decisions: int
    seconds: float  # spent on them


@dataclass(frozen=True)
class Report:
    """Everything that follows from the results."""

    setup: Setup
    played: int
    scheduled: int
    standings: list[Standing]  # the best first
    meetings: list[HeadToHead]
    forfeits: list[Result]  # in the order of the schedule


def report(setup: Setup, results: list[Result], scheduled: int) -> Report:
    """The report on results in the order of the schedule."""
    played = contests(results)
    elo = rate_elo(setup.bots, played)
    skill = rate_skill(setup.bots, played)
    standings = [_standing(bot, elo[bot], skill[bot], results) for bot in setup.bots]
    standings.sort(key=lambda standing: (-standing.elo.rating, setup.bots.index(standing.bot)))
    return Report(
        setup,
        len(results),
        scheduled,
        standings,
        head_to_head(setup.bots, played),
        [result for result in results if result.forfeit],
    )


def as_json(found: Report) -> dict[str, Any]:
    """The report, JSON-ready; of its fields only `seconds_per_move` depends on the machine."""
    return {
        "setup": found.setup.as_json(),
        "played": found.played,
        "scheduled": found.scheduled,
        "standings": [_standing_row(rank, each) for rank, each in enumerate(found.standings, 1)],
        "head_to_head": [
            {name: _rounded(value, 4) for name, value in asdict(meeting).items()}
            for meeting in found.meetings
        ],
        "forfeits": [
            {"fixture": result.fixture.number, **asdict(result.forfeit)}
            for result in found.forfeits
            if result.forfeit
        ],
    }


def write(found: Report, folder: Folder, picture: str) -> list[Path]:
    """Write the report's files beside the records; `picture` names the plot, .svg or .png."""
    from kwartet.arena.plot import draw

    paths = [
        folder.path / name for name in ("results.json", "standings.csv", "matches.csv", picture)
    ]
    told = as_json(found)
    write_whole(paths[0], json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    write_whole(paths[1], _csv(told["standings"]))
    write_whole(paths[2], _csv(_match_rows(folder.in_order())))
    draw(found, paths[3])
    return paths


def _standing(bot: str, elo: Elo, skill: Skill, results: list[Result]) -> Standing:
    seats = [
        (result, seat)
        for result in results
        for seat, name in enumerate(result.fixture.bots)
        if name == bot
    ]
    won = sum((seat in result.winners) / len(result.winners or [0]) for result, seat in seats)
    points = sum(result.scores[seat] for result, seat in seats)
    return Standing(
        bot,
        elo,
        skill,
        len({result.fixture.number for result, _ in seats}),
        won / max(1, len(seats)),
        points / max(1, len(seats)),
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
        "won": round(standing.won, 4),
        "points": round(standing.points, 3),
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
