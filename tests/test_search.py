"""The search: it finds what is best, plays by the rules and knows no secrets."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kwartet
from kwartet.bots.bot import Turn, ask, turn_of
from kwartet.bots.catalogue import create, settings_for
from kwartet.bots.prior import shipped
from kwartet.bots.search import Budget, Search
from kwartet.bots.workspace import NODE, NONE, Settings
from kwartet.core import engine
from kwartet.core.chance import below, generator
from kwartet.core.game import Game
from kwartet.core.match import Match
from kwartet.core.simulation import random_match
from kwartet.games import find
from kwartet.learning.fitting import describe_all
from tests.commands import without_jit
from tests.comparison import OPTION_SETS
from tests.exhaustive import exact_values
from tests.lengths import much

ROOT = Path(__file__).parents[1]
KEYS = ("carat", "carnac", "catan_dice", "connect_four", "kwatro")
CLOSE = 0.02  # values so close count as equal: no player could tell them apart


def turns_near_the_end(key: str, options: dict[str, object], plies: int) -> Iterator[Turn]:
    """Decisions in random matches, so many actions before their end or a little later."""
    game = find(key)
    for seed in range(2000):
        actions = random_match(game, options, generator(seed)).actions
        match = Match(game, options, auto_chance=False)
        match.extend(actions[: max(0, len(actions) - plies)])
        while match.actor == kwartet.CHANCE:
            match.extend([actions[len(match.actions)]])
        if match.actor is not None and len(match.legal_actions()) > 1:
            yield turn_of(match, seed=seed)


@pytest.mark.parametrize(
    ("key", "options", "plies", "simulations"),
    [
        ("connect_four", {}, 8, 20_000),
        ("carnac", {"board": "small"}, 4, 20_000),
        ("carnac", {"board": "small", "final_tilt": True}, 3, 20_000),
        ("carat", {"players": 2}, 4, 20_000),
        ("catan_dice", {"players": 1}, 3, 200_000),
        ("catan_dice", {"players": 2}, 3, 200_000),
        ("kwatro", {"players": 2}, 3, 20_000),
    ],
)
def test_the_search_solves_endings(
    key: str, options: dict[str, object], plies: int, simulations: int
) -> None:
    game = find(key)
    settings = settings_for(game)
    search = Search(game, settings, Budget(simulations=simulations))
    solved = 0
    for turn in turns_near_the_end(key, options, plies):
        values = mean_values(turn, settings)
        if values is None or max(values.values()) - min(values.values()) < CLOSE:
            continue
        assert values[search.choose(turn)] > max(values.values()) - CLOSE, (turn.moves, values)
        solved += 1
        if solved == 10:
            return
    pytest.fail(f"only {solved} endings were small enough to be solved exactly")


def mean_values(turn: Turn, settings: Settings) -> dict[int, float] | None:
    """The exact value of each action, as a mean over what the seat does not know."""
    worlds = 12 if turn.game.rules.SECRETS else 1
    totals = dict.fromkeys(turn.legal_actions, 0.0)
    for seed in range(worlds):
        states = turn.state.copy()
        engine.determinize(states, turn.seat, generator(seed))
        limit = much(30_000, 300_000) if turn.game.key == "connect_four" else 300_000
        values = exact_values(turn.game, states, settings, limit)
        if values is None:
            return None
        for action, seats in values.items():
            totals[action] += seats[turn.seat] / worlds
    return totals


def random_turns(key: str, options: dict[str, object], seed: int) -> Iterator[Turn]:
    """The decisions of a random match, with a few of its plies in between."""
    rng = generator(seed, 7)
    match = Match(find(key), options, seed=seed)
    while match.actor is not None:
        if below(rng, 6) == 0:
            yield turn_of(match, seed=seed)
        legal = match.legal_actions()
        match.play(legal[below(rng, len(legal))])


@pytest.mark.parametrize("key", KEYS)
def test_every_bot_plays_legal_moves_whatever_the_options(key: str) -> None:
    game = find(key)
    bots = ["random", "greedy", "uct@30", "novice", "casual", "skilled@30", "skilled+uniform@30"]
    for number, options in enumerate(OPTION_SETS.get(key, [{}])):
        for turn in random_turns(key, options, number):
            for name in bots:
                assert create(name, game).choose(turn) in turn.legal_actions


@pytest.mark.parametrize("key", ["carat", "kwatro"])
def test_the_search_answers_the_same_whatever_the_hidden_cards_are(key: str) -> None:
    game = find(key)
    searching = search(game, Budget(simulations=60))
    compared = 0
    for number, options in enumerate(OPTION_SETS[key]):
        for turn in random_turns(key, options, number):
            found = searching.analyse(turn)
            for seed in (1, 2):
                other = turn.state.copy()
                engine.determinize(other, turn.seat, generator(seed))
                compared += other.tobytes() != turn.state.tobytes()
                engine.redact(other, turn.seat)
                swapped = searching.analyse(replace(turn, state=other))
                assert np.array_equal(found.visits, swapped.visits)
                assert np.array_equal(found.values, swapped.values)
    assert compared > 50


def search(game: Game, budget: Budget) -> Search:
    """As it plays: with the prior that is shipped."""
    return Search(game, settings_for(game), budget, shipped(game))


@pytest.mark.parametrize("hand", [1, 3])
def test_where_hands_are_hidden_an_action_has_one_node_for_all_hands(hand: int) -> None:
    turn = next(random_turns("carat", {"players": 2, "hand": hand}, 4))
    player = search(turn.game, Budget(simulations=3000))
    player.analyse(turn)
    work = player._workspaces[0]
    met = 0
    for node in work.nodes[: work.used[0]]:
        actions, child = [], int(node["first"])
        while child != NONE:
            actions.append(int(work.nodes[child]["action"]))
            child = int(work.nodes[child]["next"])
        assert len(set(actions)) == len(actions) == node["count"]
        met = max(met, len(actions))
    assert met > 3 * len(turn.legal_actions)  # of one node, for several hands


@pytest.mark.parametrize("key", KEYS)
def test_every_feature_is_one_that_there_is(key: str) -> None:
    game = find(key)
    room, size = game.knowledge.max_features, game.knowledge.features
    for number, options in enumerate(OPTION_SETS.get(key, [{}])):
        for turn in random_turns(key, options, number):
            actions = np.array(turn.legal_actions, np.int32)
            rows = np.full((len(actions), room + 4), -1, np.int32)
            counts = np.zeros(len(actions), np.int64)
            state = turn.state.copy()
            notes = np.zeros(game.knowledge.notes, np.int32)
            describe_all(state, actions, notes, rows, counts)
            assert state.tobytes() == turn.state.tobytes()
            assert counts.max() <= room
            assert (rows[:, room:] == -1).all()
            used = rows[:, :room][np.arange(room) < counts[:, None]]
            assert ((used >= 0) & (used < size)).all()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_and_simulations_give_the_same_answer(key: str, threads: int) -> None:
    turn = next(random_turns(key, {}, 3))
    game = find(key)
    budget = Budget(simulations=301, threads=threads)
    first, second = (search(game, budget).analyse(turn) for _ in range(2))
    assert np.array_equal(first.visits, second.visits)
    assert np.array_equal(first.values, second.values)
    assert first.visits.sum() == 301
    assert list(first.actions) == sorted(set(first.actions) & set(turn.legal_actions))
    third = search(game, budget).analyse(replace(turn, seed=turn.seed + 1))
    assert not np.array_equal(first.values, third.values)


@pytest.mark.parametrize(
    ("key", "simulations"), [("carat", 5_000), ("carnac", 40_000), ("kwatro", 5_000)]
)
def test_a_search_ends_early_only_when_that_changes_nothing(key: str, simulations: int) -> None:
    game = find(key)
    budget = Budget(simulations=simulations, seconds=600)
    ended = 0
    for turn in random_turns(key, {}, 12):
        if len(turn.legal_actions) == 1:
            continue
        player = search(game, budget)
        chosen = player.choose(turn)
        ended += int(player._workspaces[0].nodes[0].visits) < simulations
        assert chosen == search(game, budget).analyse(turn).best
    assert ended > 0


@pytest.mark.parametrize("name", ["uct@2000", "master@2000"])
def test_connect_four_is_won_and_saved_in_one(name: str) -> None:
    game = find("connect_four")
    for moves, wanted in (("aabbcc", "d"), ("bcbdb", "b"), ("dcdcd", "d")):
        match = Match(game, {})
        for move in moves:
            match.play(move)
        turn = turn_of(match, seed=1)
        action = ask(create(name, game), turn)
        assert turn.legal[turn.legal_actions.index(action)] == wanted


def test_more_threads_than_simulations_do_no_harm() -> None:
    turn = next(random_turns("carat", {}, 1))
    search = Search(turn.game, settings_for(turn.game), Budget(simulations=3, threads=8))
    assert search.analyse(turn).visits.sum() == 3


def test_a_tree_without_room_still_answers() -> None:
    for key in KEYS:
        game = find(key)
        turn = next(random_turns(key, {}, 1))
        search = Search(game, settings_for(game), Budget(simulations=3000), capacity=700)
        assert search.choose(turn) in turn.legal_actions


def found() -> list[list[int]]:
    """How short searches spread their visits: guided, unguided, plain; open and hidden hands."""
    visits = []
    for key in KEYS:
        turn = turn_of(Match(find(key), {}, seed=5), seed=3)
        for name in ("expert@30", "expert+uniform@30", "uct@30"):
            bot = create(name, turn.game, threads=2)
            assert isinstance(bot, Search)
            visits.append(bot.analyse(turn).visits.tolist())
    return visits


def test_the_search_finds_the_same_without_the_jit() -> None:
    assert without_jit("tests.test_search", "found()") == found()


def test_no_field_of_a_node_hides_behind_numpy_s_own_attributes() -> None:
    assert not set(NODE.names or ()) & set(dir(np.record))
