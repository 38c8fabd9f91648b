"""`kwartet review`, run as a person runs it."""

import json
from pathlib import Path
from typing import Any

import pytest

import kwartet
from kwartet.core.records import line_of
from tests.commands import kwartet_command, kwartet_here
from tests.test_reviews import random_match

Record = dict[str, Any]


@pytest.fixture(scope="module")
def record() -> Record:
    """A short match, without luck."""
    return random_match("carnac", 2, board="small").record()


def written(folder: Path, *records: Any) -> str:
    path = folder / "matches.jsonl"
    path.write_text("".join(line_of(each) + "\n" for each in records), encoding="utf-8")
    return str(path)


def test_the_command_prints_what_the_library_finds(tmp_path: Path, record: Record) -> None:
    other = kwartet.new("carnac", board="small", seed=1).record()
    file, graph = written(tmp_path, other, record), tmp_path / "graph.svg"
    asked = ("review", file, "--match", "2", "--care", "quick", "--judge", "skilled")
    keeping = ("--seed", "3", "--out", str(tmp_path / "kept"), "--workers", "2")
    ended = kwartet_command(*asked, *keeping, "--json", "--svg", str(graph))
    assert ended.returncode == 0, ended.stderr
    told = kwartet.review(record, "skilled", care="quick", seed=3).as_json()
    assert json.loads(ended.stdout) == json.loads(json.dumps(told))
    assert graph.read_text(encoding="utf-8").startswith("<svg")
    (kept,) = (tmp_path / "kept").glob("*.jsonl")
    before = kept.read_bytes()
    shown = kwartet_here(*asked, *keeping).stdout  # nothing is left to do, nothing is done again
    assert kept.read_bytes() == before
    for words in ("Decisions", "start + luck + own + others + unexplained = result", "accuracy"):
        assert words in shown
    assert "█" in shown


@pytest.mark.parametrize(
    ("change", "words", "code"),
    [
        ({"moves": ["a1rr", "a1rr"]}, (), "bad-record"),
        ({"moves": ["c3wr"], "scores": [0, 0], "winners": []}, (), "not-over"),
        ({"rules": 99}, (), "wrong-rules"),
        ({"game": "chess"}, (), "unknown-game"),
        ({"game": ["carnac"]}, (), "bad-record"),
        ({"options": {"board": "huge"}}, (), "bad-option"),
        ({"scores": [9, 9]}, (), "bad-record"),
        ({}, ("--match", "2"), "bad-record"),
        ({}, ("--judge", "random"), "bad-bot"),
        ({}, ("--care", "none"), "bad-option"),
        ({}, ("--seats", "0,x"), "bad-option"),
        ({}, ("--seats", "7"), "unknown-seat"),
    ],
)
def test_bad_input_is_a_sentence_and_leaves_nothing_behind(
    tmp_path: Path, record: Record, change: Record, words: tuple[str, ...], code: str
) -> None:
    file = written(tmp_path, record | change)
    kept = tmp_path / "kept"
    ended = kwartet_here("review", file, *words, "--out", str(kept))
    assert ended.returncode == 2
    assert f"{code}:" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not kept.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"[1, 2]",
        b'"' + b"x" * 5_000_000 + b'"',
        b'{"kwartet": 1' + b" " * 5_000_000 + b"}",
    ],
    ids=["nothing", "torn", "binary", "deep", "list", "large", "spaces"],
)
def test_a_file_that_is_no_record_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(content)
    ended = kwartet_here("review", str(file))
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert len(ended.stderr) < 500


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    ended = kwartet_here("review", str(tmp_path / "none"))
    assert ended.returncode == 2
    assert "bad-record:" in ended.stderr
