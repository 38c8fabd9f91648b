"""Who somebody is: a signed cookie for browsers, a bearer token for scripts.

A guest is an identity from the first visit on, by a random name in a signed cookie; the
store learns of it when the guest does something, and of the device together with the guest.
From then on a cookie is good as long as its device is kept. Of tokens and personal links the
store keeps hashes only.
"""

import hashlib
import secrets
import time
from typing import Final

import msgspec
from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers

from kwartet.core.errors import GameError
from kwartet.server.accounts import Device, Link, Token
from kwartet.server.conduct.scene import Person
from kwartet.server.devices import device_name
from kwartet.server.messages import SeatWish
from kwartet.store import Account, Player, Store, trace
from kwartet.store import Device as DeviceRow

COOKIE: Final = "kwartet"
COOKIE_SECONDS: Final = 400 * 86400  # browsers keep none longer
RENEWED: Final = 7  # days after which a used cookie is given anew
SEEN: Final = 86400.0  # seconds after which it is noted that a device was seen
LINK_SECONDS: Final = 3600
TOKENS_AT_MOST: Final = 20
KEPT: Final = 10_000  # accounts in memory
INVISIBLE: Final = "\u115f\u1160\u2800\u3164\uffa0"  # letters that show nothing
TOKEN_MARK: Final = "kwt_"
ERASED_NAME: Final = "Deleted player"  # of who played once and wished to be forgotten
DAY: Final = 86400
BARE: Final = "bare-"  # begins the names of devices whose cookies named none


class Visitor(msgspec.Struct, frozen=True):
    """Who sends something, and by what they are known."""

    player: str
    device: str = ""  # by a cookie
    token: str = ""  # by a token: its id
    needs_cookie: bool = False  # whether the browser is to be given a new one


