"""Carat's moves as text: `*chips 1324…`, `*5RYGB`, `c3=5GBRY`.

§ Notation in docs/games/carat.md.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from kwartet.core import bits
from kwartet.core.errors import GameError, quoted
from kwartet.core.verbs import CHANCE
from kwartet.games.carat import COLOURS
from kwartet.games.carat.rules import LYING, POINTS, SIDE, TILES
from kwartet.games.carat.why import CaratObjection, because, in_words, refused

_LAYOUT: Final = re.compile(r"\*chips ([1-5]{1,49})")
_TILE: Final = re.compile(r"([1-6])([RYBG]{4})")
_PLACEMENT: Final = re.compile(r"([a-f])([1-6])=([1-6])([RYBG]{4})")
_LETTERS: Final = [
    ["".join(COLOURS[colour] for colour in lying) for lying in order] for order in LYING.tolist()
]
_ORDER_AND_TURN: Final = {
    letters: (order, turn)
    for order, turns in enumerate(_LETTERS)
    for turn, letters in enumerate(turns)
}


def cell_name(cell: int) -> str:
    """A cell as `c3`."""
    row, column = divmod(cell, SIDE)
    return f"{chr(ord('a') + column)}{row + 1}"


def tile_name(tile: int, turn: int = 0) -> str:
    """A tile as `5RYGB`: from red, or as it lies, from the north-west."""
    return f"{tile // 6 + 1}{_LETTERS[tile % 6][turn]}"


def is_open(state: np.record) -> bool:
    """The lay-out is one move of 49 actions."""
    return bool(0 < state.laid < POINTS)


def join(moves: Sequence[str]) -> str:
    """A lay-out written chip by chip as one move."""
    return "*chips " + "".join(move.removeprefix("*chips ") for move in moves)


def names(state: np.record, actor: int, actions: Sequence[int]) -> list[str]:
    """The moves that these actions are, each on its own."""
    if actor == CHANCE and state.laid < POINTS:
        return [f"*chips {action + 1}" for action in actions]
    if actor == CHANCE:
        return [f"*{tile_name(action)}" for action in actions]
    return [_placement(action) for action in actions]


def _placement(action: int) -> str:
    cell, tile, turn = action // (4 * TILES), action // 4 % TILES, action % 4
    return f"{cell_name(cell)}={tile_name(tile, turn)}"


def public(state: np.record, actor: int, move: str) -> tuple[str, int] | None:
    """Of a move with a secret: what the others are told, and the seat that knows the rest."""
    drawn = actor == CHANCE and state.laid == POINTS
    return ("*?", int(state.due)) if drawn else None


def read(state: np.record, actor: int, move: str) -> list[int]:
    """The actions of a move; GameError if it is not notation."""
    if state.laid < POINTS:
        if layout := _LAYOUT.fullmatch(move):
            free = POINTS - int(state.laid)
            if len(layout[1]) > free:
                raise refused(because("points", number=free))
            return [int(digit) - 1 for digit in layout[1]]
        raise _unreadable(move, "lay out the chips as *chips and 49 digits, row by row")
    if actor == CHANCE:
        if (drawn := _TILE.fullmatch(move[1:])) and (found := _ORDER_AND_TURN.get(drawn[2])):
            order, turn = found
            if turn == 0:
                return [6 * (int(drawn[1]) - 1) + order]
        raise _unreadable(move, "a drawn tile is written from red, as *5RYGB")
    if (placement := _PLACEMENT.fullmatch(move)) and placement[4] in _ORDER_AND_TURN:
        order, turn = _ORDER_AND_TURN[placement[4]]
        cell = (int(placement[2]) - 1) * SIDE + ord(placement[1]) - ord("a")
        tile = 6 * (int(placement[3]) - 1) + order
        return [(cell * TILES + tile) * 4 + turn]
    raise _unreadable(
        move, "write a placement as c3=5GBRY: cell, value, colours from the north-west"
    )


def _unreadable(move: str, advice: str) -> GameError:
    return GameError("bad-notation", f"{quoted(move)} is not a move of Carat; {advice}.")


def why(state: np.record, actor: int, action: int) -> CaratObjection:
    """Why this action is not legal here."""
    if state.laid < POINTS:
        return because("chip", number=action + 1)
    if actor == CHANCE:
        return because("drawn", tile=tile_name(action))
    cell, tile = action // (4 * TILES), action // 4 % TILES
    if tile not in state.hands[state.seat]:
        return because("hand", tile=tile_name(tile))
    if bits.has(state.placed, cell):
        return because("taken", cell=cell_name(cell))
    return because("apart" if state.tiles_laid else "edge", cell=cell_name(cell))


def objection(state: np.record, actor: int, action: int) -> str:
    """The same as a sentence."""
    return in_words(why(state, actor, action))
