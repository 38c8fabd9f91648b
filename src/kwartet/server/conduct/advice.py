"""Who may be advised, and whose decisions are judged."""

from typing import TYPE_CHECKING

from kwartet.core.errors import GameError
from kwartet.server.conduct.scene import NOTHING, Decision, Person, Scene
from kwartet.server.story import Story

if TYPE_CHECKING:  # compiled rules are loaded in the background
    from kwartet.core.match import Match


def hint(scene: Scene, person: Person) -> Decision:
    """Nothing happens; the table looks for the hints if the person may have them."""
    match = scene.running()
    if not scene.story.created.hints:
        raise GameError("no-hints", "At this table there are no hints.")
    if match.actor not in scene.story.seats_of(person.id):
        raise GameError("not-your-turn", "It is not your turn.")
    return NOTHING


def judged_match(scene: Scene, person: Person) -> "Match":
    """The match, if the person's decisions are judged here; GameError if not."""
    scene.own_seats(person)
    if scene.story.state != "over":
        scene.running()
    if scene.match is None or not is_judged(scene.story, scene.match):
        raise GameError("not-judged", "Decisions are judged where one plays a solved game alone.")
    return scene.match


def is_judged(story: Story, match: "Match") -> bool:
    """Whether decisions are judged here: of who plays alone, where there is an exact solution."""
    return len(story.seats) == 1 and match.game.solution is not None
