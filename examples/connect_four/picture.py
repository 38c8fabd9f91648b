"""Connect four's board."""

from examples.connect_four.rules import COLUMNS, ROWS
from examples.connect_four.view import ConnectFourView
from kwartet import picture


def draw(view: ConnectFourView) -> picture.Picture:
    """Seat 0's discs are red, seat 1's yellow."""
    shapes: list[picture.Shape] = [picture.Box(0.2, 0.2, COLUMNS, ROWS, picture.BLUE, round=0.2)]
    for column, discs in enumerate(view["columns"]):
        for row in range(ROWS):
            fill = (picture.RED, picture.YELLOW)[discs[row]] if row < len(discs) else picture.PAPER
            shapes.append(picture.Disc(column + 0.7, ROWS - row - 0.3, 0.4, fill))
        shapes.append(picture.Label(column + 0.7, ROWS + 0.5, "abcdefg"[column], 0.36))
    return picture.Picture(COLUMNS + 0.4, ROWS + 0.9, shapes)
