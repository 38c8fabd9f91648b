"""What msgspec knows of our types."""

from collections.abc import Iterator
from contextlib import suppress

import msgspec


def look_at_all() -> None:
    """Have msgspec look at every type that is loaded, before there are threads.

    It does so when a type is first needed, and two threads that need one at once for the first
    time crash the process (seen with 0.22).
    """
    for kind in _within(msgspec.Struct):
        with suppress(NameError, TypeError):  # one that is never read may name what is not loaded
            msgspec.json.Decoder(kind)


def _within(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _within(one)
