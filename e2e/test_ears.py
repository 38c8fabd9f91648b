"""A whole match by ear: what a screen reader is told, and that it is enough to play by."""

import re
from itertools import pairwise
from typing import Any

import pytest
from conftest import Guests
from house import PLAYED, WORDS, Guest, next_move, result_of, type_move
from playwright.sync_api import Page, expect

ME = {"kind": "me"}
BOT = {"kind": "bot", "level": "novice"}

# Everything that was added to what is said, in order; whatever was written over would come twice.
LISTEN = """(label) => {
    window.said = [];
    const log = document.querySelector(`[role=log][aria-label="${label}"]`);
    window.said.push(...[...log.children].map((line) => line.textContent));
    new MutationObserver((changes) => {
        for (const { addedNodes, type } of changes) {
            if (type === 'characterData') window.said.push('written over');
            for (const node of addedNodes)
                if (node.nodeType === 1) window.said.push(node.textContent);
        }
    }).observe(log, { childList: true, characterData: true, subtree: true });
}"""


def steps(tables: list[dict[str, Any]]) -> list[int]:
    """Who acted, move by move, as the page was told it: each table's view names who is to act."""
    actors: list[int] = []
    for before, after in pairwise(tables):
        was, now = before["match"], after["match"]
        if was and now and now["view"]["ply"] > was["view"]["ply"]:
            between = [step["view"]["actor"] for step in now["steps"]]
            actors += [was["view"]["actor"], *between]
    return [actor for actor in actors if actor is not None]


def at_a_table(guests: Guests, game: str) -> Guest:
    """Somebody against a novice, whose turn it is."""
    ann = guests()
    options = {"board": "small"} if game == "carnac" else {"players": 2}
    ann.page.goto(ann.open_table(game, options=options, seats=[ME, BOT]))
    assert next_move(ann.page)
    return ann


def play_through(page: Page) -> None:
    """First moves until the match is over, each typed once its turn was told."""
    while move := next_move(page):
        type_move(page, move)
        page.wait_for_timeout(30)


@pytest.mark.parametrize("game", PLAYED)
def test_every_move_is_said_once_and_in_order_and_so_are_turns_and_the_end(
    guests: Guests, game: str
) -> None:
    ann = at_a_table(guests, game)
    ann.page.evaluate(LISTEN, WORDS["said"])
    began = len(ann.tables)
    play_through(ann.page)
    expect(result_of(ann.page)).to_be_visible()
    said: list[str] = ann.page.evaluate("window.said")
    assert "written over" not in said
    acted = steps(ann.tables[began - 1 :])
    *moves, end = said
    told = [line.startswith("Novice") for line in moves if re.match("You |Novice bot ", line)]
    assert told == [actor == 1 for actor in acted]
    assert end == result_of(ann.page).get_by_role("heading").inner_text()
    turns = [i for i, actor in enumerate(acted[1:], 1) if actor == 0 and acted[i - 1] != 0]
    assert said.count(WORDS["your_turn"]) >= len(turns)


@pytest.mark.parametrize("game", PLAYED)
def test_the_board_takes_keys_at_once_and_the_position_can_be_read(
    guests: Guests, game: str
) -> None:
    ann = at_a_table(guests, game)
    ann.page.keyboard.press("ArrowRight")
    focused = "document.activeElement?.closest('[data-place]')?.dataset.place"
    assert ann.page.evaluate(focused) in ("board", "hand")
    assert ann.page.evaluate("document.activeElement.getAttribute('aria-label')")
    panels = ann.page.get_by_role("group", name=WORDS["panels"])
    panels.get_by_role("button", name=WORDS["in_words"]).click()
    words = ann.page.get_by_role("region", name=WORDS["in_words"])
    assert words.get_by_role("listitem").count() >= 3
