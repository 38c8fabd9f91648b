"""Carnac's patterns: read as they are told, the same in mirrors and turned."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kwartet.bots import prior as priors
from kwartet.bots.instinct import list_candidates, rate_by_prior
from kwartet.core.chance import below, generator
from kwartet.core.kernels import kernel
from kwartet.core.match import Match
from kwartet.core.verbs import describe, survey
from kwartet.games import find
from kwartet.games.carnac import patterns, rules

CARNAC = find("carnac")
NORTH, EAST, SOUTH, WEST = SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))
AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
Square = tuple[int, int]


@kernel
def described(states: Any, action: int, notes: Any, out: Any) -> int:
    survey(states[0], notes)
    return describe(states[0], action, notes, out)


def features_of(states: Any, action: int) -> list[int]:
    notes = np.zeros(CARNAC.knowledge.notes, np.int32)
    out = np.zeros(CARNAC.knowledge.max_features, np.int32)
    return out[: described(states.copy(), action, notes, out)].tolist()


def actions_of(states: Any) -> list[int]:
    out = np.zeros(rules.MAX_LEGAL, np.int32)
    return out[: list_candidates(states, out)].tolist()


def positions(board: str, seed: int, **options: Any) -> Iterator[Any]:
    """The states of a random match."""
    match, rng = Match(CARNAC, {"board": board, **options}, seed=seed), generator(seed)
    while match.actor is not None:
        yield match.state
        legal = match.legal_actions()
        match.play(legal[below(rng, len(legal))])


def beyond(at: Square, step: Square, far: int = 1) -> Square:
    return at[0] + far * step[0], at[1] + far * step[1]


class Plain:
    """A position read in the plainest way: squares by row and column, groups by flooding."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.own: dict[Square, bool] = {}  # of every square that counts
        self.group: dict[Square, frozenset[Square]] = {}
        tilting = int(state.last) if state.phase == rules.TILTING else 0
        for row in range(state.rows):
            for column in range(state.columns):
                cell = rules.cell_of(row * rules.MAX_COLUMNS + column)
                if state.cells[cell] > 0 and cell != tilting:
                    colour = (state.cells[cell] & rules.COLOUR) - rules.RED
                    self.own[row, column] = bool(colour == state.seat)
        for square in self.own:
            group, rest = {square}, [square]
            while rest:
                here = rest.pop()
                for step in SIDES:
                    there = beyond(here, step)
                    if there not in group and self.own.get(there) == self.own[square]:
                        group.add(there)
                        rest.append(there)
            self.group[square] = frozenset(group)

    def is_wall(self, at: Square) -> bool:
        return not (0 <= at[0] < self.state.rows and 0 <= at[1] < self.state.columns)

    def sort(self, at: Square) -> int:
        return 3 if self.is_wall(at) else {None: 0, True: 1, False: 2}[self.own.get(at)]

    def kind(self, at: Square) -> int:
        if self.is_wall(at):
            return 7
        size = min(3, len(self.group[at])) if at in self.own else 0
        return size + 3 * (size > 0 and not self.own[at])

    def change(self, own: bool, *squares: Square) -> int:
        beside = {beyond(square, step) for square in squares for step in SIDES}
        joined = {self.group[each] for each in beside if self.own.get(each) == own}
        dolmens = sum(len(group) >= 3 for group in joined)
        size = len(squares) + sum(map(len, joined))
        if dolmens:
            found = min(dolmens, 3) + 2
        else:
            found = min(size, 3) - 1
        names = ["LONE", "PAIR", "MADE", "GREW", "MERGED", "MERGED_TWICE"]
        return int(getattr(patterns, f"{'OWN' if own else 'OTHER'}_{names[found]}"))

    def lead(self) -> int:
        dolmens = {group for group in self.group.values() if len(group) >= 3}
        return sum(1 if self.own[min(group)] else -1 for group in dolmens)

    def contexts(self, slot: int) -> list[int]:
        state, slots = self.state, 49
        phase = 0 if state.stock > 18 else 1 if state.stock > 9 else 2
        board = {5: 0, 7: 1, 9: 2}[int(state.rows)]
        lead = min(max(self.lead(), -6), 6) + 6
        return [
            patterns.STOCK + (board * 29 + int(state.stock)) * slots + slot,
            patterns.LEAD + ((board * 3 + phase) * 13 + lead) * slots + slot,
            patterns.SPACE + min(int(state.empties), 47) * slots + slot,
        ]

    def describe(self, action: int) -> list[int]:
        if action >= rules.TILT:
            return self.describe_tilt(action)
        state = self.state
        at = divmod(action >> 2, rules.MAX_COLUMNS)
        top_own = bool((action >> 1) & 1 == state.seat)
        sides_own = bool(action & 1 == state.seat)  # the faces to the east and west
        ways = [
            step
            for step in SIDES
            if self.sort(beyond(at, step)) == self.sort(beyond(at, step, 2)) == 0
            and (state.stock > 1 or state.final_tilt)
        ]
        turn = bool(ways) and not sides_own  # so that its own colour faces east and west
        sides = SIDES[1:] + SIDES[:1] if turn else SIDES
        around = AROUND[2:] + AROUND[:2] if turn else AROUND
        place = 2 * (not ways) + (not top_own)
        ring = sum(self.sort(beyond(at, step)) << 2 * i for i, step in enumerate(around))
        cross = sum(
            self.sort(beyond(at, step, far)) << (4 * i + 2 * (far - 1))
            for i, step in enumerate(sides)
            for far in (1, 2)
        )
        beside = sum(self.kind(beyond(at, step)) << 3 * i for i, step in enumerate(sides))
        falls = {True: 12, False: 12}
        for step in ways:
            shows_own = sides_own if step in (EAST, WEST) else not sides_own
            found = self.change(shows_own, beyond(at, step), beyond(at, step, 2))
            falls[shows_own] = min(falls[shows_own], found)
        stands = self.change(top_own, at)
        phase = 0 if state.stock > 18 else 1 if state.stock > 9 else 2
        stage = {5: 0, 7: 3, 9: 6}[int(state.rows)] + phase
        over = min(at[1], int(state.columns) - 1 - at[1])
        across = min(at[0], int(state.rows) - 1 - at[0])
        edges = (across, over) if turn else (over, across)
        free = sum(self.sort(beyond(at, step)) == 0 for step in SIDES)
        return [
            patterns.RING + place * 65536 + ring,
            patterns.CROSS + place * 65536 + cross,
            patterns.BESIDE + (phase * 4 + place) * 4096 + beside,
            patterns.FATES + phase * 2028 + stands * 169 + falls[True] * 13 + falls[False],
            patterns.EDGE + (stage * 4 + place) * 49 + edges[0] * 7 + edges[1],
            patterns.FREE + (stage * 2 + (not top_own)) * 25 + 5 * len(ways) + free,
            *self.contexts(stands),
            *self.contexts(12 + min(falls.values())),
        ]

    def describe_tilt(self, action: int) -> list[int]:
        state = self.state
        square = rules.square_of(int(state.last))
        at, content = divmod(square, rules.MAX_COLUMNS), int(state.cells[int(state.last)])
        if action == rules.STAND:
            own = bool((content & rules.COLOUR) - rules.RED == state.seat)
            ring = sum(self.sort(beyond(at, step)) << 2 * i for i, step in enumerate(AROUND))
            stays = 25 + self.change(own, at)
            return [patterns.STOOD + (not own) * 65536 + ring, *self.contexts(stays)]
        ahead = SIDES[action - rules.TILT]
        right = SIDES[(action - rules.TILT + 1) % 4]
        left = SIDES[(action - rules.TILT + 3) % 4]
        back = SIDES[(action - rules.TILT + 2) % 4]
        white = bool(content & rules.SIDE_WHITE) == (ahead in (EAST, WEST))
        own = bool(white == state.seat)
        near, far = beyond(at, ahead), beyond(at, ahead, 2)
        lands = [beyond(near, left), beyond(near, right), beyond(far, left), beyond(far, right)]
        landing = sum(
            self.sort(each) << 2 * i for i, each in enumerate([*lands, beyond(far, ahead)])
        )
        behind = sum(
            self.kind(beyond(at, step)) << 3 * i for i, step in enumerate((left, back, right))
        )
        phase = 0 if state.stock > 18 else 1 if state.stock > 9 else 2
        return [
            patterns.LANDING + (phase * 2 + (not own)) * 1024 + landing,
            patterns.BEHIND + (not own) * 512 + behind,
            *self.contexts(37 + self.change(own, near, far)),
        ]


