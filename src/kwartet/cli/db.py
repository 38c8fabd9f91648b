"""`kwartet db`: care for the server's database."""

from pathlib import Path
from typing import Annotated

import typer

from kwartet.cli.terminal import DatabaseUrl, DataFolder, bar, console, errors

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
