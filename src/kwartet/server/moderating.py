"""What who runs a server may do to people and tables. It works on the store alone.

Running servers hear of everything through the store and act on it within a second.
"""

import contextlib
import secrets
import time
from typing import Final

from kwartet.core.errors import GameError, quoted
from kwartet.server import events as e
from kwartet.server.archive import read_story, row_of
from kwartet.server.bans import network_of
from kwartet.server.identity import guest_name
from kwartet.server.rewriting import Change, rewrite_person, said
from kwartet.server.story import Story
from kwartet.store import Ban, Conflict, Entry, Player, Report, Store

HIDDEN: Final = 365 * 86400.0  # seconds for which nobody may choose a name that was hidden
AROUND: Final = 5  # lines shown before and after one that was reported
TRIES: Final = 20


async def find_player(store: Store, who: str) -> Player:
    """The player with this id or name; GameError if there is none, or more than one."""
    found = await store.people.find_players(who)
    if not found:
        raise GameError("unknown-player", f"There is no player {quoted(who)}.")
    if len(found) > 1 and not any(player.id == who for player in found):
        keys = ", ".join(player.id for player in found[:10])
        raise GameError("bad-name", f"Several are called {quoted(who)}: {keys}.")
    return next((player for player in found if player.id == who), found[0])


async def ban(store: Store, who: str, reason: str, until: float | None) -> Ban:
    """Keep a player or a network out; returns the ban."""
    player, network = None, None
    try:
        network = network_of(who)
    except GameError:
        player = (await find_player(store, who)).id
    kept = Ban(secrets.token_hex(4), player, network, reason, time.time(), until)
    await store.people.ban(kept)
    return kept


async def unban(store: Store, who: str) -> int:
    """Lift all bans of a player, a network, or by their id; GameError if there are none."""
    keys = {who, *(player.id for player in await store.people.find_players(who))}
    with contextlib.suppress(GameError):
        keys.add(network_of(who))
    lifted = sum([await store.people.unban(key) for key in sorted(keys)])
    if not lifted:
        raise GameError("unknown-player", f"Nothing keeps {quoted(who)} out.")
    return lifted


async def close_table(store: Store, key: str) -> None:
    """End a table's match, which then counts nowhere; GameError if it is over."""
    for _ in range(TRIES):
        entries = await store.entries(key)
        if not entries:
            raise GameError("unknown-table", f"There is no table {quoted(key)}.")
        story = read_story(key, entries)[0]
        if story.state == "over":
            raise GameError("game-over", "The match is over.")
        body = e.Body([e.Dropped()])
        at = max(time.time(), story.changed)
        after = story.with_entry(story.version + 1, at, body)
        try:
            await store.append(Entry(key, after.version, at, e.encode(body)), row_of(after))
        except Conflict:  # somebody moved at this moment
            continue
        await store.people.note_table(key)
        return
    raise GameError("busy", "Too much happens at this table; try again.")


async def hide_name(store: Store, who: str, until: float | None = None) -> Player:
    """Call a player what a guest is called, everywhere; returns the player as they were."""
    player = await find_player(store, who)
    instead = guest_name(player.id)
    until = time.time() + HIDDEN if until is None else until
    await store.people.hide_name(player.id, player.name, instead, until)
    change = Change(player.id, player.id, instead)
    for _ in range(2):  # again for rematches that were opened meanwhile, where it was not done yet
        async for table in store.erasures.tables_with(player.id):
            await rewrite_person(store, table, change)
    return player


async def context_of(store: Store, report: Report) -> tuple[Story | None, list[e.Line]]:
    """The table a report is about, and what was said there, around the line that is meant."""
    entries = await store.entries(report.table) if report.table else []
    if not entries or report.table is None:
        return None, []
    lines = said(entries)
    if report.line is None:
        return read_story(report.table, entries)[0], lines[-2 * AROUND :]
    near = [line for line in lines if abs(line.number - report.line) <= AROUND]
    return read_story(report.table, entries)[0], near
