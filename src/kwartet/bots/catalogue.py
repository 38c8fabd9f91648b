"""Bots by name.

A name is a level, `random`, `greedy`, `uct`, `module:Class` for a bot of one's own, or
`exec:COMMAND` for a program. The name of a bot that searches may also say which prior it uses
and how long it thinks: `master+uniform` (no prior), `master+FILE.json` (a prior of one's own),
`master@0.5s` (seconds a move), `master@2000` (simulations a move: the same answer on every
machine).
"""

import importlib
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from kwartet.bots import network
from kwartet.bots import prior as priors
from kwartet.bots.bot import Bot
from kwartet.bots.exact import Exact
from kwartet.bots.instinct import Instinct, by_points, by_prior, by_solution
from kwartet.bots.level import LEVELS, UCT, Level, level_of
from kwartet.bots.network import NO_VALUES, Values, beside
from kwartet.bots.plain import Greedy, Random
from kwartet.bots.prior import UNIFORM, Prior
from kwartet.bots.program import Program, is_program
from kwartet.bots.search import Budget, Search
from kwartet.bots.workspace import Settings
from kwartet.core.errors import GameError, named, quoted, some_of
from kwartet.core.game import Game, Options

OTHERS: Final = {
    "random": "Plays any legal move.",
    "greedy": "Takes the most points it can get this turn.",
    "uct": UCT.sentence,
}
SECONDS: Final = {
    name: level.seconds for name, level in (LEVELS | {"uct": UCT}).items() if level.seconds
}

_NAME: Final = re.compile(
    r"(?P<base>[a-z]+)(\+(?P<prior>.+?))?"
    r"(@((?P<seconds>\d{1,4}(\.\d{1,6})?)s|(?P<simulations>\d{1,9})))?"
)


_LISTED: Final = re.compile(r"""\s*(exec:(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^,])*|[^,]*)(?:,|$)""")


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


def create(name: str, game: Game, *, options: Options | None = None, threads: int = 1) -> Bot:
    """The bot of that name, fresh for one seat of one match; GameError if there is none.

    A level is as strong as in matches with these options, if they are told.
    """
    if is_program(name):
        return Program(name, game)
    if is_foreign(name):
        return _foreign(name)
    wanted = read_name(name)
    match wanted.base:
        case "random":
            return Random()
        case "greedy":
            return Greedy()
    level = level_of(wanted.base, game, options)
    if wanted.is_plain and recalls(wanted.base, game):
        return _knowing(level, game)
    if not level.searches:
        prior = _prior(wanted, level, game)
        knows_looks = level.looks and len(prior.weights)
        return Instinct(game, by_prior(prior) if knows_looks else by_points, level.slack)
    return _search(wanted, level, game, threads)


def split_names(text: str) -> list[str]:
    """The names in a list with commas; within a command, a quoted comma is part of it."""
    names: list[str] = []
    end = -1
    while end < len(text):
        found = _LISTED.match(text, end + 1)
        assert found is not None  # it matches whatever is left
        names.append(found[1].strip())
        end = found.end(1)
    return names


def strongest(game: Game, simulations: int) -> Search | Exact:
    """The best player there is: the exact solution of a solved game, else this long a search.

    The search is as the master's in this game: with the prior only where that helps it.
    """
    if game.solution is not None:
        return Exact(game)
    wanted = Wanted("master", budget=Budget(simulations))
    return _search(wanted, level_of("master", game), game, threads=1)


def check(name: str) -> None:
    """GameError unless there is a bot of that name, as far as can be told without a game."""
    if is_program(name):
        return
    if is_foreign(name):
        _class(name)
    else:
        read_name(name)


def is_foreign(name: str) -> bool:
    """Whether it names a class of somebody's own, or a program."""
    return ":" in name.partition("+")[0]


def recalls(level: str, game: Game) -> bool:
    """Whether this level goes by the game's exact solution."""
    return game.solution is not None and level in LEVELS and bool(LEVELS[level].solved)


