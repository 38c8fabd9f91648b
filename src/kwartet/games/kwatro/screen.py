"""Kwatro in a terminal: cards in their colours, with as many shapes as their number says.

A field grows; what does not fit is left out around the last play, and a note says so.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kwartet.games.kwatro.view import KwatroView

LESSON: Final = (
    "Lay one to four cards in one row or column, at least one beside the field. In each line of "
    "at most four, colour, shape and number are each all alike or all different. A joker J "
    "stands for any card.",
    "Lay card by card: RS3@2,-1 is the red square of 3 at column 2, row -1 from the start card. "
    "Type done when the play is complete.",
    "A play scores the numbers of all lines it made or made longer; it doubles for each line of "
    "four, for four cards at once, and for the end of the match.",
    "Or pass, with cards to put under the pile for new ones: pass GT1 RS3. A turn may begin with "
    "swap YC2@1,0: that card for the joker there.",
)
SHAPES: Final = {"S": "■", "C": "●", "T": "▲", "X": "✚"}
STYLES: Final = {
    "R": "bold white on #a8322d",
    "G": "bold white on #2c7a4b",
    "B": "bold white on #2a5ca3",
    "Y": "bold black on #dcb02b",
    "J": "bold white on #6b4a8f",
}
COLOURS: Final = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
FORMS: Final = {"S": "square", "C": "circle", "T": "triangle", "X": "cross"}
LABEL: Final = 4  # columns before the first card
WIDTH: Final = 5  # columns of a card, one of them a gap
Line = list[tuple[str, str]]


def screen(view: "KwatroView", room: tuple[int, int]) -> list[Line]:
    """Two rows a card where there is room, else one."""
    cards = {(laid["x"], laid["y"]): laid["card"] for laid in view["field"]}
    if not cards:
        return [[("No card lies yet.", "")]]
    fresh = _fresh(view)
    columns = _window([x for x, _ in cards], [x for x, _ in fresh], (room[0] - LABEL) // WIDTH)
    ys, focus = [y for _, y in cards], [y for _, y in fresh]
    tall = 2 * (max(ys) - min(ys) + 3) + 1 <= room[1]
    rows = _window(ys, focus, (room[1] - 1) // (2 if tall else 1))
    lines: list[Line] = [[(" " * LABEL + "".join(f"{x:^{WIDTH}}" for x in columns), "dim")]]
    for y in rows:
        for part in range(1 + tall):
            lines.append([(f"{y:>3} " if part == 0 else " " * LABEL, "dim")])
            for x in columns:
                lines[-1] += _cell(cards.get((x, y)), part, (x, y) in fresh)
    if unseen := sum(x not in columns or y not in rows for x, y in cards):
        lines[-1] = [(f"{unseen} cards lie outside of this part of the field.", "bold")]
    return lines


def notes(view: "KwatroView") -> list[Line]:
    """Hands, the pile, and the play."""
    from kwartet.games.kwatro.view import explained

    lines: list[Line] = []
    for seat, hand in enumerate(view["hands"]):
        lines.append([(f"Seat {seat} holds ", "")])
        if isinstance(hand, int):
            lines[-1].append((f"{hand} hidden cards.", ""))
        elif not hand:
            lines[-1].append(("nothing.", ""))
        for card in hand if isinstance(hand, list) else ():
            lines[-1] += [(card, STYLES[card[0]]), (f"{_pips(card)} ", "")]
    lines.append([(f"Pile: {view['pile']} cards.", "")])
    if play := view["play"]:
        lines.append([(f"This play so far: {explained(play)}", "bold")])
    if play := view["last_play"]:
        lines.append([(f"Last play, by seat {play['seat']}: {explained(play)}", "")])
    return lines


def spoken(view: "KwatroView") -> list[str]:
    """The field row by row from the top, with each card's column."""
    rows: dict[int, list[str]] = {}
    for laid in sorted(view["field"], key=lambda each: (each["y"], each["x"])):
        rows.setdefault(laid["y"], []).append(f"column {laid['x']} {_named(laid['card'])}")
    return [
        "Rows and columns count from the start card; rows grow downwards.",
        *(f"Row {y}: {', '.join(cards)}." for y, cards in rows.items()),
    ]


def _fresh(view: "KwatroView") -> set[tuple[int, int]]:
    """The cells of the play that is laid now, or was last."""
    play = view["play"] or view["last_play"]
    return {(x, y) for x, y in play["cells"]} if play else set()


def _window(taken: list[int], focus: list[int], most: int) -> range:
    """As many columns or rows as there is room for, around what was laid last."""
    low, high = min(taken) - 1, max(taken) + 1
    most = max(most, 1)
    if high - low + 1 <= most:
        return range(low, high + 1)
    around = focus or taken
    first = (min(around) + max(around)) // 2 - most // 2
    first = max(low, min(first, high - most + 1))
    return range(first, first + most)


def _cell(card: str | None, part: int, is_fresh: bool) -> Line:
    if card is None:
        return [("  ·  " if part == 0 else " " * WIDTH, "dim")]
    text = f"{card:^4}" if card == "J" else f"{card} "
    return [
        (text if part == 0 else f"{_pips(card):<4}", STYLES[card[0]]),
        ("‹" if is_fresh and part == 0 else " ", "bold"),
    ]


def _pips(card: str) -> str:
    return "?" if card == "J" else SHAPES[card[1]] * int(card[2])


def _named(card: str) -> str:
    return "joker" if card == "J" else f"{COLOURS[card[0]]} {FORMS[card[1]]} {card[2]}"