class Identities:
    """Makes identities and recognises them."""

    def __init__(self, store: Store, secret: str) -> None:
        self._store = store
        self._signer = Signer(secret, salt="kwartet.identity", digest_method=hashlib.sha256)
        self._accounts: dict[str, Account] = {}  # by trace, of those seen lately
        self._forgotten = 0  # how often something was heard; what was read before may be old
        self._fresh: dict[str, DeviceRow] = {}  # by player, of those whom the store will meet

    # Recognising --------------------------------------------------------------------------

    def newcomer(self, headers: Headers) -> Visitor:
        """A new identity, on a new device."""
        visitor = Visitor(secrets.token_urlsafe(12), secrets.token_urlsafe(9), needs_cookie=True)
        self._meet(visitor, headers)
        return visitor

    def cookie(self, visitor: Visitor) -> str:
        """What the visitor's browser keeps."""
        return self._signer.sign(f"{visitor.player}.{visitor.device}.{_today()}").decode()

    async def recognise(self, headers: Headers, cookies: dict[str, str]) -> Visitor | None:
        """Who sends this, None if nobody we know; GameError for a token that is not good."""
        authorisation = headers.get("authorization")
        if authorisation is not None:
            return await self._by_token(authorisation)
        try:
            parts = self._signer.unsign(cookies[COOKIE]).decode().split(".")
        except (KeyError, BadSignature, UnicodeDecodeError):
            return None
        if len(parts) == 1:
            return await self._by_bare_cookie(parts[0], headers)
        player, device, day = parts
        visitor = Visitor(player, device, needs_cookie=_today() - int(day) >= RENEWED)
        return visitor if await self._is_good(visitor, headers) else None

    async def _by_token(self, authorisation: str) -> Visitor:
        scheme, _, token = authorisation.partition(" ")
        found = None
        if scheme.lower() == "bearer" and token.startswith(TOKEN_MARK):
            found = await self._store.secret(_hash(token))
        if found is None or found.kind != "token":
            raise GameError("bad-token", "This token is not known here.")
        return Visitor(found.player, token=found.id)

    async def _by_bare_cookie(self, player: str, headers: Headers) -> Visitor | None:
        """Who has a cookie of an earlier version, which named no device, becomes one.

        Browsers that are the same are one device: a page asks for several things at once.
        """
        name = f"{player} {headers.get('user-agent', '')}"
        device = f"{BARE}{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        visitor = Visitor(player, device, needs_cookie=True)
        account = await self.account(player)
        if account.player and account.bare and device not in account.devices:
            await self._store.people.save_device(_row(visitor, headers))
            self.forget(trace(player))
        return visitor if await self._is_good(visitor, headers) else None

    async def _is_good(self, visitor: Visitor, headers: Headers) -> bool:
        """Whether the device is one of the player's; notes now and then that it was seen."""
        account = await self.account(visitor.player)
        if account.is_gone:
            return False
        if account.player is None:
            self._meet(visitor, headers)
            return True
        seen = account.devices.get(visitor.device)
        if seen is None:
            return False
        if time.time() - seen > SEEN:
            await self._store.people.touch_device(_row(visitor, headers))
            self.forget(trace(visitor.player))
        return True

    def _meet(self, visitor: Visitor, headers: Headers) -> None:
        """Remember on which device somebody is whom the store does not know yet."""
        self._fresh.pop(visitor.player, None)  # the oldest stand first
        if len(self._fresh) >= KEPT:
            del self._fresh[next(iter(self._fresh))]
        self._fresh[visitor.player] = _row(visitor, headers)

    async def still_good(self, visitor: Visitor) -> bool:
        """Whether what somebody was recognised by has not been revoked since."""
        if visitor.token:
            kept = await self._store.secrets(visitor.player, "token")
            return any(token.id == visitor.token for token in kept)
        account = await self.account(visitor.player)
        known = account.player is None or visitor.device in account.devices
        return known and not account.is_gone

    # People -------------------------------------------------------------------------------

    async def account(self, player: str) -> Account:
        """What is kept of the player, as it is now."""
        key = trace(player)
        while key not in self._accounts:
            heard = self._forgotten
            found = await self._store.people.account(player)
            if heard != self._forgotten:
                continue  # it may have changed while it was read
            if len(self._accounts) > KEPT:
                self._accounts.clear()
            self._accounts[key] = found
        return self._accounts[key]

    def forget(self, about: str) -> None:
        """Read again what is kept of the person with this trace."""
        self._forgotten += 1
        self._accounts.pop(about, None)

    async def person(self, player: str) -> Person:
        """The player with their name, and whom they do not want to hear."""
        account = await self.account(player)
        name = account.player.name if account.player else guest_name(player)
        return Person(player, name, account.blocks)

    async def is_known(self, player: str) -> bool:
        """Whether the store has heard of the player."""
        return (await self.account(player)).player is not None

    async def is_named(self, person: Person) -> bool:
        """Whether the person chose a name."""
        return await self.is_known(person.id) and person.name != guest_name(person.id)

    async def introduce(self, person: Person) -> None:
        """Let the store know a guest who does something for the first time."""
        if not await self.is_known(person.id):
            player = Player(person.id, guest_name(person.id), time.time())
            await self._store.people.introduce(player, self._fresh.get(person.id))
            self._fresh.pop(person.id, None)
            self.forget(trace(person.id))

    async def rename(self, person: Person, name: str) -> str:
        """Give the person another name; returns what they were called."""
        name = await self.allowed_name(name)
        await self.introduce(person)
        before = await self._store.people.rename(person.id, name)
        self.forget(trace(person.id))
        return before

    async def allowed_name(self, name: str) -> str:
        """The name on one line; GameError if it cannot be chosen."""
        name = clean_name(name)
        if name.casefold() == ERASED_NAME.casefold() or await self._store.people.is_hidden(name):
            raise GameError("bad-name", "This name cannot be chosen.")
        return name

    async def check_names(self, seats: list[SeatWish] | None) -> None:
        """GameError if somebody at one's own device is called what nobody may be called."""
        for seat in seats or ():
            if seat.name:
                await self.allowed_name(seat.name)

    # Devices ------------------------------------------------------------------------------

    async def devices(self, visitor: Visitor) -> list[Device]:
        """The visitor's devices, the one they use first."""
        kept = await self._store.people.devices(visitor.player)
        shown = [
            Device(row.id, row.name, row.created, row.seen, row.id == visitor.device)
            for row in kept
        ]
        return sorted(shown, key=lambda device: not device.here)

    async def drop_device(self, player: str, device: str) -> None:
        """Sign a device out."""
        bare = not device.startswith(BARE)
        if not await self._store.people.drop_device(player, device, bare=bare):
            raise GameError("unknown-device", "There is no such device.")

    # Tokens and links ---------------------------------------------------------------------

    async def make_token(self, person: Person, name: str) -> Token:
        """A new token; its secret is told here and never again."""
        await self.introduce(person)
        if len(await self._store.secrets(person.id, "token")) >= TOKENS_AT_MOST:
            raise GameError("too-many-tokens", "Remove a token you do not need first.")
        secret = TOKEN_MARK + secrets.token_urlsafe(32)
        kept = await self._store.add_secret(
            _hash(secret), person.id, "token", clean_name(name), time.time()
        )
        return Token(kept.id, kept.name, kept.created, secret)

    async def tokens(self, player: str) -> list[Token]:
        """The player's tokens, without their secrets."""
        kept = await self._store.secrets(player, "token")
        return [Token(token.id, token.name, token.created) for token in kept]

    async def drop_token(self, player: str, key: str) -> None:
        """Make a token worthless."""
        if not await self._store.people.drop_token(player, key):
            raise GameError("unknown-token", "There is no such token.")

    async def make_link(self, person: Person, origin: str) -> Link:
        """A link that makes another device be this person, once and within the hour."""
        await self.introduce(person)
        secret = secrets.token_urlsafe(32)
        now = time.time()
        await self._store.add_secret(
            _hash(secret), person.id, "link", "link", now, now + LINK_SECONDS
        )
        # Behind the #, so that it stands in no log.
        return Link(f"{origin}/claim#{secret}", secret, now + LINK_SECONDS)

    async def claim(self, secret: str, headers: Headers) -> Visitor:
        """The person whom a personal link is for, on a new device; it works once."""
        found = await self._store.take_secret(_hash(secret), "link")
        if found is None or (found.expires or 0) < time.time():
            raise GameError("bad-link", "This link was used already or is too old; make a new one.")
        visitor = Visitor(found.player, secrets.token_urlsafe(9), needs_cookie=True)
        await self._store.people.save_device(_row(visitor, headers))
        self.forget(trace(found.player))
        return visitor


def guest_name(player: str) -> str:
    """What an identity is called that chose no name."""
    return f"Guest {int.from_bytes(hashlib.sha256(player.encode()).digest()[:2]) % 9000 + 1000}"


def clean_name(name: str) -> str:
    """A name on one line of printable characters; GameError if nothing is left."""
    seen = (c if c.isprintable() and c not in INVISIBLE else " " for c in name)
    clean = " ".join("".join(seen).split())
    if not clean:
        raise GameError("bad-name", "A name needs a letter or two.")
    return clean


def _row(visitor: Visitor, headers: Headers) -> DeviceRow:
    now = time.time()
    name = device_name(headers.get("user-agent", ""))
    return DeviceRow(visitor.device, visitor.player, name, now, now)


def _today() -> int:
    return int(time.time()) // DAY


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
