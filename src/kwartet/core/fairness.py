"""Shuffles that anyone can check: the seed's hash is told first, the seed itself last."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game


def commitment(seed: bytes) -> str:
    """What is told of a seed before the match: its SHA-256 in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


@dataclass(frozen=True)
class Verdict:
    """Whether a record's luck is what its seed says."""

    draws: int  # that were found as they should be
    promised: bool  # whether the record says which seed was promised
    problem: str | None  # None: honest


def verify(record: Any, find: Callable[[str], Game]) -> Verdict:
    """Recompute every draw of a record; GameError if it is no sound record with a seed."""
    from kwartet.core.match import Match
    from kwartet.core.records import replay

    played = replay(record, find)
    if "seed" not in record:
        raise GameError("bad-record", "The record has no seed, so its luck cannot be checked.")
    seed = bytes.fromhex(record["seed"])
    promise = record.get("commitment")
    if promise is not None and promise != commitment(seed):
        return Verdict(0, True, "The seed is not the one whose hash was told at the start.")
    told: list[str] = record["moves"]
    again = Match(played.game, played.options, seed=seed)
    draws = 0
    for ply, move in enumerate(told):
        if ply == again.ply:
            again.play(move)
            continue
        if again.moves[ply] != move:
            problem = f"Ply {ply} is {quoted(move)}; the seed gives {quoted(again.moves[ply])}."
            return Verdict(draws, promise is not None, problem)
        draws += 1
    return Verdict(draws, promise is not None, None)
