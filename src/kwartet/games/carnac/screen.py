"""Carnac in a terminal: blocks of red and white; capitals stand and have their side beside them."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kwartet.games.carnac.view import CarnacView, Stone

COUNTED: Final = "dolmen"
LESSON: Final = (
    "Stand a stone on an empty square: c3wr is white on top and red to the east and west; its "
    "north and south faces have the other colour.",
    "If it can fall, the other decides: tilt N, E, S or W, or stand. It falls on the next two "
    "squares, which must be empty, and shows the face that lies on top. Who tilts places next; "
    "who lets it stand leaves the next stone to the other.",
    "After 28 stones, or when the board is full, three or more squares of one colour side by "
    "side are a dolmen. More dolmens win; if as many, the larger ones.",
)
STYLES: Final = {"r": "bold white on #a5352b", "w": "bold black on #e6e1d3"}
NAMES: Final = {"r": "red", "w": "white"}
WIDTH: Final = 4  # columns of a square
Line = list[tuple[str, str]]


def screen(view: "CarnacView", room: tuple[int, int]) -> list[Line]:
    """Two rows a square where there is room, else one."""
    stones = {square: stone for stone in view["stones"] for square in stone["squares"]}
    names = [chr(ord("a") + column) for column in range(view["columns"])]
    high = 2 if 2 * view["rows"] + 2 <= room[1] else 1
    lines: list[Line] = [[("   " + "".join(f" {name}  " for name in names), "dim")]]
    for row in range(1, view["rows"] + 1):
        for part in range(high):
            lines.append([(f"{row:>2} " if part == 0 else "   ", "dim")])
            for name in names:
                square = f"{name}{row}"
                is_new = square == view["tilting"]
                lines[-1] += _square(stones.get(square), part, is_new)
    return [*lines, [("   Rw: stands, sides w; r: lies", "dim")]]


def notes(view: "CarnacView") -> list[Line]:
    """Dolmens, stones left, and how the newest would fall."""
    lines: list[Line] = []
    for seat, letter in enumerate("rw"):
        sizes = [len(each["squares"]) for each in view["dolmens"] if each["seat"] == seat]
        sized = f"dolmens of {', '.join(map(str, sizes))}" if sizes else "no dolmen yet"
        lines.append([(f" {NAMES[letter]} ", STYLES[letter]), (f" seat {seat}: {sized}", "")])
    lines.append([(f"Stones left: {view['stock']}.", "")])
    lines += [[(sentence, "bold")] for sentence in falling(view)]
    return lines


def spoken(view: "CarnacView") -> list[str]:
    """Every stone by its squares."""
    standing = [_standing(stone) for stone in view["stones"] if stone["side"]]
    lying = [
        f"{NAMES[stone['colour']]} on {' and '.join(stone['squares'])}"
        for stone in view["stones"]
        if not stone["side"]
    ]
    return [
        f"The board has columns a to {chr(ord('a') + view['columns'] - 1)} "
        f"and rows 1 to {view['rows']}.",
        f"Standing: {'; '.join(standing) or 'none'}.",
        f"Lying: {'; '.join(lying) or 'none'}.",
        *(
            f"A dolmen of seat {each['seat']}: {', '.join(each['squares'])}."
            for each in view["dolmens"]
        ),
    ]


def falling(view: "CarnacView") -> list[str]:
    """How the stone to decide about would fall, if there is one."""
    if not view["tilting"]:
        return []
    stone = next(each for each in view["stones"] if each["squares"] == [view["tilting"]])
    across, along = ("red", "white") if stone["side"] == "r" else ("white", "red")
    return [
        f"The stone on {view['tilting']} shows {across} when it falls E or W, "
        f"{along} when it falls N or S."
    ]


def _square(stone: "Stone | None", part: int, is_new: bool) -> Line:
    if stone is None:
        return [(" ·  " if part == 0 else " " * WIDTH, "dim")]
    colour, side = stone["colour"], stone["side"]
    if part == 1:
        return [(" ▲ " if is_new else "   ", STYLES[colour]), (" ", "")]
    label = f" {colour.upper()}{side}" if side else f" {colour} "
    return [(label, STYLES[colour]), ("‹" if is_new else " ", "bold")]


def _standing(stone: "Stone") -> str:
    side = NAMES[stone["side"] or ""]
    return f"{stone['squares'][0]} {NAMES[stone['colour']]} on top, {side} to the east and west"
