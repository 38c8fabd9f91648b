"""Kwatro: lay cards into lines; a turn is a sequence of small actions.

§ points into docs/games/kwatro.md. The empty cells where a card could go are kept
in a sorted list, the *frontier*; a placement names its place in that list and the
kind of card, so the number of different actions stays small.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.chance import Generator, Lot, below
from kwartet.core.game import Options
from kwartet.core.kernels import kernel, record_dtype
from kwartet.core.scoring import mark_highest
from kwartet.core.verbs import CHANCE, OVER
from kwartet.games.kwatro.cards import CARDS, HAND, JOKER, JOKERS, KINDS, NO_CARD, TOKENS
from kwartet.games.kwatro.frontier import (
    frontier_cell,
    frontier_rank,
    is_on_frontier,
    put_on_field,
    renew_frontier,
)
from kwartet.games.kwatro.knowledge import (
    MAX_SEATS,
    PLACES,
    WATCHERS,
    hand_size,
    note_drawn,
    note_passed,
    note_shown,
    note_taken,
)
from kwartet.games.kwatro.knowledge import determinize as determinize
from kwartet.games.kwatro.knowledge import redact as redact
from kwartet.games.kwatro.lines import (
    CELLS,
    COLUMN,
    NO_AXIS,
    NOWHERE,
    ROW,
    SIDE,
    fits,
    fits_for_joker,
    line_sum,
    play_points,
    run_end,
)

MAX_FRONTIER: Final = 2 * TOKENS + 2  # around that many connected cards
PASSES: Final = 3  # in a row by every player end a match while there is a pile

DEALING, DRAWING, TURN, LAYING, ENDED = range(5)

# Actions, ascending: a card on a frontier cell, a card for a joker (the jokers on the
# field by cell), the end of a play, a pass with a set of hand cards by their index.
SWAP: Final = MAX_FRONTIER * KINDS
DONE: Final = SWAP + JOKERS * CARDS
PASS: Final = DONE + 1

ACTIONS: Final = PASS + (1 << HAND)
CHANCE_ACTIONS: Final = KINDS
SECRETS: Final = True
MAX_LEGAL: Final = MAX_FRONTIER * HAND + JOKERS * HAND + (1 << HAND)
MAX_ACTIONS: Final = TOKENS * (PASSES * MAX_SEATS * (1 + HAND + JOKERS) + 8)

_NAME_ORDER: Final = ((0, CARDS // 2), (JOKER, TOKENS), (CARDS // 2, CARDS))  # J is after G
_TRIES: Final = 32  # at guessing a legal action before all are listed

STATE: Final = record_dtype(
    ("unseen", np.uint64),  # cards of the pile that nobody has seen; redacted: all hidden ones
    ("traces", np.uint64, (WATCHERS, TOKENS)),  # see `knowledge`
    ("traced", np.int8, (WATCHERS,)),  # 1 or 0: whether the watcher has ever had a trace of a card
    ("points", np.int32, (MAX_SEATS,)),
    ("frontier", np.int16, (MAX_FRONTIER,)),  # cells, ascending
    ("wanted", np.int16, (MAX_FRONTIER,)),  # the `openings` of those cells
    ("frontier_size", np.int16),
    ("joker_cells", np.int16, (JOKERS,)),  # on the field, or NOWHERE
    ("laid", np.int16, (HAND,)),  # cells of this turn's cards; after it, of the last play's
    ("line_sums", np.int8, (HAND, 2)),  # of the last play, by card laid and axis; -1: no line
    ("last_points", np.int16),  # of the last play
    ("field", np.int8, (CELLS,)),  # card + 1; 0: empty
    ("hands", np.int8, (MAX_SEATS, HAND)),  # ascending, then NO_CARD
    ("under", np.int8, (PLACES,)),  # cards passed under the pile, in the order they come up
    ("under_seat", np.int8, (PLACES,)),  # who put it there
    ("under_first", np.int8, (PLACES,)),  # 1 if it was the first card of its pass
    ("under_count", np.int8),
    ("pile", np.int8),  # cards in it, those under it included
    ("unseen_jokers", np.int8),  # bits
    ("west", np.int8),  # the smallest x and y on the field, counted from the start card
    ("north", np.int8),
    ("laid_count", np.int8),
    ("axis", np.int8),  # ROW or COLUMN once two cards are laid
    ("last_seat", np.int8),  # who made the last play, or -1
    ("phase", np.int8),
    ("due", np.int8),  # the seat that draws
    ("seat", np.int8),  # to act next
    ("passes", np.int8),  # in a row
    ("players", np.int8),
)


def start(options: Options) -> npt.NDArray[np.void]:
    """All cards in the unseen pile."""
    states = np.zeros(1, STATE)
    state = states[0]
    state.unseen = (1 << CARDS) - 1
    state.unseen_jokers = (1 << JOKERS) - 1
    state.pile = TOKENS
    state.joker_cells[:] = NOWHERE
    state.hands[:] = NO_CARD
    state.under[:] = NO_CARD
    state.axis = NO_AXIS
    state.last_seat = -1
    state.players = options["players"]
    return states


@kernel
def seats(state: np.record) -> int:
    """How many play."""
    return int(state.players)


@kernel
def actor(state: np.record) -> int:
    """CHANCE while cards are drawn; then the seat, or OVER."""
    if state.phase <= DRAWING:
        return CHANCE
    return OVER if state.phase == ENDED else int(state.seat)


@kernel
def _kind(card: int) -> int:
    return min(card, JOKER)


# Fields are small integers. They are read out as `int` before anything is computed:
# without the JIT they would overflow.


@kernel
def _held(state: np.record, index: int) -> int:
    """A card of the seat to act."""
    return int(state.hands[state.seat, index])


@kernel
def legal_actions(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """Cards that may be drawn; placements, swaps, and the end of a play or passes."""
    if state.phase <= DRAWING:
        return _legal_draws(state, out)
    if state.phase == LAYING:
        return _legal_continuations(state, out)
    count = 0
    for rank in range(state.frontier_size):
        count = _legal_placements(state, rank, out, count)
    for slot in range(JOKERS):
        cell = joker_on_field(state, slot)
        for index in range(hand_size(state, int(state.seat))):
            card = _held(state, index)
            if cell != NOWHERE and card < JOKER and fits_for_joker(state, cell, card):
                out[count] = SWAP + slot * CARDS + card
                count += 1
    for chosen in range(_pass_bound(state)):
        if _is_pass(state, chosen):
            out[count] = PASS + chosen
            count += 1
    return count


@kernel
def _legal_draws(state: np.record, out: npt.NDArray[np.int32]) -> int:
    if state.pile == state.under_count:
        out[0] = _kind(int(state.under[0]))
        return 1
    count = 0
    for card in range(CARDS):
        if bits.has(state.unseen, card):
            out[count] = card
            count += 1
    if state.unseen_jokers != 0:
        out[count] = JOKER
        count += 1
    return count


@kernel
def _fits_at(state: np.record, rank: int, card: int) -> bool:
    """Whether the card may lie on the frontier cell of that rank."""
    return fits(state, frontier_cell(state, rank), int(state.wanted[rank]), card)


@kernel
def _legal_placements(state: np.record, rank: int, out: npt.NDArray[np.int32], count: int) -> int:
    """Add the cards that fit on this frontier cell to the list; return its new length."""
    for index in range(hand_size(state, int(state.seat))):
        card = _held(state, index)
        if not _is_twin(state, index) and _fits_at(state, rank, card):
            out[count] = rank * KINDS + _kind(card)
            count += 1
    return count


@kernel
def _legal_continuations(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """More cards at the ends of the run laid this turn, from the first cell on, or DONE."""
    count = 0
    before = NOWHERE
    for _ in range(_ends(state)):
        cell = CELLS
        for number in range(_ends(state)):
            end = _end_of_play(state, number)
            if before < end < cell:
                cell = end
        rank = frontier_rank(state, cell)
        if is_on_frontier(state, cell, rank):
            count = _legal_placements(state, rank, out, count)
        before = cell
    out[count] = DONE
    return count + 1


@kernel
def _ends(state: np.record) -> int:
    """How many ends this turn's run has: both axes are open until two cards lie."""
    return 4 if state.axis == NO_AXIS else 2


