"""A table as its log tells it: who sits where, what was played, said and agreed.

It knows no rules and needs no kernels: every event says what is needed to go on from it,
so a table can be told, listed and rated before its rules are compiled, and even after
they have changed.
"""

from collections.abc import Iterator
from hmac import compare_digest
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from kwartet.core.fairness import seed_of
from kwartet.games import GAMES
from kwartet.server import events as e
from kwartet.server.messages import SeatView, TableState, TableSummary
from kwartet.server.views import clock_view, result_view

CHAT_KEPT: Final = 200  # lines that newcomers are shown
PLAYS_ON: Final = "casual"  # the level that moves for a seat which gave up


class Moment(msgspec.Struct, frozen=True):
    """When an entry of the log came to be."""

    at: float  # wall time
    time: float  # house time when what it carries out was wished
    decided: float  # house time when that was carried out


class Seat(msgspec.Struct, frozen=True):
    """A place at the table and who sits there."""

    kind: Literal["open", "invite", "person", "bot"]
    player: str | None = None
    name: str | None = None
    level: str | None = None  # of a bot
    stand_in: str | None = None  # the level that plays for an absent person
    resigned: bool = False
    left: float | None = None  # seconds on a live clock when the turn began

    @property
    def bot(self) -> str | None:
        """The level of the bot that moves here, if one does."""
        if self.kind == "bot":
            return self.level
        return PLAYS_ON if self.resigned else self.stand_in

    @property
    def is_taken(self) -> bool:
        """Whether somebody plays here."""
        return self.kind in ("person", "bot")

    @property
    def rated_as(self) -> str | None:
        """The player whom a result here counts for."""
        return f"bot:{self.level}" if self.kind == "bot" else self.player


class Offer(msgspec.Struct, frozen=True):
    """What a seat offers, and which seats have agreed."""

    kind: e.OfferKind
    seat: int
    agreed: tuple[int, ...]


class Declined(msgspec.Struct, frozen=True):
    """What was offered last and declined since."""

    kind: e.OfferKind
    seat: int


