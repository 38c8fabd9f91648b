"""A plain second reading of the rules of Carat, for comparison in tests.

Written from the rules page and the rule books, with no thought for speed. Names in brackets such
as [Play 4] are the sections and numbered items of that page. Nothing here is random: the caller
also plays the chance moves, which begin with "*".

Cells are (column, row) from 0 to 5 and points are (column, row) from 0 to 6, both counted from the
top left. A tile is a string, its value and then its colours clockwise [Notation].
"""

import random
from itertools import permutations
from typing import Any

# What tests over all games want to know of this one.
OPTION_SETS: list[dict[str, Any]] = [
    *({"players": p, "hand": h} for p in (2, 3, 4) for h in (1, 3)),
    {"players": 2, "colours": ["RB", "YG"]},
    {"players": 2, "hand": 3, "colours": ["GY", "BR"]},
    {"players": 3, "colours": ["G", "R", "B"]},
]
STATE_BYTES = 512  # no state has more
MOST_POINTS_WIN = True

Cell = tuple[int, int]
Point = tuple[int, int]
Diamond = tuple[str, int]

COLOURS = "RYBG"
CHANCE = -1
CELLS: list[Cell] = [(column, row) for row in range(6) for column in range(6)]
POINTS: list[Point] = [(column, row) for row in range(7) for column in range(7)]
INNER_CELLS = [(column, row) for column, row in CELLS if 1 <= column <= 4 and 1 <= row <= 4]
CHIPS = "1" * 10 + "2" * 10 + "3" * 10 + "4" * 10 + "5" * 9
TILES = [value + "R" + "".join(rest) for value in "123456" for rest in permutations("YBG")]

# From a cell to its corner points, in the order of a tile's colours on the board:
# north-west, north-east, south-east, south-west.
CORNERS = [(0, 0), (1, 0), (1, 1), (0, 1)]
SIDES = [(0, -1), (1, 0), (0, 1), (-1, 0)]


def opening(luck: random.Random) -> str:
    """A random lay-out: more of them are legal than can be listed."""
    return "*chips " + "".join(luck.sample(CHIPS, len(CHIPS)))


def cell_name(cell: Cell) -> str:
    column, row = cell
    return "abcdef"[column] + "123456"[row]


def rotations(tile: str) -> list[str]:
    """The four ways in which a tile can lie."""
    value, colours = tile[0], tile[1:]
    return [value + colours[turn:] + colours[:turn] for turn in range(4)]


def from_red(tile: str) -> str:
    """A tile as it is written in the hand."""
    return next(turned for turned in rotations(tile) if turned[1] == "R")


def winning_colour(diamonds: list[Diamond]) -> str | None:
    """The colour with the highest sum that no other colour shares [Settling a chip]."""
    sums = dict.fromkeys(COLOURS, 0)
    for colour, carats in diamonds:
        sums[colour] += carats
    all_sums = list(sums.values())
    unshared = [colour for colour in COLOURS if all_sums.count(sums[colour]) == 1]
    if not unshared:
        return None
    return max(unshared, key=lambda colour: sums[colour])


def points_won(diamonds: list[Diamond], chip: int) -> int:
    """What the winner of a chip scores: its number for each different colour present."""
    return chip * len({colour for colour, _ in diamonds})


def check_options(players: int, hand: int, colours: list[str]) -> None:
    """Raise ValueError unless the options are among those of the page [Players]."""
    if type(players) is not int or players not in (2, 3, 4):
        raise ValueError(f"players must be 2, 3 or 4, not {players!r}")
    if type(hand) is not int or hand not in (1, 3):
        raise ValueError(f"hand must be 1 or 3, not {hand!r}")
    if not isinstance(colours, list) or not all(isinstance(own, str) for own in colours):
        raise ValueError(f"colours must be a list of strings, not {colours!r}")
    if len(colours) != players:
        raise ValueError(f"colours must have one string for each of {players} seats: {colours!r}")
    lengths = {len(own) for own in colours}
    if lengths != {1} and not (players == 2 and lengths == {2}):
        raise ValueError(f"wrong number of colours for a seat: {colours!r}")
    letters = "".join(colours)
    if any(letter not in COLOURS for letter in letters) or len(set(letters)) != len(letters):
        raise ValueError(f"colours must be different letters of {COLOURS}: {colours!r}")


