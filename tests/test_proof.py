"""Proof in the tree: what is called exact is what trying everything comes to."""

from collections.abc import Iterator

import pytest

from kwartet.bots.bot import Analysis, Turn, turn_of
from kwartet.bots.catalogue import create, settings_for
from kwartet.bots.player import Player
from kwartet.bots.search import Budget, Search
from kwartet.core.chance import below, generator
from kwartet.core.match import Match
from kwartet.games import find
from tests.exhaustive import exact_values
from tests.lengths import much
from tests.test_search import turns_near_the_end

ENDINGS = [
    ("connect_four", {}, 7),
    ("carnac", {"board": "small"}, 3),
    ("carnac", {"board": "small", "final_tilt": True}, 2),
    ("carnac", {"board": "medium"}, 2),
    ("carnac", {"board": "large"}, 1),
]
# Positions of an ending. Most of connect four's have more, and are given up only there.
LIMITS = {"connect_four": much(30_000, 400_000)}


def solved_endings(
    key: str, options: dict[str, object], plies: int
) -> Iterator[tuple[Turn, dict[int, float]]]:
    """Random endings, and the exact value of every action."""
    settings = settings_for(find(key))
    for turn in turns_near_the_end(key, options, plies):
        values = exact_values(
            turn.game, turn.state.copy(), settings, limit=LIMITS.get(key, 400_000)
        )
        if values is not None:
            yield turn, {action: each[turn.seat] for action, each in values.items()}


def searched(turn: Turn, simulations: int, threads: int = 1) -> Analysis:
    game = turn.game
    return Search(game, settings_for(game), Budget(simulations, threads=threads)).analyse(turn)


@pytest.mark.parametrize(("key", "options", "plies"), ENDINGS)
def test_exhaustive_search_agrees_with_what_is_proven(
    key: str, options: dict[str, object], plies: int
) -> None:
    proven = 0
    for turn, values in solved_endings(key, options, plies):
        found = searched(turn, 300_000)
        assert found.proven is not None
        best = list(found.actions).index(found.best)
        assert found.proven[best], turn.moves
        for action, value, is_proven in zip(found.actions, found.values, found.proven, strict=True):
            assert not is_proven or value == pytest.approx(values[action], abs=1e-6)
        assert values[found.best] == pytest.approx(max(values.values()), abs=1e-6)
        proven += 1
        if proven == 12:
            return
    pytest.fail(f"only {proven} endings were small enough")


@pytest.mark.parametrize("simulations", [3, 40, 400])
def test_what_is_proven_halfway_is_exact_too(simulations: int) -> None:
    """Also where the search ends before it knows everything, with trees in two threads."""
    exact = open_ends = 0
    for number, (turn, values) in enumerate(solved_endings("carnac", {"board": "small"}, 3)):
        found = searched(turn, simulations, threads=2)
        assert found.proven is not None
        open_ends += not found.proven.all()
        for action, value, is_proven in zip(found.actions, found.values, found.proven, strict=True):
            assert not is_proven or value == pytest.approx(values[action], abs=1e-6)
            exact += bool(is_proven)
        if number == 15:
            break
    assert open_ends
    assert exact or simulations < 400


def test_a_search_ends_when_all_is_proven() -> None:
    for turn, _ in solved_endings("carnac", {"board": "small"}, 2):
        assert searched(turn, 10_000_000).visits.sum() < 1_000_000
        return


def test_a_sure_result_is_preferred_to_one_that_seems_as_good() -> None:
    """Whatever the budget: no action is chosen where another is known to be better."""
    for number, (turn, values) in enumerate(solved_endings("connect_four", {}, 6)):
        for simulations in (10, 30, 100):
            found = searched(turn, simulations)
            assert found.proven is not None
            sure = [values[action] for action in found.actions[found.proven]]
            chosen = found.values[list(found.actions).index(found.best)]
            assert not sure or chosen >= max(sure) - 1e-6
        if number == 20:
            return


def test_a_player_says_what_is_exact() -> None:
    match = Match(find("connect_four"), {})
    for move in "aabbcc":
        match.play(move)
    best, *_ = Player("expert", simulations=2_000, seed=1).analyse(match)
    assert (best.move, best.exact) == ("d", True)
    first = Player("expert", simulations=50, seed=1).analyse(Match(find("connect_four"), {}))
    assert not any(choice.exact for choice in first)


@pytest.mark.parametrize("key", ["carat", "catan_dice", "kwatro"])
def test_nothing_is_proven_where_chance_or_hands_decide(key: str) -> None:
    game = find(key)
    bot = create("expert+uniform@60", game)
    assert isinstance(bot, Search)
    match = Match(game, {"players": 2}, seed=4)
    rng = generator(4)
    for _ in range(6):
        legal = match.legal_actions()
        match.play(legal[below(rng, len(legal))])
    assert bot.analyse(turn_of(match)).proven is None
