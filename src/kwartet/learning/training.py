"""Learning a prior from self-play, round by round.

In every round the search plays itself with the prior it has, a new prior is fitted to what
the searches looked at in this round and the one before, and the new one plays the old one.
The better of the two goes on. What is finished is in the folder, so that training can be
interrupted at any time and goes on where it was; the same plan gives the same prior.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from kwartet.arena.estimates import estimate
from kwartet.arena.folder import Folder, Kind, unwritable
from kwartet.arena.matches import forfeited
from kwartet.arena.pairing import Fixture, schedule
from kwartet.arena.pool import Lost, Pool
from kwartet.bots import prior as priors
from kwartet.bots.catalogue import prior_file
from kwartet.bots.prior import UNIFORM, Prior
from kwartet.core.errors import GameError, quoted
from kwartet.core.files import write_whole
from kwartet.core.game import Game, Options
from kwartet.learning.fitting import Lessons, fit, join
from kwartet.learning.practice import Practice, job_of, judge, practise

TRAINING: Final = Kind("training", 1)
ROUNDS: Final = "rounds.json"
REMEMBERED: Final = 2  # rounds whose lessons a prior is fitted to


@dataclass(frozen=True)
class TrainingPlan:
    """What training was asked to do. The same plan gives the same prior."""

    game: str
    options: list[Options]  # matches take these in turn
    rounds: int = 3
    matches: int = 100  # of self-play in a round
    simulations: int = 2000  # a move, in self-play
    judged: int = 100  # matches between the new prior and the old one
    judging: int = 500  # simulations a move, in these
    seed: int = 0
    packages: tuple[str, ...] = ()  # of the games that a process is to know


@dataclass(frozen=True)
class Round:
    """What came of one round."""

    number: int
    decisions: int  # that the prior was fitted to
    losses: list[float]  # of the fit, in nats
    score: float  # of the new prior against the old one, from 0 to 1
    error: float  # its standard error
    kept: bool  # whether the new one goes on


class Training:
    """Training in a folder. Only one process works on it."""

    def __init__(self, game: Game, plan: TrainingPlan, folder: Folder) -> None:
        """GameError if the folder is damaged."""
        self.game = game
        self.plan = plan
        self.rounds = _rounds(folder.path)
        self._folder = folder

    @classmethod
    def open(cls, game: Game, plan: TrainingPlan, path: Path) -> "Training":
        """Begin in a new folder, or go on; GameError if the folder is about something else."""
        if game.knowledge.features == 0:
            raise GameError("bad-option", f"{game.title} describes no features to learn from.")
        folder = Folder.open(path, TRAINING, TRAINING.setup(_asked(game, plan)))
        try:
            return cls(game, plan, folder)
        except BaseException:
            folder.close()
            raise

    @property
    def path(self) -> Path:
        """The folder."""
        return self._folder.path

    def close(self) -> None:
        """Let others work on it."""
        self._folder.close()

    def __enter__(self) -> "Training":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def best(self) -> Prior:
        """The best prior so far."""
        path = self.path / priors.FILE
        return priors.read(self.game, path) if path.exists() else UNIFORM

    def steps(self) -> int:
        """How many matches are still to be played."""
        rounds = self.plan.rounds - len(self.rounds)
        return rounds * (self.plan.matches + len(self._fixtures(0))) - len(self._done())

    def run(
        self, pool: Pool, judges: Pool, advance: Callable[[], object] = lambda: None
    ) -> Iterator[Round]:
        """The rounds that are missing, one by one; `advance` follows every match.

        Neither pool need see the folder.
        """
        while len(self.rounds) < self.plan.rounds:
            number = len(self.rounds) + 1
            self._practise(pool, number, advance)
            lessons = self._lessons(number)
            weights, losses = fit(lessons, self.game.knowledge.features, self.plan.seed + number)
            made = _asked(self.game, self.plan) | {"round": number, "decisions": lessons.size}
            path = self.path / f"prior-{number}.json"
            priors.write(self.game, path, Prior(weights, made))
            score, error = self._judge(judges, number, advance)
            found = Round(number, lessons.size, losses, score, error, kept=score >= 0.5)
            if found.kept:
                priors.write(self.game, self.path / priors.FILE, priors.read(self.game, path))
            self.rounds.append(found)
            told = [asdict(each) for each in self.rounds]
            self._folder.write(ROUNDS, json.dumps(told) + "\n")
            yield found

    # Self-play ----------------------------------------------------------------------------

    def _done(self) -> list[Path]:
        """The files of the matches that the present round has already."""
        return sorted((self.path / f"round-{len(self.rounds) + 1}").glob("*.npz"))

    def _practise(self, pool: Pool, number: int, advance: Callable[[], object]) -> None:
        """Play the round's missing matches of self-play, a file each."""
        files = self.path / f"round-{number}"
        files.mkdir(exist_ok=True)
        present = {path.stem for path in self._done()}
        options = list(islice(cycle(self.plan.options), self.plan.matches))
        weights = self.best.weights.tolist()
        items = [
            Practice(match, options[match], _seed(self.plan.seed, number, match))
            for match in range(self.plan.matches)
            if f"{match:05}" not in present
        ]
        for item, lessons in pool.map(partial(practise, self.plan, weights), items):
            if isinstance(lessons, Lost):
                raise GameError("worker-lost", "A process ended in the middle of self-play.")
            _keep(lessons, files / f"{item.number:05}.npz")
            advance()

    def _lessons(self, number: int) -> Lessons:
        rounds = range(max(1, number - REMEMBERED + 1), number + 1)
        parts = []
        for each in rounds:
            for path in sorted((self.path / f"round-{each}").glob("*.npz")):
                parts.append(_kept(path))
        return join(parts)

    # Judging ------------------------------------------------------------------------------

    def _names(self, number: int) -> tuple[str, str]:
        """The bots with the new and with the old prior."""
        kept = [found.number for found in self.rounds if found.kept]
        old = str(self.path / f"prior-{kept[-1]}.json") if kept else "uniform"
        new = self.path / f"prior-{number}.json"
        budget = self.plan.judging
        return f"expert+{new}@{budget}", f"expert+{old}@{budget}"

    def _priors(self, number: int) -> dict[str, str]:
        """The files that these bots are named after, and what they say."""
        files = [file for name in self._names(number) if (file := prior_file(name))]
        return {file: Path(file).read_text(encoding="utf-8") for file in files}

    def _fixtures(self, number: int) -> list[tuple[Options, Fixture]]:
        """The matches between new and old, under each set of options equally many."""
        share = -(-self.plan.judged // len(self.plan.options))
        return [
            (options, fixture)
            for options in self.plan.options
            for fixture in schedule(
                list(self._names(number)), self.game.seats(options), share, self.plan.seed + number
            )
        ]

    def _judge(self, pool: Pool, number: int, advance: Callable[[], object]) -> tuple[float, float]:
        """The new prior's share of the wins against the old one, and its standard error."""
        new, _ = self._names(number)
        shares: dict[tuple[str, int], tuple[float, int]] = {}
        for (options, fixture), outcome in pool.map(
            partial(judge, self.plan, self._priors(number)), self._fixtures(number)
        ):
            if isinstance(outcome, Lost):
                outcome = forfeited(job_of(self.plan, options), fixture, outcome)
            if outcome.forfeit:
                raise GameError("bad-bot", f"Judging failed: {outcome.forfeit.sentence}")
            seats = [seat for seat, bot in enumerate(outcome.fixture.bots) if bot == new]
            parts = [(seat in outcome.winners) / len(outcome.winners) for seat in seats]
            even = len(seats) / len(outcome.fixture.bots)
            share = _of_half(sum(parts), even)
            shares[str(options), fixture.number] = share, fixture.seed
            advance()
        scores, lucks = zip(*(shares[key] for key in sorted(shares)), strict=True)
        found = estimate(scores, lucks)  # a rotation has its own seed
        return found.mean, found.error or 0.0


def _of_half(share: float, even: float) -> float:
    """A share of the win as if both sides had as many seats: an even share becomes 0.5."""
    return share * 0.5 / even if share <= even else 0.5 + (share - even) * 0.5 / (1 - even)


def _asked(game: Game, plan: TrainingPlan) -> dict[str, Any]:
    """What a prior depends on, JSON-ready."""
    asked = asdict(plan) | {"rules": game.version, "features": game.knowledge.features}
    return {name: value for name, value in asked.items() if name not in ("rounds", "packages")}


def _rounds(path: Path) -> list[Round]:
    """The rounds that are over; GameError if what is told of them is damaged."""
    try:
        text = (path / ROUNDS).read_text(encoding="utf-8")
        return [Round(**line) for line in json.loads(text)]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as error:
        raise GameError(
            "bad-file", f"{quoted(str(path / ROUNDS))} is damaged: {error}. Name another folder."
        ) from error


def _keep(lessons: bytes, path: Path) -> None:
    """Write the lessons of a match; the file is there as a whole or not at all."""
    try:
        write_whole(path, lessons)
    except OSError as error:
        raise unwritable(path.parent, error) from error


def _kept(path: Path) -> Lessons:
    """The lessons of a match; GameError if they are damaged."""
    try:
        with path.open("rb") as file, np.load(file) as arrays:
            return Lessons(**arrays)
    except Exception as error:  # whatever a damaged archive leads to
        raise GameError(
            "bad-file", f"{quoted(str(path))} is damaged: {error}. Remove it to go on."
        ) from error


def _seed(seed: int, number: int, match: int) -> int:
    """The seed of one match of one round."""
    text = f"practice {seed:x}/{number:x}/{match:x}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest())
