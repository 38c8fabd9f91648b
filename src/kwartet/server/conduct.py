"""What may be done at a table: a wish and the table's story become events, or a refusal.

Nothing here changes anything. `decide` says what would happen; the table stores that and
only then lets it happen.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from kwartet.core.errors import GameError, quoted
from kwartet.core.fairness import draw_lot, is_part
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.archive import fresh_match
from kwartet.server.story import Seat, Story

if TYPE_CHECKING:  # compiled rules are loaded in the background
    from kwartet.core.match import Match


class Person(msgspec.Struct, frozen=True):
    """Somebody with an identity."""

    id: str
    name: str
    blocks: frozenset[str] = frozenset()  # players whom they do not want to hear


class Decision(msgspec.Struct, frozen=True):
    """What is to happen, and how the match stands then if it changes."""

    events: list[e.AnyEvent]
    match: "Match | None" = None


# Whatever somebody can append is bounded; the match itself can always go on and end.
LINES: Final = 2_000  # that are said at a table
ONLOOKERS_LINES: Final = 1_500  # after which only those who sit there speak
MUTES: Final = 200
OFFERS: Final = 5  # of a seat between two moves
REWINDS: Final = 300  # of a match
SITTINGS: Final = 20  # of one person before the match
ALL_SITTINGS: Final = 500
STAND_INS: Final = 200

NOTHING: Final = Decision([])
NOBODY: Final = Person("", "")  # a stranger, for whom no seat is kept


class Scene(msgspec.Struct, frozen=True):
    """What a wish is judged by."""

    story: Story
    match: "Match | None"  # None until the rules are ready
    time: float  # of the house, when the wish came in
    is_overdue: bool  # whether the person to act has thought too long
    is_away: Callable[[int], bool]  # whether the person of a seat has been away for long
    trouble: GameError | None = None  # why the match cannot go on

    def running(self) -> "Match":
        """The match; GameError if none is running."""
        if self.story.state == "over":
            raise GameError("game-over", "The match is over.")
        return self.seen()

    def seen(self) -> "Match":
        """The match, also when it is over; GameError if there is none to be seen."""
        if self.story.state == "open":
            raise GameError("not-started", "The match has not started yet.")
        if self.trouble:
            raise self.trouble
        if self.match is None:
            raise GameError("preparing", "The rules are still being compiled; it goes on soon.")
        return self.match

    def scores(self) -> list[int]:
        """The scores of the match, also of one that cannot be replayed; GameError if none runs."""
        if self.trouble is None or self.story.state != "running":
            return self.running().scores()
        return list(self.story.scores or [0] * len(self.story.seats))

    def own_seats(self, person: Person) -> list[int]:
        """The seats of a person; GameError if there are none."""
        seats = self.story.seats_of(person.id)
        if not seats:
            raise GameError("not-seated", "Only those who sit at the table can do that.")
        return seats


def decide(scene: Scene, person: Person, command: m.AnyCommand) -> Decision:
    """What the command would do; GameError if it may not be done now."""
    if scene.is_overdue and not isinstance(command, m.Chat | m.Mute):
        raise GameError("time-out", "The time of the seat to act is up.")
    match command:
        case m.Play():
            return _play(scene, person, command)
        case m.Sit():
            return _sit(scene, person, command)
        case m.Shuffle(part=part):
            return _shuffle(scene, person, part)
        case m.Leave():
            return _leave(scene, person)
        case m.Start(level=level):
            return _start(scene, person, level)
        case m.Offer(kind=kind):
            return _offer(scene, person, kind)
        case m.Reply(accept=accept):
            return _reply(scene, person, accept)
        case m.Resign(seat=seat):
            return _resign(scene, person, seat)
        case m.HandOver(seat=seat, level=level):
            return _hand_over(scene, person, seat, level)
        case m.Return():
            return _return(scene, person)
        case m.Chat(text=text):
            return _chat(scene, person, text)
        case m.Mute(player=player, muted=muted):
            return _mute(scene, person, player, muted)
        case m.Hint():
            return _hint(scene, person)
        case m.Solve():
            judged_match(scene, person)
            return NOTHING  # the table has it solved


# Before the match -----------------------------------------------------------------------


def _sit(scene: Scene, person: Person, command: m.Sit) -> Decision:
    story = scene.story
    if story.state != "open":
        raise GameError("started", "The match has started; you can watch it.")
    if story.seats_of(person.id):
        raise GameError("seated", "You sit at this table already.")
    kept = [number for number, seat in enumerate(story.seats) if seat.player == person.id]
    if kept and command.seat is None:  # several, where friends share a device
        names = {n: story.seats[n].name or person.name for n in kept}
        return Decision([e.Sat(n, person.id, names[n], command.promise) for n in kept])
    if story.sitters.count(person.id) >= SITTINGS or len(story.sitters) >= ALL_SITTINGS:
        raise _enough("You have sat down at this table often enough.")
    number = _free_seat(story, person, command.seat, invited=story.invites(command.invite))
    return Decision([e.Sat(number, person.id, person.name, command.promise)])


def _free_seat(story: Story, person: Person, wanted: int | None, *, invited: bool) -> int:
    """The seat that the person may take; of several the first that is meant for them."""
    seats = story.seats
    for kind in ("invite", "open"):
        for number in range(len(seats)) if wanted is None else [wanted]:
            if number >= len(seats) or seats[number].kind != kind:
                continue
            if kind == "open" or _is_kept_for(seats[number], person, invited):
                return number
    if wanted is None:
        raise GameError("no-seat", "There is no free seat for you at this table.")
    if wanted >= len(seats):
        raise GameError("unknown-seat", f"There is no seat {wanted} at this table.")
    if seats[wanted].kind == "invite":
        raise GameError("not-invited", f"Seat {wanted} is kept for somebody else.")
    raise GameError("seat-taken", f"Seat {wanted} is taken.")


def _is_kept_for(seat: Seat, person: Person, invited: bool) -> bool:
    """Whether a seat that is kept is for this person, who may have the invitation."""
    return invited if seat.player is None else seat.player == person.id


def _can_sit(story: Story, person: Person | None, invited: bool) -> bool:
    try:
        _free_seat(story, person or NOBODY, None, invited=invited)
    except GameError:
        return False
    return True


def _shuffle(scene: Scene, person: Person, part: str) -> Decision:
    """Add a person's part to the luck; who has several seats here does it for the first."""
    story, own = scene.story, scene.own_seats(person)
    given = story.part_of(person.id) if story.state == "open" else None
    if given == part:
        return NOTHING
    if given is not None:
        raise GameError("part-given", "You have added your part to the luck already.")
    if story.state != "open":
        raise GameError("started", "The match has started; its luck is settled.")
    if not story.takes_parts:
        raise GameError("no-parts", "The luck of this match was settled before.")
    if not is_part(part):
        raise GameError("bad-request", "A part has 1 to 64 letters that can be printed.")
    return Decision([e.Parted(own[0], part)])


