"""The games in OpenSpiel: its own checks and its algorithms run on them."""

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    generate_playthrough,
    ismcts,
    mcts,
    minimax,
    outcome_sampling_mccfr,
)
from open_spiel.python.observation import make_observation

import kwartet
from kwartet.core.chance import generator
from kwartet.core.position import Position
from kwartet.core.verbs import CHANCE
from kwartet.envs.openspiel import register_all
from kwartet.games import find

register_all()  # the example came after the import
GAMES = [
    "kwartet_carat(players=2,hand=3)",
    "kwartet_carat(players=2,colours=RB/YG)",
    "kwartet_carnac(board=small)",
    "kwartet_catan_dice",
    "kwartet_catan_dice(players=2)",
    "kwartet_kwatro(players=3)",
    "kwartet_connect_four",
]


def late(key: str, options: dict[str, Any], left: int) -> str:
    """A game that begins when so many actions are left of a random match."""
    position = Position(find(key), options)
    rng = generator(7)
    actions = []
    while not position.is_over:
        actions.append(position.random_action(rng))
        position.apply(actions[-1])
    opening = actions[: len(actions) - left]
    chosen = "".join(f"{name}={value}," for name, value in options.items())
    return f"kwartet_{key}({chosen}opening={''.join(f'{action}/' for action in opening)})"


