"""Whole matches through the page against a real server."""

import re

from conftest import Guests
from house import (
    GREETING,
    WORDS,
    finish,
    free_cells,
    log_of,
    next_move,
    place_tile,
    result_of,
    say,
    turn_to,
    type_move,
)
from playwright.sync_api import Page, expect

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}


def test_a_bot_is_played_three_clicks_after_arriving(guests: Guests) -> None:
    page = guests().page
    page.goto("/")
    page.get_by_role("button", name="Play a bot now").click()  # one
    assert next_move(page)
    free_cells(page).first.click()  # two
    page.get_by_role("button", name="Place on").click()  # three
    expect(log_of(page).first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name=GREETING)).to_be_visible()
    expect(page.get_by_role("link", name=WORDS["carat_title"])).not_to_have_count(0)


def test_a_person_finishes_carat_against_a_bot(guests: Guests) -> None:
    page = guests().page
    page.goto("/new/carat")
    page.get_by_role("radio", name="2", exact=True).click()
    page.get_by_label("How strong the bot in seat 2 is").select_option("Novice")
    page.get_by_role("radio", name="seat 1").click()
    page.get_by_role("button", name="Open the table").click()
    for _ in range(3):
        assert next_move(page)
        place_tile(page)
    finish(page)
    expect(result_of(page)).to_contain_text("win")
    assert page.get_by_role("button", name=re.compile("^[a-f][1-6]: ")).count() == 36


def test_a_person_finishes_carnac_against_a_bot(guests: Guests) -> None:
    page = guests().page
    page.goto("/")
    page.get_by_role("link", name="Open a table of Carnac").click()
    page.get_by_role("radio", name="small").click()
    page.get_by_label("How strong the bot in seat 2 is").select_option("Novice")
    page.get_by_role("button", name="Open the table").click()
    by_board = 0
    while by_board < 4 and (move := next_move(page)):
        by_board += 1
        if move.startswith(("stand", "tilt")):
            page.get_by_role("radiogroup", name="Tilt").get_by_role("radio").last.click()
            page.get_by_role("button", name=re.compile("^(Tilt|Leave)")).click()
        else:
            page.locator(f"[data-cell={move[:-2]}]").click()
            page.get_by_role("button", name="Raise on").click()
        expect(page.get_by_text(WORDS["sent"])).to_have_count(0)
    finish(page)
    result = result_of(page)
    expect(result).to_be_visible()
    with page.expect_download() as record:
        result.get_by_role("link", name="Record").click()
    assert '"carnac"' in record.value.path().read_text()
    result.get_by_role("button", name="Rematch").click()
    expect(result).to_have_count(0)
    assert next_move(page)


