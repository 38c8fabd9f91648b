"""Carat: what others do can be followed, what one may do is said, and the tray has its room."""

import itertools
import re
from typing import Any

import pytest
from conftest import Guests
from house import WORDS, Guest, finish, free_cells, next_move, result_of
from playwright.sync_api import Browser, FloatRect, Page, expect
from test_sizes import MISPLACED, SIZES, SMALL

import web

ME = {"kind": "me"}
BOT = {"kind": "bot", "level": "casual"}
FOUR = {"options": {"players": 4}, "seats": [ME, BOT, BOT, BOT]}
DUEL = {"options": {"players": 2}, "seats": [ME, BOT]}
SIDE = 6  # cells
SLOWER = 4  # times: a cheap phone
PACE = 0.4  # of the pace "fast"
LASTS = {"move": 900 * PACE, "reason": 1600 * PACE}  # milliseconds
SENT = WORDS["sent"]

# Every beat that the strip shows, when it came, and what the board rings at that time.
RECORD = """() => {
    window.told = [];
    const note = () => {
        const at = performance.now(); // before what is read makes the browser lay the page out
        const strip = document.querySelector('[data-beat]');
        const kind = strip?.dataset.beat ?? null;
        const text = kind && kind !== 'points' ? strip.innerText : kind;
        if (window.told.at(-1)?.text === text) return;
        const ringed = [...document.querySelectorAll('[data-loupe]')].map((g) => g.dataset.loupe);
        window.told.push({ kind, text, ringed: ringed.map(Number), at });
    };
    new MutationObserver(note).observe(document.body, {
        subtree: true, childList: true, characterData: true, attributes: true,
        attributeFilter: ['data-beat'],
    });
}"""

# One's own move, and what the very next frame shows of it.
PLAY = """async (name) => {
    const buttons = [...document.querySelectorAll('button')];
    buttons.find((button) => button.getAttribute('aria-label') === name).click();
    await new Promise(requestAnimationFrame);
    return document.querySelector('[data-sent]')?.dataset.sent ?? null;
}"""

SAID = """(name) => {
    window.heard = [];
    const log = document.querySelector(`[role=log][aria-label="${name}"]`);
    new MutationObserver((changes) =>
        changes.forEach(({ addedNodes }) =>
            addedNodes.forEach((line) => line.textContent && window.heard.push(line.textContent)),
        ),
    ).observe(log, { childList: true });
}"""


def placements(guest: Guest) -> list[str]:
    """The cells of the match so far, in order."""
    log: list[str] = []
    for table in guest.tables:
        if table["match"]:
            log = log[: table["match"]["since"]] + table["match"]["log"]
    return [move[:2] for move in log if "=" in move]


def settled_by(guest: Guest, cells: list[str]) -> dict[str, set[int]]:
    """The points that each placement settled."""
    order = {cell: at for at, cell in enumerate(cells)}
    found: dict[str, set[int]] = {cell: set() for cell in cells}
    for point, chip in enumerate(guest.tables[-1]["match"]["view"]["chips"]):
        row, column = divmod(point, SIDE + 1)
        around = [
            f"{'abcdef'[c]}{r + 1}"
            for r in (row - 1, row)
            for c in (column - 1, column)
            if 0 <= r < SIDE and 0 <= c < SIDE
        ]
        if chip["settled"]:
            found[max(around, key=lambda cell: order[cell])].add(point)
    return found


