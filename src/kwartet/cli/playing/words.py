"""Sentences: names for seats, who played what, why a move is good, how a match ended."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kwartet.cli.playing.places import Hint, Told
    from kwartet.core.game import Game
    from kwartet.reviews.reasons import Reason

CLEAR: Final = 1.0  # points that a difference must have to be told
_SEAT: Final = re.compile(r"\b[Ss]eat (\d)\b(?! \d)")


def with_names(text: str, names: Sequence[str]) -> str:
    """The text with the players' names in place of `seat 0` and the like."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return _SEAT.sub(name, text)


def sides(game: "Game", view: dict[str, Any]) -> list[str]:
    """What each seat plays with, such as `red`, where its pieces have a colour; else nothing."""
    from kwartet.core.picture import in_language

    drawn = game.pictures.draw(view).sides if game.pictures else ()
    return [in_language(side.name, "en") for side in drawn]


def told(moves: Sequence["Told"], names: Sequence[str]) -> str:
    """Moves as one line: each player's in a row, what chance brought between them."""
    seen = [each for each in moves if each.move != "*?"]
    return ". ".join(
        f"{_mover(seat, names)}: " + ", ".join(each.move.removeprefix("*") for each in group)
        for seat, group in groupby(seen, key=lambda each: each.seat)
    )


def points(amount: float, game: "Game") -> str:
    """An amount of what the game counts."""
    whole = round(amount)
    noun = getattr(game.screens, "COUNTED", "point")
    return f"{whole} {noun}{'' if abs(whole) == 1 else 's'}"


def reasons(reason: "Reason", names: Sequence[str], game: "Game") -> str:
    """What speaks for a move, as sentences."""
    gain, follow = round(reason.gain), round(reason.follow or 0)
    sentences = []
    if gain:
        verb = "scores" if gain > 0 else "costs"
        sentences.append(f"It {verb} {points(abs(gain), game)}.")
    sentences.append(_answered(reason, names))
    if follow > max(gain, 0):
        sentences.append(f"Next time you could take {points(follow, game)}.")
    return " ".join(filter(None, sentences)) or "It scores nothing yet."


def hinted(hints: Sequence["Hint"], names: Sequence[str], game: "Game") -> list[str]:
    """Hints as sentences, the best first."""
    begins = ("An expert would play", "Or", "Or")
    return [
        f"{begins[min(place, 2)]} {hint.move}. {reasons(hint.reason, names, game)}"
        for place, hint in enumerate(hints)
    ]


def result(names: Sequence[str], scores: Sequence[int], winners: Sequence[int]) -> str:
    """How a match ended that was played to its end."""
    if len(names) == 1:
        return f"The match is over with {scores[0]} points."
    standing = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
    if len(winners) == len(names) or not winners:
        return f"The match is over, a draw. {standing}."
    who = listed([names[seat] for seat in winners])
    return (
        f"The match is over: {who} {'wins' if len(winners) == 1 else 'share the win'}. {standing}."
    )


def ending(
    names: Sequence[str],
    reason: str,
    scores: Sequence[int],
    winners: Sequence[int],
    gone: Sequence[str],
) -> str:
    """How a match ended, also before its end; `gone` are those who gave it up."""
    if reason == "dropped":
        return "The match was put away and counts nowhere."
    early = {
        "resigned": f"{listed(gone)} resigned. ",
        "time": f"The time of {listed(gone)} ran out. ",
        "agreed": "Draw agreed. ",
    }
    return early.get(reason, "") + result(names, scores, winners)


def time_left(seconds: float | None) -> str:
    """What stands behind a name where a clock runs; nothing else."""
    if seconds is None:
        return ""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f" ({days} d {hours} h left)"
    return f" ({hours} h {minutes} min left)" if hours else f" ({minutes}:{rest:02} left)"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _answered(reason: "Reason", names: Sequence[str]) -> str:
    """What it leaves to the next, where that is more or less than usual."""
    if reason.answer is None or reason.by is None or reason.usual is None:
        return ""
    if abs(reason.usual - reason.answer) < CLEAR:
        return ""
    answer, usual, name = round(reason.answer), round(reason.usual), names[reason.by]
    if reason.answer < reason.usual:
        return f"{name} can then take {answer} at most; after most other moves {usual}."
    return f"{name} can then take {answer} at once; after most other moves {usual}."


def _mover(seat: int | None, names: Sequence[str]) -> str:
    """Who moved: luck, somebody by name, or somebody earlier."""
    if seat is None:
        return "Luck"
    return names[seat] if seat >= 0 else "Earlier"
