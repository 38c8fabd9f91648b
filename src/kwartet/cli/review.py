"""`kwartet review`: what every move of a recorded match was worth, and luck told apart."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kwartet.cli.matches import MatchNumber, RecordFile, read_match
from kwartet.cli.pools import LAYERS, RayAddress, Workers, interruptible, open_pool
from kwartet.cli.terminal import AsJson, bar, errors, prepare, prepare_bots, print_json
from kwartet.core.errors import GameError, quoted
from kwartet.games import find

REVIEWED = (*LAYERS, "reviews")

if TYPE_CHECKING:
    from kwartet.reviews import Review, Work


def run(
    file: RecordFile,
    number: MatchNumber = 1,
    judge: Annotated[
        str, typer.Option(metavar="NAME", help="Who judges: skilled, expert, master, uct@1000.")
    ] = "expert",
    care: Annotated[
        str, typer.Option(metavar="quick|normal|thorough", help="How much work goes into it.")
    ] = "normal",
    seats: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Judge the decisions of these seats. [default: all]"),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same review.")] = 0,
    svg: Annotated[
        Path | None, typer.Option(metavar="GRAPH", help="Also write the graph there.")
    ] = None,
    workers: Workers = None,
    ray: RayAddress = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where what is found is kept. [default: the cache]"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judge every decision of a match, and tell luck from skill.

    What is found is kept: the same command goes on after an interruption, and shows a
    review again that was made before. See docs/review.md for what the figures mean.
    """
    from kwartet.core.records import is_ended
    from kwartet.reviews.work import plan_review

    record = read_match(file, number)
    key = record.get("game") if isinstance(record, dict) else None
    if isinstance(key, str):
        prepare([find(key)], reviews=True)
    match = _replayed(record)
    work = plan_review(match, judge, _seats(seats), care, seed, ended=is_ended(record))
    with interruptible():
        found = make(work, judge, ray, workers, out)
    if svg is not None:
        _draw(found, svg)
    if as_json:
        print_json(found.as_json())
    else:
        from kwartet.cli.draw import names_in
        from kwartet.cli.reviewed import show

        show(found, names_in(record))


def _replayed(record: Any) -> Any:
    import kwartet

    return kwartet.replay(record)


def _seats(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        return [int(seat) for seat in text.split(",")]
    except ValueError as error:
        raise GameError(
            "bad-option", f"--seats is a list such as 0,2, not {quoted(text)}."
        ) from error


def make(
    work: "Work",
    judge: str,
    ray: str | None = None,
    workers: int | None = None,
    out: Path | None = None,
) -> "Review":
    """Look at what is missing, showing the graph as it comes."""
    from kwartet.reviews.keeping import Keeping

    prepare_bots(work.story.game, work.review.options, [judge])
    with Keeping(work, out) as kept, _screen(work) as show:
        if work.missing():
            show()
            with open_pool(ray, workers, work.story.game, REVIEWED) as pool:
                for found in work.run(pool):
                    kept.add(found)
                    show()
    return work.review


@contextmanager
def _screen(work: "Work") -> Iterator[Callable[[], None]]:
    """The graph and a bar on standard error; yields what updates them."""
    if not errors.is_terminal:
        yield lambda: None
        return
    from rich.console import Group
    from rich.live import Live

    from kwartet.cli.reviewed import graph

    work.glance()
    bars = bar()
    task = bars.add_task("Judging", total=work.story.total)

    def show() -> None:
        bars.update(task, completed=len(work.findings))
        live.update(Group(graph(work.review), bars))

    with Live(bars, console=errors, transient=True, refresh_per_second=5) as live:
        yield show


def _draw(found: "Review", path: Path) -> None:
    from kwartet.reviews.graph import draw

    try:
        path.write_text(draw(found), encoding="utf-8")
    except OSError as error:
        raise GameError(
            "bad-file", f"Cannot write {quoted(str(path))}: {error.strerror}."
        ) from error
