"""Reviews made with so little care that a test can have many, of matches played at random."""

import random
from dataclasses import replace
from typing import Any

import kwartet
from kwartet.core.match import Match
from kwartet.reviews import Review, make_review, plan_review
from kwartet.reviews.care import CARES

GLANCE = replace(CARES["quick"], name="glance", effort=0.02, searches=4, outcomes=6, rolls=4)
JUDGE = "expert@50"  # searches, also where there is a solution


def random_match(key: str, seed: int, **options: Any) -> Match:
    """A match in which all play at random, to its end."""
    luck = random.Random(seed)
    match = kwartet.new(key, seed=seed, **options)
    while match.actor is not None:
        match.play(luck.choice(match.legal_actions()))
    return match


def begun(key: str, plies: int, **options: Any) -> Match:
    """A match played at random for so many plies at least, with a seat to act."""
    luck = random.Random(1)
    match = kwartet.new(key, seed=plies, **options)
    while match.ply < plies:
        match.play(luck.choice(match.legal_actions()))
    return match


def glanced(match: Match, **how: Any) -> Review:
    """Its review with little care, or as told."""
    asked: dict[str, Any] = {"judge": JUDGE, "seats": None, "care": GLANCE, "seed": 0} | how
    return make_review(plan_review(match, **asked))
