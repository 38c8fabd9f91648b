"""Entries of the log without what they say of a person, or without a line that was said.

Only entries that name the person are written anew; everything else stays as it is, byte by
byte. An event of a kind that is not known here is an error: what it says might be missed.
An entry at the end says that it was done: who read the log before can add nothing to it until
they have read it again, and no snapshot from before is good any more.
"""

import secrets
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from kwartet.core.errors import GameError
from kwartet.server import events as e
from kwartet.server.archive import read_story, row_of
from kwartet.store import Entry, Rewritten, Store

PSEUDONYM: Final = "gone:"  # begins ids that lead nowhere
PEOPLELESS: Final = (  # events that name nobody but by a seat
    e.Parted,
    e.Left,
    e.Filled,
    e.Started,
    e.Played,
    e.Offered,
    e.Agreed,
    e.Declined,
    e.TookBack,
    e.Resigned,
    e.HandedOver,
    e.Returned,
    e.Ended,
    e.Dropped,
    e.Rematched,
    e.Rewritten,
)


class Change(msgspec.Struct, frozen=True):
    """What becomes of a person in a log."""

    player: str
    becomes: str  # the id instead
    name: str
    is_silenced: bool = False  # whether what they said goes, too


async def rewrite_person(store: Store, table: str, change: Change) -> None:
    """Write a table's log anew with the person changed; Conflict if there is no table."""

    def body(told: e.Body, at: float) -> e.Body:
        return changed(told, change)

    is_erased = change.becomes != change.player
    needle = change.player.encode()

    def rewrite(entries: list[Entry]) -> Rewritten | None:
        written = _rewritten(entries, body, lambda entry: needle in entry.body)
        if is_erased and any(needle in entry.body for entry in written.changed):
            raise AssertionError("somebody who is to be forgotten is still named in a log")
        return written if is_erased or written.changed else None

    names = {change.player: change.becomes} if is_erased else {}
    await store.erasures.rewrite(table, rewrite, names)


async def delete_line(store: Store, table: str, number: int) -> None:
    """Delete what was said at a table; also where the same people play again."""
    entries = await store.entries(table)
    if not entries:
        raise GameError("unknown-table", "There is no such table.")
    line = next((line for line in said(entries) if line.number == number), None)
    if line is None:
        raise GameError("unknown-line", f"There is no line {number} at this table.")
    next_table: str | None = table
    while next_table and await store.entries(next_table):
        await _delete_same(store, next_table, line)
        # Read only now: from here on whoever opens a rematch finds that this was written anew.
        entries = await store.entries(next_table)
        next_table = read_story(next_table, entries)[0].rematch


async def _delete_same(store: Store, table: str, line: e.Line) -> None:
    def is_it(at: float, player: str, text: str) -> bool:
        return (at, player, text) == (line.at, line.player, line.text)

    def rewrite(entries: list[Entry]) -> Rewritten | None:
        def body(told: e.Body, at: float) -> e.Body:
            events: list[e.AnyEvent] = []
            for event in told.events:
                if isinstance(event, e.Said) and is_it(at, event.player, event.text):
                    event = replace(event, text="")
                if isinstance(event, e.Created):
                    chat = [
                        replace(c, text="") if is_it(c.at, c.player, c.text) else c
                        for c in event.chat
                    ]
                    event = replace(event, chat=chat)
                events.append(event)
            return replace(told, events=events)

        written = _rewritten(entries, body)
        return written if written.changed else None

    await store.erasures.rewrite(table, rewrite, {})


async def clear_rematch(store: Store, table: str, rematch: str) -> None:
    """Take out of a rematch what was deleted or hidden at the table before that led to it.

    Who opened it may not have heard of that; who deletes from now on finds it by the log.
    """
    kept = {(line.at, line.player, line.text) for line in said(await store.entries(table))}
    for entry in (await store.entries(rematch))[:1]:
        created = e.decode(entry.body).events[0]
        assert isinstance(created, e.Created)
        for line in created.chat:
            if line.text and (line.at, line.player, line.text) not in kept:
                await _delete_same(store, rematch, line)
        for player, name in sorted(_named(created)):
            known = await store.player(player)
            if known and known.name != name and await store.people.is_hidden(name):
                await rewrite_person(store, rematch, Change(player, player, known.name))


