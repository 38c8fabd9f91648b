"""The Catan dice game's solution against the plain search, against luck, and against itself.

`python -m tests.catan_dice_solution` is the long run; `make test` does a little of it.
"""

import argparse
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

import kwartet
from kwartet.core.chance import generator
from kwartet.games.catan_dice import solution as solutions
from kwartet.games.catan_dice.foresight import island_and_sheet
from kwartet.games.catan_dice.planning import play_turn
from kwartet.games.catan_dice.rules import ACTING, CHOOSING, ENDED, TURNS
from kwartet.games.catan_dice.sheets import (
    ISLAND_CITIES,
    ISLAND_NUMBER,
    ISLAND_ROADS,
    ISLAND_SETTLEMENTS,
    ISLANDS,
    TROOP_KNIGHTS,
    possible_sheets,
    troop_number,
)
from kwartet.games.catan_dice.solution import Aim, Solution
from tests.plain.catan_dice import CITIES, KNIGHTS, ROAD_NEEDS, SETTLEMENTS
from tests.plain.catan_dice_turn import BestTurn, Names

GAME = kwartet.GAMES["catan_dice"]
EXACT = 1e-9
States = npt.NDArray[Any]


def sheet_number(built: Names, used: Names) -> int:
    """The solver's number of a sheet."""
    roads = sum(1 << number for number, road in enumerate(ROAD_NEEDS) if road in built)
    settlements, cities, knights = (
        sum(name in built for name in names) for names in (SETTLEMENTS, CITIES, KNIGHTS)
    )
    jokers = sum(1 << number for number, knight in enumerate(KNIGHTS) if knight in used)
    return troop_number(knights, jokers) * ISLANDS + ISLAND_NUMBER[roads, settlements, cities]


def names_of(sheet: int) -> tuple[Names, Names]:
    """What is built and which jokers are used on a sheet."""
    troop, island = divmod(sheet, ISLANDS)
    knights = int(TROOP_KNIGHTS[troop])
    jokers = troop - troop_number(knights, 0)
    built = {
        "start",
        *(road for n, road in enumerate(ROAD_NEEDS) if int(ISLAND_ROADS[island]) >> n & 1),
        *SETTLEMENTS[: ISLAND_SETTLEMENTS[island]],
        *CITIES[: ISLAND_CITIES[island]],
        *KNIGHTS[:knights],
    }
    return frozenset(built), frozenset(k for n, k in enumerate(KNIGHTS) if jokers >> n & 1)


def position(sheets: Sequence[int], turn: int, seat: int = 0, **fields: Any) -> States:
    """A match before the first roll of a seat's turn, with these sheets; no box counts yet."""
    states = GAME.start(GAME.settle({"players": len(sheets)}))
    state = states[0]
    for owner, sheet in enumerate(sheets):
        troop, island = divmod(sheet, ISLANDS)
        state.roads[owner] = ISLAND_ROADS[island]
        state.settlements[owner] = ISLAND_SETTLEMENTS[island]
        state.cities[owner] = ISLAND_CITIES[island]
        state.knights[owner] = TROOP_KNIGHTS[troop]
        state.used[owner] = troop - troop_number(int(TROOP_KNIGHTS[troop]), 0)
    state.turn = turn
    state.seat = seat
    state.veterans = state.knights[seat]
    for name, value in fields.items():
        setattr(state, name, value)
    return states


