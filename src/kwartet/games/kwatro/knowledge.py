"""Who knows what about Kwatro's hidden cards.

Most hidden cards may be anywhere. Of some a watcher knows more: a joker taken
from the field is in that seat's hand, a card one put under the pile oneself was
drawn by this neighbour, and after a pass it may be in the hand or among the
cards that went under. Such a card has a *trace* for each watcher, a set of bits:
0–3 for the hands and 4, 5, … for the places under the pile from the top; 0 means
that nothing is known. Traces only ever hold what the watcher could work out.

The two jokers look alike, so whenever one shows, the watcher cannot tell which of
them it was; traces and numbers of the jokers are kept free of that.

Worlds heed the traces and the order of cards that were passed together. Deductions
that combine several passes are not made: in play full of jokers about one world in a
thousand is one that a perfect memory could rule out.
"""

from typing import Final

import numpy as np

from kwartet.core import bits
from kwartet.core.chance import Generator, below, shuffle
from kwartet.core.kernels import kernel
from kwartet.games.kwatro.cards import HAND, HIDDEN, JOKER, JOKERS, NO_CARD, TOKENS
from kwartet.games.kwatro.lines import NOWHERE

MAX_SEATS: Final = 4
WATCHERS: Final = MAX_SEATS + 1  # the seats and, last, the spectators
SPECTATORS: Final = MAX_SEATS
UNDER: Final = 4  # bit of the first place under the pile
PLACES: Final = 59  # under the pile; more cards are never there at once
ATTEMPTS: Final = 200  # at placing the cards with traces before they are given up

_NOTHING: Final = np.uint64(0)
_HANDS: Final = np.uint64(15)
_ONE: Final = np.uint64(1)
_UNDER: Final = np.uint64(UNDER)


@kernel
def note_shown(state: np.record, seat: int, card: int) -> None:
    """The seat has laid this card from its hand for everyone to see."""
    emptied = hand_size(state, seat) == 0
    for watcher in range(WATCHERS):
        if watcher == seat or not state.traced[watcher]:
            continue
        _find(state, watcher, card, bits.bit(seat))
        if emptied:  # all of them were shown, so none of them was a card with a trace
            for other in range(TOKENS):
                state.traces[watcher, other] &= ~bits.bit(seat)


@kernel
def note_taken(state: np.record, seat: int, joker: int) -> None:
    """The seat took this joker from the field into its hand."""
    for watcher in range(WATCHERS):
        if watcher != seat and (watcher < state.players or watcher == SPECTATORS):
            _trace(state, watcher, joker, bits.bit(seat))


@kernel
def note_passed(state: np.record, seat: int, count: int, kept: int) -> None:
    """The seat put the last `count` cards under the pile and kept `kept`."""
    places = _NOTHING
    for place in range(state.under_count - count, state.under_count):
        places |= bits.bit(UNDER + place)
    for watcher in range(WATCHERS):
        if watcher == seat or not state.traced[watcher]:
            continue
        for card in range(TOKENS):
            trace = state.traces[watcher, card]
            if bits.has(trace, seat):
                state.traces[watcher, card] = trace | places
                if kept == 0:
                    state.traces[watcher, card] ^= bits.bit(seat)


@kernel
def note_drawn(state: np.record, seat: int) -> None:
    """The seat is about to draw the first card under the pile."""
    card, giver = int(state.under[0]), int(state.under_seat[0])
    for watcher in range(WATCHERS):
        if not state.traced[watcher]:
            continue
        if watcher == seat and giver != watcher:
            _find(state, watcher, card, bits.bit(UNDER))
        for other in range(TOKENS):
            trace = state.traces[watcher, other]
            if trace != _NOTHING:
                hands = trace & _HANDS
                if watcher != seat and bits.has(trace, UNDER):
                    hands |= bits.bit(seat)
                state.traces[watcher, other] = hands | (trace >> (_UNDER + _ONE)) << _UNDER
    if giver != seat:
        _trace(state, giver, card, bits.bit(seat))


@kernel
def _trace(state: np.record, watcher: int, card: int, places: np.uint64) -> None:
    """The watcher knows that the card is at one of these places."""
    state.traced[watcher] = 1
    state.traces[watcher, card] = places


