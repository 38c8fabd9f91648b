"""Kwartet: Carat, Carnac, the Catan dice game and Kwatro, with exact rules at native speed.

    import kwartet

    match = kwartet.new("carnac", board="small", seed=7)
    match.play(match.legal()[0])
    match.play(kwartet.bot("expert").choose(match))

Everything public is here and in `kwartet.bots`, `kwartet.arena`, `kwartet.learning`,
`kwartet.reviews`, `kwartet.envs`, `kwartet.client` and `kwartet.store`. The compiled rules are
loaded with the first match, so that importing is quick.
"""

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from kwartet.core.errors import GameError, quoted, some_of
from kwartet.core.game import Game, Modules, Option, Options
from kwartet.games import GAMES, find, register, register_installed

if TYPE_CHECKING:
    from kwartet.bots.player import Player
    from kwartet.core import bits, picture
    from kwartet.core.chance import Generator, Lot, below, shuffle
    from kwartet.core.features import Field
    from kwartet.core.kernels import kernel, record_dtype
    from kwartet.core.match import Match
    from kwartet.core.scoring import mark_highest
    from kwartet.reviews.care import Care
    from kwartet.reviews.review import Review

__all__ = [
    "CHANCE",
    "GAMES",
    "OVER",
    "SPECTATOR",
    "Field",
    "Game",
    "GameError",
    "Generator",
    "Lot",
    "Match",
    "Modules",
    "Option",
    "Options",
    "below",
    "bits",
    "bot",
    "describe",
    "kernel",
    "mark_highest",
    "new",
    "picture",
    "quoted",
    "record_dtype",
    "register",
    "replay",
    "review",
    "shuffle",
    "some_of",
]

CHANCE: Final = -1  # the actor while a draw, a roll or a lay-out is due
OVER: Final = -2  # in kernels, the actor of a match that has ended; else that is None
SPECTATOR: Final = -3  # in kernels, in place of a seat: one who sees no hand; else that is None

_LATER: Final = {  # where the names are that need NumPy and Numba
    "Field": "kwartet.core.features",
    "Generator": "kwartet.core.chance",
    "Lot": "kwartet.core.chance",
    "Match": "kwartet.core.match",
    "below": "kwartet.core.chance",
    "bits": "kwartet.core",
    "kernel": "kwartet.core.kernels",
    "mark_highest": "kwartet.core.scoring",
    "picture": "kwartet.core",
    "record_dtype": "kwartet.core.kernels",
    "shuffle": "kwartet.core.chance",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = importlib.import_module(_LATER[name])
    if not hasattr(home, name):
        importlib.import_module(f"{_LATER[name]}.{name}")
    found = globals()[name] = getattr(home, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def new(
    game: str, *, seed: int | bytes | None = None, auto_chance: bool = True, **options: Any
) -> "Match":
    """Start a match. The options are the game's own; GameError on a bad one.

    `seed` (a number or 32 bytes) fixes the luck. With `auto_chance=False` the caller
    plays chance's moves, the ones that begin with `*`.
    """
    from kwartet.core.match import Match

    return Match(find(game), options, seed=seed, auto_chance=auto_chance)


def replay(record: dict[str, Any], ply: int | None = None) -> "Match":
    """Rebuild a match from its record; GameError names the first move that is not legal.

    With `ply` as it stood after so many moves. If chance was to act then, the caller plays it,
    or `match.resume_chance()` draws.
    """
    from kwartet.core import records

    return records.replay(record, find, ply)


def bot(
    name: str,
    *,
    seconds: float | None = None,
    simulations: int | None = None,
    threads: int = 1,
    seed: int | None = None,
) -> "Player":
    """A player by its name: a level such as `expert`, or `module:Class`; GameError if unknown.

    Its `choose(match)` is a move for the seat to act, its `analyse(match)` what it thinks of
    all moves. What it may be told: `kwartet.bots.Player`.
    """
    from kwartet.bots.player import Player

    return Player(name, seconds=seconds, simulations=simulations, threads=threads, seed=seed)


def review(
    match: "Match | dict[str, Any]",
    judge: str = "expert",
    seats: Sequence[int] | None = None,
    progress: "Callable[[Review], object] | None" = None,
    *,
    care: "str | Care" = "normal",
    seed: int = 0,
) -> "Review":
    """What every move of a match that is over was worth, given the match or its record.

    Of a match that was broken off its record must say so, by its `result`; what it came to is
    then what could be expected at last. `judge` is a bot that searches, `care` quick, normal or
    thorough; only the decisions of `seats` are judged. `progress` is given the review as it
    grows. The same seed gives the same review. GameError if there is no such match, judge,
    seat or care.
    """
    from kwartet.core.match import Match
    from kwartet.core.records import is_ended
    from kwartet.reviews.work import make_review, plan_review

    played = match if isinstance(match, Match) else replay(match)
    work = plan_review(played, judge, seats, care, seed, ended=is_ended(match))
    return make_review(work, progress)


def describe(game: str) -> dict[str, Any]:
    """A game's names, seats and options, JSON-ready."""
    found = find(game)
    defaults = found.settle({})
    return {
        "key": found.key,
        "title": found.title,
        "credit": found.credit,
        "summary": found.summary,
        "rules": found.version,
        "seats": list(found.seat_counts),
        "draws": found.draws,
        "options": [
            {
                "name": option.name,
                "default": defaults[option.name],
                "choices": list(option.choices),
                "summary": option.summary,
            }
            for option in found.options
        ],
    }


register_installed()  # last, because a game's package imports from here
