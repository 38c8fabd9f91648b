"""Carat: lay tiles on 36 cells; a chip with all its cells filled is settled.

§ points into docs/games/carat.md. The sums of each colour at each chip are kept
up to date, so a placement looks at four chips and at nothing else. Sets of cells
and of tiles are bits. The lay-out is 49 actions of chance, one chip each.
"""

from itertools import permutations
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.chance import Generator, Lot, below
from kwartet.core.game import Options
from kwartet.core.kernels import kernel, record_dtype
from kwartet.core.scoring import mark_highest
from kwartet.core.verbs import CHANCE, OVER
from kwartet.games.carat import COLOURS

SIDE: Final = 6
CELLS: Final = SIDE * SIDE
POINTS: Final = (SIDE + 1) ** 2  # where the chips lie
TILES: Final = 36
MAX_SEATS: Final = 4
MAX_HAND: Final = 3
CHIPS_OF_VALUE: Final = np.array((10, 10, 10, 10, 9), np.int8)  # of 1, 2, 3, 4, 5

NOBODY: Final = -1  # a colour that no seat has, a chip that no colour wins, no seat due a tile
NO_TILE: Final = -1
HIDDEN: Final = -2  # in a redacted hand: some tile

# A tile is 6 · (value − 1) + order; the orders are the colours clockwise from red.
ORDERS: Final = np.array([(0, *rest) for rest in permutations((1, 2, 3))], np.int8)
# The colour at a corner (NW, NE, SE, SW) of a tile by its order and rotation: the
# rotation is how many places after red the colour at the north-west stands.
LYING: Final = np.array([[np.roll(order, -turn) for turn in range(4)] for order in ORDERS], np.int8)

CORNERS: Final = np.array(
    [
        [row * 7 + column, row * 7 + column + 1, row * 7 + column + 8, row * 7 + column + 7]
        for row in range(SIDE)
        for column in range(SIDE)
    ],
    np.int64,
)
AROUND: Final = np.bincount(CORNERS.ravel(), minlength=POINTS).astype(np.int8)  # cells of a point


def _cell_set(rows: range, columns: range) -> int:
    return sum(1 << (row * SIDE + column) for row in rows for column in columns)


INNER: Final = np.uint64(_cell_set(range(1, 5), range(1, 5)))
BESIDE: Final = np.array(  # the cells that share a side with a cell
    [
        sum(
            1 << (y * SIDE + x)
            for y, x in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            if y in range(SIDE) and x in range(SIDE)
        )
        for row in range(SIDE)
        for column in range(SIDE)
    ],
    np.uint64,
)

ACTIONS: Final = CELLS * TILES * 4  # (cell · 36 + tile) · 4 + rotation
CHANCE_ACTIONS: Final = TILES  # a tile; while chips are laid out, a chip's value − 1
SECRETS: Final = True
MAX_LEGAL: Final = CELLS * MAX_HAND * 4
MAX_ACTIONS: Final = POINTS + 2 * TILES

STATE: Final = record_dtype(
    ("stock", np.uint64),  # tiles not drawn; redacted: also those in hidden hands
    ("placed", np.uint64),  # cells
    ("open", np.uint64),  # cells where a tile may go next
    ("points", np.int16, (4,)),  # scored by each colour
    ("chips", np.int8, (POINTS,)),  # 1–5; 0: not laid out yet
    ("missing", np.int8, (POINTS,)),  # cells around that are empty; 0: settled
    ("sums", np.int32, (POINTS,)),  # carats at a chip, a byte for each colour
    ("tiles", np.int8, (CELLS,)),  # or NO_TILE
    ("turns", np.int8, (CELLS,)),  # rotation of the tile there
    ("hands", np.int8, (MAX_SEATS, MAX_HAND)),  # ascending, then NO_TILE
    ("owner", np.int8, (4,)),  # seat of a colour, or NOBODY
    ("chips_left", np.int8, (5,)),  # to be laid out, by value − 1
    ("laid", np.int8),  # chips laid out
    ("tiles_laid", np.int8),
    ("due", np.int8),  # the seat that draws now, or NOBODY
    ("seat", np.int8),  # to place next
    ("last", np.int8),  # cell of the tile placed last, or -1
    ("players", np.int8),
    ("hand", np.int8),  # tiles a seat holds
)


