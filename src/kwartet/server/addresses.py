"""Where connections come from: which addresses count as one, and which proxies are believed."""

import ipaddress
from functools import lru_cache
from typing import Any, Final

from kwartet.core.errors import GameError, quoted
from kwartet.server.limits import Limit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
PREFIX: Final = 64  # bits of an IPv6 address that tell one customer from another
SCHEMES: Final = ("http", "https")


@lru_cache(8192)
def counted(host: str) -> str:
    """What an address is counted as: an IPv4 address whole, of an IPv6 address its network."""
    address = parsed(host)
    if address is None or isinstance(address, ipaddress.IPv4Address):
        return str(address or host)
    return str(ipaddress.ip_network((int(address) >> PREFIX << PREFIX, PREFIX)))


def parsed(text: str) -> Address | None:
    """The address in a text, with or without a port; None if there is none.

    One of IPv4 that is written as IPv6 is one of IPv4.
    """
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Proxies:
    """Proxies that are believed in what they say of whom they bring."""

    def __init__(self, networks: str) -> None:
        """Addresses and networks, with commas between; GameError if one is none."""
        self._networks = []
        for text in filter(None, map(str.strip, networks.split(","))):
            try:
                self._networks.append(ipaddress.ip_network(text))
            except ValueError:
                raise GameError(
                    "bad-setting", f"Setting trusted_proxies has {quoted(text)}, no network."
                ) from None
        self._known = lru_cache(1024)(self._is_ours)

    def trust(self, host: str) -> bool:
        """Whether this is one of them."""
        return self._known(host)

    def _is_ours(self, host: str) -> bool:
        address = parsed(host)
        return address is not None and any(address in network for network in self._networks)

    def client(self, peer: str, forwarded: str) -> str:
        """Who a proxy speaks for: the last one in its list that is no proxy itself.

        Whom a proxy cannot name is counted as the proxy.
        """
        client = peer
        for hop in reversed(forwarded.split(",")):
            address = parsed(hop.strip())
            if address is None or not self.trust(client):
                break
            client = str(address)
        return client


class Forwarded:
    """An application that is told by trusted proxies for whom they ask, and how they were asked.

    Who asks for too much through a proxy is refused here, before anything else is done.
    """

    def __init__(self, app: Any, proxies: Proxies, requests: Limit, refusing: Any) -> None:
        self._app = app
        self._proxies = proxies
        self._requests = requests
        self._refusing = refusing  # an application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection."""
        peer = scope.get("client")
        if peer and self._proxies.trust(peer[0]):
            said = _headers(scope, b"x-forwarded-for")
            if said:
                scope["client"] = (self._proxies.client(peer[0], ",".join(said)), 0)
            scheme = "".join(_headers(scope, b"x-forwarded-proto")[-1:]).strip().lower()
            if scheme in SCHEMES:
                is_socket = scope["type"] == "websocket"
                scope["scheme"] = scheme.replace("http", "ws") if is_socket else scheme
            address = counted(scope["client"][0])
            if said:
                self._requests.spend(address, 1)
                if self._requests.owed(address):
                    await self._refusing(scope, receive, send)
                    return
        await self._app(scope, receive, send)


def _headers(scope: Any, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]
