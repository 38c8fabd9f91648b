"""Whole turns, compared in the same worlds."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from kwartet.bots.bot import Turn, turn_of
from kwartet.bots.catalogue import create
from kwartet.bots.search import Search
from kwartet.bots.workspace import WAYS
from kwartet.core import engine
from kwartet.core.chance import below, generator
from kwartet.core.match import Match
from kwartet.games import find
from kwartet.games.kwatro.rules import DRAWING, PASS
from tests.commands import without_jit

KWATRO = find("kwatro")


def turns(players: int, seed: int) -> Iterator[Turn]:
    """Decisions of a match that is played quickly but not always well, while there is a pile."""
    match = Match(KWATRO, {"players": players}, seed=seed)
    rng = generator(seed)
    quick = create("skilled@5", KWATRO)
    while match.actor is not None and match.state[0].pile > 0:
        turn = turn_of(match, seed=seed)
        if below(rng, 4) == 0:
            yield turn
        match.play(quick.choose(turn))


def master(simulations: int, threads: int = 1) -> Search:
    bot = create(f"master@{simulations}", KWATRO, threads=threads)
    assert isinstance(bot, Search)
    assert bot.settings.turns
    return bot


def listed(bot: Search) -> list[tuple[int, ...]]:
    """The ways that the bot has compared, as actions."""
    ways = bot._workspaces[0].ways
    return [tuple(way.actions[: way.length].tolist()) for way in ways.listed[: ways.used[0]]]


def ends(turn: Turn) -> dict[tuple[int, ...], bytes]:
    """All ways to play the turn, found one by one, and the field and hand each leads to."""
    found: dict[tuple[int, ...], bytes] = {}
    open_ways: list[tuple[int, ...]] = [()]
    while open_ways:
        way = open_ways.pop()
        states = turn.state.copy()
        engine.apply(states, np.array(way, np.int32))
        state = states[0]
        if state.phase == DRAWING or state.seat != turn.seat:
            found[way] = state.field.tobytes() + state.hands[turn.seat].tobytes()
            continue
        legal = np.empty(KWATRO.rules.MAX_LEGAL, np.int32)
        count = engine.legal_actions(states, legal)
        open_ways += [(*way, int(action)) for action in legal[:count]]
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_way_to_play_a_turn_is_listed_once(players: int) -> None:
    for turn in turns(players, players):
        bot = master(1)
        bot.analyse(turn)
        assert sorted(listed(bot)) == sorted(ends(turn))


def test_ways_that_come_to_the_same_meet_the_same_luck() -> None:
    same = 0
    for turn in turns(2, 5):
        bot = master(400)
        bot.analyse(turn)
        found = ends(turn)
        results: dict[tuple[bytes, int], float] = {}
        ways = bot._workspaces[0].ways
        for actions, way in zip(listed(bot), ways.listed, strict=False):
            if actions[0] >= PASS or way.visits == 0:
                continue
            key = found[actions], int(way.visits)
            assert results.setdefault(key, way.q) == way.q
            same += results[key] == way.q and len(actions) > 2
    assert same > 20


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hidden_cards_do_not_change_what_is_found(players: int) -> None:
    for turn in turns(players, 7):
        found = master(60).analyse(turn)
        other = turn.state.copy()
        engine.determinize(other, turn.seat, generator(players))
        engine.redact(other, turn.seat)
        swapped = master(60).analyse(replace(turn, state=other))
        assert np.array_equal(found.visits, swapped.visits)
        assert np.array_equal(found.values, swapped.values)


def test_an_answer_depends_on_turn_seed_and_threads_alone() -> None:
    for turn in turns(2, 9):
        first, second = (master(101, threads=2).analyse(turn) for _ in range(2))
        assert np.array_equal(first.visits, second.visits)
        assert np.array_equal(first.values, second.values)
        assert list(first.actions) == turn.legal_actions
        used = master(101)
        used.analyse(replace(turn, seed=1))
        assert np.array_equal(used.analyse(turn).values, master(101).analyse(turn).values)


def test_only_the_master_compares_turns_and_not_with_a_prior() -> None:
    for name in ("skilled", "expert", "uct"):
        bot = create(name, KWATRO)
        assert isinstance(bot, Search)
        assert not bot.settings.turns
    for key in ("carat", "carnac", "connect_four"):
        bot = create("master", find(key))
        assert isinstance(bot, Search)
        assert not bot.settings.turns


def test_without_a_pile_and_with_too_many_ways_there_is_a_tree() -> None:
    turn = next(turns(2, 3))
    for pile, room in ((0, WAYS), (int(turn.state[0].pile), 2)):
        bot, states = master(50), turn.state.copy()
        bot.analyse(turn)
        work = bot._workspaces[0]
        bot._workspaces[0] = work._replace(
            ways=work.ways._replace(listed=work.ways.listed[:room].copy())
        )
        states[0].pile = pile
        found = bot.analyse(replace(turn, state=states))
        assert work.ways.used[0] == 0
        assert found.visits.sum() == 50


def spread() -> list[list[int]]:
    """How a short search spreads its visits over first actions."""
    turn = turn_of(Match(KWATRO, {}, seed=5), seed=3)
    return [master(30).analyse(turn).visits.tolist()]


def test_turns_are_compared_the_same_without_the_jit() -> None:
    assert without_jit("tests.test_turns", "spread()") == spread()
