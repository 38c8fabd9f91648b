"""`kwartet db`: care for the server's database."""

import asyncio
import sys
from pathlib import Path
from typing import IO, Annotated

import typer

from kwartet.cli.terminal import DatabaseUrl, DataFolder, bar, console, errors, progress

app = typer.Typer(help="Care for the server's database.", no_args_is_help=True)


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
    """Copy the database, also while a server works on it."""
    from kwartet.store import back_up, database_url, find_database

    source = find_database(database_url(data, database))
    with bar(console=errors, transient=True, disable=not errors.is_terminal) as bars:
        task = bars.add_task("Copying", total=None)
        back_up(
            source,
            file,
            force=force,
            report=lambda done, total: bars.update(task, completed=done, total=total),
        )
    console.print(f"{file}: {file.stat().st_size:,} bytes.", markup=False, highlight=False)


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