@kernel
def continues_play(state: np.record, cell: int) -> bool:
    """Whether this cell is at one of the ends of this turn's run."""
    found = False
    for number in range(_ends(state)):
        found |= _end_of_play(state, number) == cell
    return found


@kernel
def _end_of_play(state: np.record, number: int) -> int:
    """The empty cell at one of the ends of this turn's run."""
    direction = number if state.axis == NO_AXIS else 2 * state.axis + number
    return run_end(state, int(state.laid[0]), direction)


@kernel
def _is_twin(state: np.record, index: int) -> bool:
    """Whether the hand's card is a joker and the one before it too: the same moves again."""
    return index > 0 and _held(state, index - 1) >= JOKER


@kernel
def joker_on_field(state: np.record, slot: int) -> int:
    """The cell of the first or second joker on the field, by cell, or NOWHERE."""
    first, second = int(state.joker_cells[0]), int(state.joker_cells[1])
    if first == NOWHERE or second == NOWHERE:
        return max(first, second) if slot == 0 else NOWHERE
    return min(first, second) if slot == 0 else max(first, second)


@kernel
def _pass_bound(state: np.record) -> int:
    """Sets of hand cards to consider for a pass; with an empty pile nothing is exchanged."""
    return 1 << hand_size(state, int(state.seat)) if state.pile > 0 else 1


