"""What a shared link shows: the page's head with a title, a description and a picture.

It tells what any onlooker may know, in the language that the asker reads. Names are anybody's
words, so everything is escaped.
"""

import re
from html import escape
from typing import TYPE_CHECKING, Final

from kwartet.core.errors import GameError
from kwartet.core.scene import LANGUAGES, LINK, player_name
from kwartet.server.story import title_of

if TYPE_CHECKING:
    from kwartet.server.house import House
    from kwartet.server.story import Story

TABLE: Final = re.compile(r"table/([A-Za-z0-9_-]{1,64})/?")
TITLE: Final = re.compile(r"<title>[^<]*</title>")
HOME: Final = {
    "en": "Carat, Carnac, the Catan dice game and Kwatro, against people and bots.",
    "nl": "Carat, Carnac, het Catan-dobbelspel en Kwatro, tegen mensen en bots.",
    "de": "Carat, Carnac, das Catan-Würfelspiel und Kwatro, gegen Menschen und Bots.",
    "fr": "Carat, Carnac, le jeu de dés Catan et Kwatro, contre des humains et des bots.",
}
STATES: Final = {  # waiting, running, over, after so many moves
    "en": ("A table waits for players.", "The match goes on.", "The match is over.", "Move {}."),
    "nl": ("Een tafel wacht op spelers.", "De partij loopt.", "De partij is voorbij.", "Zet {}."),
    "de": (
        "Ein Tisch wartet auf Spieler.",
        "Die Partie läuft.",
        "Die Partie ist vorbei.",
        "Zug {}.",
    ),
    "fr": (
        "Une table attend des joueurs.",
        "La partie est en cours.",
        "La partie est terminée.",
        "Coup {}.",
    ),
}


def language_of(accepted: str | None) -> str:
    """The first of ours that an Accept-Language header names, else English."""
    for part in (accepted or "").lower().split(","):
        name = part.partition(";")[0].strip()[:2]
        if name in LANGUAGES:
            return name
    return "en"


async def heading(house: "House", path: str, ply: str | None, origin: str, language: str) -> str:
    """What belongs into the head of the page at this path: nothing where it shows no table."""
    if path == "":
        return _tags("Kwartet", HOME[language], f"{origin}/", f"{origin}/icon-512.png", (512, 512))
    if not (found := TABLE.fullmatch(path)):
        return ""
    try:
        table = await house.hall.table(found[1])
    except GameError:  # there is none, or the database is away: the page itself will say so
        return ""
    story, place = table.story, f"{origin}/table/{found[1]}"
    title, sentences = _title(story), STATES[language]
    if story.state == "open" or not story.lot:
        return _tags(title, sentences[0], place, f"{origin}/icon-512.png", (512, 512))
    picture = f"{origin}/api/tables/{found[1]}/link.png?language={language}&ply="
    if ply and ply.isascii() and ply.isdecimal() and len(ply) < 7 and int(ply) <= story.ply:
        title, said = title_of(story.created.game), sentences[3].format(int(ply))
        return _tags(f"{title}: {_names(story)}", said, f"{place}?ply={ply}", picture + ply, LINK)
    said = sentences[2 if story.state == "over" else 1]
    return _tags(title, said, place, f"{picture}{story.ply}", LINK)


def put_in(page: str, head: str) -> str:
    """The page with this in its head, in place of its own title."""
    return TITLE.sub(lambda _: head, page, count=1) if head else page


def _names(story: "Story") -> str:
    taken = (seat for seat in story.seats if seat.is_taken)
    return " – ".join(player_name(seat.name or f"bot:{seat.level}") for seat in taken)


def _title(story: "Story") -> str:
    """The game, and who has how much."""
    game = title_of(story.created.game)
    if story.state == "open" or story.scores is None:
        return f"{game}: {_names(story)}" if _names(story) else game
    scores = story.result.scores if story.result else story.scores
    names = [player_name(seat.name or f"bot:{seat.level}") for seat in story.seats]
    return f"{game}: " + ", ".join(
        f"{name} {score}" for name, score in zip(names, scores or [], strict=False)
    )


def _tags(title: str, said: str, place: str, picture: str, size: tuple[int, int]) -> str:
    is_wide = size == LINK
    tags = {
        "og:type": "website",
        "og:site_name": "Kwartet",
        "og:title": title,
        "og:description": said,
        "og:url": place,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(size[0]),
        "og:image:height": str(size[1]),
        "og:image:alt": title,
    }
    named = {"description": said, "twitter:card": "summary_large_image" if is_wide else "summary"}
    shown = title if title == "Kwartet" else f"{title} · Kwartet"
    return (
        f"<title>{escape(shown)}</title>"
        + "".join(
            f'<meta name="{name}" content="{escape(text)}" />' for name, text in named.items()
        )
        + "".join(
            f'<meta property="{name}" content="{escape(text)}" />' for name, text in tags.items()
        )
    )
