"""The documentation in a browser: under the server's strict policy, on a phone, by search."""

from typing import Any

import pytest
from conftest import Guests
from house import DESK, PHONE, House, problems

PAGES = [
    "",
    "start/bot-writer.html",
    "rules/fr/carat.html",
    "games/carnac.html",
    "reference/kwartet.html",
    "benchmarks.html",
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_every_kind_of_page_can_be_read_by_anybody(
    guests: Guests, size: dict[str, int], theme: str
) -> None:
    page = guests(viewport=size, color_scheme=theme).page
    for path in PAGES:
        page.goto(f"/help/{path}")
        assert page.locator("h1").first.is_visible()
        assert problems(page) == [], path


def test_it_is_searched_where_forms_are_forbidden(guests: Guests) -> None:
    page = guests(viewport=DESK).page
    page.goto("/help/")
    page.get_by_placeholder("Search").fill("dolmen")
    page.get_by_placeholder("Search").press("Enter")
    page.wait_for_url("**/search.html?**")
    found = page.locator("#search-results li a")
    found.first.wait_for()
    assert any("Carnac" in text for text in found.all_text_contents())


def test_its_theme_can_be_chosen_and_is_kept(guests: Guests) -> None:
    page = guests(viewport=DESK).page
    page.goto("/help/")
    page.evaluate("localStorage.setItem('theme', 'dark')")  # as the page's settings do
    page.goto("/help/games/kwatro.html")

    def ground() -> Any:
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    dark = ground()
    page.evaluate("localStorage.setItem('theme', 'light')")
    page.reload()
    assert (
        sum(map(int, dark[4:-1].split(","))) < 200 < 600 < sum(map(int, ground()[4:-1].split(",")))
    )
    before = page.evaluate("document.body.dataset.theme")
    page.locator(".theme-toggle").locator("visible=true").first.click()
    assert page.evaluate("document.body.dataset.theme") != before


def test_the_house_leads_there(house: House, guests: Guests) -> None:
    page = guests().page
    page.goto("/help")
    assert page.url == f"{house.url}/help/"


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "Carnac: the rules"), ("nl", "Carnac: de spelregels")]
)
def test_an_introduction_leads_to_the_rules_in_its_language(
    guests: Guests, language: str, heading: str
) -> None:
    page = guests(locale=language).page
    page.goto("/learn/carnac")
    page.locator("a[href^='/help/rules/']").click()
    page.wait_for_url(f"**/help/rules/{language}/carnac.html")
    assert heading in page.locator("h1").first.inner_text()


def test_home_and_tokens_lead_to_the_documentation(guests: Guests) -> None:
    page = guests(locale="en-GB").page
    page.goto("/")
    page.get_by_role("link", name="Help and documentation").click()
    page.wait_for_url("**/help/")
    page.goto("/account")
    page.get_by_role("link", name="How to write a bot").click()
    page.wait_for_url("**/help/start/bot-writer.html")
    assert page.locator("h1").first.is_visible()
