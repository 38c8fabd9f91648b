"""How much is sent to which site, when anybody may say where to send.

A site is what one owner has: the last two parts of a name, or an address. A host that has taken
a message is known and gets its site's share of the slots; all others share a few and get few
messages, so that they are neither flooded nor able to hold up the known ones by not answering.
A host that fails is left alone for a while, each time twice as long: it alone, as anybody can
name a host at another's site that is not there.
"""

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from kwartet.core.errors import GameError
from kwartet.server.limits import Limit, Rate

CREATED: Final = 201  # what a push service answers (RFC 8030), and hardly anything else does
AT_ONCE: Final = 16  # messages under way to sites that are known
AT_ONCE_STRANGE: Final = 4  # … to all the others
AT_ONCE_EACH: Final = 4  # … to one site
KNOWN_RATE: Final = Rate(50, 500)  # messages to one known site
STRANGE_RATE: Final = Rate(1 / 10, 10)  # … to one that is not
REMEMBERED: Final = 1000  # hosts
FIRST_REST: Final = 10.0  # seconds for which a host that failed is left alone
LONGEST_REST: Final = 3600.0


@dataclass
class Visit:
    """One message to a site, and how it was answered; 0: not at all."""

    status: int = 0


@dataclass
class _Record:
    is_known: bool = False
    rest: float = 0.0  # seconds, since it failed
    until: float = 0.0


class Sites:
    """What is known of hosts, and what is under way to their sites."""

    def __init__(self) -> None:
        self._records: OrderedDict[str, _Record] = OrderedDict()  # the last used at the end
        self._slots = {True: AT_ONCE, False: AT_ONCE_STRANGE}
        self._used: Counter[bool] = Counter()
        self._each: Counter[tuple[str, bool]] = Counter()  # by site, its known hosts apart
        self._rates = {True: Limit(KNOWN_RATE), False: Limit(STRANGE_RATE)}
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def visit(self, host: str) -> AsyncIterator[Visit]:
        """Wait until the host may be sent something; GameError if it is to be left alone."""
        site = site_of(host)
        record = self._record(host.lower().rstrip("."))
        if time.monotonic() < record.until:
            raise GameError("busy", "This host has not answered lately.")
        is_known = record.is_known
        self._rates[is_known].take(site)
        async with self._changed:
            await self._changed.wait_for(lambda: self._has_room(site, is_known))
            self._used[is_known] += 1
            self._each[site, is_known] += 1
        visit = Visit()
        try:
            yield visit
        finally:
            self._note(record, visit.status)
            self._used[is_known] -= 1
            self._each[site, is_known] -= 1
            self._each += Counter()  # forgets what is 0
            async with self._changed:
                self._changed.notify_all()

    def _has_room(self, site: str, is_known: bool) -> bool:
        slots = self._slots[is_known]
        return self._used[is_known] < slots and self._each[site, is_known] < AT_ONCE_EACH

    def _record(self, host: str) -> _Record:
        record = self._records.setdefault(host, _Record())
        self._records.move_to_end(host)
        if len(self._records) > REMEMBERED:
            strange = (name for name, record in self._records.items() if not record.is_known)
            self._records.pop(next(strange, next(iter(self._records))))
        return record

    def _note(self, record: _Record, status: int) -> None:
        if status == CREATED:
            record.is_known, record.rest = True, 0.0
        elif status == 0:
            record.is_known = False
            record.rest = min(LONGEST_REST, max(FIRST_REST, 2 * record.rest))
            record.until = time.monotonic() + record.rest


def site_of(host: str) -> str:
    """Whose host it is."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return ".".join(host.lower().rstrip(".").split(".")[-2:])
