"""The Catan dice game in a terminal: the island with its roads and sites, one sheet at a time."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kwartet.games.catan_dice.view import CatanDiceView, Sheet

LESSON: Final = (
    "A turn is up to three rolls of six dice: keep oogg sets four aside and rolls the rest, "
    "stop lets all stand. o g w t b $ are ore, grain, wool, timber, brick, gold.",
    "Then build what the dice pay: a road R (timber, brick), a knight K (ore, grain, wool), a "
    "settlement S (timber, brick, wool, grain), a city C (three ore, two grain). Each row from "
    "the cheapest up, along the roads; end closes the turn.",
    "Two gold become anything: trade b. Each knight turns one die once: joker 3 $ makes a gold "
    "die wool, joker 6 $ o an ore.",
    "Points go into the turn's box; a turn without anything built costs 2. After 15 turns the "
    "highest sum wins.",
)
STYLES: Final = {
    "o": "bold white on #66727d",
    "g": "bold black on #e2a91c",
    "w": "bold black on #cfe0a5",
    "t": "bold white on #2f6440",
    "b": "bold white on #a34d2a",
    "$": "bold black on #ffd75f",
}
BUILT, NEXT, LOCKED = "bold black on #d7a46a", "bold", "dim"
PLACES: Final = {  # column and row of the middle of each name, as on the printed island
    "R0": (11, 3),
    "R1": (6, 5),
    "R2": (15, 5),
    "R3": (20, 7),
    "R4": (15, 9),
    "R5": (24, 9),
    "R6": (33, 9),
    "R7": (42, 9),
    "R8": (46, 11),
    "R9": (42, 13),
    "R10": (33, 13),
    "R11": (24, 13),
    "R12": (50, 9),
    "R13": (55, 7),
    "R14": (50, 5),
    "R15": (46, 3),
    "S3": (11, 1),
    "S4": (20, 5),
    "S5": (28, 10),
    "S7": (46, 10),
    "S9": (37, 14),
    "S11": (20, 14),
    "C7": (2, 5),
    "C12": (11, 10),
    "C20": (55, 5),
    "C30": (46, 1),
    "K1": (17, 3),
    "K2": (8, 7),
    "K3": (17, 11),
    "K4": (34, 11),
    "K5": (43, 7),
    "K6": (34, 3),
}
TIES: Final = {  # lines between names that do not touch
    (15, 0): "start",
    (13, 0): "/",
    (11, 2): "|",
    (9, 4): "/",
    (13, 4): "\\",
    (20, 6): "|",
    (18, 8): "/",
    (22, 8): "\\",
    (44, 12): "/",
    (53, 8): "/",
    (55, 6): "|",
    (48, 4): "\\",
    (46, 2): "|",
}
JOKERS: Final = ("ore", "grain", "wool", "timber", "brick", "any")  # by knight
HEIGHT: Final = 15
Line = list[tuple[str, str]]


def screen(view: "CatanDiceView", room: tuple[int, int]) -> list[Line]:
    """The island of who acts: [R0] is built, <R1> has its road, the rest waits.

    Where there is no room for it, a line for each kind of building.
    """
    sheet = view["sheets"][_shown(view)]
    marks = _marks(sheet)
    if room[1] < HEIGHT:
        return [[marks[name] for name in PLACES if name[0] == kind] for kind in "RSCK"]
    rows: list[list[tuple[int, str, str]]] = [[] for _ in range(HEIGHT)]
    for (column, row), text in TIES.items():
        rows[row].append((column, text, "dim"))
    for name, (middle, row) in PLACES.items():
        text, style = marks[name]
        rows[row].append((middle - len(text) // 2, text, style))
        if name.startswith("K"):
            rows[row].append((middle + 3, JOKERS[int(name[1]) - 1], "dim"))
    return [_line(sorted(row)) for row in rows]


def notes(view: "CatanDiceView") -> list[Line]:
    """The dice, the turn, and every sheet in short."""
    from kwartet.games.catan_dice.why import FACE_NAMES

    dice: Line = [("Dice: ", "bold")]
    for face in view["dice"]:
        dice += [(f" {face} {FACE_NAMES[face]} ", STYLES[face]), (" ", "")]
    left = view["rolls_left"]
    rolls = f" {left} more {'roll' if left == 1 else 'rolls'}." if left else ""
    gained = f" Built this turn: {view['gained']}." if view["gained"] else ""
    lines = [
        dice if view["dice"] else [("No dice lie.", "")],
        [(f"Turn {view['turn']} of 15, {view['phase']}.{rolls}{gained}", "")],
    ]
    for seat, sheet in enumerate(view["sheets"]):
        boxes = " ".join("x" if points < 0 else str(points) for points in sheet["boxes"])
        jokers = ", ".join(JOKERS[number - 1] for number in sheet["jokers"])
        done = f"boxes {boxes or 'empty'}" if seat == _shown(view) else _counted(sheet)
        lines.append([(f"Seat {seat}: {done}; jokers {jokers or 'none'}.", "")])
    return lines


def spoken(view: "CatanDiceView") -> list[str]:
    """What each seat has built, and what has its road."""
    sentences = []
    for seat, sheet in enumerate(view["sheets"]):
        reachable = sorted(_reachable(sheet), key=list(PLACES).index)
        sentences.append(
            f"Seat {seat} has built {', '.join(_listed(sheet)) or 'nothing'}; "
            f"next can be {', '.join(reachable) or 'nothing'}."
        )
    return sentences


def _shown(view: "CatanDiceView") -> int:
    """Whose island is drawn: who acts, else who looks, else the first."""
    told: dict[str, object] = {**view}
    for who in (told.get("actor"), told.get("seat")):
        if isinstance(who, int) and 0 <= who < len(view["sheets"]):
            return who
    return 0


def _listed(sheet: "Sheet") -> list[str]:
    return sheet["roads"] + sheet["settlements"] + sheet["cities"] + sheet["knights"]


def _counted(sheet: "Sheet") -> str:
    """What is built, in few words."""
    kinds = {name: len(sheet[name]) for name in ("roads", "settlements", "cities", "knights")}
    return ", ".join(f"{count} {name}" for name, count in kinds.items() if count) or "nothing built"


def _marks(sheet: "Sheet") -> dict[str, tuple[str, str]]:
    """Each name as it is written: built, with its road, or neither."""
    built, reachable = _listed(sheet), _reachable(sheet)
    return {
        name: (f"[{name}]", BUILT)
        if name in built
        else (f"<{name}>", NEXT)
        if name in reachable
        else (f" {name} ", LOCKED)
        for name in PLACES
    }


def _reachable(sheet: "Sheet") -> set[str]:
    """What only dice are missing for."""
    from kwartet.games.catan_dice.notation import SITE_NAMES
    from kwartet.games.catan_dice.tables import CITY_ROADS, ROAD_PARENTS, SETTLEMENT_ROADS

    roads = {-1, *(int(road[1:]) for road in sheet["roads"])}
    found = {
        f"R{road}"
        for road, parent in enumerate(ROAD_PARENTS.tolist())
        if parent in roads and road not in roads
    }
    for letter, needs, count in (
        ("S", SETTLEMENT_ROADS.tolist(), len(sheet["settlements"])),
        ("C", CITY_ROADS.tolist(), len(sheet["cities"])),
        ("K", [-1] * 6, len(sheet["knights"])),
    ):
        names = [name for name in SITE_NAMES if name.startswith(letter)]
        if count < len(names) and needs[count] in roads:
            found.add(names[count])
    return found


def _line(pieces: list[tuple[int, str, str]]) -> Line:
    """Pieces at their columns, from the left."""
    line: Line = []
    end = 0
    for column, text, style in pieces:
        line += [(" " * (column - end), ""), (text, style)]
        end = max(column, end) + len(text)
    return line
