"""The island and the dice of the Catan dice game as tables. § in docs/games/catan_dice.md.

Dice are a multiset of faces packed into six nibbles, ore lowest: adding, taking
away and comparing is one instruction each. Multisets of up to six dice are also
numbered, by size and then in the order of their notation.
"""

from collections import Counter
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Final

import numpy as np

FACES: Final = "ogwtb$"  # ore, grain, wool, timber, brick, gold
RESOURCES: Final = 5  # the faces before gold
DICE: Final = 6


def packed(faces: str) -> int:
    """The multiset of these faces, a nibble each."""
    return sum(1 << 4 * FACES.index(face) for face in faces)


# §The sheet. A road's parent and what stands at its far end; -1 is the free road.
ROAD_PARENTS: Final = np.array((-1, 0, 0, 2, 3, 3, 5, 6, 7, 8, 9, 10, 7, 12, 13, 14), np.int8)
ROADS: Final = len(ROAD_PARENTS)
SETTLEMENT_ROADS: Final = np.array((-1, 2, 5, 7, 9, 11), np.int8)
SETTLEMENT_POINTS: Final = np.array((3, 4, 5, 7, 9, 11), np.int8)
CITY_ROADS: Final = np.array((1, 4, 13, 15), np.int8)
CITY_POINTS: Final = np.array((7, 12, 20, 30), np.int8)
KNIGHTS: Final = 6  # worth 1 to 6; the first five have the resource of their number

ROAD_COST: Final = packed("tb")
KNIGHT_COST: Final = packed("ogw")
SETTLEMENT_COST: Final = packed("tbwg")
CITY_COST: Final = packed("ooogg")
TRADE_COST: Final = packed("$$")

SETS: Final = [
    "".join(faces)
    for size in range(DICE + 1)
    for faces in combinations_with_replacement(FACES, size)
]
SET_COUNT: Final = len(SETS)
SET_NUMBER: Final = {faces: number for number, faces in enumerate(SETS)}
SET_DICE: Final = np.array([packed(faces) for faces in SETS], np.int32)
SET_SIZE: Final = np.array([len(faces) for faces in SETS], np.int8)
FIRST_OF_SIZE: Final = np.searchsorted(SET_SIZE, np.arange(DICE + 2)).astype(np.int16)
# In how many of the 6^size rolls this set comes up.
SET_WEIGHT: Final = np.array(
    [factorial(len(s)) // prod(map(factorial, Counter(s).values())) for s in SETS], np.int32
)


def _ranks() -> np.ndarray[tuple[int, int, int], np.dtype[np.int16]]:
    """By face, dice of that face and dice of it and later faces: how many sets come before.

    Sets with more of an early face stand earlier; with k dice on f later faces there
    are C(k + f − 1, f − 1) of them.
    """
    ranks = np.zeros((DICE, DICE + 1, DICE + 1), np.int16)
    for face, count, size in np.ndindex(ranks.shape):
        later = DICE - 1 - face
        if later:
            ranks[face, count, size] = sum(
                comb(size - more + later - 1, later - 1) for more in range(count + 1, size + 1)
            )
    return ranks


SET_RANKS: Final = _ranks()


def _rolls() -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    """The set of every roll of 1 to 6 dice, sizes one after the other."""
    return np.array(
        [
            SET_NUMBER["".join(sorted(roll, key=FACES.index))]
            for size in range(1, DICE + 1)
            for roll in product(FACES, repeat=size)
        ],
        np.int16,
    )


ROLLS: Final = _rolls()
FIRST_ROLL: Final = np.array([sum(6**k for k in range(1, size)) for size in range(DICE + 1)])
ROLL_COUNT: Final = np.array([6**size for size in range(DICE + 1)])
