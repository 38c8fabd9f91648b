"""What may be asked for as a picture: which position, whose eyes, how large.

While a match runs there is an onlooker's view alone, whoever asks.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from kwartet.core.errors import GameError, quoted
from kwartet.games import find
from kwartet.server.painting import KINDS, Content, Form, Job

if TYPE_CHECKING:
    from kwartet.core.svg import Theme
    from kwartet.server.house import House
    from kwartet.server.table import Table

FORMS: Final[dict[str, Form]] = {
    "picture.svg": "svg",
    "picture.png": "png",
    "link.png": "link",
    "film.gif": "gif",
}
SIZES: Final[dict[Form, tuple[int, int, int]]] = {  # the least, the usual and the most pixels
    "svg": (100, 900, 2000),
    "png": (100, 900, 2000),
    "link": (1200, 1200, 1200),
    "gif": (200, 600, 800),
}
_LOOK: Final = (("theme", "light or dark."), ("language", "Of the captions, as `de`."))
_POSITION: Final = (("ply", "After so many moves; the present if it is left out."),)
_SEAT: Final = (("seat", "Of a finished match: with what this seat saw."),)
_SIZE: Final = (("size", "Pixels of the longer side."),)
WISHES: Final[dict[Form, tuple[tuple[str, str], ...]]] = {
    "svg": (*_POSITION, *_SEAT, *_SIZE, *_LOOK),
    "png": (*_POSITION, *_SEAT, *_SIZE, *_LOOK),
    "link": (*_POSITION, *_LOOK),
    "gif": (*_SEAT, *_SIZE, *_LOOK),
}
DIGITS: Final = 9  # of a number in a query


async def picture_of(
    house: "House", table: "Table", form: Form, wishes: Mapping[str, str], who: str
) -> Content:
    """The table as a picture; GameError on a bad wish, or if it is too much at once."""
    job, lasts = job_of(table, form, wishes), table.story.state == "over"
    if not house.painter.has(job):
        (house.films if form == "gif" else house.pictures).take(who)
    body = await house.painter.paint(job, who)
    return Content(body, KINDS[form], lasts)


def job_of(table: "Table", form: Form, wishes: Mapping[str, str]) -> Job:
    """What is to be drawn; GameError on a bad wish."""
    from kwartet.core.scene import LANGUAGES, Look, player_name
    from kwartet.core.svg import THEMES

    story, match = table.story, table.seen()
    is_over = story.state == "over"
    if form == "gif" and not is_over:
        raise GameError("not-over", "A match is filmed when it is over.")
    ply, seat = _whole(wishes, "ply"), _whole(wishes, "seat")
    if ply is None or form == "gif":
        ply = match.ply
    if ply > match.ply:
        raise GameError("stale-ply", f"{ply} moves have not been played.")
    if seat is not None and not is_over:
        raise GameError("not-over", "What a seat saw is shown when the match is over.")
    if seat is not None and seat >= match.seats:
        raise GameError("unknown-seat", f"There is no seat {seat} at this table.")
    least, usual, most = SIZES[form]
    size = _whole(wishes, "size")
    if size is None:
        size = usual
    if not least <= size <= most:
        raise GameError("bad-request", f"size is from {least} to {most}, not {size}.")
    theme, language = wishes.get("theme", "light"), wishes.get("language", "en")
    if theme not in THEMES or language not in LANGUAGES:
        raise GameError("bad-request", f"There is no {quoted(theme)} in {quoted(language)}.")
    names = tuple(player_name(each.name or f"bot:{each.level}") for each in story.seats)
    return Job(
        form,
        story.created.game,
        find(story.created.game).package,
        json.dumps(story.created.options),
        story.created.rules,
        tuple(match.moves[:ply]),
        Look(seat, False, names, language, cast("Theme", theme), size),
    )


def _whole(wishes: Mapping[str, str], name: str) -> int | None:
    """A whole number of the query, if it is there; GameError if it is none."""
    text = wishes.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= DIGITS):
        raise GameError("bad-request", f"{name} is not a whole number: {quoted(text)}.")
    return int(text)
