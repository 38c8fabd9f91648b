"""`kwartet db`: care for the server's database."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from kwartet.cli.terminal import DatabaseUrl, DataFolder, bar, console, errors, progress

if TYPE_CHECKING:
    from kwartet.store.connection import Report

app = typer.Typer(
    help="Care for the server's database.", no_args_is_help=True, rich_markup_mode="markdown"
)


@app.command()
def upgrade(database: DatabaseUrl = None, data: DataFolder = None) -> None:
    """Make the database, or bring an older one to this program's version."""
    from kwartet.store import database_url, upgrade

    before, after = upgrade(database_url(data, database))
    if before == after:
        console.print(f"The database is of version {after} already.")
    else:
        console.print(f"The database went from version {before} to {after}.")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The copy, a SQLite file that can be served.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    database: DatabaseUrl = None,
    data: DataFolder = None,
) -> None:
    """Copy the database, also while a server works on it.

    Secrets that sign cookies and notifications are not in it, but in the data folder.
    """
    from kwartet.store import BACKED_UP, back_up, data_folder, database_url, find_database

    source = find_database(database_url(data, database))
    with _copying() as report:
        back_up(source, file, force=force, report=report)
    if database is None:  # the server's own: `/metrics` tells when
        (data_folder(data) / BACKED_UP).touch()
    console.print(f"{file}: {file.stat().st_size:,} bytes.", markup=False, highlight=False)


@contextmanager
def _copying() -> "Iterator[Report]":
    """A bar; yields what tells it how much is done."""
    with bar(console=errors, transient=True, disable=not errors.is_terminal) as bars:
        task = bars.add_task("Copying", total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `kwartet db backup` made.")],
    database: DatabaseUrl = None,
    data: DataFolder = None,
) -> None:
    """Fill an empty database with a backup: all of it, compared row by row, or nothing."""
    from kwartet.core.errors import GameError, quoted
    from kwartet.store import database_url

    if not file.is_file():
        raise GameError("bad-file", f"There is no file {quoted(str(file))}.")
    _copy(f"sqlite:///{file}", database_url(data, database))


@app.command()
def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The URL of a database.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The URL of an empty one.")],
) -> None:
    """Fill an empty database with another, of whichever kind: all of it, row by row, or nothing.

    The copy is one moment of the database; end the server first if it is to move there. Secrets
    that sign cookies and notifications are not in the database but in the data folder. Passwords
    are taken from PGPASSWORD or ~/.pgpass, too.
    """
    _copy(source, target)


def _copy(source: str, target: str) -> None:
    from kwartet.store import find_database, transfer

    with _copying() as report:
        count = transfer(find_database(source), find_database(target), report)
    console.print(f"{count:,} rows were copied and compared.", highlight=False)


@app.command()
def check(database: DatabaseUrl = None, data: DataFolder = None) -> None:
    """Look whether the database holds together, also while a server works on it.

    The database's own checks, the numbers of the log's entries, and whether tables, lists and
    results are what the log says. Every fault is a line; exit status 1 if there is any.
    """
    from kwartet.server import auditing
    from kwartet.store import checking, database_url, find_database, schema

    connection = find_database(database_url(data, database)).reader()
    try:
        schema.prepare(connection, upgrade=False)
        connection.snapshot()
        found, tables = list(checking.faults(connection)), checking.count(connection)
        with progress("Reading", tables) as advance:
            for content in checking.contents(connection):
                found += auditing.faults(content)
                advance()
    finally:
        connection.close()
    for fault in found:
        console.print(f"{fault}.", markup=False, highlight=False)
    if found:
        raise typer.Exit(1)
    console.print(f"{tables:,} tables: nothing is wrong.", highlight=False)


@app.command()
def export(
    file: Annotated[
        Path | None, typer.Argument(help="Where to, one record a line; standard output if none.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    database: DatabaseUrl = None,
    data: DataFolder = None,
) -> None:
    """Write the records of all finished matches, the latest first."""
    from kwartet.core.errors import GameError, quoted
    from kwartet.store import database_url

    if file and file.exists() and not force:
        raise GameError("bad-file", f"{quoted(str(file))} exists; --force replaces it.")
    url = database_url(data, database)
    if file is None:
        asyncio.run(_export(url, sys.stdout))
        return
    with file.open("w", encoding="utf-8") as out:
        count = asyncio.run(_export(url, out))
    console.print(f"{file}: {count} matches.", markup=False, highlight=False)


async def _export(url: str, out: IO[str]) -> int:
    from kwartet.core.records import line_of
    from kwartet.server.archive import finished, record_of
    from kwartet.store import open_store

    store = await open_store(url, upgrade=False)
    count = 0
    try:
        with progress("Writing", None) as advance:
            async for story in finished(store):
                print(line_of(record_of(story)), file=out)
                advance()
                count += 1
    finally:
        await store.close()
    return count
