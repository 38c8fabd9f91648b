"""Why a card of Kwatro may not lie somewhere, in parts that any language can be made of.

The rules say yes or no; this looks for the first reason that a person would give.
"""

from itertools import product
from typing import Final, Literal, TypedDict

import numpy as np

from kwartet.games.kwatro.cards import COLOURS, JOKER, NO_CARD, SHAPES, card_name
from kwartet.games.kwatro.frontier import cell_x, cell_y
from kwartet.games.kwatro.lines import (
    COLUMN,
    LONGEST,
    NOWHERE,
    ROW,
    beside,
    card_at,
    is_line,
    jokers_agree,
    line,
)
from kwartet.games.kwatro.rules import LAYING, continues_play

Axis = Literal["row", "column"]
Trait = Literal["colour", "shape", "number"]
Reason = Literal["late", "apart", "gap", "long", "line", "joker", "jokers"]

AXES: Final[tuple[Axis, ...]] = ("row", "column")
TRAITS: Final[tuple[Trait, ...]] = ("colour", "shape", "number")


class Misfit(TypedDict):
    """Why a card may not lie on a cell.

    late: swaps come before the cards of a play. apart: it would touch no card. gap: it would
    not go on with this turn's run. long: a line of more than four. line: a line whose cards
    neither agree nor differ in a trait. joker: a joker for a joker. jokers: nothing that the
    jokers could be suits all their lines.
    """

    reason: Reason
    axis: Axis | None  # of the line that would be wrong
    trait: Trait | None  # that is wrong in it
    values: list[str]  # of its cards in that trait, as in their names; J for a joker
    cells: list[tuple[int, int]]  # of that line, the new card's among them


def misfit(state: np.record, cell: int, card: int) -> Misfit | None:
    """Why the card, one of the hand to act, may not go to this empty cell; None if it may.

    A cell may also be a joker's, whose place the card is to take.
    """
    there = card_at(state, cell)
    if there >= JOKER:
        if state.phase == LAYING:
            return _because("late")
        if card >= JOKER:
            return _because("joker")
    elif all(card_at(state, beside(cell, direction)) == NO_CARD for direction in range(4)):
        return apart()
    elif state.phase == LAYING and not continues_play(state, cell):
        return _because("gap")
    for axis in (ROW, COLUMN):
        length, known, seen, _ = line(state, cell, axis, cell, card)
        if length > LONGEST:
            return _about("long", state, cell, axis, card)
        if not is_line(known, seen):
            return _about("line", state, cell, axis, card)
    if jokers_agree(state, cell, card):
        return None
    return _because("jokers", trait=_unanswerable(state, cell, card))


def _because(reason: Reason, *, trait: Trait | None = None) -> Misfit:
    return {"reason": reason, "axis": None, "trait": trait, "values": [], "cells": []}


def apart() -> Misfit:
    """Why a card may not lie where it would touch none."""
    return _because("apart")


def _about(reason: Reason, state: np.record, cell: int, axis: int, card: int) -> Misfit:
    """A misfit because of a line, with the first trait that is wrong if it is not too long."""
    run = _run(state, cell, axis, cell, card)
    cards = list(run.values())
    wrong = [trait for trait in TRAITS if not _is_right(values_of(cards, trait))]
    trait = wrong[0] if reason == "line" else None
    return {
        "reason": reason,
        "axis": AXES[axis],
        "trait": trait,
        "values": values_of(cards, trait) if trait else [],
        "cells": [(cell_x(state, here), cell_y(state, here)) for here in run],
    }


def values_of(cards: list[int], trait: Trait) -> list[str]:
    """What the cards are in this trait, as in their names; J for a joker."""
    index = TRAITS.index(trait)
    return ["J" if card >= JOKER else card_name(card)[index] for card in cards]


def _is_right(values: list[str]) -> bool:
    """Whether the cards that are no jokers agree, or all differ."""
    known = [value for value in values if value != "J"]
    return len(set(known)) in (0, 1, len(known))


def _run(state: np.record, cell: int, axis: int, at: int, card: int) -> dict[int, int]:
    """Cards by cell of the run through `cell`, as if `card` lay at `at`, in order."""

    def content(here: int) -> int:
        return card if here == at else int(card_at(state, here))

    run = {cell: content(cell)}
    for way in range(2):
        here = beside(cell, 2 * axis + way)
        while content(here) != NO_CARD:
            run = {here: content(here)} | run if way else run | {here: content(here)}
            here = beside(here, 2 * axis + way)
    return run


def _unanswerable(state: np.record, cell: int, card: int) -> Trait:
    """The first trait for which the jokers have no values that suit all their lines."""
    jokers = [int(there) for there in state.joker_cells if there not in (NOWHERE, cell)]
    jokers += [cell] * (card >= JOKER)
    runs = [_run(state, joker, axis, cell, card) for joker in jokers for axis in (ROW, COLUMN)]
    for trait, names in zip(TRAITS, (COLOURS, SHAPES, "1234"), strict=True):
        for values in product(names, repeat=len(jokers)):
            meant = dict(zip(jokers, values, strict=True))
            told = [
                [
                    meant.get(here, value)
                    for here, value in zip(run, values_of([*run.values()], trait), strict=True)
                ]
                for run in runs
            ]
            if all(_is_right(values) for values in told):
                break
        else:
            return trait
    raise AssertionError("some value suits each trait, so the card fits")
