"""`kwartet bench`: uniform random games a CPU-second, and how threads scale."""

import os
import platform
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from kwartet.cli.terminal import AsJson, console, option_text, prepare, print_json, progress
from kwartet.core.game import Game
from kwartet.games import GAMES, find


def run(
    games: Annotated[list[str] | None, typer.Argument(help="Which; all if none is named.")] = None,
    rounds: Annotated[int, typer.Option(min=1, max=1000, help="Interleaved repetitions.")] = 7,
    seconds: Annotated[float, typer.Option(min=0.01, max=60, help="Of each measurement.")] = 0.25,
    as_json: AsJson = False,
) -> None:
    """Measure random games and actions per CPU-second on one core, and on all with threads."""
    wanted = [find(key) for key in games or GAMES]
    prepare(wanted)
    chosen = [(game, options) for game in wanted for options in game.knowledge.practice]
    threads = os.cpu_count() or 1
    benches = [_Bench(game, options, threads) for game, options in chosen]
    with progress("Measuring", rounds * len(benches)) as advance:
        for _ in range(rounds):
            for bench in benches:
                bench.measure(seconds)
                advance()
    rows = [bench.row() for bench in benches]
    if as_json:
        print_json({"machine": _machine(), "threads": threads, "rows": rows})
    else:
        _print(rows, threads)


class _Bench:
    """Repeated measurements of one game with one set of options."""

    def __init__(self, game: Game, options: dict[str, Any], threads: int) -> None:
        self.game, self.options = game, game.settle(options)
        self.label = f"{game.key} {option_text(options)}".strip()
        self.threads = threads
        self.start = game.start(self.options)
        self.rates: dict[str, list[float]] = {"sampled": [], "listed": [], "scaling": []}
        self.actions = 0
        self.matches = 0

    def measure(self, seconds: float) -> None:
        """One round: moves sampled, moves listed, then as many threads as cores."""
        sampled, plies = _rate(self._player(listed=False), seconds)
        listed, _ = _rate(self._player(listed=True), seconds)
        self.rates["sampled"].append(sampled)
        self.rates["listed"].append(listed)
        self.actions += plies[0]
        self.matches += plies[1]
        self.rates["scaling"].append(self._scaling(max(1, int(sampled * seconds))))

    def _player(self, listed: bool, stream: int = 0) -> Callable[[int], int]:
        """A function that plays so many random games and returns the number of actions."""
        import numpy as np

        from kwartet.core import engine
        from kwartet.core.chance import generator
        from kwartet.core.simulation import NOTHING

        scratch, rng = self.start.copy(), generator(time.perf_counter_ns(), stream)
        wins = np.zeros(self.game.seats(self.options), np.int64)
        legal = np.empty(self.game.rules.MAX_LEGAL if listed else 0, np.int32)
        return lambda games: engine.playouts(self.start, scratch, rng, games, wins, legal, NOTHING)

    def _scaling(self, games: int) -> float:
        """How many times as many games all threads together play in the time one takes."""
        players = [self._player(listed=False, stream=number) for number in range(self.threads)]
        began = time.perf_counter()
        players[0](games)
        alone = time.perf_counter() - began
        with ThreadPoolExecutor(self.threads) as pool:
            began = time.perf_counter()
            list(pool.map(lambda play: play(games), players))
            together = time.perf_counter() - began
        return self.threads * alone / together

    def row(self) -> dict[str, Any]:
        """Medians and, for the sampled games, the spread."""
        sampled = self.rates["sampled"]
        length = self.actions / self.matches
        return {
            "game": self.game.key,
            "label": self.label,
            "options": self.options,
            "state_bytes": self.start.itemsize,
            "actions_a_game": round(length, 1),
            "games_per_cpu_second": round(statistics.median(sampled)),
            "lowest": round(min(sampled)),
            "highest": round(max(sampled)),
            "actions_per_cpu_second": round(statistics.median(sampled) * length),
            "listed_games_per_cpu_second": round(statistics.median(self.rates["listed"])),
            "thread_scaling": round(statistics.median(self.rates["scaling"]), 2),
        }


def _rate(play: Callable[[int], int], seconds: float) -> tuple[float, tuple[int, int]]:
    """Games a CPU-second over about that many seconds; the actions and games played."""
    games, actions, chunk = 0, 0, 1
    began = time.thread_time()
    while (spent := time.thread_time() - began) < seconds:
        actions += play(chunk)
        games += chunk
        chunk = min(2 * chunk, 1 + int(games * 0.25))
    return games / spent, (actions, games)


def _machine() -> dict[str, Any]:
    import numba
    import numpy as np

    return {
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
    }


def _print(rows: list[dict[str, Any]], threads: int) -> None:
    table = Table(
        title="Uniform random play on one core, a CPU-second",
        title_justify="left",
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    table.add_column("Game", no_wrap=True)
    for heading in ("Games", "Range", "Actions", "Listed", f"{threads} threads", "Bytes"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            row["label"],
            f"{row['games_per_cpu_second'] / 1e3:.0f} k",
            f"{row['lowest'] / 1e3:.0f}–{row['highest'] / 1e3:.0f} k",
            f"{row['actions_per_cpu_second'] / 1e6:.1f} M",
            f"{row['listed_games_per_cpu_second'] / 1e3:.0f} k",
            f"× {row['thread_scaling']:.2f}",
            str(row["state_bytes"]),
        )
    console.print(table)
    machine = _machine()
    load = "" if machine["load"] is None else f", load {machine['load'][0]}"
    console.print(
        "[dim]Games: medians, moves sampled. Listed: all legal moves listed at each decision.\n"
        "Threads: games played in the time in which one thread plays one. Bytes: of a state.\n"
        f"Python {machine['python']}, Numba {machine['numba']}, NumPy {machine['numpy']}, "
        f"{machine['cores']} cores{load}.[/]",
        highlight=False,
    )
