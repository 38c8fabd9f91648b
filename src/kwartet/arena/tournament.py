"""An arena from its first match to its last, on any pool."""

from collections.abc import Iterator
from functools import partial

from kwartet.arena.folder import Folder
from kwartet.arena.matches import forfeited, play, try_bots
from kwartet.arena.pool import Lost, Pool
from kwartet.arena.results import Result
from kwartet.arena.setup import Setup
from kwartet.core.errors import GameError, quoted


def check_bots(pool: Pool, setup: Setup) -> None:
    """GameError if a bot does not load. Afterwards their code is compiled, too."""
    for _, outcome in pool.map(partial(try_bots, setup.job()), [setup.bots]):
        if isinstance(outcome, Lost):
            what = "takes too long to load" if outcome.exit_code is None else "ends its process"
            name = quoted(outcome.notes[-1]) if outcome.notes else "of an unknown name"
            raise GameError("bad-bot", f"The bot {name} {what}.")


def compete(pool: Pool, folder: Folder) -> Iterator[Result]:
    """Play the folder's missing fixtures; each result comes when it is written down."""
    job = folder.setup.job()
    for fixture, outcome in pool.map(partial(play, job), folder.missing()):
        result = forfeited(job, fixture, outcome) if isinstance(outcome, Lost) else outcome
        folder.add(result)
        yield result
    folder.finish()
