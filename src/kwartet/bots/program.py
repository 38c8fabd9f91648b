"""Another program as a bot, by the line protocol of `kwartet bot`: `exec:COMMAND`.

The program keeps the match itself, as `kwartet bot` does, and so is told the whole log, also
what its seat may not know: it is trusted not to look, and Kwartet's own does not. Therefore
every version of Kwartet that ever spoke these lines can be met.

A process serves one match after the other (`new` begins the next), since starting one takes
longer than many a match.
"""

import shlex
import shutil
import time
from collections import defaultdict
from typing import Final

from kwartet.bots.bot import Bot, Turn, answer_limit, turn_of
from kwartet.bots.plain import Random
from kwartet.bots.talk import ProgramError, Talk
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game, Options, option_value
from kwartet.core.match import Match

PREFIX: Final = "exec:"
STARTING: Final = 600.0  # seconds: one of Kwartet's compiles or solves before its first answer
GLANCE: Final = 0.05  # seconds of thinking in a move that only warms up
LOOKS: Final = 40  # decisions, enough to have met every phase of a game
ASKED: Final = (0, 1, 5, 20)  # of them, in which a program that warms up is asked for a move

_idle: defaultdict[str, list[Talk]] = defaultdict(list)  # processes without a match, by command


class Program:
    """A seat's player that is a process of its own."""

    def __init__(self, name: str, game: Game) -> None:
        """GameError if the command cannot be read or there is no such program."""
        self._command = name.removeprefix(PREFIX).strip()
        self._words = _words(self._command)
        self._game = game
        self._talk: Talk | None = None
        self._options: Options = {}
        self._moves: list[str] | None = None  # what the program knows; None before `new`
        self._log: list[str] | None = None  # what it is to know

    def prepare(self, options: Options) -> None:
        """Have a process that has played before any clock runs; ProgramError if it fails."""
        self._options = options
        idle = _idle[self._command]
        while self._talk is None and idle:
            talk = idle.pop()
            self._talk = talk if talk.is_alive else None
        if self._talk is None:
            self._talk = Talk(self._words)
            self._rehearse(time.monotonic() + STARTING)

    def _rehearse(self, deadline: float) -> None:
        """Tell a new process a random match and ask it now and then, so that nothing is cold."""
        match = Match(self._game, self._options, seed=0)
        self._say(self._new(0), deadline)
        told = asked = 0
        while match.actor is not None and asked < LOOKS:
            for move in match.moves[told:]:
                self._say(f"play {move}", deadline)
            told = match.ply
            if asked in ASKED:
                self._move(f"go --time {GLANCE:g}", deadline)
            match.play(Random().choose(turn_of(match, seed=asked)))
            asked += 1

    def follow(self, moves: list[str]) -> None:
        """Be told the log of the match, with everything in it, before `choose`."""
        self._log = moves

    def choose(self, turn: Turn) -> str:
        """The program's move; ProgramError if it hangs, dies or answers something else."""
        log = turn.moves if self._log is None else self._log
        if self._log is None and self._game.rules.SECRETS:
            raise GameError("bad-bot", f"A program cannot play {self._game.title} here.")
        if self._talk is None:
            self.prepare(turn.options)
        deadline = time.monotonic() + answer_limit(turn.seconds)
        if self._moves is None or log[: len(self._moves)] != self._moves:
            self._say(self._new(turn.seed), deadline)
            self._moves = []
        for move in log[len(self._moves) :]:
            self._say(f"play {move}", deadline)
            self._moves.append(move)
        hurry = "" if turn.seconds is None else f" --time {turn.seconds:g}"
        return self._move(f"go{hurry}", deadline)

    def close(self) -> None:
        """Give the process back for the next match; one that misbehaved has ended."""
        if self._talk is not None and self._talk.is_alive:
            _idle[self._command].append(self._talk)
        self._talk = self._moves = None

    def _new(self, seed: int) -> str:
        """What begins a match; only what is chosen is told, since a version may know no more."""
        usual = self._game.settle({})
        chosen = {
            name: option_value(value)
            for name, value in self._options.items()
            if value != usual[name]
        }
        told = {"seed": str(seed), "chance": "caller"} | chosen
        return " ".join(["new", *(f"{name}={value}" for name, value in told.items())])

    def _say(self, line: str, deadline: float) -> None:
        """Tell it something; ProgramError unless it agrees."""
        self._answer(line, "ok", deadline)

    def _move(self, line: str, deadline: float) -> str:
        return self._answer(line, "move", deadline)

    def _answer(self, line: str, wanted: str, deadline: float) -> str:
        assert self._talk is not None
        answer = self._talk.ask(line, deadline)
        word, _, rest = answer.partition(" ")
        if word != wanted:
            self._talk.end()
            raise ProgramError(
                "bad-answer", f"It answers {quoted(line)} with {quoted(answer, 200)}."
            )
        return rest


def follow(bot: Bot, match: Match) -> None:
    """Tell a program, and no other bot, the whole match so far, before it is asked."""
    if isinstance(bot, Program):
        bot.follow(match.moves)


def is_program(name: str) -> bool:
    """Whether a bot's name is a command."""
    return name.startswith(PREFIX)


def _words(command: str) -> list[str]:
    """The command taken apart as a shell would."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise GameError(
            "bad-bot", f"The command {quoted(command)} cannot be read: {error}."
        ) from error
    if not words:
        raise GameError("bad-bot", "Write a program as exec:COMMAND.")
    if shutil.which(words[0]) is None:
        raise GameError("bad-bot", f"There is no program {quoted(words[0])} that can be run.")
    return words
