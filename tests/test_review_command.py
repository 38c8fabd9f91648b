"""`kwartet review`, run as a person runs it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import kwartet
from kwartet.core.records import line_of
from tests.commands import ROOT, kwartet_command, kwartet_here
from tests.glancing import random_match

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


def test_ctrl_c_keeps_what_was_found_and_the_same_command_goes_on(
    tmp_path: Path, record: Record
) -> None:
    asked = ("review", written(tmp_path, record), "--care", "quick", "--workers", "1", "--json")
    running = subprocess.Popen(
        [sys.executable, "-m", "kwartet.cli", *asked, "--out", str(tmp_path / "kept")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        # A shell's background jobs ignore Ctrl-C, and so would what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not any(each.stat().st_size for each in (tmp_path / "kept").glob("*.jsonl")):
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "Interrupted; the same command goes on." in errors
    assert "Traceback" not in errors
    (kept,) = (tmp_path / "kept").glob("*.jsonl")
    before = kept.read_bytes()
    ended = kwartet_command(*asked, "--out", str(tmp_path / "kept"))
    assert ended.returncode == 0, ended.stderr
    assert kept.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    told = json.loads(ended.stdout)
    assert told["done"] == told["total"] == len(record["moves"])


def test_a_match_that_was_broken_off_is_shown_with_what_could_be_expected(
    tmp_path: Path, record: Record
) -> None:
    moves = record["moves"][:6]
    broken = {name: record[name] for name in ("kwartet", "game", "rules", "options")}
    broken |= {"moves": moves, "result": {"reason": "resigned", "winners": [1]}}
    asked = ("--care", "quick", "--judge", "skilled", "--workers", "1")
    ended = kwartet_here("review", written(tmp_path, broken), *asked, "--out", str(tmp_path))
    assert ended.returncode == 0, ended.stderr
    assert "It was broken off: the result is what could be expected at last." in ended.stdout


@pytest.mark.parametrize(
    ("change", "words", "code"),
    [
        ({"moves": ["a1rr", "a1rr"]}, (), "bad-record"),
        ({"moves": ["c3wr"], "scores": [0, 0], "winners": []}, (), "not-over"),
        ({"moves": [], "scores": [0, 0], "winners": []}, (), "not-over"),
        (
            {"moves": [], "scores": [0, 0], "winners": [], "result": {"reason": "time"}},
            (),
            "not-started",
        ),
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
