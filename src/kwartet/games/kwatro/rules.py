"""Kwatro: lay cards into lines; a turn is a sequence of small actions.

§ points into docs/games/kwatro.md. The empty cells where a card could go are kept
in a sorted list, the *frontier*; a placement names its place in that list and the
kind of card, so the number of different actions stays small.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.chance import Generator, below
from kwartet.core.game import Options
from kwartet.core.kernels import kernel, record_dtype
from kwartet.core.verbs import CHANCE, OVER
from kwartet.games.kwatro.cards import CARDS, HIDDEN, JOKER, JOKERS, KINDS, NO_CARD, TOKENS
from kwartet.games.kwatro.knowledge import (
    HAND,
    MAX_SEATS,
    PLACES,
    WATCHERS,
    determinize,
    hand_size,
    note_drawn,
    note_passed,
    note_shown,
    note_taken,
    redact,
)
from kwartet.games.kwatro.lines import (
    CELLS,
    COLUMN,
    NO_AXIS,
    NOWHERE,
    ROW,
    SIDE,
    fits,
    is_dead,
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
MAX_LEGAL: Final = MAX_FRONTIER * HAND + JOKERS * HAND + (1 << HAND)
MAX_ACTIONS: Final = TOKENS * (PASSES * MAX_SEATS * (1 + HAND + JOKERS) + 8)

_NAME_ORDER: Final = ((0, CARDS // 2), (JOKER, TOKENS), (CARDS // 2, CARDS))  # J is after G
_TRIES: Final = 24  # at guessing a legal action before all are listed

STATE: Final = record_dtype(
    ("unseen", np.uint64),  # cards of the pile that nobody has seen; redacted: all hidden ones
    ("traces", np.uint64, (WATCHERS, TOKENS)),  # see `knowledge`
    ("points", np.int32, (MAX_SEATS,)),
    ("frontier", np.int16, (MAX_FRONTIER,)),  # cells, ascending
    ("frontier_size", np.int16),
    ("joker_cells", np.int16, (JOKERS,)),  # on the field, or NOWHERE
    ("laid", np.int16, (HAND,)),  # cells of this turn's cards; after it, of the last play's
    ("last_points", np.int16),  # of the last play
    ("field", np.int8, (CELLS,)),  # card + 1; 0: empty
    ("hands", np.int8, (MAX_SEATS, HAND)),  # ascending, then NO_CARD
    ("under", np.int8, (PLACES,)),  # cards passed under the pile, in the order they come up
    ("under_seat", np.int8, (PLACES,)),  # who put it there
    ("under_count", np.int8),
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
    return state.players


@kernel
def actor(state: np.record) -> int:
    """CHANCE while cards are drawn; then the seat, or OVER."""
    if state.phase <= DRAWING:
        return CHANCE
    return OVER if state.phase == ENDED else state.seat


@kernel
def unseen_count(state: np.record) -> int:
    """Cards in `unseen`."""
    return bits.size(state.unseen) + bits.size(np.uint64(state.unseen_jokers))


@kernel
def pile_size(state: np.record) -> int:
    """Cards in the pile, those passed under it included; right in redacted states too."""
    hidden = 0
    for seat in range(state.players):
        for index in range(HAND):
            hidden += state.hands[seat, index] == HIDDEN
    for place in range(state.under_count):
        hidden += state.under[place] == HIDDEN
    return unseen_count(state) - hidden + state.under_count


@kernel
def _kind(card: int) -> int:
    return min(card, JOKER)


@kernel
def legal_actions(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """Cards that may be drawn; placements, swaps, and the end of a play or passes."""
    if state.phase <= DRAWING:
        return _legal_draws(state, out)
    count = 0
    for rank in range(state.frontier_size):
        cell = state.frontier[rank]
        if state.phase == LAYING and not _continues_play(state, cell):
            continue
        for index in range(hand_size(state, state.seat)):
            card = state.hands[state.seat, index]
            if not _is_twin(state, index) and fits(state, cell, card):
                out[count] = rank * KINDS + _kind(card)
                count += 1
    if state.phase == LAYING:
        out[count] = DONE
        return count + 1
    for slot in range(JOKERS):
        cell = joker_on_field(state, slot)
        for index in range(hand_size(state, state.seat)):
            card = state.hands[state.seat, index]
            if cell != NOWHERE and card < JOKER and fits(state, cell, card):
                out[count] = SWAP + slot * CARDS + card
                count += 1
    for chosen in range(_pass_bound(state)):
        if _is_pass(state, chosen):
            out[count] = PASS + chosen
            count += 1
    return count


@kernel
def _legal_draws(state: np.record, out: npt.NDArray[np.int32]) -> int:
    if unseen_count(state) == 0:
        out[0] = _kind(state.under[0])
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
def _continues_play(state: np.record, cell: int) -> bool:
    """Whether this frontier cell ends the run of the cards laid this turn."""
    for axis in range(2):
        if state.axis == NO_AXIS or state.axis == axis:
            for way in range(2):
                if run_end(state, state.laid[0], 2 * axis + way) == cell:
                    return True
    return False


@kernel
def _is_twin(state: np.record, index: int) -> bool:
    """Whether the hand's card is a joker and the one before it too: the same moves again."""
    return index > 0 and state.hands[state.seat, index - 1] >= JOKER


