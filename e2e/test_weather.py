"""Bad input and bad weather: refusals, reloads, a server that goes away, dead links."""

import contextlib
import json
import re
import sqlite3
from pathlib import Path

import pytest
from conftest import Guests
from house import (
    WORDS,
    House,
    finish,
    free_cells,
    log_of,
    next_move,
    place_tile,
    problems,
    say,
    turn_to,
    type_move,
)
from playwright.sync_api import Page, WebSocketRoute, expect

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}
DUEL = {"options": {"players": 2}, "seats": [ME, BOT]}
LINE = WORDS["link_lost"]


def test_a_refused_move_says_why_and_the_match_goes_on(guests: Guests) -> None:
    ann = guests()
    spoiled: list[str] = []

    def spoil(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "play" and not spoiled:
                spoiled.append(message["move"])
                message["move"] = "a1=9RRRR"
            server.send(json.dumps(message))

        socket.on_message(pass_on)

    ann.page.route_web_socket("**/api/tables/*/live*", spoil)
    ann.page.goto(ann.open_table("carat", **DUEL))
    assert next_move(ann.page)
    place_tile(ann.page)
    expect(ann.page.get_by_role("alert")).to_contain_text("not a move")
    place_tile(ann.page)
    expect(ann.page.get_by_role("alert")).to_have_count(0)
    assert next_move(ann.page)


def test_a_wish_that_is_not_possible_is_explained_where_it_is_typed(guests: Guests) -> None:
    ann = guests()
    ann.page.goto(ann.open_table("carnac", options={"board": "small"}, seats=[ME, BOT]))
    assert next_move(ann.page)
    type_move(ann.page, "z9rr")
    expect(ann.page.get_by_text("z9rr is not possible here.")).to_be_visible()


@pytest.fixture
def fragile(tmp_path: Path) -> House:
    """A server that the test may end."""
    return House(tmp_path).start()


def test_a_match_outlives_reloads_and_the_death_of_its_server(
    guests: Guests, fragile: House
) -> None:
    ann = guests(fragile.url)
    ann.expected = "ERR_CONNECTION_REFUSED"  # the browser's own, while the server is away
    ann.page.goto(ann.open_table("carat", **DUEL))
    for _ in range(2):
        assert next_move(ann.page)
        place_tile(ann.page)
    assert next_move(ann.page)
    ann.page.reload()
    assert next_move(ann.page)
    tiles = log_of(ann.page).count()
    fragile.kill()
    expect(ann.page.get_by_role("alert")).to_contain_text(LINE)
    assert free_cells(ann.page).count() == 0
    fragile.start()
    expect(ann.page.get_by_role("alert")).to_have_count(0)
    assert log_of(ann.page).count() == tiles
    assert next_move(ann.page)
    place_tile(ann.page)
    finish(ann.page)
    fragile.stop()


def test_what_a_server_cannot_read_is_told_and_can_be_ended(
    guests: Guests, fragile: House, tmp_path: Path
) -> None:
    ann = guests(fragile.url)
    ann.expected = "ERR_CONNECTION_REFUSED"  # the browser's own, while the server is away
    old, strange = (ann.open_table("carat", **DUEL) for _ in range(2))
    fragile.stop()
    with contextlib.closing(sqlite3.connect(tmp_path / "kwartet.db")) as store, store:
        store.create_function("altered", 3, lambda text, a, b: re.sub(a, b, text.decode()).encode())
        change = "UPDATE entries SET body = altered(body, ?, ?) WHERE table_id = ? AND number = 1"
        store.execute(change, (r'"rules":\d+', '"rules":99', old.split("/")[-1]))
        store.execute(change, ('"type":"created"', '"type":"dreamt"', strange.split("/")[-1]))
        store.execute("DELETE FROM snapshots")
    fragile.start()
    ann.page.goto(strange)
    expect(ann.page.get_by_role("heading", level=1, name=WORDS["unreadable"])).to_be_visible()
    expect(ann.page.get_by_text(WORDS["error_unknown_entry"], exact=True)).to_be_visible()
    ann.page.goto(old)
    expect(ann.page.get_by_role("heading", name=WORDS["trouble"])).to_be_visible()
    assert problems(ann.page) == []
    ann.page.get_by_role("button", name=WORDS["resign"]).click()
    ann.page.get_by_role("dialog").get_by_role("button", name=WORDS["resign"]).click()
    expect(ann.page.get_by_role("heading", name="Novice bot wins.")).to_be_visible()
    with ann.page.expect_download() as kept:
        ann.page.get_by_role("link", name=WORDS["record"]).click()
    assert json.loads(kept.value.path().read_text())["rules"] == 99
    fragile.stop()


def test_a_bot_plays_on_for_who_is_away_until_they_return(guests: Guests) -> None:
    ann, bob = guests(), guests()
    seats = [ME, {"kind": "open"}]
    address = ann.open_table("carnac", options={"board": "small"}, seats=seats)
    ann.page.goto(address)
    bob.page.goto(address)
    bob.page.get_by_role("button", name="Sit down").click()
    assert next_move(ann.page)
    bob.page.goto("about:blank")
    ann.page.get_by_role("button", name="Let a bot play on").click()
    move = next_move(ann.page)
    assert move
    type_move(ann.page, move)
    assert next_move(ann.page)  # the bot has moved
    bob.page.goto(address)
    bob.page.get_by_role("button", name="Take your seat back").click()
    expect(bob.page.get_by_text("A bot plays for you.")).to_have_count(0)
    say(bob.page, "Here again")
    turn_to(ann.page, WORDS["chat"])
    ann.page.get_by_role("log").get_by_role("button").click()
    ann.page.get_by_role("button", name="Silence").click()
    expect(bob.page.get_by_label("Say something")).to_have_count(0)


def test_offline_shows_at_once_and_heals_by_itself(guests: Guests) -> None:
    ann = guests()
    ann.expected = "ERR_INTERNET_DISCONNECTED"
    ann.page.goto(ann.open_table("carat", **DUEL))
    assert next_move(ann.page)
    ann.context.set_offline(True)
    expect(ann.page.get_by_role("alert")).to_contain_text(LINE)
    ann.context.set_offline(False)
    expect(ann.page.get_by_role("alert")).to_have_count(0)
    place_tile(ann.page)
    assert next_move(ann.page)


@pytest.mark.parametrize(
    ("address", "title"),
    [("/table/nowhere", "This table is gone."), ("/elsewhere", "There is nothing here.")],
)
def test_an_address_that_leads_nowhere_says_what_to_do(
    guests: Guests, address: str, title: str
) -> None:
    page = guests().page
    page.goto(address)
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    page.get_by_role("link", name="To the games").click()
    expect(page.get_by_role("heading", name="Four games, one table.")).to_be_visible()


def test_a_personal_link_is_good_once(guests: Guests) -> None:
    ann, other = guests(), guests()
    other.expected = "Failed to load resource"  # the browser's own, of the link's second use
    ann.page.goto("/account")
    _rename(ann.page, "Annabel")
    ann.page.get_by_role("button", name="Make a link").click()
    link = ann.page.get_by_label("Your personal link").input_value()
    other.page.goto(link)
    other.page.get_by_role("button", name="Go on here").click()
    expect(other.page.get_by_role("heading", name="Annabel")).to_be_visible()
    other.page.goto(link)
    other.page.get_by_role("button", name="Go on here").click()
    expect(other.page.get_by_text("no longer good")).to_be_visible()


def _rename(page: Page, name: str) -> None:
    page.get_by_label("Name at the table").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


def test_a_token_is_shown_once_and_can_be_removed(guests: Guests) -> None:
    page = guests().page
    page.goto("/account")
    page.get_by_label("Name of a new token").fill("my script")
    page.get_by_role("button", name="Make a token").click()
    expect(page.get_by_text("kwt_")).to_be_visible()
    expect(page.get_by_role("button", name="Copy the token")).to_be_visible()
    page.reload()
    token = page.get_by_role("listitem").filter(has_text="my script")
    expect(token).to_be_visible()
    assert page.get_by_text("kwt_").count() == 0
    page.get_by_role("button", name="Remove my script").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(token).to_have_count(0)
