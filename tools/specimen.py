"""Writes web/src/specimen/matches.json: real positions for the page's tests and pictures.

Each has what a table is sent: the view of a seat, its legal moves and the log. Made by bots
from fixed seeds, so that running it again changes nothing.
"""

import json
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


def run(match: Match, seat: int, count: int) -> list[dict[str, Any]]:
    """Successive positions as one seat is sent them."""
    positions = [position(match, seat)]
    for _ in range(count):
        advance(match, 1)
        positions.append(position(match, seat))
    return positions


def tilting(match: Match) -> Match:
    """The match gone on until there is a stone to tilt, in at least three directions."""
    while match.actor is not None and len(match.legal()) not in (4, 5):
        advance(match, 1)
    return match


def placing(match: Match) -> Match:
    """The match gone on until a stone is to be placed."""
    while match.actor is not None and "stand" in match.legal():
        advance(match, 1)
    return match


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
        "carnac-place": acting(placing(played("carnac", 30, 6, board="large"))),
        "carnac-tilt": acting(tilting(played("carnac", 18, 6, board="large"))),
        "carnac-medium": acting(placing(played("carnac", 20, 2, board="medium"))),
        "carnac-over": position(played("carnac", 99, 4, board="medium"), 0),
        "carnac-run": run(placing(played("carnac", 12, 9, board="small")), 0, 6),
    }


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    lines = (f'  "{name}": {json.dumps(data)}' for name, data in specimens().items())
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n")
