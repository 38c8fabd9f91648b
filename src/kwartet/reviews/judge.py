"""Who judges: a bot that searches by simulations, or a game's exact solution."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.bots.catalogue import create, is_foreign, read_name, recalls
from kwartet.bots.network import NOTHING, Network
from kwartet.bots.search import Search
from kwartet.bots.workspace import Settings
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game, Options

LEAST: Final = 100  # simulations: a judge that plays with fewer looks as far as with these


@dataclass(frozen=True)
class Judge:
    """What a review measures worths with."""

    settings: Settings
    weights: npt.NDArray[np.float32]
    simulations: int
    solution: Any = None  # a `Solution`: everything is looked up
    network: Network = NOTHING

    def simulations_for(self, effort: float) -> int:
        """Of one search: the root lets a stronger judge look deeper without taking for ever."""
        return max(8, round(effort * (1000 * max(self.simulations, LEAST)) ** 0.5))


def check_judge(name: object, game: Game) -> str:
    """The name, if there is such a judge in this game; GameError if not."""
    if not isinstance(name, str):
        raise GameError("unknown-bot", f"A judge has a bot's name, not {quoted(name)}.")
    if is_foreign(name):
        raise GameError("bad-bot", f"{quoted(name)} cannot judge: only bots of Kwartet do.")
    wanted = read_name(name)
    if wanted.is_plain and recalls(wanted.base, game):
        return name
    bot = create(name, game)
    if not isinstance(bot, Search) or bot.budget.simulations is None:
        raise GameError(
            "bad-bot",
            f"{quoted(name)} cannot judge: skilled, expert and master can, and what searches "
            "by simulations, such as uct@1000.",
        )
    return name


def find_judge(name: str, game: Game, options: Options) -> Judge:
    """The judge of this name; a solution is computed first if none is stored."""
    wanted = read_name(check_judge(name, game))
    if wanted.is_plain and recalls(wanted.base, game):
        solutions = game.solved()
        solution = solutions.find(options) or solutions.compute(options)
        return Judge(Settings(), np.empty(0, np.float32), 1, solution)
    bot = create(name, game)
    assert isinstance(bot, Search)
    return judging(bot, options, int(bot.budget.simulations or 1))


def judging(bot: Search, options: Options, simulations: int) -> Judge:
    """A search that judges matches with these options.

    It sees all lines to their ends, also those of what is decided: it keeps no bounds.
    """
    network, settings = bot.reading(options)
    return Judge(settings._replace(proof=False), bot.prior.weights, simulations, network=network)
