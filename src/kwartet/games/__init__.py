"""The games: every folder here with a `GAME` is one, in alphabetical order.

`register` adds a game from elsewhere for the running program.
"""

import importlib
import pkgutil

from kwartet.core.errors import GameError, quoted, some_of
from kwartet.core.game import Game


def _shipped() -> dict[str, Game]:
    folders = sorted(module.name for module in pkgutil.iter_modules(__path__))
    games = (importlib.import_module(f"{__name__}.{folder}").GAME for folder in folders)
    return {game.key: game for game in games}


GAMES: dict[str, Game] = _shipped()


def register(game: Game) -> None:
    """Let `game` be found by its key; GameError if the key is taken by another."""
    if GAMES.setdefault(game.key, game) is not game:
        raise GameError("game-taken", f"There is another game with the key {game.key!r}.")


def find(key: str) -> Game:
    """The game with this key; GameError names those there are."""
    if not isinstance(key, str) or key not in GAMES:
        raise GameError(
            "unknown-game", f"There is no game {quoted(key)}; there are {some_of(GAMES)}."
        )
    return GAMES[key]