def _leave(scene: Scene, person: Person) -> Decision:
    seats = scene.own_seats(person)
    if scene.story.state != "open":
        raise GameError("started", "The match has started; you can resign.")
    return Decision([e.Left(seat) for seat in seats])


def _start(scene: Scene, person: Person, level: str) -> Decision:
    story = scene.story
    if story.state != "open":
        raise GameError("started", "The match has started already.")
    if person.id != story.created.creator:
        raise GameError("not-yours", "Who opened the table starts the match.")
    free = [number for number, seat in enumerate(story.seats) if not seat.is_taken]
    twins = len(free) > 1 or (free and any(seat.level == level for seat in story.seats))
    if story.created.rated and twins:  # they would be rated against themselves
        raise GameError("not-ratable", "In a rated match no two bots may have the same level.")
    if not any(seat.kind == "person" for seat in story.seats):
        raise GameError("not-seated", "Somebody must sit at the table.")
    return Decision([e.Filled(number, level) for number in free])


def _enough(sentence: str) -> GameError:
    """What is refused so that no log grows without end."""
    return GameError("enough", sentence)


async def begun(story: Story) -> Decision:
    """Start the match of a table where all seats are taken. Its rules must be ready.

    Where it goes on from another much is played at once, beside the event loop.
    """
    return await asyncio.to_thread(_begin, story) if story.created.origin else _begin(story)


def _begin(story: Story) -> Decision:
    created = story.created
    lot = list(range(len(story.seats)))
    if created.order == "lot":
        lot = draw_lot(bytes.fromhex(story.seed), len(lot))
    match = fresh_match(story)
    events = as_events(match, created.origin.moves if created.origin else [], lot)
    if match.actor is None:  # what was drawn anew ended it
        events.append(e.Ended(_outcome(story, match)))
    return Decision(events, match)


