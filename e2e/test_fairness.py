"""Luck that the page works out again itself, from the record of a real match."""

import json
import re
from typing import Any

import pytest
from conftest import Guests
from house import (
    DESK,
    PHONE,
    WORDS,
    Guest,
    finish,
    give_up,
    next_move,
    problems,
    result_of,
    turn_to,
)
from house import type_move as play
from playwright.sync_api import Locator, Page, Route, expect

import web

ME = {"kind": "me"}
BOT = {"kind": "bot", "level": "novice"}
TABLES: dict[str, dict[str, Any]] = {
    "carat": {"options": {"players": 2}, "seats": [ME, BOT], "order": "lot"},
    "carnac": {"options": {"board": "small"}, "seats": [ME, BOT], "order": "lot"},
    "catan_dice": {"options": {"players": 1}, "seats": [ME]},
    "kwatro": {"options": {"players": 3}, "seats": [ME, BOT, BOT], "order": "lot"},
}


def broken_off(guest: Guest, game: str, moves: int = 3) -> str:
    """The address of a match given up after a few moves."""
    address = guest.open_table(game, **TABLES[game])
    guest.page.goto(address)
    for _ in range(moves):
        move = next_move(guest.page)
        assert move
        play(guest.page, move)
    assert next_move(guest.page)
    if game == "catan_dice":  # the log lies over its dice
        turn_to(guest.page, WORDS["board"])
    give_up(guest.page)
    return address


def given_up_at_once(page: Page) -> None:
    """A match that is opened on the home page, as people do."""
    page.goto("/")
    page.get_by_role("button", name=WORDS["home_play_now"]).click()
    assert next_move(page)
    give_up(page)


def checked(page: Page, words: dict[str, Any] = WORDS) -> Locator:
    """The result's part on fairness, unfolded and worked out."""
    result = page.get_by_role("region", name=words["result"])
    line = result.get_by_role("button", name=words["fair_title"])
    expect(line).to_have_attribute("aria-expanded", "false")
    line.click()
    expect(result.get_by_role("button", name=words["fair_copy"])).to_be_visible()
    return result


def altered(page: Page, change: dict[str, Any]) -> None:
    """From now on the server's record of any match says something else."""

    def answer(route: Route) -> None:
        told = route.fetch().json()
        route.fulfill(json={**told, **{name: of(told) for name, of in change.items()}})

    page.route("**/api/tables/*/record", answer)


def forged(told: dict[str, Any]) -> list[str]:
    """Its moves with another last roll."""
    moves = list(told["moves"])
    last = max(ply for ply, move in enumerate(moves) if move.startswith("*"))
    face = "o" if moves[last][1] != "o" else "g"
    moves[last] = "*" + face * (len(moves[last]) - 1)
    return moves


@pytest.mark.parametrize("game", TABLES)
def test_a_match_that_was_broken_off_is_all_right(guests: Guests, game: str) -> None:
    ann = guests()
    broken_off(ann, game)
    result = checked(ann.page)
    expect(result).to_contain_text(WORDS["fair_right"])
    expect(result).to_contain_text("This browser noted the seal")
    expect(result).to_contain_text(WORDS["fair_seed_made"])
    expect(result).to_contain_text(WORDS["fair_parts_none"])
    expect(result).to_contain_text(WORDS["fair_honest_seen"])
    drawn = WORDS["fair_draws_none"] if game == "carnac" else WORDS["fair_draws_fits"]
    expect(result).to_contain_text(drawn)
    seats = "fair_seats_fits" if TABLES[game].get("order") == "lot" else "fair_seats_kept"
    expect(result).to_contain_text(WORDS[seats])
    assert problems(ann.page) == []


def test_who_opens_a_table_has_the_seal_before_the_first_move(guests: Guests) -> None:
    ann = guests()
    given_up_at_once(ann.page)
    result = checked(ann.page)
    expect(result).to_contain_text(WORDS["fair_seal_first"])
    expect(result).to_contain_text(WORDS["fair_parts_own"])
    expect(result).to_contain_text(WORDS["fair_honest_own"])
    (noted,) = json.loads(ann.page.evaluate("localStorage.getItem('seals')"))
    record = ann.page.request.get(f"/api/tables/{noted['table']}/record").json()
    assert record["parts"] == [noted["own"]["part"], None]
    assert re.fullmatch("[0-9a-f]{32}", noted["own"]["part"])
    assert problems(ann.page) == []


def mixed_in(page: Page, text: str) -> None:
    """Type one's own part of the luck where it is asked for."""
    page.get_by_text(WORDS["part_title"]).click()
    page.get_by_label(WORDS["part_label"]).fill(text)


