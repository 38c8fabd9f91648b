"""The measurements as Markdown in docs/benchmarks.md, and as a plot."""

from pathlib import Path
from typing import Any, Final

from bench.engine import TARGETS
from bench.machine import Spread

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs/benchmarks.md"
PLOT: Final = ROOT / "docs/pictures/bench.svg"
NAMES: Final = ("Kwartet", "OpenSpiel", "PettingZoo", "pgx", "boardgame.io")
INK, FAINT, BLUE, RED = "#22303c", "#c9d1d8", "#2f6f9f", "#c05a3c"


def engine_table(rows: list[dict[str, Any]]) -> str:
    """Rates a CPU-second, and how many times as fast Kwartet is as the peer of the target."""
    lines = [
        f"| same work, a CPU-second | {' | '.join(NAMES)} "
        "| target | ratio, CPU time | ratio, wall time |",
        "|---|" + "---:|" * (len(NAMES) + 3),
    ]
    for row in rows:
        rates = row["rates"]["cpu"]
        cells = [str(Spread(**rates[name])) if name in rates else "–" for name in NAMES]
        peer, wanted = TARGETS.get(row["work"], ("pgx", None))
        target = f"≥ {wanted}× {peer}" if wanted else "–"
        ratios = [_ratio(row["ratios"][clock][peer]) for clock in ("cpu", "wall")]
        lines.append(f"| {row['work']} | {' | '.join(cells)} | {target} | {' | '.join(ratios)} |")
    return "\n".join(lines)


def scaling_table(rows: list[dict[str, Any]]) -> str:
    """Steps a second of a batch by its size and threads."""
    lines = ["| lanes | threads | steps a second | steps a CPU-second |", "|---:|---:|---:|---:|"]
    for row in rows:
        wall, cpu = Spread(**row["wall"]), Spread(**row["cpu"])
        lines.append(f"| {row['size']:,} | {row['threads']} | {wall} | {cpu} |")
    return "\n".join(lines)


def footprint_table(rows: list[dict[str, Any]]) -> str:
    """What the libraries cost before they do anything."""
    lines = [
        "| library | installed, MB | a start, CPU seconds | the first start ever |",
        "|---|---:|---:|---:|",
    ]
    for row in rows:
        first = f"{row['first_start']:.1f}" if "first_start" in row else "the same"
        lines.append(
            f"| {row['library']} | {row['megabytes']:.0f} | {row['start']:.2f} | {first} |"
        )
    return "\n".join(lines)


def strength_table(rows: list[dict[str, Any]]) -> str:
    """Games at equal time against OpenSpiel's search."""
    lines = [
        "| bot | games | won, drawn, lost | share | 95 % interval "
        "| seconds a move | simulations a move |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        mine, other = row["product"], row["peer"]
        low, high = row["interval"]
        lines.append(
            f"| {row['bot']}@{row['seconds']:g}s | {row['games']} "
            f"| {row['won']}, {row['drawn']}, {row['lost']} "
            f"| {row['share']:.1%} | {low:.1%}–{high:.1%} "
            f"| {mine['seconds_a_move']:.4f} to {other['seconds_a_move']:.4f} "
            f"| {mine['simulations_a_move']:,} to {other['simulations_a_move']:,} |"
        )
    return "\n".join(lines)


def circumstances(found: dict[str, Any]) -> str:
    """What it was measured on, and what the controls said."""
    here = found["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in here["versions"].items())
    agreed = "; ".join(
        f"{control['name']} {control['product']:,.6g} and {control['peer']:,.6g}"
        for control in found["controls"]
    )
    return (
        f"Medians of {found['rounds']} rounds (quartiles). {here['processor']}, "
        f"{here['cores']} cores; Python {here['python']}, {versions}; "
        f"load {found['load_before'][0]} before and {found['load_after'][0]} after. "
        f"Controls that agree: {agreed}; and {found['replayed']} games that all libraries "
        "replay with the same legal moves and results."
    )


def _ratio(told: dict[str, float]) -> str:
    return f"{told['ratio']:.1f} ({told['low']:.1f}–{told['high']:.1f})"


def write(found: dict[str, Any]) -> None:
    """Put the tables where the page marks their places, and draw the plot."""
    page = PAGE.read_text()
    parts = {
        "engine": engine_table(found["engine"]),
        "scaling": scaling_table(found["scaling"]),
        "footprint": footprint_table(found["footprint"]),
        "strength": strength_table(found["strength"]),
        "circumstances": circumstances(found),
    }
    for name, text in parts.items():
        opening, closing = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = page.partition(opening)
        _, found_end, after = rest.partition(closing)
        assert found_end, f"{PAGE.name} has no place for {name}"
        page = f"{before}{opening}{text}\n{closing}{after}"
    PAGE.write_text(page)
    draw(found["engine"])


def draw(rows: list[dict[str, Any]]) -> None:
    """How many times as fast Kwartet is as each library at each work."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {"font.size": 10, "svg.hashsalt": "kwartet", "text.color": INK}
    with mpl.rc_context(style):
        figure = Figure(figsize=(9, 0.62 * len(rows) + 1.2), layout="constrained")
        axes = figure.subplots()
        colours = dict(zip(NAMES[1:], (BLUE, "#7a9e4d", RED, "#8e6bb0"), strict=True))
        for place, row in enumerate(rows):
            for name, told in row["ratios"]["cpu"].items():
                colour = colours[name]
                axes.plot([told["low"], told["high"]], [place] * 2, color=colour, lw=5, alpha=0.3)
                axes.plot(told["ratio"], place, "o", color=colour, ms=8)
                axes.annotate(
                    f"{told['ratio']:,.1f}× {name}",
                    (told["ratio"], place),
                    xytext=(0, -15),
                    textcoords="offset points",
                    ha="center",
                    fontsize=8,
                    color=colour,
                )
            if row["work"] in TARGETS:
                axes.plot(TARGETS[row["work"]][1], place, "|", color=INK, ms=16)
        axes.axvline(1, color=FAINT, zorder=0)
        axes.set_xscale("log")
        axes.set_yticks(range(len(rows)), [row["work"].rpartition(",")[0] for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.margins(x=0.1)
        axes.set_xlabel("times as fast as, by CPU time; a stroke is the target")
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        figure.savefig(PLOT, metadata={"Date": None})
