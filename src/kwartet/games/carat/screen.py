"""Carat in a terminal: tiles of four coloured quarters, each beside the chip it touches."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kwartet.games.carat.view import CaratView, Chip

LESSON: Final = (
    "Put one tile of your hand on an empty cell beside another tile, turned as you like; "
    "the very first goes on a cell that is not at the edge. Then you draw.",
    "Each quarter of a tile touches the chip at that corner with as many carats as the tile "
    "shows. A chip is settled when all cells around it are full.",
    "At a chip add up the carats of each colour. Sums that two colours share drop out; the "
    "highest that is left wins, even with 0. The prize is the chip's number times the number "
    "of colours that lie there.",
    "After 36 tiles the most points win. c3=5GBRY is the tile of 5 on c3 with green north-west "
    "and then clockwise blue, red, yellow.",
)
COLUMNS: Final = "abcdef"
SIDE: Final = 6
NAMES: Final = {"R": "red", "Y": "yellow", "B": "blue", "G": "green"}
STYLES: Final = {
    "R": "bold white on #b3312c",
    "Y": "bold black on #e0b32c",
    "B": "bold white on #2b5fa8",
    "G": "bold white on #2e7d4f",
}
Line = list[tuple[str, str]]


def screen(view: "CaratView", room: tuple[int, int]) -> list[Line]:
    """Chips at the corners of the cells; a settled one is the small letter of who won it."""
    placed = {tile["cell"]: tile["tile"] for tile in view["tiles"]}
    lines: list[Line] = [[("  " + "".join(f"    {name}   " for name in COLUMNS), "dim")]]
    for row in range(SIDE + 1):
        chips = view["chips"][row * 7 : row * 7 + 7]
        lines.append([("  ", "")])
        for number, chip in enumerate(chips):
            lines[-1] += [(" " * 7, "")] * (number > 0) + [_chip(chip)]
        if row == SIDE:
            break
        for half in range(2):
            lines.append([(f"{row + 1} " if half == 0 else "  ", "dim")])
            for name in COLUMNS:
                cell = f"{name}{row + 1}"
                lines[-1].append((" ", ""))
                lines[-1] += _half(placed.get(cell), half, view["last"] == cell)
    return lines


def notes(view: "CaratView") -> list[Line]:
    """Hands, the stock, and what the last tile settled."""
    lines: list[Line] = []
    for seat, hand in enumerate(view["hands"]):
        if isinstance(hand, int):
            lines.append([(f"Seat {seat}: {hand} {'tile' if hand == 1 else 'tiles'}.", "")])
            continue
        lines.append([(f"Seat {seat} holds", "")])
        for tile in hand:
            lines[-1] += [(f" {tile[0]}", "bold"), *_letters(tile[1:])]
        lines[-1].append(("." if hand else " nothing.", ""))
    lines.append([(f"Stock: {view['stock']} tiles.", "")])
    return [*lines, *(_settled(view["chips"][point]) for point in view["settled_last"])]


def spoken(view: "CaratView") -> list[str]:
    """Tiles by row, chips with their point's corners, and the rest."""
    told = [f"{_named(tile['tile'])} on {tile['cell']}" for tile in view["tiles"]]
    sentences = [f"Tiles: {'; '.join(told)}." if told else "No tile lies yet."]
    for row in range(SIDE + 1):
        chips = view["chips"][row * 7 : row * 7 + 7]
        words = [f"{_corner(row, column)} {_state(chip)}" for column, chip in enumerate(chips)]
        sentences.append(f"Chips, line {row + 1} of 7: {', '.join(words)}.")
    return sentences


def _chip(chip: "Chip") -> tuple[str, str]:
    if not chip["settled"]:
        return str(chip["value"]), "bold"
    return (chip["winner"].lower(), STYLES[chip["winner"]]) if chip["winner"] else ("-", "dim")


def _settled(chip: "Chip") -> Line:
    """What became of a chip, in short."""
    if chip["winner"] is None:
        return [(f"Chip {chip['value']} goes to nobody.", "")]
    winner = (NAMES[chip["winner"]], STYLES[chip["winner"]])
    return [(f"Chip {chip['value']}: ", ""), winner, (f" wins {chip['prize']}.", "")]


def _half(tile: str | None, half: int, is_last: bool) -> Line:
    """The upper or lower half of a cell, seven columns wide."""
    if tile is None:
        return [("   ·   " if half == 0 else " " * 7, "dim")]
    left, right = (tile[1], tile[2]) if half == 0 else (tile[4], tile[3])  # clockwise
    carats = tile[0] if half == 0 else " "
    marked = "bold reverse" if is_last else "bold"
    return [(f" {left} ", STYLES[left]), (carats, marked), (f" {right} ", STYLES[right])]


def _letters(letters: str) -> Line:
    return [(letter, STYLES[letter]) for letter in letters]


def _named(tile: str) -> str:
    return f"{tile[0]} {' '.join(NAMES[letter] for letter in tile[1:])}"


def _corner(row: int, column: int) -> str:
    """A point by a cell it is a corner of."""
    down, right = row == SIDE, column == SIDE
    cell = f"{COLUMNS[min(column, SIDE - 1)]}{min(row, SIDE - 1) + 1}"
    return f"{'south' if down else 'north'}-{'east' if right else 'west'} of {cell}"


def _state(chip: "Chip") -> str:
    if not chip["settled"]:
        sums = [f"{NAMES[letter]} {carats}" for letter, carats in chip["sums"].items() if carats]
        return f"{chip['value']}" + (f" with {' and '.join(sums)}" if sums else "")
    return f"won by {NAMES[chip['winner']]}" if chip["winner"] else "won by nobody"