def test_two_people_mix_in_what_they_like_and_find_it_again(guests: Guests) -> None:
    ann, bob = guests(), guests()
    ann.page.goto("/new/kwatro?friend")
    mixed_in(ann.page, "amber otter 41")
    assert problems(ann.page) == []
    ann.page.get_by_role("button", name=WORDS["new_open"]).click()
    ann.page.wait_for_url("**/table/*?invite=*")
    bob.page.goto(ann.page.url)
    mixed_in(bob.page, " Bob’s ☂ ")
    assert problems(bob.page) == []
    bob.page.get_by_role("button", name=WORDS["sit_down"]).click()
    for guest in (ann, bob):
        expect(guest.page.get_by_role("group", name=re.compile("^Kwatro"))).to_be_visible()
    give_up(ann.page)
    for guest, part in ((ann, "amber otter 41"), (bob, "Bob’s ☂")):
        result = checked(guest.page)
        found = result.get_by_text(re.compile(f"^{part} [0-9a-f]{{32}}$"))
        expect(found).to_be_visible()
        for word in ("fair_right", "fair_parts_own", "fair_seed_made", "fair_honest_all"):
            expect(result).to_contain_text(WORDS[word])
        assert problems(guest.page) == []


LEFT_OUT: dict[str, tuple[dict[str, Any], str]] = {  # how it is left out, what is said to it
    "null": ({"parts": lambda told: [None] * len(told["parts"])}, "fair_parts_lost"),
    "struck": ({"parts": lambda _: None, "secret": lambda _: None}, "fair_parts_lost"),
    "moved": ({"parts": lambda told: told["parts"][::-1]}, "fair_parts_lost"),
    "secret": ({"secret": lambda _: "0" * 64}, "fair_seed_fails"),
}


@pytest.mark.parametrize("how", LEFT_OUT)
def test_a_part_that_was_left_out_is_missed(guests: Guests, how: str) -> None:
    change, sentence = LEFT_OUT[how]
    ann = guests()
    given_up_at_once(ann.page)
    altered(ann.page, change)
    result = checked(ann.page)
    expect(result).to_contain_text(WORDS["fair_wrong"])
    expect(result).to_contain_text(WORDS[sentence])


def test_a_rematch_gets_new_parts_and_starts_by_itself(guests: Guests) -> None:
    ann = guests()
    given_up_at_once(ann.page)
    first = ann.page.url
    result_of(ann.page).get_by_role("button", name=WORDS["rematch"]).click()
    ann.page.wait_for_url(lambda url: url != first)
    assert next_move(ann.page)
    give_up(ann.page)
    expect(checked(ann.page)).to_contain_text(WORDS["fair_honest_own"])
    noted = json.loads(ann.page.evaluate("localStorage.getItem('seals')"))
    assert len({one["own"]["part"] for one in noted}) == 2


def test_a_whole_match_is_all_right_and_can_be_copied(guests: Guests) -> None:
    ann = guests()
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    address = ann.open_table("carat", **TABLES["carat"])
    ann.page.goto(address)
    finish(ann.page)
    result = checked(ann.page)
    expect(result).to_contain_text("all 37 draws follow")
    result.get_by_role("button", name=WORDS["fair_copy"]).click()
    expect(result.get_by_role("button", name=WORDS["invite_copied"])).to_be_visible()
    told = ann.page.request.get(f"/api/tables/{address.split('/')[-1]}/record").json()
    copied = ann.page.evaluate("navigator.clipboard.readText()")
    for part in (told["secret"], told["commitment"], told["table"], "37", "all 37 draws follow"):
        assert part in copied
    result.get_by_role("button", name=WORDS["fair_how"]).click()
    dialog = ann.page.get_by_role("dialog")
    expect(dialog).to_contain_text(WORDS["fair_how_proves"])
    assert problems(ann.page) == []
    ann.page.keyboard.press("Escape")
    result.get_by_role("button", name=WORDS["fair_title"]).click()
    expect(result.get_by_role("button", name=WORDS["fair_copy"])).to_be_hidden()
    expect(result.get_by_role("link", name=WORDS["record"])).to_be_visible()


def test_who_comes_after_the_end_is_told_that_the_seal_is_the_servers_word(guests: Guests) -> None:
    ann, sue = guests(), guests()
    sue.page.goto(broken_off(ann, "kwatro"))
    result = checked(sue.page)
    expect(result).to_contain_text(WORDS["fair_right"])
    expect(result).to_contain_text(WORDS["fair_seal_told"])
    expect(result).to_contain_text(WORDS["fair_honest_told"])
    expect(result.get_by_text(WORDS["fair_honest_seen"])).to_have_count(0)


