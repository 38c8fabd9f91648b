"""Bots by name, how long they think, bots played from Python and in lines of text."""

import gc
import importlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import kwartet
import kwartet.bots
from kwartet.arena import tournament
from kwartet.bots import network
from kwartet.bots import prior as priors
from kwartet.bots.bot import Turn, ask, turn_of
from kwartet.bots.catalogue import create, describe, strongest
from kwartet.bots.exact import Exact
from kwartet.bots.instinct import Instinct, list_candidates
from kwartet.bots.level import LEVELS, level_of
from kwartet.bots.prior import UNIFORM, Prior
from kwartet.bots.search import Budget, Search
from kwartet.core.chance import Generator, generator
from kwartet.core.engine import Actions
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


@pytest.mark.parametrize(
    ("key", "simulations", "slack"),
    [
        ("carat", (1_000, 400, 100_000), (16.0, 5.8, 0.0)),
        ("carnac", (300, 6_000, 100_000), (1.5, 4.0, 0.0)),
        ("catan_dice", (200, 2_000, 20_000), (5.0, 3.0, 4.5)),
        ("connect_four", (200, 2_000, 20_000), (4.0, 1.0, 0.0)),
        ("kwatro", (25, 70, 100_000), (45.0, 4.0, 0.0)),
    ],
)
def test_the_levels_are_those_that_were_measured(
    key: str, simulations: tuple[int, ...], slack: tuple[float, ...]
) -> None:
    levels = {name: level_of(name, find(key)) for name in LEVELS}
    assert tuple(levels[name].simulations for name in [*LEVELS][2:]) == simulations
    assert tuple(levels[name].slack for name in [*LEVELS][:3]) == slack
    assert levels["master"].slack == 0.0


def test_a_level_may_differ_by_an_option() -> None:
    """Carnac's levels by board: in arenas, in the library, and where a bot is made by hand."""
    game = find("carnac")
    large = game.settle({"board": "large"})
    assert level_of("skilled", game, large).simulations == 25
    assert level_of("skilled", game, game.settle({"board": "small"})).simulations == 200
    assert level_of("skilled", game).simulations == 300
    bot = create("skilled", game, options=large)
    assert isinstance(bot, Search)
    assert bot.budget.simulations == 25
    match = kwartet.new("carnac", board="large", seed=1)
    found = kwartet.bot("skilled").analyse(match)
    assert sum(choice.share for choice in found) == pytest.approx(1)
    assert all(round(25 * choice.share) == pytest.approx(25 * choice.share) for choice in found)


def _turns(key: str, level: str, count: int) -> Iterator[Turn]:
    """Decisions of matches in which this level plays all seats."""
    game = find(key)
    bots = [create(level, game) for _ in range(8)]
    for seed in range(count):
        match = Match(game, {}, seed=seed)
        while match.actor is not None:
            turn = turn_of(match, seed=seed + match.ply)
            yield turn
            match.play(ask(bots[turn.seat], turn), seat=turn.seat, ply=turn.ply)


@pytest.mark.parametrize("key", ["carat", "carnac", "catan_dice", "kwatro"])
@pytest.mark.parametrize("level", ["novice", "casual"])
def test_a_level_never_plays_what_seems_worse_to_it_than_its_slack(key: str, level: str) -> None:
    game, gaps = find(key), []
    bot = create(level, game)
    assert isinstance(bot, Instinct)
    for turn in _turns(key, level, 2):
        actions = np.empty(game.rules.MAX_LEGAL, np.int32)
        actions = actions[: list_candidates(turn.state, actions)]
        if len(actions) > 1:
            chosen = bot.choose(turn)
            assert chosen == create(level, game).choose(turn)  # the same seed, the same answer
            worths = bot.rate(turn, actions, generator(turn.seed))
            gaps.append(worths.max() - worths[actions == chosen].item())
    assert min(gaps) >= 0
    assert max(gaps) <= bot.slack
    small = sum(gap <= bot.slack / 2 for gap in gaps)
    assert small > len(gaps) / 2  # small errors often, large ones seldom


