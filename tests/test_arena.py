"""The arena: fair schedules, exact repetition, forfeits, resuming, reports."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from

import kwartet
from kwartet.arena.matches import Job, forfeited, play
from kwartet.arena.pairing import Fixture, Mode, schedule
from kwartet.arena.plan import TournamentPlan, prior_digests, read_plan
from kwartet.arena.pool import Lost, Processes, note
from kwartet.arena.records import Records
from kwartet.arena.report import as_json, report, write
from kwartet.arena.tournament import check_bots, compete, tournament
from kwartet.core.errors import GameError
from tests.commands import kwartet_here
from tests.naughty import Polite

ROOT = Path(__file__).parents[1]
NAMES = list("ABCDEF")


def plan_of(*bots: str, game: str = "connect_four", **changes: Any) -> TournamentPlan:
    found = kwartet.games.find(game)
    fields: dict[str, Any] = {"games": 4, "seed": 3, "mode": Mode.ROUND_ROBIN, "seconds": None}
    options = found.settle(changes.pop("options", {}))
    return TournamentPlan(found.key, found.version, options, list(bots), **fields | changes)


@pytest.fixture(scope="module")
def pool() -> Iterator[Processes]:
    """Two processes for all tests that need none of their own: each has to import Numba."""
    with Processes(2) as pool:
        yield pool


def run_arena(path: Path, plan: TournamentPlan, pool: Processes) -> None:
    with Records.create(path, plan) as records:
        list(compete(pool, records))
        write(report(plan, records.in_order(), len(plan.fixtures())), records, "plot.svg")


def without_times(path: Path) -> dict[str, Any]:
    """All files of an arena, less what depends on the clock."""
    lines = [json.loads(line) for line in (path / "records.jsonl").read_text().splitlines()]
    for line in lines:
        del line["arena"]["seconds"]
    found = json.loads((path / "results.json").read_text())
    for standing in found["standings"]:
        del standing["seconds_per_move"]
    tables = {
        name: [
            {column: cell for column, cell in row.items() if "seconds" not in column}
            for row in csv.DictReader((path / name).read_text().splitlines())
        ]
        for name in ("matches.csv", "standings.csv")
    }
    return {"records": lines, "results": found, "plot": (path / "plot.svg").read_text(), **tables}


# The schedule ---------------------------------------------------------------------------------


@given(integers(2, 5), integers(2, 4), integers(1, 60), integers(), sampled_from(Mode))
@settings(deadline=None)
def test_a_schedule_is_fair(count: int, seats: int, games: int, seed: int, mode: Mode) -> None:
    bots = NAMES[:count]
    fixtures = schedule(bots, seats, games, seed, mode)
    assert [fixture.number for fixture in fixtures] == list(range(len(fixtures)))
    assert fixtures == schedule(bots, seats, games, seed, mode)
    sets = Counter(frozenset(fixture.bots) for fixture in fixtures)
    assert len(set(sets.values())) == 1  # every set of opponents as often as every other
    assert games <= min(sets.values()) < games + seats * count
    for opponents in sets:
        seated = Counter(
            (seat, bot)
            for fixture in fixtures
            if frozenset(fixture.bots) == opponents
            for seat, bot in enumerate(fixture.bots)
        )
        assert len(seated) == seats * len(opponents)
        assert len(set(seated.values())) == 1  # everybody on every seat as often
    if mode is Mode.LADDER:
        neighbours = {frozenset(pair) for pair in pairwise(bots)}
        assert set(sets) == neighbours


@given(integers(2, 5), integers(2, 4), integers(1, 40))
@settings(deadline=None)
def test_matches_of_a_rotation_share_their_luck_and_are_all_different(
    count: int, seats: int, games: int
) -> None:
    fixtures = schedule(NAMES[:count], seats, games, 1)
    lucks: dict[int, set[int]] = {}
    for fixture in fixtures:
        lucks.setdefault(fixture.rotation, set()).add(fixture.seed)
    assert all(len(luck) == 1 for luck in lucks.values())
    assert len(set.union(*lucks.values())) == len(lucks)
    assert len({(fixture.rotation, fixture.bots) for fixture in fixtures}) == len(fixtures)


def test_orders_round_the_table_change_from_rotation_to_rotation() -> None:
    fixtures = schedule(["A", "B", "C", "D"], 4, 24, 0)
    assert len({fixture.bots for fixture in fixtures}) == 24
    assert {"".join(each.bots) for each in schedule(["A", "B"], 4, 6, 0)} == {
        *("AABB", "ABAB", "ABBA", "BAAB", "BABA", "BBAA")
    }


def test_alone_every_bot_meets_the_same_luck() -> None:
    fixtures = schedule(["A", "B", "C"], 1, 5, 0)
    seeds = {bot: [each.seed for each in fixtures if each.bots == (bot,)] for bot in "ABC"}
    assert seeds["A"] == seeds["B"] == seeds["C"]
    assert len(set(seeds["A"])) == 5


# Matches and pools ----------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_files_with_any_number_of_workers(
    tmp_path: Path, pool: Processes
) -> None:
    plan = plan_of("random", "tests.naughty:Polite", "tests.naughty:Cheating", seconds=9.0)
    with Processes(1) as alone:
        run_arena(tmp_path / "one", plan, alone)
    run_arena(tmp_path / "two", plan, pool)
    assert without_times(tmp_path / "one") == without_times(tmp_path / "two")
    other = plan_of("random", "tests.naughty:Polite", "tests.naughty:Cheating", seed=4)
    moves = [play(plan.job(), plan.fixtures()[0]), play(other.job(), other.fixtures()[0])]
    assert moves[0].record["moves"] != moves[1].record["moves"]


def test_every_record_replays(tmp_path: Path, pool: Processes) -> None:
    run_arena(tmp_path / "arena", plan_of("random", "tests.naughty:Raising"), pool)
    lines = (tmp_path / "arena/records.jsonl").read_text().splitlines()
    for number, line in enumerate(map(json.loads, lines)):
        match = kwartet.replay(line)
        assert match.moves == line["moves"]
        assert line["arena"]["fixture"] == number


@pytest.mark.parametrize(
    ("bot", "code", "sentence"),
    [
        ("Raising", "bot-raised", "It raised ZeroDivisionError: 'oh no'."),
        ("Quitting", "bot-raised", "It raised SystemExit: '3'."),
        ("Cheating", "bad-notation", "z99"),
        ("Vague", "bad-notation", "not None"),
        ("Late", "overtime", "It ran over its time of 1 s for a move."),
        ("Hanging", "overtime", "It ran over its time of 1 s for a move."),
        ("Dying", "bot-died", "Its process ended with code 7."),
        ("Crashing", "bot-died", "Its process ended by signal 11."),
    ],
)
def test_a_bot_that_does_not_play_by_the_rules_forfeits(
    bot: str, code: str, sentence: str, tmp_path: Path, pool: Processes
) -> None:
    name = f"tests.naughty:{bot}"
    plan = plan_of(
        name, "tests.naughty:Polite", games=2, seconds=1.0 if code == "overtime" else None
    )
    with Records.create(tmp_path / "arena", plan) as records:
        results = sorted(compete(pool, records), key=lambda result: result.fixture.number)
    assert len(results) == 2
    for result in results:
        assert result.forfeit is not None
        seat = result.fixture.bots.index(name)
        assert (result.forfeit.seat, result.forfeit.bot) == (seat, name)
        assert result.forfeit.code == ("illegal-move" if code == "bad-notation" else code)
        assert sentence in result.forfeit.sentence
        assert result.winners == [1 - seat]
        assert result.returns[seat] == -1
        assert result.forfeit.ply == 4 + seat  # its third move, on a board for two
        assert len(result.record["moves"]) == 4 + seat
        assert result.decisions[seat] == 2


def test_no_bot_forfeits_because_a_machine_is_cold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KWARTET_CACHE", str(tmp_path / "empty"))  # all is compiled anew
    plan = plan_of("novice", "tests.naughty:Polite", games=2, seconds=20.0)
    began = time.monotonic()
    with Processes(1) as pool, Records.create(tmp_path / "arena", plan) as records:
        results = list(compete(pool, records))
    compiling = time.monotonic() - began  # nearly all of it
    assert [result.forfeit for result in results] == [None, None]
    assert max(sum(result.seconds) for result in results) < compiling / 4  # before the matches


def test_with_more_seats_the_others_share_the_win(tmp_path: Path, pool: Processes) -> None:
    name = "tests.naughty:Dying"
    plan = plan_of("random", name, game="catan_dice", options={"players": 3}, games=6)
    with Records.create(tmp_path / "arena", plan) as records:
        results = list(compete(pool, records))
    assert sorted(result.fixture.number for result in results) == list(range(6))
    for result in results:
        assert result.forfeit is not None
        assert result.winners == [seat for seat in range(3) if seat != result.forfeit.seat]
        assert sum(result.returns) == pytest.approx(0)


def test_what_a_function_raises_is_raised_and_processes_go_on(pool: Processes) -> None:
    with pytest.raises(GameError, match="There is no game 'chess'"):
        list(pool.map(partial(play, Job("chess", {})), [Fixture(0, ("random",), 1, 0)]))
    with pytest.raises(RuntimeError, match="ValueError"):
        list(pool.map(int, ["1", "x"]))
    assert sorted(pool.map(int, ["1", "2", "3"])) == [("1", 1), ("2", 2), ("3", 3)]


def silent(seconds: float) -> float:
    """Says that it is at work, then nothing for a while."""
    note("at work", 0.3)
    time.sleep(seconds)
    return seconds


def test_a_silent_item_is_lost_with_its_notes_and_the_rest_is_done(pool: Processes) -> None:
    outcomes = dict(pool.map(silent, [0.0, 99.0, 0.01]))
    assert outcomes == {0.0: 0.0, 0.01: 0.01, 99.0: Lost(("at work",), None)}


def noisy(item: int) -> tuple[int, int]:
    """Says much, and in which process it is."""
    for _ in range(20):
        note("still at work")
        time.sleep(0.001)
    return item, os.getpid()


def test_a_pool_has_no_more_processes_than_it_was_told(pool: Processes) -> None:
    outcomes = [outcome for _, outcome in pool.map(noisy, range(30))]
    assert sorted(item for item, _ in outcomes) == list(range(30))  # type: ignore[misc]
    assert len({process for _, process in outcomes}) <= 2  # type: ignore[misc]


def test_leaving_early_ends_what_is_under_way(pool: Processes) -> None:
    work = pool.map(time.sleep, [0.0, 999.0, 999.0])
    assert next(work) == (0.0, None)
    began = time.monotonic()
    work.close()
    assert time.monotonic() - began < 100


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("tests.naughty:Unborn", "ends its process"),
        ("tests.naughty:Mute", "has no method choose"),
        ("tests.naughty:Nobody", "does not load: AttributeError"),
        ("no_such_module:Bot", "does not load: ModuleNotFoundError"),
    ],
)
def test_bots_that_do_not_load_are_named_before_the_first_match(
    name: str, sentence: str, pool: Processes
) -> None:
    with pytest.raises(GameError, match=sentence) as refusal:
        check_bots(pool, plan_of("random", name))
    assert refusal.value.code == "bad-bot"
    assert name in refusal.value.sentence


# Breaking off and going on --------------------------------------------------------------------


def broken_off(path: Path, plan: TournamentPlan, after: int, pool: Processes) -> None:
    with Records.create(path, plan) as records:
        work = compete(pool, records)
        for _ in range(after):
            next(work)
        work.close()  # type: ignore[attr-defined]


def test_an_arena_that_went_on_equals_one_that_was_never_broken_off(
    tmp_path: Path, pool: Processes
) -> None:
    plan = plan_of("random", "tests.naughty:Polite", "tests.naughty:Cheating")
    run_arena(tmp_path / "whole", plan, pool)
    broken_off(tmp_path / "broken", plan, 5, pool)
    with (tmp_path / "broken/records.jsonl").open("a") as lines:
        lines.write('{"kwartet":1,"game":"connect_f')  # killed while it wrote
    with Records.resume(tmp_path / "broken") as records:
        assert len(records.results) >= 5
        assert len(records.missing()) == len(plan.fixtures()) - len(records.results)
        list(compete(pool, records))
        write(report(plan, records.in_order(), len(plan.fixtures())), records, "plot.svg")
    assert without_times(tmp_path / "broken") == without_times(tmp_path / "whole")


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda text: "nonsense\n" + text, "Line 1 of records.jsonl is no match"),
        (lambda text: text + text.splitlines()[0] + "\n", "there twice"),
        (lambda text: text.replace('"bots":["random"', '"bots":["greedy"'), "other bots"),
        (lambda text: text.replace('"fixture":', '"fixture":9'), "is no match"),
    ],
)
def test_damaged_records_are_refused(
    damage: Callable[[str], str], sentence: str, tmp_path: Path, pool: Processes
) -> None:
    broken_off(tmp_path / "arena", plan_of("random", "tests.naughty:Polite"), 2, pool)
    records = tmp_path / "arena/records.jsonl"
    records.write_text(damage(records.read_text()))
    with pytest.raises(GameError, match=sentence):
        Records.resume(tmp_path / "arena")


def test_a_folder_is_for_one_arena_and_one_process(tmp_path: Path) -> None:
    plan = plan_of("random", "greedy")
    with Records.create(tmp_path / "arena", plan):
        with pytest.raises(GameError, match="Another process is at work"):
            Records.resume(tmp_path / "arena")
        with pytest.raises(GameError, match="There is an arena in"):
            Records.create(tmp_path / "arena", plan)
    with pytest.raises(GameError, match="There is no arena in"):
        Records.resume(tmp_path / "elsewhere")
    stored = tmp_path / "arena/setup.json"
    stored.write_text(stored.read_text().replace('"rules": 1', '"rules": 99'))
    with pytest.raises(GameError, match="played under version 99"):
        Records.resume(tmp_path / "arena")


def test_an_arena_does_not_go_on_with_a_prior_that_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "prior.json"
    file.write_text("one prior")
    bots = ["random", f"master+{file}@10", "master+uniform@10", "tests.naughty:Polite"]
    priors = prior_digests(bots)
    assert list(priors) == [str(file)]
    with Records.create(tmp_path / "arena", plan_of(*bots, priors=priors)):
        pass
    with Records.resume(tmp_path / "arena") as records:
        assert records.plan.priors == priors
    file.write_text("another prior")
    with pytest.raises(GameError, match="has changed since the arena began") as refusal:
        Records.resume(tmp_path / "arena")
    assert refusal.value.code == "bad-file"
    file.unlink()
    with pytest.raises(GameError, match="Cannot read the prior"):
        Records.resume(tmp_path / "arena")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", 4),
        ("rules", "1"),
        ("options", []),
        ("bots", "random,greedy"),
        ("bots", ["random", 2]),
        ("games", 2.5),
        ("games", True),
        ("seed", None),
        ("mode", ["ladder"]),
        ("seconds", "1"),
        ("priors", ["prior.json"]),
        ("wind", "north"),
    ],
)
def test_a_setup_with_a_damaged_field_is_refused_by_name(name: str, value: object) -> None:
    told = plan_of("random", "greedy").as_json()
    assert read_plan(told) == plan_of("random", "greedy")
    with pytest.raises(GameError, match=f"damaged at '{name}'") as refusal:
        read_plan(told | {name: value})
    assert refusal.value.code == "bad-file"


def test_a_setup_without_a_field_or_with_a_strange_option_is_refused() -> None:
    told = plan_of("random", "greedy").as_json()
    del told["seed"]
    with pytest.raises(GameError, match="damaged at 'seed'"):
        read_plan(told)
    with pytest.raises(GameError, match="option"):
        read_plan(told | {"seed": 0, "options": {"wind": "north"}})


# From Python ----------------------------------------------------------------------------------


def test_a_tournament_from_python(pool: Processes) -> None:
    found = tournament("connect_four", ["random", Polite], games=20, seed=1)
    assert {standing.bot for standing in found.standings} == {"random", "tests.naughty:Polite"}
    assert found.played == found.scheduled == 20
    assert found.paired.elo is not None
    again = tournament("connect_four", ["random", Polite], games=20, seed=1, pool=pool)
    assert [as_json(each)["head_to_head"] for each in (again, found)] == [
        as_json(found)["head_to_head"]
    ] * 2
    with pytest.raises(GameError, match="no bot 'nobody'"):
        tournament("connect_four", ["random", "nobody"])


def test_a_process_lost_while_it_warms_up_is_no_bots_fault() -> None:
    plan = plan_of("master", "random")
    with pytest.raises(GameError, match="before its match began") as refusal:
        forfeited(plan.job(), plan.fixtures()[0], Lost(("master",), None))
    assert refusal.value.code == "worker-lost"


# The command ----------------------------------------------------------------------------------


def command(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]),
        "COLUMNS": "100",
    }
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "kwartet.cli", "--with", "examples.connect_four", "arena"),
            *arguments,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment,
        # A shell's background jobs ignore Ctrl-C, and so would what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_the_command_from_start_to_end_with_a_break(tmp_path: Path) -> None:
    arguments = ["connect_four", "--bots", "random,tests.naughty:Chatty", "-n", "400"]
    running = command(*arguments, "--workers", "2", folder=tmp_path)
    records = tmp_path / "arena-connect_four-0/records.jsonl"
    while not (records.exists() and records.stat().st_size):
        assert running.poll() is None, running.communicate()
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    shown, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "Go on with: kwartet arena --resume --out arena-connect_four-0" in errors
    assert "Traceback" not in errors
    assert "of 400 matches" in shown
    refused = command(
        *arguments, "--seed", "1", "--resume", "--out", str(records.parent), folder=tmp_path
    )
    assert "has seed 0, not 1" in refused.communicate(timeout=60)[1]
    again = command(
        *("--resume", "--out", str(records.parent), "--workers", "2", "--json", "--plot", "png"),
        folder=tmp_path,
    )
    shown, errors = again.communicate(timeout=120)
    assert again.returncode == 0, errors
    found = json.loads(shown)
    assert found["played"] == found["scheduled"] == 400
    assert found["forfeits"] == []
    assert "\x1b" not in shown + errors.replace("thinking aloud", "")
    lines = records.read_text().splitlines()
    assert [json.loads(line)["arena"]["fixture"] for line in lines] == list(range(400))
    assert (records.parent / "plot.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader((records.parent / "standings.csv").read_text().splitlines()))
    assert {row["bot"] for row in rows} == {"random", "tests.naughty:Chatty"}
    assert sum(int(row["matches"]) for row in rows) == 800


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["connect_four", "--bots", "random,nobody"], "There is no bot 'nobody'"),
        (["connect_four", "--bots", "random,no.module:Bot"], "does not load: ModuleNotFoundError"),
        (["connect_four", "--bots", "random"], "At least two bots"),
        (["connect_four", "--bots", "random,random"], "Each bot is named once"),
        (["connect_four", "--bots", "random,"], "with commas between them"),
        (["connect_four"], "Say who plays"),
        (["--bots", "random,greedy"], "Say which game"),
        (["chess", "--bots", "random,greedy"], "there are carat, carnac"),
        (["connect_four", "--resume"], "There is no arena in"),
        (["connect_four", "--bots", "random,greedy", "--ray", "127.0.0.1:1"], "no Ray cluster at"),
        (["connect_four", "--bots", "random,greedy", "--time", "nan"], "--time"),
        (["connect_four", "--bots", "random,greedy", "--mode", "knock-out"], "--mode"),
    ],
)
def test_bad_input_is_a_sentence_and_leaves_no_folder(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--ray" in arguments:  # which leaves threads behind
        refused = command(*arguments, folder=tmp_path)
        _, errors = refused.communicate(timeout=300)
        code = refused.returncode
    else:
        monkeypatch.chdir(tmp_path)
        ended = kwartet_here("--with", "examples.connect_four", "arena", *arguments)
        code, errors = ended.returncode, ended.stderr
    assert code == 2
    assert sentence in errors
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []
