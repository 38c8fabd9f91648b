"""`kwartet bot`: a bot that speaks lines of text, for programs in any language.

The process keeps one match. Every command is answered with one line that begins with `ok`,
`move` or `error`; the protocol is in docs/bots.md.
"""

import json
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kwartet.cli.terminal import (
    GameKey,
    check_names,
    find_game,
    prepare,
    prepare_bots,
    read_options,
)
from kwartet.core.errors import GameError, quoted, some_of
from kwartet.core.game import Game

if TYPE_CHECKING:
    from kwartet.bots.player import Player
    from kwartet.core.match import Match

LONGEST = 100  # digits of a number
COMMANDS = ("new", "play", "go", "legal", "view", "moves", "quit")


def run(
    key: GameKey,
    level: Annotated[
        str, typer.Option("--level", "--bot", help="A level, another bot, or module:Class.")
    ] = "master",
    threads: Annotated[int, typer.Option(min=1, help="Threads that think.")] = 2,
) -> None:
    """Speak the line protocol on standard input and output."""
    game, options = find_game(key, None)
    check_names(game, [level])
    prepare([game], bots=True)
    prepare_bots(game, options, [level])
    session = _Session(game, level, threads)
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"]:
            print("ok", flush=True)
            return
        if words:
            print(session.answer(words), flush=True)


class _Session:
    """One match after the other, and the bot that has a say in it."""

    def __init__(self, game: Game, level: str, threads: int) -> None:
        self.game = game
        self.level = level
        self.threads = threads
        self.match, self.player = self._new([])

    def answer(self, words: list[str]) -> str:
        """The line that answers this command; a refused command has changed nothing."""
        try:
            return self._obey(words)
        except GameError as error:
            return f"error {error.code}: {' '.join(error.sentence.split())}"

    def _obey(self, words: list[str]) -> str:
        match words:
            case ["new", *settings]:
                self.match, self.player = self._new(settings)
                return self._situation()
            case ["play", *move]:
                self.match.play(" ".join(move))
                return self._situation()
            case ["go"]:
                return self._go(None)
            case ["go", "--time", seconds]:
                return self._go(_seconds(seconds))
            case ["legal"]:
                return f"ok {_json(self.match.legal())}"
            case ["view", seat]:
                return f"ok {_json(self.match.view(_seat(seat)))}"
            case ["moves", seat]:
                return f"ok {_json(self.match.log(_seat(seat)))}"
        raise GameError(
            "bad-command",
            f"{quoted(' '.join(words))} is no command; commands are {some_of(COMMANDS)}.",
        )

    def _new(self, settings: list[str]) -> tuple["Match", "Player"]:
        """A match with `name=value` options of the game, `seed=N` or `chance=caller`; its bot."""
        from kwartet.bots.player import Player
        from kwartet.core.match import Match

        chosen = dict(text.partition("=")[::2] for text in settings)
        seed = chosen.pop("seed", None)
        chance = chosen.pop("chance", "own")
        if chance not in ("own", "caller"):
            raise GameError("bad-option", f"chance is own or caller, not {quoted(chance)}.")
        if seed is not None and not (seed.isdecimal() and len(seed) <= LONGEST):
            raise GameError("bad-seed", f"A seed is a whole number, not {quoted(seed)}.")
        options = read_options(self.game, [f"{name}={value}" for name, value in chosen.items()])
        number = None if seed is None else int(seed)
        match = Match(self.game, options, seed=number, auto_chance=chance == "own")
        return match, Player(self.level, threads=self.threads, seed=number)

    def _situation(self) -> str:
        """Where the match stands: the ply and who acts, or how it ended."""
        match = self.match
        if match.actor is None:
            winners = ",".join(map(str, match.winners()))
            return f"ok over winners {winners} scores {','.join(map(str, match.scores()))}"
        return f"ok ply {match.ply} actor {'chance' if match.actor < 0 else match.actor}"

    def _go(self, seconds: float | None) -> str:
        with redirect_stdout(sys.stderr):  # what a foreign bot prints is no answer
            return f"move {self.player.choose(self.match, seconds=seconds)}"


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3600:
        raise GameError("bad-option", f"A time is a number of seconds, not {quoted(text)}.")
    return seconds


def _seat(text: str) -> int | None:
    """A seat, or None for `-`, a spectator."""
    if text == "-":
        return None
    if not text.isdecimal() or len(text) > LONGEST:
        raise GameError("unknown-seat", f"A seat is a number, or - for a spectator: {quoted(text)}")
    return int(text)
