"""Who is at which table: of this process by its sockets, of others by what they publish."""

import json
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

import structlog

from kwartet.store import Store, StoreError

if TYPE_CHECKING:
    from kwartet.server.table import Table

FORGOTTEN: Final = 60.0  # seconds after which another process's word no longer counts

log = structlog.get_logger()


class Presence:
    """The players who look at tables through other processes, and word to those of ours."""

    def __init__(
        self,
        store: Store,
        tables: "dict[str, Table]",
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._store = store
        self._tables = tables  # those in memory
        self._spawn = spawn
        self._elsewhere: dict[str, dict[str, float]] = {}  # table: player: until when

    def elsewhere(self, key: str) -> set[str]:
        """The players who look at the table through another process."""
        if key not in self._elsewhere:
            return set()
        now = time.monotonic()
        return {player for player, until in self._elsewhere[key].items() if until > now}

    def announce(self, key: str, player: str) -> None:
        """Let the other processes know whether the player is here."""
        here = key in self._tables and player in {
            watcher.person.id for watcher in self._tables[key].company.watchers if watcher.person
        }
        self._spawn(self._publish(json.dumps({"table": key, "player": player, "here": here})))

    async def announce_all(self) -> None:
        """Announce everybody again, and forget those whom nobody announces any more."""
        now = time.monotonic()
        self._elsewhere = {
            key: here
            for key, players in self._elsewhere.items()
            if (here := {player: until for player, until in players.items() if until > now})
        }
        for table in self._tables.values():
            for watcher in table.company.watchers:
                if watcher.person and table.story.seats_of(watcher.person.id):
                    self.announce(table.story.id, watcher.person.id)

    def note(self, text: str) -> None:
        """Another process announced somebody."""
        word = json.loads(text)
        if "here" not in word:  # it is about something else
            return
        key, player, here = word["table"], word["player"], word["here"]
        was_here = player in self.elsewhere(key)
        players = self._elsewhere.setdefault(key, {})
        if here:
            players[player] = time.monotonic() + FORGOTTEN
        else:
            players.pop(player, None)
        if not players:
            del self._elsewhere[key]
        if key in self._tables:
            self._tables[key].company.saw(player)
            if here != was_here:
                self._tables[key].company.presence_changed(player)

    async def _publish(self, text: str) -> None:
        try:
            await self._store.publish(text)
        except StoreError as error:
            log.warning("not announced", problem=error.sentence)
