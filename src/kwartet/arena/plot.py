"""A picture of an arena: ratings with their intervals, and who beats whom."""

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kwartet.arena.report import Report
from kwartet.games import find

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, FAINT, BLUE, RED = "#22303c", "#c9d1d8", "#2f6f9f", "#c05a3c"
LONGEST: Final = 22  # letters of a bot's name


def can_draw() -> bool:
    """Whether what draws plots is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(found: Report, path: Path) -> None:
    """Write the picture as its file's name says, .svg or .png; the same data, the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    count = len(found.standings)
    height = 1.7 + 0.6 * max(2, count)
    style: dict[Any, Any] = {
        "font.size": 10,
        "svg.hashsalt": "kwartet",
        "axes.edgecolor": FAINT,
        **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    }
    with mpl.rc_context(style):
        figure = Figure(figsize=(6.6 + 0.85 * count, height), layout="constrained")
        figure.suptitle(_title(found), fontsize=12, fontweight="bold", x=0.01, ha="left")
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(5, 0.9 + 0.85 * count))
        names = _labels([standing.bot for standing in found.standings])
        _draw_ratings(left, found, names)
        _draw_meetings(right, found, names)
        figure.savefig(path, dpi=160, metadata={"Date": None} if path.suffix == ".svg" else None)


def _title(found: Report) -> str:
    game = find(found.plan.game).title
    matches = f"{found.played} matches" if found.played != 1 else "1 match"
    return f"{game}: {matches}"


def _draw_ratings(axes: "Axes", found: Report, names: list[str]) -> None:
    """A dot and its interval for each bot, the best on top."""
    rows = range(len(found.standings))
    for row, standing in zip(rows, found.standings, strict=True):
        elo = standing.elo
        axes.plot([elo.low, elo.high], [row, row], color=BLUE, lw=6, alpha=0.3, zorder=2)
        axes.plot(elo.rating, row, "o", color=BLUE, ms=8, zorder=3)
        axes.annotate(
            f"{elo.rating:.0f} ± {elo.high - elo.rating:.0f}",
            (elo.rating, row),
            xytext=(0, 10),
            textcoords="offset points",
            ha="center",
            fontsize=9,
        )
    axes.set_yticks(rows, names)
    axes.set_xlabel("Elo, with the interval that holds 95 %")
    axes.grid(axis="x", color=FAINT, lw=0.6)
    axes.margins(x=0.12)
    _bare(axes, keep="bottom")


def _draw_meetings(axes: "Axes", found: Report, names: list[str]) -> None:
    """The row's share of the points against the column; the rows are those of the ratings."""
    from matplotlib.colors import LinearSegmentedColormap

    bots = [standing.bot for standing in found.standings]
    shares = {(each.bot, each.other): each for each in found.meetings}
    colours = LinearSegmentedColormap.from_list("shares", [RED, "#f7f5f2", BLUE], bad="#eef1f3")
    table: list[list[Any]] = [
        [shares[bot, other].share if (bot, other) in shares else float("nan") for other in bots]
        for bot in bots
    ]
    axes.imshow(table, cmap=colours.with_extremes(bad="#eef1f3"), vmin=0, vmax=1, aspect="auto")
    for row, bot in enumerate(bots):
        for column, other in enumerate(bots):
            if (bot, other) in shares:
                meeting = shares[bot, other]
                far = abs(meeting.share - 0.5) > 0.33
                text = f"{meeting.share:.0%}"
                if meeting.error is not None:
                    text += f"\n± {meeting.error:.1%}"
                ink = "white" if far else INK
                axes.text(column, row, text, ha="center", va="center", color=ink, fontsize=8.5)
    turned = {"rotation": 30, "ha": "left"} if max(map(len, names)) > 8 else {}
    axes.set_xticks(range(len(bots)), names, **turned)  # type: ignore[arg-type]
    axes.set_ylim(len(bots) - 0.5, -0.5)
    axes.xaxis.tick_top()
    axes.set_xlabel("row's share of the points, ± standard error")
    axes.set_xticks([edge - 0.5 for edge in range(1, len(bots))], minor=True)
    axes.set_yticks([edge - 0.5 for edge in range(1, len(bots))], minor=True)
    axes.grid(which="minor", color="white", lw=2)
    _bare(axes, keep=None)
    axes.tick_params(labelleft=False)


def _bare(axes: "Axes", keep: str | None) -> None:
    axes.tick_params(which="both", length=0)
    for side, spine in axes.spines.items():
        spine.set_visible(side == keep)


def _labels(bots: list[str]) -> list[str]:
    """Names short enough for a picture: of `module:Class` the class, if that tells them apart."""
    short = [name.rpartition(":")[2] for name in bots]
    names = short if len(set(short)) == len(bots) else bots
    return [name if len(name) <= LONGEST else "…" + name[1 - LONGEST :] for name in names]
