"""Oneself and other people: names, devices, what is kept, blocks, reports, notifications."""

import secrets
import time
from collections.abc import AsyncIterator
from typing import Final

from kwartet.core.errors import GameError
from kwartet.server import accounts as own
from kwartet.server import messages as m
from kwartet.server import renaming
from kwartet.server.api.calls import Call, Operation
from kwartet.server.conduct.scene import Person
from kwartet.server.exporting import exported
from kwartet.server.house import House, address_of
from kwartet.server.identity import Visitor
from kwartet.server.ratings import shown
from kwartet.server.rewriting import said
from kwartet.store import Report

BLOCKS_AT_MOST: Final = 200  # of one person
REPORTS_AT_MOST: Final = 20  # that wait, of one person

# Oneself --------------------------------------------------------------------------------


async def me(call: Call) -> own.Me:
    """Oneself, with a cookie if there was none."""
    return await _me(call.house, call.me)


async def _me(house: House, person: Person) -> own.Me:
    named = await house.identities.is_named(person)
    return own.Me(person.id, person.name, named, await ratings(house, person.id))


async def ratings(house: House, player: str) -> dict[str, m.Rating]:
    """How strong the player is at each game they were rated at."""
    found = await house.store.ratings(player)
    return {game: shown(r.mu, r.sigma, r.matches) for game, r in found.items()}


async def rename(call: Call) -> own.Me:
    """Choose a name."""
    call.house.renames.take(call.me.id)
    return await _me(call.house, await renaming.rename(call.house, call.me, call.body.name))


# Devices and tokens ---------------------------------------------------------------------


async def make_link(call: Call) -> own.Link:
    """A personal link for another device."""
    return await call.house.identities.make_link(call.me, call.house.origin(call.request))


async def claim(call: Call) -> own.Me:
    """Go on as the person whose link this is; the answer sets the cookie."""
    visitor = await call.house.identities.claim(call.body.secret, call.request.headers)
    call.request.state.becomes = visitor
    return await _me(call.house, await call.house.identities.person(visitor.player))


async def devices(call: Call) -> list[own.Device]:
    """Where one is known by a cookie."""
    return await call.house.identities.devices(_visitor(call))


async def drop_device(call: Call) -> None:
    """Sign a device out; this one, too."""
    device = call.path("device")
    await call.house.identities.drop_device(call.me.id, device)
    call.request.state.leaves = device == _visitor(call).device
    await call.house.news.about(call.me.id)


async def drop_other_devices(call: Call) -> None:
    """Sign all other devices out."""
    await call.house.store.people.drop_other_devices(call.me.id, _visitor(call).device)
    await call.house.news.about(call.me.id)


def _visitor(call: Call) -> Visitor:
    assert call.visitor
    return call.visitor


async def tokens(call: Call) -> list[own.Token]:
    """One's tokens for scripts."""
    return await call.house.identities.tokens(call.me.id)


async def make_token(call: Call) -> own.Token:
    """A new token; its secret is told this once."""
    return await call.house.identities.make_token(call.me, call.body.name)


async def drop_token(call: Call) -> None:
    """Make a token worthless."""
    await call.house.identities.drop_token(call.me.id, call.path("token"))
    await call.house.news.about(call.me.id)


# What is kept ---------------------------------------------------------------------------


async def export(call: Call) -> AsyncIterator[bytes]:
    """Everything that is kept of oneself."""
    call.house.exports.take(call.me.id)
    call.house.exports_there.take(address_of(call.request))
    call.request.state.file = "kwartet.json"
    oneself = await _me(call.house, call.me)
    return exported(call.house, _visitor(call), oneself)


async def forget(call: Call) -> None:
    """Delete oneself; matches stay, without a name."""
    if call.body.name != call.me.name:
        raise GameError("bad-name", "Type your name exactly as it is.")
    await call.house.erasing.forget(call.me.id)
    call.request.state.leaves = True


# Others ---------------------------------------------------------------------------------


async def blocked(call: Call) -> list[own.Blocked]:
    """Whom one is spared."""
    keys = await call.house.store.people.blocked(call.me.id)
    known = await call.house.store.players(keys)
    return [own.Blocked(key, known[key].name) for key in keys if key in known]


async def block(call: Call) -> None:
    """Be spared somebody: what they say, and that they sit down where one sits."""
    other = call.body.player
    if other == call.me.id:
        raise GameError("bad-request", "That is yourself.")
    await _check_player(call.house, other)
    await call.house.identities.introduce(call.me)
    if not await call.house.store.people.block(call.me.id, other, BLOCKS_AT_MOST):
        raise GameError("too-many", f"One can block {BLOCKS_AT_MOST} people.")
    await call.house.news.about(call.me.id)


