"""Carnac at its table: stones raised, tipped and left by mouse, finger and key."""

import re
from typing import Any

from conftest import Guests
from house import WORDS, next_move, result_of, type_move
from playwright.sync_api import Browser, Page, expect

import web

ME = {"kind": "me"}
BOT = {"kind": "bot", "level": "novice"}
SMALL = {"options": {"board": "small"}}


def stones(page: Page) -> Any:
    """The four ways to raise a stone."""
    return page.get_by_role("radiogroup", name=WORDS["carnac_stone"]).get_by_role("radio")


def board(page: Page) -> Any:
    """The board with all its squares."""
    return page.get_by_role("group", name=re.compile("^Carnac"))


def raise_on(square: str) -> str:
    """The name of the button that confirms it."""
    return str(WORDS["carnac_raise"]).format(square=square)


def test_dragging_a_stone_over_the_large_board_keeps_sixty_frames(
    page: Page, complaints: list[str]
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/specimen.html?show=carnac-place")
    stone = stones(page).nth(1).bounding_box()
    heath = board(page).bounding_box()
    assert stone
    assert heath
    page.mouse.move(stone["x"] + 30, stone["y"] + 30)
    page.mouse.down()
    page.evaluate(FRAMES)
    for step in range(60):
        share = 0.1 + 0.8 * step / 60
        page.mouse.move(heath["x"] + heath["width"] * share, heath["y"] + heath["height"] * 0.8)
        page.wait_for_timeout(8)
    took: list[float] = page.evaluate("window.times.slice(1)")
    page.mouse.up()
    expect(page.get_by_role("button", name=raise_on(""))).to_be_enabled()
    assert sorted(took)[len(took) // 2] < 20, took  # milliseconds, in the middle
    assert complaints == []


FRAMES = """() => {
    window.times = [];
    let last = performance.now();
    const tick = (now) => {
        window.times.push(now - last);
        last = now;
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
}"""


def test_fingers_play_a_stone_on_a_phone(browser: Browser, base_url: str) -> None:
    phone = browser.new_context(
        viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True, base_url=base_url
    )
    page = phone.new_page()
    page.goto("/specimen.html?show=carnac-place")
    stones(page).nth(2).tap()
    page.get_by_role("button", name="k6: free").tap()
    confirm = page.get_by_role("button", name=raise_on("k6"))
    confirm.tap()
    expect(confirm).to_be_disabled()
    phone.close()


def test_keys_alone_play_a_stone_without_looking_for_the_board(page: Page) -> None:
    page.goto("/specimen.html?show=carnac-place")
    expect(board(page)).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="d3: free")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=raise_on("d3"))).to_be_disabled()
    expect(page.locator("[data-cell=d3]")).to_be_focused()


def test_stones_tip_over_before_ones_eyes_and_not_with_reduced_motion(page: Page) -> None:
    page.add_init_script("localStorage.setItem('pace', 'off')")
    page.clock.install(time=0)
    for minute, (motion, moved) in enumerate((("no-preference", True), ("reduce", False)), 1):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        page.goto("/specimen.html?show=carnac-run")
        page.get_by_role("button", name="1 / ").click()
        page.clock.pause_at(60 * minute)
        page.get_by_role("button", name="2 / ").click()
        early = board(page).inner_html()
        page.clock.run_for(900)
        assert (early != board(page).inner_html()) == moved
        page.clock.resume()


TOLD = """() => {
    window.told = [];
    const note = () => {
        const strip = document.querySelector('[data-place=strip]')?.textContent ?? '';
        const board = document.querySelector('[data-place=board] [role=group]');
        const last = window.told.at(-1);
        const now = [strip.trim(), board?.getAttribute('aria-label') ?? ''];
        if (!last || last[0] !== now[0] || last[1] !== now[1]) window.told.push(now);
    };
    new MutationObserver(note).observe(document.body, {
        subtree: true, childList: true, attributes: true, characterData: true,
    });
}"""


def test_a_bots_fall_is_told_and_seen_before_its_next_stone(guests: Guests) -> None:
    guest = guests(pace="fast", reduced_motion="no-preference")
    page = guest.page
    page.goto(guest.open_table("carnac", **SMALL, seats=[ME, BOT]))
    page.evaluate(TOLD)
    tips = re.sub(r"{\w+}", ".+", WORDS["carnac_tips"])
    told: list[list[str]] = []
    while not any(re.search(tips, text) for text, _ in told):
        move = next_move(page)
        assert move, [text for text, _ in told]
        type_move(page, move)
        expect(own_choices(page).nth(2).or_(result_of(page))).to_be_visible()
        told = page.evaluate("window.told")
    at = next(i for i, (text, _) in enumerate(told) if re.search(tips, text))
    after = next(label for text, label in told[at + 1 :] if label != told[at][1])
    assert stones_on(told[at][1]) == stones_on(told[at - 1][1])  # the fallen one alone
    assert stones_on(after) == stones_on(told[at][1]) + 1


def own_choices(page: Page) -> Any:
    """What may be pressed in the hand: two ways to look, and in one's turn stones or falls."""
    return page.locator("[data-place=hand]").get_by_role("radio", disabled=False)


def stones_on(label: str) -> int:
    """How many stones the board says it has."""
    found = re.search(r"\d+", label)
    return int(found[0]) if found else 0


def test_each_fall_says_what_it_makes_and_a_refusal_why(guests: Guests) -> None:
    words = web.catalogue("de")
    guest = guests(locale="de")
    page = guest.page
    page.goto(guest.open_table("carnac", **SMALL, seats=[ME, {**ME, "name": "Bo"}]))
    page.get_by_role("button", name="c3: frei").click()
    page.get_by_role("button", name=words["carnac_raise"].format(square="c3")).click()
    falls = page.get_by_role("radiogroup", name=words["carnac_tilt"]).get_by_role("radio")
    expect(falls).to_have_count(5)
    names = [words[name] for name in ("west", "north", "south", "east", "carnac_stays")]
    for card, name in zip(falls.all(), names, strict=True):
        expect(card).to_contain_text(name)
    for card in falls.all()[:4]:
        expect(card).to_contain_text(words["carnac_no_change"])
    page.locator("[data-cell=h5]").click(force=True)  # where nothing can be done
    expect(page.get_by_role("alert")).to_have_text(words["carnac_why_tilt"].format(square="c3"))
    offered = page.locator("[data-cell][aria-disabled=false]")
    expect(offered).to_have_count(9)
    page.locator("[data-cell=c1]").click()
    page.get_by_role(
        "button", name=words["carnac_tilt_to"].format(direction="Norden"), exact=True
    ).click()
    said = page.get_by_role("log", name=words["said"])
    expect(said).to_contain_text("kippst c3 nach Norden")
    expect(said).to_contain_text("auf c1 und c2")
