"""Forgetting a person: they leave every table, and every log is written without them.

What is theirs alone goes at once. Going through all logs takes longer; who is still to be
forgotten is kept in the store, so that any process goes on with it after a fall.
"""

import asyncio
import time
from typing import Final

import structlog

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.archive import playing
from kwartet.server.conduct.scene import Person
from kwartet.server.hall import Hall
from kwartet.server.identity import ERASED_NAME
from kwartet.server.news import News
from kwartet.server.rewriting import Change, pseudonym, rewrite_person
from kwartet.server.story import Story
from kwartet.store import Conflict, StoreError

LOOK: Final = 5.0  # seconds between two looks for people to be forgotten
SETTLE: Final = 1.0  # seconds after which no process acts in their name any more
PASSES: Final = 20  # through all logs, until one finds nothing
AGAIN: Final = 300.0  # seconds until somebody's turn comes again who could not be forgotten

log = structlog.get_logger()


class Erasing:
    """Forgets people, one after the other."""

    def __init__(self, hall: Hall, news: News) -> None:
        self._hall = hall
        self._store = hall.store
        self._news = news
        self._wanted = asyncio.Event()
        self._later: dict[str, float] = {}  # when who could not be forgotten is tried again

    async def forget(self, player: str) -> None:
        """Know the player no more; the rest follows by itself."""
        await self._store.erasures.begin(player)
        await self._news.about(player)
        self._wanted.set()

    async def run(self) -> None:
        """Go on with whoever is to be forgotten; never ends."""
        while True:
            self._wanted.clear()
            try:
                for player in await self._store.erasures.pending():
                    await self._try(player)
            except StoreError as error:
                log.warning("nobody forgotten now", problem=error.sentence)
            except Exception as error:
                log.error("nobody forgotten now", exc_info=error)
            try:
                async with asyncio.timeout(LOOK):
                    await self._wanted.wait()
            except TimeoutError:
                pass

    async def _try(self, player: str) -> None:
        """Forget the player if it is their turn; what fails is no trouble of the next one."""
        if self._later.get(player, 0.0) > time.monotonic():
            return
        self._later.pop(player, None)
        try:
            is_done = await self._erase(player)
        except StoreError:
            raise
        except Exception as error:
            log.error("somebody not forgotten", exc_info=error)
            is_done = False
        if not is_done:
            self._later[player] = time.monotonic() + AGAIN

    async def _erase(self, player: str) -> bool:
        """Whether nothing is left; a log that cannot be written anew keeps no other waiting."""
        await self._leave_tables(player)
        await asyncio.sleep(SETTLE)
        failed: set[str] = set()
        for _ in range(PASSES):
            named = [key async for key in self._store.erasures.tables_with(player)]
            if not named:
                await self._store.erasures.finish(player)
                return True
            if failed.issuperset(named):
                return False
            for key in set(named) - failed:
                try:
                    await self._erase_at(key, player)
                except StoreError:
                    raise
                except Exception as error:
                    failed.add(key)
                    log.error("a log names somebody who is to be forgotten", exc_info=error)
            await asyncio.sleep(SETTLE)
        raise AssertionError("somebody who is to be forgotten is named again and again")

    async def _leave_tables(self, player: str) -> None:
        """Give up what the player plays; a table that cannot go on now keeps a nameless seat."""
        for key in await playing(self._store, player):
            await self._leave(key, player)

    async def _leave(self, key: str, player: str) -> None:
        person = Person(player, ERASED_NAME)
        try:
            table = await self._hall.table(key)
            try:
                await table.drop(person)
            except GameError:
                while (command := _farewell(table.story, player)) is not None:
                    await table.handle(person, command)
        except StoreError:
            raise
        except GameError as error:
            log.info("a table keeps a nameless seat", problem=error.code)
        except Exception as error:
            log.error("a table keeps a nameless seat", exc_info=error)

    async def _erase_at(self, key: str, player: str) -> None:
        change = Change(player, pseudonym(), ERASED_NAME, is_silenced=True)
        try:
            await rewrite_person(self._store, key, change)
        except Conflict:
            return  # the table is gone
        await self._hall.log_rewritten(key)


def _farewell(story: Story, player: str) -> m.AnyCommand | None:
    """How the player gives up the next seat they have; None if there is none."""
    seats = [seat for seat in story.seats_of(player) if not story.seats[seat].resigned]
    if not seats or story.state == "over":
        return None
    return m.Leave() if story.state == "open" else m.Resign(seat=seats[0])
