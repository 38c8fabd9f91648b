"""What this process hears of people: from itself, from other processes, and from `kwartet admin`.

A note says only whom or what to look at again. Everything open in that person's name is then
judged anew, so that hearing a note twice, or late, does no harm.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import msgspec
import structlog

from kwartet.core.errors import GameError
from kwartet.server.bans import Bans
from kwartet.server.conduct.scene import Person
from kwartet.server.identity import Identities, Visitor
from kwartet.store import Note, Store, StoreError, read_note, trace

LOOK: Final = 0.5  # seconds between two looks at notes
TIDY: Final = 600.0  # seconds between two looks for what has run out

log = structlog.get_logger()


class Session:
    """Something that stays open in somebody's name, such as a socket."""

    def __init__(
        self,
        visitor: Visitor | None,
        address: str,
        person: Person | None,
        end: Callable[[GameError], Awaitable[None]],
    ) -> None:
        self.visitor = visitor
        self.address = address  # the very one, not the network it is counted as
        self.person = person
        self.end = end
        self.changed: Callable[[Person], None] = lambda person: None  # called with the new one


class News:
    """Open sessions, and what has them judged anew."""

    def __init__(self, store: Store, identities: Identities, bans: Bans) -> None:
        self._store = store
        self._identities = identities
        self._bans = bans
        self._sessions: dict[str, set[Session]] = {}  # by trace; "": strangers'
        self._known: set[str] = set()  # notes that were heard
        self._since = time.time()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.on_table: Callable[[str], Awaitable[None]] | None = None  # its log was rewritten

    # Sessions -----------------------------------------------------------------------------

    def open(self, session: Session) -> None:
        """Keep an eye on a session."""
        self._sessions.setdefault(_key(session), set()).add(session)

    def close(self, session: Session) -> None:
        """It has ended."""
        kept = self._sessions.get(_key(session), set())
        kept.discard(session)
        if not kept:
            self._sessions.pop(_key(session), None)

    def players(self) -> set[str]:
        """Who has a session here."""
        return {s.visitor.player for all in self._sessions.values() for s in all if s.visitor}

    # Hearing ------------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin to listen."""
        await self._bans.read()
        self._store.on_message(self._told)
        self._spawn(self._listen())

    async def stop(self) -> None:
        """Listen no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self) -> None:
        """Read the notes now and then: of programs that cannot tell us, or while we were deaf."""
        tidied = 0.0
        while True:
            try:
                await self.read()
                if time.monotonic() - tidied > TIDY:
                    tidied = time.monotonic()
                    await self._store.people.tidy()
            except Exception as error:
                _log(error)
            await asyncio.sleep(LOOK)

    async def read(self) -> None:
        """Hear what was noted and is not known yet; what fails is heard the next time."""
        # The clock may have been put back since the last note.
        notes = await self._store.people.notes(min(self._since, time.time()))
        self._known.intersection_update([key for key, _, _ in notes])
        for key, _, note in notes:
            if key not in self._known and await self._is_heard(note):
                self._known.add(key)
        if len(self._known) == len(notes):
            self._since = max([self._since, *(at for _, at, _ in notes)])

    async def _is_heard(self, note: Note) -> bool:
        try:
            await self.hear(note)
        except Exception as error:  # one note's trouble is no other's
            _log(error)
            return False
        return True

    def _told(self, text: str) -> None:
        """Another process says something; most of it is no note."""
        try:
            note = read_note(text)
        except msgspec.DecodeError:
            return
        if note != Note():
            self._spawn(self._is_heard(note))  # if it is not, it is when it is read

    async def hear(self, note: Note) -> None:
        """Look again at what the note names."""
        if note.table and self.on_table:
            await self.on_table(note.table)
        if note.about:
            self._identities.forget(note.about)
            await self._judge(self._sessions.get(note.about, set()), self._check)
        if note.bans:
            await self._bans.read()
            everybody = {one for all in self._sessions.values() for one in all}
            await self._judge(everybody, self._check_bans)

    async def about(self, player: str) -> None:
        """Something has changed about this person."""
        await self.hear(Note(about=trace(player)))

    async def _judge(
        self, sessions: set[Session], check: Callable[[Session], Awaitable[None]]
    ) -> None:
        """End the sessions that are no longer good, all at once: some may not read their end."""
        endings: list[asyncio.Future[None]] = []
        try:
            for session in list(sessions):
                try:
                    await check(session)
                except StoreError:
                    raise
                except GameError as refusal:
                    endings.append(asyncio.ensure_future(session.end(refusal)))
        finally:
            await asyncio.gather(*endings)

    async def _check_bans(self, session: Session) -> None:
        """GameError if who has this session is kept out."""
        self._bans.check_address(session.address)
        if session.visitor:
            self._bans.check_player(session.visitor.player)

    async def _check(self, session: Session) -> None:
        """GameError if the session is no longer good; else it is told who its person is now."""
        await self._check_bans(session)
        if session.visitor is None:
            return
        if not await self._identities.still_good(session.visitor):
            raise GameError("revoked", "You were signed out here.")
        person = await self._identities.person(session.visitor.player)
        if person != session.person:
            session.person = person
            session.changed(person)


def _log(error: Exception) -> None:
    if isinstance(error, StoreError):
        log.warning("a note not heard", problem=error.sentence)
    else:
        log.error("a note not heard", exc_info=error)


def _key(session: Session) -> str:
    return trace(session.visitor.player) if session.visitor else ""
