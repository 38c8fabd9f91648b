"""What was decided and what was best: replays, reviews, other moves, the coach."""

from functools import partial
from typing import Final

from kwartet.server import afterwards as a
from kwartet.server import asking
from kwartet.server import messages as m
from kwartet.server.api.calls import Call, Operation
from kwartet.server.replay import position as position_at
from kwartet.server.replay import replayed
from kwartet.server.reviewing.live import review_now


async def replay(call: Call) -> a.Replay:
    """A finished match, some of its positions at a time."""
    call.house.replays.take(call.asker)
    found = await call.house.hall.table(call.path("table"))
    match = found.finished()
    own = found.story.seats_of(call.person.id) if call.person else []
    seat = call.whole("seat") if call.query("seat") else own[0] if len(own) == 1 else None
    until = call.whole("until") if call.query("until") else None
    work = partial(replayed, match, found.story.actors, seat, call.whole("since"), until)
    return await call.house.look_back(work)


async def position(call: Call) -> a.Position:
    """Where somebody had to decide in a finished match."""
    call.house.replays.take(call.asker)
    found = await call.house.hall.table(call.path("table"))
    return await call.house.look_back(partial(position_at, found.finished(), call.whole("ply")))


async def review(call: Call) -> bytes:
    """The review of a finished match as far as it is; nothing is begun."""
    call.house.looks.take(call.asker)
    return await review_now(call.house, await call.house.hall.table(call.path("table")))


async def try_move(call: Call) -> a.Tried:
    """Judge another move at a decision of a finished match; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    return await call.house.reviews.try_move(call.me, found, call.body)


async def coach(call: Call) -> m.CoachView:
    """One's decisions alone, beside the best ones; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    return await asking.coach(found, call.me, call.whole("since"))


OPERATIONS: Final = (
    Operation(
        "GET",
        "/api/tables/{table}/replay",
        replay,
        a.Replay,
        "A finished match, position by position, at most 64 at a time.",
        person=False,
        query=(
            ("seat", "With whose eyes; one's own, or an onlooker's, if it is left out."),
            ("since", "From the position after so many moves on."),
            ("until", "To the one after so many."),
        ),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/position",
        position,
        a.Position,
        "Where a seat had to decide in a finished match: what it saw, what it could have done.",
        person=False,
        query=(("ply", "Of the decision."),),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/review",
        review,
        a.ReviewMessage,
        "The review of a finished match as far as it is; its socket has it made.",
        person=False,
    ),
    Operation(
        "POST",
        "/api/tables/{table}/try",
        try_move,
        a.Tried,
        "What another move would have lost at a decision of a finished match.",
        a.Try,
    ),
    Operation(
        "GET",
        "/api/tables/{table}/coach",
        coach,
        m.CoachView,
        "One's decisions alone at a table, judged by the game's exact solution.",
        query=(("since", "From this ply on."),),
    ),
)
