"""Connect four's board."""

from examples.connect_four.rules import COLUMNS, ROWS
from examples.connect_four.view import ConnectFourView
from kwartet.core.picture import BLUE, PAPER, RED, YELLOW, Box, Disc, Label, Picture, Shape


def draw(view: ConnectFourView) -> Picture:
    """Seat 0's discs are red, seat 1's yellow."""
    shapes: list[Shape] = [Box(0.2, 0.2, COLUMNS, ROWS, BLUE, round=0.2)]
    for column, discs in enumerate(view["columns"]):
        for row in range(ROWS):
            fill = (RED, YELLOW)[discs[row]] if row < len(discs) else PAPER
            shapes.append(Disc(column + 0.7, ROWS - row - 0.3, 0.4, fill))
        shapes.append(Label(column + 0.7, ROWS + 0.5, "abcdefg"[column], 0.36))
    return Picture(COLUMNS + 0.4, ROWS + 0.9, shapes)
