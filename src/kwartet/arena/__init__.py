"""Many matches between bots: who meets whom, playing them in parallel, ratings, reports.

from kwartet.arena import tournament

found = tournament("carnac", ["novice", "casual"], games=20, board="small")
print(found.standings[0].bot, found.standings[0].elo)
"""

from kwartet.arena.estimates import Estimate
from kwartet.arena.pairing import Fixture, Mode, schedule
from kwartet.arena.plan import TournamentPlan
from kwartet.arena.pool import Inline, Lost, Pool, Processes, note
from kwartet.arena.ratings import Elo, HeadToHead, Skill
from kwartet.arena.ray_pool import RayCluster
from kwartet.arena.records import Records
from kwartet.arena.report import Paired, Report, Standing, as_json, report
from kwartet.arena.results import Forfeit, Result
from kwartet.arena.sequential import Question, Verdict
from kwartet.arena.tournament import compete, tournament
from kwartet.arena.warming import warm

__all__ = [
    "Elo",
    "Estimate",
    "Fixture",
    "Forfeit",
    "HeadToHead",
    "Inline",
    "Lost",
    "Mode",
    "Paired",
    "Pool",
    "Processes",
    "Question",
    "RayCluster",
    "Records",
    "Report",
    "Result",
    "Skill",
    "Standing",
    "TournamentPlan",
    "Verdict",
    "as_json",
    "compete",
    "note",
    "report",
    "schedule",
    "tournament",
    "warm",
]
