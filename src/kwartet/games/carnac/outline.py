"""The outline of a set of squares: clockwise around them, the other way around holes."""

from collections.abc import Iterable, Iterator

Square = tuple[int, int]
Point = tuple[float, float]


def outlines(squares: Iterable[Square], inset: float) -> Iterator[list[Point]]:
    """Every loop, with its corners pulled inwards so that neighbours share no line."""
    inside = set(squares)
    ends: dict[Square, list[Square]] = {}
    for x, y in sorted(inside):
        edges = (
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
            ((x - 1, y), (x, y + 1), (x, y)),
        )
        for neighbour, start, end in edges:
            if neighbour not in inside:
                ends.setdefault(start, []).append(end)
    for start in list(ends):
        while ends[start]:
            loop = [start]
            while ends.get(loop[-1]):
                loop.append(ends[loop[-1]].pop())
            yield _shrunk(loop[:-1], inset)


def _shrunk(loop: list[Square], inset: float) -> list[Point]:
    found = []
    for place, (x, y) in enumerate(loop):
        (before_x, before_y), (after_x, after_y) = loop[place - 1], loop[(place + 1) % len(loop)]
        into = (_sign(x - before_x), _sign(y - before_y))
        out = (_sign(after_x - x), _sign(after_y - y))
        share = 2 if into == out else 1  # a straight run, not a corner
        found.append(
            (x - inset * (into[1] + out[1]) / share, y + inset * (into[0] + out[0]) / share)
        )
    return found


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
