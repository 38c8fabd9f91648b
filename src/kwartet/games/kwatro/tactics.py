"""What a search should know about Kwatro: how many points a card leads to this turn.

All plays of the hand are tried out, so each action is known by the best play it can
become. An action is described by that, by how far it falls behind the best one, by the
lines it makes and by what it offers the next player: a line of three that a fourth card
would double.

What comes after a turn depends on what will be drawn more than on anything else, so the
search covers one turn. The others then make their best plays, and the hands are appraised by
theirs. Without a pile nothing is drawn any more, and the tree covers the rest of the match.

While there is a pile a joker is worth keeping: it makes the largest plays, and the last ones
count most. So a good play is one that scores more than the jokers it takes are worth, and a
joker on the field is taken whenever a card can lie in its place.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.chance import Generator
from kwartet.core.kernels import kernel
from kwartet.core.tactics import Thresholds, Tuning
from kwartet.games.kwatro.cards import CARDS, HAND, JOKER, JOKERS, KINDS
from kwartet.games.kwatro.endings import identify as identify
from kwartet.games.kwatro.endings import unveil as unveil
from kwartet.games.kwatro.frontier import frontier_cell, frontier_rank, is_on_frontier
from kwartet.games.kwatro.knowledge import MAX_SEATS, hand_size
from kwartet.games.kwatro.lines import (
    LONGEST,
    NOWHERE,
    fits_for_joker,
    line,
    play_points,
    run_end,
)
from kwartet.games.kwatro.plays import best_play, points_from
from kwartet.games.kwatro.rules import (
    ACTIONS,
    DONE,
    LAYING,
    MAX_LEGAL,
    PASS,
    STATE,
    SWAP,
    TURN,
    apply,
    ends_match,
    joker_on_field,
    legal_actions,
    scores,
)

MARGIN: Final = 40.0  # points
JOKER_WORTH: Final = 50  # points, in a hand while there is a pile; `bench/jokers.py`
PRACTICE: Final = ({"players": 2}, {"players": 3}, {"players": 2}, {"players": 4})
# In points, in the middle of a match, about 0.5, 2 and 5.
VERDICTS: Final = Thresholds(win=(0.01, 0.03, 0.08), points=(0.5, 2.0, 5.0))
DOUBT: Final = 1.5
SCORING: Final = "turns"
EXPLORATION: Final = 1.0
LEVELS: Final[Mapping[str, Tuning]] = {
    "novice": {"slack": 45.0},
    "casual": {"slack": 4.0},
    "skilled": {"simulations": 25, "guided": False},
    "expert": {"simulations": 70, "guided": False},
    "master": {"simulations": 100_000, "guided": False, "turns": True},
}
NOTES: Final = ACTIONS + 1  # points that each action leads to, last the most of all

# What came after a turn in 120 matches of experts with two to four seats, for `forecast`.
PILE_SHARE: Final = 8.0  # points that each seat scores more than `appraise` says,
CARD_POINTS: Final = 10.0  # and all of them together for each card in the pile
PILE_SPREAD: Final = 700.0  # variance of a seat's points around that, while there is a pile,
CARD_SPREAD: Final = 50.0  # and for each card in it
LAST_SPREAD: Final = 200.0  # without a pile

_FAR: Final = 1 << 30
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
            points = points_from(state, frontier_cell(state, action // KINDS), action % KINDS, 0)
        elif action < DONE:
            swapped[0] = state
            apply(swapped[0], action)
            points, _, _ = best_play(swapped[0], int(state.seat), 0)
        elif action == DONE:
            points = play_points(state, ends_match(state))
        out[action] = points
        most = max(most, points)
    out[ACTIONS] = most


@kernel
def likely_action(state: np.record, rng: Generator) -> int:
    """A thrifty action."""
    return thrifty_action(state, JOKER_WORTH)


@kernel
def thrifty_action(state: np.record, worth: int) -> int:
    """A swap, or a card of the play that brings the most; without one, a pass that keeps jokers.

    While there is a pile each joker laid takes `worth` from what a play brings.
    """
    joker = worth if state.pile > 0 else 0
    if state.phase == TURN:
        swap = _swap(state)
        if swap > 0:
            return swap
        points, rank, kind = best_play(state, int(state.seat), joker)
        return rank * KINDS + kind if points > 0 else _likely_pass(state)
    legal = np.empty(MAX_LEGAL, np.int32)
    best, most = DONE, play_points(state, ends_match(state))
    for index in range(legal_actions(state, legal) - 1):
        action = int(legal[index])
        cell = frontier_cell(state, action // KINDS)
        points = points_from(state, cell, action % KINDS, joker)
        if points > most:
            best, most = action, points
    return best


@kernel
def _swap(state: np.record) -> int:
    """A legal swap of the seat to act, or 0."""
    for slot in range(JOKERS):
        cell = joker_on_field(state, slot)
        if cell == NOWHERE:
            continue
        for index in range(hand_size(state, int(state.seat))):
            card = int(state.hands[state.seat, index])
            if card < JOKER and fits_for_joker(state, cell, card):
                return SWAP + slot * CARDS + card
    return 0


@kernel
def _likely_pass(state: np.record) -> int:
    """A pass that exchanges all cards but jokers, if there is a pile."""
    chosen = 0
    for index in range(hand_size(state, int(state.seat))):
        if state.pile > 0 and state.hands[state.seat, index] < JOKER:
            chosen |= 1 << index
    return PASS + chosen


@kernel
def outlook(state: np.record) -> tuple[int, int]:
    """While there is a pile a turn of each seat; then the whole match."""
    return (1, int(state.players)) if state.pile > 0 else (_FAR, _FAR)


@kernel
def appraise(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """Add what each hand's jokers are worth and what its best play would bring beyond them.

    The play counts a little less for those who wait.
    """
    joker = JOKER_WORTH if state.pile > 0 else 0
    for seat in range(state.players):
        points, _, _ = best_play(state, seat, joker)
        out[seat] += points if seat == state.seat else points * 7 // 8
        for index in range(hand_size(state, seat)):
            out[seat] += joker * (state.hands[seat, index] >= JOKER)


@kernel
def forecast(
    state: np.record, points: npt.NDArray[np.float64], results: npt.NDArray[np.float64]
) -> None:
    """The points of `appraise` and a share of what the pile brings; who is ahead wins as often
    as experts did from there.
    """
    expected = np.zeros(MAX_SEATS, np.int32)
    scores(state, expected)
    appraise(state, expected)
    count, pile = int(state.players), int(state.pile)
    share = PILE_SHARE + CARD_POINTS * pile / count if pile > 0 else 0.0
    spread = LAST_SPREAD if pile == 0 else PILE_SPREAD + CARD_SPREAD * pile
    scale = np.sqrt(2.0 * spread) / 1.7  # so that a logistic curve is nearly the normal one
    most, total = expected[:count].max(), 0.0
    for seat in range(count):
        points[seat] = expected[seat] + share
        results[seat] = np.exp((expected[seat] - most) / scale)
        total += results[seat]
    for seat in range(count):
        results[seat] = (count * results[seat] / total - 1.0) / (count - 1)


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
