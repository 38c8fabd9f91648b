"""Tables: found, opened, seen, put away; and what one may ask at one."""

from typing import Any, Final

from kwartet.core.errors import GameError, quoted
from kwartet.games import find
from kwartet.server import asking
from kwartet.server import messages as m
from kwartet.server.api.calls import BEFORE, PAGE, Call, Operation
from kwartet.server.archive import summaries
from kwartet.server.house import address_of
from kwartet.server.listing import check_listed, is_listed
from kwartet.server.showing import Known


async def lobby(call: Call) -> m.Lobby:
    """Open tables, running ones to watch, and one's own."""
    house, person = call.house, call.person
    listed = await house.hall.lobby.listed()
    return m.Lobby(listed.open, listed.running, await house.hall.lobby.own(person))


async def tables(call: Call) -> m.TableList:
    """Listed tables, or one's own, the latest change first."""
    state = call.query("state")
    if state not in (None, "open", "running", "over"):
        raise GameError("bad-request", f"state is open, running or over, not {quoted(state)}.")
    own = call.query("mine") is not None
    game = call.query("game")
    rows = await call.house.store.tables(
        state,  # type: ignore[arg-type]
        None if own else True,
        find(game).key if game else None,
        call.me.id if own else None,
        call.number("before"),
        limit=PAGE,
    )
    return m.TableList(
        summaries(rows, call.house.hall.clock), rows[-1].changed if len(rows) == PAGE else None
    )


async def create(call: Call) -> bytes:
    """Open a table."""
    call.house.new_tables.take(call.me.id)
    if is_listed(call.body):
        call.house.listed.take(call.me.id)
        call.house.listed_there.take(address_of(call.request))
        await check_listed(call.house.store, call.me.id)
    await call.house.identities.introduce(call.me)
    await call.house.identities.check_names(call.body.seats)
    table = await call.house.hall.opening.create(call.me, call.body)
    return table.company.message(call.me)


async def table(call: Call) -> bytes:
    """The table as one may see it now."""
    found = await call.house.hall.table(call.path("table"))
    known = Known(invited=found.story.invites(call.query("invite")))
    return found.company.message(call.person, known)


async def drop(call: Call) -> None:
    """Put a match away that no other people play."""
    found = await call.house.hall.table(call.path("table"))
    await found.drop(call.me)


async def preview(call: Call) -> Any:
    """What one could do with a piece; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    return await asking.preview(found, call.me, call.query("piece") or "", call.whole("ply"))


async def why(call: Call) -> dict[str, Any] | None:
    """Why a move may not be played; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    move = call.query("move") or ""
    if len(move) > m.MOVE_LENGTH:
        raise GameError("bad-request", f"A move has at most {m.MOVE_LENGTH} characters.")
    return await asking.why(found, call.me, move, call.whole("ply"))


OPERATIONS: Final = (
    Operation("GET", "/api/lobby", lobby, m.Lobby, "What the home page shows."),
    Operation(
        "GET",
        "/api/tables",
        tables,
        m.TableList,
        "Tables.",
        query=(
            ("state", "open, running or over."),
            ("game", "Of this game only."),
            ("mine", "One's own instead of listed ones."),
            BEFORE,
        ),
    ),
    Operation(
        "POST", "/api/tables", create, m.TableMessage, "Open one.", m.CreateTable, status=201
    ),
    Operation(
        "GET",
        "/api/tables/{table}",
        table,
        m.TableMessage,
        "A table, as one may see it.",
        query=(("invite", "An invitation that one has."),),
    ),
    Operation(
        "DELETE",
        "/api/tables/{table}",
        drop,
        None,
        "Put a match away that no other people play; it counts nowhere.",
        status=204,
    ),
    Operation(
        "GET",
        "/api/tables/{table}/preview",
        preview,
        Any,
        "What one, being to act, could do with a piece, as the game tells it.",
        query=(("piece", "As in the game's notation."), ("ply", "Which position is meant.")),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/why",
        why,
        dict[str, Any] | None,
        "Why one, being to act, may not play a move, in the game's own parts; null if one may.",
        query=(("move", "As in the game's notation."), ("ply", "Which position is meant.")),
    ),
)
