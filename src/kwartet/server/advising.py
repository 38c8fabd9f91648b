"""What is advised at a table: worked out once at a position, for all who ask there."""

import asyncio
from typing import TYPE_CHECKING, Any

import structlog

from kwartet.core.errors import GameError
from kwartet.server import messages as m

if TYPE_CHECKING:
    from kwartet.core.match import Match
    from kwartet.server.table import Table

log = structlog.get_logger()


class Advice:
    """The hints at a table's position."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self._found: tuple[Match, asyncio.Task[list[m.HintView]]] | None = None  # at a position

    async def hints_at(self, ply: int, person: str) -> list[m.HintView]:
        """What is advised there, worked out once for all who ask; GameError if that is past."""
        match = self._table.match
        if match is not None and match.ply == ply:
            if self._found is None or self._found[0] is not match:
                advising = asyncio.create_task(self._advise(match, person))
                advising.add_done_callback(_taken_note)  # perhaps nobody waits any more
                self._found = match, advising
            hints = await asyncio.shield(self._found[1])
            if self._table.match is match:
                return hints
        raise GameError("stale-ply", "The match has gone on in the meantime.")

    async def _advise(self, match: "Match", person: str) -> list[m.HintView]:
        """Work out what is advised here; what failed is tried again."""
        try:
            await self._table.hall.readiness.have_reviews(match.game)
            return await self._table.hall.thinkers.advise(match, person=person)
        except Exception as problem:
            self._found = None
            if isinstance(problem, GameError) and problem.code == "busy":
                raise
            log.exception("no hints", game=match.game.key, problem=str(problem))
            raise GameError("busy", "No hint could be found now; try again.") from problem


def _taken_note(task: "asyncio.Task[Any]") -> None:
    """What became of it is known; who waited was told."""
    if not task.cancelled():
        task.exception()
