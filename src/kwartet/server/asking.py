"""What one may ask at a table beyond seeing it; nothing changes by it.

What would come of a piece, why a move is not allowed, what was best, and the match as shapes.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.archive import judged
from kwartet.server.conduct.advice import judged_match
from kwartet.server.conduct.scene import Person
from kwartet.server.drawing import draw
from kwartet.server.drawn import Picture
from kwartet.server.replay import stood
from kwartet.server.showing import seat_shown

if TYPE_CHECKING:
    from kwartet.core.match import Match
    from kwartet.server.table import Table


async def preview(table: "Table", person: Person, piece: str, ply: int) -> Any:
    """What the person, who is to act, could do with a piece; GameError if that cannot be."""
    match, seat = await _asked(table, person, ply)
    return await asyncio.to_thread(match.preview, piece, seat=seat, ply=ply)


async def why(table: "Table", person: Person, move: str, ply: int) -> dict[str, Any] | None:
    """Why the person, who is to act, may not play a move; None if they may."""
    match, seat = await _asked(table, person, ply)
    reason: dict[str, Any] | None = await asyncio.to_thread(match.why, move, seat=seat, ply=ply)
    return reason


async def _asked(table: "Table", person: Person, ply: int) -> "tuple[Match, int]":
    """A copy of the match to be asked about, and the seat for which the person asks.

    When it is over everybody may ask for whoever was to act at that ply.
    """
    if table.story.state == "over":
        return await asyncio.to_thread(stood, table.finished(), ply)
    scene = table.scene()
    match = scene.running()
    seats = scene.own_seats(person)
    seat = match.actor if match.actor in seats else seats[0]
    assert seat is not None
    return match.copy(), seat


async def coach(table: "Table", person: Person, since: int) -> m.CoachView:
    """The person's decisions from a ply on, judged; nothing is solved for it."""
    match = judged_match(table.scene(), person)
    story, readiness = table.story, table.hall.readiness
    solution = await asyncio.to_thread(readiness.solution, match.game, match.options)
    if solution is None:
        return m.CoachView(False, 0, [])
    return await asyncio.to_thread(judged, story, solution, since)


async def picture(table: "Table", person: Person | None, ply: int, language: str) -> Picture:
    """The match after so many moves as shapes, as this person (None: a stranger) sees it."""
    story, match = table.story, table.scene().seen()
    if ply > match.ply:
        raise GameError("stale-ply", f"{ply} moves have not been played.")
    seat = seat_shown(story, story.seats_of(person.id) if person else [])
    return await asyncio.to_thread(draw, match.copy(), story.actors[:ply], seat, language)
