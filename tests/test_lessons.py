"""The page's introductions against the library that they were made by."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kwartet
import lessons
import web

ROOT = Path(__file__).parents[1]
TEXTS = web.catalogue("en")
MADE = {key: make() for key, make in lessons.LESSONS.items()}
keys = pytest.mark.parametrize("key", MADE)


def test_lessons_have_not_drifted() -> None:
    command = [sys.executable, str(ROOT / "tools/lessons.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_game_has_a_lesson() -> None:
    assert set(MADE) == set(kwartet.GAMES) - {"connect_four"}


@keys
def test_every_text_is_in_the_catalogue_and_used(key: str) -> None:
    used = set(re.findall(rf"m\.(learn_{key}_\w+)", lessons.generate(key)))
    assert used == {name for name in TEXTS if name.startswith(f"learn_{key}_")}


@keys
def test_every_legal_move_goes_on_or_is_told_why_not(key: str) -> None:
    for step in MADE[key]["steps"]:
        told = [move for reason in step.get("wrong", []) for move in reason["moves"]]
        right = list(step.get("right", {}))
        assert set(right) | set(told) <= set(step["legal"])
        if len(right) + len(told) < len(step["legal"]):
            assert step["otherwise"]


@keys
def test_every_way_through_a_lesson_ends_with_the_same_scores(key: str) -> None:
    ends = _ends(MADE[key]["steps"], 0)
    assert len({tuple(step["view"]["scores"]) for step in ends}) == 1
    assert {step["beat"] for step in ends} == {max(s["beat"] for s in MADE[key]["steps"])}


def _ends(steps: list[dict[str, Any]], at: int) -> list[dict[str, Any]]:
    step = steps[at]
    if "right" in step:
        return [end for following in step["right"].values() for end in _ends(steps, following)]
    return [step] if step["next"] is None else _ends(steps, step["next"])


def _prizes(name: str, part: str) -> list[tuple[str | None, int]]:
    shown = {
        section["text"]: section["frames"][-1]["view"] for section in MADE["carat"]["sections"]
    }
    steps = {step["text"]: step["view"] for step in MADE["carat"]["steps"]}
    view = (shown if part == "rules" else steps)[name]
    return [(view["chips"][p]["winner"], view["chips"][p]["prize"]) for p in view["settled_last"]]


def test_what_the_texts_of_carat_say_is_so() -> None:
    assert _prizes("@settle", "rules") == [("R", 12)]
    assert _prizes("@tie", "rules") == [("G", 12)]
    assert _prizes("@edge", "rules") == [("B", 8)]
    assert _prizes("@won", "first") == [("R", 20)]
    assert _prizes("@end", "first") == [("R", 12)]
    win = next(step for step in MADE["carat"]["steps"] if step["text"] == "@win")
    found = {move[4]: _outcome(win, move, 24) for move in win["legal"] if move[:2] == "d4"}
    assert found == {"R": ("R", 15), "G": ("R", 15), "Y": ("G", 15), "B": ("R", 20)}


def _outcome(step: dict[str, Any], move: str, point: int) -> tuple[str | None, int]:
    """What a chip would bring after a move that the learner thinks about."""
    match = kwartet.new("carat", players=2, auto_chance=False)
    hidden = iter(["*3RYBG", "*4RYGB", "*6RYBG"])  # what yellow draws
    match.follow(next(hidden) if entry == "*?" else entry for entry in step["log"])
    match.follow([move])
    chip = match.view(0)["chips"][point]
    return chip["winner"], chip["prize"]


def test_what_the_texts_of_the_others_say_is_so() -> None:
    last = {key: made["steps"][-1]["view"] for key, made in MADE.items()}
    assert last["carnac"]["scores"] == [2, 0]
    assert sorted(len(d["squares"]) for d in last["carnac"]["dolmens"]) == [3, 4]
    ends = {key: _ends(made["steps"], 0)[0]["view"] for key, made in MADE.items()}
    assert ends["catan_dice"]["sheets"][0]["boxes"] == [4, 2, 7]
    assert ends["catan_dice"]["sheets"][1]["boxes"] == [1, -2]
    assert ends["kwatro"]["scores"] == [59, 12]
    points = next(s for s in MADE["kwatro"]["sections"] if s["text"] == "@score")
    play = points["frames"][-1]["view"]["last_play"]
    assert sorted(line["sum"] for line in play["lines"]) == [4, 5, 8]
    assert play["points"] == 34