class Story(msgspec.Struct, frozen=True):
    """Everything the entries of the log have told so far. `with_entry` makes the next one."""

    id: str
    created: e.Created
    created_at: float
    version: int = 0  # the number of the last entry
    changed: float = 0.0
    seats: tuple[Seat, ...] = ()
    state: Literal["open", "running", "over"] = "open"
    moves: tuple[str, ...] = ()
    actors: tuple[int | None, ...] = ()  # by ply; None is chance
    actor: int | None = None
    scores: tuple[int, ...] | None = None  # as they stand, if the log tells
    turn_since: float = 0.0  # house time
    offer: Offer | None = None
    declined: Declined | None = None
    chat: tuple[e.Line, ...] = ()
    said: int = 0
    muted: frozenset[str] = frozenset()
    result: e.Result | None = None
    over_since: float | None = None
    rematch: str | None = None
    rewinds: tuple[tuple[int, int], ...] = ()  # version, ply
    rewritten: int = 0  # the last entry that tells of others before it written anew
    lot: tuple[int, ...] = ()  # which of the planned seats became which
    sitters: tuple[str, ...] = ()  # who sat down, each time they did
    renames: tuple[str, ...] = ()  # who was renamed, each time they were
    host_now: str | None = None  # what who opened the table is called, if that has changed
    asked: tuple[int, ...] = ()  # the seats that offered something since the last move
    mutes: int = 0  # how often a mouth was closed or opened
    stand_ins: int = 0  # how often a bot took over for somebody
    parts: tuple[str | None, ...] = ()  # what was added to the luck, by planned seat
    promised: frozenset[str] = frozenset()  # the players who will add a part

    @property
    def ply(self) -> int:
        """The index of the next move."""
        return len(self.moves)

    @property
    def first_ply(self) -> int:
        """The ply from which on the match was played at this table."""
        return self.created.origin.ply if self.created.origin else 0

    @property
    def seed(self) -> str:
        """What the luck of the match comes from, in hexadecimal; it stands once that has begun."""
        secret = self.created.secret
        return seed_of(bytes.fromhex(secret), self.parts).hex() if secret else self.created.seed

    @property
    def sealed(self) -> str:
        """What nobody may know before the end, and is sealed until then, in hexadecimal."""
        return self.created.secret or self.created.seed

    @property
    def takes_parts(self) -> bool:
        """Whether people may still add to the luck."""
        return self.state == "open" and bool(self.created.secret)

    @property
    def awaits_parts(self) -> bool:
        """Whether somebody who sits here has promised a part and not added it yet."""
        seated = {seat.player for seat in self.seats if seat.kind == "person" and seat.player}
        return self.takes_parts and any(
            self.part_of(player) is None for player in seated & self.promised
        )

    def part_of(self, player: str) -> str | None:
        """What somebody has added, before the match begins."""
        return next((self.parts[seat] for seat in self.seats_of(player) if self.parts[seat]), None)

    @property
    def parted(self) -> list[str]:
        """The players whose parts are in the luck of the match, which has begun."""
        there = zip(self.seats, self.lot, strict=True)
        return sorted(seat.player for seat, n in there if seat.player and self.parts[n] is not None)

    @property
    def ended_at(self) -> float | None:
        """When the match, being over, ended; None if nobody knows."""
        return self.created.at if self.created.imported else self.over_since

    @property
    def is_dropped(self) -> bool:
        """Whether the match was put away and counts nowhere."""
        return self.result is not None and self.result.reason == "dropped"

    @property
    def counts(self) -> bool:
        """Whether the result stands in histories and profiles; what was played on does not."""
        return not self.is_dropped and self.created.origin is None

    @property
    def is_full(self) -> bool:
        """Whether nobody is waited for."""
        return all(seat.is_taken for seat in self.seats)

    def seats_of(self, player: str | None) -> list[int]:
        """The seats on which this player sits."""
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.kind == "person" and seat.player == player and player is not None
        ]

    def seat_called(self, player: str, name: str) -> int | None:
        """The seat that the player has under this name; friends at their device have others."""
        own = self.seats_of(player)
        return next((number for number in own if self.seats[number].name == name), None)

    @property
    def host(self) -> str | None:
        """The name of who opened the table, as far as the log tells it."""
        if self.host_now is not None:
            return self.host_now
        seats = self.created.seats
        names = (plan.name for plan in seats if plan.player == self.created.creator)
        return self.created.host or next(names, None)

    @property
    def invitation(self) -> str | None:
        """The secret that lets one sit down, while a seat is kept for who has it."""
        if self.state != "open":
            return None
        kept = any(seat.kind == "invite" and seat.player is None for seat in self.seats)
        return next(self._invitations(), None) if kept else None

    def invites(self, secret: str | None) -> bool:
        """Whether this is an invitation to the table."""
        given = (secret or "").encode()
        return any(compare_digest(given, known.encode()) for known in self._invitations())

    def _invitations(self) -> Iterator[str]:
        """The table's own; where each seat had its own, all of them."""
        for secret in (self.created.invite, *(plan.invite for plan in self.created.seats)):
            if secret is not None:
                yield secret

    def known_ply(self, version: int, ply: int) -> int:
        """Up to where somebody's log still holds who knew `ply` moves at `version`."""
        most = len(self.moves)
        if not self.rewinds:
            return min(ply, most)
        return min(ply, most, *(to for number, to in self.rewinds if number > version))

    def deadline(self) -> float | None:
        """The house time at which the person to act has thought too long; None if there is none."""
        clock = self.created.clock
        if self.state != "running" or self.actor is None or clock is None:
            return None
        seat = self.seats[self.actor]
        if seat.bot:
            return None
        allowed = clock.seconds if clock.kind == "move" else seat.left
        return self.turn_since + (allowed or 0.0)

    @property
    def turn_until(self) -> float | None:
        """Until which house time the running turn lasts, where each turn has its time."""
        clock = self.created.clock
        return self.deadline() if clock and clock.kind == "move" else None

    def awaits_bot(self) -> bool:
        """Whether a bot is to act."""
        return (
            self.state == "running"
            and self.actor is not None
            and self.seats[self.actor].bot is not None
        )

    @property
    def awaited(self) -> str | None:
        """The person who is to act, if one is."""
        if self.state != "running" or self.actor is None or self.seats[self.actor].bot:
            return None
        return self.seats[self.actor].player

    # Telling ------------------------------------------------------------------------------

    def with_entry(self, number: int, at: float, body: e.Body) -> "Story":
        """The story with the next entry of the log."""
        story = replace(self, version=number, changed=at)
        time = at if body.time is None else body.time
        moment = Moment(at, time, max(time, body.decided or time))
        for event in body.events:
            story = story._with_event(event, moment)
        return story

    def _with_event(self, event: e.AnyEvent, moment: "Moment") -> "Story":
        match event:
            case e.Played():  # first, since most are
                return self._played(event, moment)
            case e.Created():
                return self
            case e.Sat(number, player, name, promised):
                story = self._seated(number, Seat("person", player, name))
                promises = self.promised | {player} if promised else self.promised
                return replace(story, sitters=(*self.sitters, player), promised=promises)
            case e.Parted(number, part):
                return self._parted(number, part)
            case e.Left(number):
                return self._seated(number, _seat(self._unseated(number)))._parted(number, None)
            case e.Filled(number, level):
                return self._seated(number, Seat("bot", level=level))
            case e.Started():
                return self._started(event, moment)
            case e.Offered(kind, number):
                offer, asked = Offer(kind, number, (number,)), (*self.asked, number)
                return replace(self, offer=offer, declined=None, asked=asked)
            case e.Agreed(number):
                return replace(self, offer=self._agreed(number))
            case e.Declined(number):
                return replace(self, offer=None, declined=self._declined(number))
            case e.TookBack(ply, actor, scores):
                within = actor == self.actor
                return replace(
                    self if within or self.actor is None else self._charged(self.actor, moment),
                    moves=self.moves[:ply],
                    actors=self.actors[:ply],
                    rewinds=(*self.rewinds, (self.version, ply)),
                    offer=None,
                    declined=None,
                    asked=(),
                    actor=actor,
                    scores=_scores(scores),
                    turn_since=self.turn_since if within else self._next_turn(moment),
                )
            case e.Resigned(number):
                return self._seated(number, replace(self.seats[number], resigned=True))
            case e.HandedOver(number, level):
                story = self._seated(number, replace(self.seats[number], stand_in=level))
                return replace(story, stand_ins=self.stand_ins + 1)
            case e.Returned(number):
                return self._seated(number, replace(self.seats[number], stand_in=None))
            case e.Said(player, name, text):
                line = e.Line(self.said + 1, moment.at, player, name, text)
                lines = (line,) if text else ()  # nothing: it was deleted
                return replace(self, said=line.number, chat=(*self.chat, *lines)[-CHAT_KEPT:])
            case e.Renamed(player, before, name):
                return self._renamed(player, before, name)
            case e.Muted(player, muted):
                silent = self.muted | {player} if muted else self.muted - {player}
                return replace(self, muted=silent, mutes=self.mutes + 1)
            case e.Ended(result):
                return self._over(result)
            case e.Dropped():
                return self._dropped()
            case e.Rematched(table):
                return replace(self, rematch=table, offer=None)
            case e.Rewritten():
                return replace(self, rewritten=self.version)

    def _seated(self, number: int, seat: Seat) -> "Story":
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def _renamed(self, player: str, before: str, name: str) -> "Story":
        """With another name at the seat, one at most, that the player has under this one."""
        story = replace(self, renames=(*self.renames, player))
        if player == self.created.creator and self.host == before:
            story = replace(story, host_now=name)
        number = self.seat_called(player, before)
        return (
            story
            if number is None
            else story._seated(number, replace(self.seats[number], name=name))
        )

    def _parted(self, number: int, part: str | None) -> "Story":
        return replace(self, parts=(*self.parts[:number], part, *self.parts[number + 1 :]))

    def _unseated(self, number: int) -> e.SeatPlan:
        """The plan for a seat that becomes free again."""
        plan = self.created.seats[number]
        return plan if plan.kind in ("open", "invite") else e.SeatPlan("open")

    def _started(self, event: e.Started, moment: "Moment") -> "Story":
        clock = self.created.clock
        left = float(clock.seconds) if clock and clock.kind == "live" else None
        seats = tuple(replace(self.seats[planned], left=left) for planned in event.lot)
        return replace(
            self,
            seats=seats,
            lot=tuple(event.lot),
            state="running",
            moves=(*self.moves, *event.moves),
            actors=(*self.actors, *_actors(event.moves, None)),
            actor=event.actor,
            scores=_scores(event.scores),
            turn_since=moment.decided,
        )

    def _played(self, event: e.Played, moment: "Moment") -> "Story":
        clock = self.created.clock
        more = clock.increment if clock and event.actor != event.seat else 0
        story = self._charged(event.seat, moment, more, event.thought)
        goes_on = event.actor == event.seat and len(self.seats) > 1
        same = clock is not None and clock.kind == "move" and goes_on
        since = self.turn_since if same else self._next_turn(moment)
        return replace(
            story,
            moves=(*self.moves, *event.moves),
            actors=(*self.actors, *_actors(event.moves, event.seat)),
            offer=None,
            declined=None,
            asked=(),
            actor=event.actor,
            scores=_scores(event.scores),
            turn_since=since,
        )

    def _charged(
        self, number: int, moment: "Moment", more: float = 0.0, thought: float | None = None
    ) -> "Story":
        """With the time since the turn began, or what a bot thought, taken from a live clock."""
        seat = self.seats[number]
        if seat.left is None or (seat.bot and thought is None):
            return self
        used = max(0.0, moment.time - self.turn_since) if thought is None else thought
        return self._seated(number, replace(seat, left=max(0.0, seat.left - used) + more))

    def _next_turn(self, moment: "Moment") -> float:
        """The house time at which a turn begins; what was carried out late is no one's loss."""
        return max(moment.decided, self.turn_since)

    def _agreed(self, number: int) -> Offer | None:
        if self.offer is None:
            return None
        agreed = tuple(sorted({*self.offer.agreed, number}))
        return Offer(self.offer.kind, self.offer.seat, agreed)

    def _dropped(self) -> "Story":
        scores = list(self.scores or [0] * len(self.seats))
        result = e.Result("dropped", [], scores, [0] * len(self.seats))
        return self._over(result)

    def _over(self, result: e.Result) -> "Story":
        ended = replace(self, state="over", actor=None, offer=None, declined=None, asked=())
        return replace(ended, result=completed(result), over_since=self.changed)

    def _declined(self, number: int | None) -> Declined | None:
        if self.offer is None or number is None:
            return None
        return Declined(self.offer.kind, number)

    # Showing ------------------------------------------------------------------------------

    def seat_views(self, *, connected: set[str], invite: str | None = None) -> list[SeatView]:
        """The seats as everybody sees them; with the invitation for those who may know it."""
        return [
            SeatView(
                kind=seat.kind,
                name=seat.name,
                player=seat.rated_as if seat.is_taken else None,
                level=seat.bot,
                connected=seat.player in connected,
                stand_in=seat.stand_in is not None,
                resigned=seat.resigned,
                left=seat.left,
                invite=invite if seat.kind == "invite" and seat.player is None else None,
            )
            for seat in self.seats
        ]

    def summary(self) -> TableSummary:
        """The table in a list."""
        return TableSummary(
            id=self.id,
            game=self.created.game,
            options=self.created.options,
            state=self.shown_state,
            created=self.created_at,
            changed=self.changed,
            listed=self.created.listed,
            rated=self.created.rated,
            clock=clock_view(self.created.clock),
            seats=self.seat_views(connected=set()),
            actor=self.actor,
            deadline=self.turn_until,
            scores=None if self.scores is None else list(self.scores),
            ply=self.ply,
            title=title_of(self.created.game),
            result=result_view(self.result),
            imported=self.created.imported,
        )

    @property
    def shown_state(self) -> TableState:
        """The state, with a table that could start but for its rules told apart."""
        return "preparing" if self.state == "open" and self.is_full else self.state


