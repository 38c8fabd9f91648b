"""What was typed as a move: in notation, by its number in the last list, or abbreviated."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from kwartet.core.errors import GameError


@dataclass
class Offered:
    """The moves that were listed last; numbers count from 1."""

    moves: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Several:
    """What was typed fits all of these."""

    moves: list[str]


def find_move(
    typed: str, legal: Sequence[str], offered: Offered, read: Callable[[str], None]
) -> str | Several:
    """The move that was meant, or all that it could be; GameError, as `read` says, if none."""
    text = " ".join(typed.split())
    if text in legal:
        return text
    if text.isdecimal() and 0 < int(text[:9]) <= len(offered.moves):
        return offered.moves[int(text) - 1]
    found = matching(text, legal)
    if len(found) == 1:
        return found[0]
    whole = _with_first_word(text, legal)
    try:
        read(whole)
    except GameError:
        if found:
            return Several(found)
        read(text)  # its own words for what is wrong
    return whole


def is_word(word: str, words: Mapping[str, str]) -> bool:
    """Whether it is one of these, some of which are told with what goes behind them."""
    return any(each.partition(" ")[0] == word for each in words)


def matching(text: str, legal: Sequence[str]) -> list[str]:
    """The moves that this is the beginning of, or of whose words these are the beginnings."""
    small = text.casefold()
    begun = [move for move in legal if move.casefold().startswith(small)]
    return begun or [move for move in legal if _abbreviates(small, move.casefold())]


def _abbreviates(text: str, move: str) -> bool:
    """Whether each word begins the move's word at its place, also written together: `tn`."""
    typed, words = text.split(), move.split()
    if len(typed) == 1 and len(words) > 1 and len(text) == len(words):
        typed = list(text)
    pairs = list(zip(typed, words, strict=False))
    return len(typed) <= len(words) and all(word.startswith(part) for part, word in pairs)


def _with_first_word(text: str, legal: Sequence[str]) -> str:
    """The same with its first word written out, if only one can be meant: `k gg` is `keep gg`."""
    first, space, rest = text.partition(" ")
    words = {move.split()[0] for move in legal if " " in move}
    begun = [word for word in words if word.casefold().startswith(first.casefold())]
    return f"{begun[0]}{space}{rest}" if len(begun) == 1 else text
