"""Endings worked out: what is called exact is what trying everything comes to."""

import time
from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from kwartet.bots.bot import Analysis, Turn, turn_of
from kwartet.bots.catalogue import create, settings_for
from kwartet.bots.ending import ENDLESS, Effort, Ending, unveil_first
from kwartet.bots.player import Player
from kwartet.bots.search import Search
from kwartet.core import engine
from kwartet.core.chance import generator
from kwartet.core.engine import States
from kwartet.core.match import Match
from kwartet.core.simulation import random_match
from kwartet.core.verbs import CHANCE, OVER, actor
from kwartet.games import find
from kwartet.games.carat.rules import TILES
from tests.exhaustive import exact_values
from tests.lengths import much

CARAT, KWATRO = find("carat"), find("kwatro")
MARGIN = 20.0  # of Carat


def carat_turns(options: dict[str, object], left: int) -> Iterator[Turn]:
    """Decisions of random matches with so many tiles to be placed."""
    for seed in range(1000):
        match = Match(CARAT, options, auto_chance=False)
        for action in random_match(CARAT, options, generator(seed)).actions:
            if match.actor != CHANCE and match.state[0].tiles_laid == TILES - left:
                yield turn_of(match, seed=seed)
                break
            match.extend([action])


def kwatro_turns(cards: range) -> Iterator[Turn]:
    """Decisions of random matches of two without a pile, with so many cards in both hands."""
    for seed in range(3000):
        actions = random_match(KWATRO, {"players": 2}, generator(seed)).actions
        match = Match(KWATRO, {"players": 2}, auto_chance=False)
        for action in actions:
            held = (match.state[0].hands != -1).sum()
            if match.actor != CHANCE and match.state[0].pile == 0 and held in cards:
                yield turn_of(match, seed=seed)
                break
            match.extend([action])


def solved(turn: Turn, positions: int = ENDLESS) -> Analysis | None:
    return Ending(turn.game, settings_for(turn.game)).analyse(turn, Effort(positions))


def master(budget: str) -> Search:
    bot = create(f"master@{budget}", CARAT)
    assert isinstance(bot, Search)
    return bot


class HiddenHands:
    """Carat by its rules alone: hands are held, and everybody sees its own.

    A seat weighs a placement by its mean over all hands and piles that it cannot tell apart.
    In each of them it follows what the others would do who see what they see there.
    """

    def __init__(self) -> None:
        self._choices: dict[bytes, int] = {}

    def weigh(self, known: States, seat: int, action: int) -> np.ndarray[tuple[int], np.dtype]:
        """What each seat comes to, for all that the seat knows."""
        deals = list(permutations(tile for tile in range(TILES) if int(known[0].stock) >> tile & 1))
        return np.mean([self._follow(*dealt(known, seat, deal), action) for deal in deals], axis=0)

    def _follow(
        self, world: States, pile: list[int], action: int
    ) -> np.ndarray[tuple[int], np.dtype]:
        while True:
            engine.apply(world, np.array([action], np.int32))
            if actor(world[0]) == CHANCE:
                engine.apply(world, np.array([pile.pop(0)], np.int32))
            if actor(world[0]) == OVER:
                return worths(world)
            action = self._choose(world)

    def _choose(self, world: States) -> int:
        """The best action of the seat to act; of equal ones the first."""
        seat, known = actor(world[0]), world.copy()
        engine.redact(known, seat)
        key = known.tobytes()
        if key not in self._choices:
            legal = np.empty(CARAT.rules.MAX_LEGAL, np.int32)
            best, most = -1, -2.0
            for action in legal[: engine.legal_actions(world, legal)].tolist():
                value = self.weigh(known, seat, action)[seat]
                if value > most + 1e-9:
                    best, most = action, value
            self._choices[key] = best
        return self._choices[key]


def dealt(known: States, seat: int, deal: tuple[int, ...]) -> tuple[States, list[int]]:
    """The world in which the others hold the first of these tiles and the rest is the pile."""
    world, tiles = known.copy(), list(deal)
    for other in range(int(world[0].players)):
        if other != seat and world[0].hands[other, 0] != -1:
            tile = tiles.pop(0)
            world[0].hands[other, 0] = tile
            world[0].stock ^= np.uint64(1 << tile)
    return world, tiles


def worths(world: States) -> np.ndarray[tuple[int], np.dtype]:
    """0.4 of the result and 0.6 of the margin, as docs/bots.md has it."""
    count = int(world[0].players)
    points, wins = np.zeros(count, np.int32), np.zeros(count, np.int8)
    results = np.zeros(count)
    engine.situation(world, points, wins)
    engine.returns(world, wins, results)
    leads = [points[seat] - max(np.delete(points, seat)) for seat in range(count)]
    return 0.4 * results + [0.6 * lead / (MARGIN + abs(lead)) for lead in leads]


@pytest.mark.parametrize(("players", "left"), [(2, 3), (3, 3), (4, 3), *much([], [(2, 4), (3, 4)])])
def test_hidden_tiles_may_be_drawn_later(players: int, left: int) -> None:
    """With hands of one tile, worked out as if tiles were drawn at the beginning of a turn."""
    for number, turn in enumerate(carat_turns({"players": players}, left)):
        found = solved(turn)
        assert found is not None
        assert found.proven is not None
        assert found.proven.all()
        plain = HiddenHands()
        expected = [plain.weigh(turn.state, turn.seat, a)[turn.seat] for a in turn.legal_actions]
        assert found.actions.tolist() == turn.legal_actions
        assert found.values == pytest.approx(expected, abs=1e-9)
        assert expected[turn.legal_actions.index(found.best)] == pytest.approx(max(expected))
        if number == 1:
            return


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"players": 2}, 4),
        ({"players": 3}, 4),
        ({"players": 4}, 4),
        ({"players": 2, "colours": ["RB", "YG"]}, 4),
        ({"players": 2, "hand": 3}, 4),
    ],
)
def test_exhaustive_search_agrees_in_carat(options: dict[str, object], left: int) -> None:
    for number, turn in enumerate(carat_turns(options, left)):
        assert_exact(turn)
        if number == 5:
            return