def begin(table: str, number: int, at: float, body: e.Body) -> Story:
    """The story of a table whose first entry this is."""
    created = body.events[0]
    assert isinstance(created, e.Created)
    seats = tuple(_seat(plan) for plan in created.seats)
    story = Story(
        table,
        created,
        at,
        seats=seats,
        chat=tuple(line for line in created.chat if line.text),
        said=len(created.chat),
        muted=frozenset(created.muted),
        parts=(None,) * len(seats),
        promised=frozenset(created.promised),
    )
    return story.with_entry(number, at, body)


def title_of(game: str) -> str:
    """The game's title; of one that is not installed here, its key."""
    return GAMES[game].title if game in GAMES else game


def completed(result: e.Result) -> e.Result:
    """The result with the outcome of each seat, which earlier logs do not tell.

    Nobody wins a draw by agreement, though the same logs list all as winners.
    """
    agreed = result.reason == "agreed"
    outcomes = [_outcome(result, place) for place in result.places]
    return replace(result, winners=[] if agreed else result.winners, outcomes=outcomes)


def _outcome(result: e.Result, place: int) -> e.Outcome:
    if result.reason == "dropped":
        return "dropped"
    if len(result.places) == 1:
        return "alone"
    if result.reason == "agreed":
        return "drawn"
    if place:
        return "lost"
    return "won" if result.places.count(0) == 1 else "shared"


def _actors(moves: list[str], seat: int | None) -> list[int | None]:
    """Who made each of a seat's moves: the seat, or chance."""
    return [None if move.startswith("*") else seat for move in moves]


def _scores(scores: list[int] | None) -> tuple[int, ...] | None:
    return None if scores is None else tuple(scores)


def _seat(plan: e.SeatPlan) -> Seat:
    return Seat(plan.kind, plan.player, plan.name, plan.level)
