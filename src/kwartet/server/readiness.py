"""Which games can be played now. The others are compiled, or solved, in the background.

A game can be played when what a match needs is there; its bots come after, and games that
somebody waits for come before others. Compiling and solving are chores of other processes;
when a game's machine code is in the disk cache, a thread loads it, so that no request waits
for that either.
"""

import asyncio
import gc
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import structlog

from kwartet.core.errors import GameError
from kwartet.core.game import Game, Options
from kwartet.server.messages import Preparing

PATIENCE: Final = 5  # how nice chores are to everything else
MATCH: Final = "match"  # the layer of the program that a table needs to begin
BOTS: Final = "bots"  # the one that bots need
LAYERS: Final = (MATCH, BOTS)

log = structlog.get_logger()


class Readiness:
    """What is ready, what is on its way, and how far it is."""

    def __init__(
        self,
        games: list[Game],
        on_change: Callable[[str], None],
        load_bots: Callable[[Game], Awaitable[None]],
    ) -> None:
        self._load_bots = load_bots  # where they think
        self._games = {game.key: game for game in games}
        self._on_change = on_change  # is told the key of a game
        self._events = {(key, layer): asyncio.Event() for key in self._games for layer in LAYERS}
        self._loading = {place: asyncio.Lock() for place in self._events}
        self._progress = {key: Preparing("rules", 0, 1) for key in self._games}
        self._failed: set[str] = set()  # games that cannot be played
        self._shared: dict[str, asyncio.Task[None]] = {}  # chores that several wait for
        self._solutions: dict[str, Any] = {}  # that were found
        self._solution_progress: dict[str, Preparing] = {}
        self._review_progress: dict[str, Preparing] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._wanted: list[str] = []  # games that somebody waited for, the latest last
        self._compiling: asyncio.StreamWriter | None = None  # is told what is wanted

    def is_ready(self, key: str) -> bool:
        """Whether the game can be played now."""
        return (key, MATCH) in self._events and self._events[key, MATCH].is_set()

    def want(self, key: str) -> None:
        """Let the game be compiled before others: somebody waits for it."""
        is_cold = key in self._games and not self._events[key, BOTS].is_set()
        if is_cold and self._wanted[-1:] != [key]:
            self._wanted.append(key)
            self._tell_wanted(key)

    def _tell_wanted(self, key: str) -> None:
        if self._compiling is not None:
            self._compiling.write(f"{key}\n".encode())

    async def have_bots(self, key: str) -> None:
        """Wait until the game's bots can think."""
        if key in self._games:
            await self._events[key, BOTS].wait()

    def is_coming(self, key: str) -> bool:
        """Whether the game cannot be played yet, but will be."""
        return key in self._games and not self.is_ready(key) and key not in self._failed

    def progress(self, key: str) -> Preparing | None:
        """How far the game's rules are; None when they are ready."""
        return None if self.is_ready(key) else self._progress.get(key)

    def trouble(self, key: str) -> GameError | None:
        """Why the game cannot be played here though nothing is prepared any more."""
        if key not in self._failed:
            return None
        return GameError("failed", "The rules of this game could not be made ready on this server.")

    def start(self) -> None:
        """Begin to prepare everything."""
        self._begin(self._prepare())

    async def stop(self) -> None:
        """End every chore."""
        for task in [*self._tasks, *self._shared.values()]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._shared.values(), return_exceptions=True)

    async def _prepare(self) -> None:
        try:
            cold = await asyncio.to_thread(_cold, list(self._games.values()))
        except Exception as problem:  # then what is missing is compiled when it is loaded
            log.error("not known what is compiled", exc_info=problem)
            cold = set()
        await asyncio.gather(*(self._load_warm(layer, cold) for layer in LAYERS))
        if cold:
            await self._compile(list({key for key, _ in cold}))
            self._begin(self._prepare_reviews())
        gc.freeze()  # compiled rules stay; looking for garbage among them would delay moves

    async def _load_warm(self, layer: str, cold: set[tuple[str, str]]) -> None:
        """Load a layer of the games that are compiled, those first that somebody waits for."""
        left = [key for key in self._games if (key, layer) not in cold]
        while left:
            key = next((key for key in reversed(self._wanted) if key in left), left[0])
            left.remove(key)
            await self._load(key, layer)

    async def _prepare_reviews(self) -> None:
        """After an installation nobody is to wait for a first hint or review either."""
        for game in self._games.values():
            with suppress(GameError):  # who asks for one tries it again
                await self.have_reviews(game)

    async def _compile(self, keys: list[str]) -> None:
        packages = [self._games[key].package for key in keys]
        try:
            async for step in _chore("compile", *packages, on_start=self._started):
                key, layer = step["game"], step["layer"]
                if layer == MATCH:
                    self._progress[key] = Preparing("rules", step["done"], step["of"])
                if step["done"] == step["of"] and layer in LAYERS:
                    self._begin(self._load(key, layer))
                self._on_change(key)
        except (ChildProcessError, OSError) as problem:
            log.error("compiling failed", problem=str(problem))
        finally:
            self._compiling = None
        for layer in LAYERS:  # what the chore did not get to is compiled here
            for key in keys:
                await self._load(key, layer)

    def _started(self, process: asyncio.subprocess.Process) -> None:
        self._compiling = process.stdin
        for key in self._wanted:
            self._tell_wanted(key)

    async def _load(self, key: str, layer: str) -> None:
        async with self._loading[key, layer]:  # whoever comes second finds it done
            if self._events[key, layer].is_set():
                return
            try:
                game = self._games[key]
                if layer == MATCH:
                    await asyncio.to_thread(_load, game)
                else:
                    await self._load_bots(game)
            except Exception as problem:  # of one game; a bot that cannot think says so itself
                log.exception("loading failed", game=key, layer=layer, problem=str(problem))
                if layer == MATCH:
                    self._failed.add(key)
                    self._on_change(key)
                    return
            self._events[key, layer].set()
        if layer == MATCH:
            self._failed.discard(key)
            log.info("game ready", game=key)
        self._on_change(key)

    # Solutions ----------------------------------------------------------------------------

    def needs_solution(self, game: Game, options: Options, level: str) -> bool:
        """Whether this bot must wait until the game has been solved."""
        from kwartet.bots import catalogue

        return catalogue.recalls(level, game) and self.solution(game, options) is None

    def solution(self, game: Game, options: Options) -> Any:
        """The game's stored solution; None if there is none yet. The first look takes a moment."""
        label = _label(game, options)
        if label not in self._solutions and (found := game.solved().find(options)) is not None:
            self._solutions[label] = found
        return self._solutions.get(label)

    def solution_progress(self, game: Game, options: Options) -> Preparing | None:
        """How far the solving is, if it is going on."""
        return self._solution_progress.get(_label(game, options))

    async def have_reviews(self, game: Game) -> None:
        """Wait until all that reviews of the game need has been compiled; all who wait share it.

        GameError `busy` if that fails.
        """
        await self.have_bots(game.key)
        with _refused("what judges this game could not be compiled"):
            await self._share(f"{game.key} reviews", lambda: self._compile_reviews(game))

    def review_progress(self, game: Game, options: Options) -> Preparing | None:
        """What reviews of the game wait for, if they do."""
        return (
            self.progress(game.key)
            or self._review_progress.get(game.key)
            or self.solution_progress(game, options)
        )

    async def _compile_reviews(self, game: Game) -> None:
        if await asyncio.to_thread(_cold, [game], ("reviews",)):
            try:
                async for step in _chore("compile-reviews", game.package):
                    found = Preparing("rules", step["done"], step["of"])
                    self._review_progress[game.key] = found
            finally:
                self._review_progress.pop(game.key, None)

    async def have_solved(self, game: Game, options: Options) -> None:
        """Wait until there is a solution, found or made; GameError `busy` if that fails."""
        with _refused("this game could not be solved"):
            if await asyncio.to_thread(self.solution, game, options) is None:
                await self.solve(game, options)

    async def solve(self, game: Game, options: Options) -> None:
        """Wait until the game is solved; all who wait share the work."""
        label = _label(game, options)
        await self._share(label, lambda: self._solve(label, game, options))

    async def _share(self, label: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Wait for a piece of work, which is begun if nobody waits for it yet."""
        if label not in self._shared:
            task = asyncio.create_task(work())
            self._shared[label] = task
            task.add_done_callback(lambda _: self._shared.pop(label, None))
        await asyncio.shield(self._shared[label])

    async def _solve(self, label: str, game: Game, options: Options) -> None:
        try:
            self._solution_progress[label] = Preparing("solution", 0, game.solved().steps())
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
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()):
            log.error("preparing failed", exc_info=problem)


@contextmanager
def _refused(what: str) -> Iterator[None]:
    """What a chore fails with is logged, and told to who waits as a sentence."""
    try:
        yield
    except OSError as problem:  # ChildProcessError is one
        log.error(what, problem=str(problem))
        raise GameError("busy", f"Just now {what}; try again later.") from problem


def _label(game: Game, options: Options) -> str:
    return f"{game.key} {json.dumps(options, sort_keys=True)}"


def _cold(games: list[Game], layers: Sequence[str] | None = None) -> set[tuple[str, str]]:
    """The games and layers, by default those of tables, never compiled on this machine."""
    from kwartet.bots import warmup

    return {(job.game, job.layer) for job in warmup.cold(games, layers or warmup.SERVED)}


def _load(game: Game) -> None:
    """Have the machine code of the game's rules in memory."""
    from kwartet.bots import warmup

    for _, step in warmup.steps(MATCH, game):
        step()


async def _chore(
    *arguments: str,
    on_start: Callable[[asyncio.subprocess.Process], None] = lambda process: None,
) -> AsyncIterator[dict[str, Any]]:
    """What a chore tells as it goes on; ChildProcessError if it fails."""
    command = [sys.executable, "-m", "kwartet.server.chores", *arguments]
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    on_start(process)
    errors = asyncio.create_task(_drain(process.stderr))
    try:
        with suppress(OSError, AttributeError):  # not everywhere
            os.setpriority(os.PRIO_PGRP, process.pid, PATIENCE)
        assert process.stdout
        async for line in process.stdout:
            yield json.loads(line)
        if await process.wait():
            raise ChildProcessError(await errors)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                _kill(process)
            await process.wait()
        errors.cancel()


def _kill(process: asyncio.subprocess.Process) -> None:
    """End a chore and, where the system knows whose they are, what it started."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, 9)
    else:
        process.kill()


async def _drain(stream: asyncio.StreamReader | None) -> str:
    """The end of what a process complains about."""
    tail = b""
    while stream and (part := await stream.read(4096)):
        tail = (tail + part)[-2000:]
    return tail.decode(errors="replace").strip()
