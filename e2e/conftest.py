"""A real browser at the built page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from house import PATIENCE, Guest, House
from playwright.sync_api import Browser, ConsoleMessage, Page, expect
from tests.sharing import pytest_xdist_auto_num_workers as pytest_xdist_auto_num_workers

import web
from serving import serve

Guests = Callable[..., Guest]

expect.set_options(timeout=PATIENCE * 1000)  # what is thought has to wait for all else


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The browser that `make` unpacked."""
    return {**browser_type_launch_args, **web.browser_launch()}


@pytest.fixture(scope="session")
def base_url() -> Iterator[str]:
    """Where the page of specimens is served."""
    with serve(web.SPECIMEN) as address:
        yield address


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server for all tests that do not end it."""
    house = House(tmp_path_factory.mktemp("house")).start()
    yield house
    house.stop()


@pytest.fixture
def guests(browser: Browser, house: House) -> Iterator[Guests]:
    """Makes people with browsers of their own; none of their pages may have complained."""
    made: list[Guest] = []

    def guest(url: str = house.url, **how: Any) -> Guest:
        made.append(Guest(browser, url, **how))
        return made[-1]

    yield guest
    for someone in made:
        someone.context.close()
    assert [complaint for someone in made for complaint in someone.complaints] == []


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
