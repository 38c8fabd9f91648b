"""The screens of a real server on a phone and on a desk, and the keyboard alone."""

import re
from collections.abc import Callable

import pytest
from conftest import Guests
from house import (
    DESK,
    PHONE,
    Guest,
    finish,
    free_cells,
    next_move,
    place_tile,
    problems,
    tab_to,
    type_move,
)
from playwright.sync_api import expect

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}
OPEN = {"kind": "open"}
CARAT = {"options": {"players": 2}}
CARNAC = {"options": {"board": "small"}}


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize(
    ("address", "selector"),
    [
        ("/", ".game"),
        ("/new/carat", "form"),
        ("/settings", ".keys"),
        ("/profile", ".past"),
        ("/player/bot:novice", ".past"),
        ("/account", ".tokens"),
        ("/ratings/carat", ".ratings"),
        ("/claim#secret", "h1"),
        ("/table/nowhere", "h1"),
        ("/nowhere", "h1"),
    ],
)
def test_a_screen_has_no_serious_problem(
    guests: Guests, size: dict[str, int], address: str, selector: str
) -> None:
    scheme = "dark" if size is PHONE else "light"
    page = guests(viewport=size, color_scheme=scheme).page
    page.goto(address)
    expect(page.locator(selector).first).to_be_attached()
    assert problems(page) == []


def _waiting(ann: Guest) -> None:
    seats = [ME, {"kind": "invite"}]
    ann.page.goto(ann.open_table("carnac", **CARNAC, seats=seats))
    expect(ann.page.locator(".qr")).to_be_visible()


def _carat(ann: Guest) -> None:
    ann.page.goto(ann.open_table("carat", **CARAT, seats=[ME, BOT]))
    for _ in range(3):
        assert next_move(ann.page)
        place_tile(ann.page)
    assert next_move(ann.page)


def _carnac(ann: Guest) -> None:
    clock = {"kind": "live", "seconds": 600}
    ann.page.goto(ann.open_table("carnac", **CARNAC, seats=[ME, BOT], clock=clock))
    assert next_move(ann.page)
    expect(ann.page.get_by_role("timer").first).to_contain_text("9:")


def _over(ann: Guest) -> None:
    _carat(ann)
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(ann.page.get_by_role("region", name="Result")).to_be_visible()


def _catan_dice(ann: Guest) -> None:
    ann.page.goto(ann.open_table("catan_dice", options={"players": 2}, seats=[ME, BOT]))
    assert next_move(ann.page)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("stage", [_waiting, _carat, _carnac, _over, _catan_dice])
def test_a_table_has_no_serious_problem(
    guests: Guests, size: dict[str, int], stage: Callable[[Guest], None]
) -> None:
    ann = guests(viewport=DESK)
    stage(ann)
    ann.page.set_viewport_size(size)  # type: ignore[arg-type]
    assert problems(ann.page) == []
    if size is PHONE:
        for tab in ("Moves", "Chat", "Table"):
            ann.page.locator(".tabs").get_by_role("button", name=tab).click()
            assert problems(ann.page) == []


def test_a_finger_plays_on_a_phone(guests: Guests) -> None:
    ann = guests(viewport=PHONE, has_touch=True, is_mobile=True)
    ann.page.goto("/")
    ann.page.locator("[data-game=carat]").get_by_role("button", name="Play a bot").tap()
    for _ in range(2):
        expect(free_cells(ann.page).first).to_be_visible()
        free_cells(ann.page).first.tap()
        ann.page.get_by_role("button", name="Place on").tap()
        expect(ann.page.get_by_text("Sent")).to_have_count(0)
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_keys_alone_play_from_arriving_to_giving_up(guests: Guests) -> None:
    page = guests().page
    page.goto("/")
    expect(page.locator(".game").first).to_be_visible()
    tab_to(page, "[data-game=carat] .btn-main")
    page.keyboard.press("Enter")
    assert next_move(page)
    tab_to(page, "[data-cell]")
    for key in ("Enter", "r", "Enter"):
        page.keyboard.press(key)
    laid = page.get_by_role("button", name=re.compile("^[a-f][1-6]: [1-6] carat"))
    expect(laid.first).to_be_visible()
    move = next_move(page)
    assert move
    tab_to(page, ".notation input")
    page.keyboard.type(move)
    page.keyboard.press("Enter")
    assert next_move(page)
    page.locator("body").press("Escape")
    tab_to(page, "[aria-label=Resign]")
    page.keyboard.press("Enter")
    tab_to(page, "dialog [aria-label=Resign]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Result")).to_be_visible()


def test_a_hint_is_put_on_the_board_and_a_match_ends_in_the_history(guests: Guests) -> None:
    ann = guests()
    address = ann.open_table("carnac", **CARNAC, seats=[ME, BOT])
    ann.page.goto(address)
    assert next_move(ann.page)
    ann.page.get_by_role("button", name="Hint").click()
    expect(ann.page.get_by_text("The bot would play")).to_be_visible()
    ann.page.get_by_role("button", name="Raise on").click()
    move = next_move(ann.page)
    assert move
    type_move(ann.page, move)
    finish(ann.page)
    ann.page.goto("/profile")
    ann.page.locator(".past a").click()
    expect(ann.page).to_have_url(f"{ann.page.url.split('/table')[0]}{address}")
    expect(ann.page.get_by_role("region", name="Result")).to_be_visible()
