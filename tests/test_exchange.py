"""Trees in several threads: what they tell each other, and that nothing counts twice."""

import numpy as np
import pytest

from kwartet.bots.bot import turn_of
from kwartet.bots.catalogue import create, settings_for
from kwartet.bots.exchange import exchange
from kwartet.bots.search import Budget, Search
from kwartet.bots.workspace import NODE, ROOT, Workspace
from kwartet.core.match import Match
from kwartet.games import find
from tests.test_search import turns_near_the_end

SIMULATIONS = 1_501


def searched(key: str, trees: int, plies: int = 12) -> Search:
    """A search after a turn near the end, with its trees as they are then."""
    turn = next(turns_near_the_end(key, find(key).settle({}), plies))
    found = create(f"master@{SIMULATIONS}", turn.game, threads=trees)
    assert isinstance(found, Search)
    found.analyse(turn)
    return found


def children(work: Workspace) -> dict[int, np.record]:
    """The root's children by action."""
    root = work.nodes[ROOT]
    found = work.nodes[1 : int(root.count) + 1]
    return {int(child["action"]): child for child in found}


def test_trees_know_the_same_of_every_action() -> None:
    one, two, three = map(children, searched("carnac", 3)._workspaces)
    assert len(one) > 1
    for action, child in one.items():
        for other in (two[action], three[action]):
            assert child["visits"] == other["visits"]
            assert child["q"] == pytest.approx(other["q"])
            assert (child["low"], child["high"]) == (other["low"], other["high"])


@pytest.mark.parametrize("key", ["carat", "carnac", "kwatro"])
def test_every_simulation_counts_once(key: str) -> None:
    works = searched(key, 2)._workspaces
    roots = [work.nodes[ROOT] for work in works]
    own = [int(root["visits"] - root["told"]) for root in roots]
    assert sum(own) == SIMULATIONS
    assert abs(own[0] - own[1]) <= 1
    assert all(int(root["visits"]) == SIMULATIONS for root in roots)


@pytest.mark.parametrize("key", ["carat", "carnac"])
def test_an_exchange_without_news_changes_nothing(key: str) -> None:
    search = searched(key, 3)
    before = [work.nodes[: int(work.used[0])].copy() for work in search._workspaces]
    exchange(search._workspaces, search.settings)
    for work, nodes in zip(search._workspaces, before, strict=True):
        for name in NODE.names or ():
            told = nodes[name].astype(np.float64)
            np.testing.assert_allclose(
                work.nodes[: len(nodes)][name].astype(np.float64), told, 1e-6, 1e-6
            )


def test_trees_are_told_of_what_lies_deeper() -> None:
    work = searched("carnac", 2)._workspaces[0]
    nodes = work.nodes[: int(work.used[0])]
    assert int((nodes["told"] > 0).sum()) > 2 * int(nodes[ROOT]["count"])


def test_time_is_shared_by_all_trees_and_ends() -> None:
    game = find("carnac")
    search = Search(game, settings_for(game), Budget(seconds=0.3, threads=2))
    search.analyse(turn_of(Match(game, {"board": "small"}, seed=1), seed=1))
    first, second = (work.nodes[ROOT] for work in search._workspaces)
    assert first["visits"] == second["visits"] > 0
    assert 0 < first["told"] < first["visits"]