@kernel
def _is_pass(state: np.record, chosen: int) -> bool:
    """Whether this set of hand cards stands for a pass: of two jokers the first goes first."""
    for index in range(1, HAND):
        if (chosen >> index) & 1 and not (chosen >> (index - 1)) & 1 and _is_twin(state, index):
            return False
    return True


@kernel
def random_action(state: np.record, rng: Generator) -> int:
    """A uniform legal action, guessed among the conceivable ones; a uniform draw."""
    if state.phase <= DRAWING:
        return _random_draw(state, rng)
    held = hand_size(state, int(state.seat))
    if state.phase == LAYING:
        return _random_continuation(state, held, rng)
    placements = state.frontier_size * held
    swaps = JOKERS * held if joker_on_field(state, 0) != NOWHERE else 0
    passes = _pass_bound(state)
    for _ in range(_TRIES):
        choice = below(rng, placements + swaps + passes)
        if choice < placements:
            rank, index = choice // held, choice % held
            card = _held(state, index)
            if not _is_twin(state, index) and _fits_at(state, rank, card):
                return rank * KINDS + _kind(card)
        elif choice < placements + swaps:
            slot, index = (choice - placements) // held, (choice - placements) % held
            cell, card = joker_on_field(state, slot), _held(state, index)
            if cell != NOWHERE and card < JOKER and fits_for_joker(state, cell, card):
                return SWAP + slot * CARDS + card
        elif _is_pass(state, choice - placements - swaps):
            return PASS + choice - placements - swaps
    legal = np.empty(MAX_LEGAL, np.int32)
    return int(legal[below(rng, legal_actions(state, legal))])


