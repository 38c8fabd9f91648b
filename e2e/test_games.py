"""What single games tell while one chooses, and their largest matches on a phone."""

import re

from conftest import Guests
from house import PHONE, finish, next_move
from playwright.sync_api import Page, expect

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}

# Buttons and the like that no scrolling brings to where they can be pressed.
UNREACHABLE = """() => {
    const isIn = (box) => box.width > 0 && box.left >= 0 && box.right <= innerWidth + 1;
    const pressable = [...document.querySelectorAll('button, a, input, summary')];
    return pressable.filter((node) => node.checkVisibility() && !node.disabled).filter((node) => {
        node.scrollIntoView({ block: 'center' });
        const box = node.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const hit = document.elementFromPoint(x, y);
        return !isIn(box) || !(hit && (node.contains(hit) || hit.contains(node)));
    }).map((node) => node.outerHTML.slice(0, 120));
}"""


def too_wide(page: Page) -> int:
    """How many pixels of the page stand out sideways."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_four_play_the_dice_game_on_a_phone(guests: Guests) -> None:
    guest = guests(viewport=PHONE, has_touch=True, is_mobile=True)
    page = guest.page
    seats = [ME, BOT, BOT, BOT]
    page.goto(guest.open_table("catan_dice", seats=seats, options={"players": 4}))
    page.get_by_role("button", name="Roll all dice").wait_for()
    assert too_wide(page) == 0
    assert page.evaluate(UNREACHABLE) == []
    others = page.locator(".cd-row .cd-other")
    expect(others).to_have_count(3)
    others.first.tap()
    expect(page.get_by_role("dialog")).to_contain_text("Island of Novice bot")
    page.get_by_role("button", name="Close").tap()
    page.locator(".cd-die").first.tap()
    page.get_by_role("button", name="Roll 5 dice").tap()
    expect(page.locator(".cd-tray")).to_be_visible()
    page.get_by_role("button", name="Stop here").tap()
    page.get_by_role("button", name="End turn").tap()
    page.get_by_role("button", name="Roll all dice").wait_for()
    for tab in ("Moves", "Chat", "Table", "Board"):
        page.locator(".tabs").get_by_role("button", name=tab).tap()
        assert too_wide(page) == 0
        assert page.evaluate(UNREACHABLE) == []


def test_a_person_finishes_the_dice_game_against_a_bot(guests: Guests) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.open_table("catan_dice", seats=[ME, BOT], options={"players": 2}))
    for _ in range(2):
        page.get_by_role("button", name="Roll all dice").click()
        page.get_by_role("button", name="Stop here").click()
        page.get_by_role("button", name="End turn").click()
    assert next_move(page)
    finish(page)
    expect(page.get_by_role("region", name="Result")).to_contain_text("win")


def test_who_plays_alone_is_compared_with_the_best_and_keeps_a_list(guests: Guests) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.open_table("catan_dice", seats=[ME]))
    switch = page.get_by_role("switch", name="Compare with the best choice")
    expect(switch).not_to_be_checked()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="Stop here").click()
    page.get_by_role("button", name="End turn").wait_for()
    assert not [url for url in asked if "/review" in url]
    switch.check()
    told = page.locator(".review")
    expect(told).to_contain_text(re.compile("Turn 1: |Solve it now"), timeout=60_000)
    page.reload()
    expect(switch).to_be_checked()
    switch.uncheck()
    assert next_move(page)
    finish(page)
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("Your first result in this game.")
    result.get_by_role("button", name="Rematch").click()
    expect(result).to_have_count(0)
    finish(page)
    expect(result).to_contain_text(re.compile("Your best so far|This is number 2 on your list"))
