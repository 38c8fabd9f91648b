"""A match on a canvas: its board with the players above or beside it, and marks on its moves.

`scene` draws what one watcher may see; `tall` and `wide` put a scene on a canvas.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import Any, Final

from kwartet.core.errors import GameError
from kwartet.core.letters import shortened, width_of
from kwartet.core.match import Match
from kwartet.core.picture import (
    Art,
    Box,
    Colour,
    Label,
    Path,
    Picture,
    Shape,
    Side,
    Stamp,
    Trace,
    moved,
    signed,
    written,
)
from kwartet.core.signs import STAR, WHITE, seat_sign, verdict_sign
from kwartet.core.svg import Canvas, Theme, png, size_of, svg

GROUND: Final = ("#f4efe6", "#12181b")
SURFACE: Final = ("#fcf9f3", "#1a2226")
INK: Final = ("#1e2326", "#ece7dc")
FAINT: Final = ("#565a57", "#a9aaa2")
LINE: Final = ("#d9d0bf", "#2b3539")
CASING: Final = "#1e2326"
SEAT: Final = {"en": "Seat {}", "nl": "Plaats {}", "de": "Platz {}", "fr": "Place {}"}
LANGUAGES: Final = tuple(SEAT)
LINK: Final = (1200, 630)  # pixels of a picture that a shared link shows
UNITS: Final = 27  # of a board's width, for what stands around it
NAME_LENGTH: Final = 40
RING, BORDER = 0.05, 0.095  # widths of a ring and of its casing, in cells


@dataclass(frozen=True)
class Marks:
    """What is marked on the board: the move that led there, and perhaps a better one."""

    last: bool = True
    verdict: str | None = None  # of that move
    better: str | None = None


LAST: Final = Marks()


@dataclass(frozen=True)
class Look:
    """Whose eyes see a match, and how it is shown."""

    seat: int | None = None  # None: a spectator
    everything: bool = False  # all hands, whoever sees them
    names: Sequence[str] = ()  # by seat
    language: str = "en"
    theme: Theme = "light"
    longest: int = 900  # pixels of the longer side


@dataclass(frozen=True)
class Scene:
    """A board, and who plays there."""

    picture: Picture
    title: str
    names: Sequence[str]
    scores: Sequence[int]
    actor: int | None
    winners: Sequence[int]


def scene(match: Match, look: Look, marks: Marks = LAST, room: Any = None) -> Scene:
    """The match as it is seen so.

    `room` is what the game's own `room` told of a later view: the board is drawn as large.
    """
    view = seen(match, look)
    pictures = match.game.pictures
    if pictures is None:
        picture = written(match.game.views.text(view))
    elif room is None:
        picture = pictures.draw(view)
    else:
        picture = pictures.draw(view, within=room)  # type: ignore[call-arg]
    traced = _traced(match, look.seat, marks, picture, room or room_of(match, look))
    names = [look.names[seat] if seat < len(look.names) else "" for seat in range(match.seats)]
    default = SEAT.get(look.language, SEAT["en"])
    return Scene(
        replace(picture, shapes=[*picture.shapes, *traced.shapes], art=traced.art),
        match.game.title,
        [name or default.format(number + 1) for number, name in enumerate(names)],
        match.scores(),
        match.actor,
        match.winners(),
    )


def player_name(told: str) -> str:
    """A player as a record tells one, short enough and without what cannot be written."""
    plain = "".join(letter for letter in told if letter.isprintable())[:NAME_LENGTH]
    return f"{plain[4:].capitalize()} bot" if plain.startswith("bot:") else plain


def seen(match: Match, look: Look) -> dict[str, Any]:
    """The view; all hands are what seats see of their own, which views list as `hands` by seat."""
    view = match.view(look.seat)
    if look.everything and "hands" in view:
        view["hands"] = [match.view(seat)["hands"][seat] for seat in range(match.seats)]
    return view


def room_of(match: Match, look: Look) -> Any:
    """How large a board is that grows; None where boards do not."""
    room = getattr(match.game.pictures, "room", None)
    return room(seen(match, look)) if room else None


# Marks ----------------------------------------------------------------------------------


def _traced(match: Match, seat: int | None, marks: Marks, picture: Picture, room: Any) -> Picture:
    """The rings around the last move and a better one, with their art."""
    shapes: list[Shape] = []
    art: dict[str, Art] = dict(picture.art)
    trace = getattr(match.game.pictures, "trace", None)
    if trace and room is not None:
        trace = partial(trace, within=room)
    log = match.log(seat)
    decided = [ply for ply, move in enumerate(log) if not move.startswith("*")]
    if trace is None or not decided or not (marks.last or marks.better):
        return replace(picture, shapes=shapes)
    before = match.copy()
    try:
        while before.ply > decided[-1]:
            before.undo()
    except GameError:  # it was set up: nobody knows how it came about
        return replace(picture, shapes=shapes)
    view = before.view(seat)
    if marks.last and (played := trace(view, log[decided[-1]])):
        shapes += _ringed(played, ())
        if marks.verdict:
            shapes += _signed(marks.verdict, played)
    if marks.better and (better := trace(view, marks.better)):
        art["better"] = Art(better.piece)
        shapes.append(Stamp("better", 0, 0, faint=0.8))
        shapes += _ringed(better, (0.16, 0.11))
        shapes += _signed("best", better)
    return replace(picture, shapes=shapes, art=art)


def _signed(verdict: str, trace: Trace) -> list[Shape]:
    x, y = trace.at
    return moved(verdict_sign(verdict), x, y, 0.4)


def _ringed(trace: Trace, dash: Sequence[float]) -> list[Shape]:
    shapes: list[Shape] = []
    for outline in trace.outlines:
        dashes = [length / outline.scale for length in dash]
        shapes.append(replace(outline, edge=CASING, line=BORDER / outline.scale))
        shapes.append(replace(outline, edge=WHITE, line=RING / outline.scale, dash=dashes))
    return shapes


# Sheets ---------------------------------------------------------------------------------


def tall(told: Scene) -> Canvas:
    """The players in lines above the board, the game below."""
    board, count = told.picture, len(told.names)
    unit = max(board.width, 0.62 * board.height) / UNITS
    columns = min(count, 4)
    gap, high = 0.55 * unit, (2.9 if columns > 2 else 2.4) * unit
    width = max(board.width, 20 * unit)
    share, left = (width + gap) / columns, (board.width - width) / 2
    top = -ceil(count / columns) * (high + gap)
    around = (left - gap, top - gap, width + 2 * gap)
    frame = (*around, board.height - top + 2 * gap + 1.5 * unit)
    shapes: list[Shape] = [Box(*frame, GROUND)]
    for seat in range(count):
        row, column = divmod(seat, columns)
        at = (left + column * share, top + row * (high + gap))
        shapes += _player(told, seat, *at, share - gap, high, unit)
    shapes += _title(told, left + 0.1 * unit, board.height + gap + 0.75 * unit, unit)
    shapes += board.shapes
    return Canvas(*frame, shapes, board.art, _in_words(told))


def wide(told: Scene) -> Canvas:
    """The board at the right, the players at its left: what a shared link shows."""
    board = told.picture
    high = max(board.height / 0.92, board.width / 0.66 * LINK[1] / LINK[0])
    width, unit = high * LINK[0] / LINK[1], high / 21
    right = board.width + max((high - board.height) / 2, 0.8 * unit)
    left, top = right - width, (board.height - high) / 2
    share = min(-left - 2.4 * unit, 14 * unit)
    x = left + (-left - share) / 2
    step = min(3.4 * unit, (high - 5 * unit) / len(told.names))
    y = top + (high - step * len(told.names) - 3.4 * unit) / 2
    shapes: list[Shape] = [Box(left, top, width, high, GROUND)]
    large = min(2.0 * unit, share / width_of(told.title, 1, True))
    shapes.append(Label(x, y + 0.8 * unit, told.title, large, INK, bold=True, from_left=True))
    shapes.append(
        Label(x, y + 2.4 * unit, told.picture.caption, 0.85 * unit, FAINT, from_left=True)
    )
    for seat in range(len(told.names)):
        at = (x, y + 3.4 * unit + seat * step)
        shapes += _player(told, seat, *at, share, 0.85 * step, step / 3.4)
    shapes += board.shapes
    return Canvas(left, top, width, high, shapes, board.art, _in_words(told))


def as_svg(canvas: Canvas, look: Look) -> str:
    """The canvas as text."""
    return svg(canvas, look.longest, look.theme, look.language)


def as_png(canvas: Canvas, look: Look) -> bytes:
    """The canvas as an image."""
    return png(as_svg(canvas, look), size_of(canvas, look.longest))


def _player(
    told: Scene, seat: int, x: float, y: float, width: float, height: float, unit: float
) -> list[Shape]:
    """A seat's card: its sign, its name and its score; who is to act or has won stands out."""
    chosen = seat == told.actor or seat in told.winners
    edge: Colour = INK if chosen else LINE
    line = (0.14 if chosen else 0.05) * unit
    side = told.picture.sides[seat] if seat < len(told.picture.sides) else None
    middle, score = y + height / 2, signed(told.scores[seat])
    text, large = 0.85 * unit, 1.5 * unit
    shapes: list[Shape] = [
        Path(_rounded(x, y, width, height, 0.5 * unit), SURFACE, edge, line),
        *moved(_sign(side, seat), x + 1.4 * unit, middle, 1.9 * unit),
    ]
    begin, room = x + 2.7 * unit, width - 3 * unit
    if told.winners and seat in told.winners:
        shapes.append(
            Path(
                STAR,
                "#e3a92b",
                CASING,
                1.6,
                (),
                x + width - 0.15 * unit,
                y + 0.15 * unit,
                0.055 * unit,
            )
        )
    digits = width_of(score, large, True)
    if room - digits > 5 * unit:
        name = shortened(told.names[seat], text, room - digits - 0.5 * unit)
        shapes.append(Label(begin, middle, name, text, INK, from_left=True))
        end = x + width - 0.7 * unit - digits
        return [*shapes, Label(end, middle, score, large, INK, bold=True, from_left=True)]
    name = shortened(told.names[seat], 0.72 * unit, room)
    return [
        *shapes,
        Label(begin, y + 0.29 * height, name, 0.72 * unit, FAINT, from_left=True),
        Label(begin, y + 0.67 * height, score, 1.35 * unit, INK, bold=True, from_left=True),
    ]


