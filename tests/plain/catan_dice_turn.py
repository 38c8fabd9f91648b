"""A plain search for the best turn of the Catan dice game, on the plain rules.

Dictionaries and recursion, one sheet at a time: to compare with, not to play with. What
a sheet is worth when the turn has ended is the caller's to say.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from tests.plain.catan_dice import (
    CROSS,
    DICE,
    FACES,
    ROLLS,
    Plain,
    in_order,
    keep_moves,
    points,
)

Names = frozenset[str]  # of what is built, or of the knights whose jokers are used
Worth = Callable[[Names, Names], float]


@cache
def rolls(count: int) -> list[tuple[str, float]]:
    """Every different roll of so many dice with its probability."""
    return [
        ("".join(roll), factorial(count) / prod(map(factorial, Counter(roll).values())) / 6**count)
        for roll in combinations_with_replacement(FACES, count)
    ]


class BestTurn:
    """The best turn of a seat that begins it with this sheet; values include its box."""

    def __init__(
        self, built: Names, used: Names, worth: Worth, *, same_turn_joker: bool = True
    ) -> None:
        self.built = built
        self.used = used
        self.worth = worth
        self.plain = Plain(same_turn_joker=same_turn_joker)
        self.plain.phase = "act"
        self.known: dict[tuple[object, ...], float] = {}

    def before(self) -> float:
        """The expected value before the first roll."""
        return self.rolling("", ROLLS)

    def rolling(self, kept: str, left: int) -> float:
        """The expected value of rolling all but the kept dice, with `left` rolls to make."""
        if (kept, left) not in self.known:
            self.known[kept, left] = sum(
                chance * self.choosing(in_order(kept + roll), left - 1)
                for roll, chance in rolls(DICE - len(kept))
            )
        return self.known[kept, left]

    def choosing(self, dice: str, left: int) -> float:
        """The value of dice on the table with `left` rolls to make."""
        if left == 0:
            return self.acting(self.built, self.used, dice)
        if ("?", dice, left) not in self.known:
            self.known["?", dice, left] = max(
                self.choosing(dice, 0),
                *(
                    self.rolling(move.removeprefix("keep").strip(), left)
                    for move in keep_moves(dice)
                ),
            )
        return self.known["?", dice, left]

    def acting(self, built: Names, used: Names, dice: str) -> float:
        """The value of dice that stand, with what is built and used by now."""
        place = built, used, dice
        if place not in self.known:
            self.known[place] = max(
                self.after(built, used, dice, move) for move in self.moves(built, used, dice)
            )
        return self.known[place]

    def after(self, built: Names, used: Names, dice: str, move: str) -> float:
        """The value of a move once the dice stand."""
        if move == "end":
            gained = sum(points(name) for name in built - self.built)
            return (gained if built != self.built else CROSS) + self.worth(built, used)
        self.place(built, used, dice)
        self.plain.play_act(move)
        sheet = self.plain.sheets[0]
        return self.acting(frozenset(sheet.built), frozenset(sheet.used_jokers), self.plain.dice)

    def moves(self, built: Names, used: Names, dice: str) -> list[str]:
        self.place(built, used, dice)
        return self.plain.find_moves()

    def place(self, built: Names, used: Names, dice: str) -> None:
        """Put this position before the plain rules."""
        sheet = self.plain.sheets[0]
        sheet.built, sheet.used_jokers = set(built), set(used)
        self.plain.built_this_turn = list(built - self.built)
        self.plain.dice = dice


def best_end(built: Names, used: Names, turns: int, *, same_turn_joker: bool = True) -> float:
    """What this sheet scores at best, in expectation, in the last turns of a match."""

    @cache
    def to_come(built: Names, used: Names, turns: int) -> float:
        if turns == 0:
            return 0.0
        turn = BestTurn(
            built,
            used,
            lambda more, gone: to_come(more, gone, turns - 1),
            same_turn_joker=same_turn_joker,
        )
        return turn.before()

    return to_come(built, used, turns)
