"""Numbers and matches written down once must come out the same: perft and playthroughs.

`python -m tests.test_recorded` writes the files anew, after a wanted change of the rules.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import kwartet
from kwartet.core.chance import generator
from kwartet.core.match import Match
from kwartet.core.records import line_of, read_records
from kwartet.core.simulation import count_sequences, random_match
from tests.comparison import OPTION_SETS

DATA = Path(__file__).parent / "data"
KEYS = [*OPTION_SETS, "connect_four"]


def perft_rows(key: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((DATA / f"perft/{key}.json").read_text())
    return rows


@pytest.mark.parametrize("key", KEYS)
def test_perft_numbers_stand(key: str) -> None:
    for row in perft_rows(key):
        game = kwartet.GAMES[key]
        match = Match(game, row["options"], seed=row["seed"], version=row["rules"])
        for move in row["moves"]:
            match.play(move)
        counts = [count_sequences(match, depth) for depth in range(1, len(row["perft"]) + 1)]
        assert counts == row["perft"], row


@pytest.mark.parametrize(
    ("board", "numbers"),
    [
        ("small", [160, 592, 90_624, 316_864, 46_346_496]),
        ("medium", [280, 1_128, 307_936, 1_200_800]),
        ("large", [504, 2_152, 1_069_408, 4_484_768]),
    ],
)
def test_carnacs_perft_is_that_of_the_rules_page(board: str, numbers: list[int]) -> None:
    match = kwartet.new("carnac", board=board)
    assert [count_sequences(match, depth + 1) for depth in range(len(numbers))] == numbers


def test_connect_fours_perft_is_the_known_one() -> None:
    match = kwartet.new("connect_four")
    numbers = [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234]
    assert [count_sequences(match, depth + 1) for depth in range(8)] == numbers


@pytest.mark.parametrize("key", KEYS)
def test_recorded_playthroughs_replay(key: str) -> None:
    options = []
    for _, record in read_records(DATA / f"playthroughs/{key}.jsonl"):
        match = kwartet.replay(record)
        assert match.record() == record
        assert match.actor is None
        options.append(record["options"])
    for expected in OPTION_SETS.get(key, [{}]):
        assert kwartet.GAMES[key].settle(expected) in options


def write() -> None:
    """Write the files from the rules as they are."""
    for folder in ("perft", "playthroughs"):
        (DATA / folder).mkdir(parents=True, exist_ok=True)
    for key in KEYS:
        sets = OPTION_SETS.get(key, [{}])
        rows = []
        for seed, options in enumerate(sets):
            match = kwartet.new(key, seed=seed, **options)
            for ply in range(12):
                legal = match.legal()
                match.play(legal[(seed + 31 * ply) % len(legal)])
            moves = [move for move in match.moves if not move.startswith("*")]
            counts = [count_sequences(match, depth) for depth in (1, 2, 3)]
            rows.append(
                {
                    "rules": match.version,
                    "options": options,
                    "seed": seed,
                    "moves": moves,
                    "perft": counts,
                }
            )
        lines = ",\n".join("  " + json.dumps(row) for row in rows)
        (DATA / f"perft/{key}.json").write_text(f"[\n{lines}\n]\n")
        records = [
            line_of(random_match(kwartet.GAMES[key], options, generator(seed)).record())
            for seed, options in enumerate(sets)
        ]
        (DATA / f"playthroughs/{key}.jsonl").write_text("\n".join(records) + "\n")


if __name__ == "__main__":
    import tests.conftest  # noqa: F401  (knows the example)

    write()
