"""A real browser at the built page."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page

import web
from serving import serve


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The browser that `make` unpacked."""
    return {**browser_type_launch_args, **web.browser_launch()}


@pytest.fixture(scope="session")
def base_url() -> Iterator[str]:
    """Where the page of specimens is served."""
    with serve(web.SPECIMEN) as address:
        yield address


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the page says to the console and should not."""
    heard: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            heard.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: heard.append(str(error)))
    return heard
