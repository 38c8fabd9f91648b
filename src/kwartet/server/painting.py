"""Matches as pictures and films: made in processes of the lowest priority, kept for a while.

Stills and films have a process each, so that nobody waits for a film to see a board. What is made
shows what an onlooker may see, or of a finished match what one of its seats saw; the same bytes
come of whatever is hidden, and they alone are told apart by their tags.
"""

import asyncio
import hashlib
import importlib
import json
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from kwartet.core.errors import GameError
from kwartet.games import GAMES, find, register
from kwartet.server.reviewing.workers import Workers

if TYPE_CHECKING:
    from kwartet.core.scene import Look

Form = Literal["svg", "png", "link", "gif"]
KINDS: Final = {"svg": "image/svg+xml", "png": "image/png", "link": "image/png", "gif": "image/gif"}
KEPT: Final = 48_000_000  # bytes
QUEUE: Final = 60  # pictures that are waited for, at most
FRAMES: Final = 250  # of a film
SECONDS: Final = 0.9  # that a frame of a film stays
REST: Final = 60.0  # seconds after which a process that does nothing is ended


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
        self._stills, self._films = _Easel(), _Easel()
        self._kept: OrderedDict[Job, bytes] = OrderedDict()
        self._making: dict[Job, asyncio.Task[bytes]] = {}
        self._filming: set[str] = set()

    def has(self, job: Job) -> bool:
        """Whether it costs nothing."""
        return job in self._kept

    async def paint(self, job: Job, who: str) -> bytes:
        """The picture; GameError if too much is asked for, or it cannot be made."""
        if job in self._kept:
            self._kept.move_to_end(job)
            return self._kept[job]
        if job.form != "gif":
            return await self._made(job, self._stills)
        if who in self._filming:
            raise GameError("too-many", "Wait until your film is made.")
        self._filming.add(who)
        try:
            return await self._made(job, self._films)
        finally:
            self._filming.discard(who)

    async def stop(self) -> None:
        """End what is under way."""
        for making in self._making.values():
            making.cancel()
        for easel in (self._stills, self._films):
            await easel.stop()

    async def _made(self, job: Job, easel: "_Easel") -> bytes:
        if job not in self._making:
            if len(self._making) >= QUEUE:
                raise GameError("busy", "Many pictures are being made; try again soon.")
            self._making[job] = asyncio.create_task(self._make(job, easel))
            self._making[job].add_done_callback(lambda _: self._making.pop(job, None))
        return await asyncio.shield(self._making[job])

    async def _make(self, job: Job, easel: "_Easel") -> bytes:
        body = await easel.make(job)
        self._kept[job] = body
        size = sum(map(len, self._kept.values()))
        while size > KEPT:
            size -= len(self._kept.popitem(last=False)[1])
        return body


class _Easel:
    """A process that makes one picture after the other, and is ended when nobody wants one."""

    def __init__(self) -> None:
        self._workers = Workers(1)
        self._turn = asyncio.Lock()
        self._rest: asyncio.Task[None] | None = None

    async def make(self, job: Job) -> bytes:
        """What the process makes of it; GameError if it refuses, or ends before it is done."""
        async with self._turn:
            if self._rest:
                self._rest.cancel()
            try:
                return await self._workers.run(partial(paint, job))
            finally:
                self._rest = asyncio.create_task(self._rests())

    async def stop(self) -> None:
        """End the process, whatever it does."""
        if self._rest:
            self._rest.cancel()
        await asyncio.to_thread(self._workers.stop)

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
