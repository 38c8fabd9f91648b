"""An arena's tables in the terminal."""

from collections import Counter
from typing import TYPE_CHECKING, Final

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kwartet.games import find

if TYPE_CHECKING:
    from kwartet.arena import Estimate, HeadToHead, Report, Standing, Verdict

WIDEST: Final = 8  # bots for which a table of all meetings fits
LONGEST: Final = 24  # letters of a name
SCALE: Final = 40  # letters between the bounds of a sequential test
FEW: Final = 9  # shares of a pair that are listed one by one


def tables(found: "Report") -> RenderableType:
    """The standings, who beat whom, what shared luck did, and who forfeited why."""
    parts: list[RenderableType] = [_standings(found)]
    if 1 < len(found.standings) <= WIDEST and found.meetings:
        parts.append(_meetings(found))
    parts.extend(_paired(found))
    parts.extend(_forfeits(found))
    if found.verdict is not None:
        parts.append(_test(found.verdict))
    return Group(*parts)


def _standings(found: "Report") -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("", justify="right", style="dim")
    table.add_column("Bot", no_wrap=True)
    cells = [_cells(standing) for standing in found.standings]
    headings = [heading for heading in cells[0] if _is_told(heading, found)]
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for rank, (standing, row) in enumerate(zip(found.standings, cells, strict=True), 1):
        name = Text(_short(standing.bot), style="bold" if rank == 1 else "")
        table.add_row(str(rank), name, *(row[heading] for heading in headings))
    return table


def _cells(standing: "Standing") -> dict[str, RenderableType]:
    elo, skill = standing.elo, standing.skill
    return {
        "Elo": f"{elo.rating:.0f}",
        "95 %": f"± {elo.high - elo.rating:.0f}",
        "openskill": f"{skill.mu:.1f} ± {2 * skill.sigma:.1f}",
        "Matches": str(standing.matches),
        "Won": _with_error(standing.won, ".1%"),
        "Points": _with_error(standing.points, ".2f"),
        "ms/move": f"{1000 * standing.seconds / max(1, standing.decisions):.3g}",
        "Forfeits": Text(str(standing.forfeits), style="red" if standing.forfeits else "dim"),
    }


def _with_error(found: "Estimate", form: str) -> str:
    error = "" if found.error is None else f" ± {found.error:{form}}"
    return f"{found.mean:{form}}{error}"


def _is_told(heading: str, found: "Report") -> bool:
    """Alone on its seat every bot wins, and most arenas see no forfeit."""
    if heading == "Won":
        return find(found.plan.game).seats(found.plan.options) > 1
    return heading != "Forfeits" or bool(found.forfeits)


def _meetings(found: "Report") -> Table:
    table = Table(
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title="Share of the wins and difference in points, row against column",
        title_justify="left",
        title_style="dim",
    )
    table.add_column("", no_wrap=True)
    bots = [standing.bot for standing in found.standings]
    known = {(each.bot, each.other): each for each in found.meetings}
    for bot in bots:
        table.add_column(Text(_short(bot)), justify="right", no_wrap=True)
    for bot in bots:
        cells = [_meeting(known.get((bot, other))) for other in bots]
        table.add_row(Text(_short(bot)), *cells)
    return table


def _meeting(met: "HeadToHead | None") -> Text:
    if met is None:
        return Text("·", style="dim")
    error = "" if met.error is None else f" ± {met.error:.1%}"
    colour = "green" if met.share > 0.5 else "red" if met.share < 0.5 else ""
    cell = Text(f"{met.share:.1%}{error}\n", style=colour)
    if met.margin is not None:
        error = "" if met.margin_error is None else f" ± {met.margin_error:.2f}"
        cell.append(f"{met.margin:+.2f}{error}\n".replace("-", "−"))
    return cell.append(f"+{met.wins} ={met.draws} −{met.losses}", style="dim")


def _paired(found: "Report") -> list[Text]:
    """How much narrower the errors are because matches share their luck."""
    factors = {
        "Elo": found.paired.elo,
        "shares": found.paired.share,
        "points": found.paired.margin,
    }
    told = [f"{factor:.2f} for {name}" for name, factor in factors.items() if factor is not None]
    if not told:
        return []
    return [Text(f"Errors by rotation, as a part of those without shared luck: {', '.join(told)}.")]


def _test(verdict: "Verdict") -> Text:
    """Where a sequential test stands between its bounds, what it saw, and what came of it."""
    question = verdict.question
    low_at, high_at = question.bounds
    lead = verdict.llr_high / high_at - verdict.llr_low / low_at  # about 2 when decided
    place = round(SCALE * min(1.0, max(0.0, (2 + lead) / 4)))
    won, level, lost = verdict.results
    elo, low, high = verdict.elo
    width = "" if low is None or high is None else f" ± {(high - low) / 2:.0f}"
    told = [
        f"{verdict.pairs:,} pairs: +{won} ={level} −{lost}",
        "" if elo is None else f"Elo {elo:+.0f}{width}",
        f"shares {_shares(verdict)}" if 0 < len(verdict.counts) <= FEW else "",
    ]
    scale = f"├{'─' * place}●{'─' * (SCALE - place)}┤"
    lines = [
        f"Elo {question.low:g} {scale} {question.high:g}",
        f"LLR for {question.low:g}: {verdict.llr_low:.2f} of {low_at:.2f}, "
        f"for {question.high:g}: {verdict.llr_high:.2f} of {high_at:.2f}",
        "; ".join(part for part in told if part),
    ]
    text = Text("\n".join(lines).replace("-", "−") + "\n", style="dim")
    return text.append(verdict.sentence(), style="bold" if verdict.decided else "")


def _shares(verdict: "Verdict") -> str:
    return ", ".join(f"{share:.4g} × {count:,}" for share, count in verdict.counts.items())


def _forfeits(found: "Report") -> list[Text]:
    """How often each bot forfeited, and what it said the first time."""
    forfeits = [result.forfeit for result in found.forfeits if result.forfeit]
    times = Counter((each.bot, each.code) for each in forfeits)
    first = {(each.bot, each.code): each for each in reversed(forfeits)}
    return [
        Text.assemble(
            (_short(bot), "bold"),
            f" forfeited {count} ×, ",
            (code, "red"),
            f": {first[bot, code].sentence}",
        )
        for (bot, code), count in times.items()
    ]


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else "…" + name[1 - LONGEST :]
