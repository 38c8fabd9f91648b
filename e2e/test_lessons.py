"""The introductions: rules beside their boards, and every first match played to its end."""

import re
from collections.abc import Callable

import pytest
from conftest import Guests
from house import DESK, PHONE, WORDS, problems, tab_to
from playwright.sync_api import Page, expect

import lessons

SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
GAMES = pytest.mark.parametrize("game", lessons.LESSONS)
BOT = {"kind": "bot", "level": "novice"}
FACES = dict(zip("ogwtb$", ("ore", "grain", "wool", "timber", "brick", "gold"), strict=True))
STYLES = ("rw", "rr", "ww", "wr")  # in the order of the chooser
COLOURS = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
SHAPES = {"S": "square", "C": "circle", "T": "triangle", "X": "cross"}


def _carat(page: Page, move: str) -> None:
    """The tile put on its cell; turned and tried again for as long as it lies wrong."""
    before = page.url
    page.locator(f"[data-cell={move[:2]}]").click()
    for _ in move[4:]:
        page.get_by_role("button", name=f"Place on {move[:2]}").click()
        page.wait_for_function(ANSWERED, arg=before)
        if page.url != before:
            return
        page.keyboard.press("r")


ANSWERED = "before => location.href !== before || document.querySelector('.coach .notice')"


def _carnac(page: Page, move: str) -> None:
    if move == "stand" or move.startswith("tilt"):
        at = "NESW".find(move[-1])
        name = ("North", "East", "South", "West", "Leave")[at]
        tilts = page.get_by_role("radiogroup", name="Tilt")
        tilts.get_by_role("radio", name=re.compile(name, re.IGNORECASE)).click()
        page.get_by_role("button", name=re.compile("^(Tilt|Leave it)")).click()
        return
    stones = page.get_by_role("radiogroup", name="Stone").get_by_role("radio")
    stones.nth(STYLES.index(move[2:])).click()
    page.locator(f"[data-cell={move[:2]}]").click()
    page.get_by_role("button", name=f"Raise on {move[:2]}").click()


def _catan_dice(page: Page, move: str) -> None:
    verb, *parts = move.split()
    if verb == "keep":
        _keep(page, parts[0] if parts else "")
        page.get_by_role("button", name=re.compile("^Roll")).click()
    elif verb in ("stop", "end"):
        page.get_by_role("button", name=re.compile("^(Stop|End)")).click()
    else:
        if verb == "trade":
            page.get_by_role("button", name=f"Trade 2 gold for {FACES[parts[0]]}").click()
        elif verb == "joker":
            page.locator(f"button[data-joker='{parts[0]}']").click()
            page.get_by_role("button", name=re.compile(f"^Die .: {FACES[parts[1]]}")).first.click()
        else:
            page.locator(f"[data-site={verb}]").click()
        confirm = page.locator("[data-place=confirm]")
        confirm.get_by_role("button", name=re.compile("^(Build|Trade|Turn)")).click()


def _keep(page: Page, faces: str) -> None:
    wanted = [FACES[face] for face in faces]
    for die in page.get_by_role("button", name=re.compile("^Die ")).all():
        label = die.get_attribute("aria-label") or ""
        face = next((face for face in wanted if face in label), None)
        if face:
            wanted.remove(face)
        if (face is not None) != ("kept" in label):
            die.click()


def _kwatro(page: Page, move: str) -> None:
    if move == "done":
        page.get_by_role("button", name=re.compile("^Play for")).click()
        return
    card, cell = move.removeprefix("swap ").split("@")
    name = "joker" if card == "J" else f"{COLOURS[card[0]]} {SHAPES[card[1]]} {card[2]}"
    hand = page.get_by_role("group", name=WORDS["kwatro_hand"])
    hand.get_by_role("button", name=re.compile(f"^{name}")).click()
    page.locator(f"[data-cell='{cell}']").click()


BY_HAND: dict[str, Callable[[Page, str], None]] = {
    "carat": _carat,
    "carnac": _carnac,
    "catan_dice": _catan_dice,
    "kwatro": _kwatro,
}


WRONG = {
    "carat": ("b2=5RGYB", "any of the sixteen inner cells"),
    "carnac": ("d3rr", "let us begin on c3"),
    "catan_dice": ("stop", "The brick is missing"),
    "kwatro": ("RC3@1,0", "begin with the blue square 3"),
}


