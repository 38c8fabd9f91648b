"""A plain second reading of the Catan dice game, for comparison in tests.

It follows the rules page section by section (Options, The sheet, A turn, Notation) and aims to be
obvious, not fast. Nothing here is random: the caller plays the rolls as well.
"""

from itertools import combinations_with_replacement, product
from typing import Any

# What tests over all games want to know of this one.
OPTION_SETS: list[dict[str, Any]] = [
    {"players": p, "same_turn_joker": j} for p in (1, 2, 3, 4) for j in (True, False)
]
STATE_BYTES = 512  # no state has more
MOST_POINTS_WIN = True

CHANCE = -1
TURNS = 15
DICE = 6
ROLLS = 3
CROSS = -2

RESOURCES = "ogwtb"  # ore, grain, wool, timber, brick
GOLD = "$"
FACES = RESOURCES + GOLD  # in the order of the Notation section

# The sheet: each road with the road it needs.
ROAD_NEEDS = {
    "R0": "start",
    "R1": "R0",
    "R2": "R0",
    "R3": "R2",
    "R4": "R3",
    "R5": "R3",
    "R6": "R5",
    "R7": "R6",
    "R8": "R7",
    "R9": "R8",
    "R10": "R9",
    "R11": "R10",
    "R12": "R7",
    "R13": "R12",
    "R14": "R13",
    "R15": "R14",
}

# The sheet: each site with the road it stands at; the number in its name is its worth.
SETTLEMENT_ROAD = {"S3": "start", "S4": "R2", "S5": "R5", "S7": "R7", "S9": "R9", "S11": "R11"}
CITY_ROAD = {"C7": "R1", "C12": "R4", "C20": "R13", "C30": "R15"}

# Settlements, cities and knights are each built from left to right.
SETTLEMENTS = list(SETTLEMENT_ROAD)
CITIES = list(CITY_ROAD)
KNIGHTS = ["K1", "K2", "K3", "K4", "K5", "K6"]

# The resources each knight's joker can give.
JOKER_GIVES = {"K1": "o", "K2": "g", "K3": "w", "K4": "t", "K5": "b", "K6": RESOURCES}

# A turn, Build: the dice that each kind of thing costs, by the first letter of its name.
COST = {"R": "tb", "K": "ogw", "S": "gwtb", "C": "ooogg"}

# Every different roll of so many dice, as chance moves.
ROLL_MOVES = {
    count: ["*" + "".join(roll) for roll in combinations_with_replacement(FACES, count)]
    for count in range(1, DICE + 1)
}


def in_order(dice: str) -> str:
    """The same dice, written in the order of the Notation section."""
    return "".join(face * dice.count(face) for face in FACES)


def contains(dice: str, wanted: str) -> bool:
    """Whether all the wanted dice are there at the same time."""
    return all(dice.count(face) >= wanted.count(face) for face in wanted)


def without(dice: str, gone: str) -> str:
    """The dice that remain when some are taken away."""
    for face in gone:
        dice = dice.replace(face, "", 1)
    return dice


def keep_moves(dice: str) -> list[str]:
    """Every different choice of dice to keep, with at least one left to roll again."""
    moves = []
    for counts in product(*(range(dice.count(face) + 1) for face in FACES)):
        if sum(counts) < len(dice):
            kept = "".join(face * count for face, count in zip(FACES, counts, strict=True))
            moves.append(f"keep {kept}" if kept else "keep")
    return moves


def points(name: str) -> int:
    """What a road, settlement, city or knight is worth."""
    return 1 if name[0] == "R" else int(name[1:])


def first_missing(names: list[str], built: set[str]) -> str | None:
    """The next one to build of those that are built in ascending order."""
    missing = [name for name in names if name not in built]
    return missing[0] if missing else None


class Sheet:
    """What one seat has on its paper."""

    def __init__(self) -> None:
        self.built: set[str] = {"start"}
        self.used_jokers: set[str] = set()
        self.boxes: list[int] = []

    def open_places(self) -> list[str]:
        """Everything that could be built next if there were dice for it."""
        built = self.built
        places = [road for road in ROAD_NEEDS if road not in built and ROAD_NEEDS[road] in built]
        settlement = first_missing(SETTLEMENTS, built)
        if settlement is not None and SETTLEMENT_ROAD[settlement] in built:
            places.append(settlement)
        city = first_missing(CITIES, built)
        if city is not None and CITY_ROAD[city] in built:
            places.append(city)
        knight = first_missing(KNIGHTS, built)
        if knight is not None:
            places.append(knight)
        return places


