"""What each action and each roll of a turn leaves every seat: its result and its final score.

The turn is played by its plan, and from the next one on every seat plays for points, so
that the seats' futures are independent. Alone there is nothing else to play for, and the
scores are exact. Values have a row for each seat: the result, from −1 to 1, and the score.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kwartet.games.catan_dice.futures import WIDTH
from kwartet.games.catan_dice.planning import Plan, row_here
from kwartet.games.catan_dice.rules import ACTING, CROSS, END, MAX_ROLLS, ROLLING, STOP, apply
from kwartet.games.catan_dice.rules import set_number as number_of
from kwartet.games.catan_dice.sheets import (
    FEWER,
    ISLAND_NUMBER,
    ISLANDS,
    MORE,
    SHEET_POINTS,
    troop_number,
)
from kwartet.games.catan_dice.tables import DICE, FIRST_OF_SIZE, SET_COUNT, SET_DICE
from kwartet.games.catan_dice.turn import FULL, STAY, Values

States = npt.NDArray[Any]
EndWorth = Callable[[int, int], Values]  # of a sheet and a total when the turn is over, by seat


def worths_after(plan: Plan, states: States, actions: Sequence[int], ended: EndWorth) -> Values:
    """By action of the seat or of chance, by seat: result and score."""
    state = states[0]
    if state.phase == ACTING:
        return np.array([_built(plan, states, action, ended) for action in actions])
    ends = plan.first.sheets[0, FULL:, 0]
    known = {sheet: _end(states, sheet, ended) for sheet in set(ends.tolist())}
    stand = np.zeros((SET_COUNT, int(state.players), 2))
    stand[FULL:] = [known[sheet] for sheet in ends.tolist()]
    if state.phase == ROLLING:
        best = _standing(plan, stand, MAX_ROLLS - int(state.rolls) - 1)
        return np.array([best[number_of(int(state.dice) + int(SET_DICE[a]))] for a in actions])
    kept = _rolled(_standing(plan, stand, MAX_ROLLS - int(state.rolls) - 1))
    dice = number_of(int(state.dice))
    return np.array([stand[dice] if action == STOP else kept[action] for action in actions])


def result_shares(totals: list[Values]) -> Values:
    """Each seat's result, given how likely each has which final total; a shared win in parts."""
    count = len(totals)
    if count == 1:
        return np.zeros(1)
    results = np.empty(count)
    for seat, own in enumerate(totals):
        ties = np.zeros((count, WIDTH))  # so many others have the same, and none has more
        ties[0] = 1.0
        for other, chances in enumerate(totals):
            if other != seat:
                below = np.cumsum(chances) - chances
                ties[1:] = ties[1:] * below + ties[:-1] * chances
                ties[0] *= below
        share = own @ (ties / np.arange(1, count + 1)[:, None]).sum(axis=0)
        results[seat] = (count * share - 1.0) / (count - 1)
    return results


def island_and_sheet(state: Any, seat: int) -> tuple[int, int]:
    """The numbers of a seat's island and sheet."""
    built = int(state.roads[seat]), int(state.settlements[seat]), int(state.cities[seat])
    island = ISLAND_NUMBER[built]
    return island, troop_number(int(state.knights[seat]), int(state.used[seat])) * ISLANDS + island


def points_of(sheet: int) -> int:
    """What is built on a sheet."""
    return int(SHEET_POINTS[sheet // ISLANDS, sheet % ISLANDS])


def _standing(plan: Plan, stand: Values, left: int) -> Values:
    """By full set of dice: what it is worth with so many rolls left, kept as planned."""
    best = stand
    for rolls in range(1, left + 1):
        kept = np.arange(SET_COUNT)
        for _ in range(DICE):
            face = plan.choices[MAX_ROLLS - 1 - rolls, kept, 0]
            kept = np.where(face == STAY, kept, FEWER[kept, face])
        best = _rolled(best)[kept]
    return best


def _rolled(worth: Values) -> Values:
    """By set of dice: what is expected of rolling the missing ones, given full sets' worth."""
    expected = worth.copy()
    for size in range(DICE - 1, -1, -1):
        sets = slice(FIRST_OF_SIZE[size], FIRST_OF_SIZE[size + 1])
        expected[sets] = expected[MORE[sets]].mean(axis=1)
    return expected


def _built(plan: Plan, states: States, action: int, ended: EndWorth) -> Values:
    """After building, trading, using a joker or ending."""
    seat = int(states[0].seat)
    if action == END:
        return _end(states, island_and_sheet(states[0], seat)[1], ended)
    after = states.copy()
    apply(after[0], action)
    row = int(np.searchsorted(plan.around.row, row_here(after)))
    dice = number_of(int(after[0].dice))
    if after[0].gained == 0:
        return _end(states, int(plan.first.sheets[row, dice, 0]), ended)
    island = plan.around.island.tolist().index(island_and_sheet(after[0], seat)[0])
    return _end(states, int(plan.later.sheets[row, dice, island]), ended)


def _end(states: States, sheet: int, ended: EndWorth) -> Values:
    """If this turn ends with that sheet."""
    state = states[0]
    seat = int(state.seat)
    gained = int(state.gained) + points_of(sheet) - points_of(island_and_sheet(state, seat)[1])
    return ended(sheet, int(state.total[seat]) + (gained or CROSS))
