"""The solved Catan dice game: exact values, score distributions and the best action.

`find` maps a stored solution into memory, `compute` makes and stores it. Alone, the
best action is the one with the highest expected score. Among others it is the one
with the best chance to win, a shared win in parts, if from the next turn on every
seat plays for points; this turn itself is solved exactly for that aim.
"""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from kwartet.core import arrays
from kwartet.core.errors import GameError
from kwartet.core.game import Options
from kwartet.core.machine_code import user_cache
from kwartet.games.catan_dice import GAME, solver
from kwartet.games.catan_dice.foresight import island_and_sheet, result_shares, worths_after
from kwartet.games.catan_dice.futures import CERTAIN, LEAST, WIDTH, Kept
from kwartet.games.catan_dice.planning import Plan, look_around, make_plan, planned_here, row_here
from kwartet.games.catan_dice.rules import (
    CHOOSING,
    END,
    MAX_ROLLS,
    STOP,
    TURNS,
    apply,
    set_number,
)
from kwartet.games.catan_dice.sheets import (
    FEWER,
    ISLANDS,
    MORE,
    SHEET_POINTS,
    SHEETS,
    rows_of,
)
from kwartet.games.catan_dice.solver import Advance, Solved
from kwartet.games.catan_dice.tables import DICE, FIRST_OF_SIZE
from kwartet.games.catan_dice.turn import Values
from kwartet.games.catan_dice.worth import worth_in_points, worth_in_wins

FORMAT: Final = 1  # of the stored arrays and of what they mean
RULES: Final = 1  # the version of the rules since which nothing it depends on has changed
Aim = Literal["win", "score"]
States = npt.NDArray[Any]


