"""Draws the pictures of the README and the docs: real matches, renders, an arena's plot, the page.

`PYTHONPATH=. python tools/pictures.py page` draws the page alone: every screen and board at two
widths and in both themes into .cache/pictures, and those that the README shows into docs/pictures.
With `boards` it draws the boards that the rules show, the README's film, and what environments
render.
"""

import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from examples.connect_four import GAME as CONNECT_FOUR
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import kwartet
import web
from kwartet.core.film import film, stops
from kwartet.core.scene import Look, as_svg, scene, tall
from kwartet.envs.pettingzoo import env
from kwartet.games import register
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
    **{f"{kind}-{key}": [] for kind in ("learn", "first") for key in kwartet.GAMES},
    "carat-start": [],
    "carat-middle": ["[data-cell=b3]", "r"],
    "carat-pairs": [],
    "carat-over": [],
    "carnac-start": [],
    "carnac-place": ["[data-cell=k6]"],
    "carnac-tilt": ["ArrowLeft"],
    "carnac-medium": ["v", "[data-cell=e6]"],
    "carnac-over": [],
    "catan_dice-start": ["3", "4"],
    "catan_dice-alone": [],
    "catan_dice-done": [],
    "catan_dice-roll": ["1", "2"],
    "catan_dice-act": ["[data-site=S3]"],
    "catan_dice-over": [],
    "kwatro-start": ["1"],
    "kwatro-swap": ["1"],
    "kwatro-play": ["2"],
    "kwatro-big": [],
    "kwatro-full": ["1"],
    "kwatro-over": [],
}
SHOWN = {
    "home": "light",
    "carat-middle": "light",
    "carnac-medium": "dark",
    "catan_dice-act": "light",
    "kwatro-play": "dark",
}


BOARDS: dict[str, tuple[int, int, dict[str, Any]]] = {  # a seed, decisions, and options
    "carat": (3, 25, {"players": 4}),
    "carnac": (11, 37, {"board": "medium"}),
    "catan_dice": (5, 118, {"players": 2}),
    "kwatro": (8, 44, {"players": 3}),
}
NAMES = ("Marta", "Ines", "Jonas", "Elin")


def draw_boards() -> None:
    """A position of each game for its rules, played by bots, as `kwartet draw` draws it."""
    for key, (seed, decisions, options) in BOARDS.items():
        match = kwartet.new(key, seed=seed, **options)
        bot = kwartet.bot("greedy", seed=seed)
        for _ in range(decisions):
            match.play(bot.choose(match))
        look = Look(names=NAMES[: match.seats])
        (PICTURES / f"{key}.svg").write_text(as_svg(tall(scene(match, look)), look))


def draw_film() -> None:
    """The README's match, as `kwartet film` films it."""
    match = kwartet.new("carnac", board="small", seed=3)
    bots = [kwartet.bot("skilled", seed=seed) for seed in (1, 2)]
    while match.actor is not None:
        match.play(bots[match.actor].choose(match))
    look = Look(names=NAMES[:2], longest=560)
    (PICTURES / "carnac.gif").write_bytes(film(match, look, stops(match), seconds=0.8))


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


def draw_renders() -> None:
    """What the environments render, side by side, after some random decisions."""
    register(CONNECT_FOUR)
    tables: list[tuple[str, int, dict[str, Any]]] = [
        ("carat", 14, {"players": 3}),
        ("carnac", 24, {}),
        ("kwatro", 30, {}),
        ("connect_four", 14, {}),
        ("catan_dice", 70, {"players": 2}),
    ]
    gap = 12
    images = []
    for key, plies, options in tables:
        table = env(key, render_mode="rgb_array", **options)
        table.reset(seed=3)
        luck = random.Random(1)
        for _ in range(plies):
            mask = table.observe(table.agent_selection)["action_mask"]
            table.step(luck.choice(mask.nonzero()[0].tolist()))
        images.append(Image.fromarray(np.asarray(table.render())))
    rows = [images[:3], images[3:]]
    width = max(sum(image.width + gap for image in row) for row in rows) - gap
    height = sum(max(image.height for image in row) + gap for row in rows) - gap
    sheet = Image.new("RGB", (width, height), "#ffffff")
    y = 0
    for row in rows:
        x = 0
        for image in row:
            sheet.paste(image, (x, y))
            x += image.width + gap
        y += max(image.height for image in row) + gap
    sheet.quantize(128).save(PICTURES / "renders.png", optimize=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["page"]:
        draw_page()
        sys.exit()
    draw_renders()
    draw_boards()
    draw_film()
    if sys.argv[1:] == ["boards"]:
        sys.exit()
    draw_arena()
    draw_page()
