"""Shuffles that nobody can choose and anyone can check; docs/fairness.md has the words.

A server tells the hash of its secret first. Then people add parts of their own, the seed is made
of all of them, and when the match is over everything is told. `verify` believes nothing that a
record says of itself: it works out what follows from what, and tells apart what is proven, what
was compared with one's own notes, and what rests on the record's word.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game

SECRET_BYTES: Final = 32
PART_LENGTH: Final = 64  # letters
DOMAIN: Final = b"kwartet luck of parts 1"

Parts = Sequence[str | None]  # by planned seat; None where nobody added one


def commitment(secret: bytes) -> str:
    """What is told of a secret, or of a seed chosen alone, before the match: its SHA-256 as hex."""
    return hashlib.sha256(secret).hexdigest()


def seed_of(secret: bytes, parts: Parts) -> bytes:
    """The seed that a server's secret and the parts of the planned seats make."""
    mixed = hashlib.sha256(DOMAIN + secret)
    for part in parts:
        if part is None:
            mixed.update(b"\0")
        else:
            text = part.encode()
            mixed.update(b"\1" + len(text).to_bytes(4) + text)
    return mixed.digest()


def is_part(text: Any) -> bool:
    """Whether somebody may add this: 1 to 64 letters that can be printed."""
    return isinstance(text, str) and 0 < len(text) <= PART_LENGTH and text.isprintable()


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
    """Whether a record's luck is what it should be, and what that rests on."""

    draws: int  # that were found as they should be
    commitment: str  # what must have been told before the match
    problem: str | None  # None: everything fits
    since: int = 0  # the ply from which on draws were looked at; before it another match was played
    parts: int | None = None  # how many were added to the server's secret; None: there was none
    seats: Literal["lot", "fixed", "untold"] = "untold"  # how the record says they were given
    promised: Literal["noted", "told", "untold"] = "untold"  # whose word the commitment is
    own_part: bool = False  # whether a part that one noted oneself was found in it
    same: bool = False  # the seed is another match's and was known before

    def claims(self) -> list[str]:
        """What was found, in sentences that say no more than is proven; the problem if there is."""
        if self.problem is not None:
            return [self.problem]
        seats = {
            "lot": "Seats were drawn by lot from it.",
            "fixed": "Seats were not drawn by lot.",
            "untold": "How seats were given is not told.",
        }
        return [self._drawn(), seats[self.seats], self._chosen(), *self._doubts()]

    def _drawn(self) -> str:
        if self.since == 0:
            return f"All {self.draws} draws follow from the seed."
        return (
            f"From ply {self.since} on all {self.draws} draws follow from the seed. "
            "What was before is another match's, which has a record of its own."
        )

    def _chosen(self) -> str:
        """Who could have chosen the seed."""
        if self.same:
            return "The seed is another match's, which had been told: what came could be known."
        if self.promised == "untold" and self.parts is None:
            return "Whoever made the record chose the seed."
        if not self.parts:
            return "The server alone chose the seed; it could have tried many before it sealed one."
        if self.parts == 1:
            who = "you" if self.own_part else "who added it"
            return (
                "The seed is made of the server's secret and one person's part: neither the "
                f"server nor {who} could choose it alone, if the server could not guess the part."
            )
        return (
            f"The seed is made of the server's secret and {self.parts} parts: neither the server "
            "nor one person could choose it, unless the server made the last part up or agreed "
            "with who added it."
        )

    def _doubts(self) -> list[str]:
        """What rests on the record's word."""
        rests = []
        if self.promised != "noted" and (self.parts or self.promised == "told"):
            rests.append("that the secret was sealed before the match (compare: --commitment)")
        if self.parts and not self.own_part:
            rests.append("that people added these parts, and not the server (compare: --part)")
        elif self.parts and self.parts > 1:
            rests.append("that people added the other parts, and not the server (ask them)")
        return [f"The record's word alone: {'; '.join(rests)}."] if rests else []


@dataclass(frozen=True)
class Noted:
    """What one has noted oneself, so as not to have to believe a record."""

    commitment: str | None = None  # as it was told before one added a part
    part: str | None = None  # what one sent
    seat: int | None = None  # where one sat then, as seats were planned
    taken: bool = True  # whether the server said that it took the part


