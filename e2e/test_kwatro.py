"""Kwatro in a browser: cards laid, told, taken back; the field moved on every device."""

import re

import pytest
from conftest import Guests
from house import WORDS, finish, log_of, next_move, problems, result_of, type_move
from playwright.sync_api import Browser, FloatRect, Locator, Page, ViewportSize, expect

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}
SIZE: ViewportSize = {"width": 360, "height": 780}


def saying(key: str) -> re.Pattern[str]:
    """Whatever the page says by this key, whatever its parts are."""
    message = WORDS[key]
    forms = [message] if isinstance(message, str) else list(message[0]["match"].values())
    texts = [".+".join(map(re.escape, re.split(r"\{\w+\}", form))) for form in forms]
    return re.compile(f"^({'|'.join(texts)})$", re.IGNORECASE)


def hand(page: Page) -> Locator:
    """The cards that one holds."""
    return page.get_by_role("group", name=WORDS["kwatro_hand"]).get_by_role("button")


def field(page: Page) -> Locator:
    """All that lies on the cloth, and the places beside it."""
    return page.get_by_role("group", name=saying("kwatro_field"))


def cards(page: Page) -> Locator:
    """The cards that lie."""
    return field(page).get_by_role("img")


def spots(page: Page) -> Locator:
    """Where the chosen card may go, once its points are told."""
    return field(page).get_by_role("button", name=saying("kwatro_spot_for"))


def wrong_spots(page: Page) -> Locator:
    """Where it may not go."""
    return field(page).get_by_role("button", name=saying("kwatro_spot_wrong"))


def cloth(page: Page) -> FloatRect:
    """The part of the window that the field has."""
    box = page.locator("[data-place=board]").bounding_box()
    assert box
    return box


def points_of(spot: Locator) -> int:
    """What a place says that it would bring."""
    return int((spot.text_content() or "").strip().removeprefix("+"))


def sits(guests: Guests, **how: object) -> Page:
    """Somebody at a new table with a bot, to act."""
    guest = guests(**how)
    guest.page.goto(guest.open_table("kwatro", seats=[ME, BOT], options={"players": 2}))
    assert next_move(guest.page)
    return guest.page


def test_a_card_tells_what_it_brings_and_is_taken_back_by_a_click(guests: Guests) -> None:
    page = sits(guests)
    hand(page).first.click()
    points = points_of(spots(page).first)
    spots(page).first.hover()
    expect(page.locator("[data-place=strip]")).to_contain_text(f"+{points}")
    spots(page).first.click()
    play = WORDS["kwatro_play_for"].format(points=points)
    expect(page.get_by_role("button", name=play)).to_be_enabled()
    laid = field(page).get_by_role("button", name=saying("kwatro_take_back"))
    expect(hand(page)).to_have_count(3)
    laid.click()
    expect(laid).to_have_count(0)
    expect(hand(page)).to_have_count(4)
    assert next_move(page)


def test_a_refused_place_says_why(guests: Guests) -> None:
    page = sits(guests)
    hand(page).first.click()
    spots(page).first.click()
    expect(hand(page)).to_have_count(3)
    hand(page).first.click()
    wrong_spots(page).first.click(force=True)
    complaint = page.get_by_role("alert")
    expect(complaint).to_contain_text(re.compile("Row|Column|line|joker"))
    box = cloth(page)
    page.mouse.click(box["x"] + 40, box["y"] + box["height"] - 40)  # where no card is near
    expect(complaint).to_have_text(WORDS["kwatro_misfit_apart"])


def test_a_hint_lies_on_the_field_and_can_be_confirmed(guests: Guests) -> None:
    page = sits(guests)
    page.get_by_role("button", name=WORDS["hint"]).click()
    keys = ("kwatro_lay_here_for", "kwatro_take_joker", "kwatro_pass", "kwatro_exchange")
    advised = re.compile("|".join(saying(key).pattern for key in keys), re.IGNORECASE)
    confirm = page.get_by_role("button", name=advised)
    expect(confirm).to_be_enabled()
    assert "@" not in (page.locator("main").text_content() or "")
    confirm.click()
    expect(confirm).to_have_count(0)


