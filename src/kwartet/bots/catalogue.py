"""Bots by name.

A name is a level, `random`, `greedy`, `uct`, or `module:Class` for a bot of one's own. To
a bot that searches one may say what to expect and how long to think:
`master+uniform` (no prior), `master+FILE.json` (a prior of one's own), `master@0.5s` (seconds
a move), `master@2000` (simulations a move: the same answer on every machine).
"""

import importlib
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kwartet.bots import prior as priors
from kwartet.bots.bot import Bot
from kwartet.bots.exact import Exact, Recalling
from kwartet.bots.instinct import Instinct
from kwartet.bots.plain import Greedy, Random
from kwartet.bots.prior import UNIFORM, Prior
from kwartet.bots.search import Budget, Search
from kwartet.bots.tree import Settings
from kwartet.core.errors import GameError, named, quoted, some_of
from kwartet.core.game import Game

LEVELS: Final = {
    "novice": "Sees a few of the possible moves and plays the best-looking of them.",
    "casual": "Sees most moves, goes by their looks and does not think ahead.",
    "skilled": "Thinks ahead a little.",
    "expert": "Thinks ahead well and rarely misses anything.",
    "master": "Thinks for as long as it is allowed to; the strongest there is.",
}
SOLVED: Final = {
    "skilled": "Knows the best move a little more than half of the time.",
    "expert": "Knows the best move nearly always.",
    "master": "Knows the exact solution; against others it plays for the win, not for points.",
}
OTHERS: Final = {
    "random": "Plays any legal move.",
    "greedy": "Takes the most points it can get this turn.",
    "uct": "Plain tree search with random playouts, to compare with.",
}
SECONDS: Final = {"skilled": 0.3, "expert": 1.0, "master": 3.0, "uct": 3.0}

_NAME: Final = re.compile(
    r"(?P<base>[a-z]+)(\+(?P<prior>.+?))?"
    r"(@((?P<seconds>\d{1,4}(\.\d{1,6})?)s|(?P<simulations>\d{1,9})))?"
)


@dataclass(frozen=True)
class Wanted:
    """A bot's name, taken apart."""

    base: str
    prior: str | None = None
    budget: Budget | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it is a bare name."""
        return self.prior is None and self.budget is None


def create(name: str, game: Game, *, threads: int = 1, seconds: float | None = None) -> Bot:
    """The bot of that name, fresh for one seat of one match; GameError if there is none.

    With `seconds` a bot that searches does so for that long, instead of for its level's time.
    """
    if is_foreign(name):
        return _foreign(name)
    wanted = read_name(name)
    match wanted.base:
        case "random":
            return Random()
        case "greedy":
            return Greedy()
        case "novice" | "casual":
            return Instinct(game, _prior(wanted, game), game.tactic("ATTENTION")[wanted.base])
        case level if recalls(level, game) and wanted.is_plain:
            return _recalling(level, game)
        case _:
            if seconds is not None:
                wanted = replace(wanted, budget=Budget(seconds=seconds))
            return _search(wanted, game, threads)


def is_foreign(name: str) -> bool:
    """Whether it names a class of somebody's own."""
    return ":" in name.partition("+")[0]


def recalls(level: str, game: Game) -> bool:
    """Whether this level looks the game's exact solution up."""
    return game.solution is not None and level in game.tactic("RECALL")


def prior_file(name: str) -> str | None:
    """The file of the prior that a bot's name has, if it has one."""
    wanted = None if is_foreign(name) else read_name(name)
    return wanted.prior if wanted and wanted.prior != "uniform" else None


def _recalling(level: str, game: Game) -> Bot:
    """A level of a solved game."""
    recall = game.tactic("RECALL")[level]
    exact = Exact(game)
    return exact if recall == 1.0 else Recalling(exact, Instinct(game, UNIFORM, 1.0), recall)


def describe(game: Game) -> dict[str, str]:
    """Each level of the game and a sentence on how it plays."""
    return LEVELS | (SOLVED if game.solution else {})


def read_name(name: str) -> Wanted:
    """Take a built-in bot's name apart; GameError if it has no such form."""
    found = _NAME.fullmatch(name)
    names = [*LEVELS, *OTHERS]
    if not found or found["base"] not in names:
        raise GameError(
            "unknown-bot",
            f"There is no bot {quoted(name)}; there is {some_of(names)}, "
            "or module:Class for one of your own.",
        )
    budget = None
    if found["seconds"]:
        budget = Budget(seconds=float(found["seconds"]))
    elif found["simulations"]:
        budget = Budget(simulations=max(1, int(found["simulations"])))
    if found["base"] not in SECONDS and (budget or found["prior"]):
        raise GameError(
            "unknown-bot", f"{found['base']} does not search: it takes no budget and no prior."
        )
    if found["base"] == "uct" and found["prior"]:
        raise GameError("unknown-bot", "uct takes no prior.")
    return Wanted(found["base"], found["prior"], budget)


def _search(wanted: Wanted, game: Game, threads: int) -> Search:
    settings = settings_for(game)
    simulations = dict(zip(SECONDS, (*game.tactic("SIMULATIONS"), None), strict=True))
    budget = wanted.budget or Budget(simulations[wanted.base], SECONDS[wanted.base])
    if wanted.base == "uct":
        settings = Settings(1.4, uct=True, result=1.0, expand_at=1, secrets=game.rules.SECRETS)
        prior = UNIFORM
    else:
        prior = _prior(wanted, game)
    return Search(game, settings, replace(budget, threads=threads), prior)


def settings_for(game: Game) -> Settings:
    """How a search weighs what it finds in this game."""
    return Settings(
        exploration=float(game.tactic("EXPLORATION")),
        margin=float(game.tactic("MARGIN")),
        secrets=game.rules.SECRETS,
    )


def _prior(wanted: Wanted, game: Game) -> Prior:
    if wanted.prior is None:
        is_guided = wanted.base not in game.tactic("UNGUIDED")
        return priors.shipped(game) if is_guided else UNIFORM
    return UNIFORM if wanted.prior == "uniform" else priors.read(game, Path(wanted.prior))


def _foreign(name: str) -> Bot:
    """An object of `module:Class`."""
    module_name, _, class_name = name.partition(":")
    try:
        bot: Bot = getattr(importlib.import_module(module_name), class_name)()
    except (Exception, SystemExit) as error:  # whatever a foreign module does
        raise GameError(
            "bad-bot",
            f"The bot {quoted(name)} does not load: {named(error)}.",
        ) from error
    if not callable(getattr(bot, "choose", None)):
        raise GameError("bad-bot", f"The bot {quoted(name)} has no method choose.")
    return bot