def _sign(side: Side | None, seat: int) -> Sequence[Shape]:
    return (side.sign or seat_sign(seat, side.fill)) if side else seat_sign(seat)


def _rounded(x: float, y: float, width: float, height: float, r: float) -> str:
    """A rectangle's path."""
    across, down, arc = width - 2 * r, height - 2 * r, f"a{r:.4f} {r:.4f} 0 0 1 "
    return (
        f"M{x + r:.4f} {y:.4f}h{across:.4f}{arc}{r:.4f} {r:.4f}v{down:.4f}{arc}{-r:.4f} {r:.4f}"
        f"h{-across:.4f}{arc}{-r:.4f} {-r:.4f}v{-down:.4f}{arc}{r:.4f} {-r:.4f}Z"
    )


def _title(told: Scene, x: float, y: float, unit: float) -> list[Shape]:
    after = x + width_of(told.title, 1.1 * unit, True) + 0.6 * unit
    return [
        Label(x, y, told.title, 1.1 * unit, INK, bold=True, from_left=True),
        Label(after, y + 0.06 * unit, told.picture.caption, 0.8 * unit, FAINT, from_left=True),
    ]


def _in_words(told: Scene) -> str:
    """What the canvas shows, for who cannot see it."""
    scores = zip(told.names, told.scores, strict=True)
    return f"{told.title}: " + ", ".join(f"{name} {score}" for name, score in scores)