def test_two_browsers_play_each_other_by_an_invitation(guests: Guests) -> None:
    ann, bob = guests(), guests()
    ann.page.goto("/new/carnac?friend")
    ann.page.get_by_role("radio", name="small").click()
    ann.page.get_by_role("button", name="Open the table").click()
    expect(ann.page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    link = ann.page.get_by_label("Link to this table").input_value()
    bob.page.goto(link)
    bob.page.get_by_role("button", name="Sit down").click()
    for someone in (ann, bob):
        expect(someone.page.get_by_role("group", name="Carnac")).to_be_visible()
    say(ann.page, "Good luck")
    turn_to(bob.page, WORDS["chat"])
    expect(bob.page.get_by_role("log", name=WORDS["chat"])).to_contain_text("Good luck")
    for someone in (ann, bob):
        turn_to(someone.page, WORDS["moves"])
    _take_a_move_back(ann.page, bob.page)
    finish(ann.page, bob.page)
    _agree_on_a_rematch(ann.page, bob.page)
    ann.page.get_by_role("button", name=WORDS["more_actions"]).click()
    ann.page.get_by_role("button", name=WORDS["offer_draw"]).click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_role("button", name=WORDS["offer_draw"]).click()
    bob.page.get_by_role("button", name=WORDS["accept"]).click()
    expect(result_of(ann.page)).to_contain_text(WORDS["result_draw"])


def _agree_on_a_rematch(ann: Page, bob: Page) -> None:
    """Nobody is taken away from the result before they agree; the talk goes with them."""
    bob.get_by_role("button", name=WORDS["rematch"]).click()
    ann.get_by_role("button", name=WORDS["decline"]).click()
    expect(bob.get_by_text("rematch now")).to_be_visible()
    expect(result_of(ann)).to_be_visible()
    bob.get_by_role("button", name=WORDS["rematch"]).click()
    ann.get_by_role("button", name=WORDS["accept"]).click()
    for page in (ann, bob):
        expect(result_of(page)).to_have_count(0)
        expect(page.get_by_role("group", name="Carnac")).to_be_visible()
        turn_to(page, WORDS["chat"])
        expect(page.get_by_role("log", name=WORDS["chat"])).to_contain_text("Good luck")


def _take_a_move_back(ann: Page, bob: Page) -> None:
    first, second = (ann, bob) if ann.evaluate(IS_MY_TURN) else (bob, ann)
    move = next_move(first)
    assert move
    type_move(first, move)
    expect(log_of(second)).to_have_count(1)
    first.get_by_role("button", name=WORDS["take_back_ask"]).click()
    second.get_by_role("button", name="Accept").click()
    expect(second.get_by_text(WORDS["moves_none"])).to_be_visible()
    assert next_move(first) == move


IS_MY_TURN = "!!document.querySelector('form label')"


def test_four_at_one_device_see_only_their_own_hand(guests: Guests) -> None:
    page = guests().page
    page.goto("/new/carat")
    for seat in (2, 3, 4):
        page.get_by_label(f"Who takes seat {seat}").select_option("me")
        page.get_by_label(f"Name of the player in seat {seat}").fill(f"Friend {seat}")
    page.get_by_role("radio", name="seat 1").click()
    page.get_by_role("button", name="Open the table").click()
    for turn in range(5):
        if turn % 4:
            name = WORDS["cover_title"].replace("{name}", f"Friend {turn % 4 + 1}")
            expect(page.get_by_text(name)).to_be_visible()
        show = page.get_by_role("button", name="Show my hand")
        expect(show).to_be_visible()
        expect(page.get_by_role("group", name=re.compile("^Carat"))).to_be_visible()
        assert page.get_by_role("group", name=WORDS["carat_hand"]).count() == 0
        assert free_cells(page).count() == 0
        show.click()
        if turn % 2:
            place_tile(page)
        else:
            move = next_move(page)
            assert move
            type_move(page, move)
    expect(page.get_by_role("button", name="Show my hand")).to_be_visible()


def test_a_spectator_is_not_sent_what_is_hidden(guests: Guests) -> None:
    ann, bob, sue = guests(), guests(), guests()
    seats = [ME, {"kind": "open"}]
    address = ann.open_table("carat", options={"players": 2}, seats=seats, listed=True)
    ann.page.goto(address)
    bob.page.goto("/")
    bob.page.get_by_role("link", name="Sit down").first.click()
    bob.page.get_by_role("button", name="Sit down").click()
    assert next_move(ann.page)
    sue.page.goto("/")
    sue.page.get_by_role("link", name="Watch").first.click()
    expect(sue.page.get_by_role("group", name=re.compile("^Carat"))).to_be_visible()
    for turn in range(6):
        place_tile((ann, bob)[turn % 2].page)
        assert next_move((bob, ann)[turn % 2].page)
    expect(log_of(sue.page)).to_have_count(6)
    hidden = {
        (table["match"]["view"]["ply"], tile)
        for someone in (ann, bob)
        for table in someone.tables
        if table["match"]
        for hand in table["match"]["view"]["hands"]
        if isinstance(hand, list)
        for tile in hand
    }
    assert len(hidden) > 6
    for table in sue.tables:
        match = table["match"]
        assert all(isinstance(hand, int) for hand in match["view"]["hands"])
        assert match["legal"] == []
        told = str(match)
        assert not [tile for ply, tile in hidden if ply == match["view"]["ply"] and tile in told]
    assert free_cells(sue.page).count() == 0
    assert sue.page.get_by_role("group", name=WORDS["carat_hand"]).count() == 0
