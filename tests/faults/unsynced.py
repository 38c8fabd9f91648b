"""The machine loses its power: of what was not synced anything may be missing.

A real server on SQLite is played on while every write and sync of its is recorded. Then the
power fails, in thought, at many moments: what had been synced is there, of what was written
since each sector may be there, or not. From such files the database must open whole, with
every command in it that had been accepted at that moment.
"""

import asyncio
import random
import shutil
import sqlite3
from bisect import bisect_left
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from kwartet.core.errors import GameError
from tests.faults.campaigns import Advance, Outcome, nobody
from tests.faults.histories import History, faults_in, logs_of
from tests.faults.houses import LIMITS, SECRET
from tests.faults.playing import Crowd
from tests.faults.recorder import Note, notes
from tests.serving import Server, free_port

SECTOR: Final = 512  # bytes that a disk writes as one


class Disk:
    """Files as they are, and as they would be found after the power failed."""

    def __init__(self, luck: random.Random) -> None:
        self._luck = luck
        self._safe: dict[str, bytearray] = {}  # by path
        self._unsafe: dict[str, list[Note]] = {}  # since the last sync, in order
        self._removed: dict[str, bytearray] = {}  # files whose folder was not synced since

    def follow(self, note: Note) -> None:
        """Let what was noted happen."""
        if note.deed == "sync":
            if note.path not in self._safe:
                self._removed.clear()  # with a new file SQLite syncs its folder
            content = self._safe.setdefault(note.path, bytearray())
            for one in self._unsafe.pop(note.path, []):
                _happen(content, one)
        elif note.deed == "remove":
            self._unsafe.pop(note.path, None)
            if (gone := self._safe.pop(note.path, None)) is not None and not note.offset:
                self._removed[note.path] = gone
        else:
            self._unsafe.setdefault(note.path, []).append(note)

    def after_power_failure(self) -> dict[str, bytes]:
        """What would be found; another possibility each time."""
        back = {path: gone for path, gone in self._removed.items() if self._luck.random() < 0.5}
        found = {path: bytearray(content) for path, content in (back | self._safe).items()}
        for path, waiting in self._unsafe.items():
            if path not in found and self._luck.random() < 0.5:
                continue  # the file's name was not synced either
            content = found.setdefault(path, bytearray())
            for note in waiting:
                for sector in self._sectors(note):
                    if self._luck.random() < 0.5:
                        _happen(content, sector)
        return {path: bytes(content) for path, content in found.items()}

    def _sectors(self, note: Note) -> list[Note]:
        """A write in the pieces that may be lost one by one."""
        if note.deed != "write":
            return [note]
        ends = [*range(SECTOR - note.offset % SECTOR, len(note.data), SECTOR), len(note.data)]
        starts = [0, *ends[:-1]]
        return [
            Note(note.at, "write", note.path, note.offset + start, note.data[start:end])
            for start, end in zip(starts, ends, strict=True)
        ]


def _happen(content: bytearray, note: Note) -> None:
    if note.deed == "truncate":
        del content[note.offset :]
        content.extend(bytes(note.offset - len(content)))
    else:
        content.extend(bytes(max(0, note.offset - len(content))))
        content[note.offset : note.offset + len(note.data)] = note.data


async def failures(
    folder: Path,
    count: int,
    *,
    seconds: float = 2.0,
    synchronous: str = "FULL",
    pairs: int = 10,
    advance: Advance = nobody,
) -> Outcome:
    """Play, then let the power fail, in thought, at so many moments."""
    history = History()
    recorded = await _played(folder, history, seconds, synchronous, pairs)
    luck = random.Random(count)
    disk, done, faults = Disk(luck), 0, []
    first = bisect_left(recorded, history.commands[0].began, key=lambda note: note.at)
    for moment in sorted(luck.choices(range(first, len(recorded) - 1), k=count)):
        for note in recorded[done : moment + 1]:
            disk.follow(note)
        done = moment + 1
        past = _so_far(history, recorded[done].at)
        faults += await _found(disk.after_power_failure(), folder / "found", past)
        advance(1)
    numbers = {
        "power failures": count,
        "synchronous": synchronous,
        "writes": sum(note.deed == "write" for note in recorded),
        "syncs": sum(note.deed == "sync" for note in recorded),
        "accepted": history.accepted,
    }
    return Outcome(numbers, faults)


async def _played(
    folder: Path, history: History, seconds: float, synchronous: str, pairs: int
) -> list[Note]:
    """What a server did to its files while people played at it."""
    log = folder / "recorded"
    server = Server(
        folder / "server",
        *(*LIMITS, "--port", str(free_port())),
        through=("-m", "tests.faults.recorder", str(log), synchronous),
        KWARTET_SECRET=SECRET,
    )
    await asyncio.to_thread(server.start)
    try:
        crowd = Crowd(history)
        await crowd.come([server.url], pairs)
        await asyncio.sleep(seconds)
        await crowd.finish()
    finally:
        await asyncio.to_thread(server.kill)
    return list(notes(log))


def _so_far(history: History, at: float) -> History:
    """What people had been told by then; of what was not answered yet they know nothing."""
    past = History(tables=history.tables)
    for command in history.commands:
        if command.began < at:
            answered = command.ended is not None and command.ended < at
            unanswered = replace(command, ended=None, version=None, code="")
            past.commands.append(command if answered else unanswered)
    return past


async def _found(files: dict[str, bytes], folder: Path, past: History) -> list[str]:
    """What is wrong with a database that is found so, beside what people know."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path, content in files.items():
        (folder / Path(path).name).write_bytes(content)
    database = folder / "kwartet.db"
    try:
        with closing(sqlite3.connect(database)) as connection:
            outcome = connection.execute("PRAGMA integrity_check").fetchall()
        if outcome != [("ok",)]:
            return [f"The database is damaged: {outcome[0][0]}"]
        return faults_in(past, await logs_of(f"sqlite:///{database}", past.tables))
    except (sqlite3.Error, GameError) as error:
        return [f"The database cannot be opened: {error}"]
