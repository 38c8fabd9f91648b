"""A match as text and as an image: what a watcher sees, generic over games.

The image is the text in colour. Colours come from the game's `view.PALETTE`, if it has one.
"""

import re
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kwartet.core.errors import GameError, quoted
from kwartet.core.match import Match

MODES: Final = ("ansi", "rgb_array", "human")
SIZE: Final = 20  # of a letter, in pixels
PAPER, FRAME, INK, FAINT = "#f7f5f2", "#ffffff", "#22303c", "#8b98a3"
COLOURS: Final = {
    "red": "#c0392b",
    "green": "#2e8b57",
    "blue": "#2f6f9f",
    "yellow": "#b8860b",
    "magenta": "#8e44ad",
    "cyan": "#3d8f9f",
    "bright_green": "#5fb35f",
    "bright_yellow": "#d4a017",
}


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
    """The same as an image, height × width × RGB."""
    from PIL import Image, ImageDraw

    views = match.game.views
    lines = views.text(match.view(seat)).split("\n")
    font, bold = _font("DejaVuSansMono.ttf"), _font("DejaVuSansMono-Bold.ttf")
    advance, height = font.getlength("m"), round(SIZE * 1.45)
    head = 2 * height
    longest = max(len(line) for line in [*lines, _standing(match)])
    width = round(longest * advance) + 3 * SIZE
    image = Image.new("RGB", (width, head + len(lines) * height + 2 * SIZE), PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, head), fill=INK)
    draw.text((1.5 * SIZE, head / 2), _standing(match), PAPER, bold, anchor="lm")
    for number, line in enumerate(lines):
        top = head + SIZE + number * height
        for column, (letter, (colour, is_bold)) in enumerate(
            zip(line, _styles(line, getattr(views, "PALETTE", {})), strict=True)
        ):
            at = (1.5 * SIZE + column * advance, top)
            draw.text(at, letter, colour, bold if is_bold else font)
    return np.asarray(image, np.uint8).copy()


def _standing(match: Match) -> str:
    scores = " : ".join(map(str, match.scores()))
    if match.actor is None:
        winners = " and ".join(str(seat) for seat in match.winners())
        turn = "over" if match.seats == 1 else f"won by seat {winners}"
    else:
        turn = f"seat {match.actor} to act" if match.actor >= 0 else "chance to act"
    return f"{match.game.title} · {scores} · {turn}"


def _styles(line: str, palette: dict[str, str]) -> list[tuple[str, bool]]:
    """The colour of each letter of the line, and whether it is bold."""
    styles = [(FAINT if letter in "·.│─┼" else INK, False) for letter in line]
    for pattern, style in palette.items():
        *weight, name = style.split() if style != "bold" else ["bold", ""]
        for found in re.finditer(pattern, line + "\n"):
            for index in range(found.start(), min(found.end(), len(line))):
                styles[index] = COLOURS.get(name, INK), bool(weight)
    return styles


@cache
def _font(name: str) -> Any:
    """One of the fonts that come with matplotlib."""
    import matplotlib as mpl
    from PIL import ImageFont

    return ImageFont.truetype(f"{mpl.get_data_path()}/fonts/ttf/{name}", SIZE)
