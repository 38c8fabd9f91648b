"""Matches as pictures and films: made in processes of the lowest priority, kept for a while.

Stills and films have a process each, so that nobody waits for a film to see a board. What is made
shows what an onlooker may see, or of a finished match what one of its seats saw; the same bytes
come of whatever is hidden, and they alone are told apart by their tags.
"""

import asyncio
import hashlib
import importlib
import json
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from kwartet.core.errors import GameError
from kwartet.games import GAMES, find, register
from kwartet.server.workers import Workers

if TYPE_CHECKING:
    from kwartet.core.scene import Look

Form = Literal["svg", "png", "link", "gif"]
KINDS: Final = {"svg": "image/svg+xml", "png": "image/png", "link": "image/png", "gif": "image/gif"}
KEPT: Final = 48_000_000  # bytes
FRAMES: Final = 250  # of a film
SECONDS: Final = 0.9  # that a frame of a film stays
REST: Final = 60.0  # seconds after which a process that does nothing is ended


@dataclass(frozen=True)
class Room:
    """How many pictures may be waited for: by all together, and by each."""

    all: int
    each: int


STILLS: Final = Room(60, 4)
FILMS: Final = Room(12, 1)  # a long one takes a minute or more


@dataclass(frozen=True)
class Content:
    """An answer that is not JSON."""

    body: bytes
    kind: str  # as in Content-Type
    lasts: bool  # whether it will be the same for ever

    @property
    def tag(self) -> str:
        """What the body is told by."""
        return f'"{hashlib.blake2b(self.body, digest_size=12).hexdigest()}"'


@dataclass(frozen=True)
class Job:
    """A picture that is wanted."""

    form: Form
    game: str
    package: str  # where the game comes from
    options: str  # as JSON
    rules: int
    moves: tuple[str, ...]
    look: "Look"


class Painter:
    """Makes pictures, each once for all who ask for it at the same time."""

    def __init__(self) -> None:
        self._stills, self._films = _Easel(STILLS, self._keep), _Easel(FILMS, self._keep)
        self._kept: OrderedDict[Job, bytes] = OrderedDict()

    def has(self, job: Job) -> bool:
        """Whether it costs nothing."""
        return job in self._kept

    async def paint(self, job: Job, who: str) -> bytes:
        """The picture; GameError if too much is asked for, or it cannot be made."""
        if job in self._kept:
            self._kept.move_to_end(job)
            return self._kept[job]
        return await (self._films if job.form == "gif" else self._stills).paint(job, who)

    async def stop(self) -> None:
        """End what is under way; who waits for it is told so."""
        await asyncio.gather(self._stills.stop(), self._films.stop())

    def _keep(self, job: Job, body: bytes) -> None:
        self._kept[job] = body
        size = sum(map(len, self._kept.values()))
        while size > KEPT:
            size -= len(self._kept.popitem(last=False)[1])


class _Easel:
    """A process that makes one picture after the other, and is ended when nobody wants one."""

    def __init__(self, room: Room, keep: Callable[[Job, bytes], None]) -> None:
        self._room = room
        self._keep = keep
        self._workers = Workers(1)
        self._turn = asyncio.Lock()
        self._making: dict[Job, asyncio.Task[bytes]] = {}
        self._waiting: Counter[str] = Counter()  # pictures, by who waits for them
        self._rest: asyncio.Task[None] | None = None
        self._is_stopped = False

    async def paint(self, job: Job, who: str) -> bytes:
        """What the process makes of it; GameError if it refuses, or ends before it is done."""
        if self._waiting[who] >= self._room.each:
            raise GameError("too-many", "Wait until what you asked for is drawn.")
        if job not in self._making:
            if len(self._making) >= self._room.all:
                raise GameError("busy", "Many pictures are being made; try again soon.")
            self._making[job] = asyncio.create_task(self._make(job))
            self._making[job].add_done_callback(partial(self._made, job))
        self._waiting[who] += 1
        try:
            return await asyncio.shield(self._making[job])
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]

    async def stop(self) -> None:
        """End the process, whatever it does, and let nobody wait any longer."""
        self._is_stopped = True
        if self._rest:
            self._rest.cancel()
        await asyncio.to_thread(self._workers.stop)
        await asyncio.gather(*self._making.values(), return_exceptions=True)

    async def _make(self, job: Job) -> bytes:
        async with self._turn:
            self._check_open()
            if self._rest:
                self._rest.cancel()
            try:
                return await self._workers.run(partial(paint, job))
            except GameError:
                self._check_open()
                raise
            finally:
                if not self._is_stopped:
                    self._rest = asyncio.create_task(self._rests())

    def _check_open(self) -> None:
        if self._is_stopped:
            raise GameError("busy", "The server stops; try again soon.")

    def _made(self, job: Job, task: asyncio.Task[bytes]) -> None:
        del self._making[job]
        if not task.cancelled() and not task.exception():
            self._keep(job, task.result())

    async def _rests(self) -> None:
        await asyncio.sleep(REST)
        async with self._turn:
            await asyncio.to_thread(self._workers.rest)


# In a process ---------------------------------------------------------------------------


def paint(job: Job) -> bytes:
    """The picture, drawn here."""
    from kwartet.core.film import film, stops
    from kwartet.core.match import Match
    from kwartet.core.scene import as_png, as_svg, scene, tall, wide

    if job.game not in GAMES:
        register(importlib.import_module(job.package).GAME)
    options = json.loads(job.options)
    match = Match(find(job.game), options, seed=0, auto_chance=False, version=job.rules)
    match.follow(job.moves)
    match job.form:
        case "gif":
            plies = stops(match)
            step = -(-len(plies) // FRAMES)
            return film(match, job.look, [*plies[:-1:step], plies[-1]], SECONDS)
        case "svg":
            return as_svg(tall(scene(match, job.look)), job.look).encode()
        case "png":
            return as_png(tall(scene(match, job.look)), job.look)
        case "link":
            return as_png(wide(scene(match, job.look)), job.look)
