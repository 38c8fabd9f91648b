"""What makes sense for somebody who looks at a table: the commands they are offered."""

from kwartet.server.conduct.advice import is_judged
from kwartet.server.conduct.ending import is_alone
from kwartet.server.conduct.offers import can_draw, can_take_back
from kwartet.server.conduct.scene import Person, Scene
from kwartet.server.conduct.seating import can_sit
from kwartet.server.story import Story


class Choices:
    """What there is to choose at a table, for all who look at it as it is now."""

    def __init__(self, scene: Scene) -> None:
        story = scene.story
        self._scene = scene
        self._bots = [seat.bot is not None for seat in story.seats]
        self._can_draw = scene.match is not None and can_draw(story, scene.match)
        self._is_judged = scene.match is not None and is_judged(story, scene.match)
        is_replaceable = not story.created.clock and not story.created.rated
        self._away = [
            seat
            for seat, is_bot in enumerate(self._bots)
            if is_replaceable and not is_bot and scene.is_away(seat)
        ]

    def possible(
        self, person: Person | None, own: list[int], *, invited: bool = False
    ) -> list[str]:
        """The commands that make sense now for who has these seats, offers by their kind."""
        scene, story = self._scene, self._scene.story
        may = [] if person is None or person.id in story.muted else ["chat"]
        if person and story.created.creator == person.id:
            may.append("mute")
        if story.state == "open":
            may += _possible_before(story, person, own, invited)
        elif story.state == "over":
            may += _possible_afterwards(story, own)
        elif own and scene.match and not scene.is_overdue:
            may += self._possible_in_match(own)
        elif own and scene.trouble and not scene.is_overdue:
            may += ["resign"] * any(not story.seats[seat].resigned for seat in own)
        if own and story.state != "over" and not story.created.rated and is_alone(story, own):
            may.append("drop")
        if own and self._is_judged:
            may.append("solve")
        return may

    def _possible_in_match(self, own: list[int]) -> list[str]:
        story = self._scene.story
        may = []
        playing = [seat for seat in own if not self._bots[seat]]
        if story.actor in playing:
            may.append("play")
            may += ["hint"] * story.created.hints
        if story.offer:
            may += ["reply"] * any(seat not in story.offer.agreed for seat in playing)
        elif playing:
            may += ["takeback"] * can_take_back(story, playing)
            may += ["draw"] * self._can_draw
        seats = [story.seats[seat] for seat in own]
        may += ["resign"] * any(not seat.resigned for seat in seats)
        may += ["return"] * any(seat.stand_in for seat in seats)
        may += ["handover"] * any(seat not in own for seat in self._away)
        return may


def _possible_before(
    story: Story, person: Person | None, own: list[int], invited: bool
) -> list[str]:
    may = ["leave"] if own else ["sit"] * can_sit(story, person, invited)
    if own and person and story.takes_parts and story.part_of(person.id) is None:
        may.append("shuffle")
    free = any(not seat.is_taken for seat in story.seats)
    may += ["start"] * bool(person and story.created.creator == person.id and free)
    return may


def _possible_afterwards(story: Story, own: list[int]) -> list[str]:
    if not own or story.rematch:
        return []
    if story.offer is None:
        return ["rematch"]
    return ["reply"] * any(seat not in story.offer.agreed for seat in own)