def verify(record: Any, find: Callable[[str], Game], noted: Noted | str | None = None) -> Verdict:
    """Recompute a record's seed and every draw; GameError if it is no sound record with a seed.

    Of a match that went on from another's position, the draws from there on.

    `noted` is what one noted oneself; a text is the hash that was told before the match.
    """
    from kwartet.core.records import replay

    noted = noted if isinstance(noted, Noted) else Noted(noted)

    played = replay(record, find)
    if record.get("seed") is None:
        raise GameError("bad-record", "The record has no seed, so its luck cannot be checked.")
    seed, since, luck = bytes.fromhex(record["seed"]), origin_ply(record), read_luck(record)
    verdict = partial(
        Verdict,
        commitment=commitment(luck.secret if luck else seed),
        since=since,
        parts=None if luck is None else sum(part is not None for part in luck.parts),
        seats=record["order"] if record.get("order") in ("lot", "fixed") else "untold",
        promised="noted" if noted.commitment else "told" if record.get("commitment") else "untold",
        own_part=noted.part is not None,
        same=(record.get("origin") or {}).get("chance") == "same",
    )
    if problem := _sealed(record, seed, luck, noted) or _seated(record, seed, played.seats):
        return verdict(0, problem=problem)
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


@dataclass(frozen=True)
class Luck:
    """What a seed was made of."""

    secret: bytes
    parts: Parts

    @property
    def seed(self) -> bytes:
        """What comes of it."""
        return seed_of(self.secret, self.parts)


def read_luck(record: Mapping[str, Any]) -> Luck | None:
    """What a record says its seed was made of; None if it names neither secret nor parts.

    GameError if it names something that cannot be that.
    """
    secret, parts = record.get("secret"), record.get("parts")
    if secret is None and parts is None:
        return None
    try:
        found = bytes.fromhex(secret) if isinstance(secret, str) else b""
    except ValueError:
        found = b""
    if len(found) != SECRET_BYTES:
        raise GameError(
            "bad-record", f"The record's 'secret' is not {SECRET_BYTES} bytes in hexadecimal."
        )
    if not isinstance(parts, list) or not all(part is None or is_part(part) for part in parts):
        raise GameError("bad-record", "The record's 'parts' are not what people may have added.")
    return Luck(found, parts)


def _sealed(record: Mapping[str, Any], seed: bytes, luck: Luck | None, noted: Noted) -> str | None:
    """What is wrong with how the seed came about, if something is."""
    due = commitment(luck.secret if luck else seed)
    for promised in (noted.commitment, record.get("commitment")):
        if promised is not None and str(promised).lower() != due:
            what = "secret" if luck else "seed"
            return f"The {what} is not the one that was promised."
    if luck and luck.seed != seed:
        return "The seed is not made of the secret and the parts."
    if noted.part is not None:
        parts = luck.parts if luck else []
        there = parts if noted.seat is None else parts[noted.seat : noted.seat + 1]
        if noted.part not in there and noted.taken:
            return "The part that was added is not in the record, or at another seat."
        if noted.part not in there:
            return (
                "The part that was sent is not in the record: the server refused it. Unless it "
                "came too late or one had added another before, the server chose."
            )
    return None


def _seated(record: Mapping[str, Any], seed: bytes, seats: int) -> str | None:
    """What is wrong with the seats and whose parts there are, if something is."""
    order, lot, parts = record.get("order"), record.get("lot"), record.get("parts")
    if order == "lot" and lot != draw_lot(seed, seats):
        return "The seats were not drawn from the seed."
    if order != "lot" and lot not in (None, list(range(seats))):
        return "The record names a lot, though no seats were drawn."
    if parts is None:
        return None
    if len(parts) != seats:
        return "There are not as many parts as seats."
    players = record.get("players")
    for seat, planned in enumerate(lot or range(seats)):
        name = players[seat] if isinstance(players, list) and seat < len(players) else ""
        if parts[planned] is not None and str(name).startswith("bot:"):
            return f"Seat {seat} is a bot's, which adds no part, and yet there is one."
    return None


def origin_ply(record: Any) -> int:
    """How many of a sound record's moves are another match's, where it goes on from one."""
    origin = record.get("origin")
    ply = 0 if origin is None else origin.get("ply") if isinstance(origin, dict) else None
    if type(ply) is not int or not 0 <= ply <= len(record["moves"]):
        raise GameError(
            "bad-record", "The record's 'origin' does not say which of its moves it is."
        )
    return ply
