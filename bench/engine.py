"""The engine next to others on connect four: the same work, in rounds that take turns.

All libraries must agree on the same games first: what is legal before every disc, when a
game is over and who won it. Rates are per CPU-second and per second of wall time.
"""

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from examples.connect_four import GAME

from bench import boardgame, jaxed, openspiel, product, zoo
from bench.controls import ControlError
from bench.library import ROWS, Library, Taken, timed
from bench.machine import spread
from kwartet.core.chance import generator
from kwartet.core.position import Position
from kwartet.envs import batch

GAMES: Final = 60  # that every library replays
CLOCKS: Final = ("cpu", "wall")
TARGETS: Final = {  # row: (peer, how many times as fast Kwartet is to be)
    ROWS[0]: ("OpenSpiel", 1),
    ROWS[1]: ("OpenSpiel", 10),
    ROWS[2]: ("OpenSpiel", 2),
    ROWS[4]: ("pgx", 6),
    ROWS[5]: ("pgx", 6),
    ROWS[6]: ("OpenSpiel", 10),
    ROWS[7]: ("OpenSpiel", 10),
}
SCALING: Final = [(size, threads) for size in (1, 64, 1_024, 16_384) for threads in (1, 2)]


def libraries() -> list[Library]:
    """Kwartet first."""
    return [
        product.library(),
        openspiel.library(),
        zoo.library(),
        jaxed.library(),
        boardgame.library(),
    ]


def random_games(seed: int) -> list[list[int]]:
    """Games to replay."""
    rng, games = generator(seed), []
    for _ in range(GAMES):
        position, columns = Position(GAME), []
        while not position.is_over:
            columns.append(position.random_action(rng))
            position.apply(columns[-1])
        games.append(columns)
    return games


def check_replays(compared: Sequence[Library], seed: int) -> None:
    """ControlError unless all libraries see the same legal moves and results in the same games."""
    games = random_games(seed)
    own, *others = compared
    expected = own.replay(games)
    for library in others:
        for columns, mine, other in zip(games, expected, library.replay(games), strict=True):
            if mine != other:
                raise ControlError(f"{library.name} plays {columns} otherwise.")


def measure(
    compared: Sequence[Library], rounds: int, advance: Callable[[], object]
) -> dict[str, dict[str, list[Taken]]]:
    """By row and library the measurements; libraries take turns in going first."""
    taken: dict[str, dict[str, list[Taken]]] = {
        row: {library.name: [] for library in compared if row in library.work} for row in ROWS
    }
    for library in compared:
        for call in library.work.values():
            call()  # whatever happens only once
    for number in range(rounds):
        first = number % len(compared)
        for row in ROWS:
            for library in [*compared[first:], *compared[:first]]:
                if row in library.work:
                    taken[row][library.name].append(library.work[row]())
        advance()
    return taken


def summary(taken: dict[str, dict[str, list[Taken]]]) -> list[dict[str, Any]]:
    """Rates by library and clock, and by peer how many times as fast Kwartet is."""
    rows = []
    for row, by_library in taken.items():
        rates = {
            (name, clock): [each.made / getattr(each, clock) for each in measured]
            for name, measured in by_library.items()
            for clock in CLOCKS
        }
        peers = [name for name in by_library if name != "Kwartet"]
        rows.append(
            {
                "work": row,
                "rates": {
                    clock: {name: vars(spread(rates[name, clock])) for name in by_library}
                    for clock in CLOCKS
                },
                "ratios": {
                    clock: {
                        name: _ratio(rates["Kwartet", clock], rates[name, clock]) for name in peers
                    }
                    for clock in CLOCKS
                },
            }
        )
    return rows


def _ratio(mine: list[float], other: list[float]) -> dict[str, float]:
    """Of the medians, and how the rounds' own ratios spread."""
    rounds = spread([one / two for one, two in zip(mine, other, strict=True)])
    whole = statistics.median(mine) / statistics.median(other)
    return {"ratio": whole, "low": rounds.low, "high": rounds.high}


def scaling(rounds: int, advance: Callable[[], object]) -> list[dict[str, Any]]:
    """How a batch's throughput grows with its size and with threads, steps a second."""
    cases = {(size, threads): batch(GAME, size, 1, threads=threads) for size, threads in SCALING}
    rates: dict[tuple[int, int], list[Taken]] = {case: [] for case in cases}
    for _ in range(rounds):
        for (size, threads), made in cases.items():
            steps = max(20_000, 400_000 if size > 1 else 0, 10 * size)
            call = timed(partial(product.batch_steps, made, steps))
            rates[size, threads].append(call())
        advance()
    return [
        {
            "size": size,
            "threads": threads,
            **{
                clock: vars(spread([each.made / getattr(each, clock) for each in taken]))
                for clock in CLOCKS
            },
        }
        for (size, threads), taken in rates.items()
    ]
