"""The Catan dice game's moves as text. § Notation in docs/games/catan_dice.md."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from kwartet.core.errors import GameError, quoted
from kwartet.core.verbs import CHANCE
from kwartet.games.catan_dice.rules import (
    ACTING,
    ACTIONS,
    CHOOSING,
    CITY,
    KNIGHT,
    ROAD,
    SETTLEMENT,
    STOP,
    TRADE,
    WILD,
    WILD_JOKER,
    can_pay,
    has_road,
)
from kwartet.games.catan_dice.tables import (
    CITY_COST,
    CITY_POINTS,
    CITY_ROADS,
    DICE,
    FACES,
    KNIGHT_COST,
    KNIGHTS,
    RESOURCES,
    ROAD_COST,
    ROAD_PARENTS,
    ROADS,
    SET_DICE,
    SET_NUMBER,
    SETS,
    SETTLEMENT_COST,
    SETTLEMENT_POINTS,
    SETTLEMENT_ROADS,
    TRADE_COST,
)
from kwartet.games.catan_dice.why import CatanDiceObjection, because, in_words, refused

SITE_NAMES: Final = (
    *(f"R{road}" for road in range(ROADS)),
    *(f"S{points}" for points in SETTLEMENT_POINTS),
    *(f"C{points}" for points in CITY_POINTS),
    *(f"K{knight + 1}" for knight in range(KNIGHTS)),
)
_DICE_TEXT: Final = re.compile(r"[ogwtb$]{0,6}")


def _after_the_roll() -> list[str]:
    """The notation of every action from STOP on."""
    jokers = [f"joker {knight + 1} {face}" for knight in range(WILD) for face in FACES]
    wild = [f"joker 6 {face} {turned}" for face in FACES for turned in FACES[:RESOURCES]]
    trades = [f"trade {face}" for face in FACES[:RESOURCES]]
    return ["stop", *jokers, *wild, *trades, *SITE_NAMES, "end"]


_NAMES: Final = [*(f"keep {faces}".strip() for faces in SETS[:STOP]), *_after_the_roll()]
_NUMBERS: Final = {name: number for number, name in enumerate(_NAMES)}
assert len(_NAMES) == ACTIONS


def dice_text(dice: int) -> str:
    """Dice as letters, in the order of the faces."""
    return "".join(face * (dice >> 4 * index & 15) for index, face in enumerate(FACES))


def names(state: np.record, actor: int, actions: Sequence[int]) -> list[str]:
    """The moves that these actions are, each on its own."""
    if actor == CHANCE:
        return [f"*{SETS[action]}" for action in actions]
    return [_NAMES[action] for action in actions]


def read(state: np.record, actor: int, move: str) -> list[int]:
    """The action of a move, its dice in any order; GameError if it is not notation."""
    if actor == CHANCE:
        if _DICE_TEXT.fullmatch(move[1:]):
            return [SET_NUMBER[_sorted(move[1:])]]
        raise _unreadable(move, "write a roll as *ogwtb$, a letter for each die")
    words = move.split()
    if words[:1] == ["keep"] and len(words) == 2 and _DICE_TEXT.fullmatch(words[1]):
        faces = _sorted(words[1])
        if len(faces) < DICE:
            return [SET_NUMBER[faces]]
        if state.phase == CHOOSING and faces != dice_text(int(state.dice)):
            raise refused(_unkept(state, faces))
        return [STOP]
    if (name := " ".join(words)) in _NUMBERS:
        return [_NUMBERS[name]]
    raise _unreadable(
        move, "write keep oogg, stop, trade b, joker 3 $, joker 6 $ o, R4, S3, C7, K1 or end"
    )


def _sorted(faces: str) -> str:
    return "".join(sorted(faces, key=FACES.index))


def _unreadable(move: str, advice: str) -> GameError:
    return GameError("bad-notation", f"{quoted(move)} is not a move of this game; {advice}.")


def why(state: np.record, actor: int, action: int) -> CatanDiceObjection:
    """Why this action is not legal here."""
    if actor == CHANCE:
        return because("count", number=int(DICE - state.lying), faces=SETS[action])
    if state.phase == CHOOSING:
        return _unkept(state, SETS[action]) if action < STOP else because("rolling")
    assert state.phase == ACTING
    if action <= STOP:
        return because("stands")
    if action < TRADE:
        return _why_no_joker(state, action)
    if action < ROAD:
        return because("gold", missing=_missing(state, TRADE_COST))
    return _why_no_site(state, action)


def objection(state: np.record, actor: int, action: int) -> str:
    """The same as a sentence."""
    return in_words(why(state, actor, action))


def _unkept(state: np.record, faces: str) -> CatanDiceObjection:
    """Why these faces cannot be kept."""
    return because("dice", faces=faces, missing=_missing(state, SET_DICE[SET_NUMBER[faces]]))


def _missing(state: np.record, wanted: int) -> str:
    """What the dice lack of these."""
    lacking = Counter(dice_text(int(wanted))) - Counter(dice_text(int(state.dice)))
    return _sorted("".join(lacking.elements()))


def _why_no_joker(state: np.record, action: int) -> CatanDiceObjection:
    words = _NAMES[action].split()
    number, face = int(words[1]), words[2]
    resource = FACES[number - 1] if action < WILD_JOKER else words[3]
    if number > state.knights[state.seat]:
        return because("knight", number=number)
    if state.used[state.seat] >> number - 1 & 1:
        return because("used", number=number)
    if not state.same_turn_joker and number > state.veterans:
        return because("new", number=number)
    return because("same" if face == resource else "face", faces=face, number=number)


def _why_no_site(state: np.record, action: int) -> CatanDiceObjection:
    """Why a road, settlement, city or knight cannot be built."""
    name = SITE_NAMES[action - ROAD]
    seat = state.seat
    if action < SETTLEMENT:
        index, built, cost = action - ROAD, None, ROAD_COST
        road = int(ROAD_PARENTS[index])
        if has_road(state, index):
            return because("built", site=name)
    elif action < CITY:
        index, built, cost = action - SETTLEMENT, state.settlements[seat], SETTLEMENT_COST
        road = int(SETTLEMENT_ROADS[index])
    elif action < KNIGHT:
        index, built, cost = action - CITY, state.cities[seat], CITY_COST
        road = int(CITY_ROADS[index])
    else:
        index, built, cost, road = action - KNIGHT, state.knights[seat], KNIGHT_COST, -1
    if built is not None and index < built:
        return because("built", site=name)
    if built is not None and index > built:
        return because("order", site=name, needs=SITE_NAMES[action - ROAD - index + int(built)])
    if not has_road(state, road):
        return because("road", site=name, needs=f"R{road}")
    assert not can_pay(int(state.dice), cost)
    return because("cost", site=name, faces=dice_text(cost), missing=_missing(state, cost))
