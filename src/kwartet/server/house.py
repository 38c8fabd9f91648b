"""What every request needs: the tables, who people are, how much they may ask for."""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, TypeVar
from urllib.parse import urlsplit

from starlette.datastructures import URL, Headers
from starlette.requests import HTTPConnection

from kwartet.core.errors import GameError
from kwartet.server.addresses import counted
from kwartet.server.bans import Bans
from kwartet.server.erasing import Erasing
from kwartet.server.hall import Hall
from kwartet.server.identity import Identities, Visitor
from kwartet.server.limits import Limit, Rate
from kwartet.server.metrics import Metrics
from kwartet.server.news import News
from kwartet.server.painting import Painter
from kwartet.server.push import Push
from kwartet.server.reviewing import Reviews
from kwartet.server.settings import Settings
from kwartet.store import Store

T = TypeVar("T")

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
ANYWHERE: Final = ("0.0.0.0", "::", "")
BURST: Final = 5.0  # seconds of its rate that one may use at once


@dataclass
class House:
    """The parts of a running server."""

    settings: Settings
    store: Store
    hall: Hall
    identities: Identities
    metrics: Metrics
    push: Push
    reviews: Reviews
    painter: Painter
    bans: Bans
    news: News
    erasing: Erasing
    sockets: Counter[str] = field(default_factory=Counter)  # by address

    def __post_init__(self) -> None:
        each, address = self.settings.identity_rate, self.settings.address_rate
        self.per_identity = Limit(Rate(each, BURST * each))
        self.per_address = Limit(Rate(address, BURST * address))
        self.new_identities = Limit(Rate(address / 100, address / 2))
        self.talk = Limit(Rate(0.5, 8))
        self.offers = Limit(Rate(each / 10, each))
        self.renames = Limit(Rate(each / 40, each))
        self.new_tables = Limit(Rate(each / 40, each))
        self.hints = Limit(Rate(each / 20, each / 2))
        self.checks = Limit(Rate(each / 4, each))
        self.pictures = Limit(Rate(each / 10, 2 * each))
        self.films = Limit(Rate(each / 400, each / 5))
        self.replays = Limit(Rate(each / 10, 4 * each))
        self.looks = Limit(Rate(each / 10, 2 * each))  # at reviews
        self.listed = Limit(Rate(each / 400, 2 * each))  # new listed tables
        self.listed_there = Limit(Rate(address / 400, address / 2))  # by address
        self.exports = Limit(Rate(1 / 600, 3))
        self.exports_there = Limit(Rate(1 / 120, 10))  # by address
        self.searching = asyncio.Lock()  # all logs, for one person at a time
        self.reports = Limit(Rate(1 / 300, 5))
        self.reports_there = Limit(Rate(1 / 60, 20))  # by address
        self._replayer = ThreadPoolExecutor(1, "replayer")

    async def look_back(self, work: Callable[[], T]) -> T:
        """Do something with a match's past on the one thread for it, which many may wait for."""
        return await asyncio.get_running_loop().run_in_executor(self._replayer, work)

    def close(self) -> None:
        """End what is waited for."""
        self._replayer.shutdown(wait=False, cancel_futures=True)

    def check_host(self, headers: Headers) -> None:
        """Refuse a name that is not ours: a page elsewhere may have pointed it here."""
        if self.settings.host in ANYWHERE:
            return
        try:
            name = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        except ValueError:
            name = ""
        public = urlsplit(self.settings.public_url).hostname
        if name not in (*LOOPBACK, self.settings.host, public):
            raise GameError("bad-host", "This server is not known by that name.")

    def check_origin(self, headers: Headers, url: URL) -> None:
        """Refuse what another site's page sends in a person's name."""
        origin = headers.get("origin")
        if origin is None:  # not a browser: browsers always say where such a request comes from
            return
        ours = {f"http://{url.netloc}", f"https://{url.netloc}"}
        if self.settings.public_url:
            ours.add(self.settings.public_url.rstrip("/"))
        if origin not in ours:
            raise GameError("bad-origin", "This request comes from another site.")

    async def visitor_of(
        self, connection: HTTPConnection, *, banned: bool = False
    ) -> Visitor | None:
        """Who sends this; counts it, too. GameError for who is kept out, unless `banned` may."""
        address = address_of(connection)
        self.per_address.take(address)
        self.bans.check_address(host_of(connection))
        visitor = await self.identities.recognise(connection.headers, connection.cookies)
        if visitor is not None:
            self.per_identity.take(visitor.player)
            self.hall.thinkers.budgets.meet(visitor.player, address)
            if not banned:
                self.bans.check_player(visitor.player)
        return visitor

    def origin(self, connection: HTTPConnection) -> str:
        """Where people reach this server."""
        if self.settings.public_url:
            return self.settings.public_url.rstrip("/")
        return f"{connection.url.scheme.replace('ws', 'http')}://{connection.url.netloc}"


def address_of(connection: HTTPConnection) -> str:
    """What it is counted as: where it comes from, of IPv6 the network."""
    return counted(host_of(connection))


def host_of(connection: HTTPConnection) -> str:
    """The very address it comes from."""
    return connection.client.host if connection.client else "?"
