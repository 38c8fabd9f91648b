"""The end of a match before it is played out: by its clock, given up, put away."""

import time

from kwartet.core.errors import GameError
from kwartet.server import events as e
from kwartet.server.conduct.scene import NOTHING, Decision, Person, Scene
from kwartet.server.story import Story


def is_overdue(story: Story, time: float) -> bool:
    """Whether the person to act has thought too long."""
    deadline = story.deadline()
    return deadline is not None and time > deadline


def time_out(scene: Scene) -> Decision:
    """What happens to a seat whose time is up."""
    assert scene.story.actor is not None
    return _give_up(scene, scene.story.actor, "time")


def resign(scene: Scene, person: Person, seat: int | None) -> Decision:
    """Give a seat up; where none is named the one to act, else the first."""
    scene.scores()
    own = [number for number in scene.own_seats(person) if not scene.story.seats[number].resigned]
    if seat is None:
        seat = scene.story.actor if scene.story.actor in own else next(iter(own), None)
    if seat is None or seat not in own:
        raise GameError("not-yours", "That is not a seat you can give up.")
    return _give_up(scene, seat, "resigned")


def _give_up(scene: Scene, seat: int, reason: str) -> Decision:
    """The seat is out; the match ends when fewer than two are left in it."""
    story, scores = scene.story, scene.scores()
    gone: list[e.AnyEvent] = [e.Resigned(seat, "time" if reason == "time" else "resigned")]
    left = [
        number for number, other in enumerate(story.seats) if number != seat and not other.resigned
    ]
    if len(left) > 1 and any(story.seats[number].kind == "person" for number in left):
        return Decision(gone)
    places = [0 if number in left else 1 for number in range(len(story.seats))]
    result = e.Result("time" if reason == "time" else "resigned", left, scores, places)
    return Decision([*gone, e.Ended(result)])


def drop(scene: Scene, person: Person) -> Decision:
    """Put away a match in which no other people are; GameError if there are."""
    story = scene.story
    if story.is_dropped:
        return NOTHING
    own = scene.own_seats(person)
    if story.state == "over":
        raise GameError("game-over", "The match is over.")
    if story.created.rated:
        raise GameError("not-yours", "A rated match counts; you can resign.")
    if not is_alone(story, own):
        raise GameError("not-yours", "Other people sit at this table; you can resign.")
    return Decision([e.Dropped()])


def abandoned(scene: Scene, after: float) -> Decision:
    """Put away a match without a clock where nothing has happened for so many seconds.

    Where it was rated who is to act has lost; else losing could be avoided by going away.
    """
    story = scene.story
    quiet = time.time() - story.changed
    if story.state != "running" or story.created.clock or quiet < after:
        return NOTHING
    if story.created.rated and story.awaited and scene.match:
        assert story.actor is not None
        return _give_up(scene, story.actor, "time")
    return Decision([e.Dropped()])


def is_alone(story: Story, own: list[int]) -> bool:
    """Whether nobody else sits here but bots."""
    people = [number for number, seat in enumerate(story.seats) if seat.kind == "person"]
    return people == own
