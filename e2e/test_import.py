"""Matches from elsewhere: by file, by paste and typed in, at a real server."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Guests
from house import DESK, PHONE, PLAYED, WORDS, problems
from playwright.sync_api import Locator, Page, expect

import kwartet
import web

OPTIONS: dict[str, dict[str, Any]] = {
    "carat": {"players": 2},
    "carnac": {"board": "small"},
    "catan_dice": {"players": 1},
    "kwatro": {"players": 2},
}


def record_of(game: str, seed: int = 5) -> dict[str, Any]:
    """A match that the library has played to its end, with players but without its seed."""
    match, luck = kwartet.new(game, seed=seed, **OPTIONS[game]), random.Random(seed)
    while match.actor is not None:
        match.play(luck.choice(match.legal()))
    told = {name: value for name, value in match.record().items() if name != "seed"}
    return told | {"players": ["Ada", "Grace"][: match.seats]}


def text_of(page: Page, name: str = "import_paste") -> Locator:
    return page.get_by_label(WORDS[name])


def go(page: Page) -> Locator:
    return page.get_by_role("button", name=WORDS["import_go"])


def type_in(page: Page, game: str) -> None:
    """Choose to type a match of a game in."""
    page.goto("/import")
    page.get_by_role("radio", name=WORDS["import_way_typed"]).click()
    page.get_by_role("radio", name=WORDS[f"{game}_title"]).click()


@pytest.mark.parametrize("game", PLAYED)
def test_a_record_is_pasted_and_becomes_a_table_of_ones_own(guests: Guests, game: str) -> None:
    ann, record = guests(), record_of(game)
    ann.page.goto("/")
    ann.page.get_by_role("link", name=WORDS["import_link"]).click()
    expect(ann.page.get_by_role("heading", name=WORDS["import_link"])).to_be_focused()
    text_of(ann.page).fill(json.dumps(record))
    found = ann.page.get_by_role("region", name=WORDS["import_position"])
    expect(found).to_contain_text(f"{len(record['moves'])} moves are right.")
    expect(found).to_contain_text(WORDS["import_over"])
    expect(found.locator("[data-place=board]")).to_be_visible()
    assert problems(ann.page) == []
    go(ann.page).click()
    ann.page.wait_for_url(re.compile(rf"/table/[\w-]+\?ply={len(record['moves'])}"))
    table = ann.page.url.split("/")[-1].split("?")[0]
    told = ann.page.request.get(f"/api/tables/{table}/record").json()
    assert [told[name] for name in ("moves", "scores", "players")] == [
        record[name] for name in ("moves", "scores", "players")
    ]
    ann.page.goto(f"/table/{table}")
    result = ann.page.get_by_role("region", name=WORDS["result"])
    result.get_by_role("button", name=WORDS["fair_title"]).click()
    expect(result).to_contain_text(WORDS["fair_seedless"])


def test_a_file_is_chosen_or_dropped(guests: Guests, tmp_path: Path) -> None:
    page, record = guests().page, record_of("carnac")
    file = tmp_path / "match.json"
    file.write_text(json.dumps(record))
    page.goto("/import")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=WORDS["import_choose"]).click()
    chooser.value.set_files(file)
    right = f"{len(record['moves'])} moves are right."
    expect(page.get_by_text(right)).to_be_visible()
    page.reload()
    data = page.evaluate_handle(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], 'match.json'));
            return data;
        }""",
        file.read_text(),
    )
    page.get_by_text(WORDS["import_drop"]).dispatch_event("drop", {"dataTransfer": data})
    expect(page.get_by_text(right)).to_be_visible()


FILES = {
    "too_large": (b"x" * 300_000, "import_too_large"),
    "not_text": (bytes(range(256)), "import_not_text"),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_holds_no_match_is_told_so(guests: Guests, tmp_path: Path, kind: str) -> None:
    page = guests().page
    content, sentence = FILES[kind]
    file = tmp_path / "file"
    file.write_bytes(content)
    page.goto("/import")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=WORDS["import_choose"]).click()
    chooser.value.set_files(file)
    expect(page.get_by_role("alert")).to_contain_text(WORDS[sentence])
    expect(go(page)).to_be_disabled()