@pytest.mark.parametrize(
    ("key", "options"), [("carat", {"players": 2}), ("carnac", {"board": "small"}), ("kwatro", {})]
)
def test_levels_that_do_not_search_are_in_order(key: str, options: dict[str, Any]) -> None:
    found = tournament(key, ["random", "novice", "casual"], games=20, seed=2, **options)
    assert [standing.bot for standing in found.standings] == ["casual", "novice", "random"]


def test_who_lets_go_of_nothing_takes_the_best_and_who_does_varies() -> None:
    turn = turn_of(Match(find("carnac"), {}, seed=1))
    worths = np.zeros(find("carnac").rules.ACTIONS)

    def rate(_: Turn, actions: Actions, __: Generator) -> npt.NDArray[np.float64]:
        worths[actions] = -np.arange(len(actions), dtype=np.float64)
        return worths[actions]

    def gaps(slack: float) -> list[float]:
        bot = Instinct(turn.game, rate, slack)
        return [-worths[bot.choose(replace(turn, seed=seed))] for seed in range(200)]

    assert set(gaps(0.0)) == {0.0}
    found = gaps(6.0)
    assert max(found) == 5.0  # letting go of 6 or more does not happen
    assert sum(gap <= 1 for gap in found) > sum(gap >= 4 for gap in found)


def test_a_game_that_tunes_a_level_that_does_not_exist_is_told_so() -> None:
    game = replace(find("carnac"))
    tuned = replace(game.knowledge, levels={"grandmaster": {"simulations": 5}})
    game.__dict__["knowledge"] = tuned
    with pytest.raises(ValueError, match="grandmaster"):
        create("novice", game)


def test_a_name_may_carry_a_prior_and_a_budget(tmp_path: Path) -> None:
    game = find("carnac")
    bot = create("master+uniform@0.5s", game, threads=2)
    assert isinstance(bot, Search)
    assert (bot.prior, bot.budget) == (UNIFORM, Budget(seconds=0.5, threads=2))
    weights = (np.arange(priors.count(game)) % 40 / 4 - 5).astype(np.float32)
    made = Prior(priors.spread(game, weights), {"seed": 4})
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
    assert len(prior.weights) == game.knowledge.features
    assert np.isfinite(prior.weights).all()
    played = prior.made.get("datasets", [prior.made])
    assert all({"simulations", "matches", "seed"} <= set(each) for each in played)
    files = [path for path in game.folder.iterdir() if path.name.startswith("prior.")]
    assert sum(path.stat().st_size for path in files) < (12_000 if key == "kwatro" else 1_000_000)


@pytest.mark.parametrize("key", ["carat", "carnac"])
def test_values_are_shipped_for_every_look_that_counts_and_say_how_they_were_made(key: str) -> None:
    game = find(key)
    values = network.shipped(game)
    parts = {name: look.blend for name, look in game.knowledge.looks.items() if look.blend > 0}
    assert set(values.networks) == set(parts)
    assert values.blends == parts
    made = values.made.get("datasets", [values.made])
    assert all({"simulations", "matches", "seed"} <= set(each) for each in made)


# How long they think ----------------------------------------------------------------------


def think(name: str, allowed: float | None) -> tuple[int, float]:
    """How many simulations it makes for the first move of connect four, and in how many seconds."""
    game = find("connect_four")
    bot = create(name, game)
    assert isinstance(bot, Search)
    turn = turn_of(Match(game, {}), seconds=allowed)
    create("uct@1", game).choose(turn)  # so that nothing is compiled meanwhile
    began = time.monotonic()
    made = int(bot.analyse(turn).visits.sum())
    return made, time.monotonic() - began


@pytest.mark.parametrize("name", ["master", "uct"])
def test_who_fills_its_time_uses_what_a_turn_allows(name: str) -> None:
    for allowed in (0.4, 1.2):
        made, spent = think(name, allowed)
        assert made != LEVELS["master"].simulations  # where it would end without a time
        assert 0.8 * allowed < spent < allowed + 10  # machines are busy