@pytest.mark.parametrize(
    ("board", "final_tilt"),
    [("small", False), ("small", True), ("medium", False), ("large", False)],
)
def test_the_kernel_reads_what_a_plain_reading_reads(board: str, final_tilt: bool) -> None:
    for seed, states in enumerate(positions(board, 4, final_tilt=final_tilt)):
        plain = Plain(states[0])
        actions = actions_of(states)
        for action in actions[seed % 5 :: 5] or actions:
            assert features_of(states, action) == plain.describe(action), (seed, action)


def transformed(states: Any, turns: int, mirrored: bool) -> tuple[Any, Any]:
    """A square position turned and mirrored, and how an action goes with it."""
    size = int(states[0].rows)

    def move(square: Square) -> Square:
        row, column = square
        for _ in range(turns):
            row, column = column, size - 1 - row
        return (row, size - 1 - column) if mirrored else (row, column)

    def cell(square: Square) -> int:
        return rules.cell_of(square[0] * rules.MAX_COLUMNS + square[1])

    def turned(content: int) -> int:
        flips = turns % 2 and content > 0 and content & rules.STANDING
        return content ^ rules.SIDE_WHITE if flips else content

    def way(direction: int) -> int:
        direction = (direction + turns) % 4
        return (4 - direction) % 4 if mirrored else direction

    def act(action: int) -> int:
        if action >= rules.TILT:
            return action if action == rules.STAND else rules.TILT + way(action - rules.TILT)
        row, column = move(divmod(action >> 2, rules.MAX_COLUMNS))
        return 4 * (row * rules.MAX_COLUMNS + column) + ((action & 3) ^ (turns % 2))

    other = states.copy()
    for row in range(size):
        for column in range(size):
            content = int(states[0].cells[cell((row, column))])
            other[0].cells[cell(move((row, column)))] = turned(content)
    if states[0].phase == rules.TILTING:
        last = divmod(rules.square_of(int(states[0].last)), rules.MAX_COLUMNS)
        other[0].last = cell(move(last))
    return other, act


