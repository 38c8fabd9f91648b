"""What a library costs before it does anything: its size, and how long a start takes."""

import os
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement

ROOTS: Final = {
    "Kwartet": "kwartet",
    "OpenSpiel": "open_spiel",
    "PettingZoo": "pettingzoo",
    "pgx": "pgx",
}
OPTIONAL: Final = ("scipy",)  # that libraries import only where somebody else has installed it
STARTS: Final = {
    "Kwartet": """
from examples.connect_four import GAME
from kwartet.core.position import Position
Position(GAME).apply(3)
""",
    "OpenSpiel": """
import pyspiel
pyspiel.load_game("connect_four").new_initial_state().apply_action(3)
""",
    "PettingZoo": """
from pettingzoo.classic import connect_four_v3
env = connect_four_v3.raw_env()
env.reset()
env.step(3)
""",
    "pgx": """
import jax, pgx
env = pgx.make("connect_four")
state = jax.jit(env.init)(jax.random.PRNGKey(0))
jax.jit(env.step)(state, 3).observation.block_until_ready()
""",
}


def closure(name: str) -> set[str]:
    """A distribution and all that it needs here."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        each = waiting.pop().lower().replace("_", "-")
        if each in found:
            continue
        try:
            needed = distribution(each).requires or []
        except PackageNotFoundError:  # for another system or Python
            continue
        found.add(each)
        for text in needed:
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    return found


def megabytes(name: str) -> float:
    """Of all files of the distribution and of what it needs."""
    total = 0
    for each in closure(name):
        for file in distribution(each).files or []:
            path = Path(str(file.locate()))
            total += path.stat().st_size if path.is_file() else 0
    return total / 1e6


def start_seconds(name: str, rounds: int, **environment: str) -> float:
    """From nothing to the first disc, in a process of its own: CPU seconds, the median.

    What only other libraries need is hidden, as if this one had been installed alone.
    """
    alone = "".join(
        f"sys.modules[{package!r}] = None\n"
        for package in OPTIONAL
        if package not in closure(ROOTS[name])
    )
    taken = []
    for _ in range(rounds):
        before = os.times()
        subprocess.run(
            [sys.executable, "-c", f"import sys\n{alone}{STARTS[name]}"],
            check=True,
            env=os.environ | environment,
        )
        after = os.times()
        taken.append(
            after.children_user
            - before.children_user
            + after.children_system
            - before.children_system
        )
    return statistics.median(taken)


def measure(rounds: int) -> list[dict[str, Any]]:
    """By library: installed MB, the first start ever and later ones."""
    rows = []
    for name, root in ROOTS.items():
        rows.append(
            {"library": name, "megabytes": megabytes(root), "start": start_seconds(name, rounds)}
        )
    with tempfile.TemporaryDirectory() as cache:
        rows[0]["first_start"] = start_seconds("Kwartet", 1, KWARTET_CACHE=cache)
    return rows
