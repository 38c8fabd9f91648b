"""Connect four's board: a click on a column drops a disc into it."""

from collections.abc import Sequence
from typing import Final

from examples.connect_four.rules import COLUMNS, ROWS
from examples.connect_four.view import ConnectFourView
from kwartet import picture

COLOURS: Final = (picture.RED, picture.YELLOW)  # of the seats' discs
LANGUAGES: Final = {  # a column, empty and with discs; the seats' colours
    "en": ("Column {}, empty", "Column {}, from below: {}", "red", "yellow"),
    "nl": ("Kolom {}, leeg", "Kolom {}, van onderen: {}", "rood", "geel"),
    "de": ("Spalte {}, leer", "Spalte {}, von unten: {}", "rot", "gelb"),
    "fr": ("Colonne {}, vide", "Colonne {}, de bas en haut : {}", "rouge", "jaune"),
}


def draw(view: ConnectFourView) -> picture.Picture:
    """Seat 0's discs are red, seat 1's yellow."""
    shapes: list[picture.Shape] = [picture.Box(0.2, 0.2, COLUMNS, ROWS, picture.BLUE, round=0.2)]
    for column, discs in enumerate(view["columns"]):
        letter = "abcdefg"[column]
        x, height = column + 0.25, ROWS - 0.1
        name = _in_words(letter, discs)
        box = picture.Box(x, 0.25, 0.9, height, picture.BLUE, round=0.2, name=name, moves=[letter])
        shapes.append(box)
        for row in range(ROWS):
            fill = COLOURS[discs[row]] if row < len(discs) else picture.PAPER
            shapes.append(picture.Disc(column + 0.7, ROWS - row - 0.3, 0.4, fill))
        shapes.append(picture.Label(column + 0.7, ROWS + 0.5, letter, 0.36))
    sides = [picture.Side(fill, _colour(seat)) for seat, fill in enumerate(COLOURS)]
    return picture.Picture(COLUMNS + 0.4, ROWS + 0.9, shapes, sides)


def _colour(seat: int) -> picture.Words:
    return {language: colours[seat] for language, (_, _, *colours) in LANGUAGES.items()}


def _in_words(letter: str, discs: Sequence[int]) -> picture.Words:
    """A column for the ear, by language."""
    return {
        language: filled.format(letter, ", ".join(colours[seat] for seat in discs))
        if discs
        else empty.format(letter)
        for language, (empty, filled, *colours) in LANGUAGES.items()
    }
