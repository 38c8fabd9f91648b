"""Commands as they come in, over a socket or by POST: counted, limited, then the table's."""

import time

import structlog

from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.conduct.scene import Person
from kwartet.server.house import House
from kwartet.server.renaming import rename
from kwartet.server.table import Table
from kwartet.store import StoreError

log = structlog.get_logger()


async def obey(
    house: House, table: Table, person: Person, wish: m.AnyCommand, arrived: float
) -> m.Accepted:
    """Carry out a command that came in at this house time, counting it; GameError if not."""
    kind, began, code = str(wish.__struct_config__.tag), time.perf_counter(), "accepted"
    try:
        if table.has_answered(person, wish):  # so nothing that was done is refused afterwards
            return await table.handle(person, wish, arrived)
        await _admit(house, table, person, wish)
        name = await _new_name(house, person, wish)
        accepted = await table.handle(Person(person.id, name or person.name), wish, arrived)
        if name:
            await _rename_too(house, person, name)
        return accepted
    except GameError as error:
        code = error.code
        raise
    finally:
        house.metrics.obeyed(kind, code, time.perf_counter() - began)


async def _admit(house: House, table: Table, person: Person, wish: m.AnyCommand) -> None:
    """Count what somebody wishes, and let the house know them; GameError if it is too much."""
    match wish:
        case m.Chat():
            house.talk.take(person.id)
        case m.Hint():
            house.hints.take(person.id)
        case m.Offer(kind="rematch"):
            house.new_tables.take(person.id)
        case m.Offer() | m.Reply() | m.Mute() | m.HandOver() | m.Return() | m.Solve():
            house.offers.take(person.id)
    if isinstance(wish, m.Sit) or (isinstance(wish, m.Offer) and wish.kind == "rematch"):
        await _check_welcome(house, table, person)
    if isinstance(wish, m.Sit | m.Chat):
        await house.identities.introduce(person)


async def _rename_too(house: House, person: Person, name: str) -> None:
    """Keep the name under which somebody sat down; they sit there whatever becomes of it."""
    try:
        await rename(house, person, name)
    except StoreError as error:
        log.warning("a name was not kept", problem=error.sentence)


async def _check_welcome(house: House, table: Table, person: Person) -> None:
    """GameError if somebody at the table has blocked the person."""
    story = table.story
    there = {story.created.creator, *(seat.player for seat in story.seats if seat.player)}
    if await house.store.people.is_blocked(person.id, sorted(there - {person.id})):
        raise GameError("blocked", "Somebody at this table does not want to play with you.")


async def _new_name(house: House, person: Person, wish: m.AnyCommand) -> str | None:
    """The name that somebody brings along who has chosen none yet."""
    if not isinstance(wish, m.Sit) or wish.name is None:
        return None
    name = await house.identities.allowed_name(wish.name)
    return None if await house.identities.is_named(person) else name
