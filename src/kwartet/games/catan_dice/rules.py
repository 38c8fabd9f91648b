"""The Catan dice game: up to three rolls, then trade, turn and build; 15 turns each.

§ points into docs/games/catan_dice.md. What a seat may do after rolling is two sets
of bits, one for jokers and one for the rest; listing walks them, sampling picks
from them. Keeping all dice is the same as stopping, so only `STOP` stands for it.
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
from kwartet.games.catan_dice.tables import (
    CITY_COST,
    CITY_POINTS,
    CITY_ROADS,
    DICE,
    FIRST_OF_SIZE,
    FIRST_ROLL,
    KNIGHT_COST,
    KNIGHTS,
    RESOURCES,
    ROAD_COST,
    ROAD_PARENTS,
    ROADS,
    ROLL_COUNT,
    ROLLS,
    SET_COUNT,
    SET_DICE,
    SET_RANKS,
    SET_SIZE,
    SET_WEIGHT,
    SETTLEMENT_COST,
    SETTLEMENT_POINTS,
    SETTLEMENT_ROADS,
    TRADE_COST,
)

MAX_SEATS: Final = 4
TURNS: Final = 15
MAX_ROLLS: Final = 3
CROSS: Final = -2  # §A turn 3: nothing was built
WILD: Final = 5  # the sixth knight's index: its joker is any resource

ROLLING, CHOOSING, ACTING, ENDED = range(4)

# Actions, ascending. A kept set has its number among sets of at most five dice.
STOP: Final = 462
JOKER: Final = STOP + 1  # + 6 · knight + face that it turns, for knights 0–4
WILD_JOKER: Final = JOKER + 30  # + 5 · face that it turns + resource that it becomes
TRADE: Final = WILD_JOKER + 30  # + resource
ROAD: Final = TRADE + RESOURCES
SETTLEMENT: Final = ROAD + ROADS
CITY: Final = SETTLEMENT + len(SETTLEMENT_POINTS)
KNIGHT: Final = CITY + len(CITY_POINTS)
END: Final = KNIGHT + KNIGHTS

ACTIONS: Final = END + 1
CHANCE_ACTIONS: Final = SET_COUNT  # the number of the set that was rolled
SECRETS: Final = False
MAX_LEGAL: Final = 462
MAX_ACTIONS: Final = MAX_SEATS * TURNS * 24

_SPARE: Final = 0x888888  # one free bit a nibble: none of them is borrowed if dice suffice
_NO_BITS: Final = np.uint64(0)
_ALL_RESOURCES: Final = np.uint64(0b11111)

STATE: Final = record_dtype(
    ("dice", np.int32),  # that lie on the table, as nibbles
    ("total", np.int32, (MAX_SEATS,)),  # sum of a seat's boxes
    ("roads", np.uint16, (MAX_SEATS,)),  # built, as bits; the free road is not among them
    ("settlements", np.int8, (MAX_SEATS,)),  # how many, always the cheapest ones
    ("cities", np.int8, (MAX_SEATS,)),
    ("knights", np.int8, (MAX_SEATS,)),
    ("used", np.uint8, (MAX_SEATS,)),  # jokers, as bits
    ("boxes", np.int8, (MAX_SEATS, TURNS)),  # points or CROSS, written when a turn ends
    ("turn", np.int8),  # 0–14
    ("seat", np.int8),  # whose turn it is
    ("phase", np.int8),
    ("lying", np.int8),  # how many dice lie on the table
    ("rolls", np.int8),  # made this turn
    ("gained", np.int8),  # points built this turn
    ("veterans", np.int8),  # knights the seat had when the turn began
    ("players", np.int8),
    ("same_turn_joker", np.bool_),
)


def start(options: Options) -> npt.NDArray[np.void]:
    """Empty islands, all dice in seat 0's hand."""
    states = np.zeros(1, STATE)
    state = states[0]
    state.players = options["players"]
    state.same_turn_joker = options["same_turn_joker"]
    return states


@kernel
def seats(state: np.record) -> int:
    """How many play."""
    return int(state.players)


@kernel
def actor(state: np.record) -> int:
    """CHANCE while dice roll; then the seat, or OVER."""
    if state.phase == ROLLING:
        return CHANCE
    return OVER if state.phase == ENDED else int(state.seat)


