"""A game that the page does not know is drawn, played and told from what the server says of it."""

import re
from collections.abc import Iterator

import pytest
from conftest import Guests
from house import DESK, PHONE, WORDS, House, problems, result_of
from playwright.sync_api import Page, expect

ME = {"kind": "me"}
OPEN = {"kind": "open"}
SIZES = ((360, 640), (390, 844), (844, 390), (768, 1024), (1024, 768), (1280, 800), (1920, 1080))
# Of the page and of each part that is to be seen whole: how many pixels stand out of the window.
OUT = """() => {
    const parts = document.querySelectorAll('[data-place=board] svg, [data-place=confirm]');
    const { scrollWidth, scrollHeight } = document.documentElement;
    const boxes = [...parts].map((part) => part.getBoundingClientRect());
    return Math.max(scrollWidth - innerWidth, scrollHeight - innerHeight, ...boxes.flatMap(
        (box) => [-box.left, -box.top, box.right - innerWidth, box.bottom - innerHeight]));
}"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that also has connect four, for which the page has no folder."""
    house = House(tmp_path_factory.mktemp("any"), "examples.connect_four").start()
    yield house
    house.stop()


def both_sides(page: Page) -> str:
    """A table where one plays both sides."""
    page.request.get("/api/me")
    made = page.request.post(
        "/api/tables", data={"game": "connect_four", "order": "fixed", "seats": [ME, ME]}
    )
    return f"/table/{made.json()['id']}"


def column(page: Page, letter: str, word: str = "Column") -> None:
    """Wait until one may play, then click a column of the board."""
    spot = page.get_by_role("button", name=re.compile(f"^{word} {letter},"))
    expect(spot).to_have_attribute("aria-disabled", "false")
    spot.click()


def play(page: Page, letter: str) -> None:
    """Confirm what was chosen."""
    page.get_by_role("button", name=WORDS["plain_play"].replace("{move}", letter)).click()


def test_connect_four_is_played_to_the_end_by_clicks_on_the_board(guests: Guests) -> None:
    ann, bob = guests(), guests()
    address = ann.open_table("connect_four", seats=[ME, OPEN])
    ann.page.goto(address)
    bob.page.goto(address)
    bob.page.get_by_role("button", name=WORDS["sit_down"]).click()
    expect(bob.page.get_by_role("heading", level=1)).to_have_text("Connect four")
    for turn, letter in enumerate("dedede" + "d"):
        page = (ann.page, bob.page)[turn % 2]
        column(page, letter)
        play(page, letter)
    for page in (ann.page, bob.page):
        expect(result_of(page)).to_contain_text("win")
        expect(page.get_by_role("group", name=WORDS["board"], exact=True)).to_be_visible()
        full = page.get_by_role("button", name="Column d, from below: red, red, red, red")
        expect(full).to_have_attribute("aria-disabled", "true")
    said = ann.page.get_by_role("log").first.locator("p").all_inner_texts()
    assert [line[-3:] for line in said if re.search(r": [a-g]$", line)] == [
        f": {letter}" for letter in "dededed"
    ]


def test_it_is_played_by_keys_alone_and_the_focus_stays_on_the_board(guests: Guests) -> None:
    page = guests().page
    page.goto(both_sides(page))
    focused = "document.activeElement.getAttribute('aria-label')"
    expect(page.get_by_role("button", name="Column a, empty")).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "Column a, empty"
    for letters in ("a", "b", "a", "b", "a", "b", "a"):
        expect(page.get_by_role("button", name=re.compile("^Column g,"))).to_have_attribute(
            "aria-disabled", "false"
        )
        now = page.evaluate(focused)
        if not now.startswith(f"Column {letters},"):
            page.keyboard.press("ArrowRight" if letters == "b" else "ArrowLeft")
        assert page.evaluate(focused).startswith(f"Column {letters},")
        before = page.evaluate(focused)
        page.keyboard.press("Enter")  # chosen
        page.keyboard.press("Enter")  # and played
        page.wait_for_function(f"(before) => {focused} !== before", arg=before)
    expect(result_of(page)).to_be_visible()
    assert page.evaluate(focused) == "Column a, from below: red, red, red, red"


def test_a_full_column_is_refused_in_words(guests: Guests) -> None:
    page = guests().page
    page.goto(both_sides(page))
    for _ in range(6):
        column(page, "c")
        play(page, "c")
    spot = page.get_by_role("button", name=re.compile("^Column c,"))
    expect(spot).to_have_accessible_name(
        "Column c, from below: red, yellow, red, yellow, red, yellow"
    )
    spot.click(force=True)
    expect(page.get_by_role("alert")).to_contain_text(WORDS["notation_none"].replace("{move}", "c"))


@pytest.mark.parametrize(
    ("locale", "word", "colours"),
    [("nl", "Kolom", "Rood"), ("de", "Spalte", "Rot"), ("fr", "Colonne", "Rouge")],
)
def test_it_speaks_the_language_of_the_page(
    guests: Guests, locale: str, word: str, colours: str
) -> None:
    page = guests(locale=locale).page
    page.goto(both_sides(page))
    column(page, "d", word)
    expect(page.get_by_role("listitem").filter(has_text=colours).first).to_be_visible()
    shown = page.locator("main").inner_text()
    assert not re.search(r"connect_four|columns|Column|Play|seat", shown), shown


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_every_window_and_has_nothing_serious_against_it(
    guests: Guests, theme: str
) -> None:
    page = guests(color_scheme=theme, viewport=DESK).page
    page.goto(both_sides(page))
    column(page, "d")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OUT) <= 1, (width, height)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert problems(page) == []
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    assert problems(page) == []
