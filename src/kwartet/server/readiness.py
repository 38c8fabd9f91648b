"""Which games can be played now. The others are compiled, or solved, in the background.

Compiling and solving are chores of other processes; when a game's machine code is in the
disk cache, a thread loads it, so that no request waits for that either.
"""

import asyncio
import gc
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Final

import structlog

from kwartet.core.game import Game, Options
from kwartet.server.messages import Preparing

PATIENCE: Final = 5  # how nice chores are to everything else

log = structlog.get_logger()


class Readiness:
    """What is ready, what is on its way, and how far it is."""

    def __init__(self, games: list[Game], on_change: Callable[[str], None]) -> None:
        self._games = {game.key: game for game in games}
        self._on_change = on_change  # is told the key of a game
        self._events = {key: asyncio.Event() for key in self._games}
        self._loading = {key: asyncio.Lock() for key in self._games}
        self._progress = {key: Preparing("rules", 0, 1) for key in self._games}
        self._ready_at: dict[str, float] = {}
        self._solving: dict[str, asyncio.Task[None]] = {}
        self._solutions: dict[str, Any] = {}  # that were found
        self._solution_progress: dict[str, Preparing] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def is_ready(self, key: str) -> bool:
        """Whether the game can be played now."""
        return key in self._events and self._events[key].is_set()

    def ready_at(self, key: str) -> float:
        """When the game became ready; now if it is not."""
        return self._ready_at.get(key, time.time())

    def progress(self, key: str) -> Preparing | None:
        """How far the game's rules are; None when they are ready."""
        return None if self.is_ready(key) else self._progress.get(key)

    def start(self) -> None:
        """Begin to prepare everything."""
        self._begin(self._prepare())

    async def stop(self) -> None:
        """End every chore."""
        for task in [*self._tasks, *self._solving.values()]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._solving.values(), return_exceptions=True)

    async def _prepare(self) -> None:
        games = list(self._games.values())
        cold = await asyncio.to_thread(_cold, games)
        for game in games:
            if game not in cold:
                await self._load(game)
        if cold:
            await self._compile(cold)
        gc.freeze()  # compiled rules stay; looking for garbage among them would delay moves

    async def _compile(self, games: list[Game]) -> None:
        try:
            async for step in _chore("compile", *[game.package for game in games]):
                key = step["game"]
                self._progress[key] = Preparing("rules", step["done"], step["of"])
                if step["done"] == step["of"]:
                    self._begin(self._load(self._games[key]))
                self._on_change(key)
        except (ChildProcessError, OSError) as problem:
            log.error("compiling failed", problem=str(problem))
        for game in games:  # what the chore did not get to is compiled here
            await self._load(game)

    async def _load(self, game: Game) -> None:
        async with self._loading[game.key]:  # whoever comes second finds it done
            if not self._events[game.key].is_set():
                await self._have_in_memory(game)

    async def _have_in_memory(self, game: Game) -> None:
        await asyncio.to_thread(_load, game)
        self._ready_at[game.key] = time.time()
        self._events[game.key].set()
        log.info("game ready", game=game.key)
        self._on_change(game.key)

    # Solutions ----------------------------------------------------------------------------

    def needs_solution(self, game: Game, options: Options, level: str) -> bool:
        """Whether this bot must wait until the game has been solved."""
        from kwartet.bots import catalogue

        return catalogue.recalls(level, game) and self.solution(game, options) is None

    def solution(self, game: Game, options: Options) -> Any:
        """The game's stored solution; None if there is none yet. The first look takes a moment."""
        label = _label(game, options)
        if label not in self._solutions and (found := game.solution.find(options)) is not None:
            self._solutions[label] = found
        return self._solutions.get(label)

    def solution_progress(self, game: Game, options: Options) -> Preparing | None:
        """How far the solving is, if it is going on."""
        return self._solution_progress.get(_label(game, options))

    async def have_solved(self, game: Game, options: Options) -> None:
        """Wait until there is a solution, which is found or made."""
        if await asyncio.to_thread(self.solution, game, options) is None:
            await self.solve(game, options)

    async def solve(self, game: Game, options: Options) -> None:
        """Wait until the game is solved; all who wait share the work."""
        label = _label(game, options)
        if label not in self._solving:
            task = asyncio.create_task(self._solve(label, game, options))
            self._solving[label] = task
            task.add_done_callback(lambda _: self._solving.pop(label, None))
        await asyncio.shield(self._solving[label])

    async def _solve(self, label: str, game: Game, options: Options) -> None:
        try:
            self._solution_progress[label] = Preparing("solution", 0, game.solution.steps())
            self._on_change(game.key)
            async for step in _chore("solve", game.package, json.dumps(options)):
                self._solution_progress[label] = Preparing("solution", step["done"], step["of"])
                self._on_change(game.key)
        finally:
            del self._solution_progress[label]
            self._on_change(game.key)

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _label(game: Game, options: Options) -> str:
    return f"{game.key} {json.dumps(options, sort_keys=True)}"


def _cold(games: list[Game]) -> list[Game]:
    """The games that have never been compiled on this machine."""
    from kwartet.bots import warmup

    jobs = {job.game for job in warmup.cold(games)}
    return [game for game in games if game.key in jobs]


def _load(game: Game) -> None:
    """Have the game's machine code in memory."""
    from kwartet.bots import warmup as bots
    from kwartet.core import warmup as rules

    for steps in (rules.steps, bots.steps):
        for _, step in steps(game):
            step()


async def _chore(*arguments: str) -> AsyncIterator[dict[str, Any]]:
    """What a chore tells as it goes on; ChildProcessError if it fails."""
    command = [sys.executable, "-m", "kwartet.server.chores", *arguments]
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    errors = asyncio.create_task(_drain(process.stderr))
    try:
        with suppress(OSError):
            os.setpriority(os.PRIO_PGRP, process.pid, PATIENCE)
        assert process.stdout
        async for line in process.stdout:
            yield json.loads(line)
        if await process.wait():
            raise ChildProcessError(await errors)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, 9)
            await process.wait()
        errors.cancel()


async def _drain(stream: asyncio.StreamReader | None) -> str:
    """The end of what a process complains about."""
    tail = b""
    while stream and (part := await stream.read(4096)):
        tail = (tail + part)[-2000:]
    return tail.decode(errors="replace").strip()
