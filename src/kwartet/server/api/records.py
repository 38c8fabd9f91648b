"""Finished matches as records, and those that come in or go on from one."""

import asyncio
from typing import Any, Final

from kwartet.server import afterwards as a
from kwartet.server import importing
from kwartet.server import messages as m
from kwartet.server.api.calls import Call, Operation
from kwartet.server.archive import record_name


async def record(call: Call) -> dict[str, Any]:
    """The record of a finished match, with its seed."""
    found = await call.house.hall.table(call.path("table"))
    record = found.record()
    call.request.state.file = record_name(found.story, "json")
    return record


async def sheet(call: Call) -> str:
    """The same as a text for people."""
    found = await call.house.hall.table(call.path("table"))
    text = found.sheet(call.query("language") or "en")
    call.request.state.file = record_name(found.story, "txt")
    return text


async def branch(call: Call) -> bytes:
    """Play on from a position of a finished match, at a new table."""
    call.house.new_tables.take(call.me.id)
    found = await call.house.hall.table(call.path("table"))
    await call.house.identities.introduce(call.me)
    await call.house.identities.check_names(call.body.seats)
    table = await call.house.hall.opening.branch(call.me, found.story, call.body)
    return table.company.message(call.me)


async def check_record(call: Call) -> a.Checked:
    """How far a match from elsewhere is good; nothing is kept."""
    call.house.checks.take(call.me.id)
    return importing.checked(await _draft(call))


async def import_record(call: Call) -> bytes:
    """Bring in a match from elsewhere that is over."""
    call.house.new_tables.take(call.me.id)
    draft = await _draft(call)
    created, events = await asyncio.to_thread(importing.plan_import, call.me, draft)
    await call.house.identities.introduce(call.me)
    table = await call.house.hall.opening.bring_in(created, events)
    return table.company.message(call.me)


async def _draft(call: Call) -> importing.Draft:
    record = importing.recognised(call.body)
    call.house.hall.need(record["game"])
    draft = await asyncio.to_thread(importing.followed, record, call.body.players)
    people = call.house.store.people
    return draft.without({name for name in draft.players if await people.is_hidden(name)})


OPERATIONS: Final = (
    Operation(
        "GET",
        "/api/tables/{table}/record",
        record,
        dict[str, Any],
        "The record of a finished match, with its seed.",
        person=False,
    ),
    Operation(
        "GET",
        "/api/tables/{table}/sheet",
        sheet,
        str,
        "The same as a text for people, which is read back exactly.",
        person=False,
        query=(("language", "en, nl, de or fr."),),
        media="text/plain",
    ),
    Operation(
        "POST",
        "/api/tables/{table}/branch",
        branch,
        m.TableMessage,
        "Play on from a position of a finished match, at a new table.",
        a.Branch,
        status=201,
    ),
    Operation(
        "POST",
        "/api/records/check",
        check_record,
        a.Checked,
        "How far a match from elsewhere is good; nothing is kept.",
        a.ImportRecord,
        size=a.IMPORT_BYTES,
    ),
    Operation(
        "POST",
        "/api/records",
        import_record,
        m.TableMessage,
        "Bring in a match from elsewhere that is over.",
        a.ImportRecord,
        status=201,
        size=a.IMPORT_BYTES,
    ),
)