@kernel
def joker_on_field(state: np.record, slot: int) -> int:
    """The cell of the first or second joker on the field, by cell, or NOWHERE."""
    first, second = state.joker_cells[0], state.joker_cells[1]
    if first == NOWHERE or second == NOWHERE:
        return max(first, second) if slot == 0 else NOWHERE
    return min(first, second) if slot == 0 else max(first, second)


@kernel
def _pass_bound(state: np.record) -> int:
    """Sets of hand cards to consider for a pass; with an empty pile nothing is exchanged."""
    return 1 << hand_size(state, state.seat) if pile_size(state) > 0 else 1


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
    held = hand_size(state, state.seat)
    placements = state.frontier_size * held
    swaps = JOKERS * held if state.phase == TURN else 0
    ends = _pass_bound(state) if state.phase == TURN else 1
    for _ in range(_TRIES):
        choice = below(rng, placements + swaps + ends)
        if choice < placements:
            rank, index = choice // held, choice % held
            cell, card = state.frontier[rank], state.hands[state.seat, index]
            if (
                not _is_twin(state, index)
                and (state.phase == TURN or _continues_play(state, cell))
                and fits(state, cell, card)
            ):
                return rank * KINDS + _kind(card)
        elif choice < placements + swaps:
            slot, index = (choice - placements) // held, (choice - placements) % held
            cell, card = joker_on_field(state, slot), state.hands[state.seat, index]
            if cell != NOWHERE and card < JOKER and fits(state, cell, card):
                return SWAP + slot * CARDS + card
        elif state.phase == LAYING:
            return DONE
        elif _is_pass(state, choice - placements - swaps):
            return PASS + choice - placements - swaps
    legal = np.empty(MAX_LEGAL, np.int32)
    return legal[below(rng, legal_actions(state, legal))]


@kernel
def _random_draw(state: np.record, rng: Generator) -> int:
    unseen = unseen_count(state)
    if unseen == 0:
        return _kind(state.under[0])
    choice = below(rng, unseen)
    if choice < bits.size(state.unseen):
        return bits.nth(state.unseen, choice)
    return JOKER


@kernel
def chance_weight(state: np.record, action: int) -> int:
    """Every card is as likely; the jokers count together."""
    if action == JOKER and unseen_count(state) > 0:
        return bits.size(np.uint64(state.unseen_jokers))
    return 1


