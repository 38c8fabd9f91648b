"""Advice for a seat that is to act: a few good moves, and why. From its own view alone."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from kwartet.bots.bot import Turn, turn_of
from kwartet.bots.catalogue import create, read_name, recalls
from kwartet.bots.level import level_of
from kwartet.bots.search import Search
from kwartet.core.chance import generator
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game
from kwartet.core.match import Match
from kwartet.reviews.decisions import Meter
from kwartet.reviews.judge import check_judge, judging
from kwartet.reviews.measuring import POINTS, WIN
from kwartet.reviews.reasons import Reason, Reasons
from kwartet.reviews.review import Worth

MOST: Final = 8  # moves that are named at most
LEAST: Final = 2_000  # simulations to find them, if nothing else is asked; half for each of them
FARTHEST: Final = 1_000_000  # simulations


@dataclass(frozen=True)
class Advice:
    """A move worth thinking about."""

    move: str
    worth: Worth  # what the seat may expect after it
    share: float  # of the simulations that went there; of a solution, 1.0 for the best move
    reason: Reason


def advise(
    match: Match,
    seat: int,
    count: int = 3,
    judge: str = "expert",
    simulations: int | None = None,
    seed: int = 0,
) -> list[Advice]:
    """Up to so many of the best moves for a seat that is to act, the best first.

    Told from what the seat knows: hidden cards change nothing. Looked up where the solution
    is stored, which is never computed here, else searched. The same seed gives the same
    answer. GameError if it is not that seat's turn, or something cannot be asked so.
    """
    _check("count", count, MOST)
    if simulations is not None:
        _check("simulations", simulations, FARTHEST)
    if type(seed) is not int:
        raise GameError("bad-seed", f"A seed is a whole number, not {quoted(seed)}.")
    name = check_judge(judge, match.game)
    match.redacted(seat)  # GameError if there is no such seat
    if match.actor != seat:
        raise GameError("not-your-turn", f"It is not seat {seat}'s turn.")
    return advise_turn(turn_of(match, seed=seed), count, name, simulations)


def advise_turn(turn: Turn, count: int, name: str, simulations: int | None) -> list[Advice]:
    """The same for a turn, which may have come from another process. Trusts the caller."""
    found = _looked_up(turn, name, count) or _searched(turn, name, count, simulations)
    actions = [action for action, _, _ in found]
    reasons = Reasons(turn.game).tell(turn.state, turn.seat, actions, generator(turn.seed, 2))
    return [
        Advice(turn.name(action), worth, share, reason)
        for (action, worth, share), reason in zip(found, reasons, strict=True)
    ]


def _looked_up(turn: Turn, name: str, count: int) -> list[tuple[int, Worth, float]]:
    """By the stored solution; nothing if there is none."""
    wanted = read_name(name)
    if not (wanted.is_plain and recalls(wanted.base, turn.game)):
        return []
    solution: Any = turn.game.solved().find(turn.options)
    if solution is None:
        return []
    worths = solution.worths(turn.state, turn.legal_actions)[:, turn.seat]
    scale = POINTS if len(turn.scores) == 1 else WIN
    order = np.lexsort((worths[:, POINTS], worths[:, scale]))[::-1][:count]
    return [
        (turn.legal_actions[index], Worth(*worths[index].tolist()), float(place == 0))
        for place, index in enumerate(order)
    ]


def _searched(
    turn: Turn, name: str, count: int, wished: int | None
) -> list[tuple[int, Worth, float]]:
    """By the judge's search; what each move is worth by one of its own, with the same luck."""
    own = read_name(name).budget
    bot = create(name if own else f"{name}@{LEAST}", turn.game)
    assert isinstance(bot, Search)
    usual = int(bot.budget.simulations or 1) if own else _usual(name, turn.game)
    simulations = wished or usual
    judge = judging(bot, turn.options, simulations)
    meter = Meter(turn.game, judge, -(-simulations // 2), simulations)
    actions, shares = turn.legal_actions, [1.0]
    if len(actions) > 1:
        actions, shares = meter.screen(turn.state, turn.seat, generator(turn.seed), count)
    halves = [
        meter.halves(turn.state, turn.seat, action, generator(turn.seed, 1)) for action in actions
    ]
    return [
        (action, Worth(*half.mean(axis=0)[turn.seat].tolist()), share)
        for action, half, share in zip(actions, halves, shares, strict=True)
    ]


def _usual(name: str, game: Game) -> int:
    """As many simulations as this judge has, but not too few."""
    return max(LEAST, int(level_of(read_name(name).base, game).simulations or 0))


def _check(name: str, value: object, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise GameError(
            "bad-option", f"{name} is a whole number from 1 to {most}, not {quoted(value)}."
        )