@pytest.mark.parametrize(
    ("name", "simulations"),
    [("skilled", 200), ("expert", 2_000), ("master@300", 300), ("uct@300", 300)],
)
def test_more_time_makes_no_other_bot_stronger(name: str, simulations: int) -> None:
    assert think(name, None)[0] == think(name, 30.0)[0] == simulations


def test_the_master_without_a_time_limit_stays_as_it_was_measured() -> None:
    assert think("master", None)[0] == LEVELS["master"].simulations


def test_no_bot_thinks_longer_than_it_may() -> None:
    made, spent = think("master@0.05s", 30.0)  # what its name says is not stretched
    assert made > 0
    assert spent < 1.0
    for name in ("expert@999999999", "master@9s"):
        assert think(name, 0.1)[1] < 1.0


# Played from Python -----------------------------------------------------------------------


def test_a_player_plays_a_match_of_any_game() -> None:
    player = kwartet.bot("skilled", simulations=20, seed=3)
    for key in ("carnac", "carat"):
        matches = [kwartet.new(key, seed=8) for _ in range(2)]
        for match in matches:
            for _ in range(4):
                match.play(player.choose(match))
        assert matches[0].moves == matches[1].moves


@pytest.mark.parametrize("key", ["carat", "carnac", "connect_four", "kwatro"])
def test_a_player_tells_what_it_thinks_of_the_moves(key: str) -> None:
    match = kwartet.new(key, seed=8)
    player = kwartet.bot("expert", simulations=200, seed=3)
    choices = player.analyse(match)
    assert choices[0].move == player.choose(match)
    legal = dict(zip(match.legal_actions(), match.legal(), strict=True))
    assert {choice.action: choice.move for choice in choices}.items() <= legal.items()
    assert sum(choice.share for choice in choices) == pytest.approx(1)
    ranks = [(choice.share, choice.worth) for choice in choices]
    assert ranks == sorted(ranks, reverse=True)
    assert all(-1 <= choice.worth <= 1 for choice in choices)
    with pytest.raises(AttributeError):
        choices[0].worth = 1.0  # type: ignore[misc]


def test_a_search_alone_tells_points() -> None:
    match = kwartet.new("catan_dice", players=1, seed=8)
    casual, searching = kwartet.bot("casual", seed=1), kwartet.bot("master", simulations=200)
    while True:
        ended = match.copy()
        if "end" in match.legal():
            ended.play("end")
        if ended.actor is None:
            break
        match.play(casual.choose(match))
    worths = {choice.move: choice.worth for choice in searching.analyse(match)}
    assert worths["end"] == pytest.approx(ended.scores()[0])
    assert worths.keys() == set(match.legal())


class Remembers:
    """Plays another action each time, and does not want to see another seat's turn."""

    made = 0

    def __init__(self) -> None:
        Remembers.made += 1
        self.seats: set[int] = set()
        self.turns = 0

    def choose(self, turn: Turn) -> int:
        self.seats.add(turn.seat)
        assert len(self.seats) == 1
        self.turns += 1
        return turn.legal_actions[self.turns - 1]


def test_every_seat_of_every_match_has_a_bot_of_its_own() -> None:
    player = kwartet.bot("tests.test_bots:Remembers")
    found = importlib.import_module("tests.test_bots").Remembers
    before = found.made
    matches = [kwartet.new("carat", players=3, seed=8) for _ in range(2)]
    for _ in range(7):
        for match in matches:
            match.play(player.choose(match))
    assert found.made - before == 6
    assert len(player._bots) == 2
    del match, matches
    gc.collect()
    assert len(player._bots) == 0


