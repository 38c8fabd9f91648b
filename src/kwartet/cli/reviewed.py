"""A review in the terminal: a table of decisions, the luck, the accounts and the graph."""

from collections.abc import Sequence
from typing import Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from kwartet.cli.terminal import console
from kwartet.reviews.graph import shown, values
from kwartet.reviews.review import Decision, Review, Worth

SIGNS: Final = {"best": "★", "fine": "✓", "slip": "▽", "mistake": "▼", "blunder": "▼▼"}
BLOCKS: Final = " ▁▂▃▄▅▆▇█"
COLUMNS: Final = 72  # of the graph at most
ROWS: Final = 3  # of a seat's line


def show(review: Review, names: Sequence[str] = ()) -> None:
    """Print all of it; players whose names are not told have numbers."""
    named = _named(review, names)
    console.print(_decisions(review, named))
    if review.chances:
        console.print(_chances(review, named))
    console.print(_accounts(review, named))
    console.print(graph(review, names))
    exact = sum(each.exact for each in review.decisions)
    if not review.ended:
        console.print("It was broken off: the result is what could be expected at last.")
    console.print(
        f"{review.title}: {len(review.decisions)} decisions judged, {exact} of them exactly. "
        f"Figures are {_unit(review)}; see docs/review.md.",
        markup=False,
        highlight=False,
        soft_wrap=False,
    )


def loss_text(review: Review, each: Decision) -> str:
    """What is thought of a decision, as a sentence or two."""
    if each.best == each.move or each.verdict == "best":
        return f"{SIGNS[each.verdict]} {each.verdict}."
    worse = f"{_figure(review, each.loss)} {_unit(review)}"
    return f"{SIGNS[each.verdict]} {each.verdict}. {each.best} is better by {worse}."


def _named(review: Review, names: Sequence[str]) -> list[str]:
    """Who played, by seat."""
    told = [*names, *[""] * review.players][: review.players]
    return [name or f"Player {number}" for number, name in enumerate(told, 1)]


def graph(review: Review, names: Sequence[str] = ()) -> Group:
    """What each seat could expect, from the first ply to the last, in block characters."""
    lines, named = values(review), _named(review, names)
    known = [value for line in lines for value in line if value is not None]
    low, high = (0.0, 100.0) if review.scale == "win" else (min(known) - 1, max(known) + 1)
    return Group(
        *(
            Text(row)
            for seat, line in enumerate(lines)
            for row in _strip(named[seat], line, low, high, max(8, *map(len, named)))
        )
    )


def _strip(name: str, line: list[float | None], low: float, high: float, margin: int) -> list[str]:
    """One seat's line as a few rows of blocks, with its ends beside it."""
    room = max(10, min(COLUMNS, console.width - margin - 8))  # the last figure stands behind it
    step = max(1, -(-len(line) // room))
    picked = [*line[:-1:step], line[-1]]
    heights = [
        None if value is None else round((value - low) / (high - low) * 8 * ROWS)
        for value in picked
    ]
    rows = []
    for row in range(ROWS - 1, -1, -1):
        cells = "".join(
            "·" if height is None else BLOCKS[max(0, min(8, height - 8 * row))]
            for height in heights
        )
        label = (f"{high:.0f}", name, f"{low:.0f}")[ROWS - 1 - row]
        end = f" {line[-1]:.1f}" if row == 0 and line[-1] is not None else ""
        rows.append(f"{label:>{margin}} {cells}{end}")
    return rows


def _decisions(review: Review, names: list[str]) -> Table:
    table = _table(f"Decisions ({_unit(review)})")
    table.add_column("Ply", justify="right")
    for heading in ("Who", "Played", "Best"):
        table.add_column(heading)
    for heading in ("Loss", "±"):
        table.add_column(heading, justify="right")
    table.add_column("Verdict")
    for each in review.decisions:
        table.add_row(
            str(each.ply),
            Text(names[each.seat]),
            Text(each.move),
            Text("" if each.best == each.move else each.best),
            _figure(review, each.loss),
            "exact" if each.exact else _figure(review, each.error),
            f"{SIGNS[each.verdict]} {each.verdict}",
        )
    return table


def _chances(review: Review, names: list[str]) -> Table:
    """The strongest strokes of luck."""
    table = _table(f"Luck, where it was greatest ({_unit(review)})")
    table.add_column("Ply", justify="right")
    table.add_column("Outcome")
    for name in names:
        table.add_column(Text(name), justify="right")
    scale = review.scale
    strongest = sorted(
        review.chances, key=lambda each: -max(abs(getattr(luck, scale)) for luck in each.luck)
    )
    for each in sorted(strongest[:10], key=lambda each: each.ply):
        outcome = each.outcome if len(each.outcome) <= 24 else each.outcome[:23] + "…"
        table.add_row(str(each.ply), Text(outcome), *(_figure(review, luck) for luck in each.luck))
    return table


def _accounts(review: Review, names: list[str]) -> Table:
    """A column for each seat; what is added up stands in the order in which it is."""
    table = _table(f"start + luck + own + others + unexplained = result ({_unit(review)})")
    table.add_column("")
    accounts = review.seats
    for account in accounts:
        table.add_column(Text(names[account.seat]), justify="right")
    for name in ("start", "luck", "own", "others", "unexplained", "result", "adjusted"):
        worths = [getattr(account, name) for account in accounts]
        is_sum = name in ("start", "result", "adjusted")
        table.add_row(
            name,
            *(
                f"{shown(worth, review.scale, review.players):.2f}"
                if is_sum
                else _figure(review, worth)
                for worth in worths
            ),
        )
    marks = ["–" if each.accuracy is None else f"{each.accuracy:.0f}" for each in accounts]
    table.add_row("accuracy", *marks)
    for word, sign in SIGNS.items():
        table.add_row(f"{sign} {word}", *(str(account.verdicts[word]) for account in accounts))
    return table


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left")


def _unit(review: Review) -> str:
    return "points" if review.scale == "points" else "% of the chance to win"


def _figure(review: Review, worth: Worth) -> str:
    """A difference in points, or in per cent of the chance to win."""
    none = shown(Worth(0.0, 0.0), review.scale, review.players)
    return f"{shown(worth, review.scale, review.players) - none:.2f}"
