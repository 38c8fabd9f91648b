"""Kwartet's plain tree search next to OpenSpiel's, on connect four.

Speed: simulations a second of UCT with one random playout each, the search call alone, in
rounds that take turns. Strength: games at equal time. Run as `python -m bench.search`.
"""

import statistics
import time
from collections.abc import Iterator
from typing import Annotated, Any, Final

import numpy as np
import typer
from examples.connect_four import GAME
from examples.connect_four.notation import LETTERS

import kwartet
from bench import openspiel
from bench.controls import ControlError, check, controls
from bench.machine import Spread, load, machine, spread
from bench.strength import compare
from kwartet.bots.tree import ROOT, Settings, make_workspace, plant, simulate
from kwartet.cli.terminal import AsJson, errors, prepare, print_json, progress
from kwartet.core.chance import generator
from kwartet.core.match import Match

SETTINGS: Final = Settings(openspiel.EXPLORATION, uct=True, result=1.0, expand_at=1)
NO_PRIOR: Final = np.zeros(0, np.float32)
SIMULATIONS: Final = (1_000, 10_000)
POSITIONS: Final = {
    "start": ("",),
    "middle": ("ecfc", "gfgffeag", "dgbfabacdgbd", "dfcbddfbacafcgda", "ecbccfeacfccbagbggde"),
}
REPEATS: Final = 20  # searches of Kwartet's in a round for each of OpenSpiel's
BOTS: Final = ("master", "uct")
LIBRARIES: Final = ("product", "peer")
CLOCKS: Final = ("cpu", "wall")


class _Case:
    """Repeated measurements of one number of simulations from one group of positions."""

    def __init__(self, group: str, simulations: int) -> None:
        self.group, self.simulations = group, simulations
        self.work = make_workspace(GAME, (simulations + 2) * GAME.rules.MAX_LEGAL)
        self.matches = [_match(moves) for moves in POSITIONS[group]]
        self.states = [openspiel.position(match.actions) for match in self.matches]
        self.rates: dict[tuple[str, str], list[float]] = {
            (library, clock): [] for library in LIBRARIES for clock in CLOCKS
        }

    def warm_up(self) -> None:
        """Search once on both sides; ControlError if the libraries see other moves."""
        for match, state in zip(self.matches, self.states, strict=True):
            if match.legal_actions() != state.legal_actions():
                raise ControlError(f"The moves after {match.moves} differ.")
        self._search(0)
        self._search_peer(0)

    def measure(self, number: int) -> None:
        """One round; the libraries take turns in going first."""
        for library in LIBRARIES if number % 2 else LIBRARIES[::-1]:
            search = self._search if library == "product" else self._search_peer
            cpu, wall, made = search(number)
            self.rates[library, "cpu"].append(made / cpu)
            self.rates[library, "wall"].append(made / wall)

    def _search(self, number: int) -> tuple[float, float, int]:
        """Search every position with Kwartet: seconds of both clocks, and simulations."""
        rng = generator(number, self.simulations)
        cpu = wall = 0.0
        for match in self.matches * REPEATS:
            plant(self.work)
            state, seat = match.state, match.actor or 0
            wall_began, began = time.perf_counter(), time.thread_time()
            simulate(self.work, state, seat, NO_PRIOR, SETTINGS, rng, self.simulations)
            cpu += time.thread_time() - began
            wall += time.perf_counter() - wall_began
            self._count("Kwartet", int(self.work.nodes[ROOT].visits))
        return cpu, wall, self.simulations * len(self.matches) * REPEATS

    def _search_peer(self, number: int) -> tuple[float, float, int]:
        """The same with OpenSpiel; taking its tree down is not timed."""
        bot = openspiel.searcher(seed=number + 1, simulations=self.simulations)
        cpu = wall = 0.0
        for state in self.states:
            wall_began, began = time.perf_counter(), time.thread_time()
            root = bot.mcts_search(state)
            cpu += time.thread_time() - began
            wall += time.perf_counter() - wall_began
            self._count("OpenSpiel", int(root.explore_count))
            del root
        return cpu, wall, self.simulations * len(self.states)

    def _count(self, library: str, visits: int) -> None:
        if visits != self.simulations:
            raise ControlError(f"{library} made {visits} simulations, not {self.simulations}.")

    def row(self) -> dict[str, Any]:
        """Medians, quartiles and the ratio of the medians, by either clock."""
        row: dict[str, Any] = {"position": self.group, "simulations": self.simulations}
        for clock in CLOCKS:
            product, peer = self.rates["product", clock], self.rates["peer", clock]
            rounds = [mine / other for mine, other in zip(product, peer, strict=True)]
            row[clock] = {
                "product": vars(spread(product)),
                "peer": vars(spread(peer)),
                "ratio": statistics.median(product) / statistics.median(peer),
                "ratio_of_rounds": vars(spread(rounds)),
            }
        return row


