"""What every game must do, checked for all of them and for the example."""

import json
import random
from collections import Counter
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kwartet
from kwartet.core import engine, verbs
from kwartet.core.chance import generator, lots
from kwartet.core.game import Game
from kwartet.core.match import Match
from kwartet.core.picture import Spot
from kwartet.core.simulation import play_out, random_match
from kwartet.core.verbs import FEATURES, RULES
from kwartet.games import GAMES
from tests.cases import every_case
from tests.comparison import PLAIN

ROOT = Path(__file__).parents[1]


def watchers(match: Match) -> list[int | None]:
    return [*range(match.seats), None]


def positions(key: str, options: dict[str, Any], seed: int, share: float = 0.2) -> list[Match]:
    """Copies of a random match at random moments, the first and last included."""
    luck = random.Random(f"{key} {options} {seed}")
    match = kwartet.new(key, auto_chance=False, seed=seed, **options)
    chosen = [match.copy()]
    while match.actor is not None:
        match.play(luck.choice(match.legal_actions()))
        if match.actor is None or luck.random() < share:
            chosen.append(match.copy())
    return chosen


@pytest.mark.parametrize("game", [*GAMES.values()], ids=lambda game: game.key)
def test_a_game_has_everything_that_belongs_to_it(game: Game) -> None:
    rules = game.rules
    for name in (
        "STATE",
        "ACTIONS",
        "CHANCE_ACTIONS",
        "SECRETS",
        "MAX_LEGAL",
        "MAX_ACTIONS",
        "start",
    ):
        assert hasattr(rules, name), f"{game.key}/rules.py lacks {name}"
    for module, verbs_of_it in ((rules, RULES), (game.features, FEATURES)):
        for verb in verbs_of_it:
            assert hasattr(module, verb), f"{game.key} lacks the kernel {verb}"
    for name in ("names", "read", "objection"):
        assert hasattr(game.notation, name), f"{game.key}/notation.py lacks {name}"
    for name in ("view", "text"):
        assert hasattr(game.views, name), f"{game.key}/view.py lacks {name}"
    assert all(field.meaning for field in game.features.FIELDS)
    if game.package.startswith("kwartet.games."):
        data = ROOT / "tests/data"
        for path in (
            data / "perft" / f"{game.key}.json",
            data / "playthroughs" / f"{game.key}.jsonl",
            ROOT / "docs/games" / f"{game.key}.md",
            ROOT / "tests" / f"test_{game.key}.py",
        ):
            assert path.exists(), f"{game.key} lacks {path.relative_to(ROOT)}"
        assert game.key in PLAIN, f"{game.key} lacks tests/plain/{game.key}.py"
        assert rules.STATE.itemsize <= PLAIN[game.key].STATE_BYTES


@every_case
def test_legal_actions_are_ascending_and_there_are_some_until_the_end(
    key: str, options: dict[str, Any]
) -> None:
    for match in positions(key, options, 1, share=1.0):
        legal = match.legal_actions()
        assert all(first < second for first, second in pairwise(legal))
        assert bool(legal) == (match.actor is not None), "nobody can act, yet it is not over"
        rules = match.game.rules
        room = np.empty(4 * rules.MAX_LEGAL + 1000, np.int32)
        assert engine.legal_actions(match.state, room) <= rules.MAX_LEGAL, "MAX_LEGAL is too small"
        limit = rules.CHANCE_ACTIONS if match.actor == kwartet.CHANCE else rules.ACTIONS
        assert all(0 <= action < limit for action in legal)
    assert len(match.actions) <= match.game.rules.MAX_ACTIONS


@every_case
def test_notation_goes_both_ways(key: str, options: dict[str, Any]) -> None:
    for match in positions(key, options, 2, share=0.1):
        legal = match.legal()
        assert len(set(legal)) == len(legal)
        assert all(move.startswith("*") == (match.actor == kwartet.CHANCE) for move in legal)
        assert [match.read(move) for move in legal] == [[a] for a in match.legal_actions()]


@every_case
def test_random_actions_are_legal_and_as_likely_as_they_should_be(
    key: str, options: dict[str, Any]
) -> None:
    rng = generator(3)
    for match in positions(key, options, 3, share=0.05):
        legal = match.legal_actions()
        if not legal:
            continue
        state = match.state[0]
        drawn = [verbs.random_action(state, rng) for _ in range(100 * len(legal))]
        counts = Counter(drawn)
        assert set(counts) <= set(legal)
        weights = [1] * len(legal)
        if match.actor == kwartet.CHANCE:
            weights = chance_weights(match).tolist()
        expected = [len(drawn) * weight / sum(weights) for weight in weights]
        chi_squared = sum(
            (counts[action] - mean) ** 2 / mean
            for action, mean in zip(legal, expected, strict=True)
        )
        freedom = len(legal) - 1
        assert chi_squared <= freedom + 6 * (2 * freedom) ** 0.5 + 12