@kernel
def can_pay(dice: int, cost: int) -> bool:
    """Whether these dice hold that multiset."""
    return ((dice | _SPARE) - cost) & _SPARE == _SPARE


@kernel
def has_road(state: np.record, road: int) -> bool:
    """Whether the seat to act has built this road; the free one, -1, is always there."""
    return road < 0 or (state.roads[state.seat] >> road) & 1 != 0


@kernel
def open_roads(state: np.record) -> np.uint64:
    """The roads that can be built next."""
    roads = _NO_BITS
    for road in range(ROADS):
        if not has_road(state, road) and has_road(state, ROAD_PARENTS[road]):
            roads |= bits.bit(road)
    return roads


@kernel
def joker_actions(state: np.record) -> np.uint64:
    """The legal actions from JOKER on, as bits. A joker never turns a die to its own face."""
    faces = _NO_BITS
    for face in range(DICE):
        if (state.dice >> 4 * face) & 15:
            faces |= bits.bit(face)
    ready = state.knights[state.seat] if state.same_turn_joker else state.veterans
    actions = _NO_BITS
    for knight in range(ready):
        if bits.has(np.uint64(state.used[state.seat]), knight):
            continue
        if knight < WILD:
            actions |= (faces & ~bits.bit(knight)) << np.uint64(6 * knight)
            continue
        for face in range(DICE):
            if bits.has(faces, face):
                wanted = _ALL_RESOURCES & ~bits.bit(face)
                actions |= wanted << np.uint64(WILD_JOKER - JOKER + RESOURCES * face)
    return actions


@kernel
def other_actions(state: np.record) -> np.uint64:
    """The legal actions from TRADE on, as bits. §The sheet: sites and knights in order."""
    actions = bits.bit(END - TRADE)
    dice = state.dice
    if can_pay(dice, TRADE_COST):
        actions |= _ALL_RESOURCES
    if can_pay(dice, ROAD_COST):
        actions |= open_roads(state) << np.uint64(ROAD - TRADE)
        settlement = state.settlements[state.seat]
        if (
            settlement < len(SETTLEMENT_POINTS)
            and can_pay(dice, SETTLEMENT_COST)
            and has_road(state, SETTLEMENT_ROADS[settlement])
        ):
            actions |= bits.bit(SETTLEMENT - TRADE + settlement)
    city = state.cities[state.seat]
    if city < len(CITY_POINTS) and can_pay(dice, CITY_COST) and has_road(state, CITY_ROADS[city]):
        actions |= bits.bit(CITY - TRADE + city)
    knight = state.knights[state.seat]
    if knight < KNIGHTS and can_pay(dice, KNIGHT_COST):
        actions |= bits.bit(KNIGHT - TRADE + knight)
    return actions


@kernel
def legal_actions(state: np.record, out: npt.NDArray[np.int32]) -> int:
    """The sets that may come up, the sets that may be kept, or what may be done."""
    count = 0
    if state.phase == ROLLING:
        size = DICE - state.lying
        for number in range(FIRST_OF_SIZE[size], FIRST_OF_SIZE[size + 1]):
            out[count] = number
            count += 1
        return count
    if state.phase == CHOOSING:
        for number in range(STOP):
            if can_pay(state.dice, SET_DICE[number]):
                out[count] = number
                count += 1
        out[count] = STOP
        return count + 1
    jokers, others = joker_actions(state), other_actions(state)
    for number in range(TRADE - JOKER):
        if bits.has(jokers, number):
            out[count] = JOKER + number
            count += 1
    for number in range(ACTIONS - TRADE):
        if bits.has(others, number):
            out[count] = TRADE + number
            count += 1
    return count


@kernel
def random_action(state: np.record, rng: Generator) -> int:
    """A roll as likely as it is; a uniform kept set; a uniform action."""
    if state.phase == ROLLING:
        size = DICE - state.lying
        return ROLLS[FIRST_ROLL[size] + below(rng, ROLL_COUNT[size])]
    if state.phase == CHOOSING:
        return _random_kept(state.dice, rng)
    jokers, others = joker_actions(state), other_actions(state)
    joker_count = bits.size(jokers)
    choice = below(rng, joker_count + bits.size(others))
    if choice < joker_count:
        return JOKER + bits.nth(jokers, choice)
    return TRADE + bits.nth(others, choice - joker_count)


