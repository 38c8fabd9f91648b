"""The games: every folder here with a `GAME` is one, in alphabetical order.

Games of other packages come after them: those that an installed package announces under the
entry point `kwartet.games`, and those that a running program registers.
"""

import importlib
import importlib.metadata
import itertools
import pkgutil
import warnings
from typing import Final

from kwartet.core.errors import GameError, named, quoted, some_of
from kwartet.core.game import MAX_SEATS, Game

ENTRY_POINTS: Final = "kwartet.games"  # each is a GAME


def _shipped() -> dict[str, Game]:
    folders = sorted(module.name for module in pkgutil.iter_modules(__path__))
    games = (importlib.import_module(f"{__name__}.{folder}").GAME for folder in folders)
    return {game.key: game for game in games}


GAMES: dict[str, Game] = _shipped()


def register(game: Game) -> None:
    """Let `game` be found by its key; GameError if the key is taken, or it has too many seats."""
    if not isinstance(game, Game):
        raise GameError("bad-game", f"A game is a kwartet.Game, not {quoted(game)}.")
    choices = [option.choices for option in game.options if option.name == "players"]
    if max(itertools.chain(game.seat_counts, *choices)) > MAX_SEATS:
        raise GameError(
            "bad-game", f"{game.title} has more seats than the {MAX_SEATS} a game may have."
        )
    if GAMES.setdefault(game.key, game) is not game:
        raise GameError("game-taken", f"There is another game with the key {game.key!r}.")


def register_installed() -> None:
    """Register what installed packages announce; a warning names each that does not load."""
    points = importlib.metadata.entry_points(group=ENTRY_POINTS)
    for point in sorted(points, key=lambda point: point.name):
        try:
            register(point.load())
        except (Exception, SystemExit) as error:  # whatever foreign code raises when imported
            reason = error.sentence if isinstance(error, GameError) else f"{named(error)}."
            sentence = f"The game {quoted(point.value)} is left out: {reason}"
            warnings.warn_explicit(sentence, RuntimeWarning, __name__, 0)


def find(key: str) -> Game:
    """The game with this key; GameError names those there are."""
    if not isinstance(key, str) or key not in GAMES:
        raise GameError(
            "unknown-game", f"There is no game {quoted(key)}; there are {some_of(GAMES)}."
        )
    return GAMES[key]