def square_positions(size: int, seed: int) -> Iterator[Any]:
    """Positions on a square board, which a quarter turn leaves as large as it is."""
    states = CARNAC.start({"board": "medium", "final_tilt": False})
    state = states[0]
    for square in range(rules.SQUARES):
        if square % rules.MAX_COLUMNS >= size:
            state.cells[rules.cell_of(square)] = rules.WALL
    state.columns = size
    kept = [
        rules.cell_of(row * rules.MAX_COLUMNS + column)
        for row in range(size)
        for column in range(size)
    ]
    state.empties = len(kept)
    for number, each in enumerate(kept):
        state.empty[number] = each
        state.index[each] = number
    rng = generator(seed)
    out = np.zeros(rules.MAX_LEGAL, np.int32)
    while state.phase != rules.ENDED:
        yield states.copy()
        rules.apply(state, int(out[below(rng, rules.legal_actions(state, out))]))


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("turns", range(4))
def test_turned_and_mirrored_the_prior_is_the_same(turns: int, mirrored: bool) -> None:
    ties = patterns.ties()
    weights = np.random.default_rng(5).normal(size=int(ties.max()) + 1).astype(np.float32)
    prior = priors.Prior(priors.spread(CARNAC, weights))
    for number, states in enumerate(square_positions(7, 11)):
        if number % 3:
            continue
        other, act = transformed(states, turns, mirrored)
        actions = np.array(actions_of(states), np.int32)
        there = np.array([act(int(action)) for action in actions], np.int32)
        one = rate_by_prior(CARNAC, states, actions, prior)
        two = rate_by_prior(CARNAC, other, there, prior)
        assert np.allclose(one, two, atol=1e-4)


def test_what_is_described_has_a_weight() -> None:
    ties = patterns.ties()
    assert len(ties) == patterns.FEATURES
    for board in rules.BOARDS:
        for states in positions(board, 8):
            for action in actions_of(states)[::3]:
                assert (ties[features_of(states, action)] > 0).all()


def test_other_games_tie_nothing() -> None:
    carat = find("carat")
    features = np.arange(carat.knowledge.features, dtype=np.int32)
    assert np.array_equal(priors.tied(carat, features), features)
    assert priors.count(carat) == carat.knowledge.features
