"""New tables: wished for, played on from a finished match, brought in, or a rematch."""

import contextlib
import hmac
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.afterwards import Branch
from kwartet.server.archive import row_of
from kwartet.server.conduct.playing import begun
from kwartet.server.conduct.scene import Person
from kwartet.server.identity import guest_name
from kwartet.server.planning import plan, plan_again, plan_branch
from kwartet.server.story import Story, begin
from kwartet.store import Conflict, Entry

if TYPE_CHECKING:
    from kwartet.server.hall import Hall
    from kwartet.server.table import Table

LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
KEY_LENGTH: Final = 12  # letters


class Opening:
    """Opens tables in a hall; `secret` makes names that nobody guesses."""

    def __init__(self, hall: "Hall", secret: str) -> None:
        self._hall = hall
        self._secret = secret

    async def create(self, person: Person, wish: m.CreateTable) -> "Table":
        """Open a table as wished; GameError if that cannot be."""
        return await self._found(_new_key(), plan(person, wish))

    async def branch(self, person: Person, story: Story, wish: Branch) -> "Table":
        """Open a table where a finished match goes on as wished; GameError if that cannot be."""
        return await self._found(_new_key(), plan_branch(person, story, wish))

    async def bring_in(self, created: e.Created, events: list[e.AnyEvent]) -> "Table":
        """The finished table of a match that was played elsewhere."""
        return await self._found(_new_key(), created, events)

    async def rematch(self, story: Story) -> str:
        """The table where this match is played again, everybody one seat further on.

        All have agreed, so it begins as soon as their parts are there. Its name follows from the
        first one's secret, so that all who ask get the same.
        """
        name = f"rematch {story.id} {story.sealed}"  # once known, that alone won't do
        digest = hmac.digest(self._secret.encode(), name.encode(), "sha256")
        key = "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:KEY_LENGTH])
        with contextlib.suppress(Conflict):  # another process was quicker
            await self._found(key, plan_again(story, await self._names(story)))
        return key

    async def _names(self, story: Story) -> dict[str, str]:
        """What those who sat at a table, or opened it, call themselves now."""
        keys = {story.created.creator, *(seat.player for seat in story.seats if seat.player)}
        known = await self._hall.store.players(sorted(keys))
        return {key: one.name for key, one in known.items() if one.name != guest_name(key)}

    async def _found(
        self, key: str, created: e.Created, events: Sequence[e.AnyEvent] = ()
    ) -> "Table":
        """Write the first entry of a table, with what else happened; it starts if it can."""
        hall = self._hall
        hall.readiness.want(created.game)
        at, now = hall.clock.wall(), hall.clock.now()
        body = e.Body([created, *events], created.creator, time=now)
        story = begin(key, 1, at, body)
        waits = not story.is_full or story.awaits_parts
        if story.state == "open" and not waits and hall.readiness.is_ready(created.game):
            body = e.Body([created, *(await begun(story)).events], created.creator, time=now)
            story = begin(key, 1, at, body)
        await hall.store.append(Entry(key, 1, at, e.encode(body)), row_of(story))
        hall.clock.answered()
        if story.deadline() is not None:
            hall.clock.turn_began()
        hall.lobby.changed(story)
        table = await hall.table(key)
        table.bots.begin()
        return table


def _new_key() -> str:
    """The name of a table, which is not guessed."""
    return "".join(secrets.choice(LETTERS) for _ in range(KEY_LENGTH))
