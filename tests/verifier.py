"""Recomputes all luck of a match from its record. Written from docs/fairness.md alone.

It knows nothing of the library and of the rules only what tells which lots a draw is made of.
Whether the moves are legal is another question. `python -m tests.verifier FILE` checks a file of
records, one a line.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Lot = Callable[[str, int], int]  # by name and count, which of so many things it is

CHIPS = "1" * 10 + "2" * 10 + "3" * 10 + "4" * 10 + "5" * 9
ORDERS = ("RYBG", "RYGB", "RBYG", "RBGY", "RGYB", "RGBY")
TILES = [f"{value}{order}" for value in range(1, 7) for order in ORDERS]
FACES = "ogwtb$"
CARDS = [f"{colour}{shape}{n}" for colour in "BGRY" for shape in "CSTX" for n in range(1, 5)]


def number(seed: bytes, message: bytes, count: int) -> int:
    """The keyed hash of the message as a number below `count`."""
    digest = hashlib.blake2b(message, key=seed, digest_size=64).digest()
    return int.from_bytes(digest, "big") % count


def carat(record: Record, lot: Lot) -> Iterator[str]:
    """The lay-out, then the stock from the top."""
    chips, tiles = list(CHIPS), list(TILES)
    yield "chips " + "".join(chips.pop(lot(f"chip {p}", 49 - p)) for p in range(49))
    for n in range(36):
        yield tiles.pop(lot(f"tile {n}", 36 - n))


def catan_dice(record: Record, lot: Lot) -> Iterator[str]:
    """Roll after roll; what is kept and when a turn ends is in the moves between."""
    ended, roll, dice = 0, 0, 6  # turns of all seats, rolls of this turn, dice in the air
    for move in record["moves"]:
        if move.startswith("*"):
            turn, seat = divmod(ended, record["options"]["players"])
            rolled = [lot(f"die {seat} {turn} {roll} {die}", 6) for die in range(dice)]
            yield "".join(FACES[face] for face in sorted(rolled))
            roll, dice = roll + 1, 0
        elif move.startswith("keep"):
            dice = 6 - len(move.removeprefix("keep").strip())
        elif move == "end":
            ended, roll, dice = ended + 1, 0, 6


def kwatro(record: Record, lot: Lot) -> Iterator[str]:
    """The pile as it was shuffled, then the cards passed, in the order in which they lie."""
    left, drawn = [*CARDS, "J", "J"], 0
    under: list[str] = []
    for move in record["moves"]:
        if move.startswith("pass"):
            under += sorted(move.split()[1:])
        elif move.startswith("*") and left:
            yield left.pop(lot(f"card {drawn}", len(left)))
            drawn += 1
        elif move.startswith("*"):
            yield under.pop(0) if under else "nothing"


GAMES = {("carat", 2): carat, ("catan_dice", 2): catan_dice, ("kwatro", 2): kwatro}


def draws(record: Record) -> list[tuple[int, str, str]]:
    """Every draw: its ply, the move in the record, and the move that the seed gives."""
    seed = bytes.fromhex(record["seed"])
    luck = GAMES[record["game"], record["rules"]]
    due = luck(record, lambda name, count: number(seed, name.encode(), count))
    plies = [(ply, move) for ply, move in enumerate(record["moves"]) if move.startswith("*")]
    return [(ply, move, "*" + next(due, "nothing")) for ply, move in plies]


def seats(seed: bytes, count: int) -> list[int]:
    """The seats as they are drawn by lot."""
    places = list(range(count))
    for i in range(count - 1, 0, -1):
        j = number(seed, b"lot" + i.to_bytes(8, "big"), i + 1)
        places[i], places[j] = places[j], places[i]
    return places


def mixed(secret: bytes, parts: list[str | None]) -> bytes:
    """The seed that a secret and the parts of the planned seats make."""
    message = b"kwartet luck of parts 1" + secret
    for part in parts:
        text = b"" if part is None else part.encode("utf-8")
        message += b"\x00" if part is None else b"\x01" + len(text).to_bytes(4, "big") + text
    return hashlib.sha256(message).digest()


def verify(record: Record) -> str | None:
    """What is wrong with the luck of a record, in a sentence; None if it is honest."""
    if "seed" not in record:
        return "The record has no seed to check against."
    seed = bytes.fromhex(record["seed"])
    sealed = bytes.fromhex(record["secret" if "secret" in record else "seed"])
    if "commitment" in record and hashlib.sha256(sealed).hexdigest() != record["commitment"]:
        return "The seed is not the one that was promised."
    if "secret" in record and mixed(sealed, record["parts"]) != seed:
        return "The seed is not made of the secret and the parts."
    if record.get("order") == "lot" and record.get("lot") != seats(seed, len(record["scores"])):
        return "The seats were not drawn from the seed."
    if not any(move.startswith("*") for move in record["moves"]):
        return None
    if (record["game"], record["rules"]) not in GAMES:
        return f"Draws of {record['game']}, version {record['rules']}, are not known here."
    for ply, move, due in draws(record):
        if move != due:
            return f"Ply {ply} is {move}, but the seed gives {due}."
    return None


def main(file: str) -> int:
    """Print a line for each record of a file; 1 if one of them is not honest."""
    lines = Path(file).read_text(encoding="utf-8").split("\n")
    records = [json.loads(line) for line in lines if line.strip()]
    problems = [verify(record) for record in records]
    for place, (record, problem) in enumerate(zip(records, problems, strict=True), 1):
        print(f"{place}: {record['game']}: {problem or 'honest'}")
    return int(any(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
