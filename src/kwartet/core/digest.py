"""Numbers for positions: a digest of 128 bits, so that two of them are never mistaken."""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import JIT, lean_kernel

Digest = npt.NDArray[np.uint64]  # two numbers; the first is 0 where there is no digest

_FIRST: Final = np.uint64(0x9E3779B97F4A7C15)
_SECOND: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_S29, _S32 = np.uint64(29), np.uint64(32)


@lean_kernel
def begin(digest: Digest) -> None:
    """Let it be the digest of nothing."""
    digest[0] = _FIRST
    digest[1] = _SECOND


@lean_kernel
def absorb(digest: Digest, number: np.uint64) -> None:
    """Take in one number more; their order counts."""
    first = (digest[0] ^ number) * _FIRST
    second = (digest[1] + number + _FIRST) * _SECOND
    digest[0] = first ^ (first >> _S32)
    digest[1] = second ^ (second >> _S29)


if not JIT:  # without it NumPy would warn; products are modulo 2**64 on purpose
    absorb = np.errstate(over="ignore")(absorb)
