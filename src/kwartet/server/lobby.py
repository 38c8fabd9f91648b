"""The home pages that are open, and what they are told of tables.

What is listed is read once and encoded once for everybody: who comes is told all of it, and from
then on, in one message for all, what has changed. One's own tables are told apart, to whom they
concern. Telling takes turns with everything else, and rests for several times as long as it took.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, Protocol

import structlog

from kwartet.server import messages as m
from kwartet.server.archive import summaries
from kwartet.server.clock import HouseClock
from kwartet.server.conduct.scene import Person
from kwartet.server.gates import framed
from kwartet.server.story import Story
from kwartet.store import Store, StoreError

SHOWN: Final = 50  # listed tables, open and running, and one's own
AWAY: Final = 900.0  # seconds after which an open table is not shown, unless who sits there is
PAUSE: Final = 0.3  # seconds between two looks
REST: Final = 8.0  # times as long as telling everybody took
IN_A_ROW: Final = 50  # home pages that are told before others may have a turn
STRANGE: Final = 500  # tables of other processes that are looked up at once; of more all are told

log = structlog.get_logger()


class Line(Protocol):
    """A socket that takes what was made ready for many."""

    def tell(self, frame: bytes) -> bool:
        """Write it now; False if the socket has not read what came before."""


class Visitor:
    """An open home page, and how much of the tables it knows."""

    def __init__(self, person: Person | None, line: Line) -> None:
        self.person = person
        self.line = line
        self.known: Listed | None = None  # what it was told to be listed; None: not sure
        self.is_behind = True  # it needs to be told all
        self.own: dict[str, m.TableSummary] = {}
        self.changed = asyncio.Event()
        self.changed.set()

    def catch_up(self) -> None:
        """Have it told all."""
        self.is_behind = True
        self.changed.set()


class Listed:
    """Listed tables at one moment; the last changed first."""

    def __init__(self, opened: list[m.TableSummary], running: list[m.TableSummary]) -> None:
        self.open = opened
        self.running = running
        self._head = m.encode(m.Lobby(opened, running, [])).removesuffix(b"[]}")

    def whole(self, own: Iterable[m.TableSummary]) -> bytes:
        """The message for somebody with these tables of their own."""
        return self._head + m.encode(list(own)) + b"}"

    def changes(self, before: "Listed") -> m.LobbyChange:
        """What is not as it was before."""
        kept = {table.id for table in (*self.open, *self.running)}
        return m.LobbyChange(
            open=[table for table in self.open if table not in before.open],
            running=[table for table in self.running if table not in before.running],
            gone=[t.id for t in (*before.open, *before.running) if t.id not in kept],
        )


class Lobby:
    """What home pages show of all tables."""

    def __init__(self, store: Store, clock: HouseClock) -> None:
        self._store = store
        self._clock = clock
        self._visitors: set[Visitor] = set()
        self._people: defaultdict[str, set[Visitor]] = defaultdict(set)  # by player
        self._holders: defaultdict[str, set[Visitor]] = defaultdict(set)  # by table of theirs
        self._reading: asyncio.Task[Listed] | None = None  # None: it has changed
        self._read_last: Listed | None = None
        self._told_last: Listed | None = None
        self._look = asyncio.Event()
        self._strange: set[str] = set()  # tables that another process changed

    # Coming and going ---------------------------------------------------------------------

    def join(self, visitor: Visitor) -> None:
        """Somebody opens the home page."""
        self._visitors.add(visitor)
        if visitor.person:
            self._people[visitor.person.id].add(visitor)

    def leave(self, visitor: Visitor) -> None:
        """They close it."""
        self._visitors.discard(visitor)
        self._hold(visitor, [])
        if visitor.person:
            _drop(self._people, visitor.person.id, visitor)

    def _hold(self, visitor: Visitor, own: list[m.TableSummary]) -> None:
        for key in visitor.own:
            _drop(self._holders, key, visitor)
        visitor.own = {table.id: table for table in own}
        for key in visitor.own:
            self._holders[key].add(visitor)

    # Changes ------------------------------------------------------------------------------

    def changed(self, story: Story | None) -> None:
        """A table changed (None: any may have): those whom it concerns are told."""
        if story is None:
            self._relist()
            for visitor in self._visitors:
                visitor.changed.set()
            return
        if story.created.listed:
            self._relist()
        if not self._visitors:
            return
        people = {seat.player for seat in story.seats} | {story.created.creator}
        self._wake({player for player in people if player}, [story.id])

    def changed_elsewhere(self, table: str) -> None:
        """Another process changed a table that is not in memory here."""
        self._strange.add(table)
        self._relist()

    def _relist(self) -> None:
        self._reading = None
        self._look.set()

    def _wake(self, players: Iterable[str], tables: Iterable[str]) -> None:
        for player in players:
            for visitor in self._people.get(player, ()):
                visitor.changed.set()
        for table in tables:
            for visitor in self._holders.get(table, ()):
                visitor.changed.set()

    async def listed(self) -> Listed:
        """Listed tables as they are."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
        reading = self._reading
        try:
            return await asyncio.shield(reading)
        except StoreError:
            if self._reading is reading:
                self._reading = None
            raise

    async def _read(self) -> Listed:
        since = time.time() - AWAY
        found = await self._store.tables("open", True, limit=SHOWN, attended=since)
        opened = summaries(found, self._clock)
        running = summaries(await self._store.tables("running", True, limit=SHOWN), self._clock)
        last = self._read_last
        if last is None or (opened, running) != (last.open, last.running):
            last = self._read_last = Listed(opened, running)
        return last

    # Telling ------------------------------------------------------------------------------

    async def run(self) -> None:
        """Tell everybody what changes in what is listed, for ever."""
        while True:
            await self._look.wait()
            self._look.clear()
            busy = 0.0
            try:
                busy = await self._tell_all()
                await self._tell_strange()
            except Exception as problem:  # the store is away for a moment
                log.warning("home pages are not told", problem=str(problem))
                self._look.set()
            await asyncio.sleep(max(PAUSE, REST * busy))

    async def _tell_all(self) -> float:
        """Tell what is new since the last time; the processor time that went by meanwhile.

        What is written leaves when others have their turn, so theirs counts, too.
        """
        before, now = self._told_last, await self.listed()
        self._told_last = now
        if before is now:
            return 0.0
        frame = framed(m.encode(now.changes(before))) if before else b""
        began, visitors = time.thread_time(), list(self._visitors)
        for first in range(0, len(visitors), IN_A_ROW):
            for visitor in visitors[first : first + IN_A_ROW]:
                if visitor.known is now:
                    continue
                if before and visitor.known is before and visitor.line.tell(frame):
                    visitor.known = now
                else:
                    visitor.catch_up()
            await asyncio.sleep(0)
        return time.thread_time() - began

    async def _tell_strange(self) -> None:
        tables, self._strange = self._strange, set()
        if len(tables) > STRANGE:
            self._wake(list(self._people), ())
        elif tables and self._people:
            self._wake(await self._store.seated(sorted(tables)), tables)

    async def tell(self, visitor: Visitor, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Tell a home page what not everybody is told; all, if it is behind."""
        before, own = visitor.own, await self.own(visitor.person)
        if visitor in self._visitors:
            self._hold(visitor, own)
        if visitor.is_behind:
            listed = await self.listed()
            visitor.is_behind, visitor.known = False, None
            await send(listed.whole(own))
            visitor.known = listed
            return
        change = m.LobbyChange(
            mine=[table for table in own if before.get(table.id) != table],
            mine_gone=[key for key in before if key not in visitor.own],
        )
        if change.mine or change.mine_gone:
            await send(m.encode(change))

    async def own(self, person: Person | None) -> list[m.TableSummary]:
        """The person's own tables, the last changed first."""
        if person is None:
            return []
        return summaries(await self._store.tables(player=person.id, limit=SHOWN), self._clock)


def _drop(index: defaultdict[str, set[Visitor]], key: str, visitor: Visitor) -> None:
    index[key].discard(visitor)
    if not index[key]:
        del index[key]
