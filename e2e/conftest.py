"""A real browser at the built page."""

import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import web  # noqa: E402
from serving import serve  # noqa: E402


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **web.browser_launch()}


@pytest.fixture(scope="session")
def specimens() -> Any:
    """The address of the page of specimens."""
    with serve(web.SPECIMEN) as address:
        yield f"{address}/specimen.html"


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