@every_case
def test_undo_copy_and_replay_are_exact(key: str, options: dict[str, Any]) -> None:
    luck = random.Random(5)
    match = kwartet.new(key, seed=5, **options)
    while match.actor is not None:
        before, moves, record = match.state.tobytes(), match.moves, match.record()
        twin = match.copy()
        match.play(luck.choice(match.legal()))
        after = match.moves
        assert twin.state.tobytes() == before
        assert twin.record() == record
        match.undo()
        assert match.state.tobytes() == before
        assert match.moves == moves
        assert match.record() == record
        match.play(after[len(moves)])
        assert match.moves == after  # the same luck again
    again = kwartet.replay(match.record())
    assert again.state.tobytes() == match.state.tobytes()
    assert again.record() == match.record()
    assert again.log(0) == match.log(0)


@every_case
def test_the_match_draws_the_same_luck_from_the_same_seed(
    key: str, options: dict[str, Any]
) -> None:
    first, second = (kwartet.new(key, seed=8, **options) for _ in range(2))
    assert first.moves == second.moves
    assert first.record() == second.record()


def named_lots(match: Match) -> dict[str, set[int]]:
    """The name of every lot that a match drew, each with what came of it."""
    drawn: dict[str, set[int]] = {}
    draw = lots(bytes.fromhex(match.record()["seed"]))

    def lot(name: str, count: int) -> int:
        number = draw(name, count)
        drawn.setdefault(name, set()).add(number)
        return number

    again = kwartet.new(match.game.key, auto_chance=False, **match.options)
    for action in match.actions:
        if again.actor == kwartet.CHANCE:
            before = len(drawn)
            assert match.game.luck.draw(again.state[0], lot) == action
            is_sure = len(again.legal_actions()) == 1
            assert len(drawn) > before or is_sure, "a lot was drawn a second time"
        again.extend([action])
    return drawn


@every_case
def test_all_who_play_meet_the_same_luck_whatever_they_decide(
    key: str, options: dict[str, Any]
) -> None:
    """A lot has one name, and that does not depend on what was decided before."""
    met: dict[str, set[int]] = {}
    names: list[set[str]] = []
    for number in range(4):
        luck = random.Random(number)
        match = kwartet.new(key, seed=8, **options)
        while match.actor is not None:
            match.play(luck.choice(match.legal_actions()))
        drawn = named_lots(match)
        names.append(set(drawn))
        for name, numbers in drawn.items():
            met.setdefault(name, set()).update(numbers)
    assert all(len(numbers) == 1 for numbers in met.values())
    for first, second in combinations(names, 2):
        shared = len(first & second)
        assert 2 * shared >= min(len(first), len(second)), "names of lots depend on decisions"
    assert bool(met) == bool(kwartet.GAMES[key].rules.CHANCE_ACTIONS)


@every_case
def test_lots_make_outcomes_exactly_as_likely_as_their_weights(
    key: str, options: dict[str, Any]
) -> None:
    for match in positions(key, options, 11, share=0.04):
        if match.actor != kwartet.CHANCE:
            continue
        counts = every_draw(match)
        weights = dict(zip(match.legal_actions(), chance_weights(match).tolist(), strict=True))
        share = sum(counts.values()) / sum(weights.values())
        assert counts == {action: weight * share for action, weight in weights.items()}


def every_draw(match: Match) -> Counter[int]:
    """How often each outcome comes up, over all that the lots can be together."""
    counts: Counter[int] = Counter()
    state, sizes = match.state[0], list[int]()

    def note(name: str, count: int) -> int:
        sizes.append(count)
        return 0

    match.game.luck.draw(state, note)
    for numbers in product(*map(range, sizes)):
        left = iter(numbers)
        counts[match.game.luck.draw(state, lambda *_: next(left))] += 1  # noqa: B023
    return counts


def chance_weights(match: Match) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """How likely each of chance's outcomes is, relative to the others."""
    outcomes = np.array(match.legal_actions(), np.int32)
    weights = np.empty(len(outcomes), np.int64)
    engine.chance_weights(match.state, outcomes, weights)
    return weights


@every_case
def test_nothing_a_watcher_cannot_see_changes_what_it_is_shown(
    key: str, options: dict[str, Any]
) -> None:
    rng = generator(6)
    for match in positions(key, options, 6):
        for watcher in watchers(match):
            seen = match.redacted(watcher)
            view = json.dumps(match.view(watcher))
            flat = flat_observation(match.game, match.state, watcher)
            assert_redacting_twice_changes_nothing(seen, watcher)
            for _ in range(3):
                world = seen.copy()
                engine.determinize(world, verbs.SPECTATOR if watcher is None else watcher, rng)
                assert flat_observation(match.game, world, watcher) == flat
                other = match.copy()
                other.set_up(world)
                assert other.redacted(watcher).tobytes() == seen.tobytes()
                assert json.dumps(other.view(watcher)) == view
                if match.actor is not None and match.actor == watcher:
                    assert other.legal() == match.legal()


