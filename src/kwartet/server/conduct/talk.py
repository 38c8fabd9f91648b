"""Who may say what, and who lets whom speak no more."""

from typing import Final

from kwartet.core.errors import GameError, quoted
from kwartet.server import events as e
from kwartet.server.conduct.scene import NOTHING, Decision, Person, Scene, enough

LINES: Final = 2_000  # that are said at a table
ONLOOKERS_LINES: Final = 1_500  # after which only those who sit there speak
MUTES: Final = 200  # of a table


def chat(scene: Scene, person: Person, text: str) -> Decision:
    """Say a line."""
    if person.id in scene.story.muted:
        raise GameError("muted", "Who opened this table does not let you speak here.")
    story = scene.story
    if story.said >= (LINES if story.seats_of(person.id) else ONLOOKERS_LINES):
        raise enough("Enough has been said at this table.")
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not line:
        raise GameError("bad-request", "There is nothing to say in that.")
    return Decision([e.Said(person.id, person.name, line)])


def mute(scene: Scene, person: Person, player: str, muted: bool) -> Decision:
    """Let somebody speak no more at a table that one opened, or again."""
    if person.id != scene.story.created.creator:
        raise GameError("not-yours", "Only who opened the table can do that.")
    if player == person.id:
        raise GameError("bad-request", f"{quoted(player)} is yourself.")
    if (player in scene.story.muted) == muted:
        return NOTHING
    if scene.story.mutes >= MUTES:
        raise enough("Mouths were closed and opened often enough at this table.")
    return Decision([e.Muted(player, muted)])
