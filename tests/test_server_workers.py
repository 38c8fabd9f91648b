"""The processes of reviews and pictures: whatever becomes of who waits, they come to an end."""

import asyncio
import threading
import time
from functools import partial

import pytest

from kwartet.core.errors import GameError
from kwartet.server.workers import Workers
from tests.serving import on_a_loop


@on_a_loop
async def test_the_processes_stop_though_somebody_gave_up_before_their_turn() -> None:
    workers = Workers(1)
    assert await workers.run(partial(sum, [1, 2])) == 3
    first = asyncio.create_task(workers.run(partial(time.sleep, 60)))
    second = asyncio.create_task(workers.run(partial(sum, [1, 2])))
    await asyncio.sleep(0.2)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    stopping = threading.Thread(target=workers.stop, daemon=True)
    stopping.start()
    with pytest.raises(GameError, match="ended"):
        await first
    await asyncio.to_thread(stopping.join, 5)
    assert not stopping.is_alive()
    with pytest.raises(GameError, match="ended"):
        await workers.run(partial(sum, [1, 2]))
