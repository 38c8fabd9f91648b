"""The page on any device: heard, installed, offline, and told of one's turn."""

from conftest import Guests
from house import next_move, place_tile
from playwright.sync_api import Page, expect

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}
DUEL = {"options": {"players": 2}, "seats": [ME, BOT]}

# Counts what is really given to the loudspeaker.
LISTEN = """
window.heard = 0;
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...when) { window.heard += 1; return start.apply(this, when); };
}
"""


def _heard(page: Page) -> int:
    return int(page.evaluate("window.heard"))


def test_a_table_is_heard_after_the_first_gesture_and_can_be_muted(guests: Guests) -> None:
    ann = guests()
    ann.page.add_init_script(LISTEN)
    ann.page.goto(ann.open_table("carat", **DUEL))
    assert next_move(ann.page)
    assert _heard(ann.page) == 0
    place_tile(ann.page)
    ann.page.wait_for_function("window.heard > 0")
    assert next_move(ann.page)
    ann.page.get_by_role("button", name="Sounds").click()
    expect(ann.page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "false")
    before = _heard(ann.page)
    place_tile(ann.page)
    assert next_move(ann.page)
    assert _heard(ann.page) == before
    ann.page.reload()
    expect(ann.page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "false")
