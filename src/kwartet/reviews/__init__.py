"""After the match: what each move was worth, and luck told apart from skill.

`kwartet.review` makes one; docs/review.md says what its figures mean. The names below are
loaded when they are first used, because they bring compiled code along.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kwartet.reviews.advice import Advice, advise
    from kwartet.reviews.care import CARES, Care
    from kwartet.reviews.reasons import Reason
    from kwartet.reviews.review import Account, Chance, Decision, Option, Review, Worth
    from kwartet.reviews.verdicts import VERDICTS
    from kwartet.reviews.work import ReviewPlan, Work, judge_move, make_review, plan_review

__all__ = [
    "CARES",
    "VERDICTS",
    "Account",
    "Advice",
    "Care",
    "Chance",
    "Decision",
    "Option",
    "Reason",
    "Review",
    "ReviewPlan",
    "Work",
    "Worth",
    "advise",
    "judge_move",
    "make_review",
    "plan_review",
]

_HOMES: Final = {
    "CARES": "care",
    "Care": "care",
    "VERDICTS": "verdicts",
    "Advice": "advice",
    "advise": "advice",
    "Reason": "reasons",
    **dict.fromkeys(("ReviewPlan", "Work", "judge_move", "make_review", "plan_review"), "work"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'review')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
