"""Writes web/src/specimen/matches.json: real positions for the page's tests and pictures.

Each has what a table is sent: the view of a seat, its legal moves and the log. Made by bots
from fixed seeds. Tests know the cells of many, and other rules of drawing or another bot lead
elsewhere from the same seed: what is there stays, unless it is named (`specimen.py carat-over`).
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import kwartet
from kwartet.bots.bot import ask, turn_of
from kwartet.bots.catalogue import create
from kwartet.core.match import Match

TARGET: Final = Path(__file__).parents[1] / "web/src/specimen/matches.json"


def played(key: str, plies: int, seed: int, **options: object) -> Match:
    """A match after so many decisions of greedy bots, or at its end."""
    match = kwartet.new(key, seed=seed, **options)  # type: ignore[arg-type]
    advance(match, plies)
    return match


def advance(match: Match, plies: int) -> None:
    """Let bots decide."""
    bot = create("greedy", match.game)
    for _ in range(plies):
        if match.actor is None:
            return
        match.play(ask(bot, turn_of(match, seed=match.ply)), seat=match.actor)


def position(match: Match, seat: int | None) -> dict[str, Any]:
    """What a seat is sent."""
    legal = match.legal() if seat is not None and match.actor == seat else []
    return {"view": match.view(seat), "legal": legal, "log": match.log(seat)}


def acting(match: Match) -> dict[str, Any]:
    """What the seat to act is sent."""
    return position(match, match.actor)


def foreseeing(match: Match, *pieces: str) -> dict[str, Any]:
    """What the seat to act is sent, with what it is told when it asks of pieces, or of its hand."""
    assert match.actor is not None
    told = acting(match)
    asked = pieces or told["view"]["hands"][match.actor]
    return told | {"previews": {piece: match.preview(piece, seat=match.actor) for piece in asked}}


def tilting(match: Match) -> dict[str, Any]:
    """What the seat to act is sent, with what it is told of the stone that it may tilt."""
    return foreseeing(match, match.view(None)["tilting"])


def run(match: Match, seat: int, count: int) -> list[dict[str, Any]]:
    """Successive positions as one seat is sent them."""
    positions = [position(match, seat)]
    for _ in range(count):
        advance(match, 1)
        positions.append(position(match, seat))
    return positions


def first(match: Match, start: str) -> str:
    """The first legal move that begins so."""
    return next(move for move in match.legal() if move.startswith(start))


def judged(
    match: Match,
    verdict: str | None,
    played: str,
    better: str | None = None,
    *,
    is_open: bool = False,
) -> dict[str, Any]:
    """A decision as a review shows it: the positions before and after it, and what is marked.

    The verdict is for the picture; no judge was asked. `is_open` shows all hands.
    """
    seat = match.actor
    assert seat is not None
    assert better is None or better in match.legal()
    after = match.copy()
    after.auto_chance = False  # it is looked at before anybody draws or rolls
    after.play(played, seat=seat)
    marks = {"before": match.view(seat), "played": {"move": played, "verdict": verdict}}
    return position(after, seat) | {
        "legal": [],
        "marks": marks | {"better": better},
        "hands": [after.view(each) for each in range(after.seats)] if is_open else None,
    }


def untouched(key: str, **options: object) -> dict[str, Any]:
    """Where a match begins, before chance has laid out anything; nothing has been decided."""
    match = kwartet.new(key, auto_chance=False, **options)  # type: ignore[arg-type]
    return position(match, 0) | {"legal": [], "marks": None, "hands": None}


def until(match: Match, is_wanted: Callable[[Match], bool]) -> Match:
    """The match gone on until it is as wanted."""
    while match.actor is not None and not is_wanted(match):
        advance(match, 1)
    return match


def is_tilting(match: Match) -> bool:
    """Whether there is a stone to tilt, in at least three directions."""
    return len(match.legal()) in (4, 5)


def is_placing(match: Match) -> bool:
    """Whether a stone is to be placed."""
    return "stand" not in match.legal()


def is_rich(match: Match) -> bool:
    """Whether there is something to build, to trade and to turn."""
    starts = {move[0] for move in match.legal()}
    return {"t", "j"} <= starts and bool({"R", "S", "K", "C"} & starts)


def is_building(match: Match) -> bool:
    """Whether a road, a settlement and a knight may be built."""
    return {"R", "S", "K"} <= {move[0] for move in match.legal()}


def is_choosing(match: Match) -> bool:
    """Whether dice may be kept."""
    return "stop" in match.legal()


def is_swapping(match: Match) -> bool:
    """Whether a card may take a joker's place, and cards may be laid."""
    return {"w", "S"} <= {move[1] for move in match.legal()}


def is_laying(match: Match) -> bool:
    """Whether two cards have been laid and another may follow."""
    legal, play = match.legal(), match.view(None)["play"]
    return bool(play) and len(play["cells"]) == 2 and len(legal) > 1


def is_full(match: Match) -> bool:
    """Whether all cards but two lie on the field, which is as many as can while one may be laid."""
    return len(match.view(None)["field"]) >= 64 and len(match.legal()) > 2


