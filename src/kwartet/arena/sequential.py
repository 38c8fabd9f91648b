"""A sequential test: pairs of matches are played until a question between two bots is decided.

The question: is the first bot `low` Elo above the second, or `high`? What is looked at are
*pairs*, matches with the same luck on swapped seats (`pairing.pair_size`). With two seats the
first bot takes 0, ½, 1, 1½ or 2 of a pair's two points, so its share is one of five; with more
seats there are more shares, and nothing else changes.

The test follows two generalised likelihood ratios from pair to pair, one for either answer.
Each pair is judged by the likeliest distributions after the pairs *before* it, with the shares
expected at `low` and `high`; so a ratio is, whatever the distribution and however few the
pairs, a fair game to whoever is wrong, and reaches 1/α with a chance of α at most. Judging
pairs by distributions that they had a part in, as is usual, promises that only for many.
Formulas, reasons and measured errors are in docs/arena.md.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from kwartet.arena.estimates import estimate
from kwartet.arena.ratings import NORMAL_95, contests, share
from kwartet.arena.results import Result
from kwartet.core.errors import GameError, quoted

MOST: Final = 1000.0  # Elo that may be asked about, either way
BEFORE: Final = {0.0: 0.5, 0.5: 1.0, 1.0: 0.5}  # two pairs imagined before the first, by share
STEPS: Final = 60  # to a zero at most, if all of them were halvings
NEAR: Final = 1e-12  # a step so small is the last


@dataclass(frozen=True)
class Question:
    """Is the first bot `low` Elo above the second, or `high`?"""

    low: float
    high: float
    alpha: float = 0.05  # how often to decide for `high` at most if `low` is true
    beta: float = 0.05  # how often to decide for `low` at most if `high` is true

    @property
    def bounds(self) -> tuple[float, float]:
        """Logarithms of the ratios that decide: for `low`, and for `high`."""
        return -math.log(self.beta), -math.log(self.alpha)

    def __str__(self) -> str:
        return f"{self.low:g},{self.high:g} with errors {self.alpha:g},{self.beta:g}"


def read_question(elos: str, errors: str | None = None) -> Question:
    """The question of `0,20` and, if others are wanted, errors such as `0.05,0.05`; GameError."""
    numbers = _two(elos, "--sprt takes two Elo differences, such as 0,20")
    chances = () if errors is None else _two(errors, "--sprt-errors are two, such as 0.05,0.05")
    return checked(Question(*numbers, *chances))


def checked(question: Question) -> Question:
    """The question, if it can be decided; GameError if not."""
    if not -MOST <= question.low < question.high <= MOST:
        raise GameError(
            "bad-option",
            f"The first Elo difference of --sprt is below the second, both from −{MOST:g} to "
            f"{MOST:g}, unlike {question.low:g},{question.high:g}.",
        )
    if not (0 < question.alpha < 0.5 and 0 < question.beta < 0.5):
        raise GameError(
            "bad-option",
            f"--sprt-errors lie between 0 and 0.5, unlike {question.alpha:g},{question.beta:g}.",
        )
    return question


@dataclass(frozen=True)
class Verdict:
    """How a sequential test stands after some pairs, or how it ended."""

    question: Question
    bots: tuple[str, str]
    counts: dict[float, int]  # pairs by the first bot's share of them, ascending
    llr_low: float  # the logarithm of the ratio for `low`
    llr_high: float

    @property
    def pairs(self) -> int:
        """That were counted."""
        return sum(self.counts.values())

    @property
    def decided(self) -> bool:
        """Whether a ratio has reached its bound."""
        return max(self._beyond) >= 0

    @property
    def is_high(self) -> bool:
        """Whether it was decided for the higher Elo."""
        low, high = self._beyond
        return self.decided and high >= low

    @property
    def _beyond(self) -> tuple[float, float]:
        """How far the ratios are beyond their bounds."""
        low_at, high_at = self.question.bounds
        return self.llr_low - low_at, self.llr_high - high_at

    @property
    def results(self) -> tuple[int, int, int]:
        """Pairs that the first bot won, left level and lost."""
        won = sum(count for share, count in self.counts.items() if share > 0.5)
        level = self.counts.get(0.5, 0)
        return won, level, self.pairs - won - level

    @property
    def share(self) -> tuple[float, float | None]:
        """The first bot's mean share of a pair and its standard error, None if nothing varied."""
        shares = [share for share, count in self.counts.items() for _ in range(count)]
        found = estimate(shares, range(len(shares)))
        return found.mean, found.error

    @property
    def elo(self) -> tuple[float | None, float | None, float | None]:
        """The difference that the mean share means, and its 95 % interval; None is beyond."""
        if not self.pairs:
            return None, None, None
        mean, error = self.share
        width = NORMAL_95 * (error or 0.0)
        low, high = (elo_of(mean - width), elo_of(mean + width)) if error else (None, None)
        return elo_of(mean), low, high

    def sentence(self) -> str:
        """What came of it."""
        one, other = self.bots
        if not self.decided:
            return f"Not decided after {_many(self.pairs)}."
        if self.is_high:
            return f"{one} is {_side(self.question.low, other, 'more')}: decided {self._after()}."
        return f"{one} is {_side(self.question.high, other, 'less')}: decided {self._after()}."

    def _after(self) -> str:
        chance = self.question.alpha if self.is_high else self.question.beta
        return f"after {_many(self.pairs)}, wrongly in at most {100 * chance:g} % of such tests"

    def as_json(self) -> dict[str, Any]:
        """JSON-ready."""
        low_at, high_at = self.question.bounds
        mean, error = self.share if self.pairs else (None, None)
        elo, elo_low, elo_high = self.elo
        numbers = {
            "llr_low": self.llr_low,
            "llr_high": self.llr_high,
            "low_at": low_at,
            "high_at": high_at,
            "share": mean,
            "share_error": error,
            "elo": elo,
            "elo_low": elo_low,
            "elo_high": elo_high,
        }
        return {
            **asdict(self.question),
            **{name: None if value is None else round(value, 4) for name, value in numbers.items()},
            "pairs": self.pairs,
            "counts": {f"{share:.4g}": count for share, count in self.counts.items()},
            "decided": ("high" if self.is_high else "low") if self.decided else None,
            "sentence": self.sentence(),
        }


