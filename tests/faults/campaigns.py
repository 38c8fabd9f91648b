"""Play under faults and compare: kills, bad networks, races through several processes.

People play at many tables through connections that heal by themselves. Afterwards the logs
must account for everything that they were told, and all matches must have come to their
ends.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tests.faults.histories import History, faults_in, logs_of
from tests.faults.houses import House, Kind, house
from tests.faults.playing import Crowd
from tests.faults.relay import Relay

Victim = Literal["server", "answer", "database"]  # answer: a server whose answer was not heard yet
Advance = Callable[[int], object]
CALM = 40  # at most so many commands between two kills


@dataclass
class Outcome:
    """What happened, in numbers, and what should not have."""

    numbers: dict[str, Any] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Scene:
    """What a fault can be brought about with."""

    house: House
    relay: Relay
    crowd: Crowd


def nobody(_: int) -> None:
    """Nobody looks how far it is."""


async def campaign(
    folder: Path,
    meddle: Callable[[Scene], Awaitable[None]],
    *,
    kind: Kind = "sqlite",
    processes: int = 1,
    pairs: int = 10,
    faultiness: float = 0.0,
) -> tuple[Outcome, History]:
    """Let pairs of people play, each with a device at every process, while somebody meddles."""
    history = History()
    async with house(folder, kind, processes) as home, Relay(faultiness=faultiness) as relay:
        crowd = Crowd(history, meet=relay.meet)
        await crowd.come(home.urls, pairs, devices=processes)
        await meddle(Scene(home, relay, crowd))
        relay.faultiness = 0.0
        await crowd.finish()
        faults = faults_in(history, await logs_of(home.database, history.tables))
        if home.tracebacks:
            faults.append(home.tracebacks)
    numbers = {
        "database": kind,
        "processes": processes,
        "matches": len(history.tables),
        "accepted": history.accepted,
        "refused": dict(history.refused),
        "shown": len(history.views),
    }
    return Outcome(numbers, faults), history


async def kills(
    folder: Path,
    count: int,
    *,
    kind: Kind = "sqlite",
    processes: int = 1,
    victims: tuple[Victim, ...] = ("server", "answer"),
    pairs: int = 10,
    advance: Advance = nobody,
) -> Outcome:
    """Kill servers or their database, in turn, at random moments or between commit and answer."""

    async def meddle(scene: Scene) -> None:
        for number in range(count):
            await scene.crowd.until(random.randint(1, CALM))
            await _kill(scene, victims[number % len(victims)])
            advance(1)

    outcome, _ = await campaign(folder, meddle, kind=kind, processes=processes, pairs=pairs)
    victim = Counter(victims[number % len(victims)] for number in range(count))
    return Outcome({"kills": dict(victim)} | outcome.numbers, outcome.faults)


async def _kill(scene: Scene, victim: Victim) -> None:
    home, server = scene.house, random.choice(scene.house.servers)
    if victim == "database":
        await home.kill_database()
        return
    if victim == "answer":
        answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        scene.relay.on_accepted = answered.set_result
        host = await answered
        server = next(one for one in home.servers if one.url.endswith(host))
    await home.kill(server)


async def network(
    folder: Path,
    count: int,
    *,
    kind: Kind = "sqlite",
    processes: int = 1,
    pairs: int = 10,
    advance: Advance = nobody,
) -> Outcome:
    """Lose, cut, delay, double and reorder so many messages."""
    done: Counter[str] = Counter()

    async def meddle(scene: Scene) -> None:
        told = 0
        while told < count:
            await scene.crowd.until(1)
            now = min(count, scene.relay.faults.total())
            advance(now - told)
            told = now
        done.update(scene.relay.faults)

    outcome, _ = await campaign(
        folder, meddle, kind=kind, processes=processes, pairs=pairs, faultiness=0.2
    )
    return Outcome({"messages": dict(done)} | outcome.numbers, outcome.faults)


async def races(
    folder: Path,
    count: int,
    *,
    kind: Kind = "postgres",
    processes: int = 2,
    pairs: int = 5,
    advance: Advance = nobody,
) -> tuple[Outcome, History]:
    """Have everybody's devices race through several processes, for so many commands."""

    async def meddle(scene: Scene) -> None:
        for done in range(0, count, CALM):
            step = min(CALM, count - done)
            await scene.crowd.until(step)
            advance(step)

    return await campaign(folder, meddle, kind=kind, processes=processes, pairs=pairs)