@kernel
def _find(state: np.record, watcher: int, card: int, place: np.uint64) -> None:
    """The watcher sees this card, which was at that place."""
    trace = state.traces[watcher, card]
    state.traces[watcher, card] = _NOTHING
    if card < JOKER:
        return
    twin = 2 * JOKER + 1 - card
    if sees(state, watcher, twin):
        return
    other = state.traces[watcher, twin]
    if other & place != _NOTHING:  # it may have been the twin, and the card where the twin was
        state.traces[watcher, twin] = _NOTHING if trace == _NOTHING else trace | other


@kernel
def sees(state: np.record, watcher: int, joker: int) -> bool:
    """Whether the watcher knows this joker: it lies open, is its own or was put under by it."""
    if state.joker_cells[joker - JOKER] != NOWHERE:
        return True
    if watcher < state.players:
        for index in range(HAND):
            if state.hands[watcher, index] == joker:
                return True
        for place in range(state.under_count):
            if state.under[place] == joker and state.under_seat[place] == watcher:
                return True
    return False


@kernel
def redact(state: np.record, seat: int) -> None:
    """Hide the other hands, what others put under the pile, and what others know."""
    watcher = seat if seat >= 0 else SPECTATORS
    _order_jokers(state, watcher)
    for other in range(state.players):
        for index in range(HAND):
            card = int(state.hands[other, index])
            if other != seat and card >= 0:
                _put_unseen(state, card)
                state.hands[other, index] = HIDDEN
    for place in range(state.under_count):
        if state.under_seat[place] != seat and state.under[place] >= 0:
            _put_unseen(state, int(state.under[place]))
            state.under[place] = HIDDEN
    for other in range(WATCHERS):
        if other != watcher:
            state.traced[other] = 0
            for card in range(TOKENS):
                state.traces[other, card] = _NOTHING


@kernel
def _put_unseen(state: np.record, card: int) -> None:
    if card >= JOKER:
        state.unseen_jokers |= 1 << (card - JOKER)
    else:
        state.unseen |= bits.bit(card)


@kernel
def _order_jokers(state: np.record, watcher: int) -> None:
    """Number the jokers by what the watcher knows, so that the numbers tell nothing else."""
    if _joker_rank(state, watcher, JOKER) <= _joker_rank(state, watcher, JOKER + 1):
        return
    trace = state.traces[watcher, JOKER]
    state.traces[watcher, JOKER] = state.traces[watcher, JOKER + 1]
    state.traces[watcher, JOKER + 1] = trace
    cell = state.joker_cells[0]
    state.joker_cells[0] = state.joker_cells[1]
    state.joker_cells[1] = cell
    for joker in range(JOKERS):
        if state.joker_cells[joker] != NOWHERE:
            state.field[state.joker_cells[joker]] = JOKER + joker + 1
    swapped = 2 * JOKER + 1
    for seat in range(state.players):
        for index in range(HAND):
            if state.hands[seat, index] >= JOKER:
                state.hands[seat, index] = swapped - int(state.hands[seat, index])
        sort_hand(state, seat)
    for place in range(state.under_count):
        if state.under[place] >= JOKER:
            state.under[place] = swapped - int(state.under[place])
    if state.unseen_jokers == 1 or state.unseen_jokers == 2:
        state.unseen_jokers ^= 3


@kernel
def _joker_rank(state: np.record, watcher: int, joker: int) -> np.uint64:
    """A number that depends on what the watcher knows of this joker alone."""
    cell = state.joker_cells[joker - JOKER]
    if cell != NOWHERE:
        return np.uint64(cell)
    if not sees(state, watcher, joker):
        return bits.bit(63) | state.traces[watcher, joker]  # no trace has that bit
    for place in range(state.under_count):
        if state.under[place] == joker:
            return bits.bit(30) + np.uint64(place)
    return bits.bit(20)


@kernel
def hand_size(state: np.record, seat: int) -> int:
    """How many cards the seat holds."""
    count = 0
    while count < HAND and state.hands[seat, count] != NO_CARD:
        count += 1
    return count


@kernel
def sort_hand(state: np.record, seat: int) -> None:
    """Put the seat's cards into ascending order."""
    for count in range(1, hand_size(state, seat)):
        card = state.hands[seat, count]
        index = count
        while index > 0 and state.hands[seat, index - 1] > card:
            state.hands[seat, index] = state.hands[seat, index - 1]
            index -= 1
        state.hands[seat, index] = card


