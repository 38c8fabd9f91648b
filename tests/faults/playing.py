"""People who play at many tables at once, whatever happens, and write down what they are told.

A device is one connection of one person, healed by `kwartet.client`. Several devices of the
same person play for the same seat, so that they race for every ply.
"""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import count, cycle, islice

from msgspec.structs import replace

from kwartet.client import Attendance, Client
from kwartet.core.errors import GameError
from kwartet.server import accounts as own
from kwartet.server import messages as m
from tests.faults.histories import Command, History, View

TALKATIVE = 0.1  # of the moves are followed by a word; nothing but its id keeps that single

Meet = Callable[[Client, str], Attendance]


def directly(client: Client, table: str) -> Attendance:
    """At the table, with nothing between oneself and the server."""
    return client.attend(table)


class Crowd:
    """Pairs of people, each pair at one table after another until `is_over`."""

    def __init__(self, history: History, *, meet: Meet = directly, game: str = "connect_four"):
        self.history = history
        self.is_over = False
        self._meet = meet
        self._game = game
        self._pairs: list[list[list[Client]]] = []  # pair, person, device
        self._stack = AsyncExitStack()
        self._numbers = count()
        self._playing: list[asyncio.Task[None]] = []

    async def come(self, urls: list[str], pairs: int, devices: int = 1) -> None:
        """Let so many pairs come in and play, the devices of each person at different servers."""
        places = cycle(urls)
        for _ in range(pairs):
            pair = [await self._person(list(islice(places, devices))) for _ in range(2)]
            self._pairs.append(pair)
        self._playing = [asyncio.create_task(self._play(*pair)) for pair in self._pairs]

    async def _person(self, urls: list[str]) -> list[Client]:
        first = await self._stack.enter_async_context(Client(urls[0]))
        if len(urls) == 1:
            return [first]
        token = await first.ask("POST", "/api/me/tokens", own.Token, own.MakeToken("device"))
        assert token.secret
        others = [Client(url, token.secret) for url in urls[1:]]
        return [first, *[await self._stack.enter_async_context(other) for other in others]]

    async def finish(self) -> None:
        """Have the matches played to their ends, then let everybody leave."""
        self.is_over = True
        await asyncio.gather(*self._playing)
        await self._stack.aclose()

    async def until(self, accepted: int) -> None:
        """Wait until so many more commands have been accepted; raise what went wrong meanwhile."""
        aim = self.history.accepted + accepted
        while self.history.accepted < aim:
            for task in self._playing:
                if task.done():
                    task.result()
            await asyncio.sleep(0.002)

    async def _play(self, first: list[Client], second: list[Client]) -> None:
        while not self.is_over:
            try:
                table = await first[0].create(self._game, seats=["me", "open"], listed=False)
            except GameError:  # no server at this moment
                await asyncio.sleep(0.1)
                continue
            devices = [*first, *second]
            await asyncio.gather(*(self._attend(device, table.id) for device in devices))
            self.history.tables.append(table.id)

    async def _attend(self, client: Client, table: str) -> None:
        """One device at one table until the match is over."""
        device = f"d{next(self._numbers)}"
        async with self._meet(client, table) as seat:
            async for now in seat:
                if now.match:  # else the rules are being prepared, and no moves are shown
                    view = View(device, table, time.monotonic(), now.version, tuple(seat.log))
                    self.history.views.append(view)
                if now.state == "open" and not now.mine and "sit" in now.may:
                    await self._wish(seat, device, table, m.Sit())
                elif "play" in now.may and now.match and now.match.legal:
                    await self._move(seat, device, table, now.match)

    async def _move(self, seat: Attendance, device: str, table: str, match: m.MatchView) -> None:
        ply, move = match.view["ply"], random.choice(match.legal)
        await self._wish(seat, device, table, m.Play(ply=ply, move=move))
        if random.random() < TALKATIVE:
            await self._wish(seat, device, table, m.Chat(text=f"at {ply}"))

    async def _wish(self, seat: Attendance, device: str, table: str, wish: m.AnyCommand) -> None:
        """Send it under an id of its own and write down how it was answered."""
        key = f"{device}-{next(self._numbers)}"
        noted = Command(device, table, key, time.monotonic())
        if isinstance(wish, m.Play):
            noted.ply, noted.move = wish.ply, wish.move
        self.history.commands.append(noted)
        try:
            noted.version = (await seat.send(replace(wish, id=key))).version
            self.history.accepted += 1
        except GameError as error:
            noted.code = error.code
        noted.ended = time.monotonic()
