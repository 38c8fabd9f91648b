"""Kwartet: Carat, Carnac, the Catan dice game and Kwatro, with exact rules at native speed.

    import kwartet

    match = kwartet.new("carnac", board="small", seed=7)
    match.play(match.legal()[0])

The compiled rules are loaded with the first match, so that importing is quick.
"""

from typing import TYPE_CHECKING, Any, Final

from kwartet.core.errors import GameError
from kwartet.core.game import Game
from kwartet.games import GAMES, find, register

if TYPE_CHECKING:
    from kwartet.core.match import Match

__all__ = ["CHANCE", "GAMES", "Game", "GameError", "describe", "new", "register", "replay"]

CHANCE: Final = -1  # the actor while a draw, a roll or a lay-out is due


def new(
    game: str, *, seed: int | bytes | None = None, auto_chance: bool = True, **options: Any
) -> "Match":
    """Start a match. The options are the game's own; GameError on a bad one.

    `seed` (a number or 32 bytes) fixes the luck. With `auto_chance=False` the caller
    plays chance's moves, the ones that begin with `*`.
    """
    from kwartet.core.match import Match

    return Match(find(game), options, seed=seed, auto_chance=auto_chance)


def replay(record: dict[str, Any]) -> "Match":
    """Rebuild a match from its record; GameError names the first move that is not legal."""
    from kwartet.core import records

    return records.replay(record, find)


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
