"""How strong bots are, from places in matches.

*Elo* is the most likely rating in the model of Bradley and Terry: of two seats the one
rated 400 higher comes out ahead ten times as often. A draw is half a win. A match of
more than two seats is a comparison of every pair of them, each weighted 2/seats, so that
it counts as one match less than it has seats. A weak prior, normal with a deviation of
1,000, keeps the rating of an unbeaten bot finite. Ratings are relative to the mean of all
bots, which is 1500; in it a bot weighs as much as its results tell, so that one that
always loses neither shifts the others nor makes them look uncertain.

The intervals hold 95 %. How far results scatter round the model is taken from the
rotations, whose matches share their luck (a sandwich of the curvature of the likelihood and
the scatter of its slopes by rotation); where a bot's results are too few or too one-sided
to show any scatter, the curvature alone decides.

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

from kwartet.arena.estimates import Estimate, Vector, estimate, sums_by
from kwartet.arena.results import Result

MEAN: Final = 1500.0
PRIOR: Final = 1000.0  # Elo
NORMAL_95: Final = 1.959964
_UNIT: Final = 400 / math.log(10)  # Elo of one unit of log odds
_STEPS: Final = 50  # Newton needs fewer than ten
_PRIOR: Final = (_UNIT / PRIOR) ** 2  # its precision
_EVEN: Final = 10.0  # matches between equals whose scatter is trusted as much as the model


@dataclass(frozen=True)
class Contest:
    """Who came out where: the lower the place the better, equal if shared."""

    bots: tuple[str, ...]
    places: tuple[int, ...]
    rotation: int  # contests of one rotation have the same luck
    scores: tuple[int, ...] | None = None  # points; None if they tell nothing: a forfeit
    alone: bool = False  # one match a bot, on the same luck


@dataclass(frozen=True)
class Elo:
    """A rating and its interval."""

    rating: float
    low: float
    high: float
    unpaired: float  # half the interval's width if every match had luck of its own


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
    share: float  # of the wins, a draw being half
    error: float | None  # standard error of the share by rotation; None if nothing varied
    unpaired_error: float | None  # if every match had luck of its own
    margin: float | None  # mean difference in points; None if only forfeits are known
    margin_error: float | None
    unpaired_margin_error: float | None


def contests(results: Iterable[Result]) -> list[Contest]:
    """The contests of an arena's results, in the order of the schedule."""
    tables: dict[tuple[int, int], list[tuple[str, Result, int]]] = defaultdict(list)
    for result in sorted(results, key=lambda result: result.fixture.number):
        fixture = result.fixture
        alone = len(fixture.bots) == 1
        table = tables[fixture.rotation, -1 if alone else fixture.number]
        table.extend((name, result, seat) for seat, name in enumerate(fixture.bots))
    return [
        _contest(rotation, table, alone=number < 0) for (rotation, number), table in tables.items()
    ]