class Solution:
    """A solved match of `turns` turns under one ruling, or the end of a longer one."""

    def __init__(self, same_turn_joker: bool, solved: Solved) -> None:
        self.same_turn_joker = same_turn_joker
        self.turns = len(solved.values) - 1
        self._values = solved.values
        self._kept = solved.kept
        self._rows = rows_of(same_turn_joker)
        self.chances = solved.start

    @property
    def scores(self) -> npt.NDArray[np.int64]:
        """The scores whose chances `chances` has, for a match played alone from its start."""
        return np.arange(LEAST, LEAST + WIDTH)

    @property
    def expected(self) -> float:
        """The best expected score of a match played alone."""
        return float(self._values[self.turns, 0])

    @property
    def deviation(self) -> float:
        """The standard deviation of that score."""
        return float(np.sqrt(self.chances @ (self.scores - self.expected) ** 2))

    def quantile(self, share: float) -> int:
        """The lowest score that is not exceeded with at least this chance."""
        return int(self.scores[np.searchsorted(np.cumsum(self.chances), share)])

    def value(self, left: int, sheet: int) -> float:
        """The expected score still to come with `left` turns to go; NaN if that cannot be."""
        return float(self._values[left, sheet])

    def future(self, left: int, sheet: int) -> npt.NDArray[np.float64]:
        """The chances of the scores still to come, in the order of `scores`."""
        number = left * SHEETS + sheet
        first, end = int(self._kept.first[number]), int(self._kept.first[number + 1])
        at_most = np.zeros(WIDTH + 1)
        low = int(self._kept.low[number]) + 1
        at_most[low : low + end - first] = self._kept.fractions[first:end] / CERTAIN
        at_most[low + end - first :] = 1.0
        return np.diff(at_most)

    def choose(self, states: States, seat: int, *, maximise: Aim = "win") -> int:
        """The best action for `seat`, whose turn it is, in the first state.

        Alone, or with maximise="score", it is the best for the expected score.
        """
        return int(planned_here(self.plan(states, seat, maximise=maximise), states))

    def plan(self, states: States, seat: int, *, maximise: Aim = "win") -> Plan:
        """The rest of the seat's turn, solved; it may begin before the first roll."""
        state = states[0]
        self._check(state, seat)
        island, sheet = island_and_sheet(state, seat)
        left = TURNS - int(state.turn) - 1
        to_come = self._values[left]
        if np.isnan(to_come[sheet]):
            raise GameError("wrong-rules", "This solution knows no such sheet so late in a match.")
        around = look_around(row_here(states), island, self._rows)
        if state.players == 1 or maximise == "score":
            return make_plan(around, *worth_in_points(around.sheets, to_come))
        sheets = [island_and_sheet(state, other)[1] for other in range(state.players)]
        return make_plan(
            around,
            *worth_in_wins(around.sheets, states, np.array(sheets, np.int32), to_come, self._kept),
        )

    def judge(self, states: States, seat: int, action: int) -> tuple[int, float]:
        """The best action for the expected score, and how much less is expected of this one."""
        plan = self.plan(states, seat, maximise="score")
        best = int(planned_here(plan, states))
        most, worth = _worths(plan, states, [best, action])
        return best, most - worth

    def weigh(self, states: States, seat: int, actions: Sequence[int]) -> tuple[int, list[float]]:
        """The best action, and what each of these legal ones is worth to the seat.

        Alone that is the final score it expects; among others its share of the win.
        """
        plan = self.plan(states, seat)
        best = int(planned_here(plan, states))
        worths = _worths(plan, states, actions)
        state = states[0]
        if state.players > 1:
            return best, [min(1.0, worth) for worth in worths]  # without what settles a tie
        _, sheet = island_and_sheet(state, seat)
        points = SHEET_POINTS[sheet // ISLANDS, sheet % ISLANDS]
        crosses = int(state.total[seat]) + int(state.gained) - int(points)
        return best, [worth + crosses for worth in worths]

    def worths(self, states: States, actions: Sequence[int]) -> Values:
        """By action of the seat or of chance, by seat: the result and the final score after it.

        Exact alone. Among others this turn is for the win and later ones are for points.
        """
        state = states[0]
        here = int(state.seat)
        plan = self.plan(states, here)
        count, turn = int(state.players), int(state.turn)
        left = [TURNS - turn - int(seat <= here) for seat in range(count)]
        sheets = [island_and_sheet(state, seat)[1] for seat in range(count)]
        totals = state.total[:count].tolist()

        def ended(sheet: int, total: int) -> Values:
            held = [sheet if seat == here else sheets[seat] for seat in range(count)]
            sums = [total if seat == here else totals[seat] for seat in range(count)]
            places = list(zip(left, held, sums, strict=True))
            points = [have + self.value(turns, there) for turns, there, have in places]
            chances = [_moved(self.future(turns, there), have) for turns, there, have in places]
            return np.column_stack([result_shares(chances), points])

        return worths_after(plan, states, actions, ended)

    def _check(self, state: Any, seat: int) -> None:
        if state.seat != seat or state.turn == TURNS:
            raise GameError("not-your-turn", f"It is not seat {seat}'s turn.")
        if state.same_turn_joker != self.same_turn_joker:
            raise GameError("wrong-rules", "This solution is for the other ruling on jokers.")
        if TURNS - state.turn > self.turns:
            raise GameError(
                "wrong-rules", f"This solution knows the last {self.turns} turns of a match."
            )


def _moved(chances: Values, points: int) -> Values:
    """The chances of the scores to come as those of final totals, with what is there already."""
    moved = np.zeros(WIDTH)
    found = np.flatnonzero(chances)
    moved[np.clip(found + points, 0, WIDTH - 1)] = chances[found]
    return moved


def _worths(plan: Plan, states: States, actions: Sequence[int]) -> list[float]:
    """What the plan, which was made in this state, expects of each of these legal actions."""
    if states[0].phase != CHOOSING:
        return [_built(plan, states, action) for action in actions]
    stopped = plan.first.values[0, :, 0]
    kept = stopped
    for _ in range(MAX_ROLLS - int(states[0].rolls) - 1):
        kept = _best_kept(_rolled(kept))
    kept = _rolled(kept)
    dice = set_number(int(states[0].dice))
    return [float(stopped[dice] if action == STOP else kept[action]) for action in actions]


def _built(plan: Plan, states: States, action: int) -> float:
    """What the plan expects of building, trading, using a joker or ending."""
    if action == END:
        return float((plan.ends if states[0].gained > 0 else plan.crossed).values[0, 0])
    after = states.copy()
    apply(after[0], action)
    state, here = after[0], plan.around
    row = int(np.searchsorted(here.row, row_here(after)))
    dice = set_number(int(state.dice))
    if state.gained == 0:
        return float(plan.first.values[row, dice, 0])
    island, _ = island_and_sheet(state, int(state.seat))
    return float(plan.later.values[row, dice, here.island.tolist().index(island)])


def _rolled(worth: Values) -> Values:
    """By set of dice: what is expected of rolling the missing ones, given full sets' worth."""
    expected = worth.copy()
    for size in range(DICE - 1, -1, -1):
        sets = slice(FIRST_OF_SIZE[size], FIRST_OF_SIZE[size + 1])
        expected[sets] = expected[MORE[sets]].mean(axis=1)
    return expected


def _best_kept(expected: Values) -> Values:
    """By set of dice: what is expected of keeping the best part of it."""
    best = expected.copy()
    for size in range(1, DICE + 1):
        sets = slice(FIRST_OF_SIZE[size], FIRST_OF_SIZE[size + 1])
        fewer = np.where(FEWER[sets] >= 0, best[FEWER[sets]], -np.inf)
        best[sets] = np.maximum(best[sets], fewer.max(axis=1))
    return best


def steps(turns: int = TURNS, played: int = 0) -> int:
    """How often `compute` will call `advance`."""
    return solver.steps(turns, played)


def compute(
    options: Options,
    *,
    turns: int = TURNS,
    played: int = 0,
    threads: int = 2,
    advance: Advance = lambda: None,
) -> Solution:
    """Solve and store; what cannot be stored is still returned, with a warning."""
    ruling = bool(options["same_turn_joker"])
    solved = solver.solve(ruling, turns=turns, played=played, threads=threads, advance=advance)
    try:
        arrays.save(
            _path(ruling, turns, played),
            _label(ruling, turns, played),
            {"values": solved.values, "start": solved.start, **solved.kept._asdict()},
        )
    except OSError as problem:
        warnings.warn(f"The solution is not kept: {problem}.", RuntimeWarning, stacklevel=2)
    return Solution(ruling, solved)


def find(options: Options, *, turns: int = TURNS, played: int = 0) -> Solution | None:
    """The stored solution, mapped into memory; None if there is none that is sound."""
    ruling = bool(options["same_turn_joker"])
    found = arrays.load(_path(ruling, turns, played), _label(ruling, turns, played))
    if found is None:
        return None
    values, start = found.pop("values"), found.pop("start")
    return Solution(ruling, Solved(values, Kept(**found), start))


def _label(same_turn_joker: bool, turns: int, played: int) -> dict[str, Any]:
    return {
        "game": GAME.key,
        "rules": RULES,
        "format": FORMAT,
        "same_turn_joker": same_turn_joker,
        "turns": turns,
        "played": played,
    }


def _path(same_turn_joker: bool, turns: int, played: int) -> Path:
    ruling = "" if same_turn_joker else "-late-jokers"
    short = "" if (turns, played) == (TURNS, 0) else f"-{turns}-turns-after-{played}"
    name = f"{GAME.key}-rules{RULES}-format{FORMAT}{ruling}{short}.arrays"
    return user_cache() / "solutions" / name