def decision(game: Any, seed: int, moves: int) -> Any:
    """A state in which a player is to act, after some random moves."""
    luck = np.random.RandomState(seed)
    state = game.new_initial_state()
    while state.is_chance_node() or moves > 0:
        moves -= not state.is_chance_node()
        state.apply_action(int(luck.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_random_simulation_finds_nothing_wrong(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("key", ["carat", "carnac", "catan_dice", "kwatro", "connect_four"])
def test_a_playthrough_of_the_end_of_a_match_can_be_made(key: str) -> None:
    name = late(key, {}, 3)
    text = generate_playthrough.playthrough(name, action_sequence=None, seed=1)
    assert f"kwartet_{key}" in text
    assert "IsTerminal() = True" in text
    assert "InformationStateString(0)" in text


def test_games_and_states_go_through_text_and_pickle() -> None:
    game = pyspiel.load_game("kwartet_kwatro(players=3)")
    state = decision(game, 1, 6)
    text = pyspiel.serialize_game_and_state(game, state)
    _, again = pyspiel.deserialize_game_and_state(text)
    for other in (again, pickle.loads(pickle.dumps(state)), state.clone()):
        assert other.history() == state.history()
        assert str(other) == str(state)
        for player in range(3):
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert str(twin) != str(state)


def test_openspiel_plays_the_same_rules() -> None:
    state = pyspiel.load_game("kwartet_catan_dice").new_initial_state()
    match = kwartet.new("catan_dice", auto_chance=False)
    luck = np.random.RandomState(3)
    while not state.is_terminal():
        assert state.is_chance_node() == (match.actor == CHANCE)
        assert state.legal_actions() == match.legal_actions()
        action = int(luck.choice(state.legal_actions()))
        if state.is_chance_node():
            chances = dict(state.chance_outcomes())
            assert sum(chances.values()) == pytest.approx(1.0)
        else:
            assert state.action_to_string(action) in match.legal()
        state.apply_action(action)
        match.extend([action])
    assert state.returns() == [float(score) for score in match.scores()]


@pytest.mark.parametrize("name", ["kwartet_carat(players=2,hand=3)", "kwartet_kwatro(players=3)"])
def test_an_information_state_is_what_the_player_can_know(name: str) -> None:
    game = pyspiel.load_game(name)
    for seed in range(3):
        state = decision(game, seed, 7)
        player = state.current_player()
        own = state.information_state_string(player), state.information_state_tensor(player)
        others = set()
        for number in range(8):
            other = state.resample_from_infostate(player, np.random.RandomState(number).rand)
            seen = other.information_state_string(player), other.information_state_tensor(player)
            assert seen == own
            assert other.legal_actions() == state.legal_actions()
            others.add(other.information_state_string((player + 1) % game.num_players()))
            while not other.is_terminal():
                other.apply_action(int(np.random.RandomState(1).choice(other.legal_actions())))
        assert len(others) > 1


def test_observers_have_named_parts_public_private_and_with_a_memory() -> None:
    game = pyspiel.load_game("kwartet_kwatro")
    state = decision(game, 2, 5)
    private = pyspiel.PrivateInfoType
    whole = make_observation(game, pyspiel.IIGObservationType(perfect_recall=False))
    recall = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    public = make_observation(
        game, pyspiel.IIGObservationType(perfect_recall=False, private_info=private.NONE)
    )
    own = make_observation(
        game, pyspiel.IIGObservationType(perfect_recall=False, public_info=False)
    )
    for observation in (whole, recall, public, own):
        observation.set_from(state, 0)
    assert set(whole.dict) == {"player", *(f.name for f in find("kwatro").features.FIELDS)}
    assert whole.dict["hand"].sum() == 4
    assert public.dict["hand"].sum() == 0
    assert own.dict["hand"].sum() == 4
    assert own.dict["field"].sum() == 0
    assert np.count_nonzero(recall.dict["memory"]) == len(state.history())
    assert (recall.dict["memory"] < 0).any()  # what the other was dealt
    hidden, seen = public.string_from(state, 0), whole.string_from(state, 0)
    assert "Seat 0 holds 4 hidden" in hidden
    assert "Seat 0 holds 4 hidden" not in seen
    assert len(own.string_from(state, 0).splitlines()) < len(seen.splitlines())
    with pytest.raises(ValueError, match="one player"):
        make_observation(
            game, pyspiel.IIGObservationType(perfect_recall=True, private_info=private.ALL_PLAYERS)
        )


def test_mcts_finds_a_win_in_one() -> None:
    game = pyspiel.load_game("kwartet_connect_four(opening=0/1/0/1/0/1)")
    luck = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 100, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
    assert bot.step(game.new_initial_state()) == 0


@pytest.mark.parametrize("name", ["kwartet_carnac(board=small)", "kwartet_catan_dice(players=2)"])
def test_mcts_plays(name: str) -> None:
    game = pyspiel.load_game(name)
    luck = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 5, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
    state = decision(game, 1, 2)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", ["kwartet_carat(players=2,hand=3)", "kwartet_kwatro"])
def test_information_set_mcts_plays(name: str) -> None:
    game = pyspiel.load_game(name)
    luck = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, luck), 1.4, 4, random_state=luck)
    state = decision(game, 1, 8)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", ["kwartet_carat(players=2)", "kwartet_kwatro"])
def test_sampling_cfr_learns_from_whole_matches(name: str) -> None:
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(pyspiel.load_game(name))
    for _ in range(2):
        solver.iteration()
    assert len(solver._infostates) > 10


def test_cfr_solves_the_end_of_a_match() -> None:
    name = late("carat", {"players": 2, "hand": 1}, 4)
    game = pyspiel.load_game(name)
    solver = cfr.CFRPlusSolver(game)
    before = exploitability.nash_conv(game, solver.average_policy())
    for _ in range(10):
        solver.evaluate_and_update_policy()
    after = exploitability.nash_conv(game, solver.average_policy())
    assert after < 0.05
    assert after <= before


def test_exact_search_agrees_with_the_end_of_a_match() -> None:
    name = late("carnac", {"board": "small"}, 4)
    game = pyspiel.load_game(name)
    value, _ = minimax.alpha_beta_search(game, maximum_depth=20, maximizing_player_id=0)
    assert value in (-1.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("kwartet_carnac(board=tiny)", "Option board"),
        ("kwartet_carnac(opening=a/b)", "numbers of actions"),
        ("kwartet_carnac(opening=508/)", "not legal"),
    ],
)
def test_bad_parameters_are_named(name: str, what: str) -> None:
    with pytest.raises(kwartet.GameError, match=what):
        pyspiel.load_game(name)


def test_a_process_that_used_it_ends_in_peace() -> None:
    script = (
        "import pyspiel, kwartet.envs.openspiel\n"
        "state = pyspiel.load_game('kwartet_carnac').new_initial_state()\n"
        "assert state.information_state_string(0)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
