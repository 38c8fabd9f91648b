"""A plain second reading of the Kwatro rules page, for comparison in tests.

Everything is written in the most direct way: cards are the strings of the page's notation, the
field is a dict from cells to cards, and every question is answered by looking at that dict.
The section names in the comments (§) are those of the rules page.
"""

from functools import lru_cache
from itertools import combinations, product
from typing import Any

# What tests over all games want to know of this one.
OPTION_SETS: list[dict[str, Any]] = [{"players": p} for p in (2, 3, 4)]
STATE_BYTES = 8192  # no state has more
MOST_POINTS_WIN = True

Cell = tuple[int, int]
Line = tuple[Cell, ...]

JOKER = "J"
COLOURS, SHAPES, NUMBERS = "RGBY", "SCTX", "1234"
PROPERTIES = (COLOURS, SHAPES, NUMBERS)  # in the order of the letters of a card
ROW, COLUMN = (1, 0), (0, 1)  # one step to the right, one step down
HAND_SIZE = 4
LONGEST_LINE = 4
CHANCE = -1
ALL_CARDS = [*map("".join, product(*PROPERTIES)), JOKER, JOKER]  # § Material


def first_empty(occupied: set[Cell], cell: Cell, dx: int, dy: int) -> Cell:
    """The first cell that is not occupied, going from the cell in steps of (dx, dy)."""
    x, y = cell[0] + dx, cell[1] + dy
    while (x, y) in occupied:
        x, y = x + dx, y + dy
    return (x, y)


def run_through(occupied: set[Cell], cell: Cell, axis: Cell) -> Line:
    """All cells of the gapless run through an occupied cell, from left to right or downwards."""
    dx, dy = axis
    x, y = first_empty(occupied, cell, -dx, -dy)
    end = first_empty(occupied, cell, dx, dy)
    run = []
    while (x + dx, y + dy) != end:
        x, y = x + dx, y + dy
        run.append((x, y))
    return tuple(run)


def lines_through(occupied: set[Cell], cells: list[Cell]) -> set[Line]:
    """§ Lines: the runs of at least two cards that hold at least one of the cells."""
    runs = {run_through(occupied, cell, axis) for cell in cells for axis in (ROW, COLUMN)}
    return {run for run in runs if len(run) >= 2}


def equal_or_different(values: str | tuple[str, ...]) -> bool:
    return len(set(values)) in (1, len(values))


@lru_cache(maxsize=100_000)
def some_values_fit(words: frozenset[str], values: str) -> bool:
    """Can the jokers have values of one property that make all their lines right at once?

    A word spells that property along one line; "j" and "k" in it are the two jokers.
    """
    return any(
        all(equal_or_different(word.replace("j", first).replace("k", second)) for word in words)
        for first in values
        for second in values
    )


def lines_are_right(field: dict[Cell, str], lines: set[Line]) -> bool:
    """§ Lines: is there one card for each joker that makes all these lines right at once?"""
    with_joker = []
    for line in lines:
        cards = [field[cell] for cell in line]
        if len(cards) > LONGEST_LINE:
            return False
        if JOKER in cards:
            with_joker.append(line)
        elif not all(map(equal_or_different, zip(*cards, strict=True))):
            return False
    jokers = {cell for line in with_joker for cell in line if field[cell] == JOKER}
    shown = field | dict(zip(sorted(jokers), ["jjj", "kkk"], strict=False))
    for index, values in enumerate(PROPERTIES):
        words = ["".join([shown[cell][index] for cell in line]) for line in with_joker]
        if not some_values_fit(frozenset(words), values):
            return False
    return True


