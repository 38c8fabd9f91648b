"""Finished matches looked back at: step by step, judged, learnt from, shared, at every size."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from conftest import Guests
from house import DESK, PLAYED, WORDS, Guest, House, problems, result_of
from playwright.sync_api import Browser, Page, expect

SIZES = [(360, 640), (390, 844), (768, 1024), (1024, 768), (1280, 800), (844, 390)]
LANGUAGES = ["en", "nl", "de", "fr"]
BOT = {"kind": "bot", "level": "novice"}
WISHES: dict[str, dict[str, Any]] = {
    "carat": {"options": {"players": 2}, "seats": [{"kind": "me"}, BOT]},
    "carnac": {"options": {"board": "small"}, "seats": [{"kind": "me"}, BOT]},
    "catan_dice": {"options": {"players": 1}, "seats": [{"kind": "me"}]},
    "kwatro": {"options": {"players": 2}, "seats": [{"kind": "me"}, BOT]},
}
MOST = {"carat": 7, "carnac": 7, "catan_dice": 1000, "kwatro": 8}  # moves of one's own

# Plays by the table's socket as a program would: the last legal move each time, then gives up.
PLAY = """([id, most]) => new Promise((done) => {
    const socket = new WebSocket(`ws://${location.host}/api/tables/${id}/live`);
    const send = (command) => socket.send(JSON.stringify({ id: `${Math.random()}`, ...command }));
    let [last, played] = [-1, 0];
    socket.onmessage = ({ data }) => {
        const { type, state, may, match } = JSON.parse(data);
        if (type !== 'table') return;
        if (state === 'over') {
            socket.close();
            return done(match.view.ply);
        }
        if (!may.includes('play') || !match?.legal.length || match.view.ply === last) return;
        last = match.view.ply;
        if (played++ === most) send({ type: 'resign' });
        else send({ type: 'play', ply: last, move: match.legal.at(-1) });
    };
})"""

# Has the match judged quickly, as a program would; the page then shows that.
JUDGE = """(id) => new Promise((done, fail) => {
    const socket = new WebSocket(`ws://${location.host}/api/tables/${id}/review/live`);
    socket.onopen = () => socket.send(JSON.stringify({ type: 'ask', care: 'quick' }));
    socket.onmessage = ({ data }) => {
        const { type, state, care } = JSON.parse(data);
        if (type === 'refused') fail(data);
        if (state !== 'done' || care !== 'quick') return;
        socket.close();
        done();
    };
})"""


@dataclass(frozen=True)
class Finished:
    """A match that is over and judged, and who played it."""

    id: str
    plies: int
    guest: Guest

    def at(self, ply: int, tab: str = "") -> str:
        return f"/table/{self.id}?ply={ply}" + (f"&tab={tab}" if tab else "")


def judged(page: Page) -> None:
    """Wait until every decision has its verdict."""
    expect(page.locator("[data-part=timeline]")).to_be_attached()
    expect(page.locator("[data-part=judging]")).to_have_count(0)
    expect(page.locator("[data-part=timeline] polyline").first).to_be_attached()


def play(guest: Guest, game: str, most: int) -> tuple[str, int]:
    """A match played to its end or given up after so many moves."""
    id = guest.open_table(game, **WISHES[game]).rpartition("/")[2]
    guest.page.goto("/")
    return id, guest.page.evaluate(PLAY, [id, most])


@pytest.fixture(scope="module", params=PLAYED)
def finished(request: pytest.FixtureRequest, browser: Browser, house: House) -> Iterator[Finished]:
    guest = Guest(browser, house.url)
    id, plies = play(guest, request.param, MOST[request.param])
    guest.page.evaluate(JUDGE, id)
    yield Finished(id, plies, guest)
    guest.context.close()
    assert guest.complaints == []


def comes_to(page: Page, is_there: Callable[[int], bool]) -> int:
    """Where one looks, by the address, which follows a little later."""

    def at(url: str) -> int:
        found = re.search(r"ply=(\d+)", url)
        return int(found[1]) if found else -1

    page.wait_for_url(lambda url: is_there(at(url)))
    return at(page.url)


def is_at(page: Page, ply: int) -> None:
    """One comes to look at this ply."""
    comes_to(page, lambda at: at == ply)


def test_one_steps_by_keys_buttons_slider_and_log_and_the_address_follows(
    finished: Finished,
) -> None:
    page = finished.guest.page
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.goto(finished.at(finished.plies))
    judged(page)
    is_at(page, finished.plies)
    page.keyboard.press("ArrowLeft")
    earlier = comes_to(page, lambda at: at < finished.plies)
    page.get_by_role("button", name=WORDS["review_back"]).click()
    comes_to(page, lambda at: at < earlier)
    page.keyboard.press("Home")
    comes_to(page, lambda at: at < 12)
    expect(page.get_by_role("button", name=WORDS["review_first"])).to_be_disabled()
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    is_at(page, finished.plies)
    graph = page.locator("[data-part=timeline] .graph")
    box = graph.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    middle = comes_to(page, lambda at: 0 < at < finished.plies)
    row = page.get_by_role("list", name=WORDS["moves"]).get_by_role("button").first
    row.click()
    expect(row).to_have_attribute("aria-current", "step")
    comes_to(page, lambda at: at < middle)


def test_every_decision_has_a_verdict_and_the_account_a_sentence(finished: Finished) -> None:
    page = finished.guest.page
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.goto(finished.at(finished.plies, "moves"))
    judged(page)
    moves = page.get_by_role("list", name=WORDS["moves"])
    expect(moves.locator("[data-verdict]").first).to_be_visible()
    expect(moves).not_to_contain_text(WORDS["review_waiting"])
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    card = page.get_by_role("region", name=WORDS["review_verdict"])
    expect(card.locator("h2")).not_to_be_empty()
    luck = re.compile(f"^({WORDS['review_tab_luck']}|{WORDS['review_tab_skill']})$")
    page.get_by_role("button", name=luck).click()
    expect(page.locator(".say")).to_contain_text(re.compile("luck|Luck|lost"))
    assert problems(page) == []


def test_the_scale_changes_graph_card_and_log_together(finished: Finished) -> None:
    page = finished.guest.page
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.goto(finished.at(finished.plies, "moves"))
    judged(page)
    scales = page.get_by_role("radiogroup", name=WORDS["review_scale"])
    if not scales.count():  # alone there is nobody to win against
        return
    scales.get_by_role("radio", name=WORDS["review_scale_win"]).click()
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("%"))
    scales.get_by_role("radio", name=WORDS["review_scale_points"]).click()
    expect(page.get_by_role("slider")).not_to_have_attribute("aria-valuetext", re.compile("%"))


def test_a_link_opens_that_move_also_for_strangers(finished: Finished, guests: Guests) -> None:
    stranger = guests().page
    stranger.goto(finished.at(9))
    expect(stranger.get_by_role("slider")).to_be_visible()
    is_at(stranger, 9)
    judged(stranger)
    eyes = stranger.get_by_label(WORDS["review_eyes"])
    if eyes.count():  # alone there is one pair
        eyes.select_option("1")
        expect(eyes).to_have_value("1")
        is_at(stranger, 9)
    stranger.goto(finished.at(99_999))
    expect(stranger.get_by_text(re.compile("nearest to the link"))).to_be_visible()
    is_at(stranger, finished.plies)


def test_a_mistake_can_be_made_good(finished: Finished) -> None:
    page = finished.guest.page
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.goto(finished.at(finished.plies, "learn"))
    task = page.get_by_role("region", name=WORDS["review_learn"])
    answer = task.get_by_role("button", name=WORDS["review_learn_show"])
    nothing = task.get_by_text(WORDS["review_learn_none"])
    expect(answer.or_(nothing)).to_be_visible()  # when the match has been judged
    if nothing.is_visible():
        return
    expect(page.locator("[data-part=timeline]")).to_have_count(0)  # it would tell
    task.get_by_role("button", name=WORDS["review_learn_hint"]).click()
    answer.click()
    confirm = page.locator("[data-place=confirm] button:not(:disabled)").last
    confirm.click()
    expect(task).to_contain_text(WORDS["review_try_best"])
    assert problems(page) == []
    page.get_by_role("button", name=WORDS["review_to_review"]).click()
    expect(page.get_by_role("slider")).to_be_visible()


# What is not as it should be: a page that scrolls, a part that is gone or out of the window, words
# that are cut.
MISPLACED = """() => {
    const wrong = [];
    const page = document.documentElement;
    if (page.scrollWidth > innerWidth) wrong.push(`${page.scrollWidth - innerWidth} too wide`);
    if (page.scrollHeight > innerHeight) wrong.push(`${page.scrollHeight - innerHeight} too high`);
    const isIn = ({ left, top, right, bottom }) =>
        left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
    for (const part of ['place=board', 'part=stepper', 'part=verdict', 'part=tabs']) {
        const box = document.querySelector(`[data-${part}]`)?.getBoundingClientRect();
        const isSeen = box && Math.min(box.width, box.height) >= 36 && isIn(box);
        if (!isSeen) wrong.push(`${part} out of sight`);
    }
    const board = document.querySelector('[data-place="board"] svg, [data-place="board"] > *');
    const { width, height } = board.getBoundingClientRect();
    if (Math.min(width, height) < 150) wrong.push(`board of ${width} × ${height}`);
    const card = '[data-part=verdict] :is(h2, .move, .worth), [data-part=timeline] h2';
    for (const text of document.querySelectorAll(`[data-part] button, ${card}`)) {
        if (!text.checkVisibility() || text.closest('.tabs')) continue;
        const name = text.getAttribute('aria-label') ?? text.textContent.trim();
        if (text.scrollWidth > text.clientWidth + 1) wrong.push(`${name} is cut`);
    }
    for (const part of document.querySelectorAll('[data-part=verdict], [data-part=stepper]')) {
        if (part.scrollHeight > part.clientHeight + 2) wrong.push(`${part.dataset.part} is cut`);
        if (part.scrollWidth > part.clientWidth + 2) wrong.push(`${part.dataset.part} is too wide`);
    }
    return wrong;
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_board_stepper_and_verdict_are_in_sight_at_every_size(
    finished: Finished, guests: Guests, language: str
) -> None:
    page = guests(locale=language).page
    page.goto(finished.at(finished.plies))
    judged(page)
    page.keyboard.press("p")  # back to a mistake, if there is one
    found = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(150)
        if wrong := page.evaluate(MISPLACED):
            found[f"{width}x{height}"] = wrong
    assert found == {}


@pytest.mark.parametrize("tab", ["moves", "luck", "learn"])
def test_the_lists_fit_on_a_phone(finished: Finished, guests: Guests, tab: str) -> None:
    page = guests(viewport={"width": 360, "height": 640}).page
    page.goto(finished.at(finished.plies, tab))
    part = page.locator("[data-part=task]" if tab == "learn" else "[data-part=pane]")
    expect(part).to_be_visible()
    expect(part).to_be_in_viewport(ratio=0.99)
    page.wait_for_timeout(500)
    assert problems(page) == []


def test_a_match_that_goes_on_is_the_table_and_not_a_review(guests: Guests) -> None:
    guest = guests()
    path = guest.open_table("carnac", **WISHES["carnac"])
    guest.page.goto(f"{path}?ply=1")
    expect(guest.page.locator("[data-place=confirm]")).to_be_visible()
    expect(guest.page.get_by_role("slider")).to_have_count(0)


def test_a_match_is_played_by_itself_and_what_is_shared_leads_back(guests: Guests) -> None:
    guest = guests(pace="fast")
    id, plies = play(guest, "carnac", 3)
    page = guest.page
    page.goto(f"/table/{id}?ply=0")
    expect(page.get_by_role("slider")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name=WORDS["review_pause"])).to_be_visible()
    expect(page).to_have_url(re.compile(rf"ply={plies}\b"))
    expect(page.get_by_role("button", name=WORDS["review_play"], exact=True)).to_be_visible()
    page.get_by_role("button", name=WORDS["review_share"], exact=True).click()
    link = page.get_by_role("textbox", name=WORDS["review_share_link"])
    expect(link).to_have_value(re.compile(rf"/table/{id}\?ply={plies}$"))


