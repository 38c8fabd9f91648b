"""The bots of one table: whose turn is thought about here, and since when.

Of several processes on one database only the one that made a bot's turn due thinks about it;
the others take it up when that one has ended.
"""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import structlog

from kwartet.server.conduct.playing import play
from kwartet.server.conduct.scene import NOTHING, Decision, Scene
from kwartet.server.story import Story
from kwartet.server.thinkers import Thought
from kwartet.store import StoreError

if TYPE_CHECKING:
    from kwartet.core.match import Match
    from kwartet.server.table import Table

CLAIM: Final = 30.0  # seconds for which a bot's turn is one process's, which says so again
LONG: Final = 2.0  # seconds after which it does so

log = structlog.get_logger()


class BotTurns:
    """Lets bots play at a table."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self.since: float | None = None  # house time since when a bot thinks; None: it waits
        self._task: asyncio.Task[None] | None = None
        self._turn: str | None = None  # the one that is thought about here,
        self._thinks_since = 0.0  # and since when
        self._own: str | None = None  # the one that this process made due or took up

    @property
    def are_thinking(self) -> bool:
        """Whether one thinks, or waits to."""
        return self._task is not None and not self._task.done()

    def follow(self, before: Story) -> None:
        """After this process told the story on: what is due now is its own."""
        if (turn := _turn_of(self._table.story)) != _turn_of(before):
            self._own = turn

    def wake(self) -> None:
        """Let a bot think if it is to act and does not yet; a thought that is in vain is ended."""
        turn = _turn_of(self._table.story)
        if self._task and self._turn and self._turn != turn:
            self._task.cancel()
            self._task = None
        if self._table.match is None or not self._is_own(turn) or self._table.hall.is_closing:
            return
        if self._task is None or self._task.done():
            self._task = self._table.hall.spawn(self._think())

    def _is_own(self, turn: str | None) -> bool:
        """Whether this process is to think for the bot that is to act: the one that made it due."""
        return turn is not None and (turn == self._own or not self._table.hall.store.is_shared)

    def begin(self) -> None:
        """Think for the bot that is to act, if one is: this process opened the table."""
        self._own = _turn_of(self._table.story)
        self.wake()

    async def rescue(self) -> None:
        """Take up a bot's turn that no process works on, unless another one takes it."""
        turn = _turn_of(self._table.story)
        if turn and not self._is_own(turn) and await self._table.hall.store.claim(turn, CLAIM):
            self._own = turn
        self.wake()

    async def keep(self) -> None:
        """Let other processes know of a bot's turn that takes long here."""
        turn = self._turn
        is_long = time.monotonic() - self._thinks_since > LONG
        if turn and is_long and not await self._table.hall.store.claim(turn, CLAIM):
            self._own = None  # another one took it up
            if self._task and self._turn == turn:
                self._task.cancel()

    async def _think(self) -> None:
        """Let bots play until a person is to act."""
        while self._is_own(turn := _turn_of(self._table.story)) and self._table.match is not None:
            story, match = self._table.story, self._table.match
            seat = story.actor
            assert seat is not None
            level = story.seats[seat].bot or "novice"
            self._turn, self._thinks_since = turn, time.monotonic()
            thought = Thought(-1, 0.0)
            try:
                thought = await self._choose(level, match, story.seats[seat].left)
                move: int | str = thought.action
            except Exception as problem:  # whatever goes wrong, the match goes on
                log.exception("bot failed", game=match.game.key, level=level, problem=str(problem))
                move = match.legal()[0]
            finally:
                self._turn = self.since = None
            try:
                await self._table.change(_move_of(story, seat, move, thought.seconds))
            except StoreError as error:
                log.error("bot's move not stored", problem=error.sentence)
                return

    async def _choose(self, level: str, match: "Match", left: float | None) -> Thought:
        """What a bot with so much on its clock plays, once all that it needs is there."""
        readiness, created = self._table.hall.readiness, self._table.story.created
        if readiness.needs_solution(match.game, match.options, level):
            await readiness.solve(match.game, match.options)
        await readiness.have_bots(match.game.key)
        return await self._table.hall.thinkers.choose(
            level,
            match,
            person=created.creator,
            rated=created.rated,
            left=left,
            on_begin=self._began,
        )

    def _began(self) -> None:
        """A bot has a process to think in: its clock runs from now on."""
        self.since = self._table.hall.clock.now()
        if self._table.story.created.clock:
            self._table.company.publish()


def _turn_of(story: Story) -> str | None:
    """A name for the turn of the bot that is to act; None if none is."""
    if not story.awaits_bot():
        return None
    return f"bot {story.id} {len(story.rewinds)} {story.ply}"


def _move_of(
    story: Story, seat: int, move: int | str, seconds: float
) -> Callable[[Scene], Decision]:
    """The bot's move after so many seconds, or nothing if the match has gone another way."""
    has_clock = story.seats[seat].kind == "bot" and story.seats[seat].left is not None
    thought = round(seconds, 3) if has_clock else None

    def decision(scene: Scene) -> Decision:
        now = scene.story
        same = now.moves == story.moves and now.seats[seat].bot and now.state == "running"
        if not same or scene.match is None:
            return NOTHING
        return play(now, scene.match, seat, move, ply=story.ply, thought=thought)

    return decision
