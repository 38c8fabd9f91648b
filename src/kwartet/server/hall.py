"""All tables of a process: found in memory or loaded from the log.

A table that nobody looks at leaves memory; the log brings it back. Around it stand who is
where (`presence`), what happens by itself (`sweep`), the listed tables (`lobby`) and how
tables come to be (`opening`).
"""

import asyncio
from collections.abc import Coroutine
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import structlog

from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game
from kwartet.games import GAMES, find
from kwartet.server import messages as m
from kwartet.server import snapshots
from kwartet.server.clock import HouseClock
from kwartet.server.events import UNREADABLE
from kwartet.server.lobby import Lobby
from kwartet.server.opening import Opening
from kwartet.server.presence import Presence
from kwartet.server.push import Push
from kwartet.server.readiness import Readiness
from kwartet.server.sweep import Sweep
from kwartet.server.table import Table
from kwartet.server.thinkers import Thinkers
from kwartet.server.watching import Told
from kwartet.store import Store, StoreError

LOST: Final = 600.0  # seconds before the last entry in which somebody may not have been told

log = structlog.get_logger()


class Hall:
    """The tables of this process."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        push: Push,
        *,
        secret: str,
        absent_after: float,
        games: list[Game],
        clock: HouseClock | None = None,
    ) -> None:
        self.store = store
        self.thinkers = thinkers
        self.push = push
        self.absent_after = absent_after
        self.tables: dict[str, Table] = {}
        self.told = Told()
        self.is_closing = False
        self.readiness = Readiness(games, self._game_changed, thinkers.load)
        self.clock = clock or HouseClock(
            store, is_awaited=self.readiness.is_coming, on_change=self._clock_changed
        )
        self.lobby = Lobby(store, self.clock)
        self.presence = Presence(store, self.tables, self.spawn)
        self.opening = Opening(self, secret)
        self.sweep = Sweep(self)
        self._arrivals: dict[str, list[float]] = {}  # of commands that are being carried out
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    # Finding ------------------------------------------------------------------------------

    async def table(self, key: str) -> Table:
        """The table; GameError if there is none."""
        if key in self.tables:
            return self.tables[key]
        if "\0" in key:  # which PostgreSQL cannot look for
            raise GameError("unknown-table", f"There is no table {quoted(key)}.")
        if key not in self._loading:
            self._loading[key] = asyncio.create_task(self._load(key))
            self._loading[key].add_done_callback(lambda _: self._loading.pop(key, None))
        return await asyncio.shield(self._loading[key])

    def arriving(
        self, key: str, command: m.AnyCommand, arrived: float
    ) -> AbstractContextManager[None]:
        """While a command is carried out, no clock of its table runs out that ran when it came in.

        Hints may take long and stop no clock.
        """
        if isinstance(command, m.Hint):
            return nullcontext()
        return _Arrival(self._arrivals, key, arrived)

    def has_arrived(self, key: str, deadline: float) -> bool:
        """Whether a command is being carried out at the table that came in before a deadline."""
        return any(arrived <= deadline for arrived in self._arrivals.get(key, ()))

    async def _load(self, key: str) -> Table:
        story, answers, kept = await snapshots.load(self.store, key)
        if story.state != "over":
            self.readiness.want(story.created.game)
        table = Table(self, story, answers, kept=kept)
        self.tables[key] = table
        try:
            if self.store.is_shared:
                await table.catch_up()  # what was written between reading and being notified
            await table.ready()
        except BaseException:
            del self.tables[key]
            raise
        return table

    def need(self, game: str) -> None:
        """GameError if the rules of a game are not ready; then it is prepared before others."""
        self.readiness.want(find(game).key)
        if trouble := self.readiness.trouble(game):
            raise trouble
        if not self.readiness.is_ready(game):
            raise GameError("preparing", "The rules are still being compiled; try again soon.")

    # Going on -----------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin to compile, to listen and to sweep; StoreError if the store does not answer."""
        await self.clock.start()
        self.store.on_entry(self.entry_came)
        self.store.on_message(self.presence.note)
        self.thinkers.start()
        self.readiness.start()
        self.spawn(self.clock.run())
        self.spawn(self.sweep.run())
        self.spawn(self.lobby.run())
        self.spawn(self._call_again())

    async def stop(self) -> None:
        """End everything that goes on."""
        self.is_closing = True
        for task in self._tasks:
            task.cancel()
        await self.readiness.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.thinkers.stop()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let something go on by itself; what fails is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or not (problem := task.exception()):
            return
        if isinstance(problem, StoreError):  # which is away; it is looked for again
            log.warning("background work was not done", problem=problem.sentence)
        else:
            log.error("background work failed", exc_info=problem)

    async def _call_again(self) -> None:
        """Tell who was not told of a turn because the process before this one ended.

        People who were at their tables have come back by then, and know.
        """
        tables = await self.store.turns_untold(LOST)
        await asyncio.sleep(self.absent_after)
        for key in tables:
            try:
                await (await self.table(key)).call_again()
            except Exception as problem:  # one table's trouble is no other's
                log.warning("not told of a turn", problem=str(problem))

    async def log_rewritten(self, key: str) -> None:
        """Read what became of a table's log; home pages that show the table are told."""
        if key in self._loading:
            await asyncio.wait([self._loading[key]])
        if key in self.tables:
            await _caught_up(self.tables[key])
        else:
            self.lobby.changed_elsewhere(key)

    def _game_changed(self, key: str) -> None:
        for table in list(self.tables.values()):
            if table.story.created.game == key:
                self.spawn(table.ready())

    def _clock_changed(self) -> None:
        """People's clocks stop or go on."""
        for table in list(self.tables.values()):
            if table.story.deadline() is not None:
                table.company.publish()

    def entry_came(self, key: str, number: int) -> None:
        """Another process wrote entry `number` of a table; of any, if it has no name."""
        if not key:
            for table in list(self.tables.values()):
                self.spawn(_caught_up(table))
            self.lobby.changed(None)
        elif key in self.tables:
            self.spawn(_caught_up(self.tables[key], number))
        else:
            self.lobby.changed_elsewhere(key)


class _Arrival(AbstractContextManager[None]):
    """A command that is being carried out, among the others of its table."""

    def __init__(self, arrivals: dict[str, list[float]], key: str, arrived: float) -> None:
        self._arrivals = arrivals
        self._key = key
        self._arrived = arrived

    def __enter__(self) -> None:
        self._arrivals.setdefault(self._key, []).append(self._arrived)

    def __exit__(self, *_: object) -> None:
        there = self._arrivals[self._key]
        there.remove(self._arrived)
        if not there:
            del self._arrivals[self._key]


async def _caught_up(table: Table, number: int = 0) -> None:
    """Let the table read what another process wrote; what it cannot read is its trouble alone."""
    try:
        await table.catch_up(number)
    except GameError as error:
        if error.code not in UNREADABLE:
            raise


def known_games() -> list[Game]:
    """The games that can be played here."""
    return list(GAMES.values())
