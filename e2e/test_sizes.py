"""Every table at every size and in every language: nothing scrolls, nothing is out of sight."""

import pytest
from house import PLAYED
from playwright.sync_api import Browser, Page

SIZES = [(360, 640), (390, 844), (844, 390), (768, 1024), (1024, 768), (1280, 800), (1920, 1080)]
SMALL = [(320, 640), (640, 400)]  # a narrow phone; a desk at twice its size
LANGUAGES = ["en", "nl", "de", "fr"]
POSITIONS = {
    "carat": ("carat-middle", "carat-over"),
    "carnac": ("carnac-place", "carnac-tilt", "carnac-over"),
    "catan_dice": ("catan_dice-roll", "catan_dice-act", "catan_dice-over"),
    "kwatro": ("kwatro-play", "kwatro-over"),
}

# What is not as it should be: a page that scrolls, a place that is gone or out of the window, a
# button that something lies over or whose words are cut.
MISPLACED = """(isOver) => {
    const wrong = [];
    const page = document.documentElement;
    if (page.scrollWidth > innerWidth) wrong.push(`${page.scrollWidth - innerWidth} too wide`);
    if (page.scrollHeight > innerHeight) wrong.push(`${page.scrollHeight - innerHeight} too high`);
    const isIn = ({ left, top, right, bottom }) =>
        left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
    for (const place of isOver ? ['board'] : ['board', 'strip', 'hand', 'confirm']) {
        const part = document.querySelector(`[data-place="${place}"]`);
        if (isOver) part?.scrollIntoView({ block: 'end' }); // upright the result comes first
        const box = part?.getBoundingClientRect();
        const isSeen = box && Math.min(box.width, box.height) >= 40 && isIn(box);
        if (!isSeen) wrong.push(`${place} out of sight`);
    }
    const board = document.querySelector('[data-place="board"] svg, [data-place="board"] > *');
    const { width, height } = board.getBoundingClientRect();
    if (Math.min(width, height) < 150) wrong.push(`board of ${width} × ${height}`);
    for (const button of document.querySelectorAll('[data-place="confirm"] button')) {
        if (!button.checkVisibility()) continue;
        const box = button.getBoundingClientRect();
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const name = button.getAttribute('aria-label') ?? button.textContent;
        if (!button.contains(hit)) wrong.push(`${name} is covered`);
        if (button.scrollWidth > button.clientWidth + 1) wrong.push(`${name} is cut`);
    }
    return wrong;
}"""


def misplaced(page: Page, show: str, sizes: list[tuple[int, int]]) -> dict[str, list[str]]:
    """What is wrong with a position at each size."""
    page.goto(f"/specimen.html?show={show}")
    page.wait_for_selector("[data-place=board]")
    found = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        wrong = page.evaluate(MISPLACED, show.endswith("-over"))
        if wrong:
            found[f"{show} {width}x{height}"] = wrong
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PLAYED)
def test_board_hand_and_confirm_are_in_sight_at_every_size(
    browser: Browser, base_url: str, game: str, language: str
) -> None:
    context = browser.new_context(base_url=base_url, locale=language, reduced_motion="reduce")
    page = context.new_page()
    found: dict[str, list[str]] = {}
    for show in POSITIONS[game]:
        found |= misplaced(page, show, SIZES + SMALL)
    context.close()
    assert found == {}
