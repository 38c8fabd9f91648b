"""Records: what goes out comes in again, and what is damaged is named."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kwartet
from kwartet.core.fairness import verify
from kwartet.core.match import Match
from kwartet.core.records import line_of, read_records
from kwartet.games import find


def unfinished() -> kwartet.core.match.Match:
    match = kwartet.new("kwatro", seed=3)
    for _ in range(6):
        match.play(match.legal()[0])
    return match


def test_an_unfinished_match_goes_on_with_the_same_luck() -> None:
    match = unfinished()
    again = kwartet.replay(json.loads(line_of(match.record())))
    assert again.record() == match.record()
    while match.actor is not None:
        move = match.legal()[-1]
        match.play(move)
        again.play(move)
    assert again.record() == match.record()


def test_a_record_of_a_real_deck_needs_no_seed() -> None:
    match = kwartet.new("carat", auto_chance=False)
    match.play("*chips " + "1234" * 10 + "5" * 9)
    match.play("*5RYGB")
    again = kwartet.replay(match.record())
    assert again.record() == match.record()
    assert again.actor == kwartet.CHANCE


@pytest.mark.parametrize("ply", [9, 10, 21])  # a seat's and chance's
def test_a_match_that_goes_on_from_another_is_verified_from_there_on(ply: int) -> None:
    first = unfinished()
    moves = first.moves[:ply]
    match = Match(first.game, first.options, seed=8, auto_chance=False)
    match.follow(moves)
    match.resume_chance()
    while match.actor is not None and match.ply < ply + 30:
        match.play(match.legal_actions()[-1])
    record = match.record()
    told = verify(record | {"origin": {"table": "abc", "ply": ply}}, find)
    assert (told.problem, told.since) == (None, ply)
    assert told.draws == sum(move.startswith("*") for move in match.moves[ply:]) > 0
    assert "Ply 0 is" in str(verify(record, find).problem)
    wrong: list[Any] = [{}, {"ply": 999}, {"ply": True}, [], "x", {"ply": -1}]
    for origin in wrong:
        with pytest.raises(kwartet.GameError, match="origin"):
            verify(record | {"origin": origin}, find)


EARLIER = [
    pytest.param(record, id=f"{path.stem}-{line}")
    for path in sorted((Path(__file__).parent / "data/earlier").glob("*.jsonl"))
    for line, record in read_records(path)
]


@pytest.mark.parametrize("record", EARLIER)
def test_a_record_of_an_earlier_version_replays_goes_on_and_is_verified_as_it_was(
    record: dict[str, Any],
) -> None:
    match = kwartet.replay(record)
    assert match.record() == record
    assert verify(record, find).problem is None
    while match.actor is not None:
        match.play(match.legal_actions()[-1])
    assert match.record()["rules"] == 1 < match.game.version
    assert verify(match.record(), find).problem is None
    assert "the seed gives" in str(verify(record | {"rules": match.game.version}, find).problem)


@pytest.mark.parametrize(
    ("change", "code", "sentence"),
    [
        ({"kwartet": 2}, "bad-record", "not a record"),
        ({"kwartet": None}, "bad-record", "not a record"),
        ({"game": "chess"}, "unknown-game", "no game"),
        ({"game": 5}, "bad-record", "'game'"),
        ({"game": ["carat"]}, "bad-record", "'game'"),
        ({"rules": 99}, "wrong-rules", "version 99"),
        ({"rules": "1"}, "bad-record", "'rules'"),
        ({"options": []}, "bad-record", "'options'"),
        ({"options": {"players": 9}}, "bad-option", "players"),
        ({"options": {"players": None}}, "bad-option", "players"),
        ({"moves": "abc"}, "bad-record", "'moves'"),
        ({"moves": [1, 2]}, "bad-record", "not all strings"),
        ({"moves": ["*RS3", "*RS3"]}, "bad-record", "Move 2, '\\*RS3', is bad"),
        ({"moves": ["x" * 10_000]}, "bad-record", "Move 1"),
        ({"kwartet": True}, "bad-record", "not a record"),
        ({"rules": True}, "bad-record", "'rules'"),
        ({"scores": [1, 2]}, "bad-record", "scores"),
        ({"scores": [0.0, False]}, "bad-record", "scores"),
        ({"scores": "\ud800"}, "bad-record", "scores"),
        ({"scores": 10**5000}, "bad-record", "scores"),
        ({"winners": None}, "bad-record", "winners"),
        ({"winners": [0]}, "bad-record", "winners"),
        ({"seed": "zz"}, "bad-record", "seed"),
        ({"seed": 12}, "bad-record", "seed"),
        ({"seed": "00"}, "bad-record", "seed"),
    ],
)
def test_a_damaged_record_is_refused_with_a_reason(
    change: dict[str, Any], code: str, sentence: str
) -> None:
    with pytest.raises(kwartet.GameError, match=f"(?i){sentence}") as refusal:
        kwartet.replay(unfinished().record() | change)
    assert refusal.value.code == code


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
DEEP = json.loads("[" * 500 + "]" * 500)


@settings(max_examples=400, deadline=None)
@given(
    game=st.sampled_from(["carat", "carnac", "catan_dice", "kwatro", "connect_four"]),
    field=st.sampled_from(
        ["kwartet", "game", "rules", "options", "moves", "scores", "winners", "seed", "origin"]
    ),
    option=st.sampled_from(["players", "hand", "colours", "board", "same_turn_joker", ""]),
    value=JSON | st.just(DEEP),
)
def test_whatever_a_field_holds_it_is_played_or_refused(
    game: str, field: str, option: str, value: Any
) -> None:
    record = kwartet.new(game, seed=1).record()
    told = {option: value} if field == "options" and option else value
    with contextlib.suppress(kwartet.GameError):
        assert verify(record | {field: told}, find).problem is None or field == "seed"


@pytest.mark.parametrize("record", [None, 3, "x", [], {}, {"kwartet": 1}])
def test_what_is_no_record_is_refused(record: Any) -> None:
    with pytest.raises(kwartet.GameError) as refusal:
        kwartet.replay(record)
    assert refusal.value.code == "bad-record"


def test_a_file_is_read_line_by_line_and_a_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(line_of(unfinished().record()) + "\n\n{broken\n")
    lines = read_records(file)
    assert next(lines)[0] == 1
    with pytest.raises(kwartet.GameError, match="Line 3"):
        next(lines)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(kwartet.GameError, match="not a text file"):
        list(read_records(file))
    file.write_text("[" * 100_000)
    with pytest.raises(kwartet.GameError, match="not JSON"):
        list(read_records(file))
    with pytest.raises(kwartet.GameError, match="Cannot read"):
        list(read_records(tmp_path / "missing"))
