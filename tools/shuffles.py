"""Writes web/src/fairness/records.json: records by which the page's check is held to the library.

Whole and short matches of all games by fixed seeds, as a server would tell them, matches under
earlier rules, and matches played on from another. `--check` only says whether it has drifted.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any, Final

import kwartet
from kwartet.core.fairness import commitment, draw_lot, seed_of
from kwartet.core.match import Match

ROOT: Final = Path(__file__).parents[1]
TARGET: Final = ROOT / "web/src/fairness/records.json"
EARLIER: Final = ROOT / "tests/data/earlier"
MATCHES: Final[dict[str, tuple[str, dict[str, Any], int]]] = {
    "carat": ("carat", {"players": 4}, 999),
    "carat-hands": ("carat", {"players": 2, "hand": 3}, 30),
    "carnac": ("carnac", {"board": "small"}, 12),
    "catan_dice": ("catan_dice", {"players": 3}, 120),
    "catan_dice-alone": ("catan_dice", {"players": 1}, 40),
    "kwatro": ("kwatro", {"players": 2}, 999),
    "kwatro-short": ("kwatro", {"players": 4}, 25),
}


def played(match: Match, moves: int, luck: random.Random) -> Match:
    """The match after so many moves, or at its end; in Kwatro cards are passed often."""
    while match.actor is not None and len(match.moves) < moves:
        legal = match.legal()
        passes = [move for move in legal if move.startswith("pass ")]
        match.play(luck.choice(passes if passes and luck.random() < 0.4 else legal))
    return match


def told(match: Match, seed: bytes) -> dict[str, Any]:
    """Its record as a server tells it, with what was sealed and the seats drawn."""
    lot = draw_lot(seed, match.seats)
    return match.record() | {"commitment": commitment(seed), "order": "lot", "lot": lot}


def mixed(key: str, options: dict[str, Any], parts: list[str | None], moves: int) -> dict[str, Any]:
    """A match to whose luck people added something."""
    secret = bytes(range(100, 132))
    seed = seed_of(secret, parts)
    match = played(kwartet.new(key, seed=seed, **options), moves, random.Random(3))
    sealed = {"secret": secret.hex(), "commitment": commitment(secret), "parts": parts}
    return told(match, seed) | sealed


def branched(key: str, options: dict[str, Any], ply: int, moves: int) -> dict[str, Any]:
    """A match that goes on from another's moves with luck of its own."""
    first = played(kwartet.new(key, seed=101, **options), ply, random.Random(1))
    begun, seed = first.moves[:ply], bytes(reversed(range(32)))
    match = Match(first.game, first.options, seed=seed, auto_chance=False)
    match.follow(begun)
    match.resume_chance()
    origin = {"table": "elsewhere", "ply": len(begun)}
    return told(played(match, moves, random.Random(2)), seed) | {"origin": origin}


def records() -> dict[str, dict[str, Any]]:
    """By name."""
    made = {}
    for number, (name, (key, options, moves)) in enumerate(MATCHES.items()):
        seed = bytes((number + 7 * place) % 256 for place in range(32))
        match = kwartet.new(key, seed=seed, **options)
        made[name] = told(played(match, moves, random.Random(number)), seed)
    for file in sorted(EARLIER.glob("*.jsonl")):
        for number, line in enumerate(file.read_text().splitlines()):
            made[f"{file.stem}-{number}"] = json.loads(line)
    made["carat-mixed"] = mixed("carat", {"players": 2}, ["amber otter 41", None], 30)
    made["catan_dice-mixed"] = mixed("catan_dice", {"players": 3}, ["é ☂", None, "ß"], 40)
    made["kwatro-mixed"] = mixed("kwatro", {"players": 2}, ["a", "b" * 64], 60)
    made["kwatro-unmixed"] = mixed("kwatro", {"players": 3}, [None, None, None], 40)
    made["carat-on"] = branched("carat", {"players": 2}, 20, 40)
    made["catan_dice-on"] = branched("catan_dice", {"players": 2}, 31, 60)
    made["kwatro-on"] = branched("kwatro", {"players": 3}, 40, 120)
    return made


def text() -> str:
    """The whole file, a line a record."""
    lines = (f'  "{name}": {json.dumps(record)}' for name, record in records().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        TARGET.write_text(text())
    elif TARGET.read_text() != text():
        sys.exit(f"{TARGET} has drifted; run python tools/shuffles.py.")