def start(options: Options) -> npt.NDArray[np.void]:
    """The empty board, before the chips are laid out."""
    states = np.zeros(1, STATE)
    state = states[0]
    state.stock = (1 << TILES) - 1
    state.open = INNER
    state.missing[:] = AROUND
    state.tiles[:] = NO_TILE
    state.hands[:] = NO_TILE
    state.owner[:] = NOBODY
    for seat, letters in enumerate(options["colours"]):
        for letter in letters:
            state.owner[COLOURS.index(letter)] = seat
    state.chips_left[:] = CHIPS_OF_VALUE
    state.due = NOBODY
    state.last = -1
    state.players = options["players"]
    state.hand = options["hand"]
    return states


@kernel
def seats(state: np.record) -> int:
    """How many play."""
    return int(state.players)


@kernel
def actor(state: np.record) -> int:
    """CHANCE while chips are laid out or a tile is due; then the seat, or OVER."""
    if state.laid < POINTS or state.due != NOBODY:
        return CHANCE
    return OVER if state.tiles_laid == TILES else int(state.seat)


@kernel
def hand_size(state: np.record, seat: int) -> int:
    """How many tiles the seat holds."""
    count = 0
    while count < state.hand and state.hands[seat, count] != NO_TILE:
        count += 1
    return count


