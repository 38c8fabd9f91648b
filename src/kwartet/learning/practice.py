"""What the workers of training do: practise, and judge a prior, wherever they are."""

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from kwartet.arena.matches import Job, play
from kwartet.arena.pairing import Fixture
from kwartet.arena.results import Result
from kwartet.bots.catalogue import settings_for
from kwartet.bots.prior import Prior
from kwartet.bots.search import Budget, Search
from kwartet.core.files import write_whole
from kwartet.core.game import Options
from kwartet.core.match import Match
from kwartet.learning.fitting import join, lesson
from kwartet.learning.selfplay import decisions

if TYPE_CHECKING:
    from kwartet.learning.training import TrainingPlan


@dataclass(frozen=True)
class Practice:
    """One match of self-play."""

    number: int
    options: Options
    seed: int


def practise(plan: "TrainingPlan", weights: list[float], item: Practice) -> bytes:
    """Play one match of self-play; its lessons as they are kept, packed where they were made."""
    game = job_of(plan, item.options).find_game()
    prior = Prior(np.array(weights, np.float32))
    search = Search(game, settings_for(game), Budget(simulations=plan.simulations), prior)
    match = Match(game, item.options, seed=item.seed)
    made = decisions(match, search, item.seed)
    lessons = join([lesson(each.turn, each.found) for each in made])
    packed = BytesIO()
    np.savez_compressed(packed, **lessons._asdict())
    return packed.getvalue()


def judge(plan: "TrainingPlan", priors: dict[str, str], item: tuple[Options, Fixture]) -> Result:
    """Play one match of the new prior against the old one, on a machine that may see neither.

    `priors` are the files that the bots are named after, with what they say.
    """
    options, fixture = item
    bots = [_local(name, priors) for name in fixture.bots]
    result = play(job_of(plan, options), replace(fixture, bots=tuple(bots)))
    return replace(result, fixture=fixture)


def _local(name: str, priors: dict[str, str]) -> str:
    """The bot's name with a file that is there, here."""
    for path, text in priors.items():
        name = name.replace(f"+{path}@", f"+{_prior_here(text)}@")
    return name


@cache
def _prior_here(text: str) -> Path:
    """A file of this process that says so."""
    path = Path(_shelf().name) / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    write_whole(path, text)
    return path


@cache
def _shelf() -> TemporaryDirectory[str]:
    """A folder for as long as this process lives."""
    return TemporaryDirectory(prefix="kwartet-", ignore_cleanup_errors=True)


def job_of(plan: "TrainingPlan", options: Options) -> Job:
    """What all matches of the plan have in common."""
    return Job(plan.game, options, packages=plan.packages)
