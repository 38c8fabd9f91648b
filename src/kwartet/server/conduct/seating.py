"""Before the match: sitting down, getting up, parts of the luck, and starting at once."""

from typing import Final

from kwartet.core.errors import GameError
from kwartet.core.fairness import is_part
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.conduct.scene import NOTHING, Decision, Person, Scene, enough
from kwartet.server.story import Seat, Story

SITTINGS: Final = 20  # of one person before the match
ALL_SITTINGS: Final = 500  # of all people

NOBODY: Final = Person("", "")  # a stranger, for whom no seat is kept


def sit(scene: Scene, person: Person, command: m.Sit) -> Decision:
    """Take a seat: those that are kept for one, the one named, or the first that is free."""
    story = scene.story
    if story.state != "open":
        raise GameError("started", "The match has started; you can watch it.")
    if story.seats_of(person.id):
        raise GameError("seated", "You sit at this table already.")
    kept = [number for number, seat in enumerate(story.seats) if seat.player == person.id]
    if kept and command.seat is None:  # several, where friends share a device
        names = {n: story.seats[n].name or person.name for n in kept}
        return Decision([e.Sat(n, person.id, names[n], command.promise) for n in kept])
    if story.sitters.count(person.id) >= SITTINGS or len(story.sitters) >= ALL_SITTINGS:
        raise enough("You have sat down at this table often enough.")
    number = _free_seat(story, person, command.seat, invited=story.invites(command.invite))
    return Decision([e.Sat(number, person.id, person.name, command.promise)])


def _free_seat(story: Story, person: Person, wanted: int | None, *, invited: bool) -> int:
    """The seat that the person may take; of several the first that is meant for them."""
    seats = story.seats
    for kind in ("invite", "open"):
        for number in range(len(seats)) if wanted is None else [wanted]:
            if number >= len(seats) or seats[number].kind != kind:
                continue
            if kind == "open" or _is_kept_for(seats[number], person, invited):
                return number
    if wanted is None:
        raise GameError("no-seat", "There is no free seat for you at this table.")
    if wanted >= len(seats):
        raise GameError("unknown-seat", f"There is no seat {wanted} at this table.")
    if seats[wanted].kind == "invite":
        raise GameError("not-invited", f"Seat {wanted} is kept for somebody else.")
    raise GameError("seat-taken", f"Seat {wanted} is taken.")


def _is_kept_for(seat: Seat, person: Person, invited: bool) -> bool:
    """Whether a seat that is kept is for this person, who may have the invitation."""
    return invited if seat.player is None else seat.player == person.id


def can_sit(story: Story, person: Person | None, invited: bool) -> bool:
    """Whether there is a seat that the person (None: a stranger) may take."""
    try:
        _free_seat(story, person or NOBODY, None, invited=invited)
    except GameError:
        return False
    return True


def shuffle(scene: Scene, person: Person, part: str) -> Decision:
    """Add a person's part to the luck; who has several seats here does it for the first."""
    story, own = scene.story, scene.own_seats(person)
    given = story.part_of(person.id) if story.state == "open" else None
    if given == part:
        return NOTHING
    if given is not None:
        raise GameError("part-given", "You have added your part to the luck already.")
    if story.state != "open":
        raise GameError("started", "The match has started; its luck is settled.")
    if not story.takes_parts:
        raise GameError("no-parts", "The luck of this match was settled before.")
    if not is_part(part):
        raise GameError("bad-request", "A part has 1 to 64 letters that can be printed.")
    return Decision([e.Parted(own[0], part)])


def leave(scene: Scene, person: Person) -> Decision:
    """Get up before the match has started."""
    seats = scene.own_seats(person)
    if scene.story.state != "open":
        raise GameError("started", "The match has started; you can resign.")
    return Decision([e.Left(seat) for seat in seats])


def start(scene: Scene, person: Person, level: str) -> Decision:
    """Let bots take the free seats, so that the match starts."""
    story = scene.story
    if story.state != "open":
        raise GameError("started", "The match has started already.")
    if person.id != story.created.creator:
        raise GameError("not-yours", "Who opened the table starts the match.")
    free = [number for number, seat in enumerate(story.seats) if not seat.is_taken]
    twins = len(free) > 1 or (free and any(seat.level == level for seat in story.seats))
    if story.created.rated and twins:  # they would be rated against themselves
        raise GameError("not-ratable", "In a rated match no two bots may have the same level.")
    if not any(seat.kind == "person" for seat in story.seats):
        raise GameError("not-seated", "Somebody must sit at the table.")
    return Decision([e.Filled(number, level) for number in free])
