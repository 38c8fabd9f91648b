"""`python -m bench.endings`: from how far before the end the master's result is proven.

    python -m bench.endings --games carat,kwatro --matches 20

Bots of a level play matches; from their positions, the last ones first, the result is worked out
as the master does it (bounds in the tree where all lies open, else every line of what is left),
with so many seconds of CPU time for each. A row is what is left: stones, tiles, or cards in both
hands; with no position proven a table ends. What is printed is Markdown for docs/strength.md.
"""

import time
from collections.abc import Iterator
from typing import Annotated, Any, Final

import typer

from kwartet.bots.bot import Turn, turn_of
from kwartet.bots.catalogue import create
from kwartet.bots.ending import Effort, Ending, has_endings
from kwartet.bots.search import Search
from kwartet.bots.tree import is_proven, plant, simulate
from kwartet.bots.workspace import ROOT, make_workspace
from kwartet.cli.terminal import option_text, prepare, progress
from kwartet.core.chance import generator
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game, Options
from kwartet.core.match import Match
from kwartet.games import find
from kwartet.games.carat.rules import TILES
from kwartet.games.kwatro.rules import TURN

TABLES: Final[dict[str, list[dict[str, Any]]]] = {
    "carat": [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 2, "hand": 3}],
    "carnac": [
        {"board": board, "final_tilt": tilt}
        for board in ("small", "medium", "large")
        for tilt in (False, True)
    ],
    "kwatro": [{"players": 2}],
}
THINGS: Final = {"carat": "tiles to be placed", "carnac": "stones", "kwatro": "cards in the hands"}
BATCH: Final = 500  # simulations between two looks at the clock
NODES: Final = 10_000_000


def main(
    games: Annotated[str, typer.Option(help="Which, with commas between.")] = ",".join(TABLES),
    matches: Annotated[int, typer.Option(min=1, help="For each table.")] = 20,
    seconds: Annotated[
        float, typer.Option("--time", min=0.001, max=3600, help="CPU time for a position.")
    ] = 3.0,
    level: Annotated[str, typer.Option(help="Who plays the matches.")] = "skilled",
    seed: Annotated[int, typer.Option(help="Of the matches.")] = 0,
) -> None:
    """Tell from how far before the end results are proven; print a table."""
    keys = games.split(",")
    if unknown := [key for key in keys if key not in TABLES]:
        raise GameError("unknown-game", f"{quoted(unknown[0])} is not among {', '.join(TABLES)}.")
    prepare([find(key) for key in keys], bots=True)
    print("| | left | proven | seconds, median | longest |\n|---|--:|--:|--:|--:|", flush=True)
    for key in keys:
        for chosen in TABLES[key]:
            _table(find(key), chosen, matches, seconds, level, seed)


def _table(
    game: Game, chosen: Options, matches: int, seconds: float, level: str, seed: int
) -> None:
    """Print the rows of one table, the end first."""
    title = f"{game.title}, {option_text(chosen)}: {THINGS[game.key]}"
    found: dict[int, list[Turn]] = {}
    with progress("Matches", matches) as advance:
        for number in range(matches):
            for left, turn in _turns(game, chosen, level, seed + number):
                found.setdefault(left, []).append(turn)
            advance()
    for left in sorted(found):
        with progress(f"{title}, {left}", len(found[left])) as advance:
            times = []
            for turn in found[left]:
                times.append(_prove(turn, seconds))
                advance()
        known = sorted(each for each in times if each is not None)
        cells = [title, f"{left}", f"{len(known)} of {len(times)}"]
        cells += [_seconds(known[len(known) // 2]), _seconds(known[-1])] if known else ["", ""]
        print(f"| {' | '.join(cells)} |", flush=True)
        title = ""
        if not known:
            return


def _turns(game: Game, options: Options, level: str, seed: int) -> Iterator[tuple[int, Turn]]:
    """What is left and the decision, for the first one of a match with so much left."""
    match, seen = Match(game, options, seed=seed), set()
    bots = [create(level, game) for _ in range(match.seats)]
    while match.actor is not None:
        turn = turn_of(match, seed=seed)
        left = _left(turn)
        if left and left not in seen and len(turn.legal_actions) > 1:
            seen.add(left)
            yield left, turn
        match.play(turn.read(bots[turn.seat].choose(turn)))


def _left(turn: Turn) -> int:
    """What is still to be placed; 0 in the middle of a turn, or where there is a pile."""
    state = turn.state[0]
    match turn.game.key:
        case "carat":
            return int(TILES - state.tiles_laid)
        case "carnac":
            return int(state.stock)
    return int((state.hands != -1).sum()) if state.pile == 0 and state.phase == TURN else 0


def _prove(turn: Turn, seconds: float) -> float | None:
    """The CPU time that the proof takes; None if there is none in time."""
    search = create("master", turn.game)
    assert isinstance(search, Search)
    began = time.process_time()
    if has_endings(turn.game):
        effort = Effort(deadline=began + seconds, clock=time.process_time)
        ending = Ending(turn.game, search.settings)
        is_known = ending.analyse(turn, effort, only_best=True) is not None
    else:
        is_known = _search(search, turn, began + seconds)
    return time.process_time() - began if is_known else None


def _search(search: Search, turn: Turn, deadline: float) -> bool:
    """Whether the root's bounds meet by then."""
    network, settings = search.reading(turn.options)
    work, luck = make_workspace(turn.game, NODES), generator(turn.seed)
    plant(work)
    while time.process_time() < deadline:
        weights = search.prior.weights
        simulate(work, turn.state, turn.seat, weights, network, settings, luck, BATCH)
        if is_proven(work.nodes[ROOT]):
            return True
    return False


def _seconds(value: float) -> str:
    return f"{value:.2g}" if value >= 0.01 else "< 0.01"


if __name__ == "__main__":
    typer.run(main)