def _named(created: e.Created) -> set[tuple[str, str]]:
    """Who is called what where a table was opened."""
    hosts = [(created.creator, created.host)]
    seats = [(plan.player, plan.name) for plan in created.seats]
    lines = [(line.player, line.name) for line in created.chat]
    return {(player, name) for player, name in (*hosts, *seats, *lines) if player and name}


def said(entries: list[Entry]) -> list[e.Line]:
    """Everything that was said at a table, as its log tells it, deleted lines left out."""
    lines: list[e.Line] = []
    number = 0
    for entry in entries:
        for event in e.decode(entry.body).events:
            if isinstance(event, e.Created):
                lines += event.chat
                number = len(event.chat)
            elif isinstance(event, e.Said):
                number += 1
                lines.append(e.Line(number, entry.at, event.player, event.name, event.text))
    return [line for line in lines if line.text]


def _rewritten(
    entries: list[Entry],
    body: Callable[[e.Body, float], e.Body],
    concerns: Callable[[Entry], bool] = lambda entry: True,
) -> Rewritten:
    """The entries that become others, one that says so, and the row as the new log tells it."""
    after: list[Entry] = []
    changed: list[Entry] = []
    for entry in entries:
        if concerns(entry):
            told = e.decode(entry.body)
            if (new := body(told, entry.at)) != told:
                entry = replace(entry, body=e.encode(new))
                changed.append(entry)
        after.append(entry)
    last = entries[-1]
    added = Entry(last.table, last.number + 1, last.at, e.encode(e.Body([e.Rewritten()])))
    story = read_story(last.table, [*after, added])[0]
    return Rewritten(changed, added, row_of(story))


def changed(body: e.Body, change: Change) -> e.Body:
    """What an entry says with the person changed."""
    events = [_changed_event(event, change) for event in body.events]
    if body.by != change.player:
        return replace(body, events=events)
    if change.becomes == change.player:
        return replace(body, events=events)
    return replace(body, events=events, by=change.becomes, request="", digest="")


def _changed_event(event: e.AnyEvent, change: Change) -> e.AnyEvent:
    match event:
        case e.Created():
            return _changed_created(event, change)
        case e.Sat(player=player) if player == change.player:
            return replace(event, player=change.becomes, name=change.name)
        case e.Said(player=player, text=text) if player == change.player:
            text = "" if change.is_silenced else text
            return replace(event, player=change.becomes, name=change.name, text=text)
        case e.Renamed(player=player) if player == change.player:
            return e.Renamed(change.becomes, change.name, change.name)
        case e.Muted(player=player) if player == change.player:
            return replace(event, player=change.becomes)
        case e.Sat() | e.Said() | e.Renamed() | e.Muted():
            return event
        case _ if isinstance(event, PEOPLELESS):
            return event
        case _:
            raise AssertionError(f"nobody knows whom {type(event).__name__} names")


def _changed_created(event: e.Created, change: Change) -> e.Created:
    creates = event.creator == change.player
    # Who brings a match in types the names of those who played it.
    names_all = creates and event.imported and change.is_silenced
    return replace(
        event,
        creator=change.becomes if creates else event.creator,
        host=change.name if creates and event.host else event.host,
        seats=[_changed_plan(plan, change, names_all) for plan in event.seats],
        chat=[_changed_line(line, change) for line in event.chat],
        muted=_changed_keys(event.muted, change),
        promised=_changed_keys(event.promised, change),
    )


def _changed_keys(players: list[str], change: Change) -> list[str]:
    return [change.becomes if one == change.player else one for one in players]


def _changed_plan(plan: e.SeatPlan, change: Change, names_all: bool) -> e.SeatPlan:
    if plan.player == change.player:
        return replace(plan, player=change.becomes, name=plan.name and change.name)
    return replace(plan, name=change.name) if names_all and plan.name else plan


def _changed_line(line: e.Line, change: Change) -> e.Line:
    if line.player != change.player:
        return line
    text = "" if change.is_silenced else line.text
    return replace(line, player=change.becomes, name=change.name, text=text)


def pseudonym() -> str:
    """An id that leads nowhere."""
    return PSEUDONYM + secrets.token_urlsafe(9)