def prior_file(name: str) -> str | None:
    """The file of the prior that a bot's name has, if it has one."""
    wanted = None if is_foreign(name) else read_name(name)
    return wanted.prior if wanted and wanted.prior != "uniform" else None


def _knowing(level: Level, game: Game) -> Bot:
    """A level of a solved game: who lets go of nothing plays for the win, others for points."""
    exact = Exact(game)
    return Instinct(game, by_solution(exact), level.slack) if level.slack else exact


def describe(game: Game) -> dict[str, str]:
    """Each level of the game and a sentence on how it plays."""
    return {
        name: level.solved if recalls(name, game) else level.sentence
        for name, level in LEVELS.items()
    }


def read_name(name: str) -> Wanted:
    """Take a built-in bot's name apart; GameError if it has no such form."""
    found = _NAME.fullmatch(name)
    names = [*LEVELS, *OTHERS]
    if not found or found["base"] not in names:
        raise GameError(
            "unknown-bot",
            f"There is no bot {quoted(name)}; there is {some_of(names)}, "
            "module:Class for one of your own, or exec:COMMAND for a program.",
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


def _search(wanted: Wanted, level: Level, game: Game, threads: int) -> Search:
    settings = settings_for(game)
    if wanted.base == "uct":
        settings = Settings(1.4, uct=True, result=1.0, expand_at=1, secrets=game.rules.SECRETS)
    prior = _prior(wanted, level, game)
    if level.turns and not len(prior.weights):  # the tree is what a prior guides
        settings = settings._replace(turns=True)
    own = Budget(level.simulations, level.seconds, fills_turn=level.fills_time)
    budget = replace(wanted.budget or own, threads=threads)
    values = _values(wanted, level, game)
    return Search(game, settings, budget, prior, values, endings=level.endings)


def settings_for(game: Game) -> Settings:
    """How a search weighs what it finds in this game."""
    return Settings(
        exploration=float(game.knowledge.exploration),
        margin=float(game.knowledge.margin),
        secrets=game.rules.SECRETS,
        proof=is_open(game),
    )


def is_open(game: Game) -> bool:
    """Whether two play without chance and secrets, so that results can be proven."""
    rules = game.rules
    return game.seat_counts == (2,) and not rules.SECRETS and rules.CHANCE_ACTIONS == 0


def _prior(wanted: Wanted, level: Level, game: Game) -> Prior:
    if wanted.prior is None:
        return priors.shipped(game) if level.guided else UNIFORM
    return UNIFORM if wanted.prior == "uniform" else priors.read(game, Path(wanted.prior))


def _values(wanted: Wanted, level: Level, game: Game) -> Values:
    """Those that are shipped, for a level that reads them; else those beside a prior of one's own.

    With no prior there are none.
    """
    if wanted.prior is None:
        return network.shipped(game) if level.values else NO_VALUES
    return NO_VALUES if wanted.prior == "uniform" else beside(game, Path(wanted.prior))


def _foreign(name: str) -> Bot:
    """An object of `module:Class`."""
    found = _class(name)
    try:
        bot: Bot = found()
        is_bot = callable(getattr(bot, "choose", None))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a foreign constructor does
        raise GameError(
            "bad-bot", f"The bot {quoted(name)} cannot be made: {named(error)}."
        ) from error
    if not is_bot:
        raise GameError("bad-bot", f"The bot {quoted(name)} has no method choose.")
    return bot


def _class(name: str) -> Any:
    """The class that `module:Class` names."""
    module_name, _, class_name = name.partition(":")
    try:
        found = getattr(importlib.import_module(module_name), class_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a foreign module does
        raise GameError(
            "bad-bot", f"The bot {quoted(name)} does not load: {named(error)}."
        ) from error
    if not isinstance(found, type):
        raise GameError("bad-bot", f"The bot {quoted(name)} is no class.")
    return found
