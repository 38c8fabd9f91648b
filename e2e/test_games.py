"""What single games tell while one chooses, and their largest matches on a phone."""

import re

from conftest import Guests
from house import PHONE, finish, next_move
from playwright.sync_api import Browser, FloatRect, Page, expect

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}
COMPILING = 300_000  # milliseconds until Kwatro can be played where nobody compiled it before

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


def test_a_card_tells_what_it_would_score_and_why_it_does_not_fit(guests: Guests) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.open_table("kwatro", seats=[ME, BOT]))
    page.locator(".kw-slot").first.wait_for(timeout=COMPILING)
    said = page.locator(".kw-say")
    page.locator(".kw-slot").first.click()
    spot = page.locator(".kw-spot", has_text="+").first
    points = (spot.text_content() or "").strip().removeprefix("+")
    spot.hover()
    expect(said).to_contain_text(f"{points} point")
    spot.click()
    expect(page.get_by_role("button", name=f"Play for {points}", exact=True)).to_be_enabled()
    page.locator(".kw-slot").first.click()  # two cards lie; where the third may not go:
    page.locator(".kw-off").first.hover(force=True)
    expect(said).to_contain_text("not here")
    expect(said).to_contain_text(re.compile("Row|Column|line|joker"))


def test_a_full_field_of_cards_is_played_on_a_phone(browser: Browser, base_url: str) -> None:
    phone = browser.new_context(
        viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True, base_url=base_url
    )
    page = phone.new_page()
    page.goto("/specimen.html?show=kwatro-full")
    expect(page.locator(".kw-laid")).to_have_count(64)
    assert too_wide(page) == 0
    assert page.evaluate(UNREACHABLE) == []
    field = page.locator(".kw-field").bounding_box()
    assert field
    for card in (page.locator(".kw-laid").first, page.locator(".kw-laid").last):
        for _ in range(12):
            page.wait_for_timeout(60)
            box = card.bounding_box()
            assert box
            away = (
                field["x"] + field["width"] / 2 - box["x"],
                field["y"] + field["height"] / 2 - box["y"],
            )
            if max(map(abs, away)) < 60:
                break
            pull(page, *(max(-120.0, min(120.0, step)) for step in away))
        else:
            raise AssertionError("a card cannot be brought into sight")
    page.locator(".kw-slot").first.tap()
    spots = page.locator(".kw-spot")
    expect(spots).not_to_have_count(0)
    page.locator(".kw-off").first.wait_for(state="attached")
    while page.locator(".kw-more").count():
        page.locator(".kw-more").tap()
        page.wait_for_timeout(400)
        seen = [spot for spot in spots.all() if is_within(spot.bounding_box(), field)]
        if seen:
            seen[0].tap()
            break
    else:
        spots.first.tap()
    expect(page.get_by_text("Sent").first).to_be_visible()
    assert too_wide(page) == 0
    phone.close()


def pull(page: Page, dx: float, dy: float) -> None:
    """Move the field with a finger's worth of pointer events."""
    field = page.locator(".kw-field").bounding_box()
    assert field
    x, y = field["x"] + field["width"] / 2, field["y"] + field["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def is_within(box: FloatRect | None, field: FloatRect) -> bool:
    """Whether the middle of a box lies in the field."""
    if box is None:
        return False
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return (
        field["x"] < x < field["x"] + field["width"]
        and field["y"] < y < field["y"] + field["height"]
    )


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


def test_a_person_finishes_kwatro_against_a_bot(guests: Guests) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.open_table("kwatro", seats=[ME, BOT], options={"players": 2}))
    assert next_move(page)
    page.keyboard.press("1")
    page.locator(".kw-spot").first.click()
    page.get_by_role("button", name="Play for").click()
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
