"""Sheets: what is written for people is read back exactly, and what is no sheet is refused."""

import contextlib
import json
import random
import time
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kwartet
from kwartet.core.records import line_of, read_record, read_records
from kwartet.core.sheet_reading import read_sheet, split_moves
from kwartet.core.sheets import LABELS, LANGUAGES, write_sheet
from kwartet.games import find
from tests.cases import SOME
from tests.commands import kwartet_command, kwartet_here

Record = dict[str, Any]


@cache
def played(case: int, seed: int, plies: int) -> str:
    """The record of a random match that may have been left before its end, as JSON."""
    key, options = SOME[case]
    match = kwartet.new(key, seed=seed, **options)
    luck = random.Random(seed)
    while match.actor is not None and match.ply < plies:
        match.play(luck.choice(match.legal_actions()))
    return line_of(match.record())


def record_of(case: int, seed: int = 1, plies: int = 10_000) -> Record:
    record: Record = json.loads(played(case, seed, plies))
    return record


NAMES = st.text(max_size=12) | st.sampled_from(
    ["Ann", "bot:expert", "a: b", '"', "#1", " x ", "1. c"]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | NAMES
FOREIGN = st.recursive(
    LEAVES.filter(lambda leaf: leaf not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
ABOUT = st.fixed_dictionaries(
    {},
    optional={
        "players": st.lists(NAMES, max_size=4) | FOREIGN,
        "at": st.floats(0, 4e9) | st.integers(0, 4_000_000_000) | FOREIGN,
        "table": NAMES,
        "order": st.sampled_from(["lot", "fixed"]) | NAMES,
        "lot": st.permutations(range(3)) | FOREIGN,
        "origin": st.fixed_dictionaries({"table": NAMES, "ply": st.integers(0, 9)}) | FOREIGN,
        "commitment": NAMES | st.none(),
        "result": st.dictionaries(st.sampled_from(["reason", "places", "x y"]), FOREIGN),
        "more": FOREIGN,
        "Züge": FOREIGN,
    },
)


@settings(deadline=None, max_examples=300)
@given(
    case=st.integers(0, len(SOME) - 1),
    seed=st.integers(0, 3),
    plies=st.sampled_from([0, 1, 7, 40, 10_000]),
    about=ABOUT,
    language=st.sampled_from(LANGUAGES),
)
def test_a_sheet_is_read_back_exactly(
    case: int, seed: int, plies: int, about: Record, language: str
) -> None:
    record = record_of(case, seed, plies) | about
    sheet = write_sheet(record, find, language)
    assert as_json(read_sheet(sheet)) == as_json(record)
    mailed = "\ufeff# Hello\r\n\r\n" + sheet.replace("\n", " \t\r\n\r\n")
    assert as_json(read_record(mailed)) == as_json(record)


def as_json(value: Any) -> str:
    """With the types of numbers told apart, as `==` does not."""
    return json.dumps(value, sort_keys=True)


def test_a_sheet_is_for_people_too() -> None:
    about = {"players": ["Ann", "bot:expert"], "at": 1795000000.25, "result": {"reason": "played"}}
    record = record_of(2, 1) | {"players": ["Ann"]}
    lines = write_sheet(record, find, "de").splitlines()
    assert lines[:4] == [
        "Kwartet 1",
        "Spiel: catan_dice  # The Catan dice game",
        "Regeln: 2",
        "Optionen: players=1 same_turn_joker=true",
    ]
    turns = [line for line in lines if line[0:1].isdigit()]
    assert len(turns) == 15
    assert all(f"{n}. Ann: *" in turn and turn.endswith("end") for n, turn in enumerate(turns, 1))
    (score,) = record["scores"]
    assert lines[-2:] == [f"Punkte: {score}  # Ann {score}", "Gewinner: 0  # Ann"]
    carat = write_sheet(record_of(0, 1, 14) | about, find, "nl").splitlines()
    assert "Datum: 2026-11-18 11:06:40 UTC (1795000000.25)" in carat
    assert "Spelers: Ann; bot:expert" in carat
    opening = carat.index("Zetten:") + 1
    assert carat[opening].startswith("0. Toeval: *chips ")
    assert carat[opening + 1].startswith("1. Ann: ")
    assert carat[opening + 2].startswith("2. bot expert: ")


def test_no_label_means_two_things() -> None:
    meanings: dict[str, set[str]] = {}
    for name, labels in LABELS.items():
        assert len(labels) == len(LANGUAGES)
        for label in labels:
            assert label.isalpha()
            meanings.setdefault(label.casefold(), set()).add(name)
    assert all(len(names) == 1 for names in meanings.values())


def test_a_sheet_by_hand_needs_little() -> None:
    record = read_sheet(
        """
        Kwartet 1                 # our match at the harbour
        jeu : carnac
        Re\u0300gles : 1
        OPTIONS: board=small
        Datum: 2026-11-18
        Joueurs: Ann; Bob
        1. c3wr; tilt N
        2) Bob: stand; f2rr   # hm
        stand;
        """
    )
    assert record == {
        "kwartet": 1,
        "game": "carnac",
        "rules": 1,
        "options": {"board": "small"},
        "at": datetime(2026, 11, 18, tzinfo=UTC).timestamp(),
        "players": ["Ann", "Bob"],
        "moves": ["c3wr", "tilt N", "stand", "f2rr", "stand"],
    }


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", []),
        ("1. a1ww 2. tilt S 3) c2rr", ["a1ww", "tilt S", "c2rr"]),
        (
            "\ufeffkeep gt, *ogwt,keep ott;end\r\n*wttbbb  # a good roll",
            [
                "keep gt",
                "*ogwt",
                "keep ott",
                "end",
                "*wttbbb",
            ],
        ),
        ("BT4@0,1,BX2@-1,-1, done", ["BT4@0,1", "BX2@-1,-1", "done"]),
        ("12.\nc5=1YRGB\n\n13.\n*3RBGY", ["c5=1YRGB", "*3RBGY"]),
        ("pass GX4 RX4,, ;;\t*YC4 ", ["pass GX4 RX4", "*YC4"]),
    ],
)
def test_moves_are_typed_as_one_likes(text: str, moves: list[str]) -> None:
    assert split_moves(text) == moves


HEAD = "Kwartet 1\nGame: carnac\nRules: 1\nOptions: board=small\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "begins with"),
        ("Kwartet", "begins with"),
        ("Kwartet 1\nhello", "Line 2: 'hello'"),
        ("Kwartet 1\nFoo: 1", "Line 2: 'Foo: 1'"),
        ("Kwartet 1\nGame: a\nSpiel: b", "Line 3: 'Spiel' was told before"),
        ("Kwartet 1\nRules: one", "no whole number"),
        ("Kwartet 1\nRules: " + "9" * 5000, "no whole number"),
        ("Kwartet 1\nRules: ٣", "no whole number"),
        ("Kwartet 1\nScores: 1, x", "no whole number"),
        ("Kwartet 1\nDate: yesterday", "no date"),
        ("Kwartet 1\nDate: (1e999)", "too large"),
        ("Kwartet 1\nOptions: board", "name=value"),
        ("Kwartet 1\nOptions: a=1 a=2", "each name once"),
        ("Kwartet 1\nOptions: a=NaN,", "not JSON"),
        ("Kwartet 1\nOptions: a=-Infinity", "not JSON"),
        ("Kwartet 1\nOptions: a=" + "[" * 100_000, "not JSON"),
        ("Kwartet 1\nOptions: a=" + '{"b":' * 100_000, "not JSON"),
        ('Kwartet 1\nPlayers: "Ann', "not JSON"),
        ('Kwartet 1\nTable: "a" b', "not JSON"),
        ("Kwartet 1\nMore: []", "no JSON object"),
        ('Kwartet 1\nMore: {"a":1,"a":2}', "name twice"),
        ('Kwartet 1\nMore: {"kwartet": 2}', "tells 'kwartet' twice"),
        ("Kwartet 1\n" + "x" * 4_000_000, "at most"),
    ],
    ids=range(23),
)
def test_what_is_no_sheet_is_refused_with_a_reason(text: str, sentence: str) -> None:
    with pytest.raises(kwartet.GameError) as refusal:
        read_sheet(text)
    assert sentence in refusal.value.sentence
    assert len(refusal.value.sentence) < 400


