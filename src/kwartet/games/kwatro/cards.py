"""Kwatro's cards as numbers.

A card is colour · 16 + shape · 4 + number − 1, in the alphabetical order of its name.
The two jokers are 64 and 65; where it does not matter which, a joker is the kind 64.
"""

from typing import Final

import numpy as np

COLOURS: Final = "BGRY"
SHAPES: Final = "CSTX"
CARDS: Final = 64
JOKER: Final = 64
JOKERS: Final = 2
TOKENS: Final = CARDS + JOKERS  # every single card
KINDS: Final = CARDS + 1  # every different one

HAND: Final = 4  # cards a seat holds

NO_CARD: Final = -1
HIDDEN: Final = -2  # some card, in a redacted state

# One bit for each value of each property: colour in the lowest nibble, then shape,
# then number. A line's cards joined by OR tell how many different values it has.
TRAITS: Final = np.array(
    [1 << c | 16 << s | 256 << n for c in range(4) for s in range(4) for n in range(4)], np.int64
)
ALL_TRAITS: Final = 0xFFF
POPULATION: Final = np.array([value.bit_count() for value in range(16)], np.int64)  # of a nibble


def card_name(card: int) -> str:
    """A card as `RS3`, a joker as `J`."""
    if card >= JOKER:
        return "J"
    return f"{COLOURS[card // 16]}{SHAPES[card // 4 % 4]}{card % 4 + 1}"


KIND_OF_NAME: Final = {card_name(kind): kind for kind in range(KINDS)}