def _match(moves: str) -> Match:
    match = Match(GAME, {})
    match.extend([LETTERS.index(move) for move in moves])
    return match


def measure(
    rounds: int = 11, games: int = 400, seconds: float = 0.02, seed: int = 0
) -> dict[str, Any]:
    """Check the controls, measure speed and strength; ControlError if a control fails."""
    if GAME.key not in kwartet.GAMES:
        kwartet.register(GAME)
    prepare([GAME], bots=True)
    before = load()
    with progress("Controls", 1) as advance:
        found = controls(GAME, seed)
        check(found)
        advance()
    return {
        "machine": machine("kwartet", "numba", "numpy", "open_spiel"),
        "load_before": before,
        "controls": [vars(control) for control in found],
        "speed": _speed(rounds),
        "strength": list(_strength(games, seconds, seed)) if games else [],
        "load_after": load(),
    }


def _speed(rounds: int) -> list[dict[str, Any]]:
    cases = [_Case(group, simulations) for simulations in SIMULATIONS for group in POSITIONS]
    for case in cases:
        case.warm_up()
    with progress("Speed", rounds * len(cases)) as advance:
        for number in range(rounds):
            for case in cases:
                case.measure(number)
                advance()
    return [case.row() for case in cases]


def _strength(games: int, seconds: float, seed: int) -> Iterator[dict[str, Any]]:
    with progress("Games at equal time", games * len(BOTS)) as advance:
        for name in BOTS:
            yield compare(GAME, name, games, seconds, seed, advance)


def markdown(found: dict[str, Any]) -> str:
    """The numbers as tables, with what they were measured on."""
    lines = [
        "| from | simulations | Kwartet, a CPU-second | OpenSpiel, a CPU-second "
        "| ratio, CPU time | ratio, wall time |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for row in found["speed"]:
        cpu, wall = row["cpu"], row["wall"]
        lines.append(
            f"| {row['position']} | {row['simulations']:,} "
            f"| {Spread(**cpu['product'])} | {Spread(**cpu['peer'])} "
            f"| {_ratio(cpu)} | {_ratio(wall)} |"
        )
    if found["strength"]:
        lines += [
            "",
            "| bot | games | won, drawn, lost | share | 95 % interval "
            "| seconds a move | simulations a move |",
            "|---|---:|---:|---:|---:|---:|---:|",
        ]
    for row in found["strength"]:
        product, peer = row["product"], row["peer"]
        low, high = row["interval"]
        lines.append(
            f"| {row['bot']}@{row['seconds']:g}s | {row['games']} "
            f"| {row['won']}, {row['drawn']}, {row['lost']} "
            f"| {row['share']:.1%} | {low:.1%}–{high:.1%} "
            f"| {product['seconds_a_move']:.4f} to {peer['seconds_a_move']:.4f} "
            f"| {product['simulations_a_move']:,} to {peer['simulations_a_move']:,} |"
        )
    return "\n".join([*lines, "", _circumstances(found)])


def _ratio(clock: dict[str, Any]) -> str:
    rounds = clock["ratio_of_rounds"]
    return f"{clock['ratio']:.1f} ({rounds['low']:.1f}–{rounds['high']:.1f})"


def _circumstances(found: dict[str, Any]) -> str:
    here = found["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in here["versions"].items())
    agreed = "; ".join(
        f"{control['name']} {control['product']:,.6g} and {control['peer']:,.6g}"
        for control in found["controls"]
    )
    return (
        "Medians (quartiles); to is Kwartet's number to OpenSpiel's. "
        f"{here['processor']}, {here['cores']} cores; Python {here['python']}, {versions}; "
        f"load {found['load_before'][0]} before and {found['load_after'][0]} after. "
        f"Controls that agree: {agreed}."
    )


def main(
    rounds: Annotated[int, typer.Option(min=7, max=1000, help="Of the speed.")] = 11,
    games: Annotated[int, typer.Option(min=0, help="An even number; 0: speed alone.")] = 400,
    seconds: Annotated[float, typer.Option(min=0.001, max=60, help="Of thought a move.")] = 0.02,
    seed: Annotated[int, typer.Option(help="Of openings and playouts.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Compare the tree search with OpenSpiel's on connect four."""
    if games % 2:
        raise typer.BadParameter("Every opening is played from both sides: an even number.")
    try:
        found = measure(rounds, games, seconds, seed)
    except ControlError as problem:
        errors.print(f"[bold red]control:[/] {problem}", highlight=False)
        raise typer.Exit(1) from problem
    if as_json:
        print_json(found)
    else:
        print(markdown(found))


if __name__ == "__main__":
    typer.run(main)
