"""Who is kept out: people by their identity, and everybody in a network."""

import ipaddress
import time
from typing import Final

from kwartet.core.errors import GameError, quoted
from kwartet.server.addresses import parsed
from kwartet.store import Ban, Store

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
WIDTH: Final = {4: 32, 6: 128}  # bits of an address


class Bans:
    """The bans of this server, all in memory; read again when they have changed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._people: dict[str, Ban] = {}
        self._networks: dict[tuple[int, int], dict[int, Ban]] = {}  # by version and length

    async def read(self) -> None:
        """Read them from the store."""
        people: dict[str, Ban] = {}
        networks: dict[tuple[int, int], dict[int, Ban]] = {}
        for ban in reversed(await self._store.people.bans()):
            if ban.player:
                people[ban.player] = ban
            if ban.network:
                net = ipaddress.ip_network(ban.network)
                kept = networks.setdefault((net.version, net.prefixlen), {})
                kept[int(net.network_address)] = ban
        self._people, self._networks = people, networks

    def check_player(self, player: str) -> None:
        """GameError `banned` if this person is kept out."""
        _check(self._people.get(player))

    def check_address(self, address: str) -> None:
        """GameError `banned` if whoever comes from there is kept out."""
        if not self._networks:
            return
        number = parsed(address)
        if number is None:
            return  # not an address, such as that of a local socket
        for (version, length), kept in self._networks.items():
            if version == number.version:
                rest = WIDTH[version] - length
                _check(kept.get(int(number) >> rest << rest))


def network_of(text: str) -> str:
    """An address or network as it is kept; GameError if it is none."""
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        raise GameError("bad-network", f"{quoted(text)} is no address or network.") from None


def _check(ban: Ban | None) -> None:
    if ban is None or (ban.until is not None and ban.until <= time.time()):
        return
    day = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(ban.until)) if ban.until else ""
    until = f"until {day}" if day else "for good"
    why = f" Reason: {ban.reason}" if ban.reason else ""
    reason = {"until": ban.until, "why": ban.reason}
    raise GameError("banned", f"You cannot play here {until}.{why}", reason=reason)
