"""What a measured library can do; each fills in what it has."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

HOST: Final = "one action at a time from the host language, steps"
WHOLE: Final = "whole random games inside the engine, games"
SINGLE: Final = "step + observation + mask + auto-reset, batch 1, steps"
BATCHES: Final = {size: f"the same, batch {size:,}, steps" for size in (64, 1_024, 16_384)}
UCT: Final = {
    size: f"UCT with {size:,} random playouts a search, playouts" for size in (1_000, 10_000)
}
POSITIONS: Final = (  # that searches begin from, in columns: the start and some later ones
    "",
    "ecfc",
    "gfgffeag",
    "dgbfabacdgbd",
    "dfcbddfbacafcgda",
    "ecbccfeacfccbagbggde",
)
EXPLORATION: Final = 1.4
ROWS: Final = (HOST, WHOLE, SINGLE, *BATCHES.values(), *UCT.values())


def columns_of(letters: str) -> list[int]:
    """Columns a to g as numbers."""
    return ["abcdefg".index(letter) for letter in letters]


Sequences = list[list[int]]  # the columns of games, in order
Replay = tuple[list[list[int]], float]  # legal columns before every disc; the first seat's result


@dataclass(frozen=True)
class Taken:
    """One measurement."""

    made: float  # steps, games or simulations
    cpu: float  # seconds of all threads
    wall: float


@dataclass(frozen=True)
class Library:
    """A library, its versions, and its work by row; None in place of what it cannot do."""

    name: str
    packages: tuple[str, ...]
    replay: Callable[[Sequences], list[Replay]]
    work: dict[str, Callable[[], Taken]] = field(default_factory=dict)
    close: Callable[[], object] = lambda: None


def timed(call: Callable[[], float]) -> Callable[[], Taken]:
    """The call with both clocks read around it; it returns how much it made."""

    def measure() -> Taken:
        wall, cpu = time.perf_counter(), time.process_time()
        made = call()
        return Taken(made, time.process_time() - cpu, time.perf_counter() - wall)

    return measure
