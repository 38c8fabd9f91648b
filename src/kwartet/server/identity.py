"""Who somebody is: a signed cookie for browsers, a bearer token for scripts.

A guest is an identity from the first visit on, by a random name in a signed cookie; the
store learns of it when the guest does something. Of tokens and personal links the store
keeps hashes only.
"""

import hashlib
import secrets
import time
from typing import Final

from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers

from kwartet.core.errors import GameError
from kwartet.server.conduct import Person
from kwartet.server.messages import Link, Token
from kwartet.store import Player, Store

COOKIE: Final = "kwartet"
COOKIE_SECONDS: Final = 400 * 86400  # browsers keep none longer
LINK_SECONDS: Final = 3600
TOKENS_AT_MOST: Final = 20
INVISIBLE: Final = "\u115f\u1160\u2800\u3164\uffa0"  # letters that show nothing
TOKEN_MARK: Final = "kwt_"


class Identities:
    """Makes identities and recognises them."""

    def __init__(self, store: Store, secret: str) -> None:
        self._store = store
        self._signer = Signer(secret, salt="kwartet.identity", digest_method=hashlib.sha256)
        self._names: dict[str, str] = {}  # of those seen lately

    def fresh(self) -> str:
        """The name of a new identity."""
        return secrets.token_urlsafe(12)

    def cookie(self, player: str) -> str:
        """What the identity's browser keeps."""
        return self._signer.sign(player).decode()

    async def recognise(self, headers: Headers, cookies: dict[str, str]) -> str | None:
        """The player who sends this; GameError for a token that is not good."""
        authorisation = headers.get("authorization")
        if authorisation is not None:
            return await self._by_token(authorisation)
        try:
            return self._signer.unsign(cookies[COOKIE]).decode()
        except (KeyError, BadSignature, UnicodeDecodeError):
            return None

    async def _by_token(self, authorisation: str) -> str:
        scheme, _, token = authorisation.partition(" ")
        found = None
        if scheme.lower() == "bearer" and token.startswith(TOKEN_MARK):
            found = await self._store.secret(_hash(token))
        if found is None or found.kind != "token":
            raise GameError("bad-token", "This token is not known here.")
        return found.player

    # People -------------------------------------------------------------------------------

    async def person(self, player: str) -> Person:
        """The player with their name."""
        if player not in self._names:
            known = await self._store.player(player)
            if len(self._names) > 10_000:
                self._names.clear()
            self._names[player] = known.name if known else guest_name(player)
        return Person(player, self._names[player])

    async def is_known(self, player: str) -> bool:
        """Whether the store has heard of the player."""
        return await self._store.player(player) is not None

    async def is_named(self, person: Person) -> bool:
        """Whether the person chose a name."""
        return await self.is_known(person.id) and person.name != guest_name(person.id)

    async def introduce(self, person: Person) -> None:
        """Let the store know a guest who does something for the first time."""
        if not await self.is_known(person.id):
            await self._store.save_player(Player(person.id, person.name, time.time()))

    async def rename(self, player: str, name: str) -> Person:
        """Give the player another name."""
        name = clean_name(name)
        await self._store.save_player(Player(player, name, time.time()))
        self._names[player] = name
        return Person(player, name)

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
        if not await self._store.drop_secret(player, key):
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

    async def claim(self, secret: str) -> str:
        """The player whom a personal link is for; it works once."""
        found = await self._store.take_secret(_hash(secret), "link")
        if found is None or (found.expires or 0) < time.time():
            raise GameError("bad-link", "This link was used already or is too old; make a new one.")
        return found.player


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


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
