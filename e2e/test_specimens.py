"""Every screen and both boards in a browser: sizes, themes, keys, contrast, speed."""

import gzip
from pathlib import Path
from typing import Literal

import pytest
from house import problems
from playwright.sync_api import Page

import web
from serving import serve

SCREENS = ["home", "profile", "account", "cover"]  # the others with a real server
TABLES = [
    *(f"carat-{name}" for name in ("start", "middle", "pairs", "over", "watched")),
    *(f"carnac-{name}" for name in ("start", "place", "tilt", "medium", "over")),
    *(f"catan_dice-{name}" for name in ("start", "alone", "done", "roll", "act", "over")),
    *(f"kwatro-{name}" for name in ("start", "swap", "play", "big", "full", "over")),
    *("carat-review", "carat-review-hands", "carnac-review", "carnac-review-tilt"),
    *("catan_dice-review", "catan_dice-review-build", "catan_dice-review-start"),
    *("kwatro-review", "kwatro-review-hands", "kwatro-review-pass"),
]
WAYS: dict[int, Literal["light", "dark"]] = {1280: "light", 360: "dark"}  # by width
FIRST_LOAD = 110_000  # bytes, compressed


@pytest.mark.parametrize("show", SCREENS + TABLES)
def test_a_screen_fits_its_width_and_has_no_serious_problem(
    page: Page, complaints: list[str], show: str
) -> None:
    """On a desk in daylight; then, as somebody may turn a tablet, narrow and in the dark."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(f"/specimen.html?show={show}")
    page.wait_for_selector("h1")
    for width, scheme in WAYS.items():
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert problems(page) == [], width
    assert complaints == []


def test_the_built_page_says_so_when_no_server_answers(page: Page) -> None:
    with serve(web.PAGE) as address:
        page.goto(address)
        page.get_by_role("heading", name="That did not work.").wait_for()
        page.get_by_role("button", name="Try again").click()
        page.get_by_role("link", name="Settings").click()
        page.get_by_role("radio", name="dark").click()
        assert page.url.endswith("/settings")
        page.go_back()
        page.get_by_role("heading", name="That did not work.").wait_for()
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_first_load_is_small() -> None:
    index = (web.PAGE / "index.html").read_text()
    files = [path for path in (web.PAGE / "assets").iterdir() if path.name in index]
    fonts = list((web.PAGE / "assets").glob("*.woff2"))
    assert len(files) >= 2
    assert sum(_weight(path) for path in [*files, *fonts]) < FIRST_LOAD


def _weight(path: Path) -> int:
    return len(gzip.compress(path.read_bytes()))
