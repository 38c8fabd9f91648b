"""The Catan dice game in a browser: dice, island, keys, reasons, fingers, alone and with others."""

import re
from typing import Any

import pytest
from conftest import Guests
from house import PHONE, WORDS, finish, next_move, problems, result_of, turn_to
from playwright.sync_api import Browser, Locator, Page, expect

import web

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}
FACES = "|".join(
    WORDS[f"catan_{face}"] for face in ("ore", "grain", "wool", "timber", "brick", "gold")
)


def words(key: str, **parts: Any) -> str:
    """A sentence of the page; of several forms the last one."""
    text = WORDS[key]
    if not isinstance(text, str):
        text = list(text[0]["match"].values())[-1]
    return str(text).format(**parts)


def press(page: Page, key: str, **parts: Any) -> Locator:
    return page.get_by_role("button", name=words(key, **parts))


def dice(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Die "))


def look_at_the_dice(page: Page) -> None:
    """Wait until one is told what they come to."""
    expect(page.locator("[data-place=hand]")).to_contain_text(WORDS["catan_if_stop"])


def strip(page: Page) -> Locator:
    return page.locator("[data-place=strip]")


def test_fingers_keep_dice_and_build_on_a_phone(browser: Browser, base_url: str) -> None:
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, base_url=base_url)  # type: ignore[arg-type]
    page = phone.new_page()
    page.goto("/specimen.html?show=catan_dice-roll")
    dice(page).first.tap()
    press(page, "catan_roll", count=5).tap()
    expect(strip(page)).to_contain_text(WORDS["sent"])
    page.goto("/specimen.html?show=catan_dice-act")
    page.locator("[data-site=S3]").tap()
    press(page, "catan_build", thing=words("catan_the_settlement", name=3)).tap()
    expect(strip(page)).to_contain_text(WORDS["sent"])
    phone.close()


def test_nothing_tells_a_roll_before_the_dice_lie_still(page: Page) -> None:
    for motion, is_moving in (("no-preference", True), ("reduce", False)):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        page.goto("/specimen.html?show=catan_dice-run")
        dice(page).first.wait_for()
        late = set()
        for _ in range(6):
            page.locator(".step").click()
            # What waits for its die to land begins with an animation that hides it.
            waiting = """() => [...document.querySelectorAll('[data-place=hand] button small')]
                .filter((label) => getComputedStyle(label).animationName !== 'none').length"""
            late.add(page.evaluate(waiting) > 0)
        assert (True in late) == is_moving


def test_dice_are_named_once_and_hints_are_words_that_come_back_after_escape(
    guests: Guests,
) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.open_table("catan_dice", seats=[ME], hints=True))
    assert next_move(page)
    for die in dice(page).all():
        label = die.get_attribute("aria-label") or ""
        assert re.fullmatch(rf"Die \d: ({FACES})", label)
    for _ in range(2):
        page.get_by_role("button", name=WORDS["hint"]).click()
        cancel = page.get_by_role("button", name=WORDS["cancel"])
        expect(cancel).to_be_visible()
        said = page.get_by_text(re.compile("Hint|Try|Suggest", re.IGNORECASE)).last
        assert not re.search(r"keep [ogwtb$]+\b(?! )", said.text_content() or "")
        page.keyboard.press("Escape")
        expect(cancel).to_have_count(0)


def test_one_key_ends_nothing_and_a_confirmed_one_does(guests: Guests) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.open_table("catan_dice", seats=[ME]))
    assert next_move(page)
    look_at_the_dice(page)
    before = page.url, len(dice(page).all())
    for key in "ser":
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(press(page, "catan_stop")).to_be_enabled()
    assert (page.url, len(dice(page).all())) == before
    page.keyboard.press("s")
    page.keyboard.press("Enter")
    end = page.get_by_role("button", name=re.compile("^End turn"))
    expect(end).to_be_enabled()
    page.keyboard.press("e")
    page.keyboard.press("Enter")
    expect(page.get_by_text(words("catan_progress", turn=2, turns=15))).to_be_visible()


