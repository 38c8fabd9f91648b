"""A match as text and as an image: what a watcher sees, generic over games.

The image is drawn from the shapes that the game's `picture` module lists, or else from text.
"""

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.core.errors import GameError, quoted
from kwartet.core.match import Match
from kwartet.core.picture import INK, PAPER, Area, Box, Disc, Label, Picture, Shape, in_language

MODES: Final = ("ansi", "rgb_array", "human")
CELL: Final = 48  # pixels
FINER: Final = 2  # times as large while it is drawn
HEAD: Final = 0.9  # cells: the height of the line above the board


def check_mode(mode: str | None) -> str | None:
    """The mode, if there is such; GameError if not."""
    if mode is not None and mode not in MODES:
        raise GameError(
            "bad-option", f"render_mode is one of {', '.join(MODES)}, not {quoted(mode)}."
        )
    return mode


def render(match: Match, seat: int | None, mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """What the seat (None: a spectator) sees: text, an image, or printed; None without a mode."""
    if mode == "rgb_array":
        return image_of(match, seat)
    if mode == "human":
        print(text_of(match, seat), end="\n\n", flush=True)
    return text_of(match, seat) if mode == "ansi" else None


def text_of(match: Match, seat: int | None) -> str:
    """The board in letters, under a line that says how the match stands."""
    board: str = match.game.views.text(match.view(seat))
    return f"{_standing(match)}\n\n{board}"


def image_of(match: Match, seat: int | None) -> npt.NDArray[np.uint8]:
    """The board as an image, height × width × RGB, under the same line."""
    drawn = match.picture(seat)
    words = _standing(match)
    width = max(drawn.width, 0.36 * len(words) * 0.62 + 1.0)
    head: list[Shape] = [
        Box(0, -HEAD, width, HEAD, INK),
        Label(0.5, -HEAD / 2, words, 0.36, PAPER, bold=True, from_left=True),
    ]
    return _painted(Picture(width, drawn.height, [*head, *drawn.shapes]))


def _painted(picture: Picture) -> npt.NDArray[np.uint8]:
    """The picture with its head, drawn larger and then shrunk, so that edges are smooth."""
    from PIL import Image, ImageDraw

    scale = CELL * FINER
    size = round(picture.width * scale), round((picture.height + HEAD) * scale)
    image = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(image)
    for shape in picture.shapes:
        _paint(pen, shape, scale)
    small = image.resize((size[0] // FINER, size[1] // FINER), Image.Resampling.LANCZOS)
    return np.array(small, np.uint8)


def _paint(pen: Any, shape: Shape, scale: float) -> None:
    def at(x: float, y: float) -> tuple[float, float]:
        return x * scale, (y + HEAD) * scale

    line = round(scale / 40)
    match shape:
        case Box(x, y, width, height, fill, edge, radius):
            corners = (*at(x, y), *at(x + width, y + height))
            pen.rounded_rectangle(corners, radius * scale, fill, edge, line)
        case Disc(x, y, radius, fill, edge):
            pen.ellipse(
                (*at(x - radius, y - radius), *at(x + radius, y + radius)), fill, edge, line
            )
        case Area(points, fill):
            pen.polygon([at(x, y) for x, y in points], fill)
        case Label(x, y, text, size, fill, bold, from_left):
            font = _font(round(size * scale), bold)
            pen.text(
                at(x, y), in_language(text, "en"), fill, font, anchor="lm" if from_left else "mm"
            )


def _standing(match: Match) -> str:
    scores = " : ".join(map(str, match.scores()))
    if match.actor is None:
        winners = " and ".join(str(seat) for seat in match.winners())
        turn = "over" if match.seats == 1 else f"won by seat {winners}"
    else:
        turn = f"seat {match.actor} to act" if match.actor >= 0 else "chance to act"
    return f"{match.game.title} · {scores} · {turn}"


@cache
def _font(size: int, bold: bool) -> Any:
    """A font that comes with matplotlib, in this size."""
    import matplotlib as mpl
    from PIL import ImageFont

    name = "DejaVuSansMono-Bold.ttf" if bold else "DejaVuSansMono.ttf"
    return ImageFont.truetype(f"{mpl.get_data_path()}/fonts/ttf/{name}", size)
