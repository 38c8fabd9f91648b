"""A match as shapes, pictures and films."""

from typing import Final

from kwartet.server import asking
from kwartet.server.api.calls import Call, Operation
from kwartet.server.drawn import Picture
from kwartet.server.gallery import FORMS, WISHES, picture_of
from kwartet.server.painting import KINDS, Content

PICTURES: Final = (
    "A position as onlookers see it, or a finished match's as a seat saw it, as SVG.",
    "The same as PNG.",
    "A position with who plays, as links show it: 1200 × 630.",
    "A finished match as a film, a frame for each decision.",
)


async def picture(call: Call) -> Picture:
    """The match as shapes; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    person = None if call.query("open") else call.person
    return await asking.picture(found, person, call.whole("ply"), call.query("language") or "en")


async def drawn(call: Call) -> Content:
    """The match as a picture or a film; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    form = FORMS[call.request.url.path.rpartition("/")[2]]
    return await picture_of(call.house, found, form, call.wishes, call.asker)


OPERATIONS: Final = (
    Operation(
        "GET",
        "/api/tables/{table}/picture",
        picture,
        Picture,
        "The match as shapes to draw and to click on, as one may see it.",
        query=(
            ("ply", "After so many moves."),
            ("language", "Of the names, as `de`."),
            ("open", "1: without what only one's own seat sees."),
        ),
    ),
    *(
        Operation(
            "GET",
            f"/api/tables/{{table}}/{file}",
            drawn,
            None,
            summary,
            person=False,
            query=WISHES[form],
            media=KINDS[form],
        )
        for (file, form), summary in zip(FORMS.items(), PICTURES, strict=True)
    ),
)
