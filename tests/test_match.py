"""The library's face, as the README and docs/architecture.md show it."""

import copy
import dataclasses
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kwartet
from kwartet.core.game import Option
from kwartet.core.match import Match

ROOT = Path(__file__).parents[1]


def test_the_face_of_a_match() -> None:
    match = kwartet.new("carnac", board="small", seed=7)
    assert match.actor == 0
    assert match.legal()[:2] == ["a1rr", "a1rw"]
    match.play("c3wr")
    assert match.moves == ["c3wr"]
    assert match.scores() == [0, 0]
    assert match.winners() == []
    assert match.returns() == [0.0, 0.0]
    assert match.view(0)["game"] == "carnac"
    assert match.record()["options"] == {"board": "small", "final_tilt": False}
    match.copy().play("stand")
    assert match.ply == 1
    match.undo()
    assert match.moves == []
    assert "carnac" in repr(match)


def test_games_are_listed_in_order_and_described() -> None:
    keys = [key for key in kwartet.GAMES if key != "connect_four"]
    assert keys == ["carat", "carnac", "catan_dice", "kwatro"]
    described = kwartet.describe("carat")
    assert described["seats"] == [2, 3, 4]
    assert [option["name"] for option in described["options"]] == ["players", "hand", "colours"]


def test_auto_chance_plays_up_to_the_first_decision() -> None:
    match = kwartet.new("kwatro", players=3, seed=1)
    assert match.actor == 0
    assert len(match.moves) == 13
    assert all(move.startswith("*") for move in match.moves)


def test_without_auto_chance_the_caller_plays_chance() -> None:
    match = kwartet.new("kwatro", players=3, auto_chance=False)
    assert match.actor == kwartet.CHANCE
    assert len(match.legal()) == 65
    match.play("*RS3")
    assert match.moves == ["*RS3"]
    assert "seed" not in match.record()
    match.undo()
    assert match.moves == []


def test_undo_takes_back_a_decision_with_the_chance_after_it() -> None:
    match = kwartet.new("carat", seed=2)
    dealt = match.moves
    match.play(match.legal()[0])
    match.undo()
    assert match.moves == dealt
    with pytest.raises(kwartet.GameError) as refusal:
        match.undo()
    assert refusal.value.code == "nothing-to-undo"
    assert match.moves == dealt


def test_a_move_may_be_given_as_an_action() -> None:
    match = kwartet.new("carnac", board="small")
    match.play(match.legal_actions()[5])
    assert match.moves == ["b1rw"]
    with pytest.raises(kwartet.GameError, match="no action 999"):
        match.play(999)


def test_a_match_that_is_over_takes_no_move() -> None:
    match = kwartet.new("carnac", board="small")
    while match.actor is not None:
        match.play(match.legal()[0])
    with pytest.raises(kwartet.GameError) as refusal:
        match.play("a1rr")
    assert refusal.value.code == "game-over"
    assert match.legal() == []
    assert match.winners()


@pytest.mark.parametrize("key", ["carrat", "", "os", 7, None, ["carat"]])
def test_an_unknown_game_names_those_there_are(key: object) -> None:
    for ask in (kwartet.new, kwartet.describe):
        with pytest.raises(kwartet.GameError, match="carat, carnac, catan_dice, kwatro") as refusal:
            ask(key)  # type: ignore[arg-type]
        assert refusal.value.code == "unknown-game"


