"""The introductions: rules beside their boards, and every first match played to its end."""

import re

import pytest
from conftest import Guests
from house import DESK, PHONE, WORDS, problems
from playwright.sync_api import Page, expect

import lessons

SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
GAMES = pytest.mark.parametrize("game", lessons.LESSONS)
BOT = {"kind": "bot", "level": "novice"}


def _heading(game: str) -> str:
    return str(WORDS["learn_title"]).replace("{game}", WORDS[f"{game}_title"])


@GAMES
@SIZES
def test_the_rules_have_boards_and_no_serious_problem(
    guests: Guests, size: dict[str, int], game: str
) -> None:
    scheme = "dark" if size is PHONE else "light"
    page = guests(viewport=size, color_scheme=scheme).page
    page.goto(f"/learn/{game}")
    boards = page.locator("[data-place=board]")
    expect(boards).to_have_count(len(lessons.LESSONS[game]()["sections"]))
    for board in boards.all():
        box = board.bounding_box()
        assert box
        assert 200 <= box["width"] <= 600
        assert box["height"] >= 120
    assert problems(page) == []
    page.get_by_role("button", name=WORDS["learn_frame_first"]).first.click()
    expect(page.get_by_role("button", name=WORDS["learn_frame_next"])).to_have_count(1)
    assert problems(page) == []


def _be_shown(page: Page) -> None:
    """Ask for the move that is meant, and play it."""
    page.get_by_role("button", name=WORDS["learn_show_me"]).click()
    page.locator("[data-place=confirm]").get_by_role("button").last.click()


@GAMES
@SIZES
def test_a_first_match_is_played_to_its_end(
    guests: Guests, size: dict[str, int], game: str
) -> None:
    steps = lessons.LESSONS[game]()["steps"]
    scheme = "dark" if size is PHONE else "light"
    page = guests(viewport=size, color_scheme=scheme).page
    page.goto(f"/learn/{game}")
    page.get_by_role("link", name=WORDS["learn_start"]).first.click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    at = 0
    while (step := steps[at]).get("next", 0) is not None:
        before = page.url
        if "right" in step:
            _be_shown(page)
        else:
            page.get_by_role("button", name=WORDS["learn_next"]).click()
        page.wait_for_function("before => location.href !== before", arg=before)
        at = int(page.url.split("#")[1])
        if at == 2:
            page.reload()
            beat = f"{steps[at]['beat'] + 1} of"
            expect(page.get_by_text(re.compile(beat)).first).to_be_attached()
    page.get_by_role("button", name=WORDS["learn_novice"]).click()
    page.wait_for_url(re.compile("/table/"))
    page.go_back()
    expect(page.get_by_role("heading", name=WORDS["learn_tips"])).to_be_visible()


def test_the_rules_are_a_click_away_everywhere(guests: Guests) -> None:
    ann = guests()
    seats = [{"kind": "me"}, BOT]
    table = ann.open_table("carnac", options={"board": "small"}, seats=seats)
    rules = ann.page.get_by_role("link", name=WORDS["learn_link"])
    for address in ("/", "/new/carnac", table):
        ann.page.goto(address)
        rules.and_(ann.page.locator("[href='/learn/carnac']")).click()
        expect(ann.page.get_by_role("heading", name=_heading("carnac"))).to_be_visible()
        ann.page.go_back()
        expect(rules.first).to_be_visible()
        assert ann.page.url.endswith(address)


def test_there_is_no_introduction_to_an_unknown_game(guests: Guests) -> None:
    page = guests().page
    page.goto("/learn/chess")
    expect(page.get_by_role("heading", name=WORDS["missing_title"])).to_be_visible()
