"""`kwartet watch`: a server's table in the terminal, as it is played."""

from typing import Annotated

import typer

from kwartet.cli.play import Plain, Token
from kwartet.cli.pools import INTERRUPTED
from kwartet.cli.terminal import console, keep_still


def run(
    link: Annotated[str, typer.Argument(metavar="LINK", help="Of a table: http://host/table/…")],
    plain: Plain = False,
    token: Token = None,
) -> None:
    """Watch a server's table in the terminal until its match is over."""
    from kwartet.cli.playing.watching import watch

    if plain:
        keep_still()
    try:
        watch(link, token, plain=plain)
    except KeyboardInterrupt:
        console.print("\nThe match goes on without you.")
        raise typer.Exit(INTERRUPTED) from None
