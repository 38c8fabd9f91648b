"""The screens around the tables: on a phone and on a desk, by finger, by keys alone, by name."""

import re

import pytest
from conftest import Guests
from house import (
    DESK,
    PHONE,
    PLAYED,
    WORDS,
    Guest,
    finish,
    free_cells,
    give_up,
    next_move,
    problems,
    tab_to,
    type_move,
)
from playwright.sync_api import Page, Route, expect

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}
OPEN = {"kind": "open"}
CARNAC = {"options": {"board": "small"}}
LONG = "Wolfeschlegelsteinhausen"  # as long as a name may be
ADDRESSES = {
    "/": "home_title",
    "/new?friend": "choose_title",
    "/new/carat": "new_title",
    "/settings": "settings_title",
    "/profile": "guest",
    "/player/bot:novice": "bot_name",
    "/account": "account_title",
    "/ratings": "leaders_title",
    "/ratings/carnac": "leaders_title",
    "/claim#secret": "claim_title",
    "/table/nowhere": "missing_table_title",
    "/nowhere": "missing_title",
}


def _said(key: str) -> re.Pattern[str]:
    """A message with anything where something is put in."""
    return re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(WORDS[key])))


def _arrive(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", level=1, name=_said(ADDRESSES[address]))).to_be_visible()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_screen_has_no_serious_problem_and_a_title_of_its_own(
    guests: Guests, size: dict[str, int]
) -> None:
    scheme = "dark" if size is PHONE else "light"
    ann = guests(viewport=size, color_scheme=scheme)
    ann.expected = "404|403"  # the table that is nowhere
    titles = set()
    for address in ADDRESSES:
        _arrive(ann.page, address)
        assert problems(ann.page) == [], address
        titles.add(ann.page.title())
    assert len(titles) == len(ADDRESSES)


