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
from kwartet.games.carat.chips import KINDS, KINDS_AMONG
from kwartet.games.carat.patterns import describe

CARAT = find("carat")
LOOKS = CARAT.knowledge.looks
OPTIONS = [
    {"players": 2},
    {"players": 2, "hand": 3},
    {"players": 2, "colours": ["RB", "YG"]},
    {"players": 3, "colours": ["G", "R", "Y"]},
    {"players": 3, "hand": 3},
]


def positions(options: dict[str, object], seed: int) -> Iterator[States]:
    """The decisions of a random match, with everything that is hidden."""
    rng = generator(seed, 7)
    match = Match(CARAT, options, seed=seed)
    while match.actor is not None:
        yield match.state
        legal = match.legal_actions()
        match.play(legal[below(rng, len(legal))])


def viewers(state: States) -> list[int]:
    """The seats that look: of two the one to act."""
    return [int(state[0].seat)] if state[0].players == 2 else list(range(state[0].players))


def seen(state: States, seat: int | None = None) -> list[int]:
    """The inputs that are on, ascending; as the seat to act sees it, if no other is named."""
    look = LOOKS[str(state[0].players)]
    inputs: npt.NDArray[np.int32] = np.full(look.most + 4, -1, np.int32)
    count = sketch(state[0], int(state[0].seat) if seat is None else seat, inputs)
    assert count <= look.most
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
    kinds = KINDS if options["players"] == 2 else KINDS_AMONG
    for state in positions(options, 1):
        for seat in viewers(state):
            inputs = seen(state, seat)
            assert inputs[0] >= 0
            assert inputs[-1] < LOOKS[str(options["players"])].inputs
            chips = sum(each < kinds for each in inputs)
            assert chips == (state[0].missing > 0).sum()


@pytest.mark.parametrize("options", OPTIONS)
def test_a_position_looks_the_same_to_the_next_seat_where_everybody_moves_on_by_one(
    options: dict[str, object],
) -> None:
    for state in positions(options, 2):
        other, players = state.copy(), int(state[0].players)
        owned = other[0].owner >= 0
        other[0].owner[owned] = (other[0].owner[owned] + 1) % players
        other[0].seat = (state[0].seat + 1) % players
        other[0].hands[:players] = np.roll(state[0].hands[:players], 1, axis=0)
        for seat in viewers(state):
            assert seen(other, (seat + 1) % players) == seen(state, seat)


@pytest.mark.parametrize("players", [2, 3])
def test_what_the_other_seats_hold_is_not_seen(players: int) -> None:
    for number, state in enumerate(positions({"players": players}, 3)):
        for seat in viewers(state):
            other = state.copy()
            engine.redact(other, seat)
            assert seen(other, seat) == seen(state, seat)
            engine.determinize(other, seat, generator(number))
            assert seen(other, seat) == seen(state, seat)


def test_of_more_than_two_the_seat_that_leads_a_chip_is_told_by_its_turn() -> None:
    state = next(positions({"players": 3}, 5))
    state[0].missing[24] = 2
    ways = [(5, 3), (3, 5), (4, 4), (3, 4), (2, 5)]
    kinds: dict[int, list[set[int]]] = {seat: [] for seat in range(3)}
    for red, blue in ways:  # of seats 0 and 2
        state[0].sums[24] = red + (blue << 16)
        for seat in range(3):
            kinds[seat].append(set(seen(state, seat)))
    for seat in (0, 2):
        assert len({frozenset(each) for each in kinds[seat]}) == len(ways)
    one, two = (kinds[seat][0] - kinds[seat][2] for seat in (1, 2))  # where red is ahead
    assert len(one) == len(two) == 1
    assert one != two  # red's turn comes two after seat 1's and one after seat 2's


def turned(state: States) -> States:
    """The same position, a quarter turn on; the tiles as they lie do not matter."""
    other = state.copy()
    for name in ("chips", "missing", "sums"):
        other[0][name] = np.rot90(state[0][name].reshape(7, 7), -1).ravel()
    return other


def test_a_turned_board_looks_the_same() -> None:
    for state in positions({"players": 3}, 4):
        other = turned(state)
        assert all(seen(other, seat) == seen(state, seat) for seat in range(3))
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
