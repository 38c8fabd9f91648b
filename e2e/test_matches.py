"""Whole matches through the page against a real server."""

from conftest import Guests
from house import finish, next_move, place_tile, say, type_move
from playwright.sync_api import Page, expect

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}


def test_a_bot_is_played_three_clicks_after_arriving(guests: Guests) -> None:
    page = guests().page
    page.goto("/")
    page.get_by_role("button", name="Play a bot now").click()  # one
    assert next_move(page)
    page.locator(".cell.is-legal").first.click()  # two
    page.get_by_role("button", name="Place on").click()  # three
    expect(page.locator(".entry").first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Four games, one table.")).to_be_visible()
    expect(page.locator(".mine li a")).to_have_count(1)


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
    expect(page.get_by_role("region", name="Result")).to_contain_text("win")
    assert page.locator(".carat-board .cell").count() == 36


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
            page.locator(".controls-end button").last.click()
        else:
            page.locator(f"[data-cell={move[:-2]}]").click()
            page.get_by_role("button", name="Raise on").click()
        expect(page.locator(".entry.is-sent")).to_have_count(0)
    finish(page)
    result = page.get_by_role("region", name="Result")
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
        expect(someone.page.locator(".carnac-board")).to_be_visible()
    say(ann.page, "Good luck")
    expect(bob.page.locator(".chat")).to_contain_text("Good luck")
    _take_a_move_back(ann.page, bob.page)
    finish(ann.page, bob.page)
    bob.page.get_by_role("button", name="Rematch").click()
    ann.page.get_by_role("button", name="Sit down").click()
    for someone in (ann, bob):
        expect(someone.page.locator(".carnac-board")).to_be_visible()
    ann.page.get_by_role("button", name="Draw?").click()
    bob.page.get_by_role("button", name="Accept").click()
    expect(ann.page.get_by_role("region", name="Result")).to_contain_text("Agreed.")


def _take_a_move_back(ann: Page, bob: Page) -> None:
    first, second = (ann, bob) if ann.evaluate(IS_MY_TURN) else (bob, ann)
    move = next_move(first)
    assert move
    type_move(first, move)
    expect(second.locator(".entry")).to_have_count(1)
    first.get_by_role("button", name="Take back").click()
    second.get_by_role("button", name="Accept").click()
    expect(second.locator(".entry")).to_have_count(0)
    assert next_move(first) == move


IS_MY_TURN = "!!document.querySelector('.notation')"


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
            expect(page.get_by_role("heading", name=f"Friend {turn % 4 + 1}")).to_be_visible()
        show = page.get_by_role("button", name="Show my hand")
        expect(show).to_be_visible()
        assert page.locator(".hand, .notation, .log").count() == 0
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
    expect(sue.page.locator(".carat-board")).to_be_visible()
    for turn in range(6):
        place_tile((ann, bob)[turn % 2].page)
        assert next_move((bob, ann)[turn % 2].page)
    expect(sue.page.locator(".carat-board .tile")).to_have_count(6)
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
    assert sue.page.locator(".hand, .notation, .cell.is-legal").count() == 0