class SequentialTest:
    """Results in any order, counted in pairs in the order of the schedule until it is decided.

    Which pair decides does so depend neither on how many matches are played at once nor on
    which of them are over first.
    """

    def __init__(self, question: Question, bots: tuple[str, str], size: int) -> None:
        self.question = question
        self.bots = bots
        self.size = size  # matches of a pair
        self._expected = share_of(question.low), share_of(question.high)
        self._llr = [0.0, 0.0]  # for low, for high
        self._counts: Counter[float] = Counter()
        self._waiting: defaultdict[int, list[Result]] = defaultdict(list)  # by pair

    def add(self, result: Result) -> None:
        """Note a result; those after the pair that decided count for nothing."""
        self._waiting[result.fixture.number // self.size].append(result)
        while not self.is_decided and len(self._waiting[self.pairs]) == self.size:
            self.count(self._share(self._waiting.pop(self.pairs)))

    def count(self, share: float) -> None:
        """Count the next pair, of which the first bot has this share."""
        low, high = self._expected
        self._llr[0] += evidence(self._counts, share, low, against=high)
        self._llr[1] += evidence(self._counts, share, high, against=low)
        self._counts[share] += 1

    @property
    def is_decided(self) -> bool:
        """Whether a ratio has reached its bound."""
        return any(llr >= at for llr, at in zip(self._llr, self.question.bounds, strict=True))

    @property
    def pairs(self) -> int:
        """That were counted."""
        return self._counts.total()

    @property
    def matches(self) -> int:
        """That were counted; they are the first of the schedule."""
        return self.pairs * self.size

    def verdict(self) -> Verdict:
        """How it stands."""
        counts = dict(sorted(self._counts.items()))
        return Verdict(self.question, self.bots, counts, *self._llr)

    def _share(self, results: list[Result]) -> float:
        shares = [share(contest, *self.bots) for contest in contests(results)]
        return round(sum(shares) / len(shares), 9)  # equal ones are one, however they are added


def share_of(elo: float) -> float:
    """The share of the points that who is so much above another expects."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float | None:
    """The difference that makes one expect this share; None if no difference does."""
    return 400 * math.log10(share / (1 - share)) if 0 < share < 1 else None


def evidence(counts: Mapping[float, float], share: float, mean: float, against: float) -> float:
    """How much likelier a pair of this share is, after these, if `mean` is expected.

    The logarithm of q(share) / p(share): q is the likeliest distribution with this mean after
    the counts, p the one nearest to it whose mean is `against`. That ratio is linear in the
    share and 1 at `against`, so whatever the true distribution is, if its mean is `against`
    the expected ratio is 1, and below if its mean lies beyond.
    """
    q = likeliest(counts, mean)
    return math.log1p(_tilt(q, against) * (share - against))


def likeliest(counts: Mapping[float, float], mean: float) -> dict[float, float]:
    """The distribution with this mean under which the counts, and those before, are likeliest.

    By Lagrange it is count / (all · (1 + t · (share − mean))) with t such that its mean is right.
    """
    seen = BEFORE | {place: BEFORE.get(place, 0.0) + count for place, count in counts.items()}
    t, total = _tilt(seen, mean), sum(seen.values())
    return {place: count / (total * (1 + t * (place - mean))) for place, count in seen.items()}


def _tilt(weights: Mapping[float, float], mean: float) -> float:
    """The zero of Σ weight · (share − mean) / (1 + t · (share − mean)), which falls with t.

    Newton's steps, halvings where those leave what is left between the poles; both are there,
    since 0 and 1 have weight.
    """
    least, most, t = -1 / (1 - mean), 1 / mean, 0.0
    terms = [(place - mean, weight) for place, weight in weights.items()]
    for _ in range(STEPS):
        parts = [(weight, off / (1 + t * off)) for off, weight in terms]
        value = sum(weight * part for weight, part in parts)
        least, most = (t, most) if value > 0 else (least, t)
        before, t = t, t + value / sum(weight * part * part for weight, part in parts)
        if not least < t < most:
            t = (least + most) / 2
        if abs(t - before) < NEAR:
            break
    return t


def _two(text: str, need: str) -> tuple[float, float]:
    try:
        one, other = (float(part) for part in text.split(","))
    except ValueError:
        raise GameError("bad-option", f"{need}, not {quoted(text)}.") from None
    return one, other


def _side(elo: float, other: str, more: str) -> str:
    """Where a bot stands that is more, or less, than so much above another."""
    if elo == 0:
        return f"{'stronger' if more == 'more' else 'weaker'} than {other}"
    if elo > 0:
        return f"{more} than {elo:g} Elo above {other}"
    return f"{'less' if more == 'more' else 'more'} than {-elo:g} Elo below {other}"


def _many(pairs: int) -> str:
    return "1 pair" if pairs == 1 else f"{pairs:,} pairs"