@pytest.mark.parametrize(
    ("sheet", "code"),
    [
        (HEAD, "bad-record"),
        (HEAD.replace("Rules: 1", "Rules: 9") + "Moves:", "wrong-rules"),
        (HEAD.replace("Kwartet 1", "Kwartet 2") + "Moves:", "bad-record"),
        (HEAD.replace("carnac", "chess") + "Moves:", "unknown-game"),
        (HEAD.replace("small", "[1]") + "Moves:", "bad-option"),
        (HEAD + "1. a1rr; a1rr", "bad-record"),
    ],
)
def test_a_sheet_of_no_match_is_refused(sheet: str, code: str) -> None:
    with pytest.raises(kwartet.GameError) as refusal:
        kwartet.replay(read_record(sheet))
    assert refusal.value.code == code


@pytest.mark.parametrize(
    "line",
    [
        '"' * 1_000_000,
        '";' * 500_000,
        '"\\' * 500_000,
        " " * 1_000_000 + "x",
        "1. " + ";" * 900_000,
        "a=" * 400_000,
        "\n" * 1_000_000,
        "1.\n" * 300_000,
        "1. a\n" * 200_000,
        "# " * 500_000,
    ],
    ids=range(10),
)
def test_hostile_text_takes_no_time(line: str) -> None:
    for text in (
        f"{HEAD}Moves:\n{line}",
        f"Kwartet 1\nPlayers: {line}",
        f"Kwartet 1\nOptions: {line}",
    ):
        began = time.perf_counter()
        with contextlib.suppress(kwartet.GameError):
            read_sheet(text)
        assert time.perf_counter() - began < 10


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_sheet_is_another_record_or_refused(data: st.DataObject) -> None:
    sheet = write_sheet(record_of(1, 1) | {"players": ["Ann", "Bob"]}, find)
    begin = data.draw(st.integers(0, len(sheet)))
    end = data.draw(st.integers(begin, min(len(sheet), begin + 20)))
    damaged = sheet[:begin] + data.draw(st.text(max_size=5)) + sheet[end:]
    with contextlib.suppress(kwartet.GameError):
        assert kwartet.replay(read_record(damaged)).ply <= len(damaged)


