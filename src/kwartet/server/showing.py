"""A table as one watcher may see it. Hidden cards stay hidden because the match hides them."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

from kwartet.core.fairness import commitment
from kwartet.server import messages as m
from kwartet.server.conduct import Person, Scene, possible
from kwartet.server.story import Story, title_of
from kwartet.server.views import clock_view, declined_view, line_view, offer_view, result_view

if TYPE_CHECKING:
    from kwartet.core.match import Match


class Known(msgspec.Struct, frozen=True):
    """What a watcher knows already."""

    ply: int = 0  # of the log
    chat: int = 0
    shown: int | None = None  # the ply of the position shown last; None: only the present counts
    invited: bool = False  # whether they have the table's invitation


STRANGE: Final = Known()


class Times(msgspec.Struct, frozen=True):
    """What people's clocks show, as wall time."""

    now: float
    turn_since: float | None  # None: no clock runs
    deadline: float | None  # until when the turn lasts, where each turn has its time
    left: float | None  # seconds that the seat to act has, if its clock stands


def show(
    scene: Scene,
    person: Person | None,
    known: Known,
    connected: set[str],
    watchers: int,
    preparing: m.Preparing | None,
    steps: "list[Match]",
    times: Times,
) -> m.TableMessage:
    """The table for this person (None: a stranger), but for what they know."""
    story, created = scene.story, scene.story.created
    own = story.seats_of(person.id) if person else []
    creates = person is not None and person.id == created.creator
    invite = story.invitation if own or creates else None
    seats = story.seat_views(connected=connected, invite=invite)
    if times.left is not None and story.actor is not None:
        seats[story.actor] = msgspec.structs.replace(seats[story.actor], left=times.left)
    return m.TableMessage(
        id=story.id,
        version=story.version,
        now=times.now,
        game=created.game,
        title=title_of(created.game),
        options=created.options,
        rules=created.rules,
        state=story.shown_state,
        created=story.created_at,
        creator=created.creator,
        listed=created.listed,
        rated=created.rated,
        takeback=created.takeback,
        hints=created.hints,
        order=created.order,
        clock=clock_view(created.clock),
        commitment=_commitment(story.sealed),
        seats=seats,
        mine=own,
        may=possible(scene, person, invited=known.invited),
        watchers=watchers,
        host=story.host,
        invite=invite,
        offer=offer_view(story.offer),
        declined=declined_view(story.declined),
        chat=_heard_by(story, person, known.chat),
        chat_since=known.chat,
        muted=sorted(story.muted) if creates else [],
        match=_match(scene, scene.match, own, known.ply, steps, times) if scene.match else None,
        result=result_view(story.result),
        preparing=preparing,
        trouble=m.Refused(scene.trouble.code, scene.trouble.sentence) if scene.trouble else None,
        rematch=story.rematch,
        origin=_origin(story),
        imported=created.imported,
    )


def _heard_by(story: Story, person: Person | None, known: int) -> list[m.ChatLine]:
    """What was said since, but for those whom the person does not want to hear."""
    blocked = person.blocks if person else frozenset()
    return [
        line_view(line) for line in story.chat if line.number > known and line.player not in blocked
    ]


@lru_cache(1024)
def _commitment(secret: str) -> str:
    return commitment(bytes.fromhex(secret)) if secret else ""


def _origin(story: Story) -> m.OriginView | None:
    """Where the match goes on from, if that is a table of this server."""
    origin = story.created.origin
    if origin is None or story.created.imported:
        return None
    return m.OriginView(origin.table, origin.ply, "same" if origin.same else "anew")


def _match(
    scene: Scene, match: "Match", own: list[int], ply: int, steps: "list[Match]", times: Times
) -> m.MatchView:
    """The match as it looks from one's seat; several people at one device take turns."""
    actor, seat = scene.story.actor, seat_shown(scene.story, own)
    since = ply if len(own) < 2 else 0  # these people know different things
    return m.MatchView(
        view=match.view(seat),
        hidden=bool(match.game.rules.SECRETS),
        legal=match.legal() if actor in own else [],
        since=since,
        log=match.log(seat)[since:],
        turn_since=times.turn_since,
        deadline=times.deadline,
        steps=[m.StepView(s.ply, _mover(scene.story, s.ply), s.view(seat)) for s in steps],
    )


def _mover(story: Story, ply: int) -> int | None:
    """The seat that moved last before this ply, if one did."""
    return next((seat for seat in reversed(story.actors[:ply]) if seat is not None), None)


def seat_shown(story: Story, own: list[int]) -> int | None:
    """From which seat a person with these seats sees the match; None: as a spectator."""
    return own[0] if len(own) == 1 else story.actor if story.actor in own else None