@pytest.mark.parametrize(
    "text", ["hello", "[1, 2]", '{"kwartet": 1, "game": "chess"}', '[Event "A match"]\n1. e4 e5 *']
)
def test_foreign_text_is_refused_in_a_sentence(guests: Guests, text: str) -> None:
    ann = guests()
    ann.expected = "400|404|409"
    ann.page.goto("/import")
    text_of(ann.page).fill(text)
    expect(ann.page.get_by_role("alert")).to_be_visible()
    assert WORDS["error_unknown"] not in ann.page.get_by_role("alert").inner_text()
    expect(go(ann.page)).to_be_disabled()


def test_a_match_is_typed_in_move_by_move_and_mended(guests: Guests) -> None:
    page, record = guests().page, record_of("catan_dice")
    moves = record["moves"]
    type_in(page, "catan_dice")
    page.get_by_role("radio", name="1", exact=True).click()
    page.get_by_label("Name at seat 1").fill("Ada")
    found = page.get_by_role("region", name=WORDS["import_position"])
    expect(found).to_contain_text(WORDS["import_next_chance"])
    page.get_by_text(WORDS["import_legend"]).click()
    expect(page.get_by_text(WORDS["import_catan_roll"])).to_be_visible()
    text_of(page, "import_moves").fill("\n".join([moves[0], "C30", *moves[2:]]))
    expect(found.get_by_role("alert")).to_contain_text("Move 2, C30:")
    expect(go(page)).to_be_disabled()
    assert problems(page) == []
    possible = found.get_by_role("group", name=WORDS["import_possible"])
    possible.get_by_role("button").first.click()
    expect(found.get_by_role("alert").get_by_text("Move 2, C30:")).to_have_count(0)
    text_of(page, "import_moves").fill("\n".join(moves))
    expect(found).to_contain_text(f"{len(moves)} moves are right. {WORDS['import_over']}")
    go(page).click()
    page.wait_for_url(re.compile(r"/table/[\w-]+\?ply="))


def test_what_is_possible_next_is_put_in_by_a_click(guests: Guests) -> None:
    page = guests().page
    type_in(page, "carnac")
    offered = page.get_by_role("group", name=WORDS["import_possible_next"])
    first = offered.get_by_role("button").first
    move = first.inner_text()
    first.click()
    expect(text_of(page, "import_moves")).to_have_value(f"{move}\n")
    expect(page.get_by_text("1 move is right.")).to_be_visible()
    expect(page.get_by_text(WORDS["import_unfinished"])).to_be_visible()
    expect(go(page)).to_be_disabled()


def test_a_wrong_move_of_a_record_is_named_and_can_be_mended(guests: Guests) -> None:
    page, record = guests().page, record_of("carnac")
    wrong = record | {"moves": ["z9wr", *record["moves"][1:]]}
    page.goto("/import")
    text_of(page).fill(json.dumps(wrong))
    expect(page.get_by_role("alert")).to_contain_text("Move 1, z9wr:")
    possible = page.get_by_role("group", name=WORDS["import_possible"]).get_by_role("button")
    first = possible.first.inner_text()
    possible.first.click()
    expect(text_of(page, "import_moves")).to_have_value(
        re.compile(rf"^{first}\n{record['moves'][1]}\n")
    )
    expect(page.get_by_label("Name at seat 2")).to_have_value("Grace")


@pytest.mark.parametrize("language", ["en", "nl", "de", "fr"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_screen_fits_in_every_language(
    guests: Guests, language: str, size: dict[str, int]
) -> None:
    page, words = guests(locale=language, viewport=size).page, web.catalogue(language)
    page.goto("/import")
    assert problems(page) == []
    page.get_by_role("radio", name=words["import_way_typed"]).click()
    for game in PLAYED:
        page.get_by_role("radio", name=words[f"{game}_title"]).click()
        legend = page.get_by_text(words["import_legend"])
        legend.click()
        expect(page.locator("[data-place=board]").first).to_be_visible()
        assert problems(page) == [], game