@pytest.mark.parametrize(
    "change", [{"options": {"a": float("nan")}}, {"x": 10**5000}, {"x": object()}, {"x": {1: 2}}]
)
def test_what_json_cannot_say_is_not_written(change: Record) -> None:
    record = record_of(1, 1, 3) | change
    if change == {"x": {1: 2}}:
        assert read_sheet(write_sheet(record, find, actors=[0, 1, 1]))["x"] == {"1": 2}
        return
    with pytest.raises(kwartet.GameError, match="cannot be written"):
        write_sheet(record, find, actors=[None] * len(record["moves"]))


# Files and commands ---------------------------------------------------------------------------


def test_a_file_has_json_or_sheets_and_all_commands_read_both(tmp_path: Path) -> None:
    records = [record_of(1, seed) for seed in (1, 2)]
    lines, sheets, pretty = (tmp_path / name for name in ("a.jsonl", "b.txt", "c.json"))
    lines.write_text("\ufeff" + "\n".join(map(line_of, records)), encoding="utf-8")
    pretty.write_text(json.dumps(records[1], indent=2), encoding="utf-8")
    texts = [
        kwartet_here("sheet", str(lines), "--match", str(n), "--language", "fr") for n in (1, 2)
    ]
    assert [text.returncode for text in texts] == [0, 0]
    sheets.write_text("\n\n" + "\n".join(text.stdout for text in texts), encoding="utf-8")
    assert [record for _, record in read_records(sheets)] == records
    assert [record for _, record in read_records(pretty)] == records[1:]
    for file, count in ((lines, 2), (sheets, 2), (pretty, 1)):
        moves = sum(len(record["moves"]) for record in records[-count:])
        told = kwartet_here("replay", str(file), "--json").stdout
        assert json.loads(told) == {"file": str(file), "matches": count, "moves": moves}
        assert "follow from the seed" in kwartet_here("verify", str(file)).stdout
        again = kwartet_here("sheet", str(file), "--match", str(count), "--language", "fr")
        assert again.stdout == texts[1].stdout


def test_a_file_may_be_a_pipe() -> None:
    record = record_of(1)
    for text in (line_of(record) + "\n", "\n\n" + write_sheet(record, find)):
        ended = kwartet_command("replay", "/dev/stdin", "--json", given=text)
        assert json.loads(ended.stdout)["moves"] == len(record["moves"]), ended.stderr


def test_a_bad_move_is_named_with_what_was_possible(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text(HEAD + "1. Ann: g1ww; tilt Q")
    ended = kwartet_here("replay", str(file))
    assert ended.returncode == 2
    assert "Move 2, 'tilt Q', is bad." in ended.stderr
    assert "Possible: " in ended.stderr


@pytest.mark.parametrize(
    ("content", "words", "code"),
    [
        (b"Kwartet 1\nGame: carnac\nhello", (), "bad-record"),
        (b"Kwartet 1\nGame: \xff", (), "bad-record"),
        (b"Kwartet 1\n" + b" " * 5_000_000, (), "too-large"),
        (HEAD.encode() + b"Moves:", ("--match", "2"), "bad-record"),
        (HEAD.encode() + b"Moves:", ("--language", "xx"), "bad-option"),
        (b'{"kwartet": NaN}', (), "bad-record"),
        (b'{"kwartet": 1, "kwartet": 1}', (), "bad-record"),
        (b'{\n"kwartet": 1e999}', (), "bad-record"),
    ],
    ids=range(8),
)
def test_a_bad_file_is_a_sentence(
    tmp_path: Path, content: bytes, words: tuple[str, ...], code: str
) -> None:
    file = tmp_path / "match.txt"
    file.write_bytes(content)
    ended = kwartet_here("sheet", str(file), *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"{code}:" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert len(ended.stderr) < 500
