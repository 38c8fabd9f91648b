"""Draws the pictures of the README and the docs: real matches, an arena's plot, the page.

`python tools/pictures.py page` draws the page alone: every screen and board at two widths and
in both themes into .cache/pictures, and those that the README shows into docs/pictures.
"""

import io
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console

import kwartet
import web
from kwartet.cli.play import picture
from serving import serve

PICTURES = Path(__file__).parents[1] / "docs/pictures"
LOOKED_AT = Path(__file__).parents[1] / ".cache/pictures"
SIZES = {1280: 800, 360: 780}
THEMES = ("light", "dark")
# Specimens, and what to do there before the picture: cells to click, keys to press.
SHOTS: dict[str, list[str]] = {
    "home": [],
    "new": [],
    "settings": [],
    "profile": [],
    "account": [],
    "missing": [],
    "waiting": [],
    "cover": [],
    "carat-start": [],
    "carat-middle": ["[data-cell=b3]", "r"],
    "carat-pairs": [],
    "carat-over": [],
    "carnac-start": [],
    "carnac-place": ["[data-cell=k6]"],
    "carnac-tilt": ["ArrowLeft"],
    "carnac-medium": [".eye button >> nth=1", "[data-cell=e6]"],
    "carnac-over": [],
}
SHOWN = {"home": "light", "carat-middle": "light", "carnac-medium": "dark"}


def draw(key: str, plies: int, seed: int, **options: object) -> None:
    """A match after so many random decisions, as seat 0 sees it."""
    luck = random.Random(seed)
    match = kwartet.new(key, seed=seed, **options)  # type: ignore[arg-type]
    for _ in range(plies):
        match.play(luck.choice(match.legal()))
    while match.actor != 0:
        match.play(luck.choice(match.legal()))
    console = Console(record=True, width=84, file=io.StringIO())
    console.print(picture(match, 0))
    console.print("[bold]Seat 0, your move:[/] ? " + match.legal()[0][:2])
    svg = console.export_svg(title=f"kwartet play {key}")
    without_foreign_fonts = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.S)
    (PICTURES / f"{key}.svg").write_text(without_foreign_fonts)


def draw_arena() -> None:
    """The plot of the arena in docs/arena.md, with the bot that is printed there."""
    page = (PICTURES.parent / "arena.md").read_text()
    source = page.split("```python\n")[1].split("```")[0]
    arguments = "arena carnac -o board=small --bots random,greedy,mybots:First --games 100"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "mybots.py").write_text(source)
        command = [sys.executable, "-m", "kwartet.cli", *arguments.split()]
        subprocess.run(command, cwd=folder, check=True)
        shutil.copy(Path(folder) / "arena-carnac-0/plot.svg", PICTURES / "arena.svg")


def draw_page() -> None:
    """Every specimen at every size in every theme."""
    LOOKED_AT.mkdir(parents=True, exist_ok=True)
    with serve(web.SPECIMEN) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**web.browser_launch())
        for show in SHOTS:
            for width in SIZES:
                for theme in THEMES:
                    shoot(browser, f"{address}/specimen.html", show, width, theme)
        browser.close()
    for show, theme in SHOWN.items():
        shutil.copy(LOOKED_AT / f"{show}-1280-{theme}.png", PICTURES / f"page-{show}.png")


def shoot(browser: Browser, address: str, show: str, width: int, theme: str) -> None:
    """One picture."""
    page = browser.new_page(
        viewport={"width": width, "height": SIZES[width]}, reduced_motion="reduce"
    )
    page.goto(f"{address}?show={show}&theme={theme}")
    page.wait_for_load_state("networkidle")
    for step in SHOTS[show]:
        if step[0] in "[.":
            page.locator(step).first.click()
        else:
            page.keyboard.press(step)
    page.mouse.move(0, 0)
    page.screenshot(path=LOOKED_AT / f"{show}-{width}-{theme}.png")
    page.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["page"]:
        draw_page()
        sys.exit()
    draw("carnac", 34, 11, board="medium")
    draw("carat", 22, 3, players=3)
    draw("kwatro", 40, 8)
    draw("catan_dice", 60, 5, players=2)
    draw_arena()
    draw_page()
