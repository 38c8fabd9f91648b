"""All tables of a process: found in memory or loaded from the log.

A table that nobody looks at leaves memory; the log brings it back. Around it stand who is
where (`presence`), what happens by itself (`sweep`), the listed tables (`lobby`) and how
tables come to be (`opening`).
"""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, Final

import structlog

from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game
from kwartet.games import GAMES, find
from kwartet.server.archive import read_story
from kwartet.server.lobby import Lobby
from kwartet.server.opening import Opening
from kwartet.server.presence import Presence
from kwartet.server.push import Push
from kwartet.server.readiness import Readiness
from kwartet.server.story import Story
from kwartet.server.sweep import Sweep
from kwartet.server.table import Table
from kwartet.server.thinkers import Thinkers
from kwartet.store import Store

SETTLING: Final = 30.0  # seconds after a start in which no older clock runs out

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
    ) -> None:
        self.store = store
        self.thinkers = thinkers
        self.push = push
        self.absent_after = absent_after
        self.tables: dict[str, Table] = {}
        self.is_closing = False
        self.readiness = Readiness(games, self._game_changed, thinkers.load)
        self.lobby = Lobby(store)
        self.presence = Presence(store, self.tables, self.spawn)
        self.opening = Opening(self, secret)
        self._sweep = Sweep(self)
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

    async def _load(self, key: str) -> Table:
        entries = await self.store.entries(key)
        if not entries:
            raise GameError("unknown-table", f"There is no table {quoted(key)}.")
        story, answers = read_story(key, entries)
        if story.state != "over":
            self.readiness.want(story.created.game)
        table = Table(self, story, answers)
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
        if not self.readiness.is_ready(game):
            raise GameError("preparing", "The rules are still being compiled; try again soon.")

    # Going on -----------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to compile, to listen and to sweep."""
        self.store.on_entry(self._entry_came)
        self.store.on_message(self.presence.note)
        self.thinkers.start()
        self.readiness.start()
        self.spawn(self._sweep.run())
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

    def has_settled(self, story: Story) -> bool:
        """Whether people have had time to come back, if the table is older than this process."""
        ready = self.readiness.ready_at(story.created.game)
        return story.changed > ready or time.time() - ready > SETTLING

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let something go on by itself; what fails is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()):
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

    def _game_changed(self, key: str) -> None:
        for table in list(self.tables.values()):
            if table.story.created.game == key:
                self.spawn(table.ready())

    def _entry_came(self, key: str, number: int) -> None:
        """Another process wrote entry `number` of a table; of any, if it has no name."""
        if not key:
            for table in list(self.tables.values()):
                self.spawn(table.catch_up())
            self.lobby.changed(None)
        elif key in self.tables:
            self.spawn(self.tables[key].catch_up(number))
        else:
            self.lobby.changed_elsewhere(key)


def known_games() -> list[Game]:
    """The games that can be played here."""
    return list(GAMES.values())
