"""`kwartet play` at a terminal, through a pipe and where there is neither."""

import json
import os
import random
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import kwartet
from kwartet.cli.playing import show
from kwartet.cli.playing.places import Hint, Told
from kwartet.cli.playing.show import Screen
from kwartet.cli.playing.typed import Offered, Several, find_move
from kwartet.cli.playing.words import hinted, reasons, result, told, with_names
from kwartet.core.match import Match
from kwartet.reviews import Reason
from tests.cases import every_case
from tests.commands import kwartet_command
from tests.terminal import Interrupted, Terminal, Tiny

NAMES = ["Wilhelmina of Orange-Nassau", "Skilled bot 1", "Skilled bot 2", "Skilled bot 3"]


def meant(typed: str, match: Match, *offered: str) -> str | list[str]:
    found = find_move(typed, match.legal(), Offered(list(offered)), lambda move: void(match, move))
    return found.moves if isinstance(found, Several) else found


def void(match: Match, move: str) -> None:
    match.read(move)


# What is typed -----------------------------------------------------------------------------


def test_moves_are_typed_in_notation_by_number_and_abbreviated() -> None:
    match = kwartet.new("carnac", board="small")
    assert meant("c3wr", match) == "c3wr"
    assert meant(" c3WR ", match) == "c3wr"
    assert meant("2", match, "c3rr", "c3rw") == "c3rw"
    assert meant("c3", match) == ["c3rr", "c3rw", "c3wr", "c3ww"]
    match.play("c3wr")
    for typed in ("tilt N", "tilt n", "t n", "tn", "ti N"):
        assert meant(typed, match) == "tilt N"
    assert meant("s", match) == "stand"
    assert meant("tilt", match) == [move for move in match.legal() if move != "stand"]


def test_dice_may_be_typed_in_any_order_behind_an_abbreviated_word() -> None:
    match = kwartet.new("catan_dice", auto_chance=False)
    match.play("*ogwtb$")
    assert match.read(str(meant("k wgo", match))) == match.read("keep ogw")
    assert meant("st", match) == "stop"


def test_a_move_that_is_a_number_is_no_place_in_a_list() -> None:
    assert find_move("2", ["1", "2", "3"], Offered(["3", "1", "2"]), print) == "2"


@pytest.mark.parametrize(
    "typed", ["zz", "c9rr", "99", "0", "tilt", "*", "\x1b[A", "c3wr c4wr", "é"]
)
def test_nonsense_is_refused_with_the_games_own_words(typed: str) -> None:
    match = kwartet.new("carnac", board="small")
    with pytest.raises(kwartet.GameError):
        meant(typed, match, "c3rr")


# What is said ------------------------------------------------------------------------------


def test_seats_have_names_in_every_sentence() -> None:
    names = ["Ann", "Bob"]
    assert with_names("It is not seat 1's turn; Seat 0 acts.", names) == (
        "It is not Bob's turn; Ann acts."
    )
    assert with_names("Seat 7 is not there.", names) == "Seat 7 is not there."
    moves = [Told(0, "d4"), Told(None, "*RS3"), Told(None, "*?"), Told(1, "e5"), Told(1, "end")]
    assert told(moves, names) == "Ann: d4. Luck: RS3. Bob: e5, end"


def test_reasons_are_sentences() -> None:
    game = kwartet.new("kwatro").game
    reason = Reason(gain=12.0, answer=3.0, by=1, usual=9.0, follow=20.0)
    assert hinted([Hint("RS3@1,0", reason)], ["Ann", "Bob"], game) == [
        "An expert would play RS3@1,0. It scores 12 points. Bob can then take 3 at most; after "
        "most other moves 9. Next time you could take 20 points."
    ]
    assert reasons(Reason(0.2), ["Ann", "Bob"], game) == "It scores nothing yet."
    assert reasons(Reason(-2.0), ["Ann"], game) == "It costs 2 points."
    dolmens = kwartet.new("carnac").game
    assert reasons(Reason(1.0), ["Ann", "Bob"], dolmens) == "It scores 1 dolmen."


