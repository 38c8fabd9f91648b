"""What the end of a turn is worth: expected points, or the chance to win.

For the chance to win every seat is taken to go on for points from its own sheet, so
that the seats' futures are independent; a shared win counts in parts.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.kernels import kernel
from kwartet.games.catan_dice.futures import CERTAIN, WIDTH, Kept, at_most
from kwartet.games.catan_dice.rules import CROSS, MAX_SEATS, TURNS
from kwartet.games.catan_dice.sheets import ISLANDS, SHEET_POINTS, SHEETS
from kwartet.games.catan_dice.turn import Values

TIE_BREAK: Final = 1e-8  # what an expected point counts beside the chance to win


@kernel
def worth_in_points(sheets: npt.NDArray[np.int32], to_come: Values) -> tuple[Values, Values]:
    """By row and island: the points of a sheet and those to come, with and without building."""
    built = np.empty(sheets.shape)
    for row in range(sheets.shape[0]):
        for island in range(sheets.shape[1]):
            sheet = sheets[row, island]
            built[row, island] = SHEET_POINTS[sheet // ISLANDS, sheet % ISLANDS] + to_come[sheet]
    return built, built + CROSS


@kernel
def worth_in_wins(
    sheets: npt.NDArray[np.int32],
    states: npt.NDArray[np.void],
    seat_sheets: npt.NDArray[np.int32],
    to_come: Values,
    kept: Kept,
) -> tuple[Values, Values]:
    """By row and island: the seat's share of the win, with and without having built.

    `seat_sheets` has every seat's sheet as it is now. The seat to act ends its turn in
    one of `sheets`, and a tiny part of its points settles what is equally likely to win.
    """
    state = states[0]
    sheet = seat_sheets[state.seat]
    share = _shares(state, seat_sheets, kept)
    left = TURNS - int(state.turn) - 1  # for the seat to act once this turn is over
    crosses = (
        state.total[state.seat] + state.gained - SHEET_POINTS[sheet // ISLANDS, sheet % ISLANDS]
    )
    built, nothing = np.zeros(sheets.shape), np.zeros(sheets.shape)
    for row in range(sheets.shape[0]):
        for island in range(sheets.shape[1]):
            end = sheets[row, island]
            points = crosses + SHEET_POINTS[end // ISLANDS, end % ISLANDS]
            number = left * SHEETS + end
            extra = points + to_come[end]
            built[row, island] = _win_share(kept, number, points, share) + TIE_BREAK * extra
            points, extra = points + CROSS, extra + CROSS
            nothing[row, island] = _win_share(kept, number, points, share) + TIE_BREAK * extra
    return built, nothing


@kernel
def _shares(state: np.record, seat_sheets: npt.NDArray[np.int32], kept: Kept) -> Values:
    """By final total, from LEAST on: the share of the win the seat to act expects with it."""
    shares = np.empty(WIDTH)
    ties = np.empty(MAX_SEATS)  # the chance that so many others have the same and none has more
    for index in range(WIDTH):
        ties[:] = 0.0
        ties[0] = 1.0
        for seat in range(state.players):
            if seat == state.seat:
                continue
            left = TURNS - int(state.turn) - (1 if seat < state.seat else 0)
            number = left * SHEETS + seat_sheets[seat]
            below = at_most(kept, number, index - 1 - state.total[seat])
            equal = at_most(kept, number, index - state.total[seat]) - below
            for others in range(MAX_SEATS - 1, 0, -1):
                ties[others] = ties[others] * below + ties[others - 1] * equal
            ties[0] *= below
        shares[index] = 0.0
        for others in range(MAX_SEATS):
            shares[index] += ties[others] / (others + 1)
    return shares


@kernel
def _win_share(kept: Kept, number: int, points: int, share: Values) -> float:
    """The expected share with these points and what distribution `number` adds to them."""
    total = 0.0
    before = 0
    first = int(kept.first[number])
    for place in range(first, int(kept.first[number + 1])):
        fraction = int(kept.fractions[place])
        index = points + int(kept.low[number]) + place - first
        total += (fraction - before) * share[max(0, min(WIDTH - 1, index))]
        before = fraction
    return total / CERTAIN