def test_a_finger_plays_on_a_phone(guests: Guests) -> None:
    ann = guests(viewport=PHONE, has_touch=True, is_mobile=True)
    ann.page.goto("/")
    carat = ann.page.get_by_role("article", name=WORDS["carat_title"])
    carat.get_by_role("button", name=WORDS["home_play_bot"]).tap()
    for _ in range(2):
        assert next_move(ann.page)
        free_cells(ann.page).first.tap()
        ann.page.get_by_role("button", name=_said("carat_place")).tap()
        expect(ann.page.get_by_text(WORDS["sent"])).to_have_count(0)
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_keys_alone_play_from_arriving_to_giving_up(guests: Guests) -> None:
    page = guests().page
    _arrive(page, "/")
    tab_to(page, "[data-game=carat] button")
    page.keyboard.press("Enter")
    assert next_move(page)
    for key in ("ArrowRight", "Enter", "r", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("group", name=re.compile("^Carat, [12] of"))).to_be_visible()
    assert next_move(page)
    tab_to(page, f"[aria-label={WORDS['more_actions']}]")
    page.keyboard.press("Enter")
    tab_to(page, f"[aria-label={WORDS['resign']}]")
    page.keyboard.press("Enter")
    tab_to(page, f"dialog [aria-label={WORDS['resign']}]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name=WORDS["result"])).to_be_visible()


def test_a_level_is_chosen_for_one_game_and_remembered(guests: Guests) -> None:
    page = guests().page
    _arrive(page, "/")
    kwatro = page.get_by_role("article", name=WORDS["kwatro_title"])
    kwatro.get_by_role("button", name=WORDS["level_skilled"]).click()
    levels = page.get_by_role("menuitemradio")
    expect(levels).to_have_count(5)
    assert problems(page) == []
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(kwatro.get_by_role("button", name=WORDS["level_novice"])).to_be_focused()
    page.reload()
    expect(kwatro.get_by_role("button", name=WORDS["level_novice"])).to_be_visible()
    carat = page.get_by_role("article", name=WORDS["carat_title"])
    expect(carat.get_by_role("button", name=WORDS["level_skilled"])).to_be_visible()


def test_a_friend_is_invited_to_a_game_of_ones_choice_by_one_link(guests: Guests) -> None:
    ann, bob = guests(), guests()
    _arrive(ann.page, "/")
    ann.page.get_by_role("link", name=WORDS["home_invite"]).click()
    for game in PLAYED:
        expect(ann.page.get_by_role("link", name=WORDS[f"{game}_title"])).to_be_visible()
    ann.page.get_by_role("link", name=WORDS["kwatro_title"]).click()
    ann.page.get_by_role("radio", name="3", exact=True).click()
    ann.page.get_by_role("button", name=WORDS["new_open"]).click()
    expect(ann.page.get_by_role("img", name=WORDS["qr"])).to_have_count(1)
    link = ann.page.get_by_label(WORDS["invite_link"]).input_value()
    bob.page.goto(link)
    bob.page.get_by_role("button", name=WORDS["sit_down"]).click()
    # Whoever sits there can hand the same link on.
    expect(bob.page.get_by_label(WORDS["invite_link"])).to_have_value(link)


def test_a_seat_for_whoever_comes_is_seen_at_home(guests: Guests) -> None:
    ann, bob = guests(), guests()
    ann.page.goto("/new/carnac")
    ann.page.get_by_label(WORDS["new_seat_kind"].replace("{seat}", "2")).select_option("open")
    expect(ann.page.get_by_text(WORDS["new_anyone_help"])).to_be_visible()
    ann.page.get_by_role("button", name=WORDS["new_open"]).click()
    ann.page.wait_for_url(re.compile("/table/"))
    _arrive(bob.page, "/")
    table = ann.page.url.split("/table/")[1]
    sit = bob.page.locator(f"a[href='/table/{table}']")
    expect(sit).to_have_accessible_name(WORDS["sit_down"])


NO_CLIPBOARD = """
Object.defineProperty(navigator, 'clipboard', { value: undefined });
document.execCommand = () => false;
"""


def test_copied_is_said_only_when_something_was(guests: Guests) -> None:
    ann = guests()
    ann.page.add_init_script(NO_CLIPBOARD)
    seats = [ME, {"kind": "invite"}]
    ann.page.goto(ann.open_table("carnac", **CARNAC, seats=seats))
    ann.page.get_by_role("button", name=WORDS["invite_copy"]).click()
    expect(ann.page.get_by_role("button", name=WORDS["copy_failed"])).to_be_visible()
    expect(ann.page.get_by_text(WORDS["invite_copied"], exact=True)).to_have_count(0)


def test_who_goes_elsewhere_goes_on_from_its_heading(guests: Guests) -> None:
    ann = guests()
    ann.expected = "closed before the connection"  # who leaves home before its socket is open
    page = ann.page
    _arrive(page, "/")
    for link, heading in (
        ("nav_settings", "settings_title"),
        ("nav_ratings", "leaders_title"),
        ("nav_profile", "guest"),
        ("nav_games", "home_title"),
    ):
        page.get_by_role("link", name=WORDS[link], exact=True).click()
        expect(page.get_by_role("heading", level=1, name=_said(heading))).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", level=1, name=_said("guest"))).to_be_focused()


def test_a_part_that_a_new_build_has_taken_away_is_fetched_anew(guests: Guests) -> None:
    ann = guests(service_workers="block")
    ann.expected = "404|dynamically imported module|Service Worker registration blocked"
    asked = 0

    def gone_at_first(route: Route) -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            route.fulfill(status=404)
        else:
            route.continue_()

    ann.page.route(re.compile(r"/assets/Settings-.+\.js"), gone_at_first)
    ann.page.goto("/")
    ann.page.get_by_role("link", name=WORDS["nav_settings"]).click()
    expect(ann.page.get_by_role("heading", name=WORDS["settings_title"])).to_be_visible()
    assert asked == 2
    ann.page.route(re.compile(r"/assets/Leaders-.+\.js"), lambda route: route.fulfill(status=404))
    ann.page.get_by_role("link", name=WORDS["nav_ratings"]).click()
    expect(ann.page.get_by_text(WORDS["failure_part"])).to_be_visible()
    expect(ann.page.get_by_role("button", name=WORDS["failure_reload"])).to_be_visible()


def _named(guest: Guest, name: str) -> None:
    guest.page.request.get("/api/me")
    assert guest.page.request.patch("/api/me", data={"name": name}).ok


def test_long_names_are_whole_and_widen_nothing(guests: Guests) -> None:
    ann = guests(viewport={"width": 320, "height": 640})
    _named(ann, LONG)
    ann.page.goto(ann.open_table("carnac", **CARNAC, seats=[ME, BOT]))
    assert next_move(ann.page)
    ann.page.goto("/")
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text(LONG)
    assert problems(ann.page) == []
    ann.page.goto("/profile")
    expect(ann.page.get_by_role("heading", level=1, name=LONG)).to_be_visible()
    assert problems(ann.page) == []


def test_everybody_finds_the_ratings(guests: Guests) -> None:
    page = guests().page
    page.goto("/profile")
    page.get_by_role("link", name=WORDS["kwatro_title"]).click()
    heading = WORDS["leaders_title"].replace("{game}", WORDS["kwatro_title"])
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    page.get_by_role("link", name=WORDS["carnac_title"]).click()
    assert page.url.endswith("/ratings/carnac")


def test_the_others_moves_have_a_pace_and_moves_a_notation_of_ones_choice(guests: Guests) -> None:
    page = guests().page
    page.goto("/settings")
    for group, choice in (("settings_pace", "pace_slow"), ("settings_notation", "on")):
        radio = page.get_by_role("radiogroup", name=WORDS[group]).get_by_role(
            "radio", name=WORDS[choice], exact=True
        )
        radio.click()
        page.reload()
        expect(radio).to_be_checked()
    for heading in ("keys_everywhere", "carat_title", "carnac_title", "kwatro_title"):
        expect(page.get_by_role("heading", level=3, name=WORDS[heading])).to_be_visible()


def test_a_match_ends_in_the_history(guests: Guests) -> None:
    ann = guests()
    address = ann.open_table("carnac", **CARNAC, seats=[ME, BOT])
    ann.page.goto(address)
    move = next_move(ann.page)
    assert move
    type_move(ann.page, move)
    finish(ann.page)
    ann.page.goto("/profile")
    ann.page.locator(f"a[href='{address}']").click()
    expect(ann.page.get_by_role("region", name=WORDS["result"])).to_be_visible()


def test_a_match_to_go_on_with_stands_at_home_until_it_is_over(guests: Guests) -> None:
    ann = guests()
    address = ann.open_table("carnac", **CARNAC, seats=[ME, BOT])
    ann.page.goto("/")
    expect(ann.page.get_by_role("heading", name=WORDS["home_your_move_guest"])).to_be_visible()
    ann.page.locator(f"a[href='{address}']").click()
    assert next_move(ann.page)
    give_up(ann.page)
    ann.page.goto("/")
    expect(ann.page.get_by_role("heading", name=WORDS["home_title"])).to_be_visible()