class Plain:
    """One match, from the first card dealt to the end."""

    def __init__(self, *, players: int = 2) -> None:
        if players not in (2, 3, 4):
            raise ValueError(f"players must be 2, 3 or 4, not {players}")
        self.players = players
        self.unseen = list(ALL_CARDS)  # the part of the pile that comes in random order
        self.under: list[str] = []  # cards passed under the pile, the first to come out first
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.points = [0] * players
        self.cards: dict[Cell, str] = {}  # the field
        self.seat = 0  # whose turn it is; in the set-up nobody has a turn yet
        self.placed: list[Cell] = []  # cells filled by the play of this turn
        self.passes = 0  # passes in a row, over all seats
        self.drawing = True  # is a card to be drawn now?
        self.over = False
        self.known_legal: list[str] | None = None  # the legal moves, once they are worked out

    def actor(self) -> int | None:
        if self.over:
            return None
        return CHANCE if self.drawing else self.seat

    def scores(self) -> list[int]:
        return list(self.points)

    def winners(self) -> list[int]:
        if not self.over:
            return []
        return [seat for seat in range(self.players) if self.points[seat] == max(self.points)]

    def field(self) -> dict[Cell, str]:
        return dict(self.cards)

    # Legal moves

    def legal(self) -> list[str]:
        if self.known_legal is None:
            self.known_legal = self._work_out_legal()
        return list(self.known_legal)

    def _work_out_legal(self) -> list[str]:
        if self.over:
            return []
        if self.drawing:
            # Any unseen card, or the first one under the pile when no other is left (§ Notation).
            return ["*" + card for card in sorted(set(self.unseen or self.under[:1]))]
        hand = sorted(self.hands[self.seat])
        places = self._ways_to_lay(sorted(set(hand)), self._open_cells())
        if self.placed:
            return [*places, "done"]
        swaps = self._ways_to_lay([card for card in hand if card != JOKER], self._jokers())
        return [*("swap " + swap for swap in swaps), *places, *self._passes(hand)]

    def _passes(self, hand: list[str]) -> list[str]:
        """§ A turn: any cards may go under the pile, but none when the pile is empty."""
        most = len(hand) if self._pile_size() > 0 else 0
        choices = {chosen for count in range(most + 1) for chosen in combinations(hand, count)}
        return [" ".join(["pass", *chosen]) for chosen in sorted(choices)]

    def _open_cells(self) -> list[Cell]:
        """Empty cells for the next card of a play.

        The first card touches the field. A later one lies at an end of the run that holds the
        cards placed before, so that the cards placed so far are always a legal play.
        """
        steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        if not self.placed:
            touching = {(x + dx, y + dy) for x, y in self.cards for dx, dy in steps}
            return sorted(touching - set(self.cards))
        if len(self.placed) > 1:
            in_a_row = self.placed[0][1] == self.placed[1][1]
            steps = steps[:2] if in_a_row else steps[2:]
        return [first_empty(set(self.cards), self.placed[0], dx, dy) for dx, dy in steps]

    def _jokers(self) -> list[Cell]:
        return [cell for cell, card in self.cards.items() if card == JOKER]

    def _ways_to_lay(self, cards: list[str], cells: list[Cell]) -> list[str]:
        """Each card on each of the cells, where that leaves the field legal.

        The lines that may go wrong are those through the cell and those through any joker.
        """
        ways: list[str] = []
        for x, y in cells:
            lines = lines_through({*self.cards, (x, y)}, [(x, y), *self._jokers()])
            fitting = [c for c in cards if lines_are_right(self.cards | {(x, y): c}, lines)]
            ways.extend(f"{card}@{x},{y}" for card in fitting)
        return ways

    # Playing a move

    def play(self, move: str) -> None:
        if move not in self.legal():
            raise ValueError(f"not a legal move: {move!r}")
        self.known_legal = None
        if move.startswith("*"):
            self._draw(move[1:])
        elif move.startswith("pass"):
            self._pass(move.split()[1:])
        elif move == "done":
            self._finish_play()
        else:
            card, _, place = move.removeprefix("swap ").partition("@")
            x, y = place.split(",")
            self._lay(card, (int(x), int(y)))

    def _lay(self, card: str, cell: Cell) -> None:
        """Lay a card on an empty cell as part of a play, or swap it for the joker there."""
        hand = self.hands[self.seat]
        hand.remove(card)
        if cell in self.cards:
            hand.append(self.cards[cell])
        else:
            self.placed.append(cell)
        self.cards[cell] = card

    def _finish_play(self) -> None:
        """§ End: a play of the last card of the hand, with an empty pile, is the last one."""
        self.over = self._pile_size() == 0 and not self.hands[self.seat]
        self.points[self.seat] += self._score_of_play()
        self.passes = 0
        if not self.over:
            self._draw_or_end_turn()

    def _score_of_play(self) -> int:
        """§ Score of a play."""
        lines = lines_through(set(self.cards), self.placed)
        cards = [self.cards[cell] for line in lines for cell in line]
        score = sum(int(card[2]) for card in cards if card != JOKER)
        for line in lines:
            if len(line) == LONGEST_LINE:  # a kwatro
                score *= 2
        if len(self.placed) == 4:
            score *= 2
        return score * 2 if self.over else score

    def _pass(self, chosen: list[str]) -> None:
        for card in chosen:
            self.hands[self.seat].remove(card)
            self.under.append(card)
        self.passes += 1
        self._draw_or_end_turn()

    def _draw(self, card: str) -> None:
        (self.unseen or self.under).remove(card)
        short = [hand for hand in self.hands if len(hand) < HAND_SIZE]
        if self.cards:
            self.hands[self.seat].append(card)
            self._draw_or_end_turn()
        elif short:  # set-up: seat after seat fills its hand
            short[0].append(card)
        else:  # set-up: the start card comes last
            self.cards[(0, 0)] = card
            self.drawing = False

    def _draw_or_end_turn(self) -> None:
        self.drawing = len(self.hands[self.seat]) < HAND_SIZE and self._pile_size() > 0
        if not self.drawing:
            self._end_turn()

    def _end_turn(self) -> None:
        """§ End: a pass is complete, and may end the game, when its cards are drawn."""
        rounds = 3 if self._pile_size() > 0 else 1
        self.over = self.passes >= rounds * self.players
        self.placed = []
        self.seat = (self.seat + 1) % self.players

    def _pile_size(self) -> int:
        return len(self.unseen) + len(self.under)
