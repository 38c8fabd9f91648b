"""The Catan dice game as numbers. Seats count from the watcher."""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.features import Field
from kwartet.core.kernels import kernel
from kwartet.games.catan_dice.rules import ACTING, CHOOSING, MAX_ROLLS, MAX_SEATS, ROLLING, TURNS
from kwartet.games.catan_dice.tables import DICE, KNIGHTS, ROADS

SHEET: Final = ROADS + 6 + 4 + 2 * KNIGHTS + 1
FIELDS: Final = (
    Field("dice", (DICE,), "Dice on the table by face, of 6."),
    Field("phase", (3,), "1 for rolling, choosing what to keep, acting."),
    Field("rolls_left", (1,), "Rolls that may still be made this turn, of 3."),
    Field("gained", (1,), "Points built this turn, of 30."),
    Field("turns_left", (1,), "Of 15, the present one included."),
    Field("turn", (MAX_SEATS,), "1 at the seat whose turn it is."),
    Field("playing", (MAX_SEATS,), "1 for each seat that plays."),
    Field(
        "sheets",
        (MAX_SEATS, SHEET),
        "By seat: roads 0–15, settlements in order, cities in order, knights, jokers left "
        "(1 or 0 each), total of 100.",
    ),
)


@kernel
def observe(state: np.record, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write FIELDS one after the other; a spectator counts from seat 0."""
    out[:] = 0
    players, first = int(state.players), max(seat, 0)
    for face in range(DICE):
        out[face] = ((state.dice >> 4 * face) & 15) / DICE
    at = DICE
    out[at] = state.phase == ROLLING
    out[at + 1] = state.phase == CHOOSING
    out[at + 2] = state.phase == ACTING
    if state.phase == ROLLING or state.phase == CHOOSING:
        out[at + 3] = (MAX_ROLLS - state.rolls) / MAX_ROLLS
    out[at + 4] = state.gained / 30
    out[at + 5] = (TURNS - state.turn) / TURNS
    at += 6
    out[at + (int(state.seat) - first) % players] = 1
    at += MAX_SEATS
    for other in range(players):
        out[at + other] = 1
    at += MAX_SEATS
    for other in range(players):
        sheet = at + (other - first) % players * SHEET
        for road in range(ROADS):
            out[sheet + road] = (state.roads[other] >> road) & 1
        for index in range(state.settlements[other]):
            out[sheet + ROADS + index] = 1
        for index in range(state.cities[other]):
            out[sheet + ROADS + 6 + index] = 1
        for knight in range(state.knights[other]):
            out[sheet + ROADS + 10 + knight] = 1
            out[sheet + ROADS + 10 + KNIGHTS + knight] = ((state.used[other] >> knight) & 1) == 0
        out[sheet + SHEET - 1] = state.total[other] / 100
