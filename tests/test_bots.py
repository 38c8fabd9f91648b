"""Bots by name, bots that misbehave, and bots that speak lines of text."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kwartet
from kwartet.bots import prior as priors
from kwartet.bots.bot import Turn, ask, turn_of
from kwartet.bots.catalogue import LEVELS, create, describe
from kwartet.bots.prior import UNIFORM, Prior
from kwartet.bots.search import Budget, Search
from kwartet.core.errors import GameError
from kwartet.core.match import Match
from kwartet.games import find
from tests.test_cli import kwartet_command

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("key", ["carat", "carnac", "catan_dice", "kwatro"])
def test_every_level_has_a_sentence_and_a_bot(key: str) -> None:
    sentences = describe(find(key))
    assert list(sentences) == list(LEVELS)
    assert len(set(sentences.values())) == len(LEVELS)
    for level in LEVELS:
        assert callable(create(level, find(key)).choose)


def test_a_name_may_carry_a_prior_and_a_budget(tmp_path: Path) -> None:
    game = find("carnac")
    bot = create("master+uniform@0.5s", game, threads=2)
    assert isinstance(bot, Search)
    assert (bot.prior, bot.budget) == (UNIFORM, Budget(seconds=0.5, threads=2))
    weights = (np.arange(game.tactic("FEATURES")) % 40 / 4 - 5).astype(np.float32)
    made = Prior(weights, {"seed": 4})
    priors.write(game, tmp_path / "mine.json", made)
    bot = create(f"expert+{tmp_path}/mine.json@70", game)
    assert isinstance(bot, Search)
    assert bot.budget == Budget(simulations=70)
    assert np.array_equal(bot.prior.weights, made.weights)
    assert bot.prior.made == {"seed": 4}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("grandmaster", "unknown-bot"),
        ("", "unknown-bot"),
        ("master@", "unknown-bot"),
        ("master@-1s", "unknown-bot"),
        ("random@5", "unknown-bot"),
        ("greedy+uniform", "unknown-bot"),
        ("uct+uniform@5", "unknown-bot"),
        ("master@" + "9" * 5000, "unknown-bot"),
        ("master@99999s", "unknown-bot"),
        ("master+nowhere.json", "bad-file"),
        ("no_such_module:Bot", "bad-bot"),
        ("tests.naughty:NoSuchBot", "bad-bot"),
        ("json:JSONDecoder", "bad-bot"),
    ],
)
def test_a_bot_that_does_not_exist_is_refused_with_a_sentence(name: str, code: str) -> None:
    with pytest.raises(GameError) as refused:
        create(name, find("carnac"))
    assert refused.value.code == code


@pytest.mark.parametrize("text", ["", "[]", '{"game": "carat"}', '{"game": "carnac", "made": {}}'])
def test_a_file_that_is_no_prior_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prior.json"
    path.write_text(text)
    with pytest.raises(GameError, match="prior"):
        priors.read(find("carnac"), path)


@pytest.mark.parametrize("key", ["carat", "carnac", "kwatro"])
def test_shipped_priors_are_small_and_say_how_they_were_made(key: str) -> None:
    game = find(key)
    prior = priors.shipped(game)
    assert len(prior.weights) == game.tactic("FEATURES")
    assert np.isfinite(prior.weights).all()
    assert {"simulations", "matches", "seed", "round"} <= set(prior.made)
    assert (game.folder / "prior.json").stat().st_size < 12_000


class Raises:
    def choose(self, turn: Turn) -> int:
        raise ZeroDivisionError("oh")


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ZeroDivisionError


class RaisesWhatCannotBeTold:
    def choose(self, turn: Turn) -> int:
        raise Unspeakable


class Illegal:
    def choose(self, turn: Turn) -> str:
        return "z9"


class Silent:
    def choose(self, turn: Turn) -> None:
        return None


@pytest.mark.parametrize("bot", [Raises(), RaisesWhatCannotBeTold(), Illegal(), Silent()])
def test_a_bot_that_misbehaves_is_a_bad_bot(bot: object) -> None:
    turn = turn_of(kwartet.new("carnac", seed=1))
    with pytest.raises(GameError) as refused:
        ask(bot, turn)  # type: ignore[arg-type]
    assert refused.value.code == "bad-bot"


def test_a_turn_knows_nothing_that_is_hidden() -> None:
    match = kwartet.new("kwatro", seed=3)
    turn = turn_of(match)
    assert turn.state.tobytes() == match.redacted(0).tobytes() != match.state.tobytes()
    assert turn.moves == match.log(0)
    assert all(move in turn.legal for move in match.legal())


def test_the_line_protocol_plays_a_match_and_refuses_what_is_wrong() -> None:
    done = kwartet_command(
        *("bot", "carnac", "--level", "skilled@40"),
        given="new board=small seed=1\nlegal\nplay c3wr\nplay c3wr\ngo\ngo --time 0.05\n"
        "go --time never\ndance\nview -\nmoves 0\nnew board=huge\nnew seed=x\nquit\n",
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "ok ply 0 actor 0"
    assert len(json.loads(lines[1].removeprefix("ok "))) == 4 * 40
    assert lines[2] == "ok ply 1 actor 1"
    assert lines[3].startswith("error illegal-move: ")
    tilts = {f"move tilt {direction}" for direction in "NESW"} | {"move stand"}
    assert set(lines[4:6]) <= tilts
    assert lines[6].startswith("error bad-option: ")
    assert lines[7].startswith("error bad-command: ")
    assert json.loads(lines[8].removeprefix("ok "))["game"] == "carnac"
    assert lines[9] == 'ok ["c3wr"]'
    assert lines[10].startswith("error bad-option: ")
    assert lines[11].startswith("error bad-seed: ")
    assert lines[12] == "ok"


def test_the_line_protocol_plays_a_whole_match_by_its_own_advice() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "kwartet.cli", "bot", "kwatro", "--level", "casual"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdin
        assert process.stdout

        def say(line: str) -> str:
            assert process.stdin
            assert process.stdout
            process.stdin.write(line + "\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        answer = say("new seed=5")
        while not answer.startswith("ok over"):
            assert answer.startswith("ok ply")
            answer = say(say("go").replace("move", "play", 1))
        assert say("go").startswith("error not-your-turn")
        assert say("quit") == "ok"


def test_a_bot_of_one_s_own_plays_in_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Last:\n    def choose(self, turn):\n        return turn.legal[-1]\n"
        "class Broken:\n    def choose(self, turn):\n        return 1 / 0\n"
    )

    def play(bot: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "kwartet.cli", "play", "carnac", "--bot", bot, "--seed", "1"],
            capture_output=True,
            text=True,
            input="c3wr\nquit\n",
            cwd=tmp_path,
            timeout=300,
        )

    done = play("mine:Last")
    assert done.returncode == 0
    assert "stand" in done.stdout
    done = play("mine:Broken")
    assert done.returncode == 2
    assert "ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_page_s_example_of_a_bot_works() -> None:
    page = (ROOT / "docs/bots.md").read_text()
    source = page.split("```python\n")[1].split("```")[0]
    names: dict[str, type] = {}
    exec(source, names)
    match = Match(find("carat"), {}, seed=2)
    assert ask(names["Tallest"](), turn_of(match)) == match.legal_actions()[-1]
