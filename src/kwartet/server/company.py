"""The company of one table: who watches it, who of its players is away, what each is told.

Watchers are told of the table as it is when they can be; whoever sees the same is sent the same
bytes.
"""

import asyncio
import time
from typing import TYPE_CHECKING, Final

from kwartet.games import find
from kwartet.server import messages as m
from kwartet.server.conduct.scene import Person
from kwartet.server.gates import framed
from kwartet.server.showing import STRANGE, Known, Stage, Times
from kwartet.server.watching import Steps, Watcher

if TYPE_CHECKING:
    from kwartet.core.match import Match
    from kwartet.server.table import Table

FRESH: Final = 0.1  # seconds for which an encoded message tells the time well enough


class Company:
    """Tells those around a table what is new there."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self.watchers: set[Watcher] = set()
        self.edition = 1  # how often there was something new to tell
        self._steps = Steps()
        self._seen: dict[str, float] = {}  # by player: when last connected
        self._loaded = time.monotonic()
        self._away: frozenset[int] = frozenset()
        self._staged: Stage | None = None
        self._is_staged = False  # since the last change
        self._is_telling = False

    # Coming and going ---------------------------------------------------------------------

    def join(self, watcher: Watcher, *, version: int = 0) -> None:
        """Let somebody watch, who knew `watcher.ply` moves at `version`."""
        watcher.come(self._table.story, version)
        self.watchers.add(watcher)
        self._presence_changed(watcher)
        watcher.changed.set()

    def leave(self, watcher: Watcher) -> None:
        """Somebody no longer watches."""
        self.watchers.discard(watcher)
        self._table.used = time.monotonic()
        self._presence_changed(watcher)

    def tell_again(self, watcher: Watcher) -> None:
        """Let a watcher have everything that was said, which is not what it was."""
        watcher.chat = watcher.edition = 0
        watcher.changed.set()

    # Who is here --------------------------------------------------------------------------

    def connected(self) -> set[str]:
        """The players who are here, at this process or at another."""
        here = {watcher.person.id for watcher in self.watchers if watcher.person}
        return here | self._table.hall.presence.elsewhere(self._table.story.id)

    def is_away(self, seat: int) -> bool:
        """Whether the person of a seat has been away for long."""
        player = self._table.story.seats[seat].player
        if player is None:
            return False
        seen = self._seen.get(player, self._loaded)
        is_long = time.monotonic() - seen >= self._table.hall.absent_after
        return is_long and player not in self.connected()

    def refresh_away(self) -> None:
        """Tell the watchers when somebody has now been away for long."""
        away = frozenset(seat for seat in range(len(self._table.story.seats)) if self.is_away(seat))
        if away != self._away:
            self._away = away
            self.publish()

    def _presence_changed(self, watcher: Watcher) -> None:
        if watcher.person and self._table.story.seats_of(watcher.person.id):
            self._table.hall.presence.announce(self._table.story.id, watcher.person.id)
            self.presence_changed(watcher.person.id)

    def saw(self, player: str) -> None:
        """Somebody is here or was until now."""
        self._seen[player] = time.monotonic()

    def presence_changed(self, player: str) -> None:
        """Somebody came or went, here or at another process."""
        self.saw(player)
        self.publish()

    # What is new --------------------------------------------------------------------------

    def note(self, match: "Match") -> None:
        """The match stands so now; it is kept for who has not been shown it."""
        story = self._table.story
        shown = (story.known_ply(watcher.version, watcher.shown) for watcher in self.watchers)
        self._steps.note(match, shown)

    def publish(self) -> None:
        """Everything has changed: watchers fetch their new message when they can take one."""
        self._is_staged = False
        self.edition += 1
        if self.watchers and not self._is_telling:
            self._is_telling = True
            asyncio.get_running_loop().call_soon(self._tell)
        self._table.hall.lobby.changed(self._table.story)

    def _tell(self) -> None:
        """Write what is new to whoever reads; the others are told when they can read again."""
        self._is_telling = False
        for watcher in self.watchers:
            if watcher.edition == self.edition:
                continue
            if watcher.line is None or not watcher.line.is_free:
                watcher.changed.set()
                continue
            try:
                watcher.line.tell(framed(self.message_for(watcher)))
            except Exception:  # ends that watcher's socket and no other's
                watcher.changed.set()

    def message_for(self, watcher: Watcher) -> bytes:
        """What is new to the watcher, who then knows it."""
        watcher.rewind(self._table.story)
        invited = watcher.invite is not None and self._table.story.invites(watcher.invite)
        known = Known(watcher.ply, watcher.chat, watcher.shown, invited)
        before = watcher.told if watcher.takes_changes else None
        stage = self._stage()
        audience, view = stage.shown(watcher.person, known, lambda: self._since(known.shown))
        kind, message = stage.encoded(audience, before)
        self._table.hall.told.note(kind, len(message))
        if watcher.takes_changes:
            watcher.told = view
        watcher.know(self._table.story, has_match=self._table.match is not None)
        watcher.edition = self.edition
        return message

    def message(self, person: Person | None, known: Known = STRANGE) -> bytes:
        """The table as this person (None: a stranger) may see it, encoded."""
        stage = self._stage()
        audience, _ = stage.shown(person, known, lambda: self._since(known.shown))
        return stage.encoded(audience, None)[1]

    def _since(self, shown: int | None) -> "list[Match]":
        """The positions after the one that was shown."""
        return [] if shown is None else self._steps.between(shown, self._table.story.ply)

    def _stage(self) -> Stage:
        """The table as it is now, or was a moment ago."""
        self._table.used = time.monotonic()
        staged = self._staged
        if staged and self._is_staged and self._table.used - staged.set_up <= FRESH:
            return staged
        self._staged = Stage(
            self._table.scene(),
            self.connected(),
            len(self.watchers),
            self._preparing(),
            self.times(),
            before=staged,
        )
        self._is_staged = True
        return self._staged

    def times(self) -> Times:
        """What people's clocks show."""
        story, clock = self._table.story, self._table.hall.clock
        if story.created.clock is None or story.actor is None:
            return Times(clock.wall(), None, None, None)
        since: float | None = story.turn_since
        left = story.seats[story.actor].left
        if story.awaits_bot():
            since = self._table.bots.since
        elif story.deadline() is not None and not clock.is_running:
            since = None
            left = None if left is None else max(0.0, left - (clock.now() - story.turn_since))
        until = None if since is None else story.turn_until
        return Times(
            now=clock.wall(),
            turn_since=None if since is None else clock.shown(since),
            deadline=None if until is None else clock.shown(until),
            left=left if since is None else None,
        )

    def _preparing(self) -> m.Preparing | None:
        created, readiness = self._table.story.created, self._table.hall.readiness
        if self._table.story.state != "over" and (progress := readiness.progress(created.game)):
            return progress
        if self._table.story.awaits_bot() or len(self._table.story.seats) == 1:
            return readiness.solution_progress(find(created.game), created.options)
        return None
