"""The commands, run as a person runs them: as processes of their own."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import kwartet
from kwartet.cli import app
from tests.commands import kwartet_command as kwartet_command
from tests.commands import kwartet_here


def commands(command: Any, *words: str) -> Iterator[tuple[list[str], Any]]:
    """A command and all below it, each with the words that call it."""
    yield [*words], command
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, *words, name)


COMMANDS = [*commands(typer.main.get_command(app))]


def test_games_lists_every_game_and_option() -> None:
    shown = kwartet_command("games").stdout
    for key in ("carat", "carnac", "catan_dice", "kwatro", "same_turn_joker", "final_tilt"):
        assert key in shown
    listed = json.loads(kwartet_command("games", "--json").stdout)
    assert [game["key"] for game in listed] == ["carat", "carnac", "catan_dice", "kwatro"]


def test_all_commands_are_found() -> None:
    words = [" ".join(words) for words, _ in COMMANDS]
    assert {"", "serve", "verify", "db", "db upgrade", "db backup"} <= set(words)
    listed = kwartet_command("--help").stdout
    assert set(re.findall(r"^│ (\w+)  ", listed, re.M)) == {w for w in words if w and " " not in w}


@pytest.mark.parametrize(
    ("words", "command"), COMMANDS, ids=[" ".join(["kwartet", *words]) for words, _ in COMMANDS]
)
def test_every_command_has_help(
    words: list[str], command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # so that no name is cut short
    result = kwartet_here(*words, "--help")
    assert result.returncode == 0, result.stderr
    assert re.search(" ".join(["Usage: .*kwartet", *words, "[^ ]"]), result.stdout)
    assert command.help
    assert command.help.splitlines()[0] in result.stdout
    for parameter in command.params:
        if getattr(parameter, "hidden", False):  # an old name that is still understood
            continue
        for name in parameter.opts:
            assert not name.startswith("--") or name in result.stdout


def test_simulated_records_replay_and_are_the_same_for_the_same_seed(tmp_path: Path) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for file, where in zip(files, ([], ["--workers", "2"]), strict=True):
        result = kwartet_command(
            *("simulate", "kwatro", "--games", "5", "--seed", "4", "-o", "players=3"),
            *("--out", str(file), "--json", *where),
        )
        assert result.returncode == 0, result.stderr
        assert json.loads(result.stdout)["games"] == 5
    assert files[0].read_text() == files[1].read_text()
    records = [json.loads(line) for line in files[0].read_text().splitlines()]
    assert all(kwartet.replay(record).record() == record for record in records)
    checked = kwartet_command("replay", str(files[0]), "--json")
    moves = sum(len(record["moves"]) for record in records)
    assert json.loads(checked.stdout) == {"file": str(files[0]), "matches": 5, "moves": moves}


def test_simulate_shows_statistics_or_writes_records_to_standard_output() -> None:
    assert "Mean score" in kwartet_command("simulate", "carnac", "-n", "3").stdout
    lines = kwartet_command("simulate", "carnac", "-n", "3", "--out", "-").stdout.splitlines()
    assert [json.loads(line)["game"] for line in lines] == ["carnac"] * 3


def test_replay_names_the_first_bad_move(tmp_path: Path) -> None:
    match = kwartet.new("carnac", board="small", auto_chance=False)
    for move in ("c3wr", "stand", "d3wr"):
        match.play(move)
    good = match.record()
    bad = good | {"moves": ["c3wr", "stand", "c3wr"]}
    file = tmp_path / "records.jsonl"
    file.write_text(json.dumps(good) + "\n" + json.dumps(bad) + "\n")
    result = kwartet_command("replay", str(file))
    assert result.returncode == 2
    assert "Line 2: Move 3, 'c3wr', is bad. c3 is not empty." in result.stderr
    assert "Traceback" not in result.stderr


def test_perft_counts_from_a_position() -> None:
    result = kwartet_command("perft", "carnac", "-o", "board=small", "-d", "3", "--json")
    assert json.loads(result.stdout)["perft"] == [160, 592, 90624]
    match = kwartet.new("carnac", board="small")
    match.play("c3wr")
    after = kwartet_command("perft", "carnac", "-o", "board=small", "-d", "1", "-m", "c3wr")
    depth, sequences, _ = re.findall(r"[\d.]+", after.stdout)
    assert (int(depth), int(sequences)) == (1, len(match.legal()))


def test_a_game_from_outside_the_package_can_be_used() -> None:
    result = kwartet_command(
        "--with", "examples.connect_four", "perft", "connect_four", "-d", "4", "--json"
    )
    assert json.loads(result.stdout)["perft"] == [7, 49, 343, 2401]


def test_bench_measures_every_chosen_set() -> None:
    result = kwartet_command("bench", "carnac", "--rounds", "1", "--seconds", "0.02", "--json")
    rows = json.loads(result.stdout)["rows"]
    chosen = [(row["options"]["board"], row["options"]["final_tilt"]) for row in rows]
    boards = ("small", "medium", "large")
    assert chosen == [(board, tilt) for tilt in (False, True) for board in boards]
    assert all(row["games_per_cpu_second"] > 0 and row["state_bytes"] <= 512 for row in rows)


def test_a_whole_match_in_the_terminal_from_the_menu(tmp_path: Path) -> None:
    given = "9\ncatan_dice\n" + "stop\nend\n" * 15
    result = kwartet_command("play", given=given, KWARTET_DATA=str(tmp_path))
    assert result.returncode == 0
    assert "The match is over with -30 points." in result.stdout
    (kept,) = (tmp_path / "matches").iterdir()
    assert f"kwartet review {kept}" in result.stdout.replace("\n", "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["simulate", "chess"], "there are carat, carnac"),
        (["simulate", "carnac", "-o", "board=huge"], "it can be small, medium, large"),
        (["simulate", "carnac", "-o", "board"], "Write an option as name=value"),
        (["simulate", "carnac", "-o", "sise=3"], "it has board, final_tilt"),
        (["simulate", "carat", "-o", "colours=RB,XX", "-o", "players=2"], "the letters R, Y, B, G"),
        (["simulate", "carnac", "--out", "/nowhere/records"], "Cannot write"),
        (["replay", "/nowhere/records"], "Cannot read"),
        (["perft", "carnac", "-m", "z9"], "not a move of Carnac"),
        (["play", "chess"], "there are carat, carnac"),
        (["bench", "chess"], "there are carat, carnac"),
        (["--with", "no.such.package", "games"], "is no game package"),
        (["simulate", "carnac", "--games", "0"], "--games"),
        (["perft", "carnac", "--depth", "x"], "--depth"),
        (["frobnicate"], "frobnicate"),
        (["--with", "", "games"], "is no game package"),
        (["simulate", "carnac", "--out", "-", "--json"], "both want standard output"),
        (["simulate", "carnac", "-n", "1", "--out", "/dev/full"], "bad-file"),
        (["bench", "--seconds", "inf"], "--seconds"),
        (["solve", "carnac"], "Carnac has not been solved"),
        (["solve", "catan_dice", "--turns", "16"], "--turns"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_status_2(arguments: list[str], sentence: str) -> None:
    result = kwartet_here(*arguments)
    assert result.returncode == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_a_process_ends_as_the_command_does() -> None:
    for arguments, sentence in ((["simulate", "chess"], "there are carat"), (["x"], "'x'")):
        for result in (kwartet_command(*arguments), kwartet_here(*arguments)):
            assert result.returncode == 2
            assert result.stdout == ""
            assert sentence in result.stderr
            assert "Traceback" not in result.stderr
