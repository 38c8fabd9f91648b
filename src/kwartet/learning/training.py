"""Learning from self-play what a search should expect, round by round.

In every round the search plays itself with the prior it has, a new prior is fitted to what
the searches looked at in this round and some before, and the new one plays the old one.
The better of the two goes on. Where a game sketches positions, networks that tell their worth
are fitted to the same matches and go with the prior, in a file beside it. What is finished is
in the folder, so that training can be interrupted at any time and goes on where it was; the
same plan gives the same prior.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from kwartet.arena.estimates import estimate
from kwartet.arena.folder import Folder, Kind, unwritable
from kwartet.arena.matches import forfeited
from kwartet.arena.pairing import Fixture, schedule
from kwartet.arena.pool import Lost, Pool
from kwartet.bots import prior as priors
from kwartet.bots.catalogue import prior_file
from kwartet.bots.network import NO_VALUES, Values, beside, values_of
from kwartet.bots.network import write as write_values
from kwartet.bots.prior import UNIFORM, Prior
from kwartet.core.errors import GameError, quoted
from kwartet.core.files import write_whole
from kwartet.core.game import Game, Options
from kwartet.learning.fitting import fit, join
from kwartet.learning.practice import Brought, Practice, Study, job_of, judge, practise, unpack
from kwartet.learning.valuing import Views, fit_network, join_views

TRAINING: Final = Kind("training", 1)
ROUNDS: Final = "rounds.json"
UNASKED: Final = ("rounds", "patience", "packages")  # of a plan: they change no round


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
    random_moves: float = 0.0  # the share of decisions that self-play leaves to chance
    remembered: int = 2  # rounds whose matches a prior is fitted to, the last one among them
    patience: int | None = None  # rounds in turn that bring nothing, after which it is over
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
    errors: dict[str, float] = field(default_factory=dict)  # squared, of each look's network


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

    @property
    def best_values(self) -> Values:
        """The values that go with the best prior; none before there is one."""
        path = self.path / priors.FILE
        return beside(self.game, path) if path.exists() else NO_VALUES

    @property
    def is_over(self) -> bool:
        """Whether all rounds are done, or the last ones brought nothing."""
        patience = self.plan.patience
        last = self.rounds[-patience:] if patience else []
        is_vain = len(last) == patience and not any(found.kept for found in last)
        return is_vain or len(self.rounds) >= self.plan.rounds

    def steps(self) -> int:
        """How many matches are still to be played, if no patience ends."""
        rounds = 0 if self.is_over else self.plan.rounds - len(self.rounds)
        return rounds * (self.plan.matches + len(self._fixtures(0))) - len(self._done())

    def run(
        self, pool: Pool, judges: Pool, advance: Callable[[], object] = lambda: None
    ) -> Iterator[Round]:
        """The rounds that are missing, one by one; `advance` follows every match.

        Neither pool need see the folder.
        """
        while not self.is_over:
            number = len(self.rounds) + 1
            self._practise(pool, number, advance)
            lessons = join(study.lessons for study in self._studies(number))
            decisions = lessons.size
            weights, losses = fit(self.game, lessons, self.plan.seed + number)
            del lessons  # they are large
            made = _asked(self.game, self.plan) | {"round": number, "decisions": decisions}
            path = self.path / f"prior-{number}.json"
            priors.write(self.game, path, Prior(weights, made))
            errors = self._value(number, made, path)
            score, error = self._judge(judges, number, advance)
            found = Round(number, decisions, losses, score, error, score >= 0.5, errors)
            if found.kept:
                best = self.path / priors.FILE
                priors.write(self.game, best, priors.read(self.game, path))
                if errors:
                    write_values(self.game, values_of(best), beside(self.game, path))
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
        prior, values = self.best, self.best_values
        items = [
            Practice(match, options[match], _seed(self.plan.seed, number, match))
            for match in range(self.plan.matches)
            if f"{match:05}" not in present
        ]
        for item, study in pool.map(partial(practise, self.plan, prior, values), items):
            if isinstance(study, Lost):
                raise GameError("worker-lost", "A process ended in the middle of self-play.")
            _keep(study, files / f"{item.number:05}.npz")
            advance()

    def _studies(self, number: int) -> Iterator[Study]:
        """What the matches of this round and of those remembered before it had to teach."""
        for each in range(max(1, number - self.plan.remembered + 1), number + 1):
            for path in sorted((self.path / f"round-{each}").glob("*.npz")):
                yield _kept(path)

    def _value(self, number: int, made: dict[str, Any], path: Path) -> dict[str, float]:
        """Fit the networks that go with the prior in this file; the error of each."""
        networks, errors = {}, {}
        looks = self.game.knowledge.looks
        parts: dict[str, list[Views]] = {}
        for study in self._studies(number):
            if study.look in looks:
                parts.setdefault(study.look, []).append(study.views)
        for name in sorted(parts):
            seen = join_views(parts.pop(name))
            networks[name], history = fit_network(seen, looks[name], made["seed"] + number)
            errors[name] = history[-1]
        if networks:
            blends = {name: looks[name].blend for name in networks}
            write_values(self.game, values_of(path), Values(networks, blends, made))
        return errors

    # Judging ------------------------------------------------------------------------------

    def _names(self, number: int) -> tuple[str, str]:
        """The bots with the new and with the old prior."""
        kept = [found.number for found in self.rounds if found.kept]
        old = str(self.path / f"prior-{kept[-1]}.json") if kept else "uniform"
        new = self.path / f"prior-{number}.json"
        budget = self.plan.judging
        return f"expert+{new}@{budget}", f"expert+{old}@{budget}"

    def _priors(self, number: int) -> dict[str, Brought]:
        """The files that these bots are named after, and what they and those beside them hold."""
        files = [Path(file) for name in self._names(number) if (file := prior_file(name))]
        return {
            str(file): Brought(file.read_bytes(), values.read_bytes() if values.exists() else b"")
            for file in files
            for values in [values_of(file)]
        }

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
    asked["looks"] = {name: look.inputs for name, look in game.knowledge.looks.items()}
    return {name: value for name, value in asked.items() if name not in UNASKED}


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


def _keep(study: bytes, path: Path) -> None:
    """Write what a match has to teach; the file is there as a whole or not at all."""
    try:
        write_whole(path, study)
    except OSError as error:
        raise unwritable(path.parent, error) from error


def _kept(path: Path) -> Study:
    """What a match had to teach; GameError if it is damaged."""
    try:
        return unpack(path)
    except Exception as error:  # whatever a damaged archive leads to
        raise GameError(
            "bad-file", f"{quoted(str(path))} is damaged: {error}. Remove it to go on."
        ) from error


def _seed(seed: int, number: int, match: int) -> int:
    """The seed of one match of one round."""
    text = f"practice {seed:x}/{number:x}/{match:x}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest())
