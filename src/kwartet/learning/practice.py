"""What the workers of training do: practise, and judge a prior, wherever they are."""

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kwartet.arena.matches import Job, play
from kwartet.arena.pairing import Fixture
from kwartet.arena.results import Result
from kwartet.bots.catalogue import settings_for
from kwartet.bots.network import Values, look_at, values_of
from kwartet.bots.prior import Prior
from kwartet.bots.search import Budget, Search
from kwartet.core.files import write_whole
from kwartet.core.game import Options
from kwartet.core.match import Match
from kwartet.learning.fitting import Lessons, join, lesson
from kwartet.learning.selfplay import decisions
from kwartet.learning.valuing import NO_VIEWS, Views, views_of

if TYPE_CHECKING:
    from kwartet.learning.training import TrainingPlan


@dataclass(frozen=True)
class Practice:
    """One match of self-play."""

    number: int
    options: Options
    seed: int


class Study(NamedTuple):
    """What a match has to teach."""

    lessons: Lessons
    views: Views
    look: str  # how the views are sketched; none if they are not


class Brought(NamedTuple):
    """What the files of a prior and of the values beside it hold; nothing: there are none."""

    prior: bytes
    values: bytes


def practise(plan: "TrainingPlan", prior: Prior, values: Values, item: Practice) -> bytes:
    """Play one match of self-play; what it teaches as it is kept, packed where it was made."""
    game = job_of(plan, item.options).find_game()
    search = Search(game, settings_for(game), Budget(simulations=plan.simulations), prior, values)
    match = Match(game, item.options, seed=item.seed)
    made = list(decisions(match, search, item.seed, random_moves=plan.random_moves))
    look = look_at(game, item.options)
    lessons = join(lesson(each.turn, each.found) for each in made)
    seen = views_of(look, made) if look else NO_VIEWS
    packed = BytesIO()
    parts: dict[str, Any] = lessons._asdict() | seen._asdict()
    np.savez_compressed(packed, look=np.array(look.name if look else ""), **parts)
    return packed.getvalue()


def unpack(path: Path) -> Study:
    """What was packed by `practise`."""
    with path.open("rb") as file, np.load(file) as arrays:
        lessons = Lessons(*(arrays[name] for name in Lessons._fields))
        views = Views(*(arrays[name] for name in Views._fields))
        return Study(lessons, views, str(arrays["look"]))


def judge(
    plan: "TrainingPlan", priors: dict[str, Brought], item: tuple[Options, Fixture]
) -> Result:
    """Play one match of the new prior against the old one, on a machine that may see neither.

    `priors` are the files that the bots are named after, with what they hold.
    """
    options, fixture = item
    bots = [_local(name, priors) for name in fixture.bots]
    result = play(job_of(plan, options), replace(fixture, bots=tuple(bots)))
    return replace(result, fixture=fixture)


def _local(name: str, priors: dict[str, Brought]) -> str:
    """The bot's name with a file that is there, here."""
    for path, brought in priors.items():
        name = name.replace(f"+{path}@", f"+{_prior_here(brought)}@")
    return name


@cache
def _prior_here(brought: Brought) -> Path:
    """A file of this process that holds the prior, with the values beside it."""
    name = hashlib.sha256(brought.prior + brought.values).hexdigest()[:16]
    path = Path(_shelf().name) / f"{name}.json"
    write_whole(path, brought.prior)
    if brought.values:
        write_whole(values_of(path), brought.values)
    return path


@cache
def _shelf() -> TemporaryDirectory[str]:
    """A folder for as long as this process lives."""
    return TemporaryDirectory(prefix="kwartet-", ignore_cleanup_errors=True)


def job_of(plan: "TrainingPlan", options: Options) -> Job:
    """What all matches of the plan have in common."""
    return Job(plan.game, options, packages=plan.packages)
