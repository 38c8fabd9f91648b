"""Who is away: a bot takes over, until they take their seat back."""

from typing import Final

from kwartet.core.errors import GameError
from kwartet.server import events as e
from kwartet.server.conduct.scene import Decision, Person, Scene, enough

STAND_INS: Final = 200  # of a match


def hand_over(scene: Scene, person: Person, seat: int, level: str) -> Decision:
    """Let a bot play for somebody who is away, or for oneself."""
    scene.running()
    own = scene.own_seats(person)
    seats = scene.story.seats
    if seat >= len(seats):
        raise GameError("unknown-seat", f"There is no seat {seat} at this table.")
    if seats[seat].bot:
        raise GameError("stand-in", "A bot plays there already.")
    if scene.story.created.clock or scene.story.created.rated:
        raise GameError("not-away", "Bots take over where nothing is rated and no clock runs.")
    if seat not in own and not scene.is_away(seat):
        raise GameError("not-away", "A bot can take over when somebody has been away for a while.")
    if scene.story.stand_ins >= STAND_INS:
        raise enough("Bots have taken over at this table often enough.")
    return Decision([e.HandedOver(seat, level)])


def come_back(scene: Scene, person: Person) -> Decision:
    """Take one's seats back from bots."""
    scene.running()
    seats = [
        seat for seat in scene.own_seats(person) if scene.story.seats[seat].stand_in is not None
    ]
    if not seats:
        raise GameError("no-stand-in", "No bot plays for you.")
    return Decision([e.Returned(seat) for seat in seats])
