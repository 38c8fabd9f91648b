"""Programs as bots: by the line protocol, with forfeits for whatever they do wrong."""

import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import kwartet
from kwartet.arena.matches import play
from kwartet.arena.pool import Processes
from kwartet.arena.records import Records
from kwartet.arena.tournament import check_bots, compete
from kwartet.bots.catalogue import create, split_names
from kwartet.core.errors import GameError
from tests.test_arena import command, plan_of

STRANGE = Path(__file__).with_name("strange_program.py")


def strange(habit: str) -> str:
    return f"exec:{shlex.join([sys.executable, str(STRANGE), habit])}"


def ours(game: str, level: str) -> str:
    return f"exec:{sys.executable} -m kwartet.cli bot {game} --level {level} --threads 1"


def is_alive(pid: int) -> bool:
    """Whether it runs; what is dead and not yet buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(*pids: int) -> None:
    deadline = time.monotonic() + 100
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < deadline, "a program outlives the arena"
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("habit", "code", "sentence"),
    [
        ("hang", "overtime", "It ran over its time of 0.5 s for a move."),
        ("deaf", "overtime", "It ran over its time of 0.5 s for a move."),
        ("die", "bot-died", "Its process ended with code 3: 'no more of this'."),
        ("crash", "bot-died", "Its process ended by signal 11."),
        ("flood", "bad-answer", "with more than 10000 bytes."),
        ("lie", "illegal-move", "'z' is not a column"),
        ("mumble", "bad-answer", "It answers 'go --time 0.5' with 'well, let me think'."),
        ("refuse", "bad-answer", "with 'error illegal-move: I do not like this.'."),
        ("repeat", "bad-answer", "It said 'move a"),  # and the end of the line, if it was there yet
    ],
)
def test_a_program_that_misbehaves_forfeits_and_is_ended(
    habit: str, code: str, sentence: str
) -> None:
    name = strange(habit)
    plan = plan_of(name, "random", games=2, seconds=0.5)
    began = time.monotonic()
    results = [play(plan.job(), fixture) for fixture in plan.fixtures()]
    assert time.monotonic() - began < 100  # its own sleep is ten times as long
    for result in results:
        assert result.forfeit is not None
        seat = result.fixture.bots.index(name)
        assert (result.forfeit.seat, result.forfeit.code) == (seat, code)
        assert sentence in result.forfeit.sentence
        assert result.winners == [1 - seat]


@pytest.mark.parametrize("habit", ["polite", "complain"])
def test_one_process_plays_match_after_match(habit: str, tmp_path: Path) -> None:
    log = tmp_path / "starts"
    wrapper = f"echo >> {log}; exec {shlex.join([sys.executable, str(STRANGE), habit])}"
    plan = plan_of(f"exec:sh -c {shlex.quote(wrapper)}", "random", games=10)
    with Processes(1) as pool, Records.create(tmp_path / "arena", plan) as records:
        check_bots(pool, plan)
        results = list(compete(pool, records))
    assert [result.forfeit for result in results] == [None] * 10
    assert all(result.decisions[0] > 2 for result in results)
    assert log.read_text() == "\n"


@pytest.mark.parametrize("game", ["kwatro", "carat"])
def test_two_real_processes_of_kwartet_play_each_other(game: str) -> None:
    options: dict[str, Any] = {"players": 2} | ({"hand": 3} if game == "carat" else {})
    plan = plan_of(ours(game, "novice"), ours(game, "greedy"), game=game, options=options, games=2)
    results = [play(plan.job(), fixture) for fixture in plan.fixtures()]
    assert [result.forfeit for result in results] == [None, None]
    for result in results:
        assert result.record["options"] == plan.options
        assert all(count > 5 for count in result.decisions)
        kwartet.replay(result.record)


def test_a_program_also_plays_for_python_and_is_told_what_was_taken_back() -> None:
    player = kwartet.bot(strange("polite"))
    match = kwartet.new("connect_four")
    for _ in range(3):
        match.play(player.choose(match))
    match.undo()
    match.undo()
    match.play("c")
    assert [player.choose(match), match.moves] == ["a", ["a", "c"]]
    liar = kwartet.bot(strange("die"))
    liar.choose(match)
    with pytest.raises(GameError, match="Its process ended with code 3") as refusal:
        liar.choose(match)
    assert refusal.value.code == "bad-bot"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("exec:", "Write a program as exec:COMMAND"),
        ("exec:no-such-program --at all", "There is no program 'no-such-program'"),
        ("exec:sh -c 'never ends", "cannot be read: No closing quotation"),
        (strange("unborn"), "Its process ended with code 1: 'cannot be started so'."),
        ("exec:cat", "It answers 'new seed=0 chance=caller' with 'new seed=0 chance=caller'."),
    ],
)
def test_programs_that_cannot_play_are_named_before_the_first_match(
    name: str, sentence: str
) -> None:
    with Processes(1) as pool, pytest.raises(GameError) as refusal:
        check_bots(pool, plan_of("random", name))
    assert sentence in refusal.value.sentence
    assert refusal.value.code == "bad-bot"


def test_a_list_of_names_keeps_commas_in_quotes() -> None:
    assert split_names("random, greedy") == ["random", "greedy"]
    assert split_names("random,") == ["random", ""]
    text = """master+it's.json,exec:a 'b,c' "d,\\",e" \\, f , casual"""
    assert split_names(text) == [
        *("master+it's.json", """exec:a 'b,c' "d,\\",e" \\, f""", "casual")
    ]


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_programs_end_with_the_arena_however_it_ends(
    ending: signal.Signals, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    running = command(
        *("connect_four", "--bots", f"random,{strange(f'hire={pids}')}", "--workers", "1"),
        folder=tmp_path,
    )
    while not (pids.exists() and len(pids.read_text().split()) == 2):
        assert running.poll() is None, running.communicate()
        time.sleep(0.05)
    running.send_signal(ending)
    running.communicate(timeout=60)
    wait_until_gone(*map(int, pids.read_text().split()))


def test_a_program_that_nobody_holds_any_more_ends() -> None:
    habit = f"polite {os.getpid()}"  # so that its processes can be told from others
    code = (
        "import os\n"
        "from examples.connect_four import GAME\n"
        "from kwartet.bots.catalogue import create\n"
        f"program = create({strange(habit)!r}, GAME)\n"
        "program.prepare({})\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=STRANGE.parents[1])
    wait_until_gone(*processes(habit))
    program: Any = create(strange(habit), kwartet.games.find("connect_four"))
    program.prepare({})
    started = processes(habit)
    assert started
    del program
    wait_until_gone(*started)


def processes(habit: str) -> list[int]:
    """Those that run the strange program with this habit."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # over in the meantime
            if habit.encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found
