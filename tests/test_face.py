"""The public face: what programs import, and from where."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kwartet

ROOMS = {
    "kwartet": """
        CHANCE GAMES OVER SPECTATOR Field Game GameError Generator Lot Match Modules Option Options
        below bits bot describe kernel mark_highest new picture quoted record_dtype register replay
        review shuffle some_of
    """,
    "kwartet.bots": "Analysis Bot Choice Player Turn ask levels turn_of",
    "kwartet.arena": """
        Elo Estimate Fixture Forfeit HeadToHead Inline Lost Mode Paired Pool Processes Question
        RayCluster Records Report Result Skill Standing TournamentPlan Verdict as_json compete note
        report schedule tournament warm
    """,
    "kwartet.learning": """
        Batch Columns Dataset DatasetPlan DatasetWriter Round Stream Training TrainingPlan load
        stream
    """,
    "kwartet.reviews": """
        CARES VERDICTS Account Advice Care Chance Decision Option Reason Review ReviewPlan Work
        Worth advise judge_move make_review plan_review
    """,
    "kwartet.envs": "Batch Step batch",
}


@pytest.mark.parametrize("room", ROOMS)
def test_everything_public_is_there_and_listed(room: str) -> None:
    module = importlib.import_module(room)
    assert sorted(module.__all__) == sorted(ROOMS[room].split())
    assert all(getattr(module, name) is not None for name in module.__all__)
    assert set(module.__all__) <= set(dir(module))
    with pytest.raises(AttributeError):
        _ = module.no_such_name


def test_importing_is_quick_because_nothing_compiled_comes_along() -> None:
    rooms = "import kwartet, kwartet.bots, kwartet.reviews\n"
    code = rooms + "print(sys.modules.keys() & {'numba', 'numpy'})"
    assert run(code).stdout == "set()\n"


def run(code: str, *folders: Path) -> subprocess.CompletedProcess[str]:
    paths = f"import sys; sys.path[:0] = {[str(folder) for folder in folders]}\n"
    return subprocess.run(
        [sys.executable, "-c", paths + code], capture_output=True, text=True, timeout=300
    )


# Games of installed packages -------------------------------------------------------------------


def installed(folder: Path, name: str, source: str) -> None:
    """A package with one module that announces its GAME, as pip would leave it."""
    (folder / f"{name}.py").write_text(source)
    notes = folder / f"{name}-1.0.dist-info"
    notes.mkdir()
    (notes / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (notes / "entry_points.txt").write_text(f"[kwartet.games]\n{name} = {name}:GAME\n")


GOOD = """
from dataclasses import replace
from examples.connect_four import GAME as CONNECT_FOUR
GAME = replace(CONNECT_FOUR, key="four_in_a_row", title="Four in a row")
"""
ROOT = Path(__file__).parents[1]


def test_a_game_of_an_installed_package_is_found_by_itself(tmp_path: Path) -> None:
    installed(tmp_path, "four_in_a_row", GOOD)
    ended = run("import kwartet; print(*kwartet.GAMES)", tmp_path, ROOT)
    assert ended.stdout.split() == ["carat", "carnac", "catan_dice", "kwatro", "four_in_a_row"]
    assert ended.stderr == ""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_library", "ModuleNotFoundError"),
        ("raise SystemExit(3)", "SystemExit"),
        ("x = 1", "AttributeError"),
        ("GAME = 'chess'", "A game is a kwartet.Game, not 'chess'"),
        (GOOD.replace("four_in_a_row", "carat"), "another game with the key 'carat'"),
    ],
)
def test_a_package_that_brings_no_game_is_a_sentence_and_the_rest_goes_on(
    tmp_path: Path, source: str, reason: str
) -> None:
    installed(tmp_path, "broken", source)
    installed(tmp_path, "four_in_a_row", GOOD)
    ended = run("import kwartet; print(*kwartet.GAMES)", tmp_path, ROOT)
    assert ended.stdout.split()[-1] == "four_in_a_row"
    (line,) = ended.stderr.splitlines()
    assert "The game 'broken:GAME' is left out" in line
    assert reason in line


# Positions -------------------------------------------------------------------------------------


def test_a_record_is_replayed_up_to_a_ply() -> None:
    match = kwartet.new("kwatro", seed=3)
    for _ in range(8):
        match.play(match.legal()[0])
    record = match.record()
    for ply in range(match.ply + 1):
        earlier = kwartet.replay(record, ply=ply)
        assert earlier.moves == match.moves[:ply]
        if earlier.actor == kwartet.CHANCE:
            earlier.resume_chance()
        drawn = earlier.moves
        assert drawn == match.moves[: len(drawn)]
    wrong: list[Any] = [-1, match.ply + 1, True, "3"]
    for none in wrong:
        with pytest.raises(kwartet.GameError, match="There is no ply"):
            kwartet.replay(record, ply=none)


def test_a_position_can_be_set_up_and_played_on_but_not_recorded() -> None:
    match, other = (kwartet.new("carnac", board="small") for _ in range(2))
    other.play("c3wr")
    match.set_up(other.state)
    assert match.legal() == other.legal()
    match.play("tilt E")
    other.play("tilt E")
    assert match.view(0) | {"ply": 2} == other.view(0)
    match.undo()
    with pytest.raises(kwartet.GameError, match="taken back"):
        match.undo()
    with pytest.raises(kwartet.GameError) as refusal:
        match.record()
    assert refusal.value.code == "no-record"
    for wrong in (kwartet.new("kwatro", seed=1).state, other.state[:0]):
        with pytest.raises(kwartet.GameError, match="array of one of its records"):
            match.set_up(wrong)


# Without the extras ----------------------------------------------------------------------------

SERVER = ("starlette", "uvicorn", "msgspec", "httpx", "structlog", "websockets", "cryptography")
BARE = "".join(f"sys.modules[{name!r}] = None\n" for name in (*SERVER, "matplotlib", "gymnasium"))


def command(*arguments: str) -> str:
    return BARE + f"sys.argv = ['kwartet', *{arguments}]\nfrom kwartet.cli import main\nmain()"


def test_the_core_install_has_library_bots_terminal_and_arena(tmp_path: Path) -> None:
    code = (
        BARE + "import kwartet, kwartet.bots, kwartet.arena, kwartet.learning, kwartet.envs\n"
        "import kwartet.reviews\n"
        "match = kwartet.new('carnac', board='small', seed=7)\n"
        "match.play(kwartet.bot('novice').choose(match)); print(match.ply)"
    )
    assert run(code).stdout.split() == ["1"]
    arena = ("arena", "carnac", "-o", "board=small", "--bots", "random,novice", "--games", "2")
    ended = run(command(*arena, "--out", str(tmp_path / "arena")))
    assert ended.returncode == 0, ended.stderr
    assert "pip install 'kwartet[arena]'" in ended.stdout
    assert (tmp_path / "arena/results.json").exists()


def test_a_command_that_needs_an_extra_says_which() -> None:
    ended = run(command("serve"))
    assert ended.returncode == 2
    assert "pip install 'kwartet[server]'" in ended.stderr
    assert "Traceback" not in ended.stderr


# Codes of errors -------------------------------------------------------------------------------


def test_every_code_of_an_error_is_told_where_errors_are_described() -> None:
    used = set()
    for path in Path(kwartet.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id=("GameError" | "StoreError" | "Conflict" | "Lost" | "Again")),
                    args=[ast.Constant(value=str(code)), *_],
                ):
                    used.add(code)
    described = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", kwartet.GameError.__doc__ or ""))
    assert used <= described, sorted(used - described)
