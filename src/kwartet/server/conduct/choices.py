"""What makes sense for somebody who looks at a table: the commands they are offered."""

from typing import TYPE_CHECKING

from kwartet.server.conduct.advice import is_judged
from kwartet.server.conduct.ending import is_alone
from kwartet.server.conduct.offers import can_draw, can_take_back
from kwartet.server.conduct.scene import Person, Scene
from kwartet.server.conduct.seating import can_sit
from kwartet.server.story import Story

if TYPE_CHECKING:  # compiled rules are loaded in the background
    from kwartet.core.match import Match


def possible(scene: Scene, person: Person | None, *, invited: bool = False) -> list[str]:
    """The commands that make sense for this watcher now, offers by their kind."""
    story = scene.story
    own = story.seats_of(person.id) if person else []
    may = [] if person is None or person.id in story.muted else ["chat"]
    if person and story.created.creator == person.id:
        may.append("mute")
    if story.state == "open":
        may += ["leave"] if own else ["sit"] * can_sit(story, person, invited)
        if own and person and story.takes_parts and story.part_of(person.id) is None:
            may.append("shuffle")
        free = any(not seat.is_taken for seat in story.seats)
        may += ["start"] * bool(person and story.created.creator == person.id and free)
    elif story.state == "over":
        may += _possible_afterwards(story, own)
    elif own and person and scene.match and not scene.is_overdue:
        may += _possible_in_match(scene, scene.match, own)
    elif own and scene.trouble and not scene.is_overdue:
        may += ["resign"] * any(not story.seats[seat].resigned for seat in own)
    if own and story.state != "over" and not story.created.rated and is_alone(story, own):
        may.append("drop")
    if own and scene.match and is_judged(scene.story, scene.match):
        may.append("solve")
    return may


def _possible_afterwards(story: Story, own: list[int]) -> list[str]:
    if not own or story.rematch:
        return []
    if story.offer is None:
        return ["rematch"]
    return ["reply"] * any(seat not in story.offer.agreed for seat in own)


def _possible_in_match(scene: Scene, match: "Match", own: list[int]) -> list[str]:
    story = scene.story
    may = []
    to_act = story.actor in own and not story.seats[story.actor or 0].bot
    if to_act:
        may.append("play")
        may += ["hint"] * story.created.hints
    playing = [seat for seat in own if not story.seats[seat].bot]
    if story.offer and any(seat not in story.offer.agreed for seat in playing):
        may.append("reply")
    if playing and not story.offer:
        may += ["takeback"] * can_take_back(story, playing)
        may += ["draw"] * can_draw(story, match)
    if any(not story.seats[seat].resigned for seat in own):
        may.append("resign")
    if any(story.seats[seat].stand_in for seat in own):
        may.append("return")
    replaceable = not story.created.clock and not story.created.rated
    if replaceable and any(
        not seat.bot and number not in own and scene.is_away(number)
        for number, seat in enumerate(story.seats)
    ):
        may.append("handover")
    return may