def test_three_bots_are_followed_one_thing_after_the_other(guests: Guests) -> None:
    guest = guests(pace="fast")
    page = guest.page
    page.goto(guest.open_table("carat", **FOUR))
    free_cells(page).first.wait_for()
    page.evaluate(RECORD)
    slow = guest.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    told: list[dict[str, Any]] = []
    for _ in range(9):
        before = len(told)
        free_cells(page).first.click()
        button = page.get_by_role("button", name=re.compile("^Place on"))
        name = button.get_attribute("aria-label") or ""
        assert page.evaluate(PLAY, name) == name[-2:]  # in the next frame
        free_cells(page).first.wait_for()
        expect(page.locator("[data-beat]")).to_have_count(0)
        told = page.evaluate("window.told")
        if any(beat["kind"] == "reason" for beat in told[before:]):
            break
    cells = placements(guest)
    settled = settled_by(guest, cells)
    expected: list[tuple[str, object]] = []
    for at, cell in enumerate(cells):
        expected += [("move", cell)] if at % 4 else []
        expected += [("reason", point) for point in sorted(settled[cell])]
    shown = [beat for beat in told if beat["kind"] in LASTS]
    assert [
        (beat["kind"], re.search(r"on ([a-f]\d)", beat["text"])[1])  # type: ignore[index]
        if beat["kind"] == "move"
        else (beat["kind"], *beat["ringed"])
        for beat in shown
    ] == expected
    for beat, after in itertools.pairwise(told):
        if beat["kind"] in LASTS:  # on the page, however slow the machine
            assert after["at"] - beat["at"] > LASTS[beat["kind"]] - 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_cell_that_cannot_be_taken_says_why(guests: Guests, language: str) -> None:
    words = web.catalogue(language)
    page = (guest := guests(locale=language)).page
    page.goto(guest.open_table("carat", **DUEL))
    said = page.get_by_role("alert")
    page.locator("[data-cell=a1]").click(force=True)
    expect(said).to_have_text(words["carat_edge"])
    page.locator("[data-cell=c3]").click()
    expect(said).to_have_count(0)
    page.keyboard.press("Enter")
    page.locator("[data-cell][aria-disabled=false]").first.wait_for()
    page.locator("[data-cell=c3]").click(force=True)
    expect(said).to_have_text(words["carat_taken"].replace("{cell}", "c3"))
    page.locator("[data-cell=f6]").click(force=True)
    expect(said).to_have_text(words["carat_apart"].replace("{cell}", "f6"))


def test_a_match_is_told_to_the_ear_whole_and_in_order(guests: Guests) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.open_table("carat", **DUEL))
    assert next_move(page)
    page.evaluate(SAID, WORDS["said"])
    finish(page)
    expect(result_of(page)).to_be_visible()
    heard: list[str] = page.evaluate("window.heard")
    laid = [line for line in heard if re.search(r" lays? a \d on [a-f]\d$", line)]
    assert [line[-2:] for line in laid] == placements(guest)
    counted = [line for line in heard if re.search(r"(upper|lower) (left|right) of [a-f]\d", line)]
    assert len(counted) == (SIDE + 1) ** 2
    assert heard.count(WORDS["your_turn"]) == len(laid) // 2 - 1
    assert "win" in heard[-1]


def test_a_tile_is_dragged_turned_and_played(page: Page, complaints: list[str]) -> None:
    page.goto("/specimen.html?show=carat-middle")
    page.get_by_role("group", name=WORDS["carat_hand"]).get_by_role("button").hover()
    page.mouse.down()
    page.locator("[data-cell=b4]").hover()
    page.mouse.up()
    page.keyboard.press("r")
    page.get_by_role("button", name="Place on b4").click()
    expect(page.get_by_text(SENT).first).to_be_visible()
    assert complaints == []


def test_keys_alone_play_a_tile_at_once(page: Page) -> None:
    page.goto("/specimen.html?show=carat-middle")
    free_cells(page).first.wait_for()
    for key in ("ArrowLeft", "ArrowLeft", "Enter", "r", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_text(SENT).first).to_be_visible()
    assert page.evaluate("document.activeElement.dataset.cell") == "b3"


def tray(page: Page) -> FloatRect:
    """Where the tray is."""
    box = page.get_by_role("group", name=re.compile("^Carat,")).bounding_box()
    assert box
    return box


@pytest.mark.parametrize(("width", "height", "side"), [(1280, 800, 544), (360, 640, 290)])
def test_the_tray_is_large_and_nothing_moves_it(
    page: Page, width: int, height: int, side: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    for show in ("carat-middle", "carat-pairs"):
        page.goto(f"/specimen.html?show={show}")
        free_cells(page).first.wait_for()
        before = tray(page)
        assert before["width"] >= side
        free_cells(page).first.click()
        assert tray(page) == before
        page.get_by_role("button", name=re.compile("^Place on")).click()
        expect(page.get_by_text(SENT).first).to_be_visible()
        assert tray(page) == before


@pytest.mark.parametrize("language", ["en", "nl", "de", "fr"])
def test_three_tiles_and_all_buttons_are_in_sight_at_every_size(
    browser: Browser, base_url: str, language: str
) -> None:
    context = browser.new_context(base_url=base_url, locale=language, reduced_motion="reduce")
    page = context.new_page()
    page.goto("/specimen.html?show=carat-pairs")
    page.locator("[data-cell][aria-disabled=false]").first.click()
    wrong = {}
    for width, height in SIZES + SMALL:
        page.set_viewport_size({"width": width, "height": height})
        tiles = page.get_by_role("radio").filter(visible=True)
        found = page.evaluate(MISPLACED, False) + ["tiles missing"] * (tiles.count() != 3)
        if found:
            wrong[f"{width}x{height}"] = found
    context.close()
    assert wrong == {}
