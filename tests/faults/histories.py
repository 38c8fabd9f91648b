"""What people did and were told, and whether the tables' logs can account for it.

The log says in which order commands took effect, so nothing has to be searched for: a
history is linearizable if every command that was accepted stands in the log once, at the
number its answer named, none that was refused stands there, and no command that had been
answered comes after one that was sent later. What somebody was shown must be the log up to
the version shown, never go back, and hold nothing that had not been sent yet.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

from kwartet.server import events as e
from kwartet.store import Entry, open_store


@dataclass
class Command:
    """Something that a device wished at a table; times are of the machine's steady clock."""

    device: str
    table: str
    id: str
    began: float
    ply: int | None = None  # of a move
    move: str = ""
    ended: float | None = None  # None: never answered
    version: int | None = None  # of the table, if it was accepted
    code: str = ""  # why, if it was refused


@dataclass(frozen=True)
class View:
    """How a device was shown a table."""

    device: str
    table: str
    at: float
    version: int
    log: tuple[str, ...]


Told = TypeVar("Told", Command, View)


@dataclass
class History:
    """Everything that all devices did and saw, each in the order of time."""

    commands: list[Command] = field(default_factory=list)
    views: list[View] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)  # of matches that came to their end
    accepted: int = 0  # commands

    @property
    def refused(self) -> Counter[str]:
        """How often which refusal was told."""
        return Counter(command.code for command in self.commands if command.code)


@dataclass(frozen=True)
class Line:
    """One entry of a table's log."""

    number: int
    id: str  # of the command that it carried out; "": the server's own doing
    moves: tuple[str, ...]


async def logs_of(database: str, tables: Iterable[str]) -> dict[str, list[Line]]:
    """The logs of these tables as the database has them."""
    store = await open_store(database, upgrade=False)
    try:
        return {table: [_line(one) for one in await store.entries(table)] for table in tables}
    finally:
        await store.close()


def _line(entry: Entry) -> Line:
    body = e.decode(entry.body)
    moves = [
        move
        for event in body.events
        if isinstance(event, e.Started | e.Played)
        for move in event.moves
    ]
    return Line(entry.number, body.request, tuple(moves))


def faults_in(history: History, logs: dict[str, list[Line]]) -> list[str]:
    """Whatever the logs cannot account for, one sentence each."""
    found: list[str] = []
    all_commands, all_views = _by_table(history.commands), _by_table(history.views)
    for table, log in logs.items():
        commands, views = all_commands[table], all_views[table]
        checks = (
            _gaps(log),
            _repeated(log),
            _answered(commands, log),
            _out_of_order(commands, log),
            _misshown(commands, views, log),
        )
        found += [f"{table}: {sentence}" for check in checks for sentence in check]
    return found


def _by_table(told: Iterable[Told]) -> dict[str, list[Told]]:
    found: dict[str, list[Told]] = defaultdict(list)
    for one in told:
        found[one.table].append(one)
    return found


def _gaps(log: list[Line]) -> Iterable[str]:
    if [line.number for line in log] != [*range(1, len(log) + 1)]:
        yield "the numbers of its entries have gaps"


def _repeated(log: list[Line]) -> Iterable[str]:
    for key, times in Counter(line.id for line in log if line.id).items():
        if times > 1:
            yield f"{key} was carried out {times} times"


def _answered(commands: list[Command], log: list[Line]) -> Iterable[str]:
    """Every answer is true of the log."""
    numbers = {line.id: line.number for line in log}
    moves = _moves(log)
    for command in commands:
        number = numbers.get(command.id)
        if command.code and number is not None:
            yield f"{command.id} was refused ({command.code}) and is entry {number}"
        elif command.version is not None and command.version != number:
            yield f"{command.id} was accepted as {command.version} and is {number or 'lost'}"
        elif number is not None and not _is_played(command, moves[number]):
            yield f"{command.id} wished {command.move} at {command.ply}, which is not there"


def _is_played(command: Command, moves: tuple[str, ...]) -> bool:
    ply = command.ply
    return ply is None or moves[ply : ply + 1] == (command.move,)


def _out_of_order(commands: list[Command], log: list[Line]) -> Iterable[str]:
    """Who was answered before another began comes before the other."""
    known = {command.id: command for command in commands}
    latest: Command | None = None  # of those so far, the one that began last
    for line in log:
        command = known.get(line.id)
        if command is None:
            continue
        if latest and command.ended is not None and command.ended < latest.began:
            yield f"{command.id} was answered before {latest.id} began, and comes after it"
        if latest is None or command.began > latest.began:
            latest = command


def _misshown(commands: list[Command], views: list[View], log: list[Line]) -> Iterable[str]:
    """What was shown is the log up to there, never goes back, and is of no later day."""
    moves, began = _moves(log), {command.id: command.began for command in commands}
    latest, moment = {0: 0.0}, 0.0  # by version: when the last of the commands up to there began
    for line in log:
        latest[line.number] = moment = max(moment, began.get(line.id, 0.0))
    for view in views:
        if moves.get(view.version) != view.log:
            yield f"{view.device} was shown as {view.version} what the log never was"
        elif latest[view.version] > view.at:
            yield f"{view.device} was shown version {view.version} before it was wished"
    for device in {view.device for view in views}:
        shown = [view.version for view in views if view.device == device]
        for before, after in pairwise(shown):
            if after < before:
                yield f"{device} was shown version {after} after {before}"


def _moves(log: list[Line]) -> dict[int, tuple[str, ...]]:
    """What had been played, by version."""
    played: tuple[str, ...] = ()
    by_version = {0: played}
    for line in log:
        played += line.moves
        by_version[line.number] = played
    return by_version
