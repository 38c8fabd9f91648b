"""Keeps lists short: listed tables whose people are gone, and matches that nobody goes on with.

An open table stands in the lobby while somebody who sits there has a page open anywhere, and a
while longer; where one plays over days nobody need wait. It comes back with its people.
"""

import asyncio
import time
from typing import Final

import structlog

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.archive import summaries
from kwartet.server.hall import Hall
from kwartet.server.lobby import AWAY
from kwartet.server.news import News
from kwartet.store import Store, StoreError, TableRow

LOOK: Final = 30.0  # seconds between two looks at who is there
ABANDONED: Final = 90 * 86400.0  # seconds after which a match without a clock is put away
TIDY: Final = 3600.0  # seconds between two looks for such matches
READ: Final = 1000  # open tables at a look
DAY: Final = 86400  # seconds
LISTED_AT_MOST: Final = 5  # open tables of one person

log = structlog.get_logger()


class Listing:
    """Looks now and then who is still there."""

    def __init__(self, hall: Hall, news: News) -> None:
        self._hall = hall
        self._news = news
        self._shown: set[str] = set()

    async def run(self) -> None:
        """Never ends."""
        tidied = 0.0
        while True:
            try:
                await self.look()
                if time.monotonic() - tidied > TIDY:
                    tidied = time.monotonic()
                    await self.put_away()
            except StoreError as error:
                log.warning("lists not looked at", problem=error.sentence)
            except Exception as error:  # the next look may succeed
                log.error("lists not looked at", exc_info=error)
            await asyncio.sleep(LOOK)

    async def look(self) -> None:
        """Note at which tables people are, and have the lobby drawn anew if that changes it."""
        now = time.time()
        rows = await self._hall.store.tables("open", True, limit=READ)
        here = self._news.players()
        attended = [row.id for row in rows if self._is_attended(row, here)]
        await self._hall.store.attend(attended, now)
        since = now - AWAY
        shown = {
            row.id
            for row in await self._hall.store.tables("open", True, limit=READ, attended=since)
        }
        if shown != self._shown:
            self._shown = shown
            self._hall.lobby.changed(None)

    def _is_attended(self, row: TableRow, here: set[str]) -> bool:
        """Whether somebody who sits there is here, or nobody need be."""
        clock = summaries([row], self._hall.clock)[0].clock
        patient = clock is not None and clock.kind == "move" and clock.seconds >= DAY
        return patient or any(player in here for player in row.players)

    async def put_away(self) -> None:
        """End matches that nobody goes on with; they count nowhere."""
        for key in await self._hall.store.abandoned(time.time() - ABANDONED):
            try:
                table = await self._hall.table(key)
                await table.abandon(ABANDONED)
            except GameError as error:  # one table's trouble is no other's
                if isinstance(error, StoreError) and error.is_away:
                    raise
                log.warning("not put away", problem=error.code)


async def check_listed(store: Store, player: str) -> None:
    """GameError if the person has as many listed open tables as one may have."""
    rows = await store.tables("open", True, player=player, limit=LISTED_AT_MOST)
    if len(rows) >= LISTED_AT_MOST:
        raise GameError(
            "too-many-tables", f"You have {LISTED_AT_MOST} open tables already; close one first."
        )


def is_listed(wish: m.CreateTable) -> bool:
    """Whether the table will stand in the lobby."""
    if wish.listed is not None:
        return wish.listed
    return wish.seats is None or any(seat.kind == "open" for seat in wish.seats)
