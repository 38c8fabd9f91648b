"""`kwartet draw`: a position of a recorded match as a picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kwartet.cli.matches import MatchNumber, RecordFile, read_match
from kwartet.cli.terminal import console, prepare
from kwartet.core.errors import GameError, quoted
from kwartet.games import find

if TYPE_CHECKING:
    from kwartet.core.match import Match
    from kwartet.core.scene import Look

SMALLEST, LARGEST = 100, 4000  # pixels

Seat = Annotated[
    int | None, typer.Option(metavar="S", min=0, help="With the hand of this seat, from 0.")
]
Everything = Annotated[bool, typer.Option("--open", help="With every hand.")]
Language = Annotated[str, typer.Option(metavar="en|nl|de|fr", help="What it is captioned in.")]
Theme = Annotated[str, typer.Option(metavar="light|dark", help="By day or by night.")]
Size = Annotated[
    int,
    typer.Option(
        metavar="PX", min=SMALLEST, max=LARGEST, help="How long its longer side is, in pixels."
    ),
]


def run(
    file: RecordFile,
    number: MatchNumber = 1,
    ply: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="After so many moves. [default: at the end]"),
    ] = None,
    seat: Seat = None,
    everything: Everything = False,
    better: Annotated[
        str | None, typer.Option(metavar="MOVE", help="Also show this move in place of the last.")
    ] = None,
    language: Language = "en",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="A .svg or .png. [default: RECORD.svg]"),
    ] = None,
    size: Size = 900,
    theme: Theme = "light",
) -> None:
    """Draw a recorded match as the page shows it, with its last move marked."""
    from kwartet.core.scene import Marks, as_png, as_svg, scene, tall

    target = out or Path(f"{file.stem}.svg")
    if target.suffix.lower() not in (".svg", ".png"):
        raise GameError("bad-option", f"A picture is a .svg or a .png, not {quoted(target.name)}.")
    match, record = recorded(file, number)
    look = look_at(match, record, seat, everything, language, theme, size)
    if ply is not None:
        match = earlier(match, ply)
    if better is not None:
        _before_last(match).read(better)
    canvas = tall(scene(match, look, Marks(better=better)))
    is_text = target.suffix.lower() == ".svg"
    save(target, as_svg(canvas, look) if is_text else as_png(canvas, look))


def recorded(file: Path, number: int) -> "tuple[Match, dict[str, Any]]":
    """A match of a file, checked move by move, and its record."""
    import kwartet

    record = read_match(file, number)
    key = record.get("game") if isinstance(record, dict) else None
    if isinstance(key, str):
        prepare([find(key)])
    return kwartet.replay(record), record


def look_at(
    match: "Match",
    record: dict[str, Any],
    seat: int | None,
    everything: bool,
    language: str,
    theme: str,
    size: int,
) -> "Look":
    """How to look at it; GameError on what there is not."""
    from kwartet.core.scene import LANGUAGES, Look
    from kwartet.core.svg import THEMES

    if seat is not None and everything:
        raise GameError("bad-option", "Give --seat or --open, not both.")
    if seat is not None and seat >= match.seats:
        raise GameError(
            "unknown-seat", f"There is no seat {seat}; they are 0 to {match.seats - 1}."
        )
    for name, value, known in (("language", language, LANGUAGES), ("theme", theme, THEMES)):
        if value not in known:
            raise GameError(
                "bad-option", f"--{name} is one of {', '.join(known)}, not {quoted(value)}."
            )
    return Look(seat, everything, names_in(record), language, theme, size)  # type: ignore[arg-type]


def names_in(record: dict[str, Any]) -> list[str]:
    """Who played, where the record tells it."""
    from kwartet.core.scene import player_name

    told = record.get("players")
    names = told if isinstance(told, list) else []
    return [player_name(name) if isinstance(name, str) else "" for name in names]


def earlier(match: "Match", ply: int) -> "Match":
    """The match after so many moves; GameError if it has fewer."""
    if ply > match.ply:
        raise GameError("unknown-ply", f"There is no ply {ply}; the match has 0 to {match.ply}.")
    past = match.beginning()
    past.follow(match.moves[:ply])
    return past


def _before_last(match: "Match") -> "Match":
    """The match before its last decision; GameError if there is none."""
    decided = [ply for ply, move in enumerate(match.moves) if not move.startswith("*")]
    if not decided:
        raise GameError("unknown-ply", "Nobody has decided anything yet.")
    return earlier(match, decided[-1])


def save(target: Path, content: str | bytes) -> None:
    """Write a picture whole, and say where it is."""
    from kwartet.core.files import write_whole

    try:
        write_whole(target, content)
    except OSError as error:
        raise GameError(
            "bad-file", f"Cannot write {quoted(str(target))}: {error.strerror}."
        ) from error
    console.print(f"{target}: {len(content) / 1000:.0f} kB", markup=False, highlight=False)