def flat_observation(game: Game, states: engine.States, watcher: int | None) -> bytes:
    out = np.empty(sum(field.size for field in game.features.FIELDS), np.float32)
    engine.observe(states, verbs.SPECTATOR if watcher is None else watcher, out)
    assert np.isfinite(out).all()
    return out.tobytes()


def assert_redacting_twice_changes_nothing(states: engine.States, watcher: int | None) -> None:
    twice = states.copy()
    engine.redact(twice, verbs.SPECTATOR if watcher is None else watcher)
    assert twice.tobytes() == states.tobytes()


@every_case
def test_worlds_can_be_played_to_the_end(key: str, options: dict[str, Any]) -> None:
    rng = generator(7)
    for match in positions(key, options, 7, share=0.1):
        for watcher in watchers(match):
            world = match.determinized(watcher, seed=match.ply)
            count = play_out(world, rng)
            assert len(match.actions) + count <= match.game.rules.MAX_ACTIONS


@every_case
def test_returns_agree_with_scores_and_winners(key: str, options: dict[str, Any]) -> None:
    for seed in range(5):
        match = random_match(kwartet.GAMES[key], options, generator(seed))
        winners, results = match.winners(), match.returns()
        assert winners
        assert winners == sorted(set(winners))
        if match.seats == 1:
            assert results == [0.0]
            continue
        assert abs(sum(results)) < 1e-9
        best = max(results)
        assert [seat for seat in range(match.seats) if results[seat] == best] == winners
        if len(winners) == 1:
            assert best == 1.0
        if key in PLAIN and PLAIN[key].MOST_POINTS_WIN:
            top = max(match.scores())
            assert [seat for seat in range(match.seats) if match.scores()[seat] == top] == winners


@every_case
def test_without_secrets_everybody_sees_the_same(key: str, options: dict[str, Any]) -> None:
    for match in positions(key, options, seed=21):
        if match.game.rules.SECRETS:
            return
        seen = match.view(None)
        for seat in range(match.seats):
            assert match.view(seat) == seen | {"seat": seat}


@every_case
def test_views_are_json_and_have_a_picture(key: str, options: dict[str, Any]) -> None:
    for match in positions(key, options, 9, share=0.1):
        for watcher in watchers(match):
            view = match.view(watcher)
            assert json.loads(json.dumps(view)).keys() == view.keys()
            assert match.game.views.text(view)
            shapes = {name: part.shape for name, part in match.observation(watcher).items()}
            assert shapes == {field.name: field.shape for field in match.game.features.FIELDS}


@every_case
def test_pictures_carry_moves_in_notation(key: str, options: dict[str, Any]) -> None:
    for match in positions(key, options, 12, share=0.1):
        if match.actor is None or match.actor < 0:
            continue
        picture = match.picture(match.actor)
        assert picture.shapes
        spots = [shape for shape in picture.shapes if isinstance(shape, Spot)]
        for move in {move for shape in spots for move in shape.moves}:
            refusal = refused(match.copy(), move)
            assert refusal is None or refusal.code == "illegal-move", (move, refusal)


def garbage(legal: list[str], luck: random.Random) -> list[str]:
    """Texts that are not moves here: noise, and moves that are slightly damaged."""
    letters = "abcdefghRYBGJSCTX*@,=-0123456789 keptildonswg$\n\0é"
    noise = ["".join(luck.choices(letters, k=luck.randint(1, 14))) for _ in range(80)]
    damaged = [
        text
        for move in sorted(legal)[:20]
        for text in (move + "x", move[:-1], move[1:], move.swapcase())
    ]
    return [text for text in ["", "*", " ", *noise, *damaged] if text.strip() not in legal]


@every_case
def test_garbage_is_refused_and_changes_nothing(key: str, options: dict[str, Any]) -> None:
    luck = random.Random(10)
    for match in positions(key, options, 10, share=0.05):
        before, legal = match.record(), match.legal()
        for text in garbage(legal, luck):
            refusal = refused(match, text)
            if refusal is None:  # a move of the list, its parts in another order
                assert match.moves[-1] in legal
                match = kwartet.replay(before)
                continue
            assert refusal.code in ("bad-notation", "illegal-move", "game-over")
            assert refusal.sentence.endswith(".")
            assert match.record() == before
        for action in (-1, 10**6):
            with pytest.raises(kwartet.GameError):
                match.play(action)


def refused(match: Match, text: str) -> kwartet.GameError | None:
    try:
        match.play(text)
    except kwartet.GameError as error:
        return error
    return None
