"""A table as one watcher may see it. Hidden cards stay hidden because the match hides them."""

import time
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

from kwartet.core.fairness import commitment
from kwartet.server import messages as m
from kwartet.server.changing import change
from kwartet.server.conduct.choices import possible
from kwartet.server.conduct.scene import Person, Scene
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


Audience = tuple[Person | None, bool, Known]  # who sees the same as who knows the same


class Stage:
    """A table as it is now, and what watchers see of it, made once for all who see the same."""

    def __init__(
        self,
        scene: Scene,
        connected: set[str],
        watchers: int,
        preparing: m.Preparing | None,
        times: Times,
    ) -> None:
        self.set_up = time.monotonic()
        self._scene = scene
        self._connected = connected
        self._watchers = watchers
        self._preparing = preparing
        self._times = times
        story = scene.story
        self._concerned = {story.created.creator, *story.muted, *(s.player for s in story.seats)}
        self._seats: dict[str | None, list[m.SeatView]] = {}  # by the invitation in them
        self._views: dict[Audience, m.TableMessage] = {}
        # Encoded for whom who was told what, which is kept, so that no other has its id.
        self._messages: dict[tuple[Audience, int], tuple[m.TableMessage | None, str, bytes]] = {}

    def shown(
        self, person: Person | None, known: Known, steps: Callable[[], "list[Match]"]
    ) -> tuple[Audience, m.TableMessage]:
        """The table for this person (None: a stranger), but for what they know, and for whom else.

        `steps` tells the positions between the one they know and the present.
        """
        special = person if person and (person.id in self._concerned or person.blocks) else None
        audience = (special, person is None, known)
        if audience not in self._views:
            self._views[audience] = self._show(person, known, steps())
        return audience, self._views[audience]

    def encoded(self, audience: Audience, before: m.TableMessage | None) -> tuple[str, bytes]:
        """What the audience is shown, or what is new in it to who was told `before`."""
        place = (audience, id(before))
        if place not in self._messages:
            view = self._views[audience]
            told = (before and change(before, view)) or view
            kind = "whole" if told is view else "change"
            self._messages[place] = (before, kind, m.encode(told))
        return self._messages[place][1:]

    def _show(self, person: Person | None, known: Known, steps: "list[Match]") -> m.TableMessage:
        scene = self._scene
        story, created = scene.story, scene.story.created
        own = story.seats_of(person.id) if person else []
        creates = person is not None and person.id == created.creator
        invite = story.invitation if own or creates else None
        return m.TableMessage(
            id=story.id,
            version=story.version,
            now=self._times.now,
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
            seats=self._seats_with(invite),
            mine=own,
            may=possible(scene, person, invited=known.invited),
            watchers=self._watchers,
            host=story.host,
            invite=invite,
            offer=offer_view(story.offer),
            declined=declined_view(story.declined),
            chat=_heard_by(story, person, known.chat),
            chat_since=known.chat,
            muted=sorted(story.muted) if creates else [],
            match=_match(scene, own, known.ply, steps, self._times),
            result=result_view(story.result),
            preparing=self._preparing,
            trouble=_trouble(scene),
            rematch=story.rematch,
            origin=_origin(story),
            imported=created.imported,
        )

    def _seats_with(self, invite: str | None) -> list[m.SeatView]:
        if invite not in self._seats:
            story, left = self._scene.story, self._times.left
            seats = story.seat_views(connected=self._connected, invite=invite)
            if left is not None and story.actor is not None:
                seats[story.actor] = msgspec.structs.replace(seats[story.actor], left=left)
            self._seats[invite] = seats
        return self._seats[invite]


def _trouble(scene: Scene) -> m.Refused | None:
    return m.Refused(scene.trouble.code, scene.trouble.sentence) if scene.trouble else None


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
    scene: Scene, own: list[int], ply: int, steps: "list[Match]", times: Times
) -> m.MatchView | None:
    """The match as it looks from one's seat; several people at one device take turns."""
    match = scene.match
    if match is None:
        return None
    actor, seat = scene.story.actor, seat_shown(scene.story, own)
    since = ply if len(own) < 2 else 0  # these people know different things
    return m.MatchView(
        view=match.view(seat),
        hidden=bool(match.game.rules.SECRETS),
        legal=match.legal() if actor in own else [],
        since=since,
        log=match.log(seat, since),
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
