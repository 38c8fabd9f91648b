"""Shuffles that anyone can check: the seed's hash is told first, the seed itself last."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game


def commitment(seed: bytes) -> str:
    """What is told of a seed before the match: its SHA-256 in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def draw_lot(seed: bytes, count: int) -> list[int]:
    """The order in which a seed seats so many players: place i goes to planned seat lot[i]."""
    lot = list(range(count))
    for last in range(count - 1, 0, -1):
        digest = hashlib.blake2b(b"lot" + last.to_bytes(8), key=seed).digest()
        other = int.from_bytes(digest) % (last + 1)
        lot[last], lot[other] = lot[other], lot[last]
    return lot


@dataclass(frozen=True)
class Verdict:
    """Whether a record's luck is what its seed says."""

    draws: int  # that were found as they should be
    commitment: str  # what must have been told before the match
    problem: str | None  # None: honest
    since: int = 0  # the ply from which on draws were looked at; before it another match was played


def verify(record: Any, find: Callable[[str], Game], promise: str | None = None) -> Verdict:
    """Recompute every draw of a record; GameError if it is no sound record with a seed.

    Of a match that went on from another's position, the draws from there on.

    `promise` is the hash that was told before the match; who has written it down need not
    believe the record's own `commitment`.
    """
    from kwartet.core.records import replay

    played = replay(record, find)
    if record.get("seed") is None:
        raise GameError("bad-record", "The record has no seed, so its luck cannot be checked.")
    seed, since = bytes.fromhex(record["seed"]), origin_ply(record)
    verdict = partial(Verdict, commitment=commitment(seed), since=since)
    for promised in (promise, record.get("commitment")):
        if promised is not None and str(promised).lower() != commitment(seed):
            return verdict(0, problem="The seed is not the one that was promised.")
    if record.get("order") == "lot" and record.get("lot") != draw_lot(seed, played.seats):
        return verdict(0, problem="The seats were not drawn from the seed.")
    told: list[str] = record["moves"]
    again = played.beginning()
    again.follow(told[:since])
    again.resume_chance()
    draws = 0
    for ply, move in enumerate(told[since:], since):
        if ply == again.ply:
            again.play(move)
            continue
        if again.moves[ply] != move:
            problem = f"Ply {ply} is {quoted(move)}; the seed gives {quoted(again.moves[ply])}."
            return verdict(draws, problem=problem)
        draws += 1
    return verdict(draws, problem=None)


def origin_ply(record: Any) -> int:
    """How many of a sound record's moves are another match's, where it goes on from one."""
    origin = record.get("origin")
    ply = 0 if origin is None else origin.get("ply") if isinstance(origin, dict) else None
    if type(ply) is not int or not 0 <= ply <= len(record["moves"]):
        raise GameError(
            "bad-record", "The record's 'origin' does not say which of its moves it is."
        )
    return ply
