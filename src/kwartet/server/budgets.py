"""How long others may think for one: bots, hints, tries and reviews share one budget.

A person has one, and so has an address, from which many may come. Who has used theirs up is
refused nothing: they wait behind those who have not.
"""

import time
from collections import OrderedDict
from typing import Final, Literal

from kwartet.server.limits import Limit, Rate

OWN: Final = Rate(0.5, 120.0)  # seconds of one process
SHARED: Final = Rate(2.0, 480.0)  # the same for all who come from one address
PATIENCE: Final = 60.0  # seconds after which who is over budget is served like others, once
REMEMBERED: Final = 20_000  # people and when they had their turn

Kind = Literal["bot", "hint", "try", "review"]
KINDS: Final[tuple[Kind, ...]] = ("bot", "hint", "try", "review")


class Budgets:
    """What everybody has left."""

    def __init__(self) -> None:
        self._own, self._shared = Limit(OWN), Limit(SHARED)
        self._addresses: OrderedDict[str, str] = OrderedDict()  # by person, the latest last
        self.seconds: dict[Kind, float] = dict.fromkeys(KINDS, 0.0)  # thought so far

    def meet(self, person: str, address: str) -> None:
        """Note where a person is."""
        self._addresses[person] = address
        self._addresses.move_to_end(person)
        if len(self._addresses) > REMEMBERED:
            self._addresses.popitem(last=False)

    def home(self, person: str) -> str:
        """Where they were last; themselves, if nobody knows."""
        return self._addresses.get(person, person)

    def charge(self, person: str, kind: Kind, seconds: float) -> None:
        """Count what was thought for a person."""
        self.seconds[kind] += seconds
        self._own.spend(person, seconds)
        self._shared.spend(self.home(person), seconds)

    def is_over(self, person: str) -> bool:
        """Whether they, or those at their address, have used up what they had."""
        return self._own.left(person) <= 0 or self._shared.left(self.home(person)) <= 0


class Turns:
    """Who had a turn at something and when, and so whose is next."""

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._last: OrderedDict[str, float] = OrderedDict()  # by person and by address

    def note(self, person: str) -> None:
        """Somebody has a turn now."""
        for who in (person, self._budgets.home(person)):
            self._last[who] = time.monotonic()
            self._last.move_to_end(who)
        while len(self._last) > REMEMBERED:
            self._last.popitem(last=False)

    def is_behind(self, person: str, since: float) -> bool:
        """Whether who waits since then is to let others go first."""
        if not self._budgets.is_over(person):
            return False
        home = self._last.get(self._budgets.home(person), since)
        return time.monotonic() - max(since, home) < PATIENCE

    def place(self, person: str, since: float) -> tuple[bool, float, float, float]:
        """Where in line one stands who waits since then; the least is next.

        Addresses take turns, at each of them people do, and else who came first goes first.
        """
        own = max(since, self._last.get(person, since))
        home = max(since, self._last.get(self._budgets.home(person), since))
        return self.is_behind(person, since), home, own, since
