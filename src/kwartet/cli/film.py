"""`kwartet film`: a recorded match as a moving picture."""

from pathlib import Path
from typing import Annotated

import typer

from kwartet.cli.draw import (
    Everything,
    Language,
    Seat,
    Size,
    Theme,
    look_at,
    recorded,
    save,
)
from kwartet.cli.matches import MatchNumber, RecordFile
from kwartet.cli.pools import INTERRUPTED
from kwartet.cli.terminal import errors, progress
from kwartet.core.errors import GameError, quoted


def run(
    file: RecordFile,
    number: MatchNumber = 1,
    first: Annotated[
        int, typer.Option("--from", metavar="N", min=0, help="Begin after so many moves.")
    ] = 0,
    last: Annotated[
        int | None,
        typer.Option("--to", metavar="N", min=0, help="End after so many. [default: all]"),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.05, max=60, help="How long each move stays.")
    ] = 0.9,
    seat: Seat = None,
    everything: Everything = False,
    language: Language = "en",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="A .gif. [default: RECORD.gif]"),
    ] = None,
    size: Size = 600,
    theme: Theme = "light",
) -> None:
    """Film a recorded match: a frame for each decision, the last one for longer."""
    from kwartet.core.film import film, stops

    target = out or Path(f"{file.stem}.gif")
    if target.suffix.lower() != ".gif":
        raise GameError("bad-option", f"A film is a .gif, not {quoted(target.name)}.")
    match, record = recorded(file, number)
    look = look_at(match, record, seat, everything, language, theme, size)
    end = match.ply if last is None else last
    if not first <= end <= match.ply:
        raise GameError(
            "unknown-ply", f"A film goes from one ply to a later one, of 0 to {match.ply}."
        )
    plies = [ply for ply in stops(match) if first <= ply < end] + [end]
    try:
        with progress("Filming", len(plies)) as advance:
            made = film(match, look, plies, seconds, advance)
    except KeyboardInterrupt:
        errors.print("Interrupted; nothing was written.")
        raise typer.Exit(INTERRUPTED) from None
    save(target, made)
