"""What happens at tables though nobody does anything: clocks, bots, tidying, leaving memory."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

import structlog

from kwartet.store import StoreError

if TYPE_CHECKING:
    from kwartet.server.hall import Hall

SWEEP: Final = 1.0  # seconds between two looks at clocks
EARLY: Final = 0.5  # seconds by which a chore may come early: a loop's timers do so a little
SLACK: Final = 1.0  # seconds for a move, made in time at another process, to be stored
RESCUE: Final = 10.0  # seconds after which a bot's turn that nobody works on is taken up
ANNOUNCE: Final = 20.0  # seconds between two words on who is here
TIDY: Final = 3600.0  # seconds between two looks for tables that never started
UNSTARTED: Final = 7 * 86400.0  # seconds after which such a table is removed
IDLE: Final = 60.0  # seconds without a watcher after which a table leaves memory
PAUSE: Final = 1.0  # seconds for which a table that cannot go on is left alone, then twice as long
LONGEST: Final = 60.0  # seconds of that at most

log = structlog.get_logger()


class Sweep:
    """Looks at all tables now and then."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._due: dict[tuple[str, float], float] = {}  # bots, and since when we know of them
        # Tables that cannot go on: until when to leave them, and how long that is.
        self._stuck: dict[str, tuple[float, float]] = {}

    async def run(self) -> None:
        """Clocks, abandoned turns of bots, absent people, tables nobody looks at; never ends."""
        chores: list[tuple[float, Callable[[], Awaitable[None]]]] = [
            (SWEEP, self.look_at_clocks),
            (RESCUE / 2, self._look_at_bots),
            (RESCUE / 2, self._look_for_unannounced),
            (ANNOUNCE, self._announce_all),
            (TIDY, self._tidy),
            (SWEEP, self._evict),
        ]
        done = [-TIDY] * len(chores)
        while True:
            now = time.monotonic()
            for number, (period, chore) in enumerate(chores):
                if now - done[number] >= period - EARLY:
                    done[number] = now
                    try:
                        await chore()
                    except Exception as problem:  # the next one may succeed
                        log.error("sweep", chore=chore.__name__, problem=str(problem))
            await asyncio.sleep(SWEEP)

    async def look_at_clocks(self) -> None:
        """Let clocks run out that are due, though tables before them cannot go on."""
        late = self._hall.clock.now() - SLACK
        seen: set[str] = set()  # which are due no longer, or stay so for now
        left = 0
        while keys := await self._hall.store.due(late, skip=left):
            for key in keys:
                if key in seen or not await self._look_at(key):
                    left += 1
                seen.add(key)
        for table in [table for table in self._hall.tables.values() if not table.is_sure]:
            await self._look_at(table.story.id)

    async def _look_at_bots(self) -> None:
        """Bots whose process has ended; after a start all that are to act."""
        if self._hall.store.is_shared:
            await self._rescue_bots()
            return
        for key in await self._hall.store.bots_due(math.inf):
            await self._look_at(key)

    async def _look_for_unannounced(self) -> None:
        """Entries of another process that ended before it could announce them."""
        if not self._hall.store.is_shared:
            return
        tables = dict(self._hall.tables)
        for key, number in (await self._hall.store.versions(list(tables))).items():
            if number > tables[key].story.version:
                self._hall.entry_came(key, number)

    async def _rescue_bots(self) -> None:
        """The same where others may be at work: after a while, by one's own clock, and in turn."""
        for table in list(self._hall.tables.values()):
            await table.bots.keep()
        due, now = await self._hall.store.bots_due(math.inf), time.monotonic()
        self._due = {turn: self._due.get(turn, now) for turn in due.items()}
        for (key, _), since in self._due.items():
            if now - since >= RESCUE:
                await self._look_at(key, rescue=True)

    async def _look_at(self, key: str, *, rescue: bool = False) -> bool:
        """Let a table go on, and whether it could; one that cannot is left alone for a while."""
        now = time.monotonic()
        until, pause = self._stuck.get(key, (now, PAUSE / 2))
        if until > now:
            return False
        try:
            table = await self._hall.table(key)
            await table.look()
            if rescue:
                await table.bots.rescue()
            self._stuck.pop(key, None)
            return True
        except Exception as problem:  # one table's trouble is no other's
            if isinstance(problem, StoreError) and problem.is_away:
                raise
            pause = min(2 * pause, LONGEST)
            self._stuck[key] = (time.monotonic() + pause, pause)
            log.warning("a table stands still", problem=str(problem))
            return False

    async def _announce_all(self) -> None:
        await self._hall.presence.announce_all()

    async def _tidy(self) -> None:
        await self._hall.store.prune(time.time() - UNSTARTED)
        self._hall.lobby.changed(None)

    async def _evict(self) -> None:
        now = time.monotonic()
        for table in list(self._hall.tables.values()):
            if table.company.watchers:
                table.company.refresh_away()
            elif table.is_idle and now - table.used > IDLE:
                del self._hall.tables[table.story.id]