def random_sheet(played: int, luck: random.Random) -> int:
    """A sheet that can be there after so many turns, knights and used jokers evenly spread."""
    possible = np.flatnonzero(possible_sheets(played).ravel())
    knights = luck.randint(0, int(TROOP_KNIGHTS[possible[-1] // ISLANDS]))
    same = possible[TROOP_KNIGHTS[possible // ISLANDS] == knights]
    return int(luck.choice(same.tolist()))


def compare_turn(solution: Solution, played: int, left: int, luck: random.Random) -> None:
    """A random sheet's turn against the plain search; AssertionError on a difference.

    The value before the first roll, then a random course of the turn: each action chosen
    must be worth as much as the best one, by the plain search.
    """
    sheet = random_sheet(played, luck)
    turn = BestTurn(
        *names_of(sheet),
        lambda built, used: solution.value(left - 1, sheet_number(built, used)),
        same_turn_joker=solution.same_turn_joker,
    )
    story = (sorted(turn.built), sorted(turn.used), left)
    assert abs(turn.before() - solution.value(left, sheet)) < EXACT, story
    for _ in range(5):
        states = position([sheet], TURNS - left, same_turn_joker=solution.same_turn_joker)
        follow(solution, turn, throw(states, luck))


def throw(states: States, luck: random.Random) -> States:
    """Let random dice lie on the table after some rolls of the turn."""
    state = states[0]
    state.dice = sum(1 << 4 * luck.randrange(6) for _ in range(6))
    state.lying = 6
    state.rolls = luck.randint(1, 3)
    state.phase = CHOOSING if state.rolls < 3 else ACTING
    return states


def follow(
    solution: Solution, turn: BestTurn, states: States, tolerance: float = EXACT
) -> list[str]:
    """Let the solution play on until dice roll; each move must be as good as the best one."""
    state = states[0]
    seat, number = int(state.seat), int(state.turn)
    best = turn.choosing(GAME.views.view(state, seat)["dice"], 3 - int(state.rolls))
    moves: list[str] = []
    while (state.seat, state.turn) == (seat, number) and state.phase in (CHOOSING, ACTING):
        action = solution.choose(states, seat)
        moves += GAME.notation.names(state, seat, [action])
        story = sorted(turn.built), sorted(turn.used), states, moves
        assert abs(value_of(turn, states, moves[-1]) - best) < tolerance, story
        GAME.rules.apply(state, action)
    return moves


def value_of(turn: BestTurn, states: States, move: str) -> float:
    """What a move of the seat to act is worth by the plain search."""
    state = states[0]
    seat = int(state.seat)
    view = GAME.views.view(state, seat)
    if move == "stop":
        return turn.choosing(view["dice"], 0)
    if move.startswith("keep"):
        return turn.rolling(move.removeprefix("keep").strip(), 3 - int(state.rolls))
    built, used = names_of(island_and_sheet(state, seat)[1])
    assert move in turn.moves(built, used, view["dice"]), move
    return turn.after(built, used, view["dice"], move)


def groups(states: States, seat: int) -> list[States]:
    """The states in parts (views) that have the same sheet in this seat; reorders them."""
    fields = ("roads", "settlements", "cities", "knights", "used")
    order = np.lexsort([states[name][:, seat] for name in fields])
    states[:] = states[order]
    changes = np.zeros(len(states), np.bool_)
    for name in fields:
        changes[1:] |= states[name][1:, seat] != states[name][:-1, seat]
    return np.split(states, np.flatnonzero(changes))


def play_round(solution: Solution, states: States, seat: int, aim: Aim, seed: int) -> None:
    """Play the turn of this seat, whose turn it is in all states; reorders them."""
    alone = aim == "score"
    parts = groups(states, seat) if alone else [states[n : n + 1] for n in range(len(states))]

    def play(job: tuple[int, States]) -> None:
        number, part = job
        plan = solution.plan(part[:1], seat, maximise=aim)
        play_turn(plan, part, generator(seed, number))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play, enumerate(parts), chunksize=64))


def play_alone(solution: Solution, start: States, games: int, seed: int) -> npt.NDArray[np.int64]:
    """The final totals of so many matches by the solution's policy."""
    states = np.repeat(start, games)
    while states[0].phase != ENDED:
        play_round(solution, states, 0, "score", seed * 100 + int(states[0].turn))
    return states["total"][:, 0].astype(np.int64)


def play_two(solution: Solution, matches: int, winner: int, seed: int) -> float:
    """The share of the wins of `winner`, who plays to win against one who plays for points."""
    options = GAME.settle({"players": 2, "same_turn_joker": solution.same_turn_joker})
    states = np.repeat(GAME.start(options), matches)
    while states[0].phase != ENDED:
        seat = int(states[0].seat)
        aim: Aim = "win" if seat == winner else "score"
        play_round(solution, states, seat, aim, (seed * 100 + int(states[0].turn)) * 2 + seat)
    own, other = states["total"][:, winner], states["total"][:, 1 - winner]
    return float(((own > other) + 0.5 * (own == other)).mean())


def fit(totals: npt.NDArray[np.int64], solution: Solution) -> tuple[float, int]:
    """Chi-square of the totals against the exact chances, scores of few games together."""
    counts = np.bincount(totals - solution.scores[0], minlength=len(solution.scores))
    square, cells = 0.0, 0
    seen = wanted = 0.0
    for count, chance in zip(counts, solution.chances * len(totals), strict=True):
        seen, wanted = seen + count, wanted + chance
        if wanted >= 20:
            square, cells = square + (seen - wanted) ** 2 / wanted, cells + 1
            seen = wanted = 0.0
    return square, cells - 1


def main() -> None:
    """Check both rulings; print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=60, help="compared with the plain search")
    parser.add_argument("--games", type=int, default=200_000, help="played alone")
    parser.add_argument("--matches", type=int, default=20_000, help="of two, half from each seat")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for ruling in (True, False):
        began = time.monotonic()
        options = GAME.settle({"same_turn_joker": ruling})
        solution = solutions.find(options) or solutions.compute(options)
        print(f"same_turn_joker={ruling}: expected {solution.expected:.6f}", flush=True)
        luck = random.Random(arguments.seed)
        for _ in range(arguments.turns):
            left = luck.randint(1, TURNS)
            compare_turn(solution, TURNS - left, left, luck)
        print(f"  {arguments.turns} turns agree with the plain search", flush=True)
        totals = play_alone(solution, GAME.start(options), arguments.games, arguments.seed)
        error = totals.std() / len(totals) ** 0.5
        off = (totals.mean() - solution.expected) / error
        square, freedom = fit(totals, solution)
        print(
            f"  {len(totals):,} games: mean {totals.mean():.4f} ± {error:.4f}, {off:+.2f} standard"
            f" errors off; chi-square {square:.1f} with {freedom} degrees of freedom",
            flush=True,
        )
        if ruling:
            half = arguments.matches // 2
            shares = [play_two(solution, half, seat, arguments.seed) for seat in (0, 1)]
            print(
                f"  {2 * half:,} matches: to win against for points {sum(shares) / 2:.4f}"
                f" ± {0.5 / (2 * half) ** 0.5:.4f}, from seat 0 {shares[0]:.4f},"
                f" from seat 1 {shares[1]:.4f}"
            )
        print(f"  {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