def as_events(
    match: "Match", moves: Sequence[str], lot: list[int], *, draws: bool = True
) -> list[e.AnyEvent]:
    """Moves that are played at the beginning of a match, as events; with chance drawn after them.

    The match is before its first move and is then after the last. The moves are known to be legal.
    """
    from kwartet.core.verbs import CHANCE

    events: list[e.AnyEvent] = []
    seat, since = None, 0

    def close() -> None:
        made, actor, scores = match.moves[since:], match.actor, match.scores()
        if seat is None:
            assert actor is not None
            events.append(e.Started(lot, made, actor, scores))
        else:
            events.append(e.Played(seat, made, actor, scores))

    for move in moves:
        if match.actor != CHANCE:
            close()
            seat, since = match.actor, match.ply
        match.follow([move])
    if draws:
        match.resume_chance()
    close()
    return events


# The match ------------------------------------------------------------------------------


def _play(scene: Scene, person: Person, command: m.Play) -> Decision:
    match = scene.running()
    seats = scene.own_seats(person)
    seat = match.actor if match.actor in seats else seats[0]
    assert seat is not None
    if scene.story.seats[seat].bot:
        raise GameError("stand-in", "A bot plays for you; take your seat back first.")
    return play(scene.story, match, seat, command.move, ply=command.ply)


def play(
    story: Story,
    match: "Match",
    seat: int,
    move: str | int,
    *,
    ply: int,
    thought: float | None = None,
) -> Decision:
    """A move, the chance it causes, and the end of the match if it is that.

    `thought` are the seconds that it takes from a bot's clock.
    """
    after = match.copy()
    after.play(move, seat=seat, ply=ply)
    moves = after.moves[match.ply :]
    events: list[e.AnyEvent] = [e.Played(seat, moves, after.actor, after.scores(), thought)]
    if after.actor is None:
        events.append(e.Ended(_outcome(story, after)))
    return Decision(events, after)


def _outcome(story: Story, match: "Match") -> e.Result:
    """How a match that was played out ended; who was away at the end comes last."""
    winners, scores = match.winners(), match.scores()
    merits = [
        (not seat.resigned and seat.stand_in is None, number in winners, scores[number])
        for number, seat in enumerate(story.seats)
    ]
    return e.Result("played", winners, scores, places(merits))


def places(merits: Sequence[tuple[int, ...]]) -> list[int]:
    """By seat, how many have done better."""
    return [sum(other > merit for other in merits) for merit in merits]


def is_overdue(story: Story, time: float) -> bool:
    """Whether the person to act has thought too long."""
    deadline = story.deadline()
    return deadline is not None and time > deadline


def time_out(scene: Scene) -> Decision:
    """What happens to a seat whose time is up."""
    assert scene.story.actor is not None
    return _give_up(scene, scene.story.actor, "time")


def _resign(scene: Scene, person: Person, seat: int | None) -> Decision:
    scene.scores()
    own = [number for number in scene.own_seats(person) if not scene.story.seats[number].resigned]
    if seat is None:
        seat = scene.story.actor if scene.story.actor in own else next(iter(own), None)
    if seat is None or seat not in own:
        raise GameError("not-yours", "That is not a seat you can give up.")
    return _give_up(scene, seat, "resigned")


def _give_up(scene: Scene, seat: int, reason: str) -> Decision:
    """The seat is out; the match ends when fewer than two are left in it."""
    story, scores = scene.story, scene.scores()
    gone: list[e.AnyEvent] = [e.Resigned(seat, "time" if reason == "time" else "resigned")]
    left = [
        number for number, other in enumerate(story.seats) if number != seat and not other.resigned
    ]
    if len(left) > 1 and any(story.seats[number].kind == "person" for number in left):
        return Decision(gone)
    places = [0 if number in left else 1 for number in range(len(story.seats))]
    result = e.Result("time" if reason == "time" else "resigned", left, scores, places)
    return Decision([*gone, e.Ended(result)])


def drop(scene: Scene, person: Person) -> Decision:
    """Put away a match in which no other people are; GameError if there are."""
    story = scene.story
    if story.is_dropped:
        return NOTHING
    own = scene.own_seats(person)
    if story.state == "over":
        raise GameError("game-over", "The match is over.")
    if story.created.rated:
        raise GameError("not-yours", "A rated match counts; you can resign.")
    if not _is_alone(story, own):
        raise GameError("not-yours", "Other people sit at this table; you can resign.")
    return Decision([e.Dropped()])


def abandoned(scene: Scene, after: float) -> Decision:
    """Put away a match without a clock where nothing has happened for so many seconds.

    Where it was rated who is to act has lost; else losing could be avoided by going away.
    """
    story = scene.story
    quiet = time.time() - story.changed
    if story.state != "running" or story.created.clock or quiet < after:
        return NOTHING
    if story.created.rated and story.awaited and scene.match:
        assert story.actor is not None
        return _give_up(scene, story.actor, "time")
    return Decision([e.Dropped()])