async def unblock(call: Call) -> None:
    """Be spared them no more."""
    await call.house.store.people.unblock(call.me.id, call.path("player"))
    await call.house.news.about(call.me.id)


async def report(call: Call) -> None:
    """Tell who runs the server what is wrong."""
    wish: own.MakeReport = call.body
    player = wish.player
    if wish.table is None and (player is None or wish.line is not None):
        raise GameError("bad-request", "Say which person or which table is meant.")
    call.house.reports.take(call.me.id)  # before anything is read for it
    call.house.reports_there.take(address_of(call.request))
    if wish.table is not None:
        player = await _reported_at(call.house, wish, wish.table)
    name = await _check_player(call.house, player) if player else None
    await call.house.identities.introduce(call.me)
    words = " ".join("".join(c if c.isprintable() else " " for c in wish.words).split())
    told = Report(
        secrets.token_hex(4),
        time.time(),
        call.me.id,
        player,
        name,
        wish.table,
        wish.line,
        wish.reason,
        words,
    )
    if not await call.house.store.people.report(told, REPORTS_AT_MOST):
        raise GameError("too-many", "Your earlier reports are looked at first.")


async def _reported_at(house: House, wish: own.MakeReport, table: str) -> str | None:
    """Who is meant by a report of a table or of a line said there; GameError if there is none."""
    found = await house.hall.table(table)
    if wish.line is None:
        return wish.player
    entries = await house.store.entries(found.story.id)
    lines = await house.look_back(lambda: said(entries))
    by = next((line.player for line in lines if line.number == wish.line), None)
    if by is None:
        raise GameError("unknown-line", f"There is no line {wish.line} at this table.")
    return by


async def _check_player(house: House, key: str) -> str:
    """The player's name; GameError if there is no such person."""
    known = await house.store.player(key)
    if known is None:
        raise GameError("unknown-player", "There is no such player.")
    return known.name


# Notifications -------------------------------------------------------------------------


async def push_key(call: Call) -> own.PushKey:
    """What a browser subscribes with."""
    return own.PushKey(call.house.push.key)


async def subscribe(call: Call) -> None:
    """Have a browser told of one's turns."""
    await call.house.identities.introduce(call.me)
    device = call.visitor.device if call.visitor else ""
    await call.house.push.subscribe(call.me.id, call.body, device)


async def unsubscribe(call: Call) -> None:
    """Have it told no more."""
    await call.house.push.unsubscribe(call.me.id, call.body.endpoint)


OPERATIONS: Final = (
    Operation("GET", "/api/me", me, own.Me, "Oneself; a new guest gets a cookie."),
    Operation("PATCH", "/api/me", rename, own.Me, "Choose a name.", own.Rename),
    Operation("POST", "/api/me/link", make_link, own.Link, "A link for another device."),
    Operation("POST", "/api/me/claim", claim, own.Me, "Use such a link.", own.Claim, person=False),
    Operation("GET", "/api/me/devices", devices, list[own.Device], "Where one is signed in."),
    Operation("DELETE", "/api/me/devices/{device}", drop_device, None, "Sign it out.", status=204),
    Operation(
        "DELETE", "/api/me/devices", drop_other_devices, None, "Sign all others out.", status=204
    ),
    Operation("GET", "/api/me/tokens", tokens, list[own.Token], "One's tokens for scripts."),
    Operation("POST", "/api/me/tokens", make_token, own.Token, "A new token.", own.MakeToken),
    Operation("DELETE", "/api/me/tokens/{token}", drop_token, None, "Remove it.", status=204),
    Operation(
        "GET", "/api/me/export", export, own.Export, "All that is kept of oneself.", banned=True
    ),
    Operation(
        "DELETE", "/api/me", forget, None, "Delete oneself.", own.Forget, status=204, banned=True
    ),
    Operation("GET", "/api/me/blocks", blocked, list[own.Blocked], "Whom one is spared."),
    Operation("POST", "/api/me/blocks", block, None, "Be spared one.", own.Block, status=204),
    Operation("DELETE", "/api/me/blocks/{player}", unblock, None, "No more.", status=204),
    Operation(
        "POST", "/api/reports", report, None, "Say what is wrong.", own.MakeReport, status=204
    ),
    Operation(
        "GET",
        "/api/me/push",
        push_key,
        own.PushKey,
        "What a browser subscribes with to be told of turns.",
        person=False,
    ),
    Operation("POST", "/api/me/push", subscribe, None, "Have it told.", own.Subscribe, status=204),
    Operation(
        "DELETE",
        "/api/me/push",
        unsubscribe,
        None,
        "Have it told no more.",
        own.Unsubscribe,
        status=204,
    ),
)