@pytest.mark.parametrize(
    ("key", "options", "sentence"),
    [
        ("carnac", {"board": "huge"}, "it can be small, medium, large"),
        ("carnac", {"size": 3}, "it has board, final_tilt"),
        ("catan_dice", {"players": 1.0}, "it can be 1, 2, 3, 4"),
        ("catan_dice", {"same_turn_joker": 1}, "it can be true, false"),
        ("kwatro", {"players": 1}, "it can be 2, 3, 4"),
    ],
)
def test_a_bad_option_names_what_there_is(
    key: str, options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(kwartet.GameError, match=re.escape(sentence)) as refusal:
        kwartet.new(key, **options)  # type: ignore[arg-type]
    assert refusal.value.code == "bad-option"


@pytest.mark.parametrize("seed", [b"short", "seven", 1.5, True])
def test_a_bad_seed_is_refused(seed: object) -> None:
    with pytest.raises(kwartet.GameError) as refusal:
        kwartet.new("kwatro", seed=seed)  # type: ignore[arg-type]
    assert refusal.value.code == "bad-seed"


@pytest.mark.parametrize("seat", [-1, 2, True, "0", 0.0])
def test_an_unknown_seat_is_refused(seat: object) -> None:
    match = kwartet.new("carnac")
    for ask in (match.view, match.redacted, match.observation, match.log):
        with pytest.raises(kwartet.GameError) as refusal:
            ask(seat)  # type: ignore[arg-type]
        assert refusal.value.code == "unknown-seat"


HUGE = 10**5000
DEEP: list[object] = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "value",
    [None, 3.7, float("nan"), True, b"5", [], {}, HUGE, -HUGE, 2**31, DEEP, object(), "\ud800"],
    ids=lambda value: type(value).__name__,
)
def test_anything_foreign_is_refused_with_a_sentence(value: Any) -> None:
    match = kwartet.new("carnac", board="small")
    questions: list[Callable[[], object]] = [
        lambda: match.play(value),
        lambda: finished().play(value),
        lambda: match.view([value]),  # type: ignore[arg-type]
        lambda: kwartet.new("carnac", board=value),
        lambda: kwartet.new("carat", players=2, colours=[value, "R"]),
        lambda: kwartet.new(value),
        lambda: kwartet.new("carnac", seed=[value]),  # type: ignore[arg-type]
    ]
    for ask in questions:
        with pytest.raises(kwartet.GameError) as refusal:
            ask()
        assert len(refusal.value.sentence.encode()) < 500
    assert match.moves == []


def finished() -> Match:
    match = kwartet.new("carnac", board="small", seed=1)
    while match.actor is not None:
        match.play(match.legal()[0])
    return match


def test_what_is_handed_out_can_be_changed_without_harm() -> None:
    colours = ["R", "Y"]
    match = kwartet.new("carat", players=2, colours=colours, seed=1)
    record = match.record()
    colours[0] = "G"
    match.view(0)["options"]["colours"].append("X")
    match.record()["options"]["players"] = 4
    match.copy().options["hand"] = 3
    match.moves.clear()
    assert match.record() == record


def test_a_move_can_be_tied_to_its_seat_and_ply() -> None:
    match = kwartet.new("kwatro", seed=1)
    for arguments, code in (
        ({"seat": 1}, "not-your-turn"),
        ({"ply": 3}, "stale-ply"),
        ({"seat": 5}, "unknown-seat"),
    ):
        with pytest.raises(kwartet.GameError) as refusal:
            match.play("pass J", **arguments)
        assert refusal.value.code == code
        hand = match.view(0)["hands"][0]
        assert not any(card in refusal.value.sentence for card in hand)
    match.play("pass", seat=0, ply=match.ply)
    assert match.moves[-1] == "pass"


def test_an_error_says_what_was_possible() -> None:
    match = kwartet.new("carnac", board="small")
    with pytest.raises(kwartet.GameError, match=r"Possible: a1rr, a1rw, .* \(160 in all\)\.$"):
        match.play("z9")


def test_errors_can_be_copied_and_sent_to_other_processes() -> None:
    error = kwartet.GameError("bad-option", "A sentence.")
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (twin.code, twin.sentence, str(twin)) == ("bad-option", "A sentence.", "A sentence.")


def test_the_readme_example_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert blocks
    for block in blocks:
        subprocess.run([sys.executable, "-c", block], check=True, cwd=ROOT)


# What protocol.md shows needs a server; tests/test_client.py runs it.
DOCUMENTS = [path for path in sorted((ROOT / "docs").rglob("*.md")) if path.stem != "protocol"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_examples_in_the_docs_run(document: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", document.read_text(), re.S):
        exec(compile(block, str(document), "exec"), {})


def test_importing_is_quick_because_numba_comes_later() -> None:
    code = "import sys, kwartet; kwartet.describe('carat'); sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("counts", [{"seat_counts": (2, 9)}, {"seat_counts": (12,)}])
def test_a_game_with_too_many_seats_is_refused(counts: dict[str, Any]) -> None:
    game = dataclasses.replace(kwartet.GAMES["carnac"], key="crowd", **counts)
    with pytest.raises(kwartet.GameError, match="more seats than the 8") as caught:
        kwartet.register(game)
    assert caught.value.code == "bad-game"
    assert "crowd" not in kwartet.GAMES


def test_a_game_whose_option_has_too_many_seats_is_refused() -> None:
    players = Option("players", 2, "How many play.", (2, 9))
    game = dataclasses.replace(kwartet.GAMES["carnac"], key="crowd", options=(players,))
    with pytest.raises(kwartet.GameError, match="more seats than the 8"):
        kwartet.register(game)
