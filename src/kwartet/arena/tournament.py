"""An arena from its first match to its last, on any pool."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from kwartet.arena.matches import forfeited, play, try_bots
from kwartet.arena.pairing import Fixture, Mode
from kwartet.arena.plan import TournamentPlan, prior_digests
from kwartet.arena.pool import Inline, Lost, Pool
from kwartet.arena.records import Records
from kwartet.arena.report import Report, report
from kwartet.arena.results import Result
from kwartet.core.errors import GameError, quoted
from kwartet.games import find


def tournament(
    game: str,
    bots: Sequence[str | type],
    *,
    games: int = 100,
    seed: int = 0,
    mode: Mode = Mode.ROUND_ROBIN,
    seconds: float | None = None,
    pool: Pool | None = None,
    **options: Any,
) -> Report:
    """Let bots play each other and rate them; nothing is written.

    Bots are names, as for `kwartet arena`, or classes. Without a pool the matches are played
    in this process, one after the other, and a bot that hangs is not ended. The options are
    the game's own. GameError if the bots do not load or cannot meet.
    """
    found = find(game)
    names = [
        bot if isinstance(bot, str) else f"{bot.__module__}:{bot.__qualname__}" for bot in bots
    ]
    plan = TournamentPlan(
        found.key,
        found.version,
        found.settle(options),
        names,
        games,
        seed,
        mode,
        seconds,
        prior_digests(names),
    )
    fixtures = plan.fixtures()
    pool = pool or Inline()
    check_bots(pool, plan)
    results = [_result(plan, *each) for each in pool.map(partial(play, plan.job()), fixtures)]
    results.sort(key=lambda result: result.fixture.number)
    return report(plan, results, len(fixtures))


def _name(bot: type) -> str:
    return f"{bot.__module__}:{bot.__qualname__}"


def check_bots(pool: Pool, plan: TournamentPlan) -> None:
    """GameError if a bot does not load. Afterwards their code is compiled, too."""
    for outcome in pool.on_each_machine(partial(try_bots, plan.job()), plan.bots):
        if isinstance(outcome, Lost):
            what = "takes too long to load" if outcome.exit_code is None else "ends its process"
            name = quoted(outcome.notes[-1]) if outcome.notes else "of an unknown name"
            raise GameError("bad-bot", f"The bot {name} {what}.")


def compete(pool: Pool, records: Records) -> Iterator[Result]:
    """Play the missing fixtures; each result comes when it is written down."""
    for fixture, outcome in pool.map(partial(play, records.plan.job()), records.missing()):
        result = _result(records.plan, fixture, outcome)
        records.add(result)
        yield result
    records.finish()


def _result(plan: TournamentPlan, fixture: Fixture, outcome: Result | Lost) -> Result:
    return forfeited(plan.job(), fixture, outcome) if isinstance(outcome, Lost) else outcome
