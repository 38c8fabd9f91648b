"""The graph of a review as SVG: what each seat could expect, ply by ply."""

import itertools
from html import escape
from typing import Final

from kwartet.reviews.review import Review, Worth

WIDTH, HEIGHT = 760, 300
LEFT, RIGHT, TOP, BOTTOM = 46, 96, 34, 58  # what the lines keep clear
INK, FAINT = "#22303c", "#d5dbe0"
LINES: Final = (  # by seat: colour and dashes, so that colour alone tells nothing
    ("#2f6f9f", ""),
    ("#c05a3c", "7 4"),
    ("#4d7f3a", "2 3"),
    ("#7b5ea7", "10 3 2 3"),
)
LUCK: Final = 5.0  # the radius of the largest circle
FAULTS: Final = {"slip": 1, "mistake": 1, "blunder": 2}  # triangles; a slip's is hollow
APART: Final = 14.0  # between two names at the lines' ends


def values(review: Review) -> list[list[float | None]]:
    """By seat and ply, in points or per cent."""
    rows, seats = review.worth, review.players
    return [
        [None if row is None else shown(row[seat], review.scale, seats) for row in rows]
        for seat in range(seats)
    ]


def shown(worth: Worth, scale: str, seats: int) -> float:
    """A worth as it is shown: points, or the chance to win in per cent."""
    if scale == "points":
        return worth.points
    return 100.0 * (worth.win * (seats - 1) + 1.0) / seats


def draw(review: Review) -> str:
    """The picture, as text; the same review gives the same bytes."""
    lines = values(review)
    place = _Place(review, lines)
    title = escape(f"{review.title}: {'points' if review.scale == 'points' else 'chance to win'}")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}" role="img" aria-label="{title}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="20" font-weight="bold">{title}</text>',
        *_grid(review, place),
    ]
    heights = _apart([place.y(line[-1] or 0.0) for line in lines])
    for seat, (line, height) in enumerate(zip(lines, heights, strict=True)):
        parts += _line(line, seat, place, height)
    parts += _faults(review, lines, place)
    parts += _luck(review, place)
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Place:
    """Where a ply and a value are in the picture."""

    def __init__(self, review: Review, lines: list[list[float | None]]) -> None:
        known = [value for line in lines for value in line if value is not None]
        is_share = review.scale == "win"
        self.low = 0.0 if is_share else min(known) - 1.0
        self.high = 100.0 if is_share else max(known) + 1.0
        self._across = (WIDTH - LEFT - RIGHT) / max(1, len(review.worth) - 1)
        self._down = (HEIGHT - TOP - BOTTOM) / (self.high - self.low)

    def x(self, ply: int) -> float:
        return LEFT + ply * self._across

    def y(self, value: float) -> float:
        return TOP + (self.high - value) * self._down


def _grid(review: Review, place: _Place) -> list[str]:
    unit = "" if review.scale == "points" else " %"
    parts = []
    for step in range(5):
        value = place.low + (place.high - place.low) * step / 4
        y = place.y(value)
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{FAINT}"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.0f}{unit}</text>'
        )
    return parts


def _apart(heights: list[float]) -> list[float]:
    """The same heights, moved down where two would be too close."""
    moved = list(heights)
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    for above, below in itertools.pairwise(order):
        moved[below] = max(moved[below], moved[above] + APART)
    return moved


def _line(line: list[float | None], seat: int, place: _Place, height: float) -> list[str]:
    """A seat's line, broken where nothing is known, with its name and value at the end."""
    colour, dashes = LINES[seat % len(LINES)]
    steps = []
    pen_down = False
    for ply, value in enumerate(line):
        if value is not None:
            steps.append(f"{'L' if pen_down else 'M'}{place.x(ply):.1f} {place.y(value):.1f}")
        pen_down = value is not None
    last = line[-1] or 0.0
    return [
        f'<path d="{"".join(steps)}" fill="none" stroke="{colour}" stroke-width="2" '
        f'stroke-dasharray="{dashes}"/>',
        f'<text x="{WIDTH - RIGHT + 6}" y="{height + 4:.1f}" fill="{colour}">'
        f"seat {seat}: {last:.0f}</text>",
    ]


def _faults(review: Review, lines: list[list[float | None]], place: _Place) -> list[str]:
    """A triangle under the line where a decision lost something."""
    parts = []
    for each in review.decisions:
        value = lines[each.seat][each.ply]
        if each.verdict in FAULTS and value is not None:
            colour = LINES[each.seat % len(LINES)][0]
            fill = "#fff" if each.verdict == "slip" else colour
            for number in range(FAULTS[each.verdict]):
                x, y = place.x(each.ply), place.y(value) + 6 + 7 * number
                parts.append(
                    f'<path d="M{x - 5:.1f} {y:.1f}h10l-5 7z" fill="{fill}" stroke="{colour}"/>'
                )
    return parts


def _luck(review: Review, place: _Place) -> list[str]:
    """A strip of circles for the first seat asked about: full above is good, hollow below bad."""
    if not review.chances:
        return []
    seat = review.seats[0].seat
    lucks = [(each.ply, getattr(each.luck[seat], review.scale)) for each in review.chances]
    most = max(abs(luck) for _, luck in lucks) or 1.0
    middle = HEIGHT - BOTTOM / 2 + 8
    parts = [
        f'<path d="M{LEFT} {middle:.1f}H{WIDTH - RIGHT}" stroke="{FAINT}"/>'
        f'<text x="{WIDTH - RIGHT + 6}" y="{middle + 4:.1f}">luck, seat {seat}</text>'
    ]
    for ply, luck in lucks:
        radius = LUCK * (abs(luck) / most) ** 0.5
        fill = LINES[seat % len(LINES)][0] if luck > 0 else "#fff"
        y = middle - LUCK - 2 if luck > 0 else middle + LUCK + 2
        parts.append(
            f'<circle cx="{place.x(ply):.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" '
            f'stroke="{LINES[seat % len(LINES)][0]}"/>'
        )
    return parts
