"""What a search should know about Kwatro: how many points a card leads to this turn.

All plays of the hand are tried out, so each action is known by the best play it can
become. An action is described by that, by how far it falls behind the best one, by the
lines it makes and by what it offers the next player: a line of three that a fourth card
would double. Playing on quickly lays the card that adds the most, one after the other.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.chance import Generator, below
from kwartet.core.kernels import kernel
from kwartet.games.kwatro.cards import HAND, JOKER, KINDS
from kwartet.games.kwatro.frontier import frontier_cell, frontier_rank, is_on_frontier
from kwartet.games.kwatro.lines import (
    LONGEST,
    line,
    play_points,
    run_end,
)
from kwartet.games.kwatro.plays import points_from, points_with
from kwartet.games.kwatro.rules import (
    ACTIONS,
    DONE,
    LAYING,
    MAX_LEGAL,
    PASS,
    STATE,
    SWAP,
    apply,
    ends_match,
    legal_actions,
)

MARGIN: Final = 40.0  # points
PRACTICE: Final = ({"players": 2}, {"players": 3}, {"players": 2}, {"players": 4})
EXPLORATION: Final = 1.0
ATTENTION: Final = {"novice": 0.15, "casual": 0.35}
SIMULATIONS: Final = (110, 550, 100_000)
UNGUIDED: Final = ("skilled", "expert")
HORIZON: Final = 12  # actions, about two turns each
NOTES: Final = ACTIONS + 1  # points that each action leads to, last the most of all

_GAPS: Final = 6
_POINTS: Final = 8
_KINDS: Final = 3  # the first card of a play, another one, the end of the play

PHASES: Final = 3
_GAP: Final = 0
_WORTH: Final = _GAP + _KINDS * _GAPS
_LENGTHS: Final = _WORTH + _KINDS * _POINTS
_OFFERS: Final = _LENGTHS + 2 * 5 * 5
_WITH_JOKER: Final = _OFFERS + 4
_SWAPPED: Final = _WITH_JOKER + _GAPS
_PASSED: Final = _SWAPPED + _GAPS
_JOKER_PASSED: Final = _PASSED + (HAND + 1) * _POINTS
_SLOTS: Final = _JOKER_PASSED + 1
FEATURES: Final = PHASES * _SLOTS
MAX_FEATURES: Final = 4


@kernel
def survey(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """Note the points of the best play that each action leads to, and of the best of all."""
    legal = np.empty(MAX_LEGAL, np.int32)
    swapped = np.empty(1, STATE)
    most = 0
    for index in range(legal_actions(state, legal)):
        action = int(legal[index])
        points = 0
        if action < SWAP:
            points = points_from(state, frontier_cell(state, action // KINDS), action % KINDS)
        elif action < DONE:
            swapped[0] = state
            apply(swapped[0], action)
            points = _best_play(swapped[0])
        elif action == DONE:
            points = play_points(state, ends_match(state))
        out[action] = points
        most = max(most, points)
    out[ACTIONS] = most


@kernel
def _best_play(state: np.record) -> int:
    """The most points that a play can score in a turn where nothing is laid yet."""
    legal = np.empty(MAX_LEGAL, np.int32)
    most = 0
    for index in range(legal_actions(state, legal)):
        action = int(legal[index])
        if action < SWAP:
            cell = frontier_cell(state, action // KINDS)
            most = max(most, points_from(state, cell, action % KINDS))
    return most


@kernel
def likely_action(state: np.record, rng: Generator) -> int:
    """The card that adds the most points, of equal ones any; without one, a swap or a pass."""
    legal = np.empty(MAX_LEGAL, np.int32)
    count = legal_actions(state, legal)
    best, most, equal = -1, 0, 0
    for index in range(count):
        action = int(legal[index])
        if action >= SWAP:
            break
        points = points_with(state, frontier_cell(state, action // KINDS), action % KINDS)
        equal = 1 if points > most else equal + (points == most)
        if points > most or (points == most and below(rng, equal) == 0):
            best, most = action, points
    return best if best >= 0 else int(legal[below(rng, count)])


@kernel
def _gap_class(gap: int) -> int:
    """How far an action falls behind the best one."""
    if gap <= 2:
        return 0 if gap == 0 else 1
    if gap <= 10:
        return 2 if gap <= 5 else 3
    return 4 if gap <= 20 else 5


@kernel
def _points_class(points: int) -> int:
    """How many points, in eight classes."""
    if points <= 20:
        return (points + 4) // 5
    if points <= 30:
        return 5
    return 6 if points <= 50 else 7


@kernel
def offers(state: np.record) -> int:
    """Lines of three through the cards laid this turn that a fourth card may still join."""
    count = 0
    for index in range(state.laid_count):
        cell = int(state.laid[index])
        for axis in range(2):
            if axis == state.axis and index > 0:
                continue
            length, _, _, _ = line(state, cell, axis, cell, int(state.field[cell]) - 1)
            if length == LONGEST - 1:
                for way in range(2):
                    end = run_end(state, cell, 2 * axis + way)
                    count += is_on_frontier(state, end, frontier_rank(state, end))
    return count


@kernel
def describe(
    state: np.record, action: int, notes: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    """The features of an action, in the phase the match is in."""
    phase = _SLOTS * (0 if state.pile > 24 else 1 if state.pile > 0 else 2)
    most = int(notes[ACTIONS])
    points = int(notes[action])
    gap = _gap_class(most - points)
    if action >= PASS:
        chosen = action - PASS
        passed = bits.size(np.uint64(chosen))
        out[0] = phase + _PASSED + passed * _POINTS + _points_class(most)
        for index in range(HAND):
            if (chosen >> index) & 1 and state.hands[state.seat, index] >= JOKER:
                out[1] = phase + _JOKER_PASSED
                return 2
        return 1
    if SWAP <= action < DONE:
        out[0] = phase + _SWAPPED + gap
        return 1
    kind = 2 if action == DONE else 1 if state.phase == LAYING else 0
    out[0] = phase + _GAP + kind * _GAPS + gap
    out[1] = phase + _WORTH + kind * _POINTS + _points_class(points)
    if action == DONE:
        out[2] = phase + _OFFERS + min(offers(state), 3)
        return 3
    cell, card = frontier_cell(state, action // KINDS), action % KINDS
    row, _, _, _ = line(state, cell, 0, cell, card)
    column, _, _, _ = line(state, cell, 1, cell, card)
    out[2] = phase + _LENGTHS + (kind * 5 + row) * 5 + column
    if card == JOKER:
        out[3] = phase + _WITH_JOKER + gap
        return 4
    return 3
