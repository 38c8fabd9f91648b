"""The one error family that bad input meets, in every interface."""

from collections.abc import Iterable, Mapping
from typing import Any


class GameError(Exception):
    """Bad input: a stable `code` for programs and a sentence for people.

    Whatever raised it has changed nothing. Of an illegal move `reason` says why in the game's
    own parts, JSON-ready, where the game does (`Match.why`).

    Codes: `bad-bot`, `bad-command`, `bad-database`, `bad-endpoint`, `bad-file`, `bad-game`,
    `bad-host`, `bad-link`, `bad-message`, `bad-method`, `bad-name`, `bad-network`,
    `bad-notation`, `bad-option`, `bad-origin`, `bad-record`, `bad-request`, `bad-seed`,
    `bad-setting`, `bad-state`, `bad-token`, `bad-type`, `banned`, `blocked`, `busy`,
    `conflict`, `damaged-entry`, `enough`, `failed`, `game-over`, `game-taken`, `id-used`,
    `illegal-move`, `muted`, `no-cluster`, `no-draw`, `no-hints`, `no-identity`, `no-offer`,
    `no-parts`, `no-picture`, `no-postgres`, `no-preview`, `no-ray`, `no-record`,
    `no-reviews`, `no-seat`, `no-server`, `no-stand-in`, `no-table`, `no-takeback`,
    `not-away`, `not-installed`, `not-invited`, `not-judged`, `not-over`, `not-ratable`,
    `not-seated`, `not-started`, `not-your-turn`, `not-yours`, `nothing-to-undo`,
    `offer-open`, `part-given`, `port-taken`, `preparing`, `revoked`, `seat-taken`,
    `seated`, `stale-ply`, `stand-in`, `started`, `store-busy`, `store-failed`,
    `store-too-new`, `store-too-old`, `store-unavailable`, `time-out`, `too-large`,
    `too-many`, `too-many-tables`, `too-many-tokens`, `unknown-bot`, `unknown-device`,
    `unknown-entry`, `unknown-game`, `unknown-line`, `unknown-page`, `unknown-player`,
    `unknown-ply`, `unknown-report`, `unknown-seat`, `unknown-table`, `unknown-token`,
    `unsolved`, `worker-lost`, `wrong-rules`.
    """

    def __init__(self, code: str, sentence: str, reason: Mapping[str, Any] | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.reason = reason

    def __reduce__(self) -> tuple[type["GameError"], tuple[Any, ...]]:
        return type(self), (self.code, self.sentence, self.reason)


def some_of(items: Iterable[str], limit: int = 8) -> str:
    """The first few items as text, with the number of all when there are more."""
    listed = list(items)
    text = ", ".join(listed[:limit])
    return text if len(listed) <= limit else f"{text}, … ({len(listed)} in all)"


def quoted(value: object, limit: int = 60) -> str:
    """Anything foreign as it may stand in a sentence: printable, on one line, not too long."""
    try:
        text = repr(value[:limit] if isinstance(value, str | bytes) else value)
        text = str.__str__(text if text.isprintable() else repr(text))
    except Exception:  # a number of too many digits, a list too deep, an object that lies
        text = f"this {type(value).__name__}"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def named(error: BaseException) -> str:
    """A foreign exception as it may stand in a sentence: its type and what it says."""
    try:
        text = str(error)
    except Exception:  # even this may fail
        text = ""
    return f"{type(error).__name__}: {quoted(text, 200)}" if text else type(error).__name__
