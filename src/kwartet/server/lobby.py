"""The listed tables, read once for everybody, and who is to look when one changes."""

import asyncio
from collections.abc import Callable
from typing import Final

from kwartet.server import messages as m
from kwartet.server.archive import summaries
from kwartet.server.story import Story
from kwartet.store import Store, StoreError

SHOWN: Final = 50  # listed tables, open and running

Listed = tuple[list[m.TableSummary], list[m.TableSummary]]  # open ones, running ones


class Lobby:
    """What home pages show of all tables."""

    def __init__(self, store: Store) -> None:
        self.listeners: set[Callable[[Story | None], None]] = set()  # open home pages
        self._store = store
        self._listed: asyncio.Task[Listed] | None = None

    def changed(self, story: Story | None) -> None:
        """A table changed (None: any may have): home pages look again."""
        if story is None or story.created.listed:
            self._listed = None
        for listener in self.listeners:
            listener(story)

    async def listed(self) -> Listed:
        """Listed tables that are open and those that run."""
        if self._listed is None:
            self._listed = asyncio.create_task(self._read())
        reading = self._listed
        try:
            return await asyncio.shield(reading)
        except StoreError:
            if self._listed is reading:
                self._listed = None
            raise

    async def _read(self) -> Listed:
        opened = await self._store.tables("open", True, limit=SHOWN)
        running = await self._store.tables("running", True, limit=SHOWN)
        return summaries(opened), summaries(running)
