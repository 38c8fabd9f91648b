"""Random numbers, always from an explicit source.

Two sources, for two needs. Kernels draw from a *generator*, an array of one
uint64 that is passed along (SplitMix64: fast, reproducible, not secret). A match
draws *lots* by keyed hash from a secret 32-byte *seed*. A lot depends on the seed and on
the name of what is drawn alone, such as `card 17`: it is the same whatever was decided
before, and whoever is told the seed afterwards can check it.
"""

import hashlib
import secrets
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.errors import GameError, quoted
from kwartet.core.kernels import JIT, kernel

Generator = npt.NDArray[np.uint64]
Lot = Callable[[str, int], int]  # the name of what is drawn, how many there are: one of these

SEED_BYTES: Final = 32
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = (np.uint64(bits) for bits in (27, 30, 31, 32))
_LOW_32: Final = np.uint64(0xFFFFFFFF)


def generator(seed: int, stream: int = 0) -> Generator:
    """A generator; different seeds or streams give unrelated sequences."""
    digest = hashlib.blake2b(f"{seed:x}/{stream:x}".encode(), digest_size=8).digest()
    return np.array([int.from_bytes(digest)], np.uint64)


@kernel
def next_bits(rng: Generator) -> np.uint64:
    """The next 64 random bits."""
    rng[0] += _STEP
    bits = rng[0]
    bits = (bits ^ (bits >> _S30)) * _MIX_1
    bits = (bits ^ (bits >> _S27)) * _MIX_2
    return bits ^ (bits >> _S31)


if not JIT:  # without it NumPy would warn; the generator counts modulo 2**64 on purpose
    next_bits = np.errstate(over="ignore")(next_bits)


@kernel
def below(rng: Generator, bound: int) -> int:
    """A number from 0 to bound − 1, each exactly as likely; 1 ≤ bound < 2**32."""
    limit = np.uint64(bound)
    product = (next_bits(rng) >> _S32) * limit
    if product & _LOW_32 < limit:  # rare: some products would come up once too often
        threshold = (_LOW_32 + np.uint64(1)) % limit
        while product & _LOW_32 < threshold:
            product = (next_bits(rng) >> _S32) * limit
    return np.int64(product >> _S32)  # type: ignore[return-value]


@kernel
def shuffle(rng: Generator, items: npt.NDArray[np.int8], count: int) -> None:
    """Put the first `count` items into random order."""
    for last in range(count - 1, 0, -1):
        other = below(rng, last + 1)
        item = items[last]
        items[last] = items[other]
        items[other] = item


def seed_bytes(seed: int | bytes | None) -> bytes:
    """A match's secret: 32 bytes as given, derived from a number, or fresh."""
    match seed:
        case None:
            return secrets.token_bytes(SEED_BYTES)
        case bool():
            pass
        case int():
            return hashlib.sha256(f"kwartet seed {seed:x}".encode()).digest()
        case bytes() if len(seed) == SEED_BYTES:
            return seed
    raise GameError(
        "bad-seed", f"A seed is a whole number or {SEED_BYTES} bytes, not {quoted(seed)}."
    )


def lots(seed: bytes) -> Lot:
    """The lots of a match with this seed."""
    return partial(_lot, seed)


def _lot(seed: bytes, name: str, count: int) -> int:
    return _number(seed, name.encode()) % count


def numbered_lot(seed: bytes, number: int, count: int) -> int:
    """A lot as it was drawn when lots had the number of the action instead of a name."""
    return _number(seed, number.to_bytes(8)) % count


def _number(seed: bytes, message: bytes) -> int:
    """512 bits, so that a remainder favours no lot by more than 2**-480."""
    return int.from_bytes(hashlib.blake2b(message, key=seed).digest())
