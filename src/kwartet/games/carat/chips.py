"""How a chip stands, as the seat to act sees it: what search and networks know chips by.

A chip with one diamond is its colour's owner and its carats. With more of them it is the
lead of the seat's best colour over the other seats' best one, how the colours that nobody has
compare with both, how many colours are there and how many cells are missing.
"""

from typing import Final

import numpy as np

from kwartet.core.kernels import kernel
from kwartet.games.carat.rules import AROUND, NOBODY, carats_of

OWN, OTHER, NEUTRAL = range(3)  # whose colour; NEUTRAL: no seat's, or none at all
VALUES: Final = 5  # of a chip
LEADS: Final = 11  # see `lead_at`
_NEUTRALS: Final = 5  # of nobody's colours over both
_ONE: Final = 3  # + (whose · 6 + carats − 1), inner chips after those on the edge
_MORE: Final = _ONE + 2 * 18  # + ((missing − 1) · 3 + colours − 1) · leads · neutrals + …
STANDINGS: Final = _MORE + 2 * 3 * LEADS * _NEUTRALS
KINDS: Final = STANDINGS * VALUES


@kernel
def whose(state: np.record, colour: int) -> int:
    """Whether a colour is the acting seat's, another seat's, or nobody's."""
    owner = NOBODY if colour == NOBODY else int(state.owner[colour])
    if owner == NOBODY:
        return NEUTRAL
    return OWN if owner == state.seat else OTHER


@kernel
def lead_at(state: np.record, sums: int) -> int:
    """By how many carats the acting seat leads at a chip, in eleven classes."""
    own, rival = 0, 0
    for colour in range(4):
        carats = carats_of(sums, colour)
        if state.owner[colour] == state.seat:
            own = max(own, carats)
        else:
            rival = max(rival, carats)
    return _lead_class(own - rival)


@kernel
def _lead_class(lead: int) -> int:
    far = min(abs(lead), 4) if abs(lead) < 6 else 5
    return LEADS // 2 + (far if lead > 0 else -far)


@kernel
def chip_of(state: np.record, point: int, sums: int, missing: int) -> int:
    """The kind of a chip with these carats that misses cells: its standing and its number."""
    return (int(state.chips[point]) - 1) * STANDINGS + _standing(state, point, sums, missing)


@kernel
def _standing(state: np.record, point: int, sums: int, missing: int) -> int:
    laid = int(AROUND[point]) - missing
    if laid == 0:
        return missing // 2
    own, other, neutral, present = 0, 0, 0, 0
    for colour in range(4):
        carats = carats_of(sums, colour)
        if carats > 0:
            present += 1
            owner = int(state.owner[colour])
            if owner == NOBODY:
                neutral = max(neutral, carats)
            elif owner == state.seat:
                own = max(own, carats)
            else:
                other = max(other, carats)
    if laid == 1:
        by = OWN if own > 0 else OTHER if other > 0 else NEUTRAL
        return _ONE + 18 * (missing == 3) + 6 * by + max(own, other, neutral) - 1
    above = neutral - max(own, other)
    height = 2 if above == 0 else 3 + (above > 3) if above > 0 else above >= -3
    lead = _lead_class(own - other)
    return _MORE + (((missing - 1) * 3 + present - 1) * LEADS + lead) * _NEUTRALS + height