@kernel
def apply(state: np.record, action: int) -> None:
    """Advance `state` in place by a legal action."""
    if state.phase <= DRAWING:
        _draw(state, action)
    elif action < SWAP:
        _place(state, state.frontier[action // KINDS], action % KINDS)
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
    if unseen_count(state) == 0:
        card = state.under[0]
        note_drawn(state, state.due)
        state.under_count -= 1
        for place in range(state.under_count):
            state.under[place] = state.under[place + 1]
            state.under_seat[place] = state.under_seat[place + 1]
        state.under[state.under_count] = NO_CARD
        state.under_seat[state.under_count] = 0
    elif kind == JOKER:
        card = JOKER if state.unseen_jokers & 1 else JOKER + 1
        state.unseen_jokers ^= 1 << (card - JOKER)
    else:
        state.unseen ^= bits.bit(kind)
    if state.due == state.players:
        _put_on_field(state, 0, card)
        state.phase = TURN
        return
    _into_hand(state, state.due, card)
    if hand_size(state, state.due) == HAND or pile_size(state) == 0:
        if state.phase == DEALING:  # seat by seat, last the start card
            state.due += 1
        else:
            _begin_turn(state)


@kernel
def _into_hand(state: np.record, seat: int, card: int) -> None:
    hand = state.hands[seat]
    index = hand_size(state, seat)
    while index > 0 and hand[index - 1] > card:
        hand[index] = hand[index - 1]
        index -= 1
    hand[index] = card


@kernel
def _out_of_hand(state: np.record, seat: int, kind: int) -> int:
    """Take a card of this kind from the hand and return it."""
    hand = state.hands[seat]
    index = 0
    while _kind(hand[index]) != kind:
        index += 1
    card = hand[index]
    for after in range(index, HAND - 1):
        hand[after] = hand[after + 1]
    hand[HAND - 1] = NO_CARD
    return card


@kernel
def _put_on_field(state: np.record, cell: int, card: int) -> None:
    """Lay a card on an empty cell; the ends of its runs join the frontier unless they are dead."""
    state.field[cell] = card + 1
    if card >= JOKER:
        state.joker_cells[card - JOKER] = cell
    x, y = cell_x(state, cell), cell_y(state, cell)
    state.west = min(state.west, x)
    state.north = min(state.north, y)
    _leave_frontier(state, cell)
    for direction in range(4):
        end = run_end(state, cell, direction)
        if is_dead(state, end):
            _leave_frontier(state, end)
        else:
            _join_frontier(state, end)


@kernel
def cell_x(state: np.record, cell: int) -> int:
    """The column of a cell on the field or beside it, counted from the start card."""
    first = state.west - 1
    return first + ((cell - first) & (SIDE - 1))


@kernel
def cell_y(state: np.record, cell: int) -> int:
    """The row of a cell on the field or beside it, counted from the start card."""
    first = state.north - 1
    return first + ((cell // SIDE - first) & (SIDE - 1))


@kernel
def _leave_frontier(state: np.record, cell: int) -> None:
    rank = frontier_rank(state, cell)
    if rank < state.frontier_size and state.frontier[rank] == cell:
        state.frontier_size -= 1
        for after in range(rank, state.frontier_size):
            state.frontier[after] = state.frontier[after + 1]
        state.frontier[state.frontier_size] = 0


@kernel
def _join_frontier(state: np.record, cell: int) -> None:
    rank = frontier_rank(state, cell)
    if rank == state.frontier_size or state.frontier[rank] != cell:
        for after in range(state.frontier_size, rank, -1):
            state.frontier[after] = state.frontier[after - 1]
        state.frontier[rank] = cell
        state.frontier_size += 1


@kernel
def frontier_rank(state: np.record, cell: int) -> int:
    """How many frontier cells come before this one."""
    rank = 0
    while rank < state.frontier_size and state.frontier[rank] < cell:
        rank += 1
    return rank


@kernel
def _place(state: np.record, cell: int, kind: int) -> None:
    card = _out_of_hand(state, state.seat, kind)
    note_shown(state, state.seat, card)
    if state.phase == TURN:
        state.phase = LAYING
        state.laid_count = 0
        state.axis = NO_AXIS
    elif state.axis == NO_AXIS:
        state.axis = ROW if cell // SIDE == state.laid[0] // SIDE else COLUMN
    state.laid[state.laid_count] = cell
    state.laid_count += 1
    _put_on_field(state, cell, card)


@kernel
def _swap(state: np.record, cell: int, card: int) -> None:
    """§A turn: the joker goes to the hand, no points."""
    joker = state.field[cell] - 1
    _out_of_hand(state, state.seat, card)
    note_shown(state, state.seat, card)
    state.field[cell] = card + 1
    state.joker_cells[joker - JOKER] = NOWHERE
    _into_hand(state, state.seat, joker)
    note_taken(state, state.seat, joker)


@kernel
def _end_play(state: np.record) -> None:
    pile = pile_size(state)
    ends = pile == 0 and hand_size(state, state.seat) == 0
    points = play_points(state, ends)
    state.points[state.seat] += points
    state.last_points = points
    state.last_seat = state.seat
    state.passes = 0
    _end_turn(state, pile > 0)
    if ends:
        state.phase = ENDED


@kernel
def _pass(state: np.record, chosen: int) -> None:
    """§A turn 2: put the chosen cards under the pile in alphabetical order and draw as many."""
    seat = state.seat
    exchanged = 0
    for group in range(3):
        low, high = _NAME_ORDER[group]
        for index in range(HAND):
            card = state.hands[seat, index]
            if (chosen >> index) & 1 and low <= card < high:
                state.under[state.under_count] = card
                state.under_seat[state.under_count] = seat
                state.under_count += 1
                exchanged += 1
    kept = 0
    for index in range(HAND):
        card = state.hands[seat, index]
        if not (chosen >> index) & 1 and card != NO_CARD:
            state.hands[seat, kept] = card
            kept += 1
    if exchanged > 0:
        state.hands[seat, kept:] = NO_CARD
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
    limit = state.players * (PASSES if pile_size(state) > 0 else 1)
    state.phase = ENDED if state.passes == limit else TURN


@kernel
def scores(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """Points as they stand; a play counts when it is done."""
    for seat in range(state.players):
        out[seat] = state.points[seat]


@kernel
def winners(state: np.record, out: npt.NDArray[np.int8]) -> None:
    """Most points win; equal points share the win."""
    best = state.points[: state.players].max()
    for seat in range(state.players):
        out[seat] = state.points[seat] == best
