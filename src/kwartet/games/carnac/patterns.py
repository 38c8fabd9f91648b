"""What a stone of Carnac looks like where it is placed, left standing or tilted.

Everything is seen by the seat to act. A square joins the groups of its colour beside it; what
that makes of the dolmens is a *change*, ordered from bad to good for that seat. A placement has
the ring of eight cells around it, a cross that reaches two cells far, the sizes of the groups
beside it, the change if it stands with the worst change of either colour if it falls, how those
go with the stones left, the lead and the room, how far the edges are, and how free it stands.

Mirrors change nothing. A quarter turn swaps the colours of a stone's faces, so that a stone that
can fall is looked at as if its own colour faced east and west; one that cannot looks the same
from all sides. `ties` says which features are one for that.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.kernels import kernel
from kwartet.games.carnac.rules import (
    CELLS,
    COLOUR,
    COLOUR_OF,
    DOLMEN,
    EMPTY,
    MAX_GROUPS,
    PLACING,
    RED,
    SIDE_WHITE,
    SIZE,
    STAND,
    STEPS,
    STONES,
    STRIDE,
    TILT,
    WALL,
    cell_of,
    find_groups,
    root,
)

# Changes, from bad to good for the seat to act: what becomes of its dolmens, or of the other's.
OWN_MERGED_TWICE, OWN_MERGED, OTHER_MADE, OTHER_GREW, OTHER_PAIR, OTHER_LONE = range(6)
OWN_LONE, OWN_PAIR, OWN_GREW, OWN_MADE, OTHER_MERGED, OTHER_MERGED_TWICE = range(6, 12)
CHANGES: Final = 12
NO_FALL: Final = CHANGES  # in place of the worst change: it cannot fall so

OWN, OTHER = range(2)  # colours
# What lies on a cell: nothing, a square of the own or the other colour in a group of 1, 2 or
# more, or the wall; and, where sizes do not count, these four.
NOTHING, WALLED = 0, 7
KINDS: Final = 8
SORTS: Final = 4

# What `survey` and `describe` note: each cell's group, the groups, each cell's kind, where the
# features of the stones left, the lead and the room begin, and what is known of one cell.
_GROUPS: Final = CELLS
_KINDS: Final = _GROUPS + 3 * MAX_GROUPS + 1  # after the wall northwest of the first cell
_STAGE: Final = _KINDS + CELLS  # phase of the match, and board · 3 + phase
_CONTEXTS: Final = _STAGE + 2
_CELL: Final = _CONTEXTS + 3  # that is known; 0: none
_RINGED, _CROSSED, _BESIDES, _STANDS, _FALLS, _WAYS, _FREE, _EDGES = (
    _CELL + 1 + place for place in (0, 1, 2, 3, 5, 9, 10, 11)
)
NOTES: Final = _EDGES + 2

AROUND: Final = np.array(
    (-STRIDE, 1 - STRIDE, 1, 1 + STRIDE, STRIDE, STRIDE - 1, -1, -STRIDE - 1), np.int64
)  # N, NE, E, …

# Features. A place is: can fall or not, then the colour on top.
PLACES: Final = 4
PHASES, BOARDS, LEADS, ROOM = 3, 3, 13, 48
_RINGS: Final = SORTS**8
_BESIDE: Final = KINDS**4
_LANDING: Final = SORTS**5
_BEHIND: Final = KINDS**3
# Slots of a context: the change if it stands, the worst fall, the change if left, if tilted.
_WORST, _LEFT, _TILTED = CHANGES, 2 * CHANGES + 1, 3 * CHANGES + 1
_SLOTS: Final = 4 * CHANGES + 1
_DISTANCES: Final = 7

RING: Final = 0
CROSS: Final = RING + PLACES * _RINGS
STOOD: Final = CROSS + PLACES * _RINGS
BESIDE: Final = STOOD + 2 * _RINGS
LANDING: Final = BESIDE + PHASES * PLACES * _BESIDE
BEHIND: Final = LANDING + PHASES * 2 * _LANDING
FATES: Final = BEHIND + 2 * _BEHIND
STOCK: Final = FATES + PHASES * CHANGES * (CHANGES + 1) ** 2
LEAD: Final = STOCK + BOARDS * (STONES + 1) * _SLOTS
SPACE: Final = LEAD + BOARDS * PHASES * LEADS * _SLOTS
EDGE: Final = SPACE + ROOM * _SLOTS
FREE: Final = EDGE + BOARDS * PHASES * PLACES * _DISTANCES**2
FEATURES: Final = FREE + BOARDS * PHASES * 2 * 25
MAX_FEATURES: Final = 12


@kernel
def survey(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """Note groups and kinds, without the stone that may be tilted now, and the stage of the match.

    The kinds of walls are noted as far as patterns reach.
    """
    groups = out[_GROUPS : _KINDS - 1].reshape((MAX_GROUPS, 3))
    last = int(state.last)
    content = state.cells[last]
    if state.phase != PLACING:
        state.cells[last] = EMPTY
    count = find_groups(state, out, groups)
    own = RED + int(state.seat)
    out[_KINDS - 1] = WALLED
    for cell in range((int(state.rows) + 2) * STRIDE):
        on_it = int(state.cells[cell])
        kind = WALLED if on_it == WALL else NOTHING
        if on_it > EMPTY:
            number = root(groups, int(out[cell]))
            out[cell] = number
            kind = min(int(groups[number, SIZE]), DOLMEN)
            kind += 0 if on_it & COLOUR == own else DOLMEN
        out[_KINDS + cell] = kind
    state.cells[last] = content
    lead = 0
    for number in range(1, count + 1):
        if groups[number, SIZE] >= DOLMEN:
            lead += 1 if groups[number, COLOUR_OF] == own else -1
    stones = int(state.stock)
    phase = 0 if stones > 18 else 1 if stones > 9 else 2
    board = min(max((int(state.rows) - 5) // 2, 0), BOARDS - 1)
    stage = board * PHASES + phase
    lead = min(max(lead + LEADS // 2, 0), LEADS - 1)
    out[_STAGE] = phase
    out[_STAGE + 1] = stage
    out[_CONTEXTS] = STOCK + (board * (STONES + 1) + stones) * _SLOTS
    out[_CONTEXTS + 1] = LEAD + (stage * LEADS + lead) * _SLOTS
    out[_CONTEXTS + 2] = SPACE + min(int(state.empties), ROOM - 1) * _SLOTS
    out[_CELL] = 0


@kernel
def describe(
    state: np.record, action: int, notes: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    """The features of a placement, of leaving a stone or of tilting it."""
    if action == STAND:
        return _describe_left(state, notes, out)
    if action >= TILT:
        return _describe_tilt(state, action - TILT, notes, out)
    cell = cell_of(action >> 2)
    if notes[_CELL] != cell:
        _look_around(state, cell, notes)
    top = OWN if (action >> 1) & 1 == state.seat else OTHER
    along = OWN if action & 1 == state.seat else OTHER  # the colour that faces east and west
    firm = notes[_WAYS] == 0
    place = 2 * firm + top
    ring, cross, beside = int(notes[_RINGED]), int(notes[_CROSSED]), int(notes[_BESIDES])
    over, across = int(notes[_EDGES]), int(notes[_EDGES + 1])  # along rows and columns
    if not firm and along == OTHER:
        ring = (ring >> 4) | ((ring & 15) << 12)
        cross = (cross >> 4) | ((cross & 15) << 12)
        beside = (beside >> 3) | ((beside & 7) << 9)
        over, across = across, over
    stands = int(notes[_STANDS + top])
    # East and west a stone shows the colour that faces there, north and south the other.
    own_falls = int(notes[_FALLS + 2 * (along == OWN) + OWN])
    other_falls = int(notes[_FALLS + 2 * (along == OTHER) + OTHER])
    phase, stage = int(notes[_STAGE]), int(notes[_STAGE + 1])
    out[0] = RING + place * _RINGS + ring
    out[1] = CROSS + place * _RINGS + cross
    out[2] = BESIDE + (phase * PLACES + place) * _BESIDE + beside
    fates = (stands * (CHANGES + 1) + own_falls) * (CHANGES + 1) + other_falls
    out[3] = FATES + phase * CHANGES * (CHANGES + 1) ** 2 + fates
    out[4] = EDGE + ((stage * PLACES + place) * _DISTANCES + over) * _DISTANCES + across
    out[5] = FREE + (stage * 2 + top) * 25 + int(notes[_WAYS]) * 5 + int(notes[_FREE])
    _add_contexts(notes, stands, out, 6)
    _add_contexts(notes, _WORST + min(own_falls, other_falls), out, 9)
    return 12


@kernel
def _add_contexts(
    notes: npt.NDArray[np.int32], slot: int, out: npt.NDArray[np.int32], at: int
) -> None:
    """Write the features of a slot with the stones left, the lead and the room."""
    for context in range(3):
        out[at + context] = notes[_CONTEXTS + context] + slot


@kernel
def _describe_left(
    state: np.record, notes: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    cell = int(state.last)
    top = OWN if (state.cells[cell] & COLOUR) - RED == state.seat else OTHER
    _look_around(state, cell, notes)
    out[0] = STOOD + top * _RINGS + int(notes[_RINGED])
    _add_contexts(notes, _LEFT + int(notes[_STANDS + top]), out, 1)
    return 4


@kernel
def _describe_tilt(
    state: np.record, direction: int, notes: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    cell, step = int(state.last), int(STEPS[direction])
    aside = int(STEPS[(direction + 1) & 3])
    side_white = (state.cells[cell] & SIDE_WHITE) != 0
    shows_white = side_white if direction & 1 else not side_white
    colour = OWN if shows_white == state.seat else OTHER
    near, far = cell + step, cell + 2 * step
    landing = 0
    for place, there in enumerate((near - aside, near + aside, far - aside, far + aside)):
        landing |= _sort(notes, there) << (2 * place)
    landing |= _sort(notes, far + step) << 8
    behind = 0
    for place, there in enumerate((cell - aside, cell - step, cell + aside)):
        behind |= int(notes[_KINDS + there]) << (3 * place)
    out[0] = LANDING + (int(notes[_STAGE]) * 2 + colour) * _LANDING + landing
    out[1] = BEHIND + colour * _BEHIND + behind
    _add_contexts(notes, _TILTED + change(notes, colour, near, far), out, 2)
    return 5


@kernel
def _look_around(state: np.record, cell: int, notes: npt.NDArray[np.int32]) -> None:
    """Note what is known of an empty cell, or of the one with the stone that may be tilted."""
    ring = 0
    for place in range(8):
        ring |= _sort(notes, cell + int(AROUND[place])) << (2 * place)
    cross, beside, ways, free = 0, 0, 0, 0
    for fall in range(4):  # along columns and rows, in either colour
        notes[_FALLS + fall] = NO_FALL
    can_fall = state.stock > 1 or state.final_tilt
    for direction in range(4):
        step = int(STEPS[direction])
        kind = int(notes[_KINDS + cell + step])
        near = _sort(notes, cell + step)
        far = near if kind == WALLED else _sort(notes, cell + 2 * step)
        cross |= (near | far << 2) << (4 * direction)
        beside |= kind << (3 * direction)
        free += near == NOTHING
        if can_fall and near == NOTHING and far == NOTHING:
            ways += 1
            for colour in range(2):
                place = _FALLS + 2 * (direction & 1) + colour
                found = change(notes, colour, cell + step, cell + 2 * step)
                notes[place] = min(int(notes[place]), found)
    row, column = cell // STRIDE - 1, cell % STRIDE
    notes[_CELL] = cell
    notes[_RINGED] = ring
    notes[_CROSSED] = cross
    notes[_BESIDES] = beside
    for colour in range(2):
        notes[_STANDS + colour] = change(notes, colour, cell, 0)
    notes[_WAYS] = ways
    notes[_FREE] = free
    notes[_EDGES] = min(column, int(state.columns) - 1 - column, _DISTANCES - 1)
    notes[_EDGES + 1] = min(row, int(state.rows) - 1 - row, _DISTANCES - 1)


@kernel
def _sort(notes: npt.NDArray[np.int32], cell: int) -> int:
    """The kind of a cell where sizes do not count: nothing, own, other, wall."""
    return (int(notes[_KINDS + cell]) + 2) // 3


@kernel
def change(notes: npt.NDArray[np.int32], colour: int, cell: int, second: int) -> int:
    """What squares of a colour on one cell, or on two beside each other, do to the dolmens."""
    joined = np.uint64(0)  # groups, as bits
    squares = 1 + (second > 0)
    size, dolmens = squares, 0
    for square in range(squares):
        here = second if square else cell
        for direction in range(4):
            there = here + int(STEPS[direction])
            kind = int(notes[_KINDS + there]) - DOLMEN * colour
            if kind < 1 or kind > DOLMEN:
                continue
            number = int(notes[there])
            if not bits.has(joined, number):
                joined |= bits.bit(number)
                size += kind
                dolmens += kind == DOLMEN
    own = colour == OWN
    if dolmens >= 3:
        return OWN_MERGED_TWICE if own else OTHER_MERGED_TWICE
    if dolmens == 2:
        return OWN_MERGED if own else OTHER_MERGED
    if dolmens == 1:
        return OWN_GREW if own else OTHER_GREW
    if size >= DOLMEN:
        return OWN_MADE if own else OTHER_MADE
    if size == 2:
        return OWN_PAIR if own else OTHER_PAIR
    return OWN_LONE if own else OTHER_LONE


# What is one feature -------------------------------------------------------------------------

_MIRRORS: Final = ((0, 1, 2, 3), (0, 3, 2, 1), (2, 1, 0, 3), (2, 3, 0, 1))  # of N, E, S, W
_TURNED: Final = tuple((way[1], way[2], way[3], way[0]) for way in _MIRRORS)
_LEFT_RIGHT: Final = ((0, 1, 2, 3, 4), (1, 0, 3, 2, 4))  # where a stone lands
_BACK_LEFT_RIGHT: Final = ((0, 1, 2), (2, 1, 0))

Numbers = npt.NDArray[np.int32]


@cache
def ties() -> Numbers:
    """The number of the weight that each feature has; 0 for what cannot be."""
    falling, firm = _MIRRORS, _MIRRORS + _TURNED
    rings = [_alike([_ringed(way) for way in ways], 2, _is_ring) for ways in (falling, firm)]
    crosses = [_alike([_crossed(way) for way in ways], 2, _is_cross) for ways in (falling, firm)]
    besides = [_alike(ways, 3, _is_beside) for ways in (falling, firm)]
    edges = np.arange(1, _DISTANCES**2 + 1, dtype=np.int32)
    square = edges.reshape(_DISTANCES, _DISTANCES)
    turned_edges = np.minimum(square, square.T).ravel()
    tables = [
        *(rings[place // 2] for place in range(PLACES)),
        *(crosses[place // 2] for place in range(PLACES)),
        *(rings[1] for _ in range(2)),
        *(besides[place // 2] for _ in range(PHASES) for place in range(PLACES)),
        *(_alike(_LEFT_RIGHT, 2) for _ in range(PHASES * 2)),
        *(_alike(_BACK_LEFT_RIGHT, 3) for _ in range(2)),
        np.arange(1, EDGE - FATES + 1, dtype=np.int32),
        *((edges, edges, turned_edges, turned_edges) * (BOARDS * PHASES)),
        np.arange(1, FEATURES - FREE + 1, dtype=np.int32),
    ]
    last = 0
    found = []
    for table in tables:
        found.append(np.where(table > 0, table + np.int32(last), np.int32(0)))
        last += int(table.max())
    return np.concatenate(found)


def _ringed(way: Sequence[int]) -> list[int]:
    """Where the eight cells around one come from, when its four sides come from these."""
    corners = {frozenset((side, (side + 1) % 4)): 2 * side + 1 for side in range(4)}
    return [
        place
        for side in range(4)
        for place in (2 * way[side], corners[frozenset((way[side], way[(side + 1) % 4]))])
    ]


def _crossed(way: Sequence[int]) -> list[int]:
    """Where the cells of a cross come from, the near one and the far one of each side."""
    return [2 * side + reach for side in way for reach in (0, 1)]


def _alike(
    ways: Sequence[Sequence[int]],
    width: int,
    is_real: Callable[[Numbers], npt.NDArray[np.bool_]] | None = None,
) -> Numbers:
    """Numbers from 1, the same for codes whose fields come from each other; 0: cannot be.

    A field is so many bits wide.
    """
    shifts = width * np.arange(len(ways[0]), dtype=np.int32)
    codes = np.arange(1 << (width * len(shifts)), dtype=np.int32)
    fields = [(codes >> shift) & ((1 << width) - 1) for shift in shifts]
    first = codes
    for way in ways[1:]:
        other = np.zeros_like(codes)
        for shift, place in zip(shifts, way, strict=True):
            other |= fields[place] << shift
        first = np.minimum(first, other)
    real = is_real(np.array(fields)) if is_real else np.ones(len(codes), np.bool_)
    numbers = np.cumsum((first == codes) & real, dtype=np.int32)[first]
    return np.where(real, numbers, np.int32(0))


def _is_ring(fields: Numbers) -> npt.NDArray[np.bool_]:
    """Whether walls stand only where a board has them: an edge has three, a corner five."""
    walls = fields == SORTS - 1
    sides = walls[::2]
    corners = sides | np.roll(sides, -1, axis=0)
    return (walls[1::2] == corners).all(axis=0) & _has_room(sides)


def _is_cross(fields: Numbers) -> npt.NDArray[np.bool_]:
    """Whether there is nothing but wall beyond a wall, and no wall opposite of one."""
    walls = fields == SORTS - 1
    near, far = walls[::2], walls[1::2]
    return (far | ~near).all(axis=0) & _has_room(near)


def _is_beside(fields: Numbers) -> npt.NDArray[np.bool_]:
    """Whether no wall is opposite of one."""
    return _has_room(fields == WALLED)


def _has_room(walls: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether of the sides N, E, S and W no two that face each other are walls."""
    return ~(walls[0] & walls[2] | walls[1] & walls[3])
