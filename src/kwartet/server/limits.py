"""How much one may ask for: buckets that fill with time and empty with requests."""

import asyncio
import time
from collections import deque
from dataclasses import dataclass
from typing import Final

from kwartet.core.errors import GameError

REMEMBERED: Final = 20_000  # buckets; full ones are forgotten first


@dataclass(frozen=True)
class Rate:
    """So many in a row, then so many a second."""

    a_second: float
    in_a_row: float


class Limit:
    """One bucket for each who asks."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: dict[str, tuple[float, float]] = {}  # what is left, and when
        # Who waits for a bucket, by who of them it is; the first is the next.
        self._waiting: dict[str, dict[str, deque[asyncio.Future[None]]]] = {}

    def take(self, who: str) -> None:
        """Count a request; GameError `too-many` when the bucket is empty."""
        if wait := self._wait(who):
            seconds = max(wait, 0.1)
            raise GameError("too-many", f"That is too much at once; wait {seconds:.1f} seconds.")

    async def turn(self, who: str, by: str = "") -> None:
        """Count something that can wait, once there is room for it.

        Those who share a bucket take turns, and what each of them asks for stays in order.
        """
        if who not in self._waiting:
            wait = self._wait(who)
            if not wait:
                return
            self._waiting[who] = {}
            asyncio.get_running_loop().call_later(wait, self._serve, who)
        place = asyncio.get_running_loop().create_future()
        self._waiting[who].setdefault(by, deque()).append(place)
        await place

    def _serve(self, who: str) -> None:
        """Let go on for whom there is room, and come back for the others."""
        waiting = self._waiting[who]
        while waiting:
            by, places = next(iter(waiting.items()))
            if not places[0].done():  # else it was given up
                if wait := self._wait(who):
                    asyncio.get_running_loop().call_later(wait, self._serve, who)
                    return
                places[0].set_result(None)
                waiting[by] = waiting.pop(by)  # behind all others
            places.popleft()
            if not places:
                del waiting[by]
        del self._waiting[who]

    def _wait(self, who: str) -> float:
        """Take one out of the bucket and return 0; or the seconds until there is one."""
        now = time.monotonic()
        left = self._left(who, now)
        if left < 1:
            return (1 - left) / self._rate.a_second
        self._keep(who, left - 1, now)
        return 0.0

    def left(self, who: str) -> float:
        """How much is in the bucket."""
        return self._left(who, time.monotonic())

    def _left(self, who: str, now: float) -> float:
        rate = self._rate
        left, then = self._buckets.get(who, (rate.in_a_row, 0.0))
        return min(rate.in_a_row, left + (now - then) * rate.a_second)

    def spend(self, who: str, amount: float) -> None:
        """Take so much, if need be on credit, but of that no more than the bucket holds."""
        now = time.monotonic()
        self._keep(who, max(-self._rate.in_a_row, self._left(who, now) - amount), now)

    def _keep(self, who: str, left: float, now: float) -> None:
        self._buckets[who] = (left, now)
        if len(self._buckets) > REMEMBERED:
            self._forget(now)

    def owed(self, who: str) -> float:
        """Seconds until what was taken on credit is made up for."""
        return max(0.0, -self.left(who) / self._rate.a_second)

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again, or the older half if none is."""
        full = 2 * self._rate.in_a_row / self._rate.a_second  # also from the deepest debt
        kept = {who: b for who, b in self._buckets.items() if now - b[1] < full}
        self._buckets = dict(list(kept.items())[-REMEMBERED // 2 :])
