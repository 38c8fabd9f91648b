"""One table: the story its log tells, and the match. Nothing else changes them.

A wish goes one way: decide, store, tell the story on, publish. What is not durable is
never shown. With several server processes the log decides who was first: who finds an
entry's number taken reads what happened and decides again.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec
import structlog

from kwartet.core.errors import GameError
from kwartet.core.sheets import write_sheet
from kwartet.games import find
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server import snapshots
from kwartet.server.advising import Advice
from kwartet.server.answers import Answer, Answers, digest, keep, remember
from kwartet.server.archive import (
    PARTS_WAIT,
    fresh_match,
    is_rated,
    read_on,
    record_of,
    results_of,
    row_of,
    trouble_with,
    turns,
)
from kwartet.server.bot_turns import BotTurns
from kwartet.server.company import Company
from kwartet.server.conduct import decide
from kwartet.server.conduct.ending import abandoned, drop, is_overdue, time_out
from kwartet.server.conduct.offers import is_rematch_agreed
from kwartet.server.conduct.playing import begun
from kwartet.server.conduct.scene import NOTHING, Decision, Person, Scene
from kwartet.server.ratings import rate_places
from kwartet.server.rematching import rematch_if_agreed, rematch_soon
from kwartet.server.story import Story
from kwartet.store import Conflict, Entry, StoreError

if TYPE_CHECKING:
    from kwartet.core.match import Match
    from kwartet.server.hall import Hall

ELSEWHERE: Final = 6.0  # seconds for a move made in time at another process to be stored
TRIES: Final = 20  # of one wish when other processes are quicker every time

log = structlog.get_logger()


class Wish(msgspec.Struct, frozen=True):
    """Who wants something, under which id, and what it is."""

    by: str
    request: str
    digest: str


NOBODYS: Final = Wish("", "", "")


class Table:
    """One match and its seats; its company, bots and advice stand beside it."""

    def __init__(self, hall: "Hall", story: Story, answers: Answers, *, kept: int = 0) -> None:
        self.hall = hall
        self.story = story
        self.match: Match | None = None
        self.company = Company(self)
        self.used = time.monotonic()
        self._turn = asyncio.Lock()
        self._answers = answers
        self._kept = kept  # the entry of the last snapshot
        self.is_sure = True  # whether the story is as long as the log, as far as we know
        self._trouble: GameError | None = None  # why the match cannot be shown
        self.bots = BotTurns(self)
        self._advice = Advice(self)
        self._full: float | None = None  # since when only parts have been waited for, monotonic

    # Wishes -------------------------------------------------------------------------------

    async def handle(
        self, person: Person, command: m.AnyCommand, arrived: float | None = None
    ) -> m.Accepted:
        """Carry out a wish that came in at this house time (None: now); GameError if not.

        Then nothing has changed.
        """
        arrived = self.hall.clock.now() if arrived is None else arrived
        self.used = time.monotonic()
        self.company.saw(person.id)
        wish = Wish(person.id, command.id, digest(command))
        accepted = await self.change(lambda scene: decide(scene, person, command), wish, arrived)
        match command:
            case m.Hint():
                return await self._hint(accepted, wish)
            case m.Solve() if self.match:
                work = self.hall.readiness.have_solved(self.match.game, self.match.options)
                self.hall.spawn(work)
            case m.Offer() | m.Reply():
                try:
                    await rematch_if_agreed(self)
                except StoreError:
                    self.hall.spawn(rematch_soon(self))
                return msgspec.structs.replace(accepted, table=self.story.rematch)
        return accepted

    def has_answered(self, person: Person, command: m.AnyCommand) -> bool:
        """Whether a wish under this id was carried out before, as far as one knows here.

        Advice and solutions change nothing and cost something: they are new each time.
        """
        if isinstance(command, m.Hint | m.Solve):
            return False
        return bool(command.id) and (person.id, command.id) in self._answers

    async def drop(self, person: Person) -> None:
        """Put the match away for who plays it without other people; GameError if they cannot."""
        self.used = time.monotonic()
        await self.change(lambda scene: drop(scene, person))

    async def abandon(self, after: float) -> None:
        """End a match without a clock that nobody has gone on with for so many seconds."""
        await self.change(lambda scene: abandoned(scene, after))

    async def change(
        self,
        decision: Callable[[Scene], Decision],
        wish: Wish = NOBODYS,
        arrived: float | None = None,
    ) -> m.Accepted:
        """Decide and store, again if another process was quicker, then show it."""
        async with self._turn:
            for _ in range(TRIES):
                if not self.is_sure:
                    await self._read_on()
                if (answer := self._answers.get((wish.by, wish.request))) and wish.request:
                    return answer.again(wish.request, wish.digest)
                decided = decision(self.scene(arrived))
                if decided.events:
                    try:
                        await self._append(decided, wish, arrived)
                    except Conflict:
                        continue
                elif wish.request:  # as long as the table is in memory
                    answer = Answer(self.story.version, self.story.ply, wish.digest)
                    keep(self._answers, wish.by, wish.request, answer)
                accepted = m.Accepted(wish.request, self.story.version, self.story.ply)
                await self._begin_if_full()
                return accepted
            raise GameError("busy", "Too many want to change this table at once; try again.")

    def scene(self, arrived: float | None = None) -> Scene:
        """What a wish that came in at this house time (None: now) is judged by."""
        moment = self.hall.clock.now() if arrived is None else arrived
        overdue = is_overdue(self.story, moment)
        return Scene(self.story, self.match, moment, overdue, self.company.is_away, self._trouble)

    # Storing ------------------------------------------------------------------------------

    async def _append(
        self, decision: Decision, wish: Wish = NOBODYS, arrived: float | None = None
    ) -> None:
        """Make it durable, then let it be so, then show it."""
        story, clock = self.story, self.hall.clock
        decided = clock.now()
        body = e.Body(
            events=decision.events,
            by=wish.by or None,
            request=wish.request,
            digest=wish.digest,
            time=round(decided if arrived is None else arrived, 3),
            decided=None if arrived in (None, decided) else round(decided, 3),
        )
        at = max(clock.wall(), story.changed)
        entry = Entry(story.id, story.version + 1, at, e.encode(body))
        after = story.with_entry(entry.number, at, body)
        ends = after.state == "over" and story.state != "over"
        results = results_of(after) if ends and after.counts else None
        rated = results and is_rated(after)
        rate = rate_places([result.rank for result in results]) if results and rated else None
        try:
            await self.hall.store.append(entry, row_of(after), results, rate)
        except BaseException:
            self.is_sure = False  # whether it was written is not certain
            raise
        clock.answered()
        if after.deadline() is not None:
            clock.turn_began()
        self.story = after
        self.bots.follow(story)
        if decision.match:
            self._stand(decision.match)
        remember(self._answers, entry.number, body, after.ply)
        self.company.publish()
        self._call(before=story)
        self._keep()
        self.bots.wake()

    def _keep(self) -> None:
        """Write a snapshot now and then, so that no table takes long to load."""
        if self.story.version - self._kept >= snapshots.EVERY:
            self._kept = self.story.version
            self.hall.spawn(snapshots.keep(self.hall.store, self.story, self._answers))

    def _call(self, before: Story) -> None:
        """Where one plays over days, tell who is not here that their turn has begun."""
        if self.story.awaited != before.awaited and (call := self._turn_call()):
            self.hall.spawn(call())

    async def call_again(self) -> None:
        """Tell who should have been told when an earlier process ended."""
        call, story = self._turn_call(), self.story
        if call and await self.hall.store.mark_turn(story.id, story.turn_since):
            await call()

    def _turn_call(self) -> Callable[[], Coroutine[Any, Any, None]] | None:
        """What tells the person who is to act and not here, if one plays over days."""
        story, clock = self.story, self.story.created.clock
        player = story.awaited
        if player is None or clock is None or not clock.is_over_days:
            return None
        if player in self.company.connected():
            return None
        game, table = story.created.game, story.id
        return partial(
            self.hall.push.tell_turn, player, game, table, clock.seconds, story.turn_since
        )

    # The beginning ------------------------------------------------------------------------

    async def _begin_if_full(self) -> None:
        """Start when nobody is waited for and the rules are ready."""
        if not self.story.is_full:
            self._full = None
        while self._can_begin():
            try:
                await self._begin()
            except StoreError as error:
                log.error("not started", problem=error.sentence)  # the next look tries again
                return

    async def _begin(self) -> None:
        """Start, unless another process was quicker."""
        try:
            await self._append(await begun(self.story))
        except Conflict:
            await self._read_on()

    def _can_begin(self) -> bool:
        return (
            self._trouble is None
            and self.story.state == "open"
            and self.story.is_full
            and self.hall.readiness.is_ready(self.story.created.game)
            and self._has_parts()
        )

    def _has_parts(self) -> bool:
        """Whether no part is waited for, at a full table; that ends by itself after a while."""
        if not self.story.awaits_parts:
            return True
        now = time.monotonic()
        if self._full is None:
            self._full = now
            self.hall.spawn(self._begin_without_parts())
        return now - self._full >= PARTS_WAIT

    async def _begin_without_parts(self) -> None:
        """Start with the parts that are there when the others have been waited for.

        A loop's timers may come a little early.
        """
        while self._full and (left := self._full + PARTS_WAIT - time.monotonic()) > 0:
            await asyncio.sleep(left)
        async with self._turn:
            await self._begin_if_full()

    # Following the log --------------------------------------------------------------------

    async def _read_on(self) -> None:
        """Read what other processes wrote; everything, if they wrote what was there anew."""
        store, version = self.hall.store, self.story.version
        entries = await store.entries(self.story.id, version)
        try:
            story, _ = read_on(self.story, self._answers, entries)
            if story.rewritten > version:
                story, self._answers, self._kept = await snapshots.load(store, story.id)
                for watcher in self.company.watchers:
                    watcher.chat = 0
            self.story = story
        except StoreError:
            raise
        except GameError as error:
            self._trouble = error
            self.company.publish()
            raise
        self.is_sure = True
        self._follow()
        self.company.publish()
        self.bots.wake()

    def _follow(self) -> None:
        """Bring the match to where the story is."""
        story = self.story
        readiness = self.hall.readiness
        self._trouble = trouble_with(story) or readiness.trouble(story.created.game)
        ready = readiness.is_ready(story.created.game)
        if story.state == "open" or not ready or self._trouble:
            return
        try:
            self._replay()
        except Exception as problem:  # what it says may tell what is hidden
            kind = type(problem).__name__
            log.error("a match cannot be replayed", game=story.created.game, problem=kind)
            self.match = None
            self._trouble = GameError("failed", "This match can no longer be replayed here.")

    def _replay(self) -> None:
        story, match = self.story, self.match
        if match is None or tuple(match.moves) != story.moves[: match.ply]:
            match = fresh_match(story)
            match.follow(story.moves)
            self._stand(match)
        for moves in turns(story, match.ply):
            match = match.copy()  # a bot may be looking at the one there was
            match.follow(moves)
            self._stand(match)
        match.auto_chance = True

    def _stand(self, match: "Match") -> None:
        """Let the match be so, and remember it for who has not been shown it."""
        self.match = match
        self.company.note(match)

    async def catch_up(self, number: int = 0) -> None:
        """Another process wrote entry `number`; 0: it may have written something."""
        async with self._turn:
            if number == 0 or number > self.story.version:
                self.is_sure = False
                await self._read_on()

    # Going on -----------------------------------------------------------------------------

    async def ready(self) -> None:
        """The rules are ready, or the table was just loaded: go on."""
        async with self._turn:
            self._follow()
            await self._begin_if_full()
            self.company.publish()
            self._keep()
        if is_rematch_agreed(self.story):  # the process where they agreed ended at that moment
            self.hall.spawn(rematch_if_agreed(self))
        self.bots.wake()

    async def look(self) -> None:
        """Let what is due happen: a clock that ran out, a bot nobody woke, a start, doubts."""
        if not self.is_sure:
            await self.catch_up()
        if self.story.state == "open":
            async with self._turn:
                await self._begin_if_full()
        is_known = self.match is not None or self._trouble is not None
        if is_known and self._is_over_time(self.scene()):
            await self.change(self._time_out)
        self.bots.wake()

    def _time_out(self, scene: Scene) -> Decision:
        return time_out(scene) if self._is_over_time(scene) else NOTHING

    def _is_over_time(self, scene: Scene) -> bool:
        """Whether somebody has lost on time: no command of before waits to be carried out."""
        deadline = scene.story.deadline()
        if deadline is None or not scene.is_overdue:
            return False
        is_elsewhere = scene.story.awaited in self.hall.presence.elsewhere(scene.story.id)
        patience = ELSEWHERE if is_elsewhere else 0.0
        late = scene.time - deadline > patience
        return late and not self.hall.has_arrived(scene.story.id, deadline)

    # Advice -------------------------------------------------------------------------------

    async def _hint(self, accepted: m.Accepted, wish: Wish) -> m.Accepted:
        """The accepted wish with its hints; what could not be advised is not remembered."""
        if accepted.hints:
            return accepted
        try:
            hints = await self._advice.hints_at(accepted.ply, wish.by)
        except GameError:
            self._answers.pop((wish.by, wish.request), None)
            raise
        if wish.request:
            answer = Answer(accepted.version, accepted.ply, wish.digest, hints)
            keep(self._answers, wish.by, wish.request, answer)
        return msgspec.structs.replace(accepted, hints=hints)

    # What there is to see -----------------------------------------------------------------

    def finished(self) -> "Match":
        """The match that is over, which nothing changes any more; GameError before its end."""
        self.used = time.monotonic()
        if self.story.state != "over":
            raise GameError("not-over", "One can look back at a match when it is over.")
        if not self.story.lot:
            raise GameError("not-started", "The match never began.")
        self.hall.readiness.want(self.story.created.game)
        return self.scene().seen()

    def seen(self) -> "Match":
        """The match, running or over; GameError if there is none to be seen."""
        return self.scene().seen()

    def record(self) -> dict[str, Any]:
        """The finished match with its seed; GameError while it runs."""
        return record_of(self.story)

    def sheet(self, language: str) -> str:
        """The same for people to read."""
        return write_sheet(self.record(), find, language, self.story.actors)

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks and nothing goes on."""
        return not self.company.watchers and not self.bots.are_thinking and not self._turn.locked()
