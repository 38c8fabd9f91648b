"""An arena from its first match to its last, on any pool."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any

from kwartet.arena.matches import forfeited, play, try_bots
from kwartet.arena.pairing import Fixture, Mode
from kwartet.arena.plan import TournamentPlan, prior_digests
from kwartet.arena.pool import Inline, Lost, Pool
from kwartet.arena.records import Records
from kwartet.arena.report import Report, report
from kwartet.arena.results import Result
from kwartet.arena.sequential import Question, SequentialTest, checked
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
    sprt: Question | None = None,
    pool: Pool | None = None,
    **options: Any,
) -> Report:
    """Let bots play each other and rate them; nothing is written.

    Bots are names, as for `kwartet arena`, or classes. With `sprt` two bots play until that is
    decided, `games` at most; the report's `verdict` has the outcome. Without a pool the matches
    are played in this process, one after the other, and a bot that hangs is not ended. The
    options are the game's own. GameError if the bots do not load or cannot meet.
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
        None if sprt is None else checked(sprt),
    )
    fixtures, test = plan.fixtures(), plan.test()
    pool = pool or Inline()
    check_bots(pool, plan)
    results = []
    for result in _played(pool, plan, fixtures, test):
        results.append(result)
        if test is not None:
            test.add(result)
    if test is not None and test.is_decided:
        results = [result for result in results if result.fixture.number < test.matches]
    results.sort(key=lambda result: result.fixture.number)
    return report(plan, results, len(fixtures))


def check_bots(pool: Pool, plan: TournamentPlan) -> None:
    """GameError if a bot does not load. Afterwards their code is compiled, too."""
    for outcome in pool.on_each_machine(partial(try_bots, plan.job()), plan.bots):
        if isinstance(outcome, Lost):
            what = "takes too long to load" if outcome.exit_code is None else "ends its process"
            name = quoted(outcome.notes[-1]) if outcome.notes else "of an unknown name"
            raise GameError("bad-bot", f"The bot {name} {what}.")


def compete(pool: Pool, records: Records) -> Iterator[Result]:
    """Play the missing fixtures; each result comes when it is written down.

    A sequential test ends as soon as it is decided.
    """
    with closing(_played(pool, records.plan, records.missing(), records.test)) as played:
        for result in played:
            records.add(result)
            yield result
    records.finish()


def _played(
    pool: Pool, plan: TournamentPlan, fixtures: Iterable[Fixture], test: SequentialTest | None
) -> Generator[Result, None, None]:
    """The results as they come, until whoever counts them in the test finds it decided."""
    job = plan.job()
    with closing(pool.map(partial(play, job), fixtures)) as outcomes:
        for fixture, outcome in outcomes:
            yield forfeited(job, fixture, outcome) if isinstance(outcome, Lost) else outcome
            if test is not None and test.is_decided:
                return
