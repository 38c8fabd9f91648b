"""Pictures of what `bench.review` found."""

from pathlib import Path
from typing import Any

INK, FAINT, BLUE, RED = "#22303c", "#c9d1d8", "#2f6f9f", "#c05a3c"


def draw(found: dict[str, Any], folder: Path) -> None:
    """Write losses by level and correlations, the same bytes for the same figures."""
    import matplotlib as mpl

    style: dict[Any, Any] = {
        "font.size": 10,
        "svg.hashsalt": "kwartet",
        "axes.edgecolor": FAINT,
        **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    }
    with mpl.rc_context(style):
        _draw_levels(found, folder / "review-levels.svg")
        _draw_correlations(found, folder / "review-luck.svg")


def _draw_levels(found: dict[str, Any], path: Path) -> None:
    """The mean loss of a decision, level by level."""
    from matplotlib.figure import Figure

    games = {key: told["losses"]["levels"] for key, told in found.items() if "losses" in told}
    figure = Figure(figsize=(2.4 * len(games) + 0.6, 2.6), layout="constrained")
    for axes, (key, levels) in zip(
        figure.subplots(1, len(games), squeeze=False)[0], games.items(), strict=True
    ):
        losses = [each["loss"]["win"] for each in levels.values()]
        errors = [2 * each["error"]["win"] for each in levels.values()]
        axes.errorbar(range(len(levels)), losses, errors, fmt="o-", color=BLUE, capsize=3)
        axes.set_xticks(range(len(levels)), list(levels), rotation=40)
        axes.set_title(key, fontsize=10)
        axes.axhline(0, color=FAINT, lw=0.8)
        axes.spines[["top", "right"]].set_visible(False)
    figure.supylabel("mean loss of a decision (result)", fontsize=9)
    figure.savefig(path, metadata={"Date": None})


def _draw_correlations(found: dict[str, Any], path: Path) -> None:
    """How well results tell the stronger player, with luck and without."""
    from matplotlib.figure import Figure

    games = [key for key, told in found.items() if "luck" in told]
    figure = Figure(figsize=(5.6, 0.7 * len(games) + 1.1), layout="constrained")
    axes = figure.subplots()
    for row, key in enumerate(games):
        told = found[key]["luck"]["points"]
        raw, adjusted = told["correlation of results"], told["correlation without luck"]
        axes.plot([raw, adjusted], [row, row], color=FAINT, lw=3, zorder=1)
        axes.plot(raw, row, "o", color=RED, ms=8, mfc="white", label="results" if not row else "")
        axes.plot(adjusted, row, "o", color=BLUE, ms=8, label="without luck" if not row else "")
    axes.set_yticks(range(len(games)), games)
    axes.set_ylim(len(games) - 0.5, -0.7)
    axes.set_xlabel("correlation of points ahead of the others with strength")
    axes.legend(frameon=False, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})
