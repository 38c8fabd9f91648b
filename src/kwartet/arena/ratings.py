"""How strong bots are, from places in matches.

*Elo* is the most likely rating in the model of Bradley and Terry: of two seats the one
rated 400 higher comes out ahead ten times as often. A draw is half a win. A match of
more than two seats is a comparison of every pair of them, each weighted 2/seats, so that
it counts as one match less than it has seats. A weak prior, normal with a deviation of
1,000, keeps the rating of an unbeaten bot finite. Ratings are relative to the mean of all
bots, which is 1500; in it a bot weighs as much as its results tell, so that one that
always loses neither shifts the others nor makes them look uncertain. The intervals hold
95 % by the curvature of the likelihood at its top.

*openskill* is a Plackett–Luce rating with a mean and a deviation, updated match by match
in the order of the schedule.

Both read *contests*: a match, or on one seat all matches with the same luck, since bots
that never meet can still be compared by what they made of the same dice.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.arena.results import Result

MEAN: Final = 1500.0
PRIOR: Final = 1000.0  # Elo
NORMAL_95: Final = 1.959964
_UNIT: Final = 400 / math.log(10)  # Elo of one unit of log odds
_STEPS: Final = 50  # Newton needs fewer than ten

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Contest:
    """Who came out where: the lower the place the better, equal if shared."""

    bots: tuple[str, ...]
    places: tuple[int, ...]
    rotation: int  # contests of one rotation have the same luck


@dataclass(frozen=True)
class Elo:
    """A rating and its interval."""

    rating: float
    low: float
    high: float


@dataclass(frozen=True)
class Skill:
    """openskill's rating: a normal distribution."""

    mu: float
    sigma: float


@dataclass(frozen=True)
class HeadToHead:
    """One bot against another, over the contests in which both took part."""

    bot: str
    other: str
    wins: int
    draws: int
    losses: int
    share: float  # of the points, a draw being half
    error: float | None  # standard error of the share; None if nothing varied


def contests(results: Iterable[Result]) -> list[Contest]:
    """The contests of an arena's results, in the order of the schedule."""
    tables: dict[tuple[int, int], list[tuple[str, tuple[int, int]]]] = defaultdict(list)
    for result in sorted(results, key=lambda result: result.fixture.number):
        fixture = result.fixture
        alone = len(fixture.bots) == 1
        table = tables[fixture.rotation, 0 if alone else fixture.number]
        table.extend((name, result.merit(seat)) for seat, name in enumerate(fixture.bots))
    return [_contest(rotation, table) for (rotation, _), table in tables.items()]


def rate_elo(bots: list[str], played: list[Contest]) -> dict[str, Elo]:
    """Elo of each bot."""
    won, met = _comparisons(bots, played)
    strength, information = _most_likely(won, met)
    weights = np.diag(information) / np.diag(information).sum()
    centre = np.eye(len(bots)) - weights  # each row: a bot less the mean of all
    spread = np.sqrt(np.diag(centre @ np.linalg.inv(information) @ centre.T).clip(0))
    ratings = MEAN + _UNIT * (centre @ strength)
    return {
        bot: Elo(float(rating), float(rating - width), float(rating + width))
        for bot, rating, width in zip(bots, ratings, NORMAL_95 * _UNIT * spread, strict=True)
    }


def rate_skill(bots: list[str], played: list[Contest]) -> dict[str, Skill]:
    """Openskill's rating of each bot; one on several seats gets the mean of their updates."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = {bot: (float(model.mu), float(model.sigma)) for bot in bots}
    for contest in played:
        if len(set(contest.bots)) < 2:
            continue
        teams = [[model.create_rating(list(ratings[bot]))] for bot in contest.bots]
        rated = model.rate(teams, ranks=[float(place) for place in contest.places])
        updates: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for bot, (player,) in zip(contest.bots, rated, strict=True):
            updates[bot].append((player.mu, player.sigma))
        for bot, pairs in updates.items():
            mus, sigmas = zip(*pairs, strict=True)
            ratings[bot] = (sum(mus) / len(mus), sum(sigmas) / len(sigmas))
    return {bot: Skill(*rating) for bot, rating in ratings.items()}


def head_to_head(bots: list[str], played: list[Contest]) -> list[HeadToHead]:
    """Each bot against each other it met, both ways round.

    Contests with the same luck are no independent trials, so the standard error is that
    of the mean over rotations.
    """
    shares: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for contest in played:
        for pair in combinations(dict.fromkeys(contest.bots), 2):
            share = _share(contest, *pair)
            shares[pair][contest.rotation].append(share)
            shares[pair[::-1]][contest.rotation].append(1 - share)
    return [
        _meeting(bot, other, shares[bot, other])
        for bot in bots
        for other in bots
        if (bot, other) in shares
    ]


def _contest(rotation: int, table: list[tuple[str, tuple[int, int]]]) -> Contest:
    order = sorted({merit for _, merit in table}, reverse=True)
    names = tuple(name for name, _ in table)
    return Contest(names, tuple(order.index(merit) for _, merit in table), rotation)


def _comparisons(bots: list[str], played: list[Contest]) -> tuple[Vector, Vector]:
    """Matrices: the points of row against column, and how often they met."""
    index = {bot: number for number, bot in enumerate(bots)}
    won = np.zeros((len(bots), len(bots)))
    for contest in played:
        weight = 2 / len(contest.bots)
        entries = zip(contest.bots, contest.places, strict=True)
        for (bot, place), (other, other_place) in combinations(entries, 2):
            if bot != other:
                points = _points(place, other_place)
                won[index[bot], index[other]] += weight * points
                won[index[other], index[bot]] += weight * (1 - points)
    return won, won + won.T


def _most_likely(won: Vector, met: Vector) -> tuple[Vector, Vector]:
    """Log odds at the top of the posterior, by Newton's method, and their information matrix."""
    strength = np.zeros(len(won))
    prior = (_UNIT / PRIOR) ** 2
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (won - met * expected).sum(axis=1) - prior * strength
        curve = met * expected * (1 - expected)
        information = np.diag(curve.sum(axis=1) + prior) - curve
        step = np.linalg.solve(information, slope)
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return strength, information


def _share(contest: Contest, bot: str, other: str) -> float:
    """The points of a bot's seats against the other's, as a share."""
    entries = list(zip(contest.bots, contest.places, strict=True))
    ours = [place for name, place in entries if name == bot]
    theirs = [place for name, place in entries if name == other]
    points = [_points(place, against) for place in ours for against in theirs]
    return sum(points) / len(points)


def _points(place: int, against: int) -> float:
    return 0.5 if place == against else float(place < against)


def _meeting(bot: str, other: str, by_rotation: dict[int, list[float]]) -> HeadToHead:
    every = [share for shares in by_rotation.values() for share in shares]
    means = [sum(shares) / len(shares) for shares in by_rotation.values()]
    spread = float(np.std(means, ddof=1)) if len(means) > 1 else 0.0
    error = spread / math.sqrt(len(means)) if spread > 0 else None
    wins = sum(share > 0.5 for share in every)
    losses = sum(share < 0.5 for share in every)
    draws = len(every) - wins - losses
    return HeadToHead(bot, other, wins, draws, losses, sum(every) / len(every), error)