class Plain:
    """One match. The phase is "roll" (chance), "keep", "act" or "over"."""

    def __init__(self, *, players: int = 1, same_turn_joker: bool = True) -> None:
        if players not in (1, 2, 3, 4):
            raise ValueError(f"players must be 1 to 4, not {players}")
        self.same_turn_joker = same_turn_joker
        self.sheets = [Sheet() for _ in range(players)]
        self.seat = 0
        self.start_turn()
        self.moves = self.find_moves()

    def actor(self) -> int | None:
        if self.phase == "over":
            return None
        if self.phase == "roll":
            return CHANCE
        return self.seat

    def legal(self) -> list[str]:
        return list(self.moves)

    def scores(self) -> list[int]:
        """The sum of the boxes written so far; a box is written when its turn ends."""
        return [sum(sheet.boxes) for sheet in self.sheets]

    def winners(self) -> list[int]:
        if self.phase != "over":
            return []
        totals = self.scores()
        return [seat for seat, total in enumerate(totals) if total == max(totals)]

    def play(self, move: str) -> None:
        if move not in self.moves:
            raise ValueError(f"not a legal move: {move!r}")
        if self.phase == "roll":
            self.play_roll(move)
        elif self.phase == "keep":
            self.play_keep(move)
        else:
            self.play_act(move)
        self.moves = self.find_moves()

    # Which moves there are.

    def find_moves(self) -> list[str]:
        if self.phase == "roll":
            return ROLL_MOVES[DICE - len(self.dice)]
        if self.phase == "keep":
            return ["stop", *keep_moves(self.dice)]
        if self.phase == "act":
            return ["end", *self.trade_moves(), *self.joker_moves(), *self.build_moves()]
        return []

    def trade_moves(self) -> list[str]:
        if self.dice.count(GOLD) < 2:
            return []
        return [f"trade {resource}" for resource in RESOURCES]

    def joker_moves(self) -> list[str]:
        moves = []
        for knight in KNIGHTS:
            if self.has_joker(knight):
                number = knight[1:]
                for face in FACES:
                    for resource in JOKER_GIVES[knight]:
                        if face in self.dice and face != resource:
                            choice = f" {resource}" if knight == "K6" else ""
                            moves.append(f"joker {number} {face}{choice}")
        return moves

    def has_joker(self, knight: str) -> bool:
        """Whether the seat to act may use this knight's joker now."""
        sheet = self.sheets[self.seat]
        if knight not in sheet.built or knight in sheet.used_jokers:
            return False
        return self.same_turn_joker or knight not in self.built_this_turn

    def build_moves(self) -> list[str]:
        places = self.sheets[self.seat].open_places()
        return [name for name in places if contains(self.dice, COST[name[0]])]

    # What they do.

    def start_turn(self) -> None:
        self.phase = "roll"
        self.dice = ""  # the dice kept, and after a roll all that are left
        self.rolls = 0
        self.built_this_turn: list[str] = []

    def play_roll(self, move: str) -> None:
        self.dice = in_order(self.dice + move[1:])
        self.rolls += 1
        self.phase = "keep" if self.rolls < ROLLS else "act"

    def play_keep(self, move: str) -> None:
        if move == "stop":
            self.phase = "act"
        else:
            self.dice = move.removeprefix("keep").strip()
            self.phase = "roll"

    def play_act(self, move: str) -> None:
        word, *rest = move.split()
        sheet = self.sheets[self.seat]
        if word == "end":
            self.end_turn()
        elif word == "trade":
            self.dice = in_order(without(self.dice, GOLD + GOLD) + rest[0])
        elif word == "joker":
            knight, face = "K" + rest[0], rest[1]
            resource = rest[2] if knight == "K6" else JOKER_GIVES[knight]
            self.dice = in_order(without(self.dice, face) + resource)
            sheet.used_jokers.add(knight)
        else:
            self.dice = without(self.dice, COST[word[0]])
            sheet.built.add(word)
            self.built_this_turn.append(word)

    def end_turn(self) -> None:
        total = sum(points(name) for name in self.built_this_turn)
        self.sheets[self.seat].boxes.append(total if self.built_this_turn else CROSS)
        self.seat = (self.seat + 1) % len(self.sheets)
        self.start_turn()
        if all(len(sheet.boxes) == TURNS for sheet in self.sheets):
            self.phase = "over"