@pytest.mark.parametrize(
    "name", ["random", "greedy", "novice", "casual", "tests.test_bots:Remembers"]
)
def test_who_does_not_weigh_moves_says_so(name: str) -> None:
    with pytest.raises(GameError, match="does not weigh moves in Carnac") as refused:
        kwartet.bot(name).analyse(kwartet.new("carnac", seed=1))
    assert refused.value.code == "bad-bot"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"name": "grandmaster"}, "unknown-bot"),
        ({"name": 5}, "unknown-bot"),
        ({"name": "no_such_module:Bot"}, "bad-bot"),
        ({"name": "json:loads"}, "bad-bot"),
        ({"name": "random", "simulations": 5}, "unknown-bot"),
        ({"name": "tests.test_bot_answers:Weighs", "simulations": 5}, "bad-bot"),
        ({"name": "expert@5", "simulations": 5}, "unknown-bot"),
        ({"simulations": 0}, "bad-option"),
        ({"simulations": True}, "bad-option"),
        ({"simulations": 10**9}, "bad-option"),
        ({"seconds": 0}, "bad-option"),
        ({"seconds": float("nan")}, "bad-option"),
        ({"seconds": "5"}, "bad-option"),
        ({"threads": 1.5}, "bad-option"),
        ({"seed": "x"}, "bad-seed"),
    ],
)
def test_a_player_that_cannot_be_is_refused_at_once(wish: dict[str, Any], code: str) -> None:
    with pytest.raises(GameError) as refused:
        kwartet.bot(**{"name": "expert", **wish})
    assert refused.value.code == code


def test_nobody_is_asked_when_no_seat_is_to_act() -> None:
    player = kwartet.bot("random", seed=1)
    match = kwartet.new("connect_four", seed=1)
    while match.actor is not None:
        match.play(player.choose(match))
    for unasked, sentence in (
        (match, "over"),
        (kwartet.new("kwatro", auto_chance=False), "Chance is to act"),
    ):
        for ask_for in (player.choose, player.analyse):
            with pytest.raises(GameError, match=sentence):
                ask_for(unasked)


def test_the_bots_face_comes_with_its_names_and_loads_them_late() -> None:
    names = {name: getattr(kwartet.bots, name) for name in kwartet.bots.__all__}
    assert names["Player"] is type(kwartet.bot("random"))
    assert list(kwartet.bots.levels("carnac")) == list(LEVELS)
    with pytest.raises(GameError, match="no game"):
        kwartet.bots.levels("chess")
    with pytest.raises(AttributeError, match="nobody"):
        kwartet.bots.nobody  # noqa: B018
    code = "import sys, kwartet, kwartet.bots; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("key", ["carat", "carnac", "kwatro", "connect_four"])
def test_the_strongest_is_the_master_with_so_many_simulations(key: str) -> None:
    game = find(key)
    found, master = strongest(game, 50), create("master@50", game)
    assert isinstance(found, Search)
    assert isinstance(master, Search)
    assert found.budget == master.budget == Budget(simulations=50)
    assert np.array_equal(found.prior.weights, master.prior.weights)
    assert (len(found.prior.weights) > 0) == (key in ("carat", "carnac"))


def test_of_a_solved_game_the_strongest_is_its_solution() -> None:
    assert isinstance(strongest(find("catan_dice"), 50), Exact)


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


def test_in_the_line_protocol_every_seat_has_a_bot_that_lasts(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Counts:\n    turns = 0\n    def choose(self, turn):\n"
        "        self.turns += 1\n        return turn.legal_actions[self.turns]\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "kwartet.cli", "bot", "carnac", "--level", "mine:Counts"],
        capture_output=True,
        text=True,
        input="new\ngo\ngo --time 1\nplay c3wr\ngo\ngo --time 1\nnew\ngo\nquit\n",
        cwd=tmp_path,
        timeout=300,
    )
    advice = [line for line in done.stdout.splitlines() if line.startswith("move")]
    assert advice == ["move a1rw", "move a1wr", "move tilt E", "move tilt S", "move a1rw"]


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
    (source,) = [
        block.split("```")[0] for block in page.split("```python\n") if "class Tallest" in block
    ]
    names: dict[str, type] = {}
    exec(source, names)
    match = Match(find("carat"), {}, seed=2)
    assert ask(names["Tallest"](), turn_of(match)) == match.legal_actions()[-1]
