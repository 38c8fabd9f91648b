"""The one error family that bad input meets, in every interface."""

from collections.abc import Iterable


class GameError(Exception):
    """Bad input: a stable `code` for programs and a sentence for people.

    Whatever raised it has changed nothing. Codes: `bad-notation`, `bad-option`,
    `bad-record`, `bad-seed`, `game-over`, `illegal-move`, `nothing-to-undo`,
    `unknown-game`, `unknown-seat`, `wrong-rules`.
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


def quoted(text: str, limit: int = 60) -> str:
    """Foreign text as it may stand in a sentence: on one line and not too long."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return repr(shown)
