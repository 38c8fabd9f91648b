"""Carat: how placements and positions look to a search."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from kwartet.core import engine
from kwartet.core.chance import below, generator
from kwartet.core.engine import States
from kwartet.core.match import Match
from kwartet.core.verbs import sketch, survey
from kwartet.games import find
from kwartet.games.carat import rules
from kwartet.games.carat.chips import KINDS
from kwartet.games.carat.patterns import describe

CARAT = find("carat")
LOOK = CARAT.knowledge.looks["2"]
OPTIONS = [{"players": 2}, {"players": 2, "hand": 3}, {"players": 2, "colours": ["RB", "YG"]}]


def positions(options: dict[str, object], seed: int) -> Iterator[States]:
    """The decisions of a random match, with everything that is hidden."""
    rng = generator(seed, 7)
    match = Match(CARAT, options, seed=seed)
    while match.actor is not None:
        yield match.state
        legal = match.legal_actions()
        match.play(legal[below(rng, len(legal))])


def seen(state: States) -> list[int]:
    """The inputs that are on, ascending."""
    inputs: npt.NDArray[np.int32] = np.full(LOOK.most + 4, -1, np.int32)
    count = sketch(state[0], inputs)
    assert count <= LOOK.most
    assert (inputs[count:] == -1).all()
    return sorted(inputs[:count].tolist())


def features(state: States, cell: int, turn: int) -> list[int]:
    """Those of the acting seat's first tile there, ascending."""
    notes: npt.NDArray[np.int32] = np.zeros(CARAT.knowledge.notes, np.int32)
    survey(state[0], notes)
    out: npt.NDArray[np.int32] = np.zeros(CARAT.knowledge.max_features, np.int32)
    tile = int(state[0].hands[state[0].seat, 0])
    count = describe(state[0], (cell * rules.TILES + tile) * 4 + turn, notes, out)
    return sorted(out[:count].tolist())


@pytest.mark.parametrize("options", OPTIONS)
def test_every_input_is_one_that_there_is(options: dict[str, object]) -> None:
    for state in positions(options, 1):
        inputs = seen(state)
        assert inputs[0] >= 0
        assert inputs[-1] < LOOK.inputs
        chips = sum(each < KINDS for each in inputs)
        assert chips == (state[0].missing > 0).sum()


@pytest.mark.parametrize("options", OPTIONS)
def test_a_position_looks_the_same_to_the_other_seat_with_all_owners_swapped(
    options: dict[str, object],
) -> None:
    for state in positions(options, 2):
        other = state.copy()
        owned = other[0].owner >= 0
        other[0].owner[owned] = 1 - other[0].owner[owned]
        other[0].seat = 1 - state[0].seat
        other[0].hands[:2] = state[0].hands[1::-1]
        assert seen(other) == seen(state)


def test_what_the_other_seat_holds_is_not_seen() -> None:
    for number, state in enumerate(positions({"players": 2}, 3)):
        seat, other = int(state[0].seat), state.copy()
        engine.redact(other, seat)
        engine.determinize(other, seat, generator(number))
        assert seen(other) == seen(state)


def turned(state: States) -> States:
    """The same position, a quarter turn on; the tiles as they lie do not matter."""
    other = state.copy()
    for name in ("chips", "missing", "sums"):
        other[0][name] = np.rot90(state[0][name].reshape(7, 7), -1).ravel()
    return other


def test_a_turned_board_looks_the_same() -> None:
    for state in positions({"players": 3}, 4):
        other = turned(state)
        assert seen(other) == seen(state)
        for cell in range(rules.CELLS):
            if not int(state[0].placed) >> cell & 1:
                row, column = divmod(cell, rules.SIDE)
                there = column * rules.SIDE + rules.SIDE - 1 - row
                # the colour at the north-west goes to the north-east
                assert features(state, cell, 1) == features(other, there, 0)


def test_a_chip_is_known_by_who_leads_there() -> None:
    state = next(positions({"players": 2}, 5))
    kinds = set()
    for red, yellow, blue in ((5, 3, 0), (3, 5, 0), (4, 4, 0), (1, 1, 6), (0, 0, 8)):
        state[0].missing[24] = 2
        state[0].sums[24] = red + (yellow << 8) + (blue << 16)
        kinds.add(tuple(seen(state)))
    assert len(kinds) == 5
