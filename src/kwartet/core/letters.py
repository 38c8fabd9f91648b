"""Letters as outlines: what is written looks the same wherever it is drawn, and can be measured.

They are Fraunces, cut by `tools/art.py`; its licence lies beside the file. A bold letter that
was not cut is drawn as a plain one; letters of other scripts are left to the reader's fonts.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Final

EM: Final = 500  # units of a letter's size
UNKNOWN: Final = 0.6  # a foreign letter's width in its size
BASELINE: Final = 0.34  # below the middle of a line, in its size

Glyph = tuple[int, str]  # width and outline


@cache
def _cut() -> dict[str, dict[str, Glyph]]:
    told = files("kwartet.core").joinpath("letters.json").read_text(encoding="utf-8")
    return {
        style: {letter: (int(width), str(path)) for letter, (width, path) in glyphs.items()}
        for style, glyphs in json.loads(told).items()
    }


def glyph(letter: str, bold: bool) -> Glyph | None:
    """The letter's width and outline in units; None if it is none of ours."""
    cut = _cut()
    return (cut["bold"].get(letter) if bold else None) or cut["text"].get(letter)


def is_ours(text: str) -> bool:
    """Whether all of it can be drawn as outlines."""
    return all(glyph(letter, False) for letter in text)


def width_of(text: str, size: float, bold: bool = False) -> float:
    """How wide the text is at this size of its letters."""
    found = (glyph(letter, bold) for letter in text)
    return sum(letter[0] / EM if letter else UNKNOWN for letter in found) * size


def shortened(text: str, size: float, room: float, bold: bool = False) -> str:
    """The text, or as much of its beginning as there is room for."""
    if width_of(text, size, bold) <= room:
        return text
    while text and width_of(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"
