"""Refusals as the API tells them: a code, a sentence, a status."""

from typing import Final

import msgspec
import structlog

from kwartet.core.errors import GameError
from kwartet.server.messages import Refused
from kwartet.store import StoreError

log = structlog.get_logger()

STATUS: Final = {
    "bad-token": 401,
    "revoked": 401,
    "no-identity": 401,
    "bad-host": 403,
    "banned": 403,
    "blocked": 403,
    "bad-origin": 403,
    "enough": 403,
    "muted": 403,
    "no-hints": 403,
    "no-takeback": 403,
    "not-invited": 403,
    "not-seated": 403,
    "not-yours": 403,
    "unknown-device": 404,
    "unknown-game": 404,
    "unknown-line": 404,
    "unknown-page": 404,
    "unknown-player": 404,
    "unknown-ply": 404,
    "unknown-table": 404,
    "unknown-token": 404,
    "bad-method": 405,
    "bad-link": 410,
    "too-large": 413,
    "bad-type": 415,
    "illegal-move": 422,
    "too-many": 429,
    "unknown-entry": 500,
    "damaged-entry": 500,
    "failed": 500,
    "busy": 503,
    "no-reviews": 503,
    "preparing": 503,
    "store-failed": 503,
    "store-unavailable": 503,
    "worker-lost": 503,
}
CONFLICTS: Final = {
    "game-over",
    "id-used",
    "no-draw",
    "no-offer",
    "no-parts",
    "no-picture",
    "no-preview",
    "no-seat",
    "no-stand-in",
    "not-away",
    "not-judged",
    "not-over",
    "not-started",
    "not-your-turn",
    "nothing-to-undo",
    "offer-open",
    "part-given",
    "seat-taken",
    "seated",
    "stale-ply",
    "stand-in",
    "started",
    "time-out",
    "too-many-tables",
    "too-many-tokens",
    "wrong-rules",
}


def status_of(code: str) -> int:
    """The HTTP status that goes with a code."""
    return STATUS.get(code, 409 if code in CONFLICTS else 400)


def refusal(error: Exception, request: str = "") -> Refused:
    """What the sender is told. Our own troubles are logged whole and told in a sentence."""
    match error:
        case StoreError() | GameError(code="bad-database"):
            log.error("the database is in trouble", problem=error.sentence)
            code = error.code if error.code in STATUS else "store-failed"
            return Refused(code, "The server cannot reach its database; try again soon.", request)
        case GameError():
            reason = dict(error.reason) if error.reason else None
            return Refused(error.code, error.sentence, request, reason)
        case msgspec.DecodeError() | RecursionError():
            return Refused("bad-request", f"{str(error)[:300]}.", request)
        case _:
            log.error("a request failed", exc_info=error)
            sentence = "Something went wrong here; nothing was changed as far as we know."
            return Refused("failed", sentence, request)
