"""Kwatro's moves as text: `RS3@2,-1`, `swap YC2@1,0`, `done`, `pass GT1 RS3`.

§ Notation in docs/games/kwatro.md. Cells are x,y from the start card.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from kwartet.core.errors import GameError, quoted
from kwartet.core.verbs import CHANCE
from kwartet.games.kwatro.cards import (
    CARDS,
    JOKER,
    JOKERS,
    KIND_OF_NAME,
    KINDS,
    card_name,
)
from kwartet.games.kwatro.fit import apart
from kwartet.games.kwatro.fit import misfit as misfit_of
from kwartet.games.kwatro.frontier import cell_x, cell_y, frontier_rank, is_on_frontier
from kwartet.games.kwatro.knowledge import hand_size
from kwartet.games.kwatro.lines import SIDE, card_at
from kwartet.games.kwatro.rules import (
    DONE,
    LAYING,
    PASS,
    SWAP,
    joker_on_field,
)
from kwartet.games.kwatro.why import KwatroObjection, because, in_words, refused

_PLACEMENT: Final = re.compile(r"(swap )?(J|[BGRY][CSTX][1-4])@(-?\d{1,2}),(-?\d{1,2})")


def cell_name(state: np.record, cell: int) -> str:
    """A cell as `2,-1`."""
    return f"{cell_x(state, cell)},{cell_y(state, cell)}"


def hand_names(state: np.record, seat: int) -> list[str]:
    """The names of a seat's cards."""
    return [card_name(card) for card in state.hands[seat, : hand_size(state, seat)].tolist()]


def names(state: np.record, actor: int, actions: Sequence[int]) -> list[str]:
    """The moves that these actions are, each on its own."""
    if actor == CHANCE:
        return [f"*{card_name(action)}" for action in actions]
    held = hand_names(state, actor)
    ranks = {action // KINDS for action in actions if action < SWAP}
    cells = {rank: cell_name(state, int(state.frontier[rank])) for rank in ranks}
    return [_name(state, action, held, cells) for action in actions]


def _name(state: np.record, action: int, held: list[str], cells: dict[int, str]) -> str:
    if action < SWAP:
        rank, kind = divmod(action, KINDS)
        return f"{card_name(kind)}@{cells[rank]}"
    if action < DONE:
        slot, card = divmod(action - SWAP, CARDS)
        return f"swap {card_name(card)}@{cell_name(state, joker_on_field(state, slot))}"
    if action == DONE:
        return "done"
    chosen = sorted(name for index, name in enumerate(held) if action - PASS >> index & 1)
    return " ".join(["pass", *chosen])


def public(state: np.record, actor: int, move: str) -> tuple[str, int] | None:
    """Of a move with a secret: what the others are told, and the seat that knows the rest."""
    if actor == CHANCE and state.due < state.players:
        return "*?", int(state.due)
    if move.startswith("pass "):
        return "pass" + " ?" * move.count(" "), actor
    return None


def read(state: np.record, actor: int, move: str) -> list[int]:
    """The action of a move; GameError if it is not notation or names no place there is."""
    if actor == CHANCE:
        if move[1:] in KIND_OF_NAME:
            return [KIND_OF_NAME[move[1:]]]
        raise _unreadable(move, "write a drawn card as *RS3 or *J")
    if move == "done":
        return [DONE]
    words = move.split()
    if words[:1] == ["pass"] and all(word in KIND_OF_NAME for word in words[1:]):
        return [PASS + _chosen(state, words[1:])]
    if placement := _PLACEMENT.fullmatch(move):
        swap, name, x, y = placement.groups()
        kind, cell = KIND_OF_NAME[name], _cell(state, int(x), int(y))
        return [_swap_action(state, kind, cell) if swap else _place_action(state, kind, cell)]
    raise _unreadable(move, "write RS3@2,-1, swap YC2@1,0, done, pass or pass GT1 RS3")


def _unreadable(move: str, advice: str) -> GameError:
    return GameError("bad-notation", f"{quoted(move)} is not a move of Kwatro; {advice}.")


def _cell(state: np.record, x: int, y: int) -> int:
    """The cell of these coordinates, if it is on the field or beside it."""
    cell = (y % SIDE) * SIDE + x % SIDE
    if (cell_x(state, cell), cell_y(state, cell)) != (x, y):
        raise refused(because("misfit", cell=(x, y), misfit=apart()))
    return cell


def _chosen(state: np.record, names: list[str]) -> int:
    """The hand cards of these names as a set of indices: of two jokers the first goes first."""
    held = hand_names(state, state.seat)
    for indices in combinations(range(len(held)), len(names)):
        if sorted(held[index] for index in indices) == sorted(names):
            return sum(1 << index for index in indices)
    lacking = Counter(names) - Counter(held)
    raise refused(because("hand", *lacking.elements()))


def _place_action(state: np.record, kind: int, cell: int) -> int:
    if state.field[cell]:
        raise refused(because("taken", card_name(card_at(state, cell)), cell=_xy(state, cell)))
    rank = frontier_rank(state, cell)
    if is_on_frontier(state, cell, rank):
        return rank * KINDS + kind
    raise refused(_misfit(state, cell, kind))


def _swap_action(state: np.record, kind: int, cell: int) -> int:
    for slot in range(JOKERS):
        if joker_on_field(state, slot) == cell:
            if kind == JOKER:
                raise refused(_misfit(state, cell, kind))
            return SWAP + slot * CARDS + kind
    raise refused(because("joker", cell=_xy(state, cell)))


def _misfit(state: np.record, cell: int, card: int) -> KwatroObjection:
    """Why a card may not lie at this cell, where it may not."""
    misfit = misfit_of(state, cell, card)
    assert misfit
    return because("misfit", card_name(card), cell=_xy(state, cell), misfit=misfit)


def _xy(state: np.record, cell: int) -> tuple[int, int]:
    return cell_x(state, cell), cell_y(state, cell)


def why(state: np.record, actor: int, action: int) -> KwatroObjection:
    """Why this action is not legal here."""
    if actor == CHANCE:
        return because("drawn", card_name(action))
    if state.phase == LAYING and action >= DONE:
        return because("late")
    if action >= DONE:
        return because("early" if action == DONE else "pile")
    if action < SWAP:
        rank, kind = divmod(action, KINDS)
        cell = int(state.frontier[rank])
    else:
        slot, kind = divmod(action - SWAP, CARDS)
        cell = joker_on_field(state, slot)
    if card_name(kind) not in hand_names(state, state.seat):
        return because("hand", card_name(kind))
    return _misfit(state, cell, held_card(state, kind))


def objection(state: np.record, actor: int, action: int) -> str:
    """The same as a sentence."""
    return in_words(why(state, actor, action))


def held_card(state: np.record, kind: int) -> int:
    """The first card of this kind in the hand to act, which must have one."""
    held = state.hands[state.seat, : hand_size(state, state.seat)].tolist()
    return next(card for card in held if min(card, JOKER) == kind)
