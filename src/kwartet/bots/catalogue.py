"""Bots by name: levels, plain players, and classes of one's own.

A bot's name is `novice` … `master`, `random`, `greedy`, or `module:Class`. A search
can be told how long to think: `master@0.5s` or, the same on every machine, `master@2000`
simulations.
"""

import importlib
from collections.abc import Callable
from typing import Final

from kwartet.bots.bot import Bot
from kwartet.bots.plain import Greedy, Random
from kwartet.core.errors import GameError, quoted, some_of
from kwartet.core.game import Game

PLAIN: Final[dict[str, Callable[[], Bot]]] = {"random": Random, "greedy": Greedy}


def create(name: str, game: Game) -> Bot:
    """The bot of that name, fresh for one seat of one match; GameError if there is none."""
    if ":" in name:
        return _of_one_s_own(name)
    if name not in PLAIN:
        raise GameError(
            "unknown-bot", f"There is no bot {quoted(name)}; there is {some_of(PLAIN)}."
        )
    return PLAIN[name]()


def _of_one_s_own(name: str) -> Bot:
    """An object of `module:Class`."""
    module_name, _, class_name = name.partition(":")
    try:
        bot: Bot = getattr(importlib.import_module(module_name), class_name)()
    except Exception as error:  # whatever a foreign module does
        raise GameError(
            "bad-bot", f"The bot {quoted(name)} does not load: {type(error).__name__}: {error}."
        ) from error
    if not callable(getattr(bot, "choose", None)):
        raise GameError("bad-bot", f"The bot {quoted(name)} has no method choose.")
    return bot
