"""Every screen in every language: nothing cut off, nothing left in another language."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import pytest
from conftest import Guests
from house import DESK, PHONE
from playwright.sync_api import Browser, Page, expect

import lessons
import web

LANGUAGES: Final = ("en", "nl", "de", "fr")
SCREENS: Final = (
    *("home", "choose", "new", "settings", "profile", "account"),
    *("missing", "waiting", "cover"),
)
# Positions, and what to do there first: cells to click, keys to press.
TABLES: Final[dict[str, list[str]]] = {
    "carat-middle": ["[data-cell=b3]"],
    "carat-pairs": [],
    "carat-over": [],
    "carnac-start": [],
    "carnac-place": ["[data-cell=k6]"],
    "carnac-tilt": ["ArrowLeft"],
    "carnac-over": [],
    "catan_dice-alone": [],
    "catan_dice-roll": ["1", "2"],
    "catan_dice-act": ["[data-site=S3]"],
    "catan_dice-over": [],
    "kwatro-start": ["1"],
    "kwatro-swap": ["1"],
    "kwatro-play": ["2"],
    "kwatro-over": [],
}
ADDRESSES: Final = (
    "/",
    "/new?friend",
    *(f"/new/{game}" for game in lessons.LESSONS),
    *(f"/learn/{game}" for game in lessons.LESSONS),
    "/settings",
    "/profile",
    "/player/bot:novice",
    "/account",
    "/ratings/carat",
    "/claim#secret",
    "/table/nowhere",
    "/nowhere",
)

# Text that a box cuts off, or that sticks out of the page; an ellipsis is on purpose.
CUT: Final = """() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const own = node.parentElement;
        if (!node.data.trim() || own.closest('svg, .hidden, option')) continue;
        if (!own.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
        if (!rects.length) continue;
        const left = Math.min(...rects.map((rect) => rect.left));
        const right = Math.max(...rects.map((rect) => rect.right));
        const top = Math.min(...rects.map((rect) => rect.top));
        const bottom = Math.max(...rects.map((rect) => rect.bottom));
        const told = (why) => found.push(`${why}: ${node.data.trim()} <${own.className}>`);
        let isFree = true;
        for (let box = own; box; box = box.parentElement) {
            const style = getComputedStyle(box);
            if (style.clipPath !== 'none') { // for the ear only
                isFree = false;
                break;
            }
            const edge = box.getBoundingClientRect();
            const button = box.matches('button, label, select');
            const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
            if (scrolls || style.textOverflow === 'ellipsis') {
                isFree = false;
                break;
            }
            const clips = /hidden|clip/.test(style.overflowX + style.overflowY);
            const wide = left < edge.left - 1 || right > edge.right + 1;
            const high = top < edge.top - 3 || bottom > edge.bottom + 3;
            if ((clips || button) && (wide || (clips && high))) {
                told(`cut by .${box.className}`);
                break;
            }
        }
        if (isFree && right > innerWidth + 1) told('outside');
    }
    for (const button of document.querySelectorAll(':is(form, dialog) button')) {
        const [own, around] = [button, button.closest('form, dialog')].map((box) =>
            box.getBoundingClientRect());
        if (!button.checkVisibility()) continue;
        if (own.right > around.right + 1) found.push(`sticks out: ${button.textContent.trim()}`);
    }
    return found;
}"""
# All that is read: text, names, hints.
READ: Final = """() => {
    const said = [document.title];
    for (const element of document.querySelectorAll('body *')) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
            if (element.getAttribute(name) && (name !== 'placeholder' || element.translate))
                said.push(element.getAttribute(name)); // notation is the same in all languages
        for (const child of element.childNodes)
            if (child.nodeType === 3 && !element.closest('body [lang], code, kbd, .brand'))
                said.push(child.data);
    }
    return said.map((text) => text.trim().replace(/[ \\n]+/g, ' ')).filter(Boolean);
}"""
ENGLISH: Final = re.compile(
    r"\b(the|and|your|you|with|turn|seat|card|stone|tile|road|played|move|moves|bot would)\b",
    re.I,
)


def _patterns(language: str) -> set[re.Pattern[str]]:
    """What the catalogue can say, with anything where something is put in."""
    catalogue = web.catalogue(language)
    texts = {
        text
        for message in catalogue.values()
        for text in ([message] if isinstance(message, str) else message[0]["match"].values())
    }
    worded = {text for text in texts if re.search(r"[^\W\d_]{3}", re.sub(r"\{\w+\}", "", text))}
    return {
        re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)), re.S) for text in sorted(worded)
    }


PATTERNS: Final = {language: _patterns(language) for language in LANGUAGES}


def foreign(page: Page, language: str) -> list[str]:
    """What is said in English and not in the language."""
    if language == "en":
        return []
    parts = {part for text in page.evaluate(READ) for part in text.split(" · ")}
    return sorted(part for part in parts if _is_foreign(part, language))


@cache  # most of what is said is said on many screens
def _is_foreign(part: str, language: str) -> bool:
    return bool(ENGLISH.search(part)) or (
        any(pattern.fullmatch(part) for pattern in PATTERNS["en"])
        and not any(pattern.fullmatch(part) for pattern in PATTERNS[language])
    )


def check(page: Page, language: str) -> None:
    """The page as it is now."""
    assert page.evaluate("document.documentElement.lang") == language
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate(CUT) == []
    assert foreign(page, language) == []


@pytest.fixture(scope="module", params=LANGUAGES)
def phone(request: pytest.FixtureRequest, browser: Browser, base_url: str) -> Iterator[Page]:
    """A phone set to one of the languages, at the specimens."""
    context = browser.new_context(locale=request.param, reduced_motion="reduce", base_url=base_url)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("show", [*SCREENS, *TABLES])
def test_a_specimen_is_whole_and_in_one_language(phone: Page, show: str) -> None:
    phone.set_viewport_size(PHONE)  # type: ignore[arg-type]
    phone.goto(f"/specimen.html?show={show}")
    phone.wait_for_selector("h1")
    language = phone.evaluate("navigator.language")
    for step in TABLES.get(show, []):
        if step[0] == "[":
            phone.locator(step).first.click()
        else:
            phone.keyboard.press(step)
    check(phone, language)
    for tab in range(1, phone.locator(".tabs button").count()):
        phone.locator(".tabs button").nth(tab).click()
        if phone.locator("details.words").is_visible():
            phone.locator("details.words summary").click()
        check(phone, language)
    phone.set_viewport_size(DESK)  # type: ignore[arg-type]
    assert phone.evaluate(CUT) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_is_whole_and_in_one_language(guests: Guests, language: str) -> None:
    guest = guests(viewport=PHONE, locale=language)
    guest.expected = "404|403"  # the table that is nowhere
    for address in ADDRESSES:
        guest.page.goto(address)
        expect(guest.page.get_by_role("heading", level=1)).to_be_visible()
        check(guest.page, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", lessons.LESSONS)
def test_a_first_match_is_whole_and_in_one_language(
    guests: Guests, language: str, game: str
) -> None:
    page = guests(viewport=PHONE, locale=language).page
    steps = lessons.LESSONS[game]()["steps"]
    for at in {step["beat"]: at for at, step in enumerate(steps)}.values():
        page.goto(f"/learn/{game}/first#{at}")
        page.reload()
        expect(page.locator(".coach").first).to_be_visible()
        check(page, language)


def _refused(page: Page, words: dict[str, Any]) -> None:
    page.goto("/new/catan_dice")
    page.get_by_role("checkbox").last.check()  # rated, though nobody else plays
    page.get_by_role("button", name=words["new_open"]).click()
    expect(page.get_by_role("alert")).to_be_visible()


def _resigned(page: Page, words: dict[str, Any]) -> None:
    page.goto("/")
    carnac = page.get_by_role("article", name=words["carnac_title"])
    carnac.get_by_role("button", name=words["home_play_bot"]).click()
    page.get_by_role("button", name=words["more_actions"]).click()
    page.get_by_role("button", name=words["resign"]).click()
    check(page, page.evaluate("document.documentElement.lang"))
    page.get_by_role("dialog").get_by_role("button", name=words["resign"]).click()
    expect(page.get_by_role("region", name=words["result"])).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("stage", [_refused, _resigned])
def test_what_the_server_answers_is_in_the_language(
    guests: Guests, language: str, stage: Callable[[Page, dict[str, Any]], None]
) -> None:
    guest = guests(viewport=PHONE, locale=language)
    guest.expected = "400"
    stage(guest.page, web.catalogue(language))
    check(guest.page, language)


def test_a_language_is_chosen_kept_and_left_to_the_browser_again(guests: Guests) -> None:
    german, french = web.catalogue("de"), web.catalogue("fr")
    page = guests(locale="de-AT").page
    page.goto("/settings")
    browser = page.get_by_role("button", name=german["language_browser"])
    expect(browser).to_have_attribute("aria-pressed", "true")
    page.get_by_role("group", name=german["settings_language"]).get_by_text("Français").click()
    expect(page.get_by_role("heading", name=french["settings_title"])).to_be_visible()
    assert _started_in(page) == ["fr"]
    page.goto("/")
    expect(page.get_by_role("heading", name=french["home_title"])).to_be_visible()
    page.goto("/settings")
    page.get_by_role("button", name=french["language_browser"]).click()
    expect(page.get_by_role("heading", name=german["settings_title"])).to_be_visible()
    assert page.evaluate("localStorage.getItem('language')") is None


def test_keys_go_through_the_languages_and_only_enter_chooses(guests: Guests) -> None:
    english, german = web.catalogue("en"), web.catalogue("de")
    page = guests().page
    page.goto("/")
    page.evaluate("window.isSame = true")
    page.get_by_role("button", name=english["settings_language"]).press("Enter")
    expect(page.get_by_role("menuitemradio", name=english["language_browser"])).to_be_focused()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitemradio", name="Deutsch")).to_be_focused()
    assert page.evaluate("window.isSame")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=german["home_title"])).to_be_visible()


def _started_in(page: Page) -> Any:
    """The languages that the page said it was in while its first screens were drawn."""
    page.add_init_script(
        """window.languages = new Set();
        new MutationObserver(() => {
            if (document.querySelector('#page')?.textContent.trim())
                window.languages.add(document.documentElement.lang);
        }).observe(document, { subtree: true, childList: true, attributes: true });"""
    )
    page.reload()
    page.get_by_role("heading").first.wait_for()
    return page.evaluate("[...window.languages]")
