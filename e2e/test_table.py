"""What a table owes the people at it: ways out, time, talk, names, honest results."""

import json

from conftest import Guests
from house import (
    DESK,
    WORDS,
    Guest,
    give_up,
    log_of,
    next_move,
    place_tile,
    result_of,
    say,
    turn_to,
    type_move,
)
from playwright.sync_api import Page, WebSocketRoute, expect

import web

ME = {"kind": "me"}
BOT = {"kind": "bot", "level": "novice"}
OPEN = {"kind": "open"}
DUEL = {"options": {"players": 2}, "seats": [ME, BOT]}
NARROW = {"width": 390, "height": 844}
DAY = 86_400


def _pair(guests: Guests, game: str = "carat", **wish: object) -> tuple[Guest, Guest]:
    """Two people who have sat down at a table."""
    ann, bob = guests(), guests()
    address = ann.open_table(game, seats=[ME, OPEN], listed=False, **wish)
    ann.page.goto(address)
    bob.page.goto(address)
    bob.page.get_by_role("button", name=WORDS["sit_down"]).click()
    assert next_move(ann.page)
    return ann, bob


def test_who_will_not_resign_after_all_can_say_so_on_a_phone(guests: Guests) -> None:
    ann = guests(viewport=NARROW, locale="de")
    words = web.catalogue("de")
    ann.page.goto(ann.open_table("carat", **DUEL))
    for way_out in ("button", "beside", "escape"):
        ann.page.get_by_role("button", name=words["more_actions"]).click()
        ann.page.get_by_role("button", name=words["resign"]).click()
        dialog = ann.page.get_by_role("dialog")
        for button in dialog.get_by_role("button").all():
            box = button.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= NARROW["width"]
        if way_out == "button":
            dialog.get_by_role("button", name=words["cancel"]).click()
        elif way_out == "beside":
            ann.page.mouse.click(5, 5)
        else:
            ann.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    assert result_of(ann.page).count() == 0


def test_giving_up_alone_ends_with_a_result_and_leads_on(guests: Guests) -> None:
    ann = guests()
    ann.page.goto(ann.open_table("catan_dice", seats=[ME]))
    assert next_move(ann.page)
    island = ann.page.get_by_role("region", name="Island").or_(
        ann.page.locator("[data-place=board] svg")
    )
    before = island.first.bounding_box()
    give_up(ann.page)
    after = island.first.bounding_box()
    assert before
    assert after
    assert after["width"] >= before["width"]
    result = result_of(ann.page)
    expect(result.get_by_role("link", name=WORDS["record"])).to_be_visible()
    result.get_by_role("button", name=WORDS["rematch"]).click()
    expect(result).to_have_count(0)
    assert next_move(ann.page)


def test_a_turn_over_days_says_until_when(guests: Guests) -> None:
    ann, bob = _pair(
        guests, options={"players": 2}, clock={"kind": "move", "seconds": 3 * DAY}, order="fixed"
    )
    for someone in (ann, bob):
        timer = someone.page.get_by_role("list", name=WORDS["seats"]).get_by_role("timer")
        expect(timer).to_contain_text("3 days")
        expect(timer).to_contain_text("until")


def test_talk_behaves_like_talk(guests: Guests) -> None:
    ann, bob = _pair(guests, options={"players": 2})
    for number in range(5):
        say(ann.page, f"line {number}" + " and on" * 40)
    say(ann.page, "x" * 290)
    turn_to(bob.page, WORDS["chat"])
    lines = bob.page.get_by_role("log", name=WORDS["chat"])
    newest = lines.get_by_role("listitem").last
    expect(newest).to_be_in_viewport()
    assert lines.evaluate("list => list.scrollWidth - list.clientWidth") == 0
    turn_to(bob.page, WORDS["moves"])
    bob.page.reload()
    expect(log_of(bob.page).or_(bob.page.get_by_text(WORDS["moves_none"])).first).to_be_visible()
    assert bob.page.get_by_text("unread").count() == 0
    say(ann.page, "one more")
    bob.page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    expect(bob.page.get_by_role("button", name=WORDS["chat"])).to_contain_text("1")
    ann.page.reload()
    expect(ann.page.get_by_role("list", name=WORDS["seats"])).to_be_visible()
    assert ann.page.get_by_text("unread").count() == 0


def test_news_moves_nothing_and_goes_away(guests: Guests) -> None:
    ann = guests()
    ann.page.goto(ann.open_table("carat", **DUEL))
    assert next_move(ann.page)
    before = _boxes(ann.page)
    ann.page.get_by_role("button", name=WORDS["hint"]).click()
    expect(ann.page.get_by_text("The bot would play")).to_be_visible()
    assert _boxes(ann.page) == before
    ann.page.get_by_role("button", name="Place on").click()
    expect(ann.page.get_by_text("The bot would play")).to_have_count(0)
    assert next_move(ann.page)
    assert _boxes(ann.page) == before


def _boxes(page: Page) -> list[object]:
    return [page.locator(f"[data-place={place}]").bounding_box() for place in ("board", "confirm")]


