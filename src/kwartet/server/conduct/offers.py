"""What one offers the others, and what comes of it: a draw, a move taken back, a rematch."""

from typing import TYPE_CHECKING, Final

from kwartet.core.errors import GameError
from kwartet.server import events as e
from kwartet.server.conduct.scene import NOTHING, Decision, Person, Scene, enough
from kwartet.server.story import Story

if TYPE_CHECKING:  # compiled rules are loaded in the background
    from kwartet.core.match import Match

OFFERS: Final = 5  # of a seat between two moves
REWINDS: Final = 300  # of a match


def offer(scene: Scene, person: Person, kind: str) -> Decision:
    """Ask the others for a draw, to take a move back, or to play again."""
    if kind == "rematch":
        return _offer_rematch(scene, person)
    match = scene.running()
    story = scene.story
    own = _playing(scene, person)
    if story.offer:
        raise GameError("offer-open", "Something is offered already; it must be answered first.")
    if kind == "draw":
        seat = own[0]
        _check_draw(story, match)
        _check_offers(story, seat)
        return _agreed(scene, [e.Offered("draw", seat)], "draw", seat, [seat])
    seat = _takeback_seat(story, own)
    if _is_within_turn(story, seat):
        return _take_back(story, match, seat, [])
    _check_offers(story, seat)
    return _agreed(scene, [e.Offered("takeback", seat)], "takeback", seat, [seat])


def _offer_rematch(scene: Scene, person: Person) -> Decision:
    """Ask the others to play again; who asks for what is offered agrees to it."""
    story = scene.story
    if story.state != "over":
        raise GameError("not-over", "The match is not over yet.")
    own = scene.own_seats(person)
    if story.rematch:
        return NOTHING
    if story.offer:
        return Decision([e.Agreed(seat) for seat in own if seat not in story.offer.agreed])
    _check_offers(story, own[0])
    return Decision([e.Offered("rematch", own[0]), *(e.Agreed(seat) for seat in own[1:])])


def is_rematch_agreed(story: Story) -> bool:
    """Whether all people who sit here want to play again; bots always do."""
    if story.offer is None or story.offer.kind != "rematch":
        return False
    agreed = {story.seats[number].player for number in story.offer.agreed}
    return all(seat.player in agreed for seat in story.seats if seat.kind == "person")


def rematched(scene: Scene, table: str) -> Decision:
    """All have agreed, and this is where they play again; once is enough."""
    return NOTHING if scene.story.rematch else Decision([e.Rematched(table)])


def _playing(scene: Scene, person: Person) -> list[int]:
    """The person's seats for which no bot plays; GameError if there are none."""
    own = [seat for seat in scene.own_seats(person) if not scene.story.seats[seat].bot]
    if not own:
        raise GameError("stand-in", "A bot plays for you.")
    return own


def _check_draw(story: Story, match: "Match") -> None:
    if not match.game.draws:
        raise GameError("no-draw", f"{match.game.title} knows no draw by agreement.")
    if not can_draw(story, match):
        raise GameError("no-draw", "Bots do not agree on draws.")


def can_draw(story: Story, match: "Match") -> bool:
    """Whether a draw can be offered: the game knows it, and no bot would have to agree."""
    return match.game.draws and not any(seat.bot for seat in story.seats)


def _check_offers(story: Story, seat: int) -> None:
    if story.asked.count(seat) >= OFFERS:
        raise enough("You have offered enough for now.")


def _takeback_seat(story: Story, own: list[int]) -> int:
    """The seat, of one's own, whose last move can be taken back."""
    if len(story.rewinds) >= REWINDS:
        raise enough("Enough was taken back in this match.")
    ply = _last_ply(story, own)
    if ply is None:
        raise GameError("nothing-to-undo", "You have not played a move that can be taken back.")
    if _is_drawn_since(story, ply):
        raise GameError(
            "nothing-to-undo", "Something was drawn or rolled since; that cannot be taken back."
        )
    seat = story.actors[ply]
    assert seat is not None
    if not story.created.takeback and not _is_within_turn(story, seat):
        raise GameError("no-takeback", "At this table nothing is taken back.")
    return seat


def can_take_back(story: Story, own: list[int]) -> bool:
    """Whether `_takeback_seat` finds one; asked for everybody who looks, so without errors."""
    ply = _last_ply(story, own)
    if ply is None or len(story.rewinds) >= REWINDS or _is_drawn_since(story, ply):
        return False
    return story.created.takeback or _is_within_turn(story, story.actors[ply])


def _last_ply(story: Story, own: list[int]) -> int | None:
    """Where one of these seats moved last, as far as moves can be taken back."""
    for ply in range(len(story.actors) - 1, story.first_ply - 1, -1):
        if story.actors[ply] in own:
            return ply
    return None


def _is_drawn_since(story: Story, ply: int) -> bool:
    return any(move.startswith("*") for move in story.moves[ply:])


def _is_within_turn(story: Story, seat: int | None) -> bool:
    """Whether the seat is in the middle of a turn: nobody else can have built on its move."""
    return story.actor == seat and bool(story.actors) and story.actors[-1] == seat


def reply(scene: Scene, person: Person, accept: bool) -> Decision:
    """Agree to what is offered, or decline it."""
    offer = scene.story.offer
    again = offer is not None and offer.kind == "rematch"
    if not again:
        scene.running()
    if offer is None:
        raise GameError("no-offer", "Nothing is offered.")
    own = scene.own_seats(person) if again else _playing(scene, person)
    if not accept:
        return Decision([e.Declined(own[0])])
    seats = [seat for seat in own if seat not in offer.agreed]
    if not seats:
        raise GameError("no-offer", "You have agreed already.")
    events: list[e.AnyEvent] = [e.Agreed(seat) for seat in seats]
    if again:
        return Decision(events)
    return _agreed(scene, events, offer.kind, offer.seat, [*offer.agreed, *seats])


def _agreed(
    scene: Scene, events: list[e.AnyEvent], kind: str, seat: int, agreed: list[int]
) -> Decision:
    """The events, and what was offered if nobody is left to ask."""
    story, match = scene.story, scene.running()
    asker = story.seats[seat].player
    asked = {
        number
        for number, other in enumerate(story.seats)
        if not other.bot and other.player != asker
    }
    if asked - set(agreed):
        return Decision(events)
    if kind == "draw":
        result = e.Result("agreed", [], match.scores(), [0] * len(story.seats))
        return Decision([*events, e.Ended(result)])
    return _take_back(story, match, seat, events)


def _take_back(story: Story, match: "Match", seat: int, events: list[e.AnyEvent]) -> Decision:
    """The events, then the match as it was before the seat's last move."""
    ply = max(number for number, actor in enumerate(story.actors) if actor == seat)
    after = match.copy()
    while after.ply > ply:
        after.undo()
    return Decision([*events, e.TookBack(ply, seat, after.scores())], after)