def _refuse(page: Page, game: str) -> None:
    """A move that is legal but not asked for, twice; the second time it is said again."""
    move, reason = WRONG[game]
    for _ in range(2):
        if game == "carat":
            page.locator(f"[data-cell={move[:2]}]").click()
            page.get_by_role("button", name="Place on b2").click()
        else:
            BY_HAND[game](page, move)
        expect(page.get_by_role("alert")).to_contain_text(reason)
        page.keyboard.press("Escape")
    assert page.url.endswith("/first")


@GAMES
@SIZES
def test_the_rules_have_boards_and_no_serious_problem(
    guests: Guests, size: dict[str, int], game: str
) -> None:
    scheme = "dark" if size is PHONE else "light"
    page = guests(viewport=size, color_scheme=scheme).page
    page.goto(f"/learn/{game}")
    parts = page.locator(".part")
    expect(parts).to_have_count(len(lessons.LESSONS[game]()["sections"]))
    expect(parts.locator(".part-table :is(svg[role=group])")).to_have_count(parts.count())
    assert problems(page) == []
    page.get_by_role("button", name="From the beginning").first.click()
    expect(page.get_by_role("button", name="Next picture")).to_have_count(1)
    assert problems(page) == []


@GAMES
@SIZES
def test_a_first_match_is_played_to_its_end(
    guests: Guests, size: dict[str, int], game: str
) -> None:
    steps = lessons.LESSONS[game]()["steps"]
    scheme = "dark" if size is PHONE else "light"
    page = guests(viewport=size, color_scheme=scheme).page
    page.goto(f"/learn/{game}")
    page.get_by_role("link", name="Try it yourself").first.click()
    expect(page.locator(".coach")).to_be_visible()
    _refuse(page, game)
    assert problems(page) == []
    at = 0
    while (step := steps[at]).get("next", 0) is not None:
        before = page.url
        if "right" in step:
            BY_HAND[game](page, next(iter(step["right"])))
        else:
            page.get_by_role("button", name="Go on").click()
        page.wait_for_function("before => location.href !== before", arg=before)
        at = int(page.url.split("#")[1])
        if at == 2:
            page.reload()
            expect(page.get_by_text(f"Step {steps[at]['beat'] + 1} of")).to_be_visible()
    assert problems(page) == []
    page.get_by_role("button", name="Play against the novice").click()
    page.wait_for_url(re.compile("/table/"))
    page.go_back()
    expect(page.locator(".coach-tips")).to_be_visible()


def test_keys_alone_play_a_first_match(guests: Guests) -> None:
    page = guests().page
    page.goto("/learn/carnac/first")
    expect(page.locator(".coach")).to_be_visible()
    steps = lessons.LESSONS["carnac"]()["steps"]
    at = 0
    while (step := steps[at]).get("next", 0) is not None:
        before = page.url
        if "right" in step:
            tab_to(page, "[aria-label='Show me']")
            page.keyboard.press("Enter")
            tab_to(page, ".controls-end .btn-main")
        expect(page.locator(".controls-end .btn-main")).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_function("before => location.href !== before", arg=before)
        at = int(page.url.split("#")[1])
    expect(page.get_by_role("button", name="Play against the novice")).to_be_focused()


def test_the_rules_are_a_click_away_everywhere(guests: Guests) -> None:
    ann = guests()
    for address, place in (("/", "[data-game=carnac]"), ("/new/carnac", "main")):
        ann.page.goto(address)
        ann.page.locator(place).get_by_role("link", name="How to play").click()
        expect(ann.page.get_by_role("heading", name="How to play Carnac")).to_be_visible()
        ann.page.go_back()
        assert ann.page.url.endswith(address)
    table = ann.open_table("carnac", options={"board": "small"}, seats=[{"kind": "me"}, BOT])
    ann.page.goto(table)
    ann.page.get_by_role("link", name="How to play").click()
    expect(ann.page.get_by_role("heading", name="How to play Carnac")).to_be_visible()
    ann.page.go_back()
    expect(ann.page.locator(".carnac-board")).to_be_visible()


def test_there_is_no_introduction_to_an_unknown_game(guests: Guests) -> None:
    page = guests().page
    page.goto("/learn/chess")
    expect(page.get_by_role("heading", name="There is nothing here.")).to_be_visible()
