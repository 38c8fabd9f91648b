"""Refusals as the API tells them: a code, a sentence, a status."""

from typing import Final

import msgspec

from kwartet.core.errors import GameError
from kwartet.server.messages import Refused

STATUS: Final = {
    "bad-token": 401,
    "no-identity": 401,
    "bad-host": 403,
    "bad-origin": 403,
    "muted": 403,
    "no-hints": 403,
    "no-takeback": 403,
    "not-invited": 403,
    "not-seated": 403,
    "not-yours": 403,
    "unknown-game": 404,
    "unknown-page": 404,
    "unknown-player": 404,
    "unknown-table": 404,
    "unknown-token": 404,
    "bad-method": 405,
    "bad-link": 410,
    "too-large": 413,
    "bad-type": 415,
    "illegal-move": 422,
    "too-many": 429,
    "failed": 500,
    "busy": 503,
    "preparing": 503,
    "store-failed": 503,
    "store-unavailable": 503,
}
CONFLICTS: Final = {
    "game-over",
    "no-draw",
    "no-offer",
    "no-seat",
    "no-stand-in",
    "not-away",
    "not-over",
    "not-started",
    "not-your-turn",
    "nothing-to-undo",
    "offer-open",
    "seat-taken",
    "seated",
    "stale-ply",
    "stand-in",
    "started",
    "time-out",
    "too-many-tokens",
    "wrong-rules",
}


def status_of(code: str) -> int:
    """The HTTP status that goes with a code."""
    return STATUS.get(code, 409 if code in CONFLICTS else 400)


def refusal(error: GameError | msgspec.DecodeError | RecursionError, request: str = "") -> Refused:
    """What the sender is told."""
    if isinstance(error, GameError):
        return Refused(error.code, error.sentence, request)
    return Refused("bad-request", f"{str(error)[:300]}.", request)