@kernel
def legal_actions(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """Chips that are left, tiles that may be drawn, or placements."""
    count = 0
    if state.laid < POINTS:
        for value in range(5):
            if state.chips_left[value] > 0:
                out[count] = value
                count += 1
        return count
    if state.due != NOBODY:
        for tile in range(TILES):
            if bits.has(state.stock, tile):
                out[count] = tile
                count += 1
        return count
    held = hand_size(state, state.seat)
    for cell in range(CELLS):
        if bits.has(state.open, cell):
            for index in range(held):
                first = (cell * TILES + int(state.hands[state.seat, index])) * 4
                for turn in range(4):
                    out[count] = first + turn
                    count += 1
    return count


@kernel
def random_action(state: np.record, rng: Generator) -> int:
    """A uniform placement, a uniform tile, or a chip as likely as there are left."""
    if state.laid < POINTS:
        choice = below(rng, POINTS - state.laid)
        value, bound = 0, 0
        for smaller in range(4):
            bound += int(state.chips_left[smaller])
            value += choice >= bound
        return value
    if state.due != NOBODY:
        return bits.nth(state.stock, below(rng, bits.size(state.stock)))
    held = hand_size(state, state.seat)
    tile = int(state.hands[state.seat, below(rng, held) if held > 1 else 0])
    choice = below(rng, bits.size(state.open) * 4)
    cell = bits.nth(state.open, choice >> 2)
    return (cell * TILES + tile) * 4 + (choice & 3)


@kernel
def chance_weight(state: np.record, action: int) -> int:
    """Chips of a value that are left; every tile is as likely."""
    return state.chips_left[action] if state.laid < POINTS else 1


def draw(state: np.record, lot: Lot) -> int:
    """The chip for a point, of those left from 1 to 5, or the tile at a place of the pile. §Luck"""
    if state.laid < POINTS:
        chips = [value for value in range(5) for _ in range(state.chips_left[value])]
        return chips[lot(f"chip {state.laid}", len(chips))]
    stock = int(state.stock)
    tiles = [tile for tile in range(TILES) if stock >> tile & 1]
    return tiles[lot(f"tile {TILES - len(tiles)}", len(tiles))]


@kernel
def apply(state: np.record, action: int) -> None:
    """Advance `state` in place by a legal action."""
    if state.laid < POINTS:
        state.chips[state.laid] = action + 1
        state.chips_left[action] -= 1
        state.laid += 1
        if state.laid == POINTS:
            state.due = 0
    elif state.due != NOBODY:
        _draw(state, action)
    else:
        _place(state, action)


@kernel
def _draw(state: np.record, tile: int) -> None:
    state.stock ^= bits.bit(tile)
    due = int(state.due)
    held = hand_size(state, due)
    index = held
    while index > 0 and state.hands[due, index - 1] > tile:
        state.hands[due, index] = state.hands[due, index - 1]
        index -= 1
    state.hands[due, index] = tile
    if state.tiles_laid > 0:
        state.due = NOBODY
    elif held + 1 == state.hand:  # §Play 2: whole hands, seat by seat
        state.due = due + 1 if due + 1 < state.players else NOBODY


@kernel
def _place(state: np.record, action: int) -> None:
    cell, tile, turn = action // (TILES * 4), action // 4 % TILES, action % 4
    state.tiles[cell] = tile
    state.turns[cell] = turn
    state.tiles_laid += 1
    state.last = cell
    _take_from_hand(state, int(state.seat), tile)
    if state.placed == np.uint64(0):
        state.open = np.uint64(0)  # §Play 4: from now on a tile shares a side with another
    placed = state.placed | bits.bit(cell)
    state.placed = placed
    state.open = (state.open | BESIDE[cell]) & ~placed
    carats = tile // 6 + 1
    for corner in range(4):
        point = CORNERS[cell, corner]
        sums = state.sums[point] + (carats << 8 * int(LYING[tile % 6, turn, corner]))
        state.sums[point] = sums
        state.missing[point] -= 1
        if state.missing[point] == 0:
            colour = winning_colour(sums)
            if colour != NOBODY:
                state.points[colour] += state.chips[point] * colours_present(sums)
    if state.stock != np.uint64(0):
        state.due = state.seat
    state.seat = state.seat + 1 if state.seat + 1 < state.players else 0


@kernel
def _take_from_hand(state: np.record, seat: int, tile: int) -> None:
    index = 0
    while state.hands[seat, index] != tile:
        index += 1
    for after in range(index, MAX_HAND - 1):
        state.hands[seat, after] = state.hands[seat, after + 1]
    state.hands[seat, MAX_HAND - 1] = NO_TILE


@kernel
def carats_of(sums: int, colour: int) -> int:
    """The sum of one colour at a chip."""
    return (sums >> 8 * colour) & 255


@kernel
def winning_colour(sums: int) -> int:
    """The colour with the highest sum that no other colour shares, or NOBODY. §Settling"""
    red, yellow = carats_of(sums, 0), carats_of(sums, 1)
    blue, green = carats_of(sums, 2), carats_of(sums, 3)
    # 4 · sum + colour, or NOBODY if the sum is shared; without branches, which are slow here
    for_red = (4 * red + 1) * ((red != yellow) & (red != blue) & (red != green)) - 1
    for_yellow = (4 * yellow + 2) * ((yellow != red) & (yellow != blue) & (yellow != green)) - 1
    for_blue = (4 * blue + 3) * ((blue != red) & (blue != yellow) & (blue != green)) - 1
    for_green = (4 * green + 4) * ((green != red) & (green != yellow) & (green != blue)) - 1
    best = max(max(for_red, for_yellow), max(for_blue, for_green))
    return best if best == NOBODY else best & 3


@kernel
def colours_present(sums: int) -> int:
    """How many different colours are at a chip."""
    present = 0
    for colour in range(4):
        present += carats_of(sums, colour) > 0
    return present


@kernel
def scores(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """The points of each seat's colours together."""
    for seat in range(state.players):
        out[seat] = 0
    for colour in range(4):
        if state.owner[colour] != NOBODY:
            out[state.owner[colour]] += state.points[colour]


@kernel
def winners(state: np.record, out: npt.NDArray[np.int8]) -> None:
    """Most points win; equal points share the win."""
    points = np.zeros(MAX_SEATS, np.int32)
    scores(state, points)
    mark_highest(points, state.players, out)


@kernel
def redact(state: np.record, seat: int) -> None:
    """Hide the other hands; their tiles count as not drawn."""
    for other in range(state.players):
        if other != seat:
            for index in range(hand_size(state, other)):
                if state.hands[other, index] != HIDDEN:
                    state.stock |= bits.bit(state.hands[other, index])
                    state.hands[other, index] = HIDDEN


@kernel
def _sort(tiles: npt.NDArray[np.int8], count: int) -> None:
    """Put the first `count` tiles into ascending order."""
    for index in range(1, count):
        while index > 0 and tiles[index - 1] > tiles[index]:
            tile = tiles[index]
            tiles[index] = tiles[index - 1]
            tiles[index - 1] = tile
            index -= 1


@kernel
def determinize(state: np.record, seat: int, rng: Generator) -> None:
    """Draw the hidden hands from the tiles that were not seen."""
    for other in range(state.players):
        held = hand_size(state, other)
        for index in range(held):
            if state.hands[other, index] == HIDDEN:
                tile = bits.nth(state.stock, below(rng, bits.size(state.stock)))
                state.stock ^= bits.bit(tile)
                state.hands[other, index] = tile
        _sort(state.hands[other], held)