def test_exhaustive_search_agrees_in_kwatro() -> None:
    for cards, most in ((3, 6), (4, 6), *much([], [(5, 6)])):
        agreed = 0
        for turn in kwatro_turns(range(1, cards + 1)):
            agreed += assert_exact(turn)
            if agreed == most:
                break
        assert agreed == most


def assert_exact(turn: Turn) -> bool:
    """Whether trying everything was not too much, and came to the same for every action."""
    world = turn.state.copy()
    assert unveil_first(world, turn.seat)
    settings = settings_for(turn.game)
    values = exact_values(turn.game, world, settings, limit=much(60_000, 300_000), unveiled=True)
    if values is None:
        return False
    found = solved(turn)
    assert found is not None
    assert found.proven is not None
    assert found.proven.all()
    expected = [values[action][turn.seat] for action in turn.legal_actions]
    assert found.actions.tolist() == turn.legal_actions
    assert found.values == pytest.approx(expected, abs=1e-9), turn.moves
    quick = Ending(turn.game, settings).analyse(turn, Effort(), only_best=True)
    assert quick is not None
    assert quick.proven is not None
    best = turn.legal_actions.index(quick.best)
    assert quick.proven[best]
    assert quick.values[best] == pytest.approx(max(expected), abs=1e-9)
    for value, is_proven, exact in zip(quick.values, quick.proven, expected, strict=True):
        assert value == pytest.approx(exact, abs=1e-9) if is_proven else value >= exact - 1e-9
    return True


def test_what_is_broken_off_and_begun_again_comes_to_the_same() -> None:
    turn = next(carat_turns({"players": 3}, 4))
    whole = solved(turn)
    assert whole is not None
    assert solved(turn, positions=3_000) is None
    turn = next(carat_turns({"players": 2}, 5))
    pieces = Effort(deadline=time.monotonic() + 60.0)  # looked at several times
    parts = Ending(CARAT, settings_for(CARAT)).analyse(turn, pieces)
    at_once = solved(turn)
    assert parts is not None
    assert at_once is not None
    assert parts.values.tolist() == pytest.approx(at_once.values.tolist(), abs=1e-12)


def test_a_number_of_simulations_bounds_an_ending_by_its_positions() -> None:
    """The same answer every time, exact or not."""
    turn = next(carat_turns({"players": 2}, 4))
    few, many = master("20"), master("20000")
    first, second = few.analyse(turn), master("20").analyse(turn)
    assert first.proven is None
    assert first.visits.tolist() == second.visits.tolist()
    exact = many.analyse(turn)
    assert exact.proven is not None
    assert exact.proven.all()
    assert many.choose(turn) == exact.best


def test_time_bounds_an_ending_that_is_too_long() -> None:
    turn = next(carat_turns({"players": 4}, 8))
    bot = master("0.3s")
    bot.choose(turn)  # everything is compiled
    began = time.monotonic()
    found = bot.analyse(turn)
    assert time.monotonic() - began < 1.0
    assert found.proven is None
    assert found.visits.sum() > 10


def test_no_more_is_done_for_somebody_who_has_gone() -> None:
    turn = next(carat_turns({"players": 4}, 8))
    began = time.monotonic()
    gone = Effort(is_unwanted=lambda: time.monotonic() > began + 0.1)
    assert Ending(CARAT, settings_for(CARAT)).analyse(turn, gone) is None
    assert time.monotonic() - began < 10.0


@pytest.mark.parametrize(
    ("key", "options", "hidden"),
    [
        ("carat", {"players": 2, "hand": 3}, "stock"),
        ("carat", {"players": 3, "hand": 3}, "hands"),
        ("kwatro", {"players": 2}, "pile"),
        ("kwatro", {"players": 3}, "hands"),
    ],
)
def test_nothing_is_called_exact_where_hands_are_hidden(
    key: str, options: dict[str, object], hidden: str
) -> None:
    """A pile or a stock to draw from, or several hands that nobody else sees."""
    game, tried = find(key), 0
    for seed in range(20):
        match = Match(game, options, auto_chance=False)
        for action in random_match(game, options, generator(seed)).actions:
            if match.actor not in (CHANCE, None):
                state = match.state[0]
                is_late = state.tiles_laid > TILES - 9 if key == "carat" else state.pile < 9
                if is_late and (hidden == "hands" or state[hidden] > 0):
                    assert solved(turn_of(match)) is None
                    tried += 1
            match.extend([action])
    assert tried > 5


def test_a_player_says_that_an_ending_is_exact() -> None:
    options = {"players": 2}
    match = Match(CARAT, options, auto_chance=False)
    match.extend(random_match(CARAT, options, generator(3)).actions[:-4])
    choices = Player("master", simulations=20_000, seed=1).analyse(match)
    assert all(choice.exact for choice in choices)
    assert [choice.share for choice in choices] == [1.0] + [0.0] * (len(choices) - 1)
    assert not any(c.exact for c in Player("expert", simulations=50, seed=1).analyse(match))
