"""A table as one watcher may see it. Hidden cards stay hidden because the match hides them."""

import time
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from kwartet.core.fairness import commitment
from kwartet.server import messages as m
from kwartet.server.changing import change
from kwartet.server.conduct.choices import Choices
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
        before: "Stage | None" = None,
    ) -> None:
        """Set it up; what has not changed is taken over from the stage before."""
        self.set_up = time.monotonic()
        self._scene = scene
        self._connected = connected
        self._times = times
        self._choices = Choices(scene)
        story = scene.story
        self._concerned = {story.created.creator, *story.muted, *(s.player for s in story.seats)}
        self._seats: dict[str | None, list[m.SeatView]] = {}  # by the invitation in them
        self._boards: dict[int | None, Any] = {}  # the match's view, by the seat it is seen from
        self._views: dict[Audience, m.TableMessage] = {}
        # Encoded for whom who was told what, which is kept, so that no other has its id.
        self._messages: dict[tuple[Audience, int], tuple[m.TableMessage | None, str, bytes]] = {}
        if before and before._scene.story.seats is story.seats:
            self._take_seats(before)
        kept = before if before and before._scene.story.created is story.created else None
        self._common: m.TableMessage = replace(
            kept._common if kept else _outline(story),
            version=story.version,
            now=times.now,
            state=story.shown_state,
            seats=self._seats_with(None),
            watchers=watchers,
            host=story.host,
            offer=offer_view(story.offer),
            declined=declined_view(story.declined),
            result=result_view(story.result),
            preparing=preparing,
            trouble=_trouble(scene),
            rematch=story.rematch,
        )

    def _take_seats(self, before: "Stage") -> None:
        """Show the seats of the stage before, if nothing about them has changed."""
        if self._connected == before._connected and self._times.left == before._times.left is None:
            self._seats = before._seats

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
        story = self._scene.story
        own = story.seats_of(person.id) if person else []
        creates = person is not None and person.id == story.created.creator
        invite = story.invitation if own or creates else None
        return replace(
            self._common,
            seats=self._seats_with(invite),
            mine=own,
            may=self._choices.possible(person, own, invited=known.invited),
            invite=invite,
            chat=_heard_by(story, person, known.chat),
            chat_since=known.chat,
            muted=sorted(story.muted) if creates else [],
            match=self._match(own, known.ply, steps),
        )

    def _match(self, own: list[int], ply: int, steps: "list[Match]") -> m.MatchView | None:
        """The match as it looks from one's seat; several people at one device take turns."""
        scene, times = self._scene, self._times
        story, match = scene.story, scene.match
        if match is None:
            return None
        seat = seat_shown(story, own)
        since = ply if len(own) < 2 else 0  # these people know different things
        return m.MatchView(
            view=self._board(match, seat),
            hidden=match.game.rules.SECRETS,
            legal=match.legal() if story.actor in own else [],
            since=since,
            log=match.log(seat, since),
            turn_since=times.turn_since,
            deadline=times.deadline,
            steps=[m.StepView(s.ply, _mover(story, s.ply), s.view(seat)) for s in steps],
        )

    def _board(self, match: "Match", seat: int | None) -> Any:
        """The match's view from a seat; where nobody has secrets all see the same."""
        if seat not in self._boards:
            if self._boards and not match.game.rules.SECRETS:
                self._boards[seat] = next(iter(self._boards.values())) | {"seat": seat}
            else:
                self._boards[seat] = match.view(seat)
        return self._boards[seat]

    def _seats_with(self, invite: str | None) -> list[m.SeatView]:
        if invite not in self._seats:
            story, left = self._scene.story, self._times.left
            seats = story.seat_views(connected=self._connected, invite=invite)
            if left is not None and story.actor is not None:
                seats[story.actor] = replace(seats[story.actor], left=left)
            self._seats[invite] = seats
        return self._seats[invite]


def _outline(story: Story) -> m.TableMessage:
    """What never changes at a table, with nothing in place of the rest."""
    created = story.created
    return m.TableMessage(
        id=story.id,
        version=0,
        now=0.0,
        game=created.game,
        title=title_of(created.game),
        options=created.options,
        rules=created.rules,
        state="open",
        created=story.created_at,
        creator=created.creator,
        listed=created.listed,
        rated=created.rated,
        takeback=created.takeback,
        hints=created.hints,
        order=created.order,
        clock=clock_view(created.clock),
        commitment=_commitment(story.sealed),
        seats=[],
        mine=[],
        may=[],
        watchers=0,
        origin=_origin(story),
        imported=created.imported,
    )


def _trouble(scene: Scene) -> m.Refused | None:
    return m.Refused(scene.trouble.code, scene.trouble.sentence) if scene.trouble else None


def _heard_by(story: Story, person: Person | None, known: int) -> list[m.ChatLine]:
    """What was said since, but for those whom the person does not want to hear."""
    if known >= story.said:
        return []
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


def _mover(story: Story, ply: int) -> int | None:
    """The seat that moved last before this ply, if one did."""
    return next((seat for seat in reversed(story.actors[:ply]) if seat is not None), None)


def seat_shown(story: Story, own: list[int]) -> int | None:
    """From which seat a person with these seats sees the match; None: as a spectator."""
    return own[0] if len(own) == 1 else story.actor if story.actor in own else None
