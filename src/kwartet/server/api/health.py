"""Whether the server is well, and which it is."""

from typing import Final

from kwartet.server import messages as m
from kwartet.server.api.calls import Call, Operation


async def health(call: Call) -> m.Health:
    """The process is alive."""
    return m.Health("ok", version())


async def ready(call: Call) -> m.Health:
    """The database answers and can be written to, too."""
    await call.house.store.ping()
    await call.house.store.check_writes()
    return m.Health("ok", version())


def version() -> str:
    """The program's version."""
    from importlib.metadata import version

    return version("kwartet")


OPERATIONS: Final = (
    Operation("GET", "/healthz", health, m.Health, "The process is alive.", person=False),
    Operation(
        "GET",
        "/readyz",
        ready,
        m.Health,
        "The database answers and can be written to, too.",
        person=False,
    ),
)