def rate_elo(bots: list[str], played: list[Contest]) -> dict[str, Elo]:
    """Elo of each bot."""
    met = _Comparisons.of(bots, played)
    strength, information = _most_likely(met.won)
    weights = np.diag(information) / np.diag(information).sum()
    centre = np.eye(len(bots)) - weights  # each row: a bot less the mean of all
    ratings = MEAN + _UNIT * (centre @ strength)
    spread = centre @ np.linalg.inv(information)
    model = (spread @ information * spread).sum(axis=1)
    even = 4 * (np.diag(information) - _PRIOR)
    trust = even / (even + _EVEN)
    slopes = met.slopes(strength)
    widths = []
    for sums in (sums_by([contest.rotation for contest in played], slopes), slopes):
        scatter = _scatter(sums)
        seen = model if scatter is None else (spread @ scatter * spread).sum(axis=1)
        variance = trust * seen + (1 - trust) * model
        widths.append(NORMAL_95 * _UNIT * np.sqrt(variance.clip(0)))
    return {
        bot: Elo(float(rating), float(rating - width), float(rating + width), float(unpaired))
        for bot, rating, width, unpaired in zip(bots, ratings, *widths, strict=True)
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

    Contests with the same luck are no independent trials, so the standard errors are those
    of the mean over rotations.
    """
    meetings: dict[tuple[str, str], list[Contest]] = defaultdict(list)
    for contest in played:
        for pair in combinations(dict.fromkeys(contest.bots), 2):
            meetings[pair].append(contest)
            meetings[pair[::-1]].append(contest)
    return [
        _meeting(bot, other, meetings[bot, other])
        for bot in bots
        for other in bots
        if (bot, other) in meetings
    ]


def share(contest: Contest, bot: str, other: str) -> float:
    """How often a bot's seats come before the other's, as a share."""
    ours, theirs = _seats(contest, bot), _seats(contest, other)
    points = [
        _points(contest.places[seat], contest.places[against])
        for seat in ours
        for against in theirs
    ]
    return sum(points) / len(points)


def _contest(rotation: int, table: list[tuple[str, Result, int]], *, alone: bool) -> Contest:
    merits = [result.merit(seat) for _, result, seat in table]
    order = sorted(set(merits), reverse=True)
    forfeited = any(result.forfeit for _, result, _ in table)
    return Contest(
        tuple(name for name, _, _ in table),
        tuple(order.index(merit) for merit in merits),
        rotation,
        None if forfeited else tuple(result.scores[seat] for _, result, seat in table),
        alone,
    )


@dataclass(frozen=True)
class _Comparisons:
    """Every pair of seats that was compared, one a row."""

    contests: int
    bots: int
    contest: npt.NDArray[np.int64]  # its number
    pair: npt.NDArray[np.int64]  # (rows, 2): bots
    points: Vector  # of the first bot against the second
    weight: Vector

    @classmethod
    def of(cls, bots: list[str], played: list[Contest]) -> "_Comparisons":
        index = {bot: number for number, bot in enumerate(bots)}
        rows = [
            (number, index[bot], index[other], _points(place, other_place), 2 / len(contest.bots))
            for number, contest in enumerate(played)
            for (bot, place), (other, other_place) in combinations(
                zip(contest.bots, contest.places, strict=True), 2
            )
            if bot != other
        ]
        table = np.array(rows, np.float64).reshape(-1, 5)
        whole = table[:, :3].astype(np.int64)
        return cls(len(played), len(bots), whole[:, 0], whole[:, 1:], table[:, 3], table[:, 4])

    @property
    def won(self) -> Vector:
        """A matrix: the points of row against column."""
        won = np.zeros((self.bots, self.bots))
        first, second = self.pair.T
        np.add.at(won, (first, second), self.weight * self.points)
        np.add.at(won, (second, first), self.weight * (1 - self.points))
        return won

    def slopes(self, strength: Vector) -> Vector:
        """(contests, bots): how much better than expected each bot did in each contest."""
        first, second = self.pair.T
        expected = 1 / (1 + np.exp(strength[second] - strength[first]))
        better = self.weight * (self.points - expected)
        slopes = np.zeros((self.contests, self.bots))
        np.add.at(slopes, (self.contest, first), better)
        np.add.at(slopes, (self.contest, second), -better)
        return slopes


def _most_likely(won: Vector) -> tuple[Vector, Vector]:
    """Log odds at the top of the posterior, by Newton's method, and their information matrix."""
    strength = np.zeros(len(won))
    met = won + won.T
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (won - met * expected).sum(axis=1) - _PRIOR * strength
        curve = met * expected * (1 - expected)
        information = np.diag(curve.sum(axis=1) + _PRIOR) - curve
        step = np.linalg.solve(information, slope)
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return strength, information


def _scatter(slopes: Vector) -> Vector | None:
    """What takes the information's place if independent groups scatter like these slopes."""
    groups, bots = slopes.shape
    if groups < 2:
        return None
    return groups / (groups - 1) * slopes.T @ slopes + _PRIOR * np.eye(bots)


def _meeting(bot: str, other: str, met: list[Contest]) -> HeadToHead:
    shares = [share(contest, bot, other) for contest in met]
    found = estimate(shares, [contest.rotation for contest in met])
    told = [contest for contest in met if contest.scores is not None]
    margin, unpaired = _margin(told, bot, other)
    wins = sum(each > 0.5 for each in shares)
    losses = sum(each < 0.5 for each in shares)
    return HeadToHead(
        bot,
        other,
        wins,
        len(shares) - wins - losses,
        losses,
        found.mean,
        found.error,
        None if met[0].alone else found.unpaired,
        margin.mean if margin else None,
        margin.error if margin else None,
        unpaired,
    )


def _margin(told: list[Contest], bot: str, other: str) -> tuple[Estimate | None, float | None]:
    """The mean difference in points, and its error if nobody shared any luck."""
    if not told:
        return None, None
    ours, theirs = (np.array([_score(contest, name) for contest in told]) for name in (bot, other))
    found = estimate(list(ours - theirs), [contest.rotation for contest in told])
    if not told[0].alone:
        return found, found.unpaired
    spread = float(ours.var(ddof=1) + theirs.var(ddof=1)) if len(told) > 1 else 0.0
    return found, math.sqrt(spread / len(told)) or None


def _score(contest: Contest, bot: str) -> float:
    """The mean points of a bot's seats."""
    scores = contest.scores or ()
    return float(np.mean([scores[seat] for seat in _seats(contest, bot)]))


def _seats(contest: Contest, bot: str) -> list[int]:
    return [seat for seat, name in enumerate(contest.bots) if name == bot]


def _points(place: int, against: int) -> float:
    return 0.5 if place == against else float(place < against)