def test_keys_alone_play_a_turn_and_the_focus_is_not_lost(guests: Guests) -> None:
    page = sits(guests)
    for key in ("1", "ArrowRight"):
        page.keyboard.press(key)
    expect(field(page).locator(":focus")).to_have_count(1)
    expect(spots(page).first).to_be_visible()
    page.keyboard.press("Enter")
    play = page.get_by_role("button", name=saying("kwatro_play_for"))
    expect(play).to_be_enabled()
    expect(field(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(log_of(page).first).to_contain_text("+")


def test_what_another_lays_is_told_card_by_card_and_line_by_line(guests: Guests) -> None:
    """Findings 2 and 12: what is said stays, whole and in order."""
    ann, bob = guests(pace="fast"), guests()
    address = ann.open_table("kwatro", seats=[ME, {"kind": "open"}], options={"players": 2})
    for guest in (ann, bob):
        guest.page.goto(address)
    bob.page.get_by_role("button", name=WORDS["sit_down"]).click()
    assert next_move(ann.page)
    type_move(ann.page, "pass")
    move = next_move(bob.page)
    assert move
    type_move(bob.page, move)
    bob.page.get_by_role("button", name=saying("kwatro_play_for")).click()
    said = ann.page.get_by_role("log", name=WORDS["said"])
    expect(said).to_contain_text(WORDS["your_turn"])
    *_, passed, laid, played, line, turn = said.locator("p").all_text_contents()
    assert passed == WORDS["kwatro_you_pass"]
    assert saying("kwatro_lays").match(laid)
    assert saying("kwatro_plays_draws").match(played)
    assert re.match(r"(Row|Column) of 2: \d \+ \d = \d, .+\.$", line)
    assert turn == WORDS["your_turn"]


def test_a_person_finishes_a_match_against_a_bot(guests: Guests) -> None:
    page = sits(guests)
    finish(page)
    expect(result_of(page)).to_be_visible()
    expect(log_of(page).get_by_role("img").first).to_be_visible()


@pytest.mark.parametrize("show", ["kwatro-swap", "kwatro-full"])
def test_a_chosen_card_has_no_serious_problem(page: Page, show: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/specimen.html?show={show}")
    hand(page).first.wait_for()
    page.keyboard.press("1")
    spots(page).first.wait_for(state="attached")
    assert problems(page) == []


def test_cards_are_sixty_pixels_large_on_a_desk(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    for show in ("kwatro-play", "kwatro-big", "kwatro-full"):
        page.goto(f"/specimen.html?show={show}")
        cards(page).first.wait_for(state="attached")
        box = cards(page).first.locator("rect").first.bounding_box()
        assert box
        assert box["width"] >= 59.9


def pull(page: Page, dx: float, dy: float) -> None:
    """Move the field with a finger's worth of pointer events."""
    box = cloth(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def bring(page: Page, card: Locator) -> None:
    """Pull the field until a card is near its middle."""
    box = cloth(page)
    for _ in range(16):
        page.wait_for_timeout(60)
        at = card.bounding_box()
        assert at
        dx, dy = (
            box["x"] + box["width"] / 2 - at["x"],
            box["y"] + box["height"] / 2 - at["y"],
        )
        if max(abs(dx), abs(dy)) < 60:
            return
        pull(page, max(-120.0, min(120.0, dx)), max(-120.0, min(120.0, dy)))
    raise AssertionError("a card cannot be brought into sight")


def test_a_full_field_is_played_on_a_phone(browser: Browser, base_url: str) -> None:
    phone = browser.new_context(viewport=SIZE, has_touch=True, is_mobile=True, base_url=base_url)
    page = phone.new_page()
    page.goto("/specimen.html?show=kwatro-full")
    expect(cards(page)).to_have_count(64)
    for card in (cards(page).first, cards(page).last):
        bring(page, card)
    hand(page).first.tap()
    expect(spots(page)).not_to_have_count(0)
    bring(page, spots(page).first)
    spots(page).first.tap()
    expect(page.get_by_text(WORDS["sent"]).first).to_be_visible()
    phone.close()


def test_panning_a_full_field_draws_nothing_anew(page: Page, complaints: list[str]) -> None:
    """One layer is moved, so that every frame is quick."""
    page.set_viewport_size({"width": 360, "height": 780})
    page.goto("/specimen.html?show=kwatro-full")
    hand(page).first.wait_for()
    page.keyboard.press("1")
    wrong_spots(page).first.wait_for(state="attached")
    field(page).evaluate(AT_REST)
    box = cloth(page)
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    field(page).evaluate(CHANGES)
    before = field(page).evaluate(PLACE)
    for step in range(20):
        page.mouse.move(box["x"] + 200 - 6 * step, box["y"] + 200 - 3 * step)
    page.wait_for_timeout(100)
    page.mouse.up()
    assert field(page).evaluate(PLACE) != before
    assert page.evaluate("window.changed") <= 20
    assert page.evaluate("window.redrawn") == []
    assert complaints == []


PLACE = "world => world.style.transform"
# The chosen card's places come into sight, and some of them pass under the pointer meanwhile.
AT_REST = "world => Promise.all(world.getAnimations().map((animation) => animation.finished))"
CHANGES = """world => {
    [window.changed, window.redrawn] = [0, []];
    const note = ({ type, target }) =>
        target === world && type === 'attributes'
            ? window.changed++
            : window.redrawn.push(`${type} of ${target.outerHTML?.slice(0, 80)}`);
    new MutationObserver((changes) => changes.forEach(note)).observe(world, {
        subtree: true, childList: true, attributes: true, characterData: true,
    });
}"""


def test_a_field_zooms_by_wheel_and_key_and_comes_back(page: Page) -> None:
    page.goto("/specimen.html?show=kwatro-big")
    fitted = field(page).evaluate(PLACE)
    page.locator("[data-place=board]").hover()
    page.mouse.wheel(0, -300)
    expect(field(page)).not_to_have_attribute("style", f"transform: {fitted};")
    page.keyboard.press("-")
    page.get_by_role("button", name=WORDS["kwatro_recentre"]).click()
    assert field(page).evaluate(PLACE) == fitted


def test_two_fingers_bring_a_field_nearer(browser: Browser, base_url: str) -> None:
    phone = browser.new_context(viewport=SIZE, has_touch=True, is_mobile=True, base_url=base_url)
    page = phone.new_page()
    page.goto("/specimen.html?show=kwatro-big")
    before = cards(page).first.bounding_box()
    box = cloth(page)
    fingers = phone.new_cdp_session(page)
    x, y = box["x"] + 170, box["y"] + 160
    for kind, apart in (("touchStart", 30), ("touchMove", 50), ("touchMove", 90)):
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait_for_timeout(40)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    after = cards(page).first.bounding_box()
    assert before
    assert after
    assert after["width"] > 2 * before["width"]
    phone.close()


def test_a_card_is_dragged_onto_the_field(page: Page, complaints: list[str]) -> None:
    page.goto("/specimen.html?show=kwatro-play")
    hand(page).nth(1).hover()
    page.mouse.down()
    page.mouse.move(600, 400)
    spots(page).first.hover()
    page.mouse.up()
    expect(page.get_by_text(WORDS["sent"]).first).to_be_visible()
    assert complaints == []
