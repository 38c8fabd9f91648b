"""Values at a glance: sketched as the rules say, read exactly, fitted, kept and refused."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kwartet.arena.pool import Processes
from kwartet.bots import prior as priors
from kwartet.bots import search as tree_search
from kwartet.bots import tree
from kwartet.bots.bot import turn_of
from kwartet.bots.catalogue import create, settings_for
from kwartet.bots.instinct import rate_by_prior
from kwartet.bots.network import (
    NARROW,
    WIDE,
    Network,
    Values,
    beside,
    empty,
    judge,
    make_glance,
    read,
    values_of,
    write,
)
from kwartet.bots.search import Budget, Search
from kwartet.bots.workspace import ROOT
from kwartet.core.chance import below, generator
from kwartet.core.errors import GameError
from kwartet.core.game import Game
from kwartet.core.kernels import kernel
from kwartet.core.match import Match
from kwartet.core.tactics import Look
from kwartet.core.verbs import actor, sketch
from kwartet.games import find
from kwartet.games.carat.patterns import PHASES, SLOTS
from kwartet.games.carnac import rules
from kwartet.games.carnac.looks import KINDS, LEADS, LONE, STOCKS
from kwartet.learning import DatasetPlan, DatasetWriter, load
from kwartet.learning.valuing import Views, fit_network, learn_values
from tests.commands import kwartet_here

CARNAC = find("carnac")
SMALL = {"board": "small", "final_tilt": False}


@kernel
def sketched(states: Any, out: Any) -> int:
    return sketch(states[0], actor(states[0]), out)


def inputs_of(states: Any) -> set[int]:
    out = np.zeros(rules.SQUARES + 3, np.int32)
    return set(out[: sketched(states.copy(), out)].tolist())


def positions(board: str, seed: int) -> Iterator[Match]:
    """A random match, after every action."""
    match, rng = Match(CARNAC, {"board": board}, seed=seed), generator(seed)
    while match.actor is not None:
        yield match
        legal = match.legal_actions()
        match.play(legal[below(rng, len(legal))])


def mirrored(match: Match, upside: bool, aside: bool) -> Match:
    """The same match seen in a mirror."""
    rows, columns = rules.BOARDS[match.options["board"]]
    other = Match(CARNAC, match.options)
    for action in match.actions:
        if action < rules.TILT:
            row, column = divmod(action >> 2, rules.MAX_COLUMNS)
            row = rows - 1 - row if upside else row
            column = columns - 1 - column if aside else column
            other.play(4 * (row * rules.MAX_COLUMNS + column) + (action & 3))
        elif action == rules.STAND:
            other.play(action)
        else:
            direction = action - rules.TILT
            flips = aside if direction & 1 else upside
            other.play(rules.TILT + (direction ^ 2 if flips else direction))
    return other


@pytest.mark.parametrize("board", list(rules.BOARDS))
def test_a_mirrored_match_is_sketched_as_the_mirror_says(board: str) -> None:
    look = CARNAC.knowledge.looks[board]
    for number, match in enumerate(positions(board, 3)):
        seen = inputs_of(match.state)
        assert all(0 <= each < look.inputs for each in seen)
        assert len(seen) <= look.most
        if number % 7 == 0:
            for mirror, (upside, aside) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)]):
                other = inputs_of(mirrored(match, bool(upside), bool(aside)).state)
                assert other == {int(look.mirrors[mirror, each]) for each in seen}


def test_cells_are_sketched_as_stones_and_what_squares_would_do() -> None:
    match = Match(CARNAC, SMALL)
    for move in ("a1rr", "stand", "a2rr", "stand", "a3rr", "stand", "h5ww", "stand"):
        match.play(move)
    columns = 8
    seen = inputs_of(match.state)

    def kind(name: str) -> int:
        cell = (int(name[1]) - 1) * columns + ord(name[0]) - ord("a")
        kinds = [each % KINDS for each in seen if each // KINDS == cell and each < 40 * KINDS]
        return kinds[0] if kinds else LONE

    assert match.actor == 0  # red: its stones are its own
    assert [kind(name) for name in ("a1", "a2", "a3", "h5")] == [2, 2, 2, 3]
    assert kind("b2") == LONE + 6 * 3  # red would join a dolmen, white stay alone
    assert kind("g5") == LONE + 1  # white would make a pair
    assert kind("d1") == LONE
    stock, lead, room = (each - 40 * KINDS for each in sorted(seen)[-3:])
    assert (stock, lead - STOCKS, room - STOCKS - LEADS) == (24, 7, 36)


def test_the_stock_is_another_where_the_last_stone_may_fall() -> None:
    plain, tilting = (Match(CARNAC, SMALL | {"final_tilt": tilt}) for tilt in (False, True))
    assert inputs_of(plain.state) ^ inputs_of(tilting.state) == {40 * KINDS + 28, 40 * KINDS + 57}


def test_only_placements_are_sketched() -> None:
    for match in positions("medium", 5):
        assert bool(inputs_of(match.state)) == (match.state[0].phase == rules.PLACING)


def random_network(inputs: int, seed: int = 1) -> Network:
    chosen = np.random.default_rng(seed)
    made = Network(
        *(chosen.normal(0, 0.3, each.shape).astype(np.float32) for each in empty(inputs))
    )
    made.first[-1] = 0
    return made


@pytest.mark.parametrize("count", [0, 1, 4, 7, 30])
def test_a_network_is_read_as_it_is_defined(count: int) -> None:
    network, glance = random_network(50), make_glance(30)
    chosen = np.random.default_rng(count).choice(50, count, replace=False)
    glance.inputs[:count] = chosen
    wide = np.maximum(network.first[chosen].sum(axis=0) + network.first[50], 0)
    narrow = np.maximum(wide @ network.second[:WIDE] + network.second[WIDE], 0)
    expected = np.tanh(narrow @ network.third[:NARROW] + network.third[NARROW])
    assert judge(network, glance, count) == pytest.approx(expected, abs=1e-5)


def test_a_fit_finds_what_made_the_targets() -> None:
    rng = np.random.default_rng(2)
    rows = np.array([rng.choice(40, 6, replace=False) for _ in range(6000)], np.int32)
    truth = np.tanh(rng.normal(0, 0.5, 40)[rows].sum(axis=1))
    mirrors = np.array([np.arange(40)], np.int32)
    seen = Views(rows.ravel(), np.arange(6001) * 6, truth.astype(np.float32))
    look = Look("toy", 40, 6, mirrors)
    network, errors = fit_network(seen, look, 1)
    assert errors[-1] < 0.05 * truth.var()
    again, _ = fit_network(seen, look, 1)
    assert all(np.array_equal(one, two) for one, two in zip(network, again, strict=True))


def values(game: Game = CARNAC) -> Values:
    networks = {name: random_network(look.inputs) for name, look in game.knowledge.looks.items()}
    return Values(networks, dict.fromkeys(networks, 0.5), {"seed": 4})


def test_values_are_kept_in_a_small_file(tmp_path: Path) -> None:
    path = values_of(tmp_path / "mine.json")
    write(CARNAC, path, values())
    found = beside(CARNAC, tmp_path / "mine.json")
    assert found.made == {"seed": 4}
    assert found.blends == {"small": 0.5, "medium": 0.5, "large": 0.5}
    for name, network in values().networks.items():
        for one, two in zip(network, found.networks[name], strict=True):
            assert np.abs(one - two).max() < 0.002
    before = path.read_bytes()
    write(CARNAC, path, found)
    assert path.read_bytes() == before
    assert len(before) < 1_000_000
    assert beside(CARNAC, tmp_path / "other.json") == Values()


def told(path: Path, **changes: Any) -> None:
    """Let a file tell something else about itself."""
    with np.load(path) as arrays:
        parts = dict(arrays)
    parts["told"] = np.array(json.dumps(json.loads(str(parts["told"])) | changes))
    with path.open("wb") as file:
        np.savez(file, **parts)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"values": 2}, "version 2; this program reads version 1"),
        ({"game": "carat"}, "no values for Carnac as it sketches positions now"),
        ({"looks": [{"name": "huge", "blend": 0.5}]}, "no values for Carnac"),
        ({"looks": [{"name": "small", "blend": 3}]}, "no values for Carnac"),
        ({"looks": 4}, "has no values"),
    ],
)
def test_other_values_are_refused_in_a_sentence(
    change: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.values.npz"
    write(CARNAC, path, values())
    told(path, **change)
    with pytest.raises(GameError, match=sentence) as refused:
        read(CARNAC, path)
    assert refused.value.code == "bad-file"


def test_values_of_another_shape_are_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "mine.values.npz"
    write(CARNAC, path, Values({"small": random_network(7)}, {"small": 0.5}))
    with pytest.raises(GameError, match="as it sketches positions now"):
        read(CARNAC, path)
    for content in (b"", b"PK\x03\x04 and no more"):
        path.write_bytes(content)
        with pytest.raises(GameError, match="has no values"):
            read(CARNAC, path)


def test_values_are_learned_from_datasets(tmp_path: Path) -> None:
    plan = DatasetPlan("carnac", SMALL, matches=30, simulations=20, random_moves=0.1)
    with DatasetWriter.open(plan, tmp_path) as writer, Processes(1) as pool:
        list(writer.run(pool))
    learned = learn_values([load(tmp_path)], seed=1)
    assert set(learned.networks) == {"small"}
    assert learned.made["seed"] == 1
    columns = load(tmp_path).columns
    glance, late = make_glance(60), columns.plies > 30
    seen, own = [], columns.outcomes[np.arange(len(columns)), columns.seats]
    for states in np.array_split(load(tmp_path).states, len(columns)):
        seen.append(judge(learned.networks["small"], glance, sketched(states, glance.inputs)))
    placing = np.array([state.phase == rules.PLACING for state in load(tmp_path).states])
    assert np.corrcoef(np.array(seen)[late & placing], own[late & placing])[0, 1] > 0.5
    other = replace(load(tmp_path), setup={"options": {"board": "huge"}})
    assert learn_values([other]).networks == {}


def test_prior_and_values_are_learned_from_datasets_by_command(tmp_path: Path) -> None:
    plan = DatasetPlan("carnac", SMALL, matches=12, simulations=60)
    with DatasetWriter.open(plan, tmp_path / "played") as writer, Processes(1) as pool:
        list(writer.run(pool))
    command = ["train", "carnac", "--dataset", str(tmp_path / "played")]
    for out in ("one", "two"):
        ended = kwartet_here(*command, "--out", str(tmp_path / out))
        assert ended.returncode == 0, ended.stderr
    one, two = (tmp_path / out / "prior.json" for out in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert values_of(one).read_bytes() == values_of(two).read_bytes()
    prior = priors.read(CARNAC, one)
    assert prior.made["datasets"][0]["matches"] == 12
    dataset = load(tmp_path / "played")
    columns = dataset.columns
    liked, even = [], []
    for row, (begin, end) in enumerate(pairwise(dataset.columns.starts.tolist())):
        actions, shares = columns.actions[begin:end], columns.shares[begin:end]
        appeal = rate_by_prior(CARNAC, dataset.states[row : row + 1], actions, prior)
        liked.append(float(shares[appeal.argmax()]))
        even.append(1 / len(shares))
    assert np.mean(liked) > 1.5 * np.mean(even)  # it expects what the searches looked at
    ended = kwartet_here("train", "carat", *command[2:], "--out", str(tmp_path / "three"))
    assert ended.returncode == 2
    assert "There are positions of Carnac, not of Carat." in ended.stderr


def search(budget: Budget, **changes: Any) -> Search:
    return replace(Search(CARNAC, settings_for(CARNAC), budget), **changes)


def test_a_search_reads_them_and_answers_the_same_again() -> None:
    turn = turn_of(Match(CARNAC, SMALL), seed=3)
    plain = search(Budget(400)).analyse(turn)
    one, two = (search(Budget(400), values=values()).analyse(turn) for _ in range(2))
    assert np.array_equal(one.visits, two.visits)
    assert np.array_equal(one.values, two.values)
    assert not np.array_equal(one.values, plain.values)


@pytest.mark.parametrize("players", [2, 3])
def test_of_several_seats_each_is_told_what_it_may_expect(players: int) -> None:
    carat = find("carat")
    network = empty(carat.knowledge.looks[str(players)].inputs)
    network.third[-1] = 0.3  # whoever looks expects as much
    told = Values({str(players): network}, {str(players): 1.0})
    bot = Search(carat, settings_for(carat), Budget(50), values=told)
    match = Match(carat, {"players": players}, seed=6)
    found = bot.analyse(turn_of(match, seed=1))
    assert found.expected is not None
    if players == 2:  # one wins what the other loses, and the other is to act at the leaves
        assert found.expected == pytest.approx(np.tanh([-0.3, 0.3]), abs=0.05)
    else:
        assert found.expected == pytest.approx(np.full(players, np.tanh(0.3)))
    own = (found.visits * found.values).sum() / found.visits.sum()
    assert found.expected[0] == pytest.approx(own, abs=0.05)


def test_what_datasets_say_nothing_of_stays_as_in_the_base(tmp_path: Path) -> None:
    carat = find("carat")
    plan = DatasetPlan("carat", carat.settle({"players": 3}), matches=4, simulations=20)
    with DatasetWriter.open(plan, tmp_path / "played") as writer, Processes(1) as pool:
        list(writer.run(pool))
    base = carat.folder / "prior.json"
    command = ["train", "carat", "--base", str(base), "--out", str(tmp_path / "mine")]
    ended = kwartet_here(*command, "--dataset", str(tmp_path / "played"))
    assert ended.returncode == 0, ended.stderr
    before, after = priors.read(carat, base), priors.read(carat, tmp_path / "mine/prior.json")
    changed = np.flatnonzero(before.weights != after.weights)
    assert len(changed) > 100
    assert changed.min() >= PHASES * SLOTS  # what two players go by comes first
    assert after.made["base"] == before.made
    old, new = beside(carat, base), beside(carat, tmp_path / "mine/prior.json")
    assert set(new.networks) == set(old.networks) | {"3"}
    assert all(map(np.array_equal, old.networks["2"], new.networks["2"]))
    ended = kwartet_here(*command)
    assert ended.returncode == 2
    assert "A base goes with datasets to learn from." in ended.stderr


def test_a_bot_takes_the_values_beside_its_prior(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_bytes((CARNAC.folder / "prior.json").read_bytes())
    write(CARNAC, tmp_path / "mine.values.npz", values())
    bot = create(f"expert+{tmp_path}/mine.json@50", CARNAC)
    assert isinstance(bot, Search)
    assert set(bot.values.networks) == {"small", "medium", "large"}
    for name in ("master+uniform@50", "expert@50", "uct@50"):
        other = create(name, CARNAC)
        assert isinstance(other, Search)
        assert other.values == Values()


def played_on(bot: Search, match: Match, plies: int) -> list[int]:
    """Let the bot have all moves; the visits of each root before it searched."""
    kept = []
    for _ in range(plies):
        turn = turn_of(match, seed=1)
        if len(turn.legal_actions) > 1:
            found = bot.analyse(turn)
            kept.append(int(bot._workspaces[0].nodes[ROOT].visits))
            match.play(found.best)
        else:
            match.play(turn.legal_actions[0])
    return kept


def test_a_tree_is_kept_from_move_to_move_where_time_bounds_it() -> None:
    match = Match(CARNAC, SMALL)
    bot = search(Budget(seconds=0.02))
    bot.analyse(turn_of(match, seed=1))
    nodes = bot._workspaces[0].nodes
    action = int(bot.analyse(turn_of(match, seed=1)).best)
    first, count = int(nodes[ROOT].first), int(nodes[ROOT].count)
    child = next(each for each in nodes[first : first + count] if each.action == action)
    visits, grandchildren = int(child.visits), int(child.count)
    assert grandchildren > 0
    match.play(action)
    bot._go_on(turn_of(match), 1)
    root = nodes[ROOT]
    assert (int(root.visits), int(root.count)) == (visits, grandchildren)
    below_root = nodes[int(root.first) : int(root.first) + grandchildren]
    assert int(below_root["visits"].sum()) <= visits
    legal = set(match.legal_actions())
    assert {int(action) for action in below_root["action"]} <= legal


def test_a_kept_tree_does_not_end_too_soon_after_simulations_that_were_held_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    simulate = tree.simulate
    batches: list[int] = []

    def held_up(*given: Any) -> None:
        batches.append(given[-1])
        if len(batches) == 1:
            time.sleep(0.1)
        simulate(*given)

    turn = turn_of(Match(CARNAC, SMALL), seed=1)
    bot = search(Budget(seconds=1.0))
    bot._make_room(bot.budget, 1)
    bot._go_on(turn, 1)
    bot._grow(turn, 1, 3_000, None, ends_early=False)  # no move is far ahead yet
    monkeypatch.setattr(tree_search, "simulate", held_up)
    bot.choose(turn)
    assert sum(batches) > 3_000


def test_another_match_or_a_number_of_simulations_begins_a_new_tree() -> None:
    one, two = Match(CARNAC, SMALL), Match(CARNAC, SMALL)
    bot = search(Budget(seconds=0.01))
    played_on(bot, one, 3)
    two.play("c3wr")
    bot._go_on(turn_of(two), 1)
    assert int(bot._workspaces[0].nodes[ROOT].visits) == 0
    counting, fresh = search(Budget(60)), search(Budget(60))
    match = Match(CARNAC, SMALL)
    for _ in range(4):
        turn = turn_of(match, seed=2)
        found = counting.analyse(turn)
        assert np.array_equal(found.visits, replace(fresh).analyse(turn).visits)
        match.play(found.best)
