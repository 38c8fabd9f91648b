"""Carnac: a plain second reading of the rules page, for comparison in tests.

Section names in the comments ("Play", "End and winner", ...) are those of the page. Nothing here
is meant to be fast or clever. A square is (column, row), both counted from 0 at the top left.
"""

from typing import Any

# What tests over all games want to know of this one.
OPTION_SETS: list[dict[str, Any]] = [
    {"board": board, "final_tilt": tilt}
    for board in ("small", "medium", "large")
    for tilt in (False, True)
]
STATE_BYTES = 512  # no state has more
MOST_POINTS_WIN = False

Square = tuple[int, int]

SIZES = {"small": (8, 5), "medium": (10, 7), "large": (14, 9)}  # columns, rows
STOCK = 28
COLOURS = "rw"  # seat 0 plays red, seat 1 white
OTHER_COLOUR = {"r": "w", "w": "r"}
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
SMALLEST_DOLMEN = 3


def square_name(square: Square) -> str:
    """Notation: a letter for the column, then the row counted from 1 at the top."""
    column, row = square
    return "abcdefghijklmn"[column] + str(row + 1)


def step(square: Square, direction: str) -> Square:
    """The next square in a direction, on the board or not."""
    across, down = STEPS[direction]
    return square[0] + across, square[1] + down


class Plain:
    """One match of Carnac, from the empty board to its end."""

    def __init__(self, *, board: str = "medium", final_tilt: bool = False) -> None:
        if board not in SIZES:
            raise ValueError(f"no such board: {board!r}")
        columns, rows = SIZES[board]
        self._final_tilt = final_tilt
        self._squares: dict[str, Square] = {}  # every square of the board by its name
        for row in range(rows):
            for column in range(columns):
                self._squares[square_name((column, row))] = (column, row)
        self._on_board = set(self._squares.values())
        self._seen: dict[Square, str] = {}  # the colour seen from above on each covered square
        self._stock = STOCK
        self._actor: int | None = 0
        self._deciding = False  # the actor chooses between tilting and leaving the last stone
        self._last: Square = (0, 0)  # where the last stone was placed
        self._last_sides = ""  # the colour of that stone's east and west faces
        self._legal = self._find_legal()

    def actor(self) -> int | None:
        """The seat to act, or None when the game is over; chance never acts."""
        return self._actor

    def legal(self) -> list[str]:
        """Every legal move of the actor."""
        return list(self._legal)

    def play(self, move: str) -> None:
        """Play one move; ValueError, and nothing changed, if it is not legal."""
        if move not in self._legal:
            raise ValueError(f"not a legal move: {move!r}")
        if move == "stand":
            self._leave_standing()
        elif move.startswith("tilt "):
            self._tilt(move[-1])
        else:
            self._place(self._squares[move[:-2]], move[-2], move[-1])
        self._legal = self._find_legal()

    def dolmens(self) -> list[list[int]]:
        """For each seat the sizes of its dolmens, largest first."""
        sizes: dict[str, list[int]] = {colour: [] for colour in COLOURS}
        counted: set[Square] = set()
        for square, colour in self._seen.items():
            if square not in counted:
                group = self._group(square)
                counted |= group
                if len(group) >= SMALLEST_DOLMEN:
                    sizes[colour].append(len(group))
        return [sorted(sizes[colour], reverse=True) for colour in COLOURS]

    def scores(self) -> list[int]:
        """The number of dolmens of each seat."""
        return [len(sizes) for sizes in self.dolmens()]

    def winners(self) -> list[int]:
        """End and winner: the number of dolmens, then their sizes from the largest down."""
        if self._actor is not None:
            return []
        red, white = self.dolmens()
        if len(red) != len(white):
            return [0] if len(red) > len(white) else [1]
        for red_size, white_size in zip(red, white, strict=True):
            if red_size != white_size:
                return [0] if red_size > white_size else [1]
        return [0, 1]

    def _find_legal(self) -> list[str]:
        if self._actor is None:
            return []
        if self._deciding:
            return ["stand"] + [f"tilt {direction}" for direction in self._tilts()]
        moves = []
        for name, square in self._squares.items():
            if self._is_empty(square):
                for top in COLOURS:
                    for sides in COLOURS:
                        moves.append(name + top + sides)
        return moves

    def _is_empty(self, square: Square) -> bool:
        return square in self._on_board and square not in self._seen

    def _tilts(self) -> list[str]:
        """Play: the directions in which the stone just placed can be tilted."""
        directions = []
        for direction in STEPS:
            near = step(self._last, direction)
            far = step(near, direction)
            if self._is_empty(near) and self._is_empty(far):
                directions.append(direction)
        return directions

    def _place(self, square: Square, top: str, sides: str) -> None:
        assert self._actor is not None
        self._seen[square] = top
        self._stock -= 1
        self._last = square
        self._last_sides = sides
        board_full = len(self._seen) == len(self._on_board)
        if board_full or (self._stock == 0 and not self._final_tilt):
            self._actor = None
        elif self._tilts():
            self._actor = 1 - self._actor
            self._deciding = True
        else:
            self._next_to_place(1 - self._actor)

    def _tilt(self, direction: str) -> None:
        assert self._actor is not None
        near = step(self._last, direction)
        far = step(near, direction)
        colour = self._last_sides if direction in "EW" else OTHER_COLOUR[self._last_sides]
        del self._seen[self._last]
        self._seen[near] = colour
        self._seen[far] = colour
        self._next_to_place(self._actor)

    def _leave_standing(self) -> None:
        assert self._actor is not None
        self._next_to_place(1 - self._actor)

    def _next_to_place(self, seat: int) -> None:
        """The last stone is settled: the seat places, unless that was the last of the stock."""
        self._deciding = False
        self._actor = seat if self._stock > 0 else None

    def _group(self, start: Square) -> set[Square]:
        """The squares of one colour joined by sides to the start, which is one of them."""
        colour = self._seen[start]
        group = {start}
        to_visit = [start]
        while to_visit:
            square = to_visit.pop()
            for direction in STEPS:
                neighbour = step(square, direction)
                if neighbour not in group and self._seen.get(neighbour) == colour:
                    group.add(neighbour)
                    to_visit.append(neighbour)
        return group
