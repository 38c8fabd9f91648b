"""Small signs that pictures share: a colour or a seat, never told by hue alone, and verdicts.

All are drawn around 0, 0 and one unit large.
"""

from typing import Final

from kwartet.core.picture import Colour, Disc, Label, Path, Shape

SIZE: Final = 28  # of a mark's units
MARKS: Final = {  # outlines of the four colours
    "R": "M-9.5 0a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0 -19 0Z",
    "Y": "M0-11 10.5 7.5Q0 11-10.5 7.5Z",
    "B": "M0-12 8.5 0 0 12-8.5 0Z",
    "G": "M-5-10H5L8.5-6.5V6.5L5 10H-5L-8.5 6.5V-6.5Z",
}
TINTS: Final = {"R": "#c2334a", "Y": "#ebb52e", "B": "#2458b8", "G": "#2f9e7e"}
ON_TINTS: Final = {"R": "#ffffff", "Y": "#2a2005", "B": "#ffffff", "G": "#06251b"}
BY_SEAT: Final = "RYBG"  # in games that give seats no colour of their own
STAR: Final = "M0-9.5 2.6-3.2 9.2-2.9 4 1.3 5.8 7.8 0 4.1-5.8 7.8-4 1.3-9.2-2.9-2.6-3.2Z"
VERDICTS: Final = {  # triangles are decisions; none is told by its colour alone
    "best": (STAR, True),
    "fine": ("M-6.5 0.5-2 5.5 7-5", False),
    "slip": ("M-7.5-5H7.5L0 7Z", False),
    "mistake": ("M-7.5-5H7.5L0 7Z", True),
    "blunder": ("M-7-9H7L0 0ZM-7 0H7L0 9Z", True),
}
INK: Final = "#1e2326"
WHITE: Final = "#ffffff"


def colour_sign(letter: str, text: str) -> list[Shape]:
    """A colour's mark with something written on it."""
    down = 2.4 if letter == "Y" else 0.1  # a triangle's middle is low
    return [
        Path(MARKS[letter], TINTS[letter], scale=1.1 / SIZE),
        Label(0, down / SIZE, text, 12 / SIZE, ON_TINTS[letter], bold=True),
    ]


def seat_sign(seat: int, fill: Colour | None = None) -> list[Shape]:
    """A seat's number on its mark, or on a disc of its colour."""
    if fill is None:
        return colour_sign(BY_SEAT[seat % 4], str(seat + 1))
    return [Disc(0, 0, 0.4, fill, INK), Label(0, 0, str(seat + 1), 0.44, WHITE, bold=True)]


def verdict_sign(name: str) -> list[Shape]:
    """A verdict's sign on a disc."""
    path, is_full = VERDICTS[name]
    fill = WHITE if is_full else None
    return [
        Disc(0, 0, 0.5, INK, WHITE),
        Path(path, fill, WHITE, 2.2 if not is_full else 0.6, scale=0.92 / SIZE),
    ]