def test_who_comes_in_the_middle_is_told_from_when_on_it_holds(guests: Guests) -> None:
    ann, sue = guests(), guests()
    address = ann.open_table("carat", **TABLES["carat"])
    ann.page.goto(address)
    move = next_move(ann.page)
    assert move
    play(ann.page, move)
    assert next_move(ann.page)
    sue.page.goto(address)
    expect(sue.page.get_by_role("group", name=re.compile("^Carat"))).to_be_visible()
    give_up(ann.page)
    expect(checked(sue.page)).to_contain_text(re.compile(r"noted the seal after [234] moves"))


def test_a_changed_draw_is_named(guests: Guests) -> None:
    ann = guests()
    broken_off(ann, "catan_dice")
    altered(ann.page, {"moves": forged})
    result = checked(ann.page)
    expect(result).to_contain_text(WORDS["fair_wrong"])
    expect(result).to_contain_text(re.compile(r"Draw \d+ \(move \d+\) is \*[og]+; it should be \*"))
    expect(result).to_contain_text("This does not fit: step 5.")
    expect(result.get_by_text(WORDS["fair_honest_seen"])).to_have_count(0)
    assert problems(ann.page) == []


SWAPPED = {  # what the record says instead, and what is said to it
    "seed": ({"seed": lambda _: "0" * 64}, "fair_seed_mixed"),
    "seal": ({"commitment": lambda _: "0" * 64}, "fair_seal_other"),
    "lot": ({"lot": lambda told: told["lot"][::-1]}, "fair_seats_fails"),
    "none": ({"seed": lambda _: None}, "fair_seed_missing"),
    "record": ({"moves": lambda _: None}, "fair_record_bad"),
}


@pytest.mark.parametrize("what", SWAPPED)
def test_what_was_exchanged_is_found(guests: Guests, what: str) -> None:
    change, sentence = SWAPPED[what]
    ann = guests()
    broken_off(ann, "carat", moves=1)
    altered(ann.page, change)
    result = checked(ann.page)
    expect(result).to_contain_text(WORDS["fair_wrong"])
    expect(result).to_contain_text(WORDS[sentence])


def test_a_match_without_a_seed_has_nothing_to_check(guests: Guests) -> None:
    ann, sue = guests(), guests()
    address = broken_off(ann, "carat", moves=1)
    altered(sue.page, {"seed": lambda _: None, "commitment": lambda _: None})
    sue.page.goto(address)
    result = checked(sue.page)
    expect(result).to_contain_text(WORDS["fair_nothing"])
    expect(result).to_contain_text(WORDS["fair_seedless"])


def test_a_record_that_does_not_come_can_be_asked_for_again(guests: Guests) -> None:
    ann = guests()
    ann.expected = "Failed to load resource"
    broken_off(ann, "carat", moves=1)
    ann.page.route("**/api/tables/*/record", lambda route: route.abort())
    result = result_of(ann.page)
    result.get_by_role("button", name=WORDS["fair_title"]).click()
    expect(result.get_by_role("alert")).to_have_text(WORDS["error_offline"])
    ann.page.unroute("**/api/tables/*/record")
    result.get_by_role("button", name=WORDS["retry"]).click()
    expect(result).to_contain_text(WORDS["fair_right"])


@pytest.mark.parametrize("language", ["nl", "de", "fr"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_check_is_whole_in_every_language(
    guests: Guests, language: str, size: dict[str, int]
) -> None:
    ann, other = guests(), guests(locale=language, viewport=size)
    words = web.catalogue(language)
    other.page.goto(broken_off(ann, "kwatro", moves=1))
    result = checked(other.page, words)
    expect(result).to_contain_text(words["fair_honest_told"])
    assert problems(other.page) == []
    assert other.page.evaluate(CUT) == []


CUT = """() => [...document.querySelectorAll('section *')].filter((one) =>
    one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1
    && getComputedStyle(one).overflowX !== 'visible').map((one) => one.outerHTML.slice(0, 120))"""


def test_the_seal_is_noted_once_and_as_the_server_told_it(guests: Guests) -> None:
    ann = guests()
    address = broken_off(ann, "catan_dice", moves=1)
    noted = json.loads(ann.page.evaluate("localStorage.getItem('seals')"))
    told = ann.page.request.get(f"/api/tables/{address.split('/')[-1]}/record").json()
    assert [(one["table"], one["seal"], one["moves"]) for one in noted] == [
        (told["table"], told["commitment"], 0)
    ]
