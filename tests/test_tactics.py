"""What games tell the search: it must be true of the rules."""

import numpy as np
import pytest

from kwartet.core import engine
from kwartet.core.chance import Generator, below, generator
from kwartet.core.kernels import kernel
from kwartet.core.match import Match
from kwartet.core.verbs import likely_action
from kwartet.games import find
from kwartet.games.carat import tactics as carat
from kwartet.games.kwatro import tactics as kwatro
from kwartet.games.kwatro.cards import JOKER, KINDS
from kwartet.games.kwatro.frontier import frontier_cell
from kwartet.games.kwatro.plays import best_play, points_from
from kwartet.games.kwatro.rules import DONE, LAYING, PASS, SWAP, TURN


@kernel
def likely(states: engine.States, rng: Generator) -> int:
    return likely_action(states[0], rng)


def most_points(match: Match, action: int) -> int:
    """The most that a play which begins or goes on with this action scores, all being tried."""
    seat, before = match.actor, match.scores()
    assert seat is not None
    after = match.copy()
    after.play(action)
    if action == DONE:
        return after.scores()[seat] - before[seat]
    return max(
        (most_points(after, more) for more in after.legal_actions() if more < PASS), default=0
    )


@pytest.mark.parametrize("players", [2, 4])
def test_kwatro_s_survey_notes_the_points_of_the_best_play(players: int) -> None:
    game = find("kwatro")
    jokers = 0
    for seed in range(3):
        rng = generator(seed)
        match = Match(game, {"players": players}, seed=seed)
        while match.actor is not None:
            legal = match.legal_actions()
            if below(rng, 6) == 0:
                state = match.state.copy()
                notes = np.zeros(game.knowledge.notes, np.int32)
                kwatro.survey(state[0], notes)
                assert state.tobytes() == match.state.tobytes()
                plays = [action for action in legal if action < PASS]
                jokers += any(SWAP <= action < DONE for action in plays)
                expected = [most_points(match, action) for action in plays]
                assert notes[plays].tolist() == expected
                assert notes[-1] == max(expected, default=0)
                if state[0].phase == TURN:
                    points, rank, kind = best_play(state[0], int(state[0].seat), 0)
                    assert state.tobytes() == match.state.tobytes()
                    assert points == max(notes[[a for a in plays if a < SWAP]], default=0)
                    assert points in (0, notes[rank * KINDS + kind])
            match.play(legal[below(rng, min(len(legal), 12))])
    assert jokers


def most_brought(match: Match, action: int, joker: int) -> int:
    """The most that such a play brings if each joker it lays takes so many points from it."""
    seat, before = match.actor, match.scores()
    assert seat is not None
    after = match.copy()
    after.play(action)
    if action == DONE:
        return after.scores()[seat] - before[seat]
    more = [most_brought(after, next, joker) for next in after.legal_actions() if next < PASS]
    return max(more) - joker * (action % KINDS == JOKER)


@pytest.mark.parametrize("joker", [4, 50])
def test_kwatro_s_best_play_is_the_one_that_brings_the_most_beyond_its_jokers(joker: int) -> None:
    game = find("kwatro")
    kept = 0
    for seed in range(24):
        rng = generator(seed)
        match = Match(game, {"players": 2}, seed=seed)
        while match.actor is not None:
            legal, state = match.legal_actions(), match.state[0]
            plays = [action for action in legal if action < SWAP]
            if plays and state.phase == TURN and JOKER in state.hands[match.actor]:
                most = max(most_brought(match, action, joker) for action in plays)
                free, _, _ = best_play(state, match.actor, 0)
                points, rank, kind = best_play(state, match.actor, joker)
                assert points == max(most, 0)
                if points:
                    assert points_from(state, frontier_cell(state, rank), kind, joker) == points
                kept += points < free
            match.play(legal[below(rng, len(legal))])
    assert kept


@pytest.mark.parametrize("players", [2, 3, 4])
def test_quick_players_of_kwatro_keep_jokers_that_a_play_does_not_pay_for(players: int) -> None:
    rng, kept, taken = generator(players), 0, 0
    for seed in range(12):
        match = Match(find("kwatro"), {"players": players}, seed=seed)
        while (seat := match.actor) is not None and match.state[0].pile > 0:
            state, before = match.state[0], match.scores()[seat]
            held = int((state.hands[seat] >= JOKER).sum())
            best, _, _ = best_play(state, seat, 0)
            swaps = [action for action in match.legal_actions() if SWAP <= action < DONE]
            action = likely(match.state, rng)
            match.play(action)
            if swaps:
                assert action in swaps
                taken += 1
                continue
            while match.actor == seat and match.state[0].phase == LAYING:
                match.play(likely(match.state, rng))
            laid = held - int((match.state[0].hands[seat] >= JOKER).sum())
            assert laid <= 0 or match.scores()[seat] - before > kwatro.JOKER_WORTH * laid
            kept += match.scores()[seat] - before < best
    assert kept
    assert taken


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4}, {"players": 2, "hand": 3}])
def test_carat_s_gain_is_what_a_placement_scores_less_what_it_gives_away(
    options: dict[str, int],
) -> None:
    game = find("carat")
    match = Match(game, options, seed=5)
    rng = generator(5)
    while (seat := match.actor) is not None:
        legal = match.legal_actions()
        for action in legal[:: 1 + len(legal) // 9]:
            after = match.copy()
            after.play(action)
            gains = [new - old for new, old in zip(after.scores(), match.scores(), strict=True)]
            assert carat.gain(match.state[0], action) == 2 * gains[seat] - sum(gains)
        match.play(legal[below(rng, len(legal))])


@pytest.mark.parametrize("key", ["carat", "carnac", "catan_dice", "kwatro"])
def test_playing_on_quickly_is_legal_and_better_than_chance(key: str) -> None:
    game = find(key)
    totals = np.zeros(2)
    for seed in range(40):
        match = Match(game, {"players": 2} if key != "carnac" else {}, seed=seed)
        rng = generator(seed)
        while match.actor is not None:
            legal = match.legal_actions()
            quick = likely(match.state.copy(), rng)
            assert quick in legal
            match.play(quick if match.actor == seed % 2 else legal[below(rng, len(legal))])
        totals += np.roll(match.scores(), -(seed % 2))
    if key != "carnac":  # which plays on at random
        assert totals[0] > totals[1]
