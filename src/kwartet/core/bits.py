"""Small sets of numbers as the bits of a uint64."""

from typing import Final

import numpy as np

from kwartet.core.kernels import kernel

_NONE: Final = np.uint64(0)
_ONE: Final = np.uint64(1)


@kernel
def bit(number: int) -> np.uint64:
    """The set of this number alone, 0 to 63."""
    return _ONE << np.uint64(number)


@kernel
def has(bits: np.uint64, number: int) -> bool:
    """Whether the number is in the set."""
    return (bits >> np.uint64(number)) & _ONE != _NONE


@kernel
def size(bits: np.uint64) -> int:
    """How many numbers are in the set."""
    rest = np.uint64(bits)
    count = 0
    while rest != _NONE:
        rest &= rest - _ONE
        count += 1
    return count


@kernel
def nth(bits: np.uint64, index: int) -> int:
    """The number that has `index` smaller ones in the set."""
    rest = np.uint64(bits)
    left = index
    number = 0
    for half in (32, 16, 8, 4, 2, 1):
        low = size(rest & ((_ONE << np.uint64(half)) - _ONE))
        skip = left >= low
        left -= low * skip
        number += half * skip
        rest >>= np.uint64(half * skip)
    return number
