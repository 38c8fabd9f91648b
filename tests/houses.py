"""A server without its sockets, in the test's own process, and what one waits for there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from kwartet.server.app import make_app
from kwartet.server.house import House
from kwartet.server.settings import Settings
from kwartet.server.webpush import new_key
from kwartet.store import open_store


@asynccontextmanager
async def house_of(folder: Path, processes: int) -> AsyncIterator[House]:
    """A server without its sockets, in this process."""
    store = await open_store(f"sqlite:///{folder}/kwartet.db")
    settings = Settings(bot_processes=1, review_processes=processes, push_key=new_key())
    app = make_app(settings, "s" * 40, store)
    async with app.router.lifespan_context(app):
        yield app.state.house


async def is_ready(house: House) -> bool:
    """Whether Connect Four can be played there."""
    return house.hall.readiness.is_ready("connect_four")


async def answered(found: object) -> bool:
    """Whether there is something by now, for `eventually`."""
    return bool(found)