def _is_alone(story: Story, own: list[int]) -> bool:
    """Whether nobody else sits here but bots."""
    people = [number for number, seat in enumerate(story.seats) if seat.kind == "person"]
    return people == own


# Offers ---------------------------------------------------------------------------------


def _offer(scene: Scene, person: Person, kind: str) -> Decision:
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
    if not _can_draw(story, match):
        raise GameError("no-draw", "Bots do not agree on draws.")


def _can_draw(story: Story, match: "Match") -> bool:
    return match.game.draws and not any(seat.bot for seat in story.seats)


def _check_offers(story: Story, seat: int) -> None:
    if story.asked.count(seat) >= OFFERS:
        raise _enough("You have offered enough for now.")


def _takeback_seat(story: Story, own: list[int]) -> int:
    """The seat, of one's own, whose last move can be taken back."""
    if len(story.rewinds) >= REWINDS:
        raise _enough("Enough was taken back in this match.")
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


def _can_take_back(story: Story, own: list[int]) -> bool:
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


def _reply(scene: Scene, person: Person, accept: bool) -> Decision:
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


# Absence --------------------------------------------------------------------------------


def _hand_over(scene: Scene, person: Person, seat: int, level: str) -> Decision:
    scene.running()
    own = scene.own_seats(person)
    seats = scene.story.seats
    if seat >= len(seats):
        raise GameError("unknown-seat", f"There is no seat {seat} at this table.")
    if seats[seat].bot:
        raise GameError("stand-in", "A bot plays there already.")
    if scene.story.created.clock or scene.story.created.rated:
        raise GameError("not-away", "Bots take over where nothing is rated and no clock runs.")
    if seat not in own and not scene.is_away(seat):
        raise GameError("not-away", "A bot can take over when somebody has been away for a while.")
    if scene.story.stand_ins >= STAND_INS:
        raise _enough("Bots have taken over at this table often enough.")
    return Decision([e.HandedOver(seat, level)])


def _return(scene: Scene, person: Person) -> Decision:
    scene.running()
    seats = [
        seat for seat in scene.own_seats(person) if scene.story.seats[seat].stand_in is not None
    ]
    if not seats:
        raise GameError("no-stand-in", "No bot plays for you.")
    return Decision([e.Returned(seat) for seat in seats])


# Advice ---------------------------------------------------------------------------------


def _hint(scene: Scene, person: Person) -> Decision:
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


# Talk -----------------------------------------------------------------------------------


def _chat(scene: Scene, person: Person, text: str) -> Decision:
    if person.id in scene.story.muted:
        raise GameError("muted", "Who opened this table does not let you speak here.")
    story = scene.story
    if story.said >= (LINES if story.seats_of(person.id) else ONLOOKERS_LINES):
        raise _enough("Enough has been said at this table.")
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not line:
        raise GameError("bad-request", "There is nothing to say in that.")
    return Decision([e.Said(person.id, person.name, line)])


def _mute(scene: Scene, person: Person, player: str, muted: bool) -> Decision:
    if person.id != scene.story.created.creator:
        raise GameError("not-yours", "Only who opened the table can do that.")
    if player == person.id:
        raise GameError("bad-request", f"{quoted(player)} is yourself.")
    if (player in scene.story.muted) == muted:
        return NOTHING
    if scene.story.mutes >= MUTES:
        raise _enough("Mouths were closed and opened often enough at this table.")
    return Decision([e.Muted(player, muted)])


# What makes sense -----------------------------------------------------------------------


def possible(scene: Scene, person: Person | None, *, invited: bool = False) -> list[str]:
    """The commands that make sense for this watcher now, offers by their kind."""
    story = scene.story
    own = story.seats_of(person.id) if person else []
    may = [] if person is None or person.id in story.muted else ["chat"]
    if person and story.created.creator == person.id:
        may.append("mute")
    if story.state == "open":
        may += ["leave"] if own else ["sit"] * _can_sit(story, person, invited)
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
    if own and story.state != "over" and not story.created.rated and _is_alone(story, own):
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


def is_judged(story: Story, match: "Match") -> bool:
    """Whether decisions are judged here: of who plays alone, where there is an exact solution."""
    return len(story.seats) == 1 and match.game.solution is not None


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
        may += ["takeback"] * _can_take_back(story, playing)
        may += ["draw"] * _can_draw(story, match)
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
