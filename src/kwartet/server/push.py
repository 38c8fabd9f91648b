"""Tells people whose page is closed that it is their turn, through their browsers' push services.

Where to send comes from the outside and is not trusted: only https, only addresses of the
public internet, checked when they are looked up and then used as they were checked; and no site
gets much before it has shown to be a push service, nor holds up the others (`Sites`).
"""

import asyncio
import hashlib
import ipaddress
import json
import socket
import time
from typing import Final
from urllib.parse import SplitResult, urlsplit

import httpx
import structlog

from kwartet.core.errors import GameError
from kwartet.server import webpush
from kwartet.server.accounts import Subscribe
from kwartet.server.limits import Limit, Rate
from kwartet.server.sites import Sites
from kwartet.store import Store, StoreError, Subscription

DEVICES: Final = 10  # that one person is told on; the oldest gives way
TIMEOUT: Final = 10.0  # seconds for one message, all in all
WAITING: Final = 1000  # people to be told; more are not
TURNS: Final = Rate(1 / 30, 20)  # that one person is told of
SIGNED: Final = 12 * 3600.0  # seconds for which a signature is good
SUBSCRIBED: Final = Rate(1 / 60, 20)  # subscriptions that one person makes
LATER: Final = (408, 425, 429)  # refusals that do not mean that it will never be taken
# A time-out is an OSError, a name that cannot be looked up an OSError or a ValueError.
UNREACHABLE: Final = (GameError, OSError, ValueError, httpx.HTTPError, httpx.InvalidURL)
UNICAST: Final = ipaddress.IPv6Network("2000::/3")  # all of IPv6 that is given to networks
ASIDE: Final = tuple(  # but for protocols, examples, and ways round through IPv4
    ipaddress.IPv6Network(net) for net in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
RELAYS: Final = ipaddress.IPv4Network("192.88.99.0/24")

log = structlog.get_logger()


class Push:
    """The subscriptions of people's browsers, and what is sent to them."""

    def __init__(self, store: Store, signer: webpush.Signer, *, loopback: bool) -> None:
        self.key = signer.public
        self._store = store
        self._signer = signer
        self._loopback = loopback  # whether a service may be at this machine, for tests
        self._turns = Limit(TURNS)
        self._subscribed = Limit(SUBSCRIBED)
        self._sites = Sites()
        self._waiting = 0
        self._client: httpx.AsyncClient | None = None

    async def close(self) -> None:
        """Let go of connections."""
        if self._client:
            await self._client.aclose()

    # Subscriptions ------------------------------------------------------------------------

    async def subscribe(self, player: str, wish: Subscribe, device: str = "") -> None:
        """Tell the player of turns there, too; GameError if that is no browser's subscription."""
        self._subscribed.take(player)
        self._parts(wish.endpoint)
        try:
            key, auth = webpush.decode(wish.keys.p256dh), webpush.decode(wish.keys.auth)
            webpush.check_key(key)
        except ValueError:
            raise GameError("bad-request", "These are not a subscription's keys.") from None
        if len(key) != webpush.KEY_BYTES or len(auth) != webpush.AUTH_BYTES:
            raise GameError("bad-request", "These are not a subscription's keys.")
        kept = Subscription(wish.endpoint, player, key, auth, time.time(), device)
        await self._store.save_subscription(kept, at_most=DEVICES)

    async def unsubscribe(self, player: str, endpoint: str) -> None:
        """Tell the player there no more."""
        await self._store.drop_subscription(endpoint, player)

    def _parts(self, endpoint: str) -> SplitResult:
        """The address taken apart; GameError if no push service can have it."""
        refused = GameError("bad-endpoint", "That is not the address of a push service.")
        if not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
            raise refused
        try:
            parts = urlsplit(endpoint)
            port = parts.port
        except ValueError:
            raise refused from None
        here = self._loopback and parts.hostname == "localhost"
        if not parts.hostname or parts.username is not None or parts.fragment:
            raise refused
        if not here and (parts.scheme != "https" or port not in (None, 443)):
            raise refused
        try:
            literal = ipaddress.ip_address(parts.hostname)
        except ValueError:
            return parts  # a name, looked up when it is needed
        if not is_public(literal):
            raise refused
        return parts

    # Telling ------------------------------------------------------------------------------

    async def tell_turn(
        self, player: str, game: str, table: str, seconds: int, turn: float = 0.0
    ) -> None:
        """Tell all the player's browsers; push services keep it for so many seconds.

        That it was told is kept with when the turn began, so that nobody is told twice of it, and
        who was to be told when the server ended is told by the next one.
        """
        if self._waiting >= WAITING:
            return
        self._waiting += 1
        try:
            self._turns.take(player)
            found = await self._store.subscriptions(player)
            message = json.dumps({"game": game, "table": table}).encode()
            # A later word on the same table replaces this one. The service is not told which.
            topic = webpush.encode(hashlib.sha256(f"{player} {table}".encode()).digest()[:24])
            sent = await asyncio.gather(*(self._send(to, message, topic, seconds) for to in found))
            if turn and any(sent):
                await self._store.mark_turn(table, turn)
        except StoreError as error:
            log.warning("not told of a turn", problem=error.sentence)
        except GameError as error:
            log.info("not told of a turn", problem=error.code)
        finally:
            self._waiting -= 1

    async def _send(self, to: Subscription, message: bytes, topic: str, seconds: int) -> bool:
        """Whether a push service took it."""
        try:
            parts = self._parts(to.endpoint)
            async with self._sites.visit(parts.hostname or "") as visit:
                async with asyncio.timeout(TIMEOUT):
                    sealed = webpush.seal(message, to.key, to.auth)
                    visit.status = status = await self._post(to, sealed, topic, seconds)
        except UNREACHABLE as problem:
            log.info("push service not reached", problem=type(problem).__name__)
            return False
        if 300 <= status < 500 and status not in LATER:  # it has ended, or was never one
            await self._store.drop_subscription(to.endpoint, to.player)
        if status >= 300:
            log.info("push service refused", status=status)
        return status < 300

    async def _post(self, to: Subscription, body: bytes, topic: str, seconds: int) -> int:
        """The service's status; its answer is not read."""
        parts = self._parts(to.endpoint)
        origin = f"{parts.scheme}://{parts.netloc}"
        headers = {
            "host": parts.netloc,
            "authorization": self._signer.header(origin, time.time() + SIGNED),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "topic": topic,
            "ttl": str(seconds),
            "urgency": "normal",
        }
        how = {"sni_hostname": parts.hostname}  # whose certificate it must have
        self._client = self._client or httpx.AsyncClient(timeout=TIMEOUT, trust_env=False)
        problem: httpx.ConnectError | None = None
        for address in await self._addresses(parts):
            url = httpx.URL(to.endpoint).copy_with(host=address)
            try:
                async with self._client.stream(
                    "POST", url, content=body, headers=headers, extensions=how
                ) as response:
                    return response.status_code
            except httpx.ConnectError as error:  # the next may be reachable from here
                problem = error
        assert problem
        raise problem

    async def _addresses(self, parts: SplitResult) -> list[str]:
        """Where the service is; GameError unless all of its addresses are public."""
        found = await asyncio.get_running_loop().getaddrinfo(
            parts.hostname, parts.port or 443, type=socket.SOCK_STREAM
        )
        addresses = [ipaddress.ip_address(where[0]) for *_, where in found]
        here = self._loopback and all(address.is_loopback for address in addresses)
        if not here and not all(map(is_public, addresses)):
            raise GameError("bad-endpoint", "That is not the address of a push service.")
        return list(map(str, addresses))


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether it is on the internet, and not a way round into a network of ours."""
    if isinstance(address, ipaddress.IPv6Address):
        aside = any(address in network for network in ASIDE)
        return address in UNICAST and address.is_global and not aside
    return address.is_global and not address.is_multicast and address not in RELAYS
