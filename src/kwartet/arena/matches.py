"""One match between bots: who plays, how it ends, and who did not play by the rules.

A bot that raises, answers with a move that is not legal, or runs over its time forfeits:
the match ends there, the other seats share the win, the scores stay as they stand.
"""

import hashlib
import importlib
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from kwartet.arena.pairing import Fixture
from kwartet.arena.pool import Lost, note
from kwartet.arena.results import Forfeit, Result
from kwartet.bots.bot import PATIENCE, Bot, answer_limit, turn_of
from kwartet.bots.catalogue import create, is_foreign
from kwartet.bots.plain import Random
from kwartet.bots.program import GLANCE, LOOKS, STARTING, Program, follow, is_program
from kwartet.bots.talk import ProgramError
from kwartet.core.errors import GameError, named, quoted
from kwartet.core.game import Game, Options
from kwartet.core.match import Match
from kwartet.games import find, register

MARGIN: Final = 1.0  # seconds more until a silent process is ended
LOADING: Final = 60.0  # seconds for a bot's constructor
WARMING_UP: Final = 1800.0  # seconds for one of ours to compile or solve what it needs
RULES: Final = "the rules"

_warm: set[tuple[str, str, str]] = set()  # game, options, and what of it is loaded


@dataclass(frozen=True)
class Job:
    """What all matches of an arena have in common."""

    game: str
    options: Options
    seconds: float | None = None  # for a move, as the bots are told
    packages: tuple[str, ...] = ()  # of games that are not part of Kwartet

    @property
    def limit(self) -> float:
        """Seconds after which an answer is too late."""
        return answer_limit(self.seconds)

    def find_game(self) -> Game:
        """The game, in whatever process this is."""
        for package in self.packages:
            register(importlib.import_module(package).GAME)
        return find(self.game)


