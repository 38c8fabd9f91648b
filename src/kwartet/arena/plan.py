"""What was asked of an arena; everything in its results follows from it."""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from dataclasses import fields as dataclass_fields
from pathlib import Path
from typing import Any, Final

from kwartet.arena.folder import Kind
from kwartet.arena.matches import Job
from kwartet.arena.pairing import Fixture, Mode, pair_size, schedule, whole_pairs
from kwartet.arena.sequential import Question, SequentialTest, checked
from kwartet.bots.catalogue import prior_file
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Options
from kwartet.games import GAMES, find

ARENA: Final = Kind("arena", 1)


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament before its first match."""

    game: str
    rules: int  # version
    options: Options
    bots: list[str]
    games: int
    seed: int
    mode: Mode
    seconds: float | None  # for a move
    priors: dict[str, str] = field(default_factory=dict)  # digests of the files that bots name
    sprt: Question | None = None  # what is to be decided: then `games` only bound it

    @property
    def seats(self) -> int:
        """Of every match."""
        return find(self.game).seats(self.options)

    def fixtures(self) -> list[Fixture]:
        """The schedule; GameError if the bots cannot meet."""
        games = self.games
        if self.sprt is not None:
            if len(self.bots) != 2:
                raise GameError("bad-option", "--sprt is a question between two bots.")
            games = whole_pairs(games, self.seats)
        return schedule(self.bots, self.seats, games, self.seed, self.mode)

    def test(self) -> SequentialTest | None:
        """The sequential test that was asked for, before its first pair."""
        if self.sprt is None:
            return None
        one, other = self.bots
        return SequentialTest(self.sprt, (one, other), pair_size(self.seats))

    def job(self) -> Job:
        """What a process needs to know to play a fixture."""
        packages = tuple(game.package for game in GAMES.values())
        return Job(self.game, self.options, self.seconds, packages)

    def as_json(self) -> dict[str, Any]:
        """JSON-ready."""
        return ARENA.setup(asdict(self))

    def refuse_changed_priors(self) -> None:
        """GameError if a prior is no longer the one that the arena began with."""
        for name, digest in self.priors.items():
            if _digest(name) != digest:
                raise GameError(
                    "bad-file",
                    f"The prior {quoted(name)} has changed since the arena began; "
                    "put it back, or start another with another --out.",
                )


def prior_digests(bots: list[str]) -> dict[str, str]:
    """A digest of each prior's file that these bots name."""
    files = {file for bot in bots if (file := prior_file(bot))}
    return {name: _digest(name) for name in sorted(files)}


def _digest(name: str) -> str:
    try:
        return hashlib.blake2b(Path(name).read_bytes(), digest_size=16).hexdigest()
    except OSError as error:
        raise GameError(
            "bad-file", f"Cannot read the prior {quoted(name)}: {error.strerror}."
        ) from error


def read_plan(setup: dict[str, Any]) -> TournamentPlan:
    """The plan that `as_json` gave; GameError names what is damaged."""
    fields = {"priors": {}, "sprt": None} | {
        name: value for name, value in setup.items() if name != ARENA.name
    }
    for name in (*fields, *_SHAPES):
        if name not in fields or name not in _SHAPES or not _SHAPES[name](fields[name]):
            raise GameError("bad-file", f"The arena's setup is damaged at {quoted(name)}.")
    sprt = fields["sprt"] and checked(Question(**fields["sprt"]))
    plan = TournamentPlan(**fields | {"mode": Mode(fields["mode"]), "sprt": sprt})
    find(plan.game).settle(plan.options)
    return plan


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_number(value: Any) -> bool:
    return _is_whole(value) or isinstance(value, float)


def _is_question(value: Any) -> bool:
    names = {each.name for each in dataclass_fields(Question)}
    return isinstance(value, dict) and set(value) == names and all(map(_is_number, value.values()))


_SHAPES: Final[dict[str, Callable[[Any], bool]]] = {  # of the fields of a stored plan
    "game": lambda value: isinstance(value, str),
    "rules": _is_whole,
    "options": lambda value: isinstance(value, dict),
    "bots": _is_texts,
    "games": _is_whole,
    "seed": _is_whole,
    "mode": lambda value: value in list(Mode),
    "seconds": lambda value: value is None or _is_number(value),
    "priors": lambda value: isinstance(value, dict) and _is_texts([*value.values()]),
    "sprt": lambda value: value is None or _is_question(value),
}
