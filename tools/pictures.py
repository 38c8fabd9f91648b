"""Draws the pictures of the README and the docs: real matches, renders, and an arena's plot."""

import io
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from examples.connect_four import GAME as CONNECT_FOUR
from PIL import Image
from rich.console import Console

import kwartet
from kwartet.cli.play import picture
from kwartet.envs.pettingzoo import env
from kwartet.games import register

PICTURES = Path(__file__).parents[1] / "docs/pictures"


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
    places = [(0, 0), (422, 0), (984, 0), (744, 563), (0, 563)]
    sheet = Image.new("RGB", (1388, 1016), "#ffffff")
    for (key, plies, options), place in zip(tables, places, strict=True):
        table = env(key, render_mode="rgb_array", **options)
        table.reset(seed=3)
        luck = random.Random(1)
        for _ in range(plies):
            mask = table.observe(table.agent_selection)["action_mask"]
            table.step(luck.choice(mask.nonzero()[0].tolist()))
        sheet.paste(Image.fromarray(np.asarray(table.render())), place)
    sheet.quantize(128).save(PICTURES / "renders.png", optimize=True)


if __name__ == "__main__":
    draw_renders()
    draw("carnac", 34, 11, board="medium")
    draw("carat", 22, 3, players=3)
    draw("kwatro", 40, 8)
    draw("catan_dice", 60, 5, players=2)
    draw_arena()