class Plain:
    """One match of Carat."""

    def __init__(
        self, *, players: int = 4, hand: int = 1, colours: list[str] | None = None
    ) -> None:
        if colours is None:
            colours = list(COLOURS)[:players] if type(players) is int else []
        check_options(players, hand, colours)
        self.players = players
        self.colours = list(colours)
        self.laid_out = False
        self.chips: dict[Point, int] = {}  # the chips that lie face up
        self.board: dict[Cell, str] = {}  # each tile as it lies, from the north-west
        self.stock = set(TILES)
        self.hands: list[set[str]] = [set() for _ in range(players)]
        # The seats that are due a tile; at the start each draws its whole hand in turn.
        self.due = [seat for seat in range(players) for _ in range(hand)]
        self.turn = 0
        self.colour_scores = dict.fromkeys(COLOURS, 0)
        self.legal_now: list[str] = []

    def actor(self) -> int | None:
        """The seat to act, -1 for chance, None when the match is over."""
        if len(self.board) == len(CELLS):
            return None
        if not self.laid_out or self.due:
            return CHANCE
        return self.turn

    def legal(self) -> list[str]:
        """Every legal move; but none is listed for the lay-out of the chips."""
        return list(self.legal_now)

    def play(self, move: str) -> None:
        if not self.laid_out:
            self.lay_out(move)
        elif move not in self.legal_now:
            raise ValueError(f"not a legal move: {move!r}")
        elif self.due:
            self.draw(move.removeprefix("*"))
        else:
            self.place(move)
        self.legal_now = self.find_legal()

    def scores(self) -> list[int]:
        """The points of each seat; those of colours that nobody owns are lost."""
        return [sum(self.colour_scores[colour] for colour in own) for own in self.colours]

    def winners(self) -> list[int]:
        if self.actor() is not None:
            return []
        scores = self.scores()
        return [seat for seat in range(self.players) if scores[seat] == max(scores)]

    def find_legal(self) -> list[str]:
        actor = self.actor()
        if actor is None:
            return []
        if actor == CHANCE:
            return ["*" + tile for tile in sorted(self.stock)]
        return [
            cell_name(cell) + "=" + turned
            for cell in self.open_cells()
            for tile in sorted(self.hands[actor])
            for turned in rotations(tile)
        ]

    def open_cells(self) -> list[Cell]:
        """The cells on which the next tile may be placed [Play 4]."""
        if not self.board:
            return INNER_CELLS
        return [cell for cell in CELLS if cell not in self.board and self.has_neighbour(cell)]

    def has_neighbour(self, cell: Cell) -> bool:
        column, row = cell
        return any((column + right, row + down) in self.board for right, down in SIDES)

    def lay_out(self, move: str) -> None:
        """Lay the chips on the points [Play 1]."""
        digits = move.removeprefix("*chips ")
        if move != "*chips " + digits or sorted(digits) != sorted(CHIPS):
            raise ValueError(f"not a lay-out of the 49 chips: {move!r}")
        self.chips = {point: int(digit) for point, digit in zip(POINTS, digits, strict=True)}
        self.laid_out = True

    def draw(self, tile: str) -> None:
        """The first seat that is due a tile draws this one [Play 2 and 3]."""
        seat = self.due.pop(0)
        self.stock.remove(tile)
        self.hands[seat].add(tile)

    def place(self, move: str) -> None:
        """Place a tile, settle the chips it completes, and owe the seat a tile [Play 3]."""
        name, tile = move.split("=")
        cell = next(cell for cell in CELLS if cell_name(cell) == name)
        self.hands[self.turn].remove(from_red(tile))
        self.board[cell] = tile
        for right, down in CORNERS:
            self.settle((cell[0] + right, cell[1] + down))
        if self.stock:
            self.due.append(self.turn)
        self.turn = (self.turn + 1) % self.players

    def settle(self, point: Point) -> None:
        """If every cell around the chip is filled, score it and turn it over."""
        diamonds: list[Diamond] = []
        for corner, (right, down) in enumerate(CORNERS):
            cell = (point[0] - right, point[1] - down)
            if cell in self.board:
                tile = self.board[cell]
                diamonds.append((tile[1 + corner], int(tile[0])))
            elif cell in CELLS:
                return
        chip = self.chips.pop(point)
        winner = winning_colour(diamonds)
        if winner is not None:
            self.colour_scores[winner] += points_won(diamonds, chip)
