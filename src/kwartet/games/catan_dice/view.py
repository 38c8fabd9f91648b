"""The Catan dice game as a person sees it: every sheet lies open."""

from typing import Final, TypedDict

import numpy as np

from kwartet.core.errors import GameError, quoted
from kwartet.games.catan_dice.notation import SITE_NAMES, dice_text
from kwartet.games.catan_dice.prospects import CatanDiceProspects, prospects
from kwartet.games.catan_dice.rules import (
    CHOOSING,
    CITY,
    CROSS,
    ENDED,
    KNIGHT,
    MAX_ROLLS,
    ROAD,
    ROLLING,
    SETTLEMENT,
    TURNS,
)
from kwartet.games.catan_dice.tables import ROADS
from kwartet.games.catan_dice.why import FACE_NAMES

# What to colour in `text`, as patterns and colours; a terminal may use it.
PALETTE: Final = {
    "ore": "cyan",
    "grain": "yellow",
    "wool": "bright_green",
    "timber": "green",
    "brick": "red",
    "gold": "bright_yellow",
}


class Sheet(TypedDict):
    """A seat's island."""

    roads: list[str]
    settlements: list[str]
    cities: list[str]
    knights: list[str]
    jokers: list[int]  # numbers of the built knights whose joker is left
    boxes: list[int]  # points of each turn played; -2 is a cross


class CatanDiceView(TypedDict):
    """What everybody sees."""

    turn: int  # of 15, from 1; 15 also at the end
    phase: str  # rolling, choosing, acting or ended
    dice: str  # that lie on the table
    rolls_left: int
    gained: int  # points built this turn
    sheets: list[Sheet]


def view(state: np.record, seat: int) -> CatanDiceView:
    """The dice and every seat's sheet."""
    return {
        "turn": min(int(state.turn) + 1, TURNS),
        "phase": ("rolling", "choosing", "acting", "ended")[state.phase],
        "dice": dice_text(int(state.dice)),
        "rolls_left": int(MAX_ROLLS - state.rolls) if state.phase in (ROLLING, CHOOSING) else 0,
        "gained": int(state.gained),
        "sheets": [_sheet(state, other) for other in range(state.players)],
    }


def preview(state: np.record, piece: str) -> CatanDiceProspects:
    """What the dice bring the seat to act if they stand as they lie; the piece is `dice`."""
    if piece != "dice":
        raise GameError("illegal-move", f"Ask for the dice, not for {quoted(piece)}.")
    return prospects(state)


def _sheet(state: np.record, seat: int) -> Sheet:
    def built(first: int, count: int) -> list[str]:
        return list(SITE_NAMES[first - ROAD : first - ROAD + int(count)])

    turns = state.turn + (seat < state.seat and state.phase != ENDED)
    roads, used = int(state.roads[seat]), int(state.used[seat])
    return {
        "roads": [f"R{road}" for road in range(ROADS) if roads >> road & 1],
        "settlements": built(SETTLEMENT, state.settlements[seat]),
        "cities": built(CITY, state.cities[seat]),
        "knights": built(KNIGHT, state.knights[seat]),
        "jokers": [k + 1 for k in range(state.knights[seat]) if not used >> k & 1],
        "boxes": state.boxes[seat, :turns].tolist(),
    }


def text(view: CatanDiceView) -> str:
    """The sheets as lists, then the dice."""
    lines = []
    for seat, sheet in enumerate(view["sheets"]):
        boxes = " ".join("x" if points == CROSS else str(points) for points in sheet["boxes"])
        built = " ".join(sheet["roads"] + sheet["settlements"] + sheet["cities"] + sheet["knights"])
        jokers = " ".join(map(str, sheet["jokers"]))
        lines.append(f"Seat {seat}: {sum(sheet['boxes'])} points, boxes {boxes or '–'}")
        lines.append(f"  built {built or 'nothing'}; jokers {jokers or 'none'}")
    names = ", ".join(FACE_NAMES[face] for face in view["dice"])
    lines.append(f"Turn {view['turn']} of {TURNS}, {view['phase']}. Dice: {names or 'none'}")
    if view["rolls_left"]:
        lines.append(f"Rolls left: {view['rolls_left']}.")
    return "\n".join(lines)
