"""The result and what it leads to, with a review that the server really makes."""

import re

from conftest import Guests
from house import WORDS, give_up, next_move, result_of, type_move
from playwright.sync_api import expect

ME = {"kind": "me"}
BOT = {"kind": "bot", "level": "novice"}
ASK = """(table) => new Promise((done) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/tables/${table}/review/live`);
    socket.onopen = () => socket.send(JSON.stringify({ type: 'ask', care: 'quick' }));
    socket.onmessage = ({ data }) => {
        const { type, state } = JSON.parse(data);
        if (type !== 'review' || state === 'done') { socket.close(); done(state); }
    };
})"""


def test_the_result_leads_to_the_review_and_tells_of_luck_once_it_is_judged(guests: Guests) -> None:
    ann = guests()
    address = ann.open_table("carat", options={"players": 2}, seats=[ME, BOT])
    page = ann.page
    page.goto(address)
    for _ in range(2):
        move = next_move(page)
        assert move
        type_move(page, move)
    assert next_move(page)
    give_up(page)
    result = result_of(page)
    review = result.get_by_role("link", name=WORDS["result_review"], exact=True)
    expect(review).to_have_attribute("href", re.compile(rf"^{address}\?ply=\d+&tab=luck$"))
    expect(result.get_by_text("Your luck was")).to_have_count(0)
    page.set_default_timeout(120_000)
    assert page.evaluate(ASK, address.rpartition("/")[2]) == "done"
    page.reload()
    told = result.get_by_role("link", name=re.compile(r"Your luck was .+, your play .+\."))
    expect(told).to_have_attribute("href", re.compile(r"&tab=luck$"))
    sheet = result.get_by_role("link", name=WORDS["result_sheet"])
    expect(sheet).to_have_attribute("href", re.compile(r"/sheet\?language=en$"))
