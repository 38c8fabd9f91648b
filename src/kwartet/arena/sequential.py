"""A sequential test: pairs of matches are played until a question between two bots is decided.

The question: is the first bot `low` Elo above the second, or `high`? What is looked at are
*pairs*, matches with the same luck on swapped seats (`pairing.pair_size`). With two seats the
first bot takes 0, ½, 1, 1½ or 2 of a pair's two points, so its share is one of five; with more
seats there are more shares, and nothing else changes.

The test is the generalised likelihood ratio of these frequencies: how much likelier they are
at most if the expected share is that of `high` than if it is that of `low`, whatever else the
distribution is. Logarithms of it are followed from pair to pair until they leave Wald's
bounds. Formulas and measured errors are in docs/arena.md.
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
UNSEEN: Final = 1e-3  # pairs that a share counts for before it was seen
STEPS: Final = 50  # of bisection; the likelihood is flat where they end


@dataclass(frozen=True)
class Question:
    """Is the first bot `low` Elo above the second, or `high`?"""

    low: float
    high: float
    alpha: float = 0.05  # how often to decide for `high` at most if `low` is true
    beta: float = 0.05  # how often to decide for `low` at most if `high` is true

    @property
    def bounds(self) -> tuple[float, float]:
        """Of the logarithm of the likelihood ratio: decided for `low`, and for `high`."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

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
    llr: float
    decided: bool

    @property
    def pairs(self) -> int:
        """That were counted."""
        return sum(self.counts.values())

    @property
    def is_high(self) -> bool:
        """Whether it was decided for the higher Elo."""
        return self.decided and self.llr > 0

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
        low, high = self.question.bounds
        llr = f"LLR {self.llr:.2f} between {low:.2f} and {high:.2f}".replace("-", "−")
        if not self.decided:
            return f"Not decided after {_many(self.pairs)}: {llr}."
        if self.is_high:
            return f"{one} is {_side(self.question.low, other, 'more')}: decided {self._after()}."
        return f"{one} is {_side(self.question.high, other, 'less')}: decided {self._after()}."

    def _after(self) -> str:
        chance = self.question.alpha if self.is_high else self.question.beta
        return f"after {_many(self.pairs)}, wrongly in at most {100 * chance:g} % of such tests"

    def as_json(self) -> dict[str, Any]:
        """JSON-ready."""
        lower, upper = self.question.bounds
        mean, error = self.share if self.pairs else (None, None)
        elo, elo_low, elo_high = self.elo
        numbers = {
            "llr": self.llr,
            "lower": lower,
            "upper": upper,
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
        self.llr = 0.0
        self.is_decided = False
        self._counts: Counter[float] = Counter()
        self._waiting: defaultdict[int, list[Result]] = defaultdict(list)  # by pair

    def add(self, result: Result) -> None:
        """Note a result; those after the pair that decided count for nothing."""
        self._waiting[result.fixture.number // self.size].append(result)
        while not self.is_decided and len(self._waiting[self.pairs]) == self.size:
            self.count(self._share(self._waiting.pop(self.pairs)))

    def count(self, share: float) -> None:
        """Count the next pair, of which the first bot has this share."""
        self._counts[share] += 1
        self.llr = log_ratio(self._counts, *map(share_of, (self.question.low, self.question.high)))
        lower, upper = self.question.bounds
        self.is_decided = not lower < self.llr < upper

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
        return Verdict(self.question, self.bots, counts, self.llr, self.is_decided)

    def _share(self, results: list[Result]) -> float:
        shares = [share(contest, *self.bots) for contest in contests(results)]
        return round(sum(shares) / len(shares), 9)  # equal ones are one, however they are added


def share_of(elo: float) -> float:
    """The share of the points that who is so much above another expects."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float | None:
    """The difference that makes one expect this share; None if no difference does."""
    return 400 * math.log10(share / (1 - share)) if 0 < share < 1 else None


def log_ratio(counts: Mapping[float, float], low: float, high: float) -> float:
    """How much likelier these counts of shares are at most if `high` is expected than if `low` is.

    The logarithm of the ratio of two maximal likelihoods, each over all distributions on the
    shares that were seen, and on 0 and 1, whose mean is the share expected.
    """
    seen = {0.0: UNSEEN, 1.0: UNSEEN} | {
        share: count for share, count in counts.items() if count > 0
    }
    return _log_likelihood(seen, high) - _log_likelihood(seen, low)


def _log_likelihood(counts: Mapping[float, float], mean: float) -> float:
    """The highest with this mean, less that of the frequencies themselves.

    By Lagrange the likeliest distribution is count / (all · (1 + t · (share − mean))) with t
    such that its mean is right; the sum whose zero t is falls all the way between its poles.
    """
    least, most = -1 / (1 - mean), 1 / mean
    for _ in range(STEPS):
        t = (least + most) / 2
        slope = sum(
            count * (share - mean) / (1 + t * (share - mean)) for share, count in counts.items()
        )
        if slope > 0:
            least = t
        else:
            most = t
    return -sum(count * math.log1p(t * (share - mean)) for share, count in counts.items())


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
