"""The Catan dice game's moves as text. § Notation in docs/games/catan_dice.md."""

import re
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
    END,
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
    SET_NUMBER,
    SETS,
    SETTLEMENT_COST,
    SETTLEMENT_POINTS,
    SETTLEMENT_ROADS,
)

FACE_NAMES: Final = ("ore", "grain", "wool", "timber", "brick", "gold")
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
        if len(words[1]) == DICE:
            if _sorted(words[1]) != dice_text(int(state.dice)):
                raise GameError("illegal-move", f"The dice are {dice_text(int(state.dice))}.")
            return [STOP]
        return [SET_NUMBER[_sorted(words[1])]]
    if (name := " ".join(words)) in _NUMBERS:
        return [_NUMBERS[name]]
    raise _unreadable(
        move, "write keep oogg, stop, trade b, joker 3 $, joker 6 $ o, R4, S3, C7, K1 or end"
    )


def _sorted(faces: str) -> str:
    return "".join(sorted(faces, key=FACES.index))


def _unreadable(move: str, advice: str) -> GameError:
    return GameError("bad-notation", f"{quoted(move)} is not a move of this game; {advice}.")


def objection(state: np.record, actor: int, action: int) -> str:
    """Why this action is not legal here."""
    if actor == CHANCE:
        return f"{DICE - state.lying} dice are rolled, not {len(SETS[action])}."
    lying = dice_text(int(state.dice)) or "none"
    if state.phase == CHOOSING:
        if action < STOP:
            return f"The dice are {lying}; {SETS[action]} are not among them."
        return "The dice may still be rolled again: keep some, or stop first."
    assert state.phase == ACTING
    if action <= STOP:
        return "The result of the dice stands."
    if action < TRADE:
        return _joker_objection(state, action, lying)
    if action < ROAD:
        return f"A trade takes two gold dice; the dice are {lying}."
    return _site_objection(state, action, lying)


def _joker_objection(state: np.record, action: int, lying: str) -> str:
    words = _NAMES[action].split()
    knight, face = int(words[1]) - 1, words[2]
    resource = FACES[knight] if action < WILD_JOKER else words[3]
    if knight >= state.knights[state.seat]:
        return f"Knight {knight + 1} has not been built."
    if state.used[state.seat] >> knight & 1:
        return f"Knight {knight + 1}'s joker has been used."
    if not state.same_turn_joker and knight >= state.veterans:
        return f"Knight {knight + 1} was built this turn; its joker is for later turns."
    if face == resource:
        return "A joker does not turn a die to the face it shows."
    return f"No die shows {FACE_NAMES[FACES.index(face)]}; the dice are {lying}."


def _site_objection(state: np.record, action: int, lying: str) -> str:
    """Why a road, settlement, city or knight cannot be built."""
    name = SITE_NAMES[action - ROAD] if action < END else ""
    seat = state.seat
    if action < SETTLEMENT:
        index, built, road, cost = action - ROAD, None, int(ROAD_PARENTS[action - ROAD]), ROAD_COST
        if has_road(state, index):
            return f"{name} has been built."
    elif action < CITY:
        index, built, cost = action - SETTLEMENT, state.settlements[seat], SETTLEMENT_COST
        road = int(SETTLEMENT_ROADS[index])
    elif action < KNIGHT:
        index, built, cost = action - CITY, state.cities[seat], CITY_COST
        road = int(CITY_ROADS[index])
    else:
        index, built, cost, road = action - KNIGHT, state.knights[seat], KNIGHT_COST, -1
    if built is not None and index < built:
        return f"{name} has been built."
    if built is not None and index > built:
        return f"{SITE_NAMES[action - ROAD - index + int(built)]} comes before {name}."
    if not has_road(state, road):
        return f"{name} needs the road R{road}."
    assert not can_pay(int(state.dice), cost)
    return f"{name} costs {dice_text(cost)}; the dice are {lying}."