def test_results_name_who_won() -> None:
    assert result(["Ann", "Bob"], [3, 5], [1]) == "The match is over: Bob wins. Ann 3, Bob 5."
    assert result(["Ann"], [41], [0]) == "The match is over with 41 points."
    for winners in ([0, 1], []):
        assert result(["Ann", "Bob"], [4, 4], winners) == (
            "The match is over, a draw. Ann 4, Bob 4."
        )


# What is shown -----------------------------------------------------------------------------


def positions(match: Match, luck: random.Random) -> list[Match]:
    """Some of the positions of a match played at random."""
    found = [match.copy()]
    while match.actor is not None:
        legal = match.legal()
        match.play(luck.choice([m for m in legal if not m.startswith("pass")] or legal))
        if luck.random() < 0.15:
            found.append(match.copy())
    return [*found, match]


def drawn(match: Match, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> str:
    """A position as it is shown with long names and much news."""
    to = StringIO()
    size = {"width": 80, "height": 24} | settings
    monkeypatch.setattr(show, "console", Console(file=to, force_terminal=True, **size))
    screen = Screen(match.game, NAMES[: match.seats], plain=False)
    news = ["Skilled bot 1: c3wr, tilt N. Luck: 5RYGB.", "504 moves are possible; a1rr is one."]
    screen.show(match.view(match.actor), news)
    return to.getvalue()


@every_case
def test_every_board_fits_80_by_24_with_its_scores(
    key: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = kwartet.new(key, seed=5, **options)
    for at in positions(match, random.Random(3)):
        lines = drawn(at, monkeypatch, color_system=None).splitlines()
        assert len(lines) <= 23  # one is left for what is typed
        assert all(len(line.rstrip()) <= 80 for line in lines)
        text = " ".join(" ".join(lines).split())
        for score in at.scores():
            assert str(score) in text


@pytest.mark.parametrize(
    ("environment", "has", "lacks"),
    [
        ({"COLORTERM": "truecolor"}, "48;2;", ""),
        ({"TERM": "xterm-256color"}, "48;5;", "48;2;"),
        ({"TERM": "xterm-16color"}, "\x1b[1;", "48;"),
        ({"NO_COLOR": "1"}, "\x1b[1m", "48;"),
        ({"TERM": "dumb"}, "", "\x1b["),
    ],
)
def test_boards_have_the_colours_that_the_terminal_has(
    environment: dict[str, str], has: str, lacks: str, tmp_path: Path
) -> None:
    match = kwartet.new("carnac", board="small")
    match.play("c3wr")
    file = tmp_path / "match.json"
    file.write_text(json.dumps(match.record()))
    environment = {"COLORTERM": ""} | environment
    with Terminal("play", str(file), KWARTET_DATA=str(tmp_path), **environment) as terminal:
        shown = terminal.wait_for("your move: ")
        assert "Wr‹" in shown  # never by colour alone
        assert has in terminal.raw
        assert not lacks or lacks not in terminal.raw


def test_a_small_window_gets_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    match = kwartet.new("carnac", board="large")
    match.play("c3wr")
    told = drawn(match, monkeypatch, width=44, height=24, color_system=None)
    assert "does not fit into 44 columns" in told
    assert "c3 white on top, red to the" in told
    assert "c3 white on top" in drawn(match, monkeypatch, width=30, height=5, color_system=None)


# The command -------------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path) -> dict[str, str]:
    """Where matches are kept."""
    return {"KWARTET_DATA": str(tmp_path / "data")}


def saved(data: dict[str, str]) -> dict[str, Any]:
    (file,) = Path(data["KWARTET_DATA"], "matches").iterdir()
    record: dict[str, Any] = json.loads(file.read_text())
    return record


def test_a_match_at_a_terminal_with_completion_and_previews(data: dict[str, str]) -> None:
    with Terminal("play", "carnac", "-o", "board=small", "--name", "Ann", **data) as terminal:
        assert "Ann (red) 0" in terminal.wait_for("Ann, your move: ")
        terminal.type("c3w\t")
        terminal.type("w\n")
        terminal.wait_for("Ann: c3ww. Skilled bot: ")
        terminal.wait_for("Ann, your move: ")
        terminal.type("1?\n")
        terminal.wait_for("If you play ")
        terminal.wait_for("Ann, your move: ")
        terminal.type("hint\n")
        terminal.wait_for("1  An expert would play ")
        terminal.type("undo\n")
        terminal.wait_for("160 moves are possible")
        terminal.type("quit\n")
        terminal.wait_for("Go on with: kwartet play --resume")
        assert terminal.end() == 0
    assert saved(data)["moves"] == []


def test_ctrl_c_loses_nothing_and_the_match_goes_on(data: dict[str, str]) -> None:
    with Terminal("play", "carnac", "-o", "board=small", "--name", "Ann", **data) as terminal:
        terminal.wait_for("your move: ")
        terminal.type("c3ww\n")
        terminal.wait_for("Ann: c3ww.")
        terminal.wait_for("your move: ")
        terminal.interrupt()
        terminal.wait_for("The match is saved. Go on with: kwartet play --resume")
        assert terminal.end() == 130
        assert "Traceback" not in terminal.shown
    before = saved(data)
    assert before["players"] == ["Ann", "bot:skilled"]
    with Terminal("play", "--resume", **data) as terminal:
        terminal.wait_for("Ann: c3ww.")
        terminal.wait_for("Ann, your move: ")
        assert terminal.hang_up() != 0
    assert saved(data) == before


def test_several_people_see_only_their_own_hands_and_nothing_to_scroll_back_to(
    data: dict[str, str],
) -> None:
    names = ("--name", "Ann", "--name", "Bob")
    with Terminal("play", "kwatro", "--people", "2", *names, "--seed", "1", **data) as terminal:
        terminal.wait_for("Ann is next. Press a key")
        hands = [kwartet.new("kwatro", seed=1).view(seat)["hands"][seat] for seat in (0, 1)]
        assert not any(card in terminal.shown for card in hands[0] + hands[1])
        first = terminal.press(" ", then="Ann, your move: ")
        assert all(card in first for card in hands[0])
        terminal.type("pass\n")
        cleared = terminal.raw
        second = terminal.wait_for("Bob is next. Press a key")
        assert not any(card in second for card in hands[0] + hands[1])
        assert "\x1b[3J" in terminal.raw[len(cleared) :]
        third = terminal.press(" ", then="Bob, your move: ")
        assert all(card in third for card in hands[1])


def test_a_plain_match_is_sentences_without_colours_or_drawings(data: dict[str, str]) -> None:
    with Terminal("play", "carat", "-o", "players=2", "--plain", "--seed", "3", **data) as terminal:
        first = terminal.wait_for("your move: ")
        assert "No tile lies yet." in first
        assert "Chips, line 1 of 7: north-west of a1 " in first
        terminal.type("zz\n")
        terminal.wait_for("is not a move of Carat")
        terminal.type("c3\n")
        terminal.wait_for("That could be:")
        terminal.type("1\n")
        terminal.wait_for("Luck: ")
        terminal.wait_for("your move: ")
        assert "\x1b[" not in terminal.raw.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")


def test_a_fifth_game_needs_nothing_of_its_own(data: dict[str, str]) -> None:
    given = "?\nd\nb?\nlog\nq\n"
    words = ("--with", "examples.connect_four", "play", "connect_four", "--name", "Ann")
    drawn = kwartet_command(*words, given=given, **data)
    assert drawn.returncode == 0, drawn.stderr
    assert "Drop discs into columns" in drawn.stdout
    assert re.search(r"^. . . x . . .", drawn.stdout, re.M)
    assert "If you play b:" in drawn.stdout
    plain = kwartet_command(*words, "--plain", given="d\nboard\nq\n", **data)
    assert "Column d, from below: red" in plain.stdout
    assert "·" not in plain.stdout


def test_a_saved_match_can_be_copied_and_gone_on_with(data: dict[str, str], tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    given = f"c3wr\nsave {copy}\nq\n"
    words = ("play", "carnac", "--people", "2", "-o", "board=small")
    kwartet_command(*words, given=given, **data)
    ended = kwartet_command("play", str(copy), given="stand\nlog\nq\n", **data)
    assert "Player 1: c3wr. Player 2: stand." in ended.stdout
    assert json.loads(copy.read_text())["moves"] == ["c3wr", "stand"]
    assert saved(data)["moves"] == ["c3wr"]


def test_who_resigns_has_lost_and_the_match_is_not_gone_on_with(data: dict[str, str]) -> None:
    words = ("play", "carnac", "-o", "board=small", "--name", "Ann", "--bot", "novice")
    ended = kwartet_command(*words, given="c3wr\nresign\nno\nresign\nyes\n", **data)
    assert ended.returncode == 0, ended.stderr
    assert "Then it goes on." in ended.stdout
    assert "Ann resigned. The match is over: Novice bot wins." in ended.stdout
    record = saved(data)
    assert (record["over"], record["result"]["reason"]) == (True, "resigned")
    assert record["result"]["outcomes"] == ["lost", "won"]
    assert "There is no match to go on with" in kwartet_command("play", "--resume", **data).stderr


def test_a_bot_plays_on_for_who_resigns_among_several(data: dict[str, str]) -> None:
    names = ("--name", "Ann", "--name", "Bob", "--name", "Cy")
    words = ("play", "kwatro", "-o", "players=3", "--people", "3", *names, "--plain")
    ended = kwartet_command(*words, given="\nresign\nyes\n\nresign\nyes\n", **data)
    assert "Ann resigns; a bot plays on in that seat." in ended.stdout
    assert "Ann and Bob resigned. The match is over: Cy wins." in ended.stdout
    assert saved(data)["players"] == ["bot:casual", "Bob", "Cy"]


def test_who_plays_alone_cannot_resign(data: dict[str, str]) -> None:
    ended = kwartet_command("play", "catan_dice", "-o", "players=1", given="resign\nq\n", **data)
    assert "Give the match up?" not in ended.stdout
    assert ended.returncode == 0


def test_what_cannot_be_gone_on_with_is_a_sentence(data: dict[str, str], tmp_path: Path) -> None:
    ended = kwartet_command("play", "--resume", **data)
    assert (ended.returncode, "There is no match to go on with" in ended.stderr) == (2, True)
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    ended = kwartet_command("play", str(broken), **data)
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    for name in ("", "bot:expert", "x" * 30, "a\nb"):
        ended = kwartet_command("play", "carnac", "--name", name, **data)
        assert (ended.returncode, "bad-name" in ended.stderr) == (2, True)


def test_a_reader_that_has_seen_enough_is_no_trouble(data: dict[str, str]) -> None:
    command = f"{sys.executable} -m kwartet.cli play carnac -o board=small | head -1"
    ended = subprocess.run(
        ["bash", "-c", command],
        input="c3wr\nstand\nc4wr\n" * 20,
        capture_output=True,
        text=True,
        env={**os.environ, **data},
        timeout=300,
    )
    assert "Traceback" not in ended.stderr


def test_a_tiny_window_is_enough(data: dict[str, str]) -> None:
    with Tiny("play", "carnac", "-o", "board=large", **data) as terminal:
        terminal.wait_for("your move: ")
        terminal.type("c3\n")
        terminal.wait_for("That could be:")
        terminal.type("quit\n")
        assert terminal.end() == 0
        assert "Traceback" not in terminal.shown


def test_a_match_that_cannot_be_saved_is_played_all_the_same(tmp_path: Path) -> None:
    full = tmp_path / "file"
    full.write_text("in the way")
    words = ("play", "carnac", "-o", "board=small", "--people", "2")
    ended = kwartet_command(*words, given="c3wr\nstand\nlog\nq\n", KWARTET_DATA=str(full))
    assert ended.returncode == 0
    assert ended.stderr.count("Cannot write") == 1
    assert "Player 1: c3wr. Player 2: stand." in ended.stdout
    assert "The match could not be saved." in ended.stdout


def test_ctrl_c_while_a_bot_thinks_loses_nothing(data: dict[str, str]) -> None:
    words = ("play", "carnac", "--name", "Ann", "--bot", "master@200000")
    with Terminal(*words, **data) as terminal:
        terminal.wait_for("your move: ")
        terminal.type("c3ww\n")
        terminal.wait_for("is thinking")
        terminal.interrupt()
        terminal.wait_for("Go on with: kwartet play --resume")
        assert terminal.end() == 130
        assert "Traceback" not in terminal.shown
    assert saved(data)["moves"] == ["c3ww"]


def test_ctrl_c_is_heard_at_every_moment() -> None:
    with Interrupted() as terminal:
        assert terminal.wait_for("heard 100 times")
        assert terminal.end() == 0
