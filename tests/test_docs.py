"""The documentation: every link leads somewhere, nothing is fetched from elsewhere.

The Markdown is read as it lies in the repository, the site as `make docs` built it.
"""

import importlib
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

import diagrams
from kwartet.server.app import HELP
from lessons import LESSONS

ROOT = Path(__file__).parents[1]
SOURCES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)|<img [^>]*src=\"([^\"]+)\"")
LINKED = ("href", "src")
MODULES = ["", "arena", "bots", "envs", "learning", "reviews", "store"]
RULES = {language: ROOT / "docs/rules" / language for language in ("en", "nl", "de", "fr")}
ELSEWHERE = ("http:", "https:", "mailto:", "//")


class Page(HTMLParser):
    """What a built page links to, offers as anchors, loads, and has inside it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors = {""}
        self.loaded: list[str] = []
        self.inside: list[str] = []  # what the server's policy forbids
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.anchors |= {told[name] for name in ("id", "name") if name in told}
        found = [told[name] for name in LINKED if name in told]
        (self.links if tag == "a" else self.loaded).extend(found)
        if "style" in told or tag == "style" or (tag == "script" and "src" not in told):
            self.inside.append(self.get_starttag_text() or tag)
        if any(name.startswith("on") for name in told):
            self.inside.append(self.get_starttag_text() or tag)


@cache
def page(file: Path) -> Page:
    return Page(file.read_text(encoding="utf-8"))


@cache
def headings(file: Path) -> set[str]:
    """The anchors that a forge and the site give the headings of a Markdown file."""
    text = re.sub(r"^(`{3,}).*?^\1", "", file.read_text(encoding="utf-8"), flags=re.S | re.M)
    titles = re.findall(r"^#+ +(.+?) *$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_the_sources_leads_to_a_file_and_its_heading(source: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", source.read_text(encoding="utf-8"))
    for found in LINK.findall(text):
        link = "".join(found)
        if link.startswith(ELSEWHERE):
            continue
        path, anchor = urldefrag(link)
        target = (source.parent / unquote(path)).resolve() if path else source
        assert target.exists(), link
        assert not anchor or anchor in headings(target), link


def built() -> list[Path]:
    pages = sorted(HELP.rglob("*.html"))
    assert pages, "Run `make docs` first."
    return pages


def test_every_source_is_a_page_of_the_site() -> None:
    names = {file.relative_to(HELP).with_suffix("").as_posix() for file in built()}
    sources = (ROOT / "docs").rglob("*.md")
    assert {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in sources} <= names


def test_every_link_of_the_site_leads_to_a_file_and_its_anchor() -> None:
    for file in built():
        for link in [*page(file).links, *page(file).loaded]:
            if link.startswith((*ELSEWHERE, "data:")):
                continue
            path, anchor = urldefrag(link.partition("?")[0])
            target = (file.parent / unquote(path)).resolve() if path else file
            assert target.is_file(), (file.name, link)
            assert target.is_relative_to(HELP), (file.name, link)
            if target.suffix == ".html":
                assert unquote(anchor) in page(target).anchors, (file.name, link)


def test_the_site_loads_nothing_from_elsewhere_and_has_nothing_that_a_strict_server_forbids() -> (
    None
):
    for file in built():
        assert not [link for link in page(file).loaded if link.startswith(ELSEWHERE)], file.name
        assert page(file).inside == [], file.name
    for sheet in HELP.rglob("*.css"):
        assert not re.search(r"@import|url\(['\"]?(?:https?:)?//", sheet.read_text()), sheet.name


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_stands_in_the_reference(module: str) -> None:
    name = f"kwartet.{module}".rstrip(".")
    names = importlib.import_module(name).__all__
    anchors = page(HELP / f"reference/{module or 'kwartet'}.html").anchors
    missing = [each for each in names if f"{name}.{each}" not in anchors]
    assert [each for each in missing if f"module-{name}.{each}" not in anchors] == []


def test_a_field_is_told_by_the_comment_behind_it() -> None:
    text = (HELP / "reference/bots.html").read_text(encoding="utf-8")
    assert "Of the simulations; of a solution, 1.0 for the best move." in text


@pytest.mark.parametrize("game", LESSONS)
def test_the_rules_say_the_same_in_every_language(game: str) -> None:
    texts = [(folder / f"{game}.md").read_text(encoding="utf-8") for folder in RULES.values()]
    for shape in (r"\]\((\S+svg)\)", r"(?m)^(#+|\||- |\d\.)", r"`[^`]+`"):
        english, *others = [re.findall(shape, text) for text in texts]
        assert all(found == english for found in others), shape


def test_the_pictures_are_what_the_software_draws() -> None:
    for path, text in diagrams.drawn():
        assert path.read_text(encoding="utf-8") == text, f"python tools/diagrams.py: {path.name}"


def test_the_readme_is_short_and_its_film_is_small() -> None:
    assert len((ROOT / "README.md").read_text().split()) < 600
    assert (ROOT / "docs/pictures/carnac.gif").stat().st_size < 1_500_000
