"""Who plays whom, on which seats, with which luck.

The schedule is a pure function of what was asked, so that it can be made again when
an arena goes on after a break, and is the same however many processes play it.

*Round robin*: every set of opponents meets equally often. If there are as many bots as
seats or more, a set is one bot a seat; with fewer bots all of them sit down together.
*Ladder*: only neighbours in the given order meet, two at a table.

Where a set has fewer bots than seats, the seats are shared out evenly: two bots on four
seats have two each, two bots on three seats have two and one, and one and two in turn.

A *rotation* is one order round the table, turned until everybody has sat on every seat
equally often. All its matches have the same luck. The next rotation takes the next order
round the table, so that nobody always follows the same opponent.

A *pair* of matches between two bots has every order round the table once: with two seats the
two matches of a rotation, with three the six of one, with four the six of two rotations (two
beside each other, and across), alone a match of each. Pairs are alike and independent.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations, cycle, islice, pairwise, permutations

from kwartet.core.errors import GameError, quoted

Seating = tuple[int, ...]  # by seat: the index of a bot in its set


class Mode(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    LADDER = "ladder"


@dataclass(frozen=True)
class Fixture:
    """One match to be played."""

    number: int  # place in the schedule
    bots: tuple[str, ...]  # by seat
    seed: int  # of the match's luck
    rotation: int  # those of one rotation share the seed


def schedule(
    bots: list[str], seats: int, games: int, seed: int, mode: Mode = Mode.ROUND_ROBIN
) -> list[Fixture]:
    """All matches in order; at least `games` for each set of opponents, in full rotations.

    On one seat nobody meets anybody: each bot plays the same `games` alone, which makes
    a rotation, and the modes are the same. GameError if the bots cannot meet.
    """
    _check(bots, seats, games)
    sets = _sets(bots, seats, mode)
    fixtures: list[Fixture] = []
    rotation = 0
    for turn in range(_turns(len(sets[0]), seats, games)):
        for opponents in sets:
            orders = _orders(len(opponents), seats)
            luck = _number(seed, rotation)
            for seating in orders[turn % len(orders)]:
                names = tuple(opponents[index] for index in seating)
                fixtures.append(Fixture(len(fixtures), names, luck, rotation))
            rotation += 1
    return fixtures


def pair_size(seats: int) -> int:
    """How many matches a pair of two bots has; they follow each other in the schedule."""
    return sum(len(order) for order in _orders(2, seats))


def whole_pairs(games: int, seats: int) -> int:
    """As many games, as `schedule` counts them, rounded up to whole pairs."""
    size = 1 if seats == 1 else pair_size(seats)
    return -(-games // size) * size


def _check(bots: list[str], seats: int, games: int) -> None:
    for name in bots:
        if not name or bots.count(name) > 1:
            raise GameError(
                "bad-option",
                f"Each bot is named once, {quoted(name)} is not."
                if name
                else "Name the bots with commas between them, such as random,greedy.",
            )
    if len(bots) < min(2, seats):
        raise GameError("bad-option", "At least two bots are needed to meet.")
    if games < 1:
        raise GameError("bad-option", f"At least one match is needed, not {games}.")


def _sets(bots: list[str], seats: int, mode: Mode) -> list[tuple[str, ...]]:
    if seats == 1 or len(bots) <= 2:
        return [tuple(bots)]
    if mode is Mode.LADDER:
        return list(pairwise(bots))
    return list(combinations(bots, min(seats, len(bots))))


def _turns(bots: int, seats: int, games: int) -> int:
    """How many rotations give a set of that many bots its number of matches."""
    if seats == 1:
        return games
    orders = cycle(_orders(bots, seats))
    played = turns = 0
    while played < games:
        played += len(next(orders))
        turns += 1
    return turns


@cache
def _orders(bots: int, seats: int) -> list[list[Seating]]:
    """Every order round the table, each as its rotation."""
    if seats == 1:
        return [[(bot,) for bot in range(bots)]]
    orders: list[list[Seating]] = []
    known: set[Seating] = set()
    for seating in permutations(islice(cycle(range(bots)), seats)):
        if seating not in known:
            orders.append(_rotation(seating, bots))
            known.update(orders[-1])
    return orders


def _rotation(seating: Seating, bots: int) -> list[Seating]:
    """The seating turned round the table and, if some have more seats, with those in turn."""
    shifts = range(bots if len(seating) % bots else 1)
    turned = (
        tuple((bot + shift) % bots for bot in seating[-turn:] + seating[:-turn])
        for shift in shifts
        for turn in range(len(seating))
    )
    return list(dict.fromkeys(turned))


def _number(seed: int, rotation: int) -> int:
    """The seed of a rotation's luck, small enough for every reader of JSON."""
    digest = hashlib.blake2b(f"arena {seed:x}/{rotation:x}".encode(), digest_size=6).digest()
    return int.from_bytes(digest)
