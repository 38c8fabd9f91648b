"""Test processes: how many there are, and one of something for all, made by the first to ask."""

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 300.0  # seconds that the maker waits for the others at the end


def pytest_xdist_auto_num_workers() -> int:
    """For pytest: two more than there are cores, as tests wait for servers, browsers and clocks."""
    return (os.cpu_count() or 1) + 2


@contextmanager
def shared(book: Path, make: Callable[[], AbstractContextManager[Any]]) -> Iterator[Any]:
    """What `make` yields (JSON-ready), ended by its maker when no process uses it any more."""
    with ExitStack() as own:
        with _opened(book) as page:
            is_maker = page.get("users", 0) == 0
            if is_maker:
                page["what"] = own.enter_context(make())
            page["users"] = page.get("users", 0) + 1
            what = page["what"]
        try:
            yield what
        finally:
            with _opened(book) as page:
                page["users"] -= 1
            if is_maker:
                _await_others(book)


def _await_others(book: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with _opened(book) as page:
            if page["users"] == 0:
                return
        time.sleep(0.1)


@contextmanager
def _opened(book: Path) -> Iterator[dict[str, Any]]:
    """The book's page, for one process at a time."""
    with book.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        page: dict[str, Any] = json.loads(file.read() or "{}")
        yield page
        file.truncate(0)
        file.write(json.dumps(page))
