"""What bots answer: a move or a judgement, or one sentence about what is wrong with it."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

import kwartet
import kwartet.bots
from kwartet.bots.bot import Analysis, Turn, ask, turn_of
from kwartet.bots.catalogue import create
from kwartet.core.errors import GameError
from kwartet.games import find


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


class Answers:
    """Says what it was told to say."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, turn: Turn) -> int:
        return self.answer  # type: ignore[return-value]


class Liar:
    """Fails at whatever it is asked."""

    def __index__(self) -> int:
        raise ZeroDivisionError

    __int__ = __hash__ = __index__

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError

    def __str__(self) -> str:
        raise ZeroDivisionError

    __repr__ = __str__

    def __getattribute__(self, name: str) -> object:
        raise ZeroDivisionError


class Text(str):
    """Text that pretends to be a legal move."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True

    def strip(self, letters: str | None = None) -> str:
        raise ZeroDivisionError

    def __repr__(self) -> str:
        raise ZeroDivisionError


class Number(int):
    """A number that pretends to be a legal action."""

    __hash__ = int.__hash__

    def __eq__(self, other: object) -> bool:
        return True

    def __int__(self) -> int:
        raise ZeroDivisionError

    __index__ = __int__


NO_MOVES: list[object] = [
    *(True, False, 0.0, 1.0, float("nan"), None, [], b"c3wr", np.float64(0), np.array(0)),
    *(np.True_, np.timedelta64(0), 10**5000, -1, "*chips", "", "c3", "tilt N", "x" * 10**6),
    *("c3wr\nc3rw", Liar(), Liar, Text("zz"), Number(-5)),
]


@pytest.mark.parametrize("number", range(len(NO_MOVES)))  # pytest looks too closely at a liar
def test_whatever_a_bot_answers_is_a_move_or_a_sentence(number: int) -> None:
    turn = turn_of(kwartet.new("carnac", seed=1))
    with pytest.raises(GameError) as refused:
        ask(Answers(NO_MOVES[number]), turn)
    assert refused.value.code == "bad-bot"
    sentence = refused.value.sentence
    assert sentence.startswith("The bot Answers is refused at ply 0: ")
    assert sentence.isprintable()
    assert len(sentence) < 300


def test_a_bot_may_answer_as_a_person_may_write() -> None:
    turn = turn_of(kwartet.new("carnac", seed=1))
    number = turn.legal_actions[turn.legal.index("c3wr")]
    for answer in ("c3wr", " c3wr ", Text("c3wr"), number, np.int16(number), Number(number)):
        assert ask(Answers(answer), turn) == number
    match = kwartet.new("catan_dice", seed=1)
    dice = match.moves[-1].removeprefix("*")
    turn = turn_of(match)
    assert turn.name(ask(Answers(f"keep  {dice[:2][::-1]}"), turn)) == f"keep {dice[:2]}"
    assert turn.name(ask(Answers(f"keep {dice[::-1]}"), turn)) == "stop"


@pytest.mark.parametrize("key", ["carat", "carnac", "catan_dice", "connect_four", "kwatro"])
def test_a_turn_shows_what_the_match_shows_its_seat(key: str) -> None:
    match = kwartet.new(key, seed=4)
    for _ in range(7):
        turn = turn_of(match)
        assert turn.view == match.view(turn.seat)
        assert [turn.read(move) for move in turn.legal] == turn.legal_actions
        match.play(turn.legal_actions[len(turn.legal_actions) // 3])


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("class Bot(", "does not load: SyntaxError"),
        ("raise SystemExit(4)", "does not load: SystemExit: '4'"),
        ("raise BaseException('oh')", "does not load: BaseException: 'oh'"),
        ("import no_such_module", "does not load: ModuleNotFoundError"),
        ("Bot = 5", "is no class"),
        ("def Bot(): return 5", "is no class"),
        ("class Bot: pass", "has no method choose"),
        ("class Bot:\n  choose = 5", "has no method choose"),
        ("class Bot:\n  def __init__(self, game): pass", "cannot be made: TypeError"),
        ("class Bot:\n  def __init__(self): 1 / 0", "cannot be made: ZeroDivisionError"),
        ("class Bot:\n  def __new__(cls): return None", "has no method choose"),
        ("class Bot:\n  choose = property(lambda self: 1 / 0)", "cannot be made: ZeroDiv"),
    ],
)
def test_a_class_that_is_no_bot_is_one_sentence(
    source: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "not_a_bot.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "not_a_bot", raising=False)
    with pytest.raises(GameError, match=sentence) as refused:
        create("not_a_bot:Bot", find("carnac"))
    assert refused.value.code == "bad-bot"
    sys.modules.pop("not_a_bot", None)


class Weighs:
    """Says what it thinks, in its own way."""

    found: object = None

    def choose(self, turn: Turn) -> int:
        return turn.legal_actions[0]

    def analyse(self, turn: Turn) -> Analysis:
        if Weighs.found is not None:
            return Weighs.found  # type: ignore[return-value]
        actions = np.array(turn.legal_actions[:3], np.int32)
        return Analysis(actions, np.array([1, 2, 1]), np.array([0.5, 0.25, 0.75]))


def test_a_bot_of_one_s_own_may_weigh_moves_too(monkeypatch: pytest.MonkeyPatch) -> None:
    match = kwartet.new("carnac", seed=1)
    player = kwartet.bot("tests.test_bot_answers:Weighs")
    weighs = importlib.import_module("tests.test_bot_answers").Weighs
    told = [(choice.move, choice.share, choice.worth) for choice in player.analyse(match)]
    first, second, third = match.legal()[:3]
    assert told == [(second, 0.5, 0.25), (third, 0.25, 0.75), (first, 0.25, 0.5)]
    one = np.array([1])
    for found in (5, Liar(), Analysis(-one, one, one), Analysis(one, one, one * np.nan)):
        monkeypatch.setattr(weighs, "found", found)
        with pytest.raises(GameError):
            player.analyse(match)
