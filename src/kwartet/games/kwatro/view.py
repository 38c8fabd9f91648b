"""Kwatro as a person sees it: other hands are numbers, the pile is a number."""

from typing import Final, TypedDict

import numpy as np
import numpy.typing as npt

from kwartet.core.errors import GameError, quoted
from kwartet.games.kwatro.cards import HIDDEN, KIND_OF_NAME, NO_CARD, card_name
from kwartet.games.kwatro.fit import Misfit, misfit
from kwartet.games.kwatro.frontier import cell_x, cell_y, places
from kwartet.games.kwatro.knowledge import hand_size
from kwartet.games.kwatro.lines import COLUMN, ROW, beside, card_at, line_sum, play_points
from kwartet.games.kwatro.notation import hand_names, held_card
from kwartet.games.kwatro.plays import points_with
from kwartet.games.kwatro.rules import LAYING, ends_match

AXES: Final = (ROW, COLUMN)

# What to colour in `text`, as patterns and colours; a terminal may use it.
PALETTE: Final = {
    r"\bB[CSTX][1-4]\b": "blue",
    r"\bG[CSTX][1-4]\b": "green",
    r"\bR[CSTX][1-4]\b": "red",
    r"\bY[CSTX][1-4]\b": "yellow",
    r"\bJ\b": "bold magenta",
}


class Laid(TypedDict):
    """A card on the field; x to the right, y down, from the start card."""

    x: int
    y: int
    card: str


class Line(TypedDict):
    """A line that a play made or extended."""

    cells: list[tuple[int, int]]
    sum: int  # of its numbers


class Play(TypedDict):
    """The cards of one turn and what they score."""

    seat: int
    cells: list[tuple[int, int]]
    lines: list[Line]
    points: int


class KwatroView(TypedDict):
    """What a seat sees."""

    field: list[Laid]
    hands: list[list[str] | int]  # one's own cards; of the others, how many
    pile: int
    under: list[str | None]  # cards passed under the pile from the top; None: another's
    passes: int  # in a row
    play: Play | None  # being laid now
    last_play: Play | None


class Spot(TypedDict):
    """What would come of a card on a cell beside the field, or in the place of a joker."""

    x: int
    y: int
    points: int | None  # of this play with the card there; 0 for a swap; None if it may not
    why: Misfit | None  # why it may not


def view(state: np.record, seat: int) -> KwatroView:
    """The field, one's own hand and the play that is being laid or was laid last."""
    laying = state.phase == LAYING
    return {
        "field": _field(state),
        "hands": [
            hand_names(state, other) if other == seat else int(hand_size(state, other))
            for other in range(state.players)
        ],
        "pile": int(state.pile),
        "under": [
            None if card == HIDDEN else card_name(card)
            for card in state.under[: state.under_count].tolist()
        ],
        "passes": int(state.passes),
        "play": _play_in_hand(state) if laying else None,
        "last_play": _play(state, int(state.last_seat), state.line_sums, int(state.last_points))
        if state.last_seat >= 0 and not laying
        else None,
    }


def preview(state: np.record, piece: str) -> list[Spot]:
    """What would come of a card of the seat to act, on each cell where one could ask that.

    Elsewhere it would touch no card, or lie on one.
    """
    if piece not in hand_names(state, state.seat):
        raise GameError("illegal-move", f"{quoted(piece)} is not in the hand.")
    kind = KIND_OF_NAME[piece]
    card = held_card(state, kind)
    taken = np.flatnonzero(state.field).tolist()
    around = {beside(cell, direction) for cell in taken for direction in range(4)} - set(taken)
    jokers = {int(cell) for cell in state.joker_cells if cell >= 0}
    spots: list[Spot] = []
    for cell in sorted(around | jokers):
        why = misfit(state, cell, card)
        scores = why is None and card_at(state, cell) == NO_CARD
        points = int(points_with(state, cell, kind)) if scores else None if why else 0
        x, y = _place(state, cell)
        spots.append({"x": x, "y": y, "points": points, "why": why})
    return spots


def _field(state: np.record) -> list[Laid]:
    """The cards on the field, asking for all their places at once."""
    cells = np.flatnonzero(state.field)
    found = np.empty((len(cells), 2), np.int64)
    places(state, cells, found)
    cards = state.field[cells].tolist()
    return [
        {"x": x, "y": y, "card": card_name(card - 1)}
        for (x, y), card in zip(found.tolist(), cards, strict=True)
    ]


def _play_in_hand(state: np.record) -> Play:
    """The cards being laid, with what they would score if the play were done now."""
    sums = np.array(
        [[line_sum(state, index, axis) for axis in AXES] for index in range(state.laid_count)]
    )
    return _play(state, int(state.seat), sums, int(play_points(state, ends_match(state))))


def _play(state: np.record, seat: int, sums: npt.NDArray[np.integer], points: int) -> Play:
    cells = [int(cell) for cell in state.laid[: state.laid_count]]
    return {
        "seat": seat,
        "cells": [_place(state, cell) for cell in cells],
        "lines": [
            {"cells": _line_cells(state, cell, axis), "sum": int(sums[index, axis])}
            for index, cell in enumerate(cells)
            for axis in AXES
            if sums[index, axis] >= 0
        ],
        "points": points,
    }


def _line_cells(state: np.record, cell: int, axis: int) -> list[tuple[int, int]]:
    while card_at(state, beside(cell, 2 * axis + 1)) >= 0:
        cell = beside(cell, 2 * axis + 1)
    cells = []
    while card_at(state, cell) >= 0:
        cells.append(_place(state, cell))
        cell = beside(cell, 2 * axis)
    return cells


def _place(state: np.record, cell: int) -> tuple[int, int]:
    return cell_x(state, cell), cell_y(state, cell)


def text(view: KwatroView) -> str:
    """The field as a grid of cards with its coordinates, then hands and the play."""
    lines = _grid(view["field"]) if view["field"] else []
    for seat, hand in enumerate(view["hands"]):
        held = " ".join(hand) if isinstance(hand, list) else f"{hand} hidden cards"
        lines.append(f"Seat {seat} holds {held or 'nothing'}.")
    lines.append(f"Cards in the pile: {view['pile']}.")
    if play := view["play"]:
        lines.append(f"This play so far: {explained(play)}")
    if play := view["last_play"]:
        lines.append(f"Last play, by seat {play['seat']}: {explained(play)}")
    return "\n".join(lines)


def _grid(field: list[Laid]) -> list[str]:
    cards = {(laid["x"], laid["y"]): laid["card"] for laid in field}
    columns = range(min(x for x, _ in cards) - 1, max(x for x, _ in cards) + 2)
    rows = range(min(y for _, y in cards) - 1, max(y for _, y in cards) + 2)
    lines = ["     " + "".join(f"{x:^4}" for x in columns)]
    for y in rows:
        lines.append(f"{y:>4} " + "".join(f"{cards.get((x, y), '·'):^4}" for x in columns))
    return lines


def explained(play: Play) -> str:
    """How a play is counted."""
    sums = " + ".join(str(line["sum"]) for line in play["lines"])
    total = sum(line["sum"] for line in play["lines"])
    factor = play["points"] // total if total else 1
    if factor == 1:
        return f"{sums} = {play['points']}."
    return f"({sums}) × {factor} = {play['points']}."