@pytest.mark.parametrize("language", ["en", "nl", "de", "fr"])
def test_a_place_that_cannot_be_built_on_says_why(guests: Guests, language: str) -> None:
    guest = guests(locale=language)
    page = guest.page
    page.goto(guest.open_table("catan_dice", seats=[ME]))
    page.locator("[data-site=S3][role=button]").wait_for()
    said = strip(page).get_by_role("alert")
    page.locator("[data-site=S3]").click(force=True)  # as one does who expects it to be open
    expect(said).not_to_be_empty()
    first = said.text_content()
    page.keyboard.press("s")
    page.keyboard.press("Enter")
    stand = web.catalogue(language)["catan_dice_stand"]
    expect(page.locator("[data-place=hand]")).to_contain_text(stand)
    page.locator("[data-site=S4][role=button]").wait_for()
    page.locator("[data-site=S4]").click(force=True)
    expect(said).not_to_be_empty()
    assert said.text_content() != first


def test_the_focus_stays_with_the_island_after_a_build(guests: Guests) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.open_table("catan_dice", seats=[ME]))
    built = None
    while not built:
        assert next_move(page)
        if page.get_by_role("button", name=WORDS["catan_stop"]).count():
            look_at_the_dice(page)
            page.keyboard.press("s")
            page.keyboard.press("Enter")
            page.get_by_role("button", name=re.compile("^End turn")).wait_for()
        open_sites = page.locator("[data-site^=R][aria-disabled=false]")
        if not open_sites.count():
            page.keyboard.press("e")
            page.keyboard.press("Enter")
            press(page, "catan_stop").wait_for()
            continue
        built = open_sites.first.get_attribute("data-site")
        open_sites.first.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.locator(f"[data-site={built}]")).to_have_attribute("role", "img")
    assert page.evaluate("document.activeElement.closest('[data-place=board]') !== null")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.site !== undefined")


def test_four_play_the_dice_game_on_a_phone(guests: Guests) -> None:
    guest = guests(viewport=PHONE, has_touch=True, is_mobile=True)
    page = guest.page
    seats = [ME, BOT, BOT, BOT]
    page.goto(guest.open_table("catan_dice", seats=seats, options={"players": 4}))
    press(page, "catan_roll_all").wait_for()
    press(page, "catan_others").tap()
    expect(page.get_by_role("dialog").get_by_role("heading", level=3)).to_have_count(3)
    press(page, "catan_close").tap()
    dice(page).first.tap()
    press(page, "catan_roll", count=5).tap()
    press(page, "catan_stop").tap()
    page.get_by_role("button", name=re.compile("^End turn")).tap()
    expect(press(page, "catan_stop")).to_be_enabled()


def test_a_person_finishes_the_dice_game_against_a_bot(guests: Guests) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.open_table("catan_dice", seats=[ME, BOT], options={"players": 2}))
    press(page, "catan_roll_all").click()
    press(page, "catan_stop").click()
    page.get_by_role("button", name=re.compile("^End turn")).click()
    assert next_move(page)
    turn_to(page, WORDS["moves"])
    finish(page)
    expect(result_of(page)).to_contain_text("win")


def test_who_plays_alone_is_compared_with_the_best_and_keeps_a_list(guests: Guests) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.open_table("catan_dice", seats=[ME]))
    press(page, "catan_stop").wait_for()
    turn_to(page, WORDS["moves"])
    switch = page.get_by_role("switch", name=WORDS["coach_switch"])
    expect(switch).not_to_be_checked()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    turn_to(page, WORDS["board"])
    press(page, "catan_stop").click()
    page.get_by_role("button", name=re.compile("^End turn")).wait_for()
    assert not [url for url in asked if "/coach" in url]
    turn_to(page, WORDS["moves"])
    switch.check()
    told = page.get_by_role("region", name=WORDS["coach_switch"])
    expect(told).to_contain_text(re.compile("Turn 1: |Solve it now"))
    assert problems(page) == []
    page.reload()
    turn_to(page, WORDS["moves"])
    expect(switch).to_be_checked()
    switch.uncheck()
    assert next_move(page)
    finish(page)
    expect(result_of(page)).to_contain_text(WORDS["best_first"])
