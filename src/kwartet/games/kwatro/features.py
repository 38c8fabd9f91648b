"""Kwatro as numbers. Seats count from the watcher; the start card lies at 0, 0 of a torus."""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.features import Field
from kwartet.core.kernels import kernel
from kwartet.games.kwatro.cards import HAND, HIDDEN, JOKER, KINDS, TOKENS
from kwartet.games.kwatro.knowledge import MAX_SEATS, hand_size
from kwartet.games.kwatro.lines import CELLS, SIDE
from kwartet.games.kwatro.rules import LAYING, TURN

PLANES: Final = 6
FIELDS: Final = (
    Field(
        "field",
        (PLANES, SIDE, SIDE),
        "Planes by y and x: colour, shape and number of the card there, each 1–4 of 4 and 0 for "
        "none; joker; laid this turn; empty but a card may be tried there.",
    ),
    Field("hand", (KINDS,), "Cards of each kind in the watcher's hand; jokers last."),
    Field("unseen", (KINDS,), "Cards of each kind that the watcher does not see."),
    Field("hands", (MAX_SEATS,), "Cards each seat holds, of 4."),
    Field("points", (MAX_SEATS,), "Points of each seat, of 100."),
    Field("turn", (MAX_SEATS,), "1 at the seat to act next."),
    Field("phase", (2,), "1 at the start of a turn; 1 while cards are being laid."),
    Field("pile", (1,), "Cards in the pile, of 66."),
    Field("passes", (1,), "Passes in a row, of 12."),
)


@kernel
def observe(state: np.record, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write FIELDS one after the other; a spectator counts from seat 0 and has no hand."""
    out[:] = 0
    for cell in range(CELLS):
        card = int(state.field[cell]) - 1
        if card >= JOKER:
            out[3 * CELLS + cell] = 1
        elif card >= 0:
            out[cell] = (card // 16 + 1) / 4
            out[CELLS + cell] = (card // 4 % 4 + 1) / 4
            out[2 * CELLS + cell] = (card % 4 + 1) / 4
    if state.phase == LAYING:
        for index in range(state.laid_count):
            out[4 * CELLS + int(state.laid[index])] = 1
    for rank in range(state.frontier_size):
        out[5 * CELLS + int(state.frontier[rank])] = 1
    at = PLANES * CELLS
    _observe_cards(state, seat, out[at : at + 2 * KINDS])
    at += 2 * KINDS
    players, first = int(state.players), max(seat, 0)
    for other in range(players):
        relative = (other - first) % players
        out[at + relative] = hand_size(state, other) / HAND
        out[at + MAX_SEATS + relative] = state.points[other] / 100
    at += 2 * MAX_SEATS
    out[at + (int(state.seat) - first) % players] = 1
    at += MAX_SEATS
    out[at] = state.phase == TURN
    out[at + 1] = state.phase == LAYING
    out[at + 2] = state.pile / TOKENS
    out[at + 3] = state.passes / 12


@kernel
def _observe_cards(state: np.record, seat: int, out: npt.NDArray[np.float32]) -> None:
    """The watcher's hand, then what it does not see: pile, other hands, what others passed."""
    for card in range(JOKER):
        out[KINDS + card] = bits.has(state.unseen, card)
    out[KINDS + JOKER] = bits.size(np.uint64(state.unseen_jokers))
    for other in range(state.players):
        for index in range(hand_size(state, other)):
            card = int(state.hands[other, index])
            if card != HIDDEN:
                out[(0 if other == seat else KINDS) + min(card, JOKER)] += 1
    for place in range(state.under_count):
        card = int(state.under[place])
        if card != HIDDEN and state.under_seat[place] != seat:
            out[KINDS + min(card, JOKER)] += 1
