"""How a chip stands, as a seat sees it: what search and networks know chips by.

A chip with one diamond is its colour's owner and its carats. With more of them it is the
lead of the seat's best colour over the other seats' best one, how the colours that nobody has
compare with both, how many colours are there and how many cells are missing.

Where more than two play, the others are told apart by their turn after the seat's: where it is
behind, it matters who is ahead of all.
"""

from typing import Final

import numpy as np

from kwartet.core.kernels import kernel
from kwartet.games.carat.rules import AROUND, NOBODY, carats_of

OWN, OTHER, NEUTRAL = range(3)  # whose colour; NEUTRAL: no seat's, or none at all
VALUES: Final = 5  # of a chip
LEADS: Final = 11  # in carats, see `_lead_class`
_NEUTRALS: Final = 5  # of nobody's colours over both
_ONE: Final = 3  # + (whose · 6 + carats − 1), inner chips after those on the edge
_MORE: Final = _ONE + 2 * 18  # + ((missing − 1) · 3 + colours − 1) · leads · neutrals + …
STANDINGS: Final = _MORE + 2 * 3 * LEADS * _NEUTRALS
KINDS: Final = STANDINGS * VALUES

SIDES: Final = 5  # the seat, the others by their turn after its own, nobody
_NOBODY: Final = SIDES - 1
_MORE_AMONG: Final = _ONE + 2 * 6 * SIDES  # + ((missing − 1) · 3 + colours − 1) · ranks + rank
_AHEAD: Final = LEADS // 2 + 1  # ranks of leads from none up; behind: + by how much · 4 + by whom
_RANKS: Final = _AHEAD + LEADS // 2 * (SIDES - 1)
STANDINGS_AMONG: Final = _MORE_AMONG + 2 * 3 * _RANKS
KINDS_AMONG: Final = STANDINGS_AMONG * VALUES


@kernel
def whose(state: np.record, colour: int) -> int:
    """Whether a colour is the acting seat's, another seat's, or nobody's."""
    owner = NOBODY if colour == NOBODY else int(state.owner[colour])
    if owner == NOBODY:
        return NEUTRAL
    return OWN if owner == state.seat else OTHER


@kernel
def _lead_class(lead: int) -> int:
    """A lead in carats, in eleven classes."""
    far = min(abs(lead), 4) if abs(lead) < 6 else 5
    return LEADS // 2 + (far if lead > 0 else -far)


@kernel
def chip_of(state: np.record, seat: int, point: int, sums: int, missing: int) -> int:
    """The kind of a chip with these carats that misses cells: its standing and its number."""
    value = int(state.chips[point]) - 1
    if state.players == 2:
        return value * STANDINGS + _standing(state, seat, point, sums, missing)
    return value * STANDINGS_AMONG + _standing_among(state, seat, point, sums, missing)


@kernel
def _standing(state: np.record, seat: int, point: int, sums: int, missing: int) -> int:
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
            elif owner == seat:
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


@kernel
def _standing_among(state: np.record, seat: int, point: int, sums: int, missing: int) -> int:
    laid = int(AROUND[point]) - missing
    if laid == 0:
        return missing // 2
    own, best, present = 0, 0, 0
    leader = _NOBODY  # of the others; nobody where two of them share the lead
    for colour in range(4):
        carats = carats_of(sums, colour)
        if carats > 0:
            present += 1
            side = side_of(state, seat, colour)
            if side == 0:
                own = carats
            elif carats >= best:
                leader = side if carats > best else _NOBODY
                best = carats
    if laid == 1:
        side = 0 if own > 0 else leader
        return _ONE + 6 * SIDES * (missing == 3) + 6 * side + max(own, best) - 1
    lead = _lead_class(own - best) - LEADS // 2
    rank = lead if lead >= 0 else _AHEAD + (-lead - 1) * (SIDES - 1) + leader - 1
    return _MORE_AMONG + ((missing - 1) * 3 + present - 1) * _RANKS + rank


@kernel
def side_of(state: np.record, seat: int, colour: int) -> int:
    """Whose a colour is: the seat's (0), then the others' by their turn after it, then nobody's."""
    owner = int(state.owner[colour])
    if owner == NOBODY:
        return _NOBODY
    return owner - seat if owner >= seat else owner - seat + int(state.players)