def test_an_agreed_draw_is_called_a_draw_and_nobody_has_won(guests: Guests) -> None:
    ann, bob = _pair(guests, "carnac", options={"board": "small"}, order="fixed")
    ann.page.get_by_role("button", name=WORDS["more_actions"]).click()
    ann.page.get_by_role("button", name=WORDS["offer_draw"]).click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_role("button", name=WORDS["offer_draw"]).click()
    bob.page.get_by_role("button", name=WORDS["decline"]).click()
    expect(ann.page.get_by_text("declines the draw")).to_be_visible()
    ann.page.get_by_role("button", name=WORDS["more_actions"]).click()
    ann.page.get_by_role("button", name=WORDS["offer_draw"]).click()
    dialog.get_by_role("button", name=WORDS["offer_draw"]).click()
    bob.page.get_by_role("button", name=WORDS["accept"]).click()
    expect(result_of(ann.page)).to_contain_text(WORDS["result_draw"])
    ann.page.goto("/profile")
    expect(ann.page.get_by_text("1 played, 0 won")).to_be_visible()


def test_who_shares_the_address_bar_invites(guests: Guests) -> None:
    ann, bob, sue = guests(), guests(), guests()
    seats = [ME, {"kind": "invite"}]
    address = ann.open_table("carat", options={"players": 2}, seats=seats)
    ann.page.goto(address)
    expect(ann.page.get_by_label("Link to this table")).to_be_visible()
    sue.page.goto(address)
    expect(sue.page.get_by_text("kept for people whom")).to_be_visible()
    assert sue.page.get_by_role("button", name=WORDS["sit_down"]).count() == 0
    bob.page.goto(ann.page.url)
    expect(bob.page.get_by_role("heading", name="invites you to play")).to_be_visible()
    bob.page.get_by_label(WORDS["greeting_name"]).fill("Bobby")
    bob.page.get_by_role("button", name=WORDS["sit_down"]).click()
    expect(ann.page.get_by_role("list", name=WORDS["seats"])).to_contain_text("Bobby")
    assert next_move(ann.page) or next_move(bob.page)


def test_an_onlooker_can_follow_to_the_rematch_and_is_invited_to_play(guests: Guests) -> None:
    ann, sue = guests(), guests()
    address = ann.open_table("carat", **DUEL)
    ann.page.goto(address)
    assert next_move(ann.page)
    sue.page.goto(address)
    give_up(ann.page)
    expect(result_of(sue.page).get_by_role("link", name=WORDS["result_play"])).to_be_visible()
    ann.page.get_by_role("button", name=WORDS["rematch"]).click()
    expect(result_of(ann.page)).to_have_count(0)
    result_of(sue.page).get_by_role("link", name=WORDS["rematch_go"]).click()
    expect(result_of(sue.page)).to_have_count(0)
    expect(sue.page.get_by_role("group", name="Carat")).to_be_visible()


def test_a_long_thought_is_told_and_a_long_word_widens_nothing(guests: Guests) -> None:
    ann, bob = _pair(guests, options={"players": 2}, order="fixed")
    expect(bob.page.get_by_text("is thinking …")).to_be_visible()
    type_move(ann.page, "x" * 500)
    expect(ann.page.get_by_text("is not possible here.")).to_be_visible()
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= DESK["width"]
    place_tile(ann.page)
    expect(ann.page.get_by_text("is thinking …")).to_be_visible()


def test_a_clock_that_starts_to_run_never_shows_more_than_there_is(guests: Guests) -> None:
    clock = {"kind": "live", "seconds": 600}
    ann, bob = _pair(guests, options={"players": 2}, order="fixed", clock=clock)
    bob.page.evaluate(WATCH_CLOCKS)
    ann.page.wait_for_timeout(2500)  # she thinks; his page's clock of him stands still meanwhile
    place_tile(ann.page)
    assert next_move(bob.page)
    bob.page.wait_for_timeout(600)
    shown: list[str] = bob.page.evaluate("window.shown")
    assert shown
    assert max(_seconds(text) for text in shown) <= 600


WATCH_CLOCKS = """() => {
    window.shown = [];
    const look = () => window.shown.push(
        ...[...document.querySelectorAll('[role=timer]')].map((timer) => timer.textContent));
    new MutationObserver(look).observe(document.querySelector('main'),
        { subtree: true, childList: true, characterData: true });
}"""


def _seconds(text: str) -> int:
    minutes, seconds = text.split(":")
    return 60 * int(minutes) + int(seconds)


def test_a_server_that_is_full_is_not_called_all_the_time(guests: Guests) -> None:
    ann = guests()
    calls: list[str] = []

    def refuse(socket: WebSocketRoute) -> None:
        calls.append(socket.url)
        refused = {"type": "refused", "id": "", "code": "too-many", "sentence": "Full."}
        socket.send(json.dumps(refused))
        socket.close(code=1013)

    address = ann.open_table("carat", **DUEL)
    ann.page.route_web_socket("**/api/tables/*/live*", refuse)
    ann.page.goto(address)
    ann.page.wait_for_timeout(6000)
    assert 1 < len(calls) < 8  # twice a second would be a dozen
