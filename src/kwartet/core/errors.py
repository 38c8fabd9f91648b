"""The one error family that bad input meets, in every interface."""

from collections.abc import Iterable


class GameError(Exception):
    """Bad input: a stable `code` for programs and a sentence for people.

    Whatever raised it has changed nothing. Codes: `bad-bot`, `bad-command`, `bad-database`,
    `bad-file`, `bad-message`, `bad-notation`, `bad-option`, `bad-record`, `bad-seed`, `conflict`,
    `game-over`, `game-taken`, `illegal-move`, `no-cluster`, `no-postgres`, `no-preview`, `no-ray`,
    `not-your-turn`, `nothing-to-undo`, `stale-ply`, `store-busy`, `store-failed`, `store-too-new`,
    `store-too-old`, `store-unavailable`, `unknown-bot`, `unknown-game`, `unknown-seat`, `unsolved`,
    `worker-lost`, `wrong-rules`.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence

    def __reduce__(self) -> tuple[type["GameError"], tuple[str, str]]:
        return type(self), (self.code, self.sentence)


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
