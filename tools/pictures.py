"""Draws the pictures of the README and the docs: real matches, and an arena's plot."""

import io
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

import kwartet
from kwartet.cli.play import picture

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


if __name__ == "__main__":
    draw("carnac", 34, 11, board="medium")
    draw("carat", 22, 3, players=3)
    draw("kwatro", 40, 8)
    draw("catan_dice", 60, 5, players=2)
    draw_arena()
