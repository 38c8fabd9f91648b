"""What may be done at a table: a wish and the table's story become events, or a refusal.

Nothing here changes anything. `decide` says what would happen; the table stores that and
only then lets it happen. A wish is judged by a `scene`; the other modules each judge those of
one kind, and `choices` says which of them make sense.
"""

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.conduct.absence import come_back, hand_over
from kwartet.server.conduct.advice import hint, judged_match
from kwartet.server.conduct.ending import resign
from kwartet.server.conduct.offers import offer, reply
from kwartet.server.conduct.playing import play_as
from kwartet.server.conduct.scene import NOTHING, Decision, Person, Scene
from kwartet.server.conduct.seating import leave, shuffle, sit, start
from kwartet.server.conduct.talk import chat, mute


def decide(scene: Scene, person: Person, command: m.AnyCommand) -> Decision:
    """What the command would do; GameError if it may not be done now."""
    if scene.is_overdue and not isinstance(command, m.Chat | m.Mute):
        raise GameError("time-out", "The time of the seat to act is up.")
    match command:
        case m.Play():
            return play_as(scene, person, command)
        case m.Sit():
            return sit(scene, person, command)
        case m.Shuffle(part=part):
            return shuffle(scene, person, part)
        case m.Leave():
            return leave(scene, person)
        case m.Start(level=level):
            return start(scene, person, level)
        case m.Offer(kind=kind):
            return offer(scene, person, kind)
        case m.Reply(accept=accept):
            return reply(scene, person, accept)
        case m.Resign(seat=seat):
            return resign(scene, person, seat)
        case m.HandOver(seat=seat, level=level):
            return hand_over(scene, person, seat, level)
        case m.Return():
            return come_back(scene, person)
        case m.Chat(text=text):
            return chat(scene, person, text)
        case m.Mute(player=player, muted=muted):
            return mute(scene, person, player, muted)
        case m.Hint():
            return hint(scene, person)
        case m.Solve():
            judged_match(scene, person)
            return NOTHING  # the table has it solved