@kernel
def _random_kept(dice: int, rng: Generator) -> int:
    """A uniform multiset of the dice; all of them stand for STOP."""
    sets = 1
    for face in range(DICE):
        sets *= ((dice >> 4 * face) & 15) + 1
    choice = below(rng, sets)
    kept = 0
    for face in range(DICE):
        ways = ((dice >> 4 * face) & 15) + 1
        kept |= (choice % ways) << 4 * face
        choice //= ways
    return STOP if kept == dice else set_number(kept)


@kernel
def set_number(dice: int) -> int:
    """The number of a multiset given as nibbles."""
    size = 0
    number = 0
    for face in range(DICE - 1, -1, -1):
        count = (dice >> 4 * face) & 15
        size += count
        number += SET_RANKS[face, count, size]
    return FIRST_OF_SIZE[size] + number


@kernel
def chance_weight(state: np.record, action: int) -> int:
    """In how many rolls of the dice the set comes up."""
    return SET_WEIGHT[action]


def draw(state: np.record, lot: Lot) -> int:
    """The roll: of so many dice the first that this roll of this turn of the seat has. §Luck"""
    roll = f"die {state.seat} {state.turn} {state.rolls}"
    faces = [lot(f"{roll} {die}", DICE) for die in range(DICE - state.lying)]
    return int(set_number(sum(1 << 4 * face for face in faces)))


@kernel
def apply(state: np.record, action: int) -> None:
    """Advance `state` in place by a legal action."""
    if state.phase == ROLLING:
        state.dice += SET_DICE[action]
        state.lying = DICE
        state.rolls += 1
        state.phase = ACTING if state.rolls == MAX_ROLLS else CHOOSING
    elif action < STOP:
        state.dice = SET_DICE[action]
        state.lying = SET_SIZE[action]
        state.phase = ROLLING
    elif action == STOP:
        state.phase = ACTING
    elif action < TRADE:
        _use_joker(state, action - JOKER)
    elif action < ROAD:
        state.dice += (1 << 4 * (action - TRADE)) - TRADE_COST
    elif action < END:
        _build(state, action)
    else:
        _end_turn(state)


@kernel
def _use_joker(state: np.record, number: int) -> None:
    if number < WILD_JOKER - JOKER:
        knight, face = number // 6, number % 6
        resource = knight
    else:
        knight = WILD
        face, resource = (number - 30) // RESOURCES, (number - 30) % RESOURCES
    state.used[state.seat] |= 1 << knight
    state.dice += (1 << 4 * resource) - (1 << 4 * face)


@kernel
def _build(state: np.record, action: int) -> None:
    seat = state.seat
    if action < SETTLEMENT:
        state.roads[seat] |= 1 << (action - ROAD)
        state.dice -= ROAD_COST
        state.gained += 1
    elif action < CITY:
        state.settlements[seat] += 1
        state.dice -= SETTLEMENT_COST
        state.gained += SETTLEMENT_POINTS[action - SETTLEMENT]
    elif action < KNIGHT:
        state.cities[seat] += 1
        state.dice -= CITY_COST
        state.gained += CITY_POINTS[action - CITY]
    else:
        state.knights[seat] += 1
        state.dice -= KNIGHT_COST
        state.gained += action - KNIGHT + 1


@kernel
def _end_turn(state: np.record) -> None:
    points = state.gained if state.gained > 0 else CROSS
    state.boxes[state.seat, state.turn] = points
    state.total[state.seat] += points
    state.seat += 1
    if state.seat == state.players:
        state.seat = 0
        state.turn += 1
    state.dice = 0
    state.lying = 0
    state.rolls = 0
    state.gained = 0
    state.veterans = state.knights[state.seat]
    state.phase = ENDED if state.turn == TURNS else ROLLING


@kernel
def scores(state: np.record, out: npt.NDArray[np.int32]) -> None:
    """The sums of the boxes written so far."""
    for seat in range(state.players):
        out[seat] = state.total[seat]


@kernel
def winners(state: np.record, out: npt.NDArray[np.int8]) -> None:
    """The highest total wins; equal totals share the win."""
    mark_highest(state.total, state.players, out)


@kernel
def redact(state: np.record, seat: int) -> None:
    """Everything lies open."""


@kernel
def determinize(state: np.record, seat: int, rng: Generator) -> None:
    """Everything lies open."""