def test_hands_are_opened_by_hand_and_marked_as_hindsight(guests: Guests) -> None:
    guest = guests()
    id, plies = play(guest, "kwatro", 2)
    page = guest.page
    page.goto(f"/table/{id}?ply={plies}")
    switch = page.get_by_role("switch", name=WORDS["review_hands"])
    expect(switch).not_to_be_checked()
    page.keyboard.press("h")
    expect(switch).to_be_checked()
    expect(page.get_by_text(WORDS["review_hands_on"])).to_be_visible()


def test_one_plays_on_from_a_position_and_the_match_stays_as_it_was(
    finished: Finished, guests: Guests
) -> None:
    page = guests().page
    page.goto(finished.at(finished.plies))
    judged(page)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name=WORDS["review_play_on"]).click()
    page.get_by_role("dialog").get_by_role("button", name=WORDS["review_on_start"]).click()
    expect(page).not_to_have_url(re.compile(finished.id))
    expect(page.locator("[data-place=confirm]")).to_be_visible()
    page.goto(finished.at(finished.plies))
    is_at(page, finished.plies)


def test_the_result_leads_to_the_review_and_the_review_back(guests: Guests) -> None:
    guest = guests()
    id, plies = play(guest, "carnac", 2)
    page = guest.page
    page.goto(f"/table/{id}")
    result_of(page).get_by_role("link", name=WORDS["result_review"], exact=True).click()
    expect(page.get_by_role("slider")).to_be_visible()
    is_at(page, plies)
    page.get_by_role("link", name=WORDS["review_to_table"]).click()
    expect(result_of(page)).to_be_visible()
