"""`kwartet admin`: who may play here, what was said, what people report.

It works on the database, also while servers run: they hear of it within a second.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from kwartet.cli.terminal import DatabaseUrl, DataFolder, console
from kwartet.core.errors import GameError, quoted

if TYPE_CHECKING:
    from kwartet.store import Report, Store

T = TypeVar("T")

app = typer.Typer(help="Ban, close, delete, hide, and look at reports.", no_args_is_help=True)

UNITS: Final = {"m": 60.0, "h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}
NAMING: Final = {"ignore_unknown_options": True}  # ids and names may begin with a dash
Who = Annotated[str, typer.Argument(help="A player's id or name, or an address or network.")]
TableKey = Annotated[str, typer.Argument(metavar="TABLE", help="As in its address.")]
ReportKey = Annotated[str, typer.Argument(metavar="REPORT", help="As in `kwartet admin reports`.")]


@app.command(context_settings=NAMING)
def ban(
    who: Who,
    reason: Annotated[str, typer.Option(help="What they are told.")] = "",
    lasting: Annotated[
        str | None, typer.Option("--for", metavar="TIME", help="30m, 12h, 7d or 4w [for good].")
    ] = None,
    database: DatabaseUrl = None,
    data: DataFolder = None,
) -> None:
    """Keep a player, or everybody from an address or network, out."""
    from kwartet.server import moderating

    until = time.time() + _seconds(lasting) if lasting else None
    kept = _on(database, data, lambda store: moderating.ban(store, who, reason, until))
    _say(f"{kept.player or kept.network} is kept out {_until(until)} (ban {kept.id}).")


@app.command(context_settings=NAMING)
def unban(
    who: Annotated[str, typer.Argument(help="A player, a network, or a ban's id.")],
    database: DatabaseUrl = None,
    data: DataFolder = None,
) -> None:
    """Let them in again."""
    from kwartet.server import moderating

    lifted = _on(database, data, lambda store: moderating.unban(store, who))
    _say(f"{lifted} ban{'s' * (lifted > 1)} lifted.")


@app.command()
def bans(database: DatabaseUrl = None, data: DataFolder = None) -> None:
    """Who is kept out."""
    for one in _on(database, data, lambda store: store.people.bans()):
        _say(f"{one.id}  {one.player or one.network}  {_until(one.until)}  {one.reason}")


@app.command()
def close(table: TableKey, database: DatabaseUrl = None, data: DataFolder = None) -> None:
    """End a table's match; it counts nowhere and leaves all lists."""
    from kwartet.server import moderating

    _on(database, data, lambda store: moderating.close_table(store, table))
    _say(f"Table {table} is closed.")


@app.command()
def delete_line(
    table: TableKey,
    line: Annotated[int, typer.Argument(help="Its number in the table's chat.")],
    database: DatabaseUrl = None,
    data: DataFolder = None,
) -> None:
    """Delete something that was said, for everybody and for good."""
    from kwartet.server import rewriting

    _on(database, data, lambda store: rewriting.delete_line(store, table, line))
    _say(f"Line {line} at table {table} is deleted.")


@app.command(context_settings=NAMING)
def hide_name(
    who: Annotated[str, typer.Argument(help="A player's id or name.")],
    database: DatabaseUrl = None,
    data: DataFolder = None,
) -> None:
    """Call a player what a guest is called; nobody may choose the name for a year."""
    from kwartet.server import moderating

    player = _on(database, data, lambda store: moderating.hide_name(store, who))
    _say(f"{player.id} is no longer called {quoted(player.name)}.")


@app.command()
def reports(
    done: Annotated[bool, typer.Option("--done", help="Those that were dealt with.")] = False,
    database: DatabaseUrl = None,
    data: DataFolder = None,
) -> None:
    """What people report, the oldest first."""
    found = _on(database, data, lambda store: store.people.reports(done=done))
    for report in found:
        _say(_line(report))
    if not found:
        _say("There are no reports.")


@app.command()
def show(report: ReportKey, database: DatabaseUrl = None, data: DataFolder = None) -> None:
    """A report with what was said around it."""
    _on(database, data, lambda store: _show(store, report))


@app.command()
def done(report: ReportKey, database: DatabaseUrl = None, data: DataFolder = None) -> None:
    """Note that a report is dealt with."""
    if not _on(database, data, lambda store: store.people.close_report(report)):
        raise _unknown(report)
    _say(f"Report {report} is dealt with.")


async def _show(store: "Store", key: str) -> None:
    from kwartet.server.moderating import context_of

    report = await store.people.find_report(key)
    if report is None:
        raise _unknown(key)
    _say(_line(report))
    story, lines = await context_of(store, report)
    if story:
        names = ", ".join(seat.name or f"bot:{seat.level}" for seat in story.seats)
        _say(f"Table {story.id}: {story.created.game}, {story.state}; {names}")
    for line in lines:
        mark = ">" if line.number == report.line else " "
        _say(
            f"{mark} {line.number:4}  {_moment(line.at)}  {line.name} ({line.player}): {line.text}"
        )


def _line(report: "Report") -> str:
    about = [
        _reported(report),
        f"table {report.table}" if report.table else "",
        f"line {report.line}" if report.line else "",
    ]
    by = report.reporter or "somebody who left"
    words = f": {report.words}" if report.words else ""
    return (
        f"{report.id}  {_moment(report.at)}  {report.reason}  "
        f"{', '.join(filter(None, about))}, says {by}{words}"
    )


def _reported(report: "Report") -> str:
    if report.player:
        return f"{report.name} ({report.player})"
    return "somebody who left" if report.name == "" else ""


def _on(database: DatabaseUrl, data: DataFolder, work: "Callable[[Store], Awaitable[T]]") -> T:
    """What the work on the open store gives."""
    from kwartet.store import database_url, open_store

    async def run() -> T:
        store = await open_store(database_url(data, database), upgrade=False)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def _seconds(text: str) -> float:
    found = re.fullmatch(r"(\d{1,6})([mhdw])", text)
    if not found or not int(found[1]):
        raise GameError("bad-option", f"A time is 30m, 12h, 7d or 4w, not {quoted(text)}.")
    return int(found[1]) * UNITS[found[2]]


def _until(until: float | None) -> str:
    return f"until {_moment(until)}" if until else "for good"


def _moment(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at))


def _unknown(report: str) -> GameError:
    return GameError("unknown-report", f"There is no report {quoted(report)}.")


def _say(text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)
