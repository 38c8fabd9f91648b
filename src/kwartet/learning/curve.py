"""A picture of training: how well priors fit, and how the new did against the old."""

from pathlib import Path
from typing import Any

from kwartet.arena.plot import BLUE, FAINT, INK, RED
from kwartet.learning.training import Training


def draw(training: Training, path: Path) -> None:
    """Write the picture as its file's name says, .svg or .png."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {"font.size": 10, "svg.hashsalt": "kwartet", "text.color": INK}
    rounds = training.rounds
    with mpl.rc_context(style):
        figure = Figure(figsize=(9, 3.6), layout="constrained")
        figure.suptitle(
            f"{training.game.title}: what self-play taught the prior",
            fontsize=12,
            fontweight="bold",
            x=0.01,
            ha="left",
        )
        left, right = figure.subplots(1, 2)
        for found in rounds:
            shade = 0.3 + 0.7 * found.number / len(rounds)
            left.plot(range(1, len(found.losses) + 1), found.losses, color=BLUE, alpha=shade)
            left.annotate(
                f" round {found.number}", (len(found.losses), found.losses[-1]), va="center"
            )
        left.margins(x=0.2)
        left.xaxis.get_major_locator().set_params(integer=True)
        left.set_xlabel("times through the lessons")
        left.set_ylabel("nats short of the search")
        for found in rounds:
            colour = BLUE if found.kept else RED
            right.errorbar(found.number, found.score, 1.96 * found.error, fmt="o", color=colour)
        right.axhline(0.5, color=FAINT)
        right.set_ylim(0, 1)
        right.set_xticks([found.number for found in rounds])
        right.set_xlabel("round")
        right.set_ylabel("score against the prior before, 95 %")
        for axes in (left, right):
            axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, dpi=160, metadata={"Date": None} if path.suffix == ".svg" else None)