class _Forfeited(Exception):
    """A seat has done what ends the match."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


def play(job: Job, fixture: Fixture) -> Result:
    """Play one fixture to its end, or to a forfeit."""
    game = job.find_game()
    match = Match(game, job.options, seed=fixture.seed)
    sheet = _Sheet(len(fixture.bots))
    bots: list[Bot] = []
    seat = 0
    try:
        for name in fixture.bots:
            warm_up(job, game, name)
        for seat, name in enumerate(fixture.bots):
            note(sheet.entry(seat), _loading(name))
            bots.append(_seated(job, game, name))
        while (acting := match.actor) is not None:
            seat = acting
            _decide(job, fixture, match, bots[seat], sheet)
    except _Forfeited as error:
        forfeit = Forfeit(seat, fixture.bots[seat], match.ply, error.code, error.sentence)
        return _result(fixture, match, sheet, forfeit)
    finally:
        for bot in bots:
            if isinstance(bot, Program):
                bot.close()
    return _result(fixture, match, sheet, None)


def forfeited(job: Job, fixture: Fixture, lost: Lost) -> Result:
    """The result of a fixture whose process was lost while a bot was thinking.

    GameError if it was lost before any bot was asked: then no bot is to blame.
    """
    entries = [entry for entry in lost.notes if isinstance(entry, Entry)]
    if not entries:
        raise GameError(
            "worker-lost", f"A process ended before its match began{_how(lost.exit_code)}."
        )
    match = Match(job.find_game(), job.options, seed=fixture.seed)
    sheet = _Sheet(len(fixture.bots))
    for entry in entries:
        if entry.answer is not None:
            match.play(entry.answer)
            sheet.decisions[entry.before] += 1
    last = entries[-1]
    sheet.seconds = list(last.seconds)
    if lost.exit_code is None:
        code, sentence = "overtime", _overtime(job)
    else:
        code, sentence = "bot-died", f"Its process ended{_how(lost.exit_code)}."
    forfeit = Forfeit(last.seat, fixture.bots[last.seat], match.ply, code, sentence)
    return _result(fixture, match, sheet, forfeit)


def try_bots(job: Job, names: list[str]) -> None:
    """Make each bot; let those of Kwartet make a move, which compiles what they need.

    GameError names the first that does not load.
    """
    game = job.find_game()
    for name in names:
        note(name, _loading(name))
        bot = create(name, game, options=job.options)
        if isinstance(bot, Program):
            _try_program(job, bot, name)
        warm_up(job, game, name)


def _try_program(job: Job, program: Program, name: str) -> None:
    try:
        program.prepare(job.options)
    except ProgramError as error:
        raise GameError(
            "bad-bot", f"The bot {quoted(name)} cannot play: {error.sentence}"
        ) from error
    finally:
        program.close()


@dataclass(frozen=True)
class Entry:
    """What a process tells before it asks a bot."""

    seat: int  # asked now
    before: int  # the seat that answered last
    answer: int | None
    seconds: tuple[float, ...]  # spent so far


class _Sheet:
    """What is counted during a match."""

    def __init__(self, seats: int) -> None:
        self.decisions = [0] * seats
        self.seconds = [0.0] * seats
        self._last: tuple[int, int | None] = (0, None)

    def count(self, seat: int, answer: int) -> None:
        """Remember an answer that was played."""
        self.decisions[seat] += 1
        self._last = (seat, answer)

    def entry(self, seat: int) -> Entry:
        """What is new, now that the seat is asked; an answer is told once."""
        before, answer = self._last
        self._last = (0, None)
        return Entry(seat, before, answer, tuple(self.seconds))


def warm_up(job: Job, game: Game, name: str) -> None:
    """Let a process compile or load what a match with this bot needs, before any clock runs.

    On a machine that has never played the game that takes a while, and the bot is not to
    blame. What a bot of somebody's own prepares for itself is its own affair.
    """
    _once(job, RULES, lambda: _rehearse(job, game))
    if not is_foreign(name):
        _once(job, name, lambda: _try(job, game, name))


def _once(job: Job, what: str, work: Callable[[], None]) -> None:
    key = (job.game, str(job.options), what)
    if key not in _warm:
        note(what, WARMING_UP)
        work()
        _warm.add(key)


def _rehearse(job: Job, game: Game) -> None:
    """Play a match at random, looking at all that a bot may look at."""
    match = Match(game, job.options, seed=0)
    while match.actor is not None:
        turn = turn_of(match, seed=match.ply)
        if match.ply < LOOKS:
            _ = turn.legal, turn.view
        match.play(Random().choose(turn), seat=turn.seat, ply=turn.ply)


def _try(job: Job, game: Game, name: str) -> None:
    """Let one of our bots make a move, with all that it may use for one."""
    with suppress(GameError):  # it will be told when the bot is seated
        turn = turn_of(Match(game, job.options, seed=0), seconds=GLANCE)
        create(name, game, options=job.options).choose(turn)


def _loading(name: str) -> float:
    """Seconds for a bot to be ready for a match."""
    return STARTING + MARGIN if is_program(name) else LOADING


def _seated(job: Job, game: Game, name: str) -> Bot:
    try:
        bot = create(name, game, options=job.options)
        if isinstance(bot, Program):
            bot.prepare(job.options)
        return bot
    except ProgramError as error:
        raise _Forfeited(error.code, error.sentence) from error
    except GameError as error:
        raise _Forfeited("bot-raised", error.sentence) from error


def _decide(job: Job, fixture: Fixture, match: Match, bot: Bot, sheet: _Sheet) -> None:
    """Ask the bot and play its answer."""
    turn = turn_of(match, seed=_turn_seed(fixture, match), seconds=job.seconds)
    note(sheet.entry(turn.seat), job.limit + MARGIN)
    follow(bot, match)
    began = time.perf_counter()
    try:
        answer = bot.choose(turn)
    except KeyboardInterrupt:
        raise
    except ProgramError as error:
        sentence = _overtime(job) if error.code == "overtime" else error.sentence
        raise _Forfeited(error.code, sentence) from error
    except BaseException as error:  # whatever a foreign bot does
        raise _Forfeited("bot-raised", f"It raised {named(error)}.") from error
    finally:
        spent = time.perf_counter() - began
        sheet.seconds[turn.seat] += spent
    if spent > job.limit:
        raise _Forfeited("overtime", _overtime(job))
    try:
        action = turn.read(answer)
    except GameError as error:
        raise _Forfeited("illegal-move", error.sentence) from error
    match.play(action, seat=turn.seat, ply=turn.ply)
    sheet.count(turn.seat, action)


def _turn_seed(fixture: Fixture, match: Match) -> int:
    text = f"turn {fixture.seed:x}/{fixture.number:x}/{match.actor}/{match.ply}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest())


def _result(fixture: Fixture, match: Match, sheet: _Sheet, forfeit: Forfeit | None) -> Result:
    if forfeit:
        winners = [seat for seat in range(match.seats) if seat != forfeit.seat]
        returns = [_share(seat in winners, match.seats) for seat in range(match.seats)]
    else:
        winners, returns = match.winners(), match.returns()
    return Result(
        fixture,
        match.record(),
        match.scores(),
        winners,
        returns,
        forfeit,
        sheet.decisions,
        [round(seconds, 4) for seconds in sheet.seconds],
    )


def _share(is_winner: bool, seats: int) -> float:
    """A seat's return when all but one share the win; see `core.engine.returns`."""
    if seats == 1:
        return 0.0
    return (seats * is_winner / (seats - 1) - 1) / (seats - 1)


def _overtime(job: Job) -> str:
    seconds = PATIENCE if job.seconds is None else job.seconds
    return f"It ran over its time of {seconds:g} s for a move."


def _how(exit_code: int | None) -> str:
    if exit_code is None:
        return ""
    return f" with code {exit_code}" if exit_code >= 0 else f" by signal {-exit_code}"