def reviewed() -> dict[str, Any]:
    """Decisions of every kind as a review shows them, by name."""
    carat = played("carat", 18, 8)
    tiles = played("carat", 13, 5, players=2, hand=3, colours=["RB", "YG"])
    place = until(played("carnac", 20, 2, board="medium"), is_placing)
    tilt = until(played("carnac", 18, 6, board="medium"), is_tilting)
    choosing = until(played("catan_dice", 60, 31), is_choosing)
    rich = until(played("catan_dice", 80, 22, players=4), is_rich)
    building = until(played("catan_dice", 80, 22, players=4), is_building)
    laying = until(played("kwatro", 24, 14, players=3), is_laying)
    swap = until(played("kwatro", 30, 5, players=3), is_swapping)
    cell = carat.legal()[-1]
    square = place.legal()[0]
    return {
        **{f"{key}-review-start": untouched(key) for key in ("carat", "catan_dice", "kwatro")},
        "carat-review": judged(carat, "mistake", carat.legal()[0], cell),
        "carat-review-turned": judged(carat, "slip", cell, carat.legal()[-2]),
        "carat-review-best": judged(carat, "best", cell),
        "carat-review-hands": judged(
            tiles, "fine", tiles.legal()[0], tiles.legal()[-1], is_open=True
        ),
        "carnac-review": judged(place, "mistake", square, place.legal()[-1]),
        "carnac-review-same": judged(place, "slip", square, place.legal()[3]),
        "carnac-review-tilt": judged(tilt, "blunder", first(tilt, "tilt"), "stand"),
        "carnac-review-stand": judged(tilt, "slip", "stand", tilt.legal()[1]),
        "catan_dice-review": judged(choosing, "mistake", "keep", choosing.legal()[20]),
        "catan_dice-review-stop": judged(choosing, "slip", "stop", choosing.legal()[9]),
        "catan_dice-review-build": judged(
            building, "slip", first(building, "R"), first(building, "S")
        ),
        "catan_dice-review-knight": judged(building, "best", first(building, "K")),
        "catan_dice-review-joker": judged(rich, "fine", first(rich, "joker"), first(rich, "R")),
        "catan_dice-review-trade": judged(rich, None, first(rich, "trade"), first(rich, "joker")),
        "catan_dice-review-end": judged(rich, "blunder", "end", first(rich, "trade")),
        "kwatro-review": judged(laying, "blunder", laying.legal()[0], "done"),
        "kwatro-review-done": judged(laying, "slip", "done", laying.legal()[-2]),
        "kwatro-review-pass": judged(swap, "mistake", first(swap, "pass "), swap.legal()[1]),
        "kwatro-review-keep": judged(swap, "blunder", "pass", first(swap, "pass ")),
        "kwatro-review-swap": judged(swap, "best", first(swap, "swap")),
        "kwatro-review-hands": judged(
            laying, "mistake", laying.legal()[0], laying.legal()[1], is_open=True
        ),
    }


def specimens() -> dict[str, Any]:
    """By name."""
    pairs = {"players": 2, "hand": 3, "colours": ["RB", "YG"]}
    return {
        "carat-start": acting(played("carat", 0, 3)),
        "carat-middle": acting(played("carat", 18, 8)),
        "carat-pairs": acting(played("carat", 13, 5, **pairs)),
        "carat-over": position(played("carat", 99, 8), 2),
        "carat-watched": position(played("carat", 21, 8), None),
        "carat-run": run(played("carat", 18, 8), 2, 4),
        "carnac-start": acting(played("carnac", 0, 1, board="small")),
        "carnac-place": foreseeing(
            until(played("carnac", 30, 6, board="large"), is_placing), "k6", "d3"
        ),
        "carnac-tilt": tilting(until(played("carnac", 18, 6, board="large"), is_tilting)),
        "carnac-medium": acting(until(played("carnac", 20, 2, board="medium"), is_placing)),
        "carnac-over": position(played("carnac", 99, 4, board="medium"), 0),
        "carnac-run": run(until(played("carnac", 12, 9, board="small"), is_placing), 0, 6),
        "catan_dice-start": foreseeing(played("catan_dice", 0, 4), "dice"),
        "catan_dice-alone": foreseeing(until(played("catan_dice", 20, 31), is_rich), "dice"),
        "catan_dice-done": position(played("catan_dice", 999, 31), 0),
        "catan_dice-roll": foreseeing(
            until(played("catan_dice", 190, 8, players=4), is_choosing), "dice"
        ),
        "catan_dice-act": foreseeing(
            until(played("catan_dice", 80, 22, players=4), is_rich), "dice"
        ),
        "catan_dice-over": position(played("catan_dice", 999, 8, players=4), 2),
        "catan_dice-run": run(played("catan_dice", 20, 6), 0, 12),
        "kwatro-start": foreseeing(played("kwatro", 0, 3)),
        "kwatro-swap": foreseeing(until(played("kwatro", 30, 5, players=3), is_swapping)),
        "kwatro-play": foreseeing(until(played("kwatro", 24, 14, players=3), is_laying)),
        "kwatro-big": foreseeing(played("kwatro", 88, 2)),
        "kwatro-full": foreseeing(until(played("kwatro", 60, 4), is_full)),
        "kwatro-over": position(played("kwatro", 999, 2), 0),
        "kwatro-run": run(played("kwatro", 12, 9), 0, 8),
    }


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(TARGET.read_text()) if TARGET.exists() else {}
    found = specimens() | reviewed()
    kept = {name: known[name] for name in known if name in found and name not in sys.argv[1:]}
    lines = (f'  "{name}": {json.dumps(data)}' for name, data in (found | kept).items())
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n")