@kernel
def _random_continuation(state: np.record, held: int, rng: Generator) -> int:
    """A uniform way to go on with a play or to end it."""
    while True:
        choice = below(rng, _ends(state) * held + 1)
        if choice == _ends(state) * held:
            return DONE
        cell, index = _end_of_play(state, choice // held), choice % held
        card = _held(state, index)
        rank = frontier_rank(state, cell)
        if (
            is_on_frontier(state, cell, rank)
            and not _is_twin(state, index)
            and _fits_at(state, rank, card)
        ):
            return rank * KINDS + _kind(card)


@kernel
def _random_draw(state: np.record, rng: Generator) -> int:
    if state.pile == state.under_count:
        return _kind(int(state.under[0]))
    cards = bits.size(state.unseen)
    choice = below(rng, cards + bits.size(np.uint64(state.unseen_jokers)))
    return bits.nth(state.unseen, choice) if choice < cards else JOKER


@kernel
def chance_weight(state: np.record, action: int) -> int:
    """Every card is as likely; the jokers count together."""
    if action == JOKER and state.pile > state.under_count:
        return bits.size(np.uint64(state.unseen_jokers))
    return 1


def draw(state: np.record, lot: Lot) -> int:
    """The card at a place of the pile; those passed under it come up as they lie. §Luck"""
    if state.pile == state.under_count:
        return int(_kind(int(state.under[0])))
    unseen = int(state.unseen)
    cards = [card for card in range(CARDS) if unseen >> card & 1]
    cards += [JOKER] * int(state.unseen_jokers).bit_count()
    return cards[lot(f"card {TOKENS - len(cards)}", len(cards))]


@kernel
def apply(state: np.record, action: int) -> None:
    """Advance `state` in place by a legal action."""
    if state.phase <= DRAWING:
        _draw(state, action)
    elif action < SWAP:
        _place(state, frontier_cell(state, action // KINDS), action % KINDS)
    elif action < DONE:
        _swap(state, joker_on_field(state, (action - SWAP) // CARDS), (action - SWAP) % CARDS)
    elif action == DONE:
        _end_play(state)
    else:
        _pass(state, action - PASS)


@kernel
def _draw(state: np.record, kind: int) -> None:
    """Move a card from the pile to the seat that is due it, or to the start."""
    card = kind
    if state.pile == state.under_count:
        card = int(state.under[0])
        note_drawn(state, int(state.due))
        left = int(state.under_count) - 1
        for place in range(left):
            state.under[place] = state.under[place + 1]
            state.under_seat[place] = state.under_seat[place + 1]
            state.under_first[place] = state.under_first[place + 1]
        state.under[left] = NO_CARD
        state.under_seat[left] = 0
        state.under_first[left] = 0
        state.under_count = left
    elif kind == JOKER:
        card = JOKER if state.unseen_jokers & 1 else JOKER + 1
        state.unseen_jokers ^= 1 << (card - JOKER)
    else:
        state.unseen ^= bits.bit(kind)
    state.pile -= 1
    if state.due == state.players:
        put_on_field(state, 0, card)
        state.phase = TURN
        return
    _into_hand(state, int(state.due), card)
    if hand_size(state, int(state.due)) == HAND or state.pile == 0:
        if state.phase == DEALING:  # seat by seat, last the start card
            state.due += 1
        else:
            _begin_turn(state)


@kernel
def _into_hand(state: np.record, seat: int, card: int) -> None:
    index = hand_size(state, seat)
    while index > 0 and state.hands[seat, index - 1] > card:
        state.hands[seat, index] = state.hands[seat, index - 1]
        index -= 1
    state.hands[seat, index] = card


@kernel
def _out_of_hand(state: np.record, seat: int, kind: int) -> int:
    """Take a card of this kind from the hand and return it."""
    index = 0
    while _kind(int(state.hands[seat, index])) != kind:
        index += 1
    card = int(state.hands[seat, index])
    for after in range(index, HAND - 1):
        state.hands[seat, after] = state.hands[seat, after + 1]
    state.hands[seat, HAND - 1] = NO_CARD
    return card


@kernel
def _place(state: np.record, cell: int, kind: int) -> None:
    card = _out_of_hand(state, int(state.seat), kind)
    note_shown(state, int(state.seat), card)
    if state.phase == TURN:
        state.phase = LAYING
        state.laid_count = 0
        state.axis = NO_AXIS
    elif state.axis == NO_AXIS:
        state.axis = ROW if cell // SIDE == state.laid[0] // SIDE else COLUMN
    state.laid[state.laid_count] = cell
    state.laid_count += 1
    put_on_field(state, cell, card)


@kernel
def _swap(state: np.record, cell: int, card: int) -> None:
    """§A turn: the joker goes to the hand, no points."""
    seat = int(state.seat)
    joker = int(state.field[cell]) - 1
    _out_of_hand(state, seat, card)
    note_shown(state, seat, card)
    state.field[cell] = card + 1
    state.joker_cells[joker - JOKER] = NOWHERE
    for direction in range(4):
        renew_frontier(state, run_end(state, cell, direction))
    _into_hand(state, seat, joker)
    note_taken(state, seat, joker)


@kernel
def ends_match(state: np.record) -> bool:
    """Whether the play being laid ends the match: the last card, and no pile. §End"""
    return state.pile == 0 and hand_size(state, int(state.seat)) == 0


@kernel
def _end_play(state: np.record) -> None:
    ends = ends_match(state)
    points = play_points(state, ends)
    for index in range(state.laid_count):
        for axis in range(2):
            state.line_sums[index, axis] = line_sum(state, index, axis)
    state.points[state.seat] += points
    state.last_points = points
    state.last_seat = state.seat
    state.passes = 0
    _end_turn(state, state.pile > 0)
    if ends:
        state.phase = ENDED


@kernel
def _pass(state: np.record, chosen: int) -> None:
    """§A turn 2: put the chosen cards under the pile in alphabetical order and draw as many."""
    seat = int(state.seat)
    exchanged = 0
    for group in range(3):
        low, high = _NAME_ORDER[group]
        for index in range(HAND):
            card = state.hands[seat, index]
            if (chosen >> index) & 1 and low <= card < high:
                state.under[state.under_count] = card
                state.under_seat[state.under_count] = seat
                state.under_first[state.under_count] = exchanged == 0
                state.under_count += 1
                exchanged += 1
    kept = 0
    for index in range(HAND):
        card = state.hands[seat, index]
        if not (chosen >> index) & 1 and card != NO_CARD:
            state.hands[seat, kept] = card
            kept += 1
    state.pile += exchanged
    if exchanged > 0:
        for index in range(kept, HAND):
            state.hands[seat, index] = NO_CARD
        note_passed(state, seat, exchanged, kept)
    state.passes += 1
    _end_turn(state, exchanged > 0)


@kernel
def _end_turn(state: np.record, draws: bool) -> None:
    state.due = state.seat
    state.seat = state.seat + 1 if state.seat + 1 < state.players else 0
    if draws:
        state.phase = DRAWING
    else:
        _begin_turn(state)


@kernel
def _begin_turn(state: np.record) -> None:
    """§End: the next seat acts, unless all have passed often enough."""
    limit = state.players * (PASSES if state.pile > 0 else 1)
    state.phase = ENDED if state.passes == limit else TURN


@kernel
def scores(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """Points as they stand; a play counts when it is done."""
    for seat in range(state.players):
        out[seat] = state.points[seat]


@kernel
def winners(state: np.record, out: npt.NDArray[np.int8]) -> None:
    """Most points win; equal points share the win."""
    mark_highest(state.points, state.players, out)
