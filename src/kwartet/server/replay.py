"""A match that is over, looked back at: its positions, and what could have been done in them.

Nothing here is secret any more: the record is public, so everybody may see with any seat's eyes.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kwartet.core.errors import GameError
from kwartet.server import afterwards as a

if TYPE_CHECKING:
    from kwartet.core.match import Match

STEPS: Final = 64  # positions in one answer


def replayed(
    match: "Match", actors: Sequence[int | None], seat: int | None, since: int, until: int | None
) -> a.Replay:
    """The positions after `since` … `until` moves as the seat (None: an onlooker) saw them."""
    if since > match.ply:
        raise unknown(since, match.ply)
    last = min(match.ply, since + STEPS - 1, match.ply if until is None else until)
    log = match.log(seat)
    steps = []
    past = earlier(match, since)
    for ply in range(since, last + 1):
        steps.append(a.ReplayStep(ply, past.view(seat)))
        past.follow(match.moves[ply : ply + 1])
    return a.Replay(match.ply, seat, list(actors), log, steps)


def position(match: "Match", ply: int) -> a.Position:
    """What the seat to act saw there, and its moves; GameError if no seat was to act."""
    past, seat = stood(match, ply)
    return a.Position(ply, seat, past.view(seat), past.legal())


def stood(match: "Match", ply: int) -> "tuple[Match, int]":
    """The match as it stood, and the seat that was to act; GameError if none was."""
    if ply >= match.ply:
        raise unknown(ply, match.ply)
    past = earlier(match, ply)
    seat = past.actor
    if seat is None or seat < 0:
        raise GameError("unknown-ply", f"At ply {ply} nobody decided: chance was to act.")
    return past, seat


def earlier(match: "Match", ply: int) -> "Match":
    """The match as it stood after so many moves; nothing is drawn in it."""
    past = match.beginning()
    past.follow(match.moves[:ply])
    return past


def unknown(ply: int, total: int) -> GameError:
    """What is said of a ply that is not there."""
    return GameError("unknown-ply", f"There is no ply {ply}; the match has {total} moves.")
