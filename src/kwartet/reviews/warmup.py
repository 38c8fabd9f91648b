"""Compile what reviews of a game need, or load it from the disk cache, before it is needed."""

from functools import partial

import numpy as np

from kwartet.core.chance import generator
from kwartet.core.game import MAX_SEATS, Game
from kwartet.core.match import Match
from kwartet.core.verbs import CHANCE
from kwartet.core.warmup import Steps
from kwartet.reviews.decisions import Meter
from kwartet.reviews.endings import Endings
from kwartet.reviews.judge import find_judge
from kwartet.reviews.measuring import Guide, draw, roll
from kwartet.reviews.reasons import Reasons


def steps(game: Game) -> Steps:
    """What a review needs whose judge searches."""
    return [
        ("weighing", partial(_weigh, game)),
        ("playing on", partial(_play_on, game)),
        ("proofs", partial(_prove, game)),
        ("reasons", partial(_reason, game)),
    ]


def _weigh(game: Game) -> None:
    match = Match(game, {}, seed=0)
    judge = find_judge("expert@8", game, match.options)
    seat = match.actor or 0
    Meter(game, judge, 8, 8).screen(match.redacted(seat), seat, generator(0), 1)


def _play_on(game: Game) -> None:
    begun = Match(game, {}, auto_chance=False)
    states, scratch = begun.state, begun.state
    none = np.empty((1, 0), np.int32)
    guide = Guide(np.empty(0, np.float32), np.empty(0, np.int32), np.empty(0, np.int32))
    roll(states, none, scratch, guide, generator(0), 0, np.zeros((1, MAX_SEATS, 2)))
    if begun.actor == CHANCE:
        draw(states, scratch, generator(0), np.zeros(1, np.int32))


def _prove(game: Game) -> None:
    match = Match(game, {}, seed=0)
    seat = match.actor or 0
    endings, first = Endings(game, 1), match.legal_actions()[0]
    endings.solve(match.state, seat, match.seats, first)
    endings.value(match.state, first, 0, 0)
    endings.values(match.state, first)


def _reason(game: Game) -> None:
    match = Match(game, {}, seed=0)
    seat = match.actor or 0
    Reasons(game).tell(match.redacted(seat), seat, match.legal_actions()[:1], generator(0))