@kernel
def determinize(state: np.record, seat: int, rng: Generator) -> None:
    """Deal the cards not seen to the hidden places, heeding the watcher's traces."""
    watcher = seat if seat >= 0 else SPECTATORS
    # Hidden places as (bit of a trace, seat or place): hands first, then under the pile.
    slots = np.empty(MAX_SEATS * HAND + PLACES, np.int8)
    count = 0
    for other in range(state.players):
        for index in range(HAND):
            if state.hands[other, index] == HIDDEN:
                slots[count] = other
                count += 1
    for place in range(state.under_count):
        if state.under[place] == HIDDEN:
            slots[count] = UNDER + place
            count += 1
    dealt = np.empty(len(slots), np.int8)
    for attempt in range(ATTEMPTS):
        dealt[:] = NO_CARD
        if _deal_traced(state, watcher, rng, slots[:count], dealt):
            break
        if attempt == ATTEMPTS - 1:
            dealt[:] = NO_CARD
    _deal_rest(state, rng, dealt[:count])
    _sort_passes(state, slots[:count], dealt)
    _put_down(state, slots[:count], dealt)


@kernel
def _is_unseen(state: np.record, card: int) -> bool:
    if card >= JOKER:
        return (state.unseen_jokers >> (card - JOKER)) & 1 != 0
    return bits.has(state.unseen, card)


@kernel
def _deal_traced(
    state: np.record,
    watcher: int,
    rng: Generator,
    slots: np.ndarray[tuple[int], np.dtype[np.int8]],
    dealt: np.ndarray[tuple[int], np.dtype[np.int8]],
) -> bool:
    """Put every card with a trace on a free slot of it, at random; False if there is none."""
    for card in range(TOKENS):
        trace = state.traces[watcher, card]
        if trace == _NOTHING or not _is_unseen(state, card):
            continue
        free = 0
        for index in range(len(slots)):
            free += bits.has(trace, int(slots[index])) and dealt[index] == NO_CARD
        if free == 0:
            return False
        choice = below(rng, free)
        for index in range(len(slots)):
            if bits.has(trace, int(slots[index])) and dealt[index] == NO_CARD:
                if choice == 0:
                    dealt[index] = card
                choice -= 1
    return True


@kernel
def _deal_rest(
    state: np.record, rng: Generator, dealt: np.ndarray[tuple[int], np.dtype[np.int8]]
) -> None:
    """Fill the free slots with the other cards not seen."""
    cards = np.empty(TOKENS, np.int8)
    count = 0
    for card in range(TOKENS):
        if _is_unseen(state, card):
            taken = False
            for index in range(len(dealt)):
                taken |= dealt[index] == card
            if not taken:
                cards[count] = card
                count += 1
    shuffle(rng, cards, count)
    for index in range(len(dealt)):
        if dealt[index] == NO_CARD:
            count -= 1
            dealt[index] = cards[count]


@kernel
def _sort_passes(
    state: np.record,
    slots: np.ndarray[tuple[int], np.dtype[np.int8]],
    dealt: np.ndarray[tuple[int], np.dtype[np.int8]],
) -> None:
    """Put cards that were passed together into the order of their names, as they went under."""
    for index in range(1, len(slots)):
        while (
            slots[index] > UNDER
            and slots[index - 1] == slots[index] - 1
            and not state.under_first[slots[index] - UNDER]
            and name_rank(int(dealt[index - 1])) > name_rank(int(dealt[index]))
        ):
            card = dealt[index]
            dealt[index] = dealt[index - 1]
            dealt[index - 1] = card
            index -= 1


@kernel
def name_rank(card: int) -> int:
    """A number that orders cards as their names do: J stands between G and R."""
    if card >= JOKER:
        return JOKER
    return card if card < JOKER // 2 else card + JOKER


@kernel
def _put_down(
    state: np.record,
    slots: np.ndarray[tuple[int], np.dtype[np.int8]],
    dealt: np.ndarray[tuple[int], np.dtype[np.int8]],
) -> None:
    """Lay the dealt cards on their slots; they are no longer in the unseen pile."""
    for index in range(len(slots)):
        card, slot = int(dealt[index]), int(slots[index])
        if card >= JOKER:
            state.unseen_jokers ^= 1 << (card - JOKER)
        else:
            state.unseen ^= bits.bit(card)
        if slot >= UNDER:
            state.under[slot - UNDER] = card
        else:
            at = 0
            while state.hands[slot, at] != HIDDEN:
                at += 1
            state.hands[slot, at] = card
    for seat in range(state.players):
        sort_hand(state, seat)
